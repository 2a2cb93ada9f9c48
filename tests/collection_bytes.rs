//! Byte strings in pools: random operations beside a `Vec<u8>`, what slices promise, streams, and crashes.

mod support;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use pmem_runtime::hw::sim::{Chooser, Replay, SimMedium};
use pmem_runtime::{Bytes, Fase, Persistent, Pool, abort, persist_fase};
use support::Random;

/// A byte string that has grown beyond this is cut.
const LEN_MAX: usize = 40_000;

#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct World<'p> {
    bytes: Bytes<'p>,
    kept: Bytes<'p>,
    ticks: u64,
}

type WorldPool = Pool<World<'static>>;

#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    bytes: Vec<u8>,
    kept: Vec<u8>,
    ticks: u64,
}

/// Places are fractions of a length, in 2^32ths.
#[derive(Clone, Debug)]
enum Op {
    Push(u8),
    Pop,
    Extend(Vec<u8>),
    Insert(u32, Vec<u8>),
    Replace(u32, u32, Vec<u8>),
    Remove(u32),
    Set(u32, u8),
    Resize(u32, u8),
    SplitOff(u32),
    Append,
    Slice(u32, u32),
    Keep,
    Retain(u8),
    Clear,
}

fn some_bytes(random: &mut Random) -> Vec<u8> {
    let len = [4, 4, 4, 40, 600, 6000][random.below(6) as usize];
    (0..random.below(len)).map(|_| random.below(7) as u8).collect()
}

impl Op {
    fn random(random: &mut Random) -> Self {
        let from = [0, u32::MAX, random.next() as u32, random.next() as u32][random.below(4) as usize];
        let to = from.saturating_add(random.next() as u32 >> [1, 4, 8, 12][random.below(4) as usize]);
        match random.below(30) {
            0..=2 => Op::Push(random.next() as u8),
            3 => Op::Pop,
            4..=7 => Op::Extend(some_bytes(random)),
            8..=13 => Op::Insert(from, some_bytes(random)),
            14..=18 => Op::Replace(from, to, some_bytes(random)),
            19 | 20 => Op::Remove(from),
            21 | 22 => Op::Set(from, random.next() as u8),
            23 => Op::Resize(u32::MAX - (random.next() as u32 >> 3), random.next() as u8),
            24 => Op::SplitOff(u32::MAX - (random.next() as u32 >> 4)),
            25 => Op::Append,
            26 => Op::Slice(from, to),
            27 => Op::Keep,
            28 if random.one_in(6) => Op::Retain(random.below(7) as u8),
            29 if random.one_in(15) => Op::Clear,
            _ => Op::Push(random.next() as u8),
        }
    }
}

fn at(len: usize, place: u32) -> usize {
    (len as u128 * u128::from(place) / u128::from(u32::MAX)) as usize
}

impl<'f> World<'f> {
    /// Does what [`Model::apply`] does.
    fn apply(&mut self, tx: &Fase<'f>, op: &Op) {
        self.ticks += 1;
        let bytes = &mut self.bytes;
        let len = bytes.len();
        match op {
            Op::Push(byte) => bytes.push(tx, *byte),
            Op::Pop => drop(bytes.pop(tx)),
            Op::Extend(more) => bytes.extend_from_slice(tx, more),
            Op::Insert(place, more) => bytes.insert_slice(tx, at(len, *place), more),
            Op::Replace(from, to, more) => bytes.replace_range(tx, at(len, *from)..at(len, *to), more),
            Op::Remove(place) if at(len, *place) < len => drop(bytes.remove(tx, at(len, *place))),
            Op::Set(place, byte) => {
                if let Some(found) = bytes.get_mut(tx, at(len, *place)) {
                    *found = *byte;
                }
            }
            Op::Resize(place, byte) => bytes.resize(tx, at(len + 100, *place), *byte),
            Op::SplitOff(place) => self.kept = bytes.split_off(tx, at(len, *place)),
            Op::Append => {
                let other = self.kept.share(tx);
                bytes.append(tx, other);
            }
            Op::Slice(from, to) => self.kept = bytes.slice(tx, at(len, *from)..at(len, *to)),
            Op::Keep => self.kept = bytes.share(tx),
            Op::Retain(byte) => bytes.retain(tx, |each| each != byte),
            Op::Clear => bytes.clear(tx),
            Op::Remove(_) => {}
        }
        self.bytes.truncate(tx, LEN_MAX);
    }
}

impl Model {
    fn apply(&mut self, op: &Op) {
        self.ticks += 1;
        let bytes = &mut self.bytes;
        let len = bytes.len();
        match op {
            Op::Push(byte) => bytes.push(*byte),
            Op::Pop => drop(bytes.pop()),
            Op::Extend(more) => bytes.extend_from_slice(more),
            Op::Insert(place, more) => {
                drop(bytes.splice(at(len, *place)..at(len, *place), more.iter().copied()))
            }
            Op::Replace(from, to, more) => {
                drop(bytes.splice(at(len, *from)..at(len, *to), more.iter().copied()));
            }
            Op::Remove(place) if at(len, *place) < len => drop(bytes.remove(at(len, *place))),
            Op::Set(place, byte) => {
                if let Some(found) = bytes.get_mut(at(len, *place)) {
                    *found = *byte;
                }
            }
            Op::Resize(place, byte) => bytes.resize(at(len + 100, *place), *byte),
            Op::SplitOff(place) => self.kept = bytes.split_off(at(len, *place)),
            Op::Append => bytes.extend_from_slice(&self.kept),
            Op::Slice(from, to) => self.kept = bytes[at(len, *from)..at(len, *to)].to_vec(),
            Op::Keep => self.kept = bytes.clone(),
            Op::Retain(byte) => bytes.retain(|each| each != byte),
            Op::Clear => bytes.clear(),
            Op::Remove(_) => {}
        }
        self.bytes.truncate(LEN_MAX);
    }
}

fn assert_same(pool: &WorldPool, model: &Model) {
    let now = pool.latest();
    assert_eq!((now.bytes.check(), now.kept.check()), (Ok(()), Ok(())));
    assert!(now.bytes == model.bytes && now.kept == model.kept);
}

fn assert_exact(pool: &WorldPool) {
    let report = pool.check().unwrap();
    assert_eq!((report.refcounts_off, report.unreachable_lines), (0, 0), "{report:?}");
}

fn reopen(pool: WorldPool, path: &Path) -> WorldPool {
    pool.close().unwrap();
    WorldPool::options().force_dax(true).verify_checksums(true).open(path).unwrap()
}

fn compare_with_the_model(seed: u64, ops: usize) {
    let mut random = Random::for_test("compare_with_the_model", seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bytes.pool");
    let mut pool = WorldPool::options().force_dax(true).create(&path).unwrap();
    let mut model = Model::default();
    let (mut done, mut sections, mut lens) = (0, 0, 0);
    while done < ops {
        let batch: Vec<Op> = (0..=random.below(6)).map(|_| Op::random(&mut random)).collect();
        done += batch.len();
        sections += 1;
        lens += model.bytes.len();
        let aborts = random.one_in(12);
        let after = persist_fase!(pool, |tx, world| {
            let mut after = model.clone();
            for op in &batch {
                world.apply(tx, op);
                after.apply(op);
                assert_eq!(world.bytes.check(), Ok(()), "{op:?}");
                assert!(world.bytes == after.bytes, "{op:?}");
            }
            if aborts {
                abort!("on purpose");
            }
            Ok(after)
        });
        match after {
            Ok(after) => model = after,
            Err(error) => assert!(aborts && error.aborted().is_some(), "{error}"),
        }
        assert_same(&pool, &model);
        if random.one_in(100) {
            pool = reopen(pool, &path);
            assert_exact(&pool);
            assert_same(&pool, &model);
        }
    }
    println!("{done} operations on byte strings of {} bytes in the mean", lens / sections);
    persist_fase!(pool, |_tx, world| {
        *world = World::default();
        Ok(())
    })
    .unwrap();
    pool = reopen(pool, &path);
    assert_exact(&pool);
    assert_eq!(pool.check().unwrap().nodes, 1, "only the root is left");
}

/// If this failed, a byte string would not be what a `Vec<u8>` is after the same edits, or a kept version would change.
#[test]
fn bytes_are_a_vec_across_sections_and_reopens() {
    for seed in 1..=3 {
        compare_with_the_model(seed, 10_000);
    }
}

fn pool_with(bytes: &[u8]) -> WorldPool {
    let pool = WorldPool::options().volatile().unwrap();
    persist_fase!(pool, |tx, world| {
        let (left, right) = bytes.split_at(bytes.len() / 3);
        world.bytes = Bytes::of(tx, right);
        world.bytes.insert_slice(tx, 0, left);
        world.kept.extend(tx, bytes.iter().copied());
        Ok(())
    })
    .unwrap();
    pool
}

/// If this failed, a byte string would be read otherwise than a slice.
#[test]
fn bytes_are_read_like_a_slice() {
    fn hash(value: &(impl Hash + ?Sized)) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }
    let mut random = Random::for_test("bytes_are_read_like_a_slice", 2);
    for len in [0, 1, 22, 23, 488, 489, 5000] {
        let plain: Vec<u8> = (0..len).map(|_| random.below(3) as u8).collect();
        let pool = pool_with(&plain);
        let now = pool.snapshot();
        let bytes = &now.bytes;
        assert!(now.bytes == now.kept && hash(bytes) == hash(&plain) && hash(&now.kept) == hash(&plain[..]));
        assert_eq!(bytes.to_vec(), plain);
        assert_eq!(format!("{bytes:?}"), format!("{plain:?}"));
        assert_eq!((bytes.first(), bytes.last()), (plain.first(), plain.last()));
        assert_eq!(bytes.iter().len(), len);
        assert!(bytes.iter().eq(&plain) && bytes.iter().rev().eq(plain.iter().rev()));
        assert!(bytes.into_iter().skip(len / 2).eq(&plain[len / 2..]));
        let (mut iter, mut expected) = (bytes.iter(), plain.iter());
        while expected.len() > 0 {
            if random.one_in(2) {
                assert_eq!(iter.next(), expected.next());
            } else {
                assert_eq!(iter.next_back(), expected.next_back());
            }
            assert_eq!(iter.len(), expected.len());
        }
        assert_eq!((iter.next(), iter.next_back()), (None, None));
        for _ in 0..100 {
            let from = random.below(len as u64 + 1) as usize;
            let to = (from + random.below(700) as usize).min(len);
            let part = &plain[from..to];
            assert!(bytes.range(from..to).eq(part));
            assert_eq!(bytes.chunks_in(from..to).collect::<Vec<_>>().concat(), part);
            let first = (0..=len - part.len()).find(|at| plain[*at..].starts_with(part));
            assert_eq!(bytes.find(part), first);
            assert_eq!(bytes.starts_with(part), plain.starts_with(part));
            assert_eq!(bytes.ends_with(part), plain.ends_with(part));
            let mut block = vec![9; part.len()];
            assert_eq!(bytes.read_at(from, &mut block), part.len());
            assert_eq!(block, part);
            assert_eq!(bytes.get(from), plain.get(from));
            assert_eq!(*bytes == *part, plain == part);
        }
        let mut read = Vec::new();
        bytes.reader().read_to_end(&mut read).unwrap();
        assert_eq!(read, plain);
        assert!(
            bytes.reader().split(1).map(Result::unwrap).eq(BufRead::split(&plain[..], 1).map(Result::unwrap))
        );
    }
}

/// If this failed, bytes would sort otherwise than slices do.
#[test]
fn bytes_are_ordered_as_slices() {
    let mut random = Random::for_test("bytes_are_ordered_as_slices", 3);
    let mut all: Vec<Vec<u8>> = (0..30).map(|_| some_bytes(&mut random)).collect();
    let longer: Vec<Vec<u8>> = all.iter().map(|bytes| [&bytes[..], &[3]].concat()).collect();
    all.extend(longer);
    let pools: Vec<WorldPool> = all.iter().map(|bytes| pool_with(bytes)).collect();
    for (left, left_plain) in pools.iter().zip(&all) {
        for (right, right_plain) in pools.iter().zip(&all) {
            let (left, right) = (left.snapshot(), right.snapshot());
            assert_eq!(left.bytes.partial_cmp(&right.kept), left_plain.partial_cmp(right_plain));
            assert_eq!(left.bytes == right.kept, left_plain == right_plain);
        }
    }
}

/// If this failed, an index behind the end would be taken for one that is there.
#[test]
fn what_panics_in_a_vec_panics_and_changes_nothing() {
    let pool = pool_with(&[1, 2, 3]);
    let refused = |edit: &dyn for<'f> Fn(&Fase<'f>, &mut Bytes<'f>)| {
        let section = || {
            persist_fase!(pool, |tx, world| {
                edit(tx, &mut world.bytes);
                Ok(())
            })
        };
        let panic = catch_unwind(AssertUnwindSafe(section)).expect_err("it panics");
        assert!(pool.snapshot().bytes == [1, 2, 3]);
        let sentence = panic.downcast_ref::<String>().cloned();
        sentence.unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).to_owned())
    };
    assert!(refused(&|tx, bytes| bytes.insert(tx, 4, 0)).contains("no range of 3 bytes"));
    assert!(refused(&|tx, bytes| _ = bytes.remove(tx, 3)).contains("3 is not one of the 3 bytes"));
    assert!(refused(&|tx, bytes| bytes.remove_range(tx, 2..=3)).contains("no range of 3 bytes"));
    assert!(refused(&|tx, bytes| drop(bytes.split_off(tx, 4))).contains("4 is behind the 3 bytes"));
    assert!(refused(&|tx, bytes| drop(bytes.slice(tx, 4..))).contains("no range of 3 bytes"));
    assert!(refused(&|tx, bytes| bytes.remove_range(tx, ..=usize::MAX)).contains("no range of 3 bytes"));
    assert!(refused(&|_, bytes| assert!(bytes[3] == 0)).contains("3 is not one of the 3 bytes"));
    assert!(refused(&|_, bytes| _ = bytes.read_at(4, &mut [])).contains("no range of 3 bytes"));
    assert!(refused(&|tx, bytes| bytes.retain(tx, |_| panic!("user code"))).contains("user code"));
}

/// If this failed, a stream written into a pool would not be the stream read from it.
#[test]
fn streams_in_and_out() {
    let pool = WorldPool::options().volatile().unwrap();
    let file: Vec<u8> = (0..100_000_u32).flat_map(|word| word.to_le_bytes()).collect();
    persist_fase!(pool, |tx, world| {
        let mut writer = world.bytes.writer(tx);
        file.chunks(777).try_for_each(|block| writer.write_all(block))?;
        writer.flush()?;
        Ok(())
    })
    .unwrap();
    let now = pool.snapshot();
    assert_eq!(now.bytes.check(), Ok(()));
    let mut copy = Vec::new();
    std::io::copy(&mut now.bytes.reader(), &mut copy).unwrap();
    assert!(copy == file);
    let mut small = [0; 3];
    let mut reader = now.bytes.reader();
    reader.read_exact(&mut small).unwrap();
    assert_eq!(small, file[..3]);
    assert_eq!(reader.fill_buf().unwrap()[..4], file[3..7]);
}

/// If this failed, a long byte string would overflow the machine's stack somewhere.
#[test]
fn ten_million_bytes_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = Pool::<Bytes<'static>>::options().volatile().unwrap();
            let section = |edit: &dyn for<'f> Fn(&Fase<'f>, &mut Bytes<'f>)| {
                persist_fase!(pool, |tx, bytes| {
                    edit(tx, bytes);
                    Ok(())
                })
                .unwrap();
            };
            section(&|tx, bytes| bytes.extend(tx, (0..10_000_000_u32).map(|index| (index % 251) as u8)));
            let bytes = pool.snapshot();
            assert_eq!((bytes.len(), bytes.check()), (10_000_000, Ok(())));
            assert!(bytes.iter().copied().eq((0..10_000_000_u32).map(|index| (index % 251) as u8)));
            drop(bytes);
            section(&|tx, bytes| {
                bytes.retain(tx, |byte| *byte != 7);
                assert!(bytes.len() < 10_000_000 && bytes.get(7) == Some(&8));
                bytes.clear(tx);
            });
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}

/// If this failed, overwriting a byte would copy more than a path, or what an old version shows.
#[test]
fn lines_written_for_an_overwrite() {
    let pool = WorldPool::options().volatile().unwrap();
    persist_fase!(pool, |tx, world| {
        world.bytes.resize(tx, 1 << 20, 7);
        world.kept = world.bytes.share(tx);
        Ok(())
    })
    .unwrap();
    let mut random = Random::for_test("lines_written_for_an_overwrite", 4);
    let mut most = 0;
    for _ in 0..200 {
        let at = random.below(1 << 20) as usize;
        let before = pool.counters();
        persist_fase!(pool, |tx, world| {
            *world.bytes.get_mut(tx, at).expect("it is there") = 8;
            Ok(())
        })
        .unwrap();
        let after = pool.counters();
        let records = after.record_lines - before.record_lines;
        most = most.max(after.lines_written_back - before.lines_written_back - records);
        assert_eq!((pool.snapshot().bytes[at], pool.snapshot().kept[at]), (8, 7));
    }
    println!("overwriting a byte of 1 MiB: {most} lines at most, two of them the root's");
    // A leaf of eight lines under at most four inner nodes of four.
    assert!(most <= 2 + 8 + 4 * 4);
    assert!(pool.snapshot().kept.iter().all(|byte| *byte == 7));
}

/// If this failed, a crash would leave bytes that no section made.
#[test]
fn a_crash_leaves_bytes_that_a_section_made() {
    let mut random = Random::for_test("a_crash_leaves_bytes", 5);
    let medium = Arc::new(SimMedium::new());
    let options = || {
        WorldPool::options().size_bytes(WorldPool::MIN_BYTES).reserve_bytes(64 << 20).threads(1).seed(88_888)
    };
    let pool = options().simulate_with(&medium, |_| World::default()).unwrap();
    let mut model = Model::default();
    let mut versions = vec![(medium.event_count(), model.clone())];
    for _ in 0..50 {
        let batch: Vec<Op> = (0..=random.below(3)).map(|_| Op::random(&mut random)).collect();
        persist_fase!(pool, |tx, world| {
            batch.iter().for_each(|op| world.apply(tx, op));
            Ok(())
        })
        .unwrap();
        batch.iter().for_each(|op| model.apply(op));
        versions.push((medium.event_count(), model.clone()));
    }
    drop(pool);
    let mut replay = Replay::new(medium.initial_image());
    let (mut states, mut under_way) = (0, 0);
    for (event, point) in medium.events().iter().zip(1..=versions.last().unwrap().0) {
        replay.apply(event);
        let Some(done) = versions.iter().rposition(|(events, _)| *events <= point) else { continue };
        for chooser in [Chooser::None, Chooser::All, Chooser::Seeded(random.next())] {
            states += 1;
            let left = Arc::new(SimMedium::from_image(replay.image(chooser)));
            let pool = options().verify_checksums(true).open_simulated(&left).unwrap();
            assert_exact(&pool);
            let ticks = pool.snapshot().ticks;
            let found = versions[done..].iter().take(2).position(|(_, version)| version.ticks == ticks);
            let found =
                found.unwrap_or_else(|| panic!("after {point} events: {ticks} ticks are no version's"));
            assert_same(&pool, &versions[done + found].1);
            under_way += usize::from(found == 1);
        }
    }
    println!("{states} states, {under_way} of them of a section under way");
    assert!(under_way > 20);
}
