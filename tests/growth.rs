//! A pool grows in place, under its readers, to any length that the disk has.

mod support;

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pmem_runtime::{Fase, FaseFault, P, Persistent, Pool, persist_fase};
use support::Random;
use support::degrees::assert_sound;
use support::world::{WorldPool, push, values};

const GIB: u64 = 1 << 30;
const WORDS: usize = 8192;

/// A large payload under a key.
#[derive(Persistent, Debug)]
#[repr(C)]
struct Shelf<'p> {
    left: Option<P<'p, Shelf<'p>>>,
    right: Option<P<'p, Shelf<'p>>>,
    key: u64,
    block: P<'p, [u64; WORDS]>,
}

/// A tree of large payloads with the keys `0..count`.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Library<'p> {
    top: Option<P<'p, Shelf<'p>>>,
    count: u64,
}

type LibraryPool = Pool<Library<'static>>;

/// The words that are not zero.
fn marks(key: u64) -> [(usize, u64); 4] {
    let word = support::mix(key);
    [
        (0, key),
        (1 + word as usize % 4000, word),
        (5000 + word as usize % 3000, !word),
        (WORDS - 1, key ^ word),
    ]
}

impl<'f> Library<'f> {
    /// Adds the next key. The path to it follows the bits of its hash, so that the tree is balanced enough.
    fn add(&mut self, tx: &Fase<'f>) {
        let key = self.count;
        let mut words = [0; WORDS];
        marks(key).into_iter().for_each(|(index, word)| words[index] = word);
        let mut path = support::mix(key);
        let mut slot = &mut self.top;
        while slot.is_some() {
            let shelf = slot.as_mut().expect("tested above").make_mut(tx);
            slot = if path & 1 == 0 { &mut shelf.left } else { &mut shelf.right };
            path = path.rotate_right(1);
        }
        *slot = Some(P::new(tx, Shelf { left: None, right: None, key, block: P::new(tx, words) }));
        self.count += 1;
    }
}

impl Library<'_> {
    fn verify(&self, key: u64) {
        let mut path = support::mix(key);
        let mut next = &self.top;
        while let Some(shelf) = next {
            if shelf.key == key {
                marks(key)
                    .into_iter()
                    .for_each(|(index, word)| assert_eq!(shelf.block[index], word, "key {key}"));
                assert_eq!(shelf.block[4500], 0);
                return;
            }
            next = if path & 1 == 0 { &shelf.left } else { &shelf.right };
            path = path.rotate_right(1);
        }
        panic!("key {key} is not among {} keys", self.count);
    }
}

fn free_bytes(folder: &Path) -> u64 {
    let output = std::process::Command::new("df").arg("--output=avail").arg("-B1").arg(folder).output();
    let text = String::from_utf8(output.expect("df is on every system").stdout).unwrap();
    text.lines().nth(1).and_then(|line| line.trim().parse().ok()).expect("df prints the free bytes")
}

/// If this failed, a pool could not outgrow its first guess, or growing would pull the mapping away from its readers.
#[test]
fn a_pool_grows_from_its_minimum_to_four_gib_while_two_threads_read() {
    let folder = tempfile::tempdir().unwrap();
    let free = free_bytes(folder.path());
    if free < 8 * GIB {
        println!("SKIPPED: {free} bytes are free in {}, 8 GiB are needed", folder.path().display());
        return;
    }
    let path = folder.path().join("large.pool");
    // Write-backs go to the page cache: what is measured here is growth, not this disk.
    let options = LibraryPool::options()
        .size_bytes(LibraryPool::MIN_BYTES)
        .limit_bytes(4 * GIB + (128 << 20))
        .force_dax(true);
    let pool = options.create(&path).unwrap();
    assert_eq!(pool.len_bytes(), LibraryPool::MIN_BYTES);
    let start = Instant::now();
    let is_done = AtomicBool::new(false);
    let reads = AtomicU64::new(0);
    let written = thread::scope(|scope| {
        for seed in 0..2 {
            let (pool, is_done, reads) = (&pool, &is_done, &reads);
            scope.spawn(move || {
                let mut random = Random::new(seed);
                let mut last = 0;
                while !is_done.load(Ordering::Acquire) {
                    let library = pool.snapshot();
                    assert!(library.count >= last, "time ran backwards");
                    last = library.count;
                    if last > 0 {
                        library.verify(last - 1);
                        (0..20).for_each(|_| library.verify(random.below(last)));
                        reads.fetch_add(21, Ordering::Relaxed);
                    }
                    // Leaves the processor to the writer: two cores serve three threads.
                    thread::sleep(Duration::from_micros(300));
                }
            });
        }
        let written = fill(&pool);
        is_done.store(true, Ordering::Release);
        written
    });
    let counters = pool.counters();
    println!(
        "{} bytes in {:?}: {written} keys, {} growths, {} reads meanwhile",
        pool.len_bytes(),
        start.elapsed(),
        counters.growths,
        reads.load(Ordering::Relaxed)
    );
    let metadata = std::fs::metadata(&path).unwrap();
    assert_eq!(metadata.len(), pool.len_bytes());
    assert!(metadata.len() >= 4 * GIB);
    assert!(metadata.blocks() * 512 >= 4 * GIB, "the file has holes: {} blocks", metadata.blocks());
    assert!(counters.growths >= 15 && reads.load(Ordering::Relaxed) > 100);
    let library = pool.snapshot();
    assert_eq!(library.count, written);
    (0..written).for_each(|key| library.verify(key));
}

/// Adds keys until the pool is as long as it should be; returns how many there are.
///
/// Up to half a GiB every byte is written; the rest of the way is reserved in larger steps, with some keys in each, so
/// that the test measures growth and not the memory's speed.
fn fill(pool: &LibraryPool) -> u64 {
    while pool.len_bytes() < 4 * GIB {
        persist_fase!(pool, |tx, library| {
            if pool.len_bytes() > GIB / 2 {
                // What is free counts, and room is made for twice the bytes.
                tx.reserve((pool.len_bytes() - pool.used_bytes()) / 2 + (24 << 20))?;
            }
            (0..24).for_each(|_| library.add(tx));
            Ok(())
        })
        .unwrap();
    }
    let count = pool.snapshot().count;
    let refused = persist_fase!(pool, |tx, library| {
        library.add(tx);
        tx.reserve(4 * GIB)?;
        Ok(())
    });
    let error = refused.unwrap_err();
    assert!(matches!(error.fault(), Some(FaseFault::OutOfSpace { .. })), "{error}");
    assert_eq!(pool.snapshot().count, count, "a section that ran out of space left something");
    count
}

/// If this failed, reaching the limit would cost data, or the pool.
#[test]
fn at_the_limit_sections_fail_whole_and_the_pool_goes_on() {
    const LIMIT: u64 = 4 << 20;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("limited.pool");
    let pool = WorldPool::options()
        .size_bytes(WorldPool::MIN_BYTES)
        .limit_bytes(LIMIT)
        .force_dax(true)
        .create(&path);
    let pool = pool.unwrap();
    let mut pushed = 0;
    let error = loop {
        let result = persist_fase!(pool, |tx, world| {
            (0..500).for_each(|index| push(tx, &mut world.list, pushed + index));
            Ok(())
        });
        match result {
            Ok(()) => pushed += 500,
            Err(error) => break error,
        }
    };
    println!("{error}");
    assert!(matches!(error.fault(), Some(FaseFault::OutOfSpace { .. })), "{error:?}");
    assert_eq!(pool.len_bytes(), LIMIT, "the pool uses what it may");
    let all = |pool: &WorldPool, count: u64| assert!(values(&pool.snapshot().list).eq((0..count).rev()));
    all(&pool, pushed);
    assert_sound(&pool);
    let live = pool.used_bytes();
    for _ in 0..3 {
        let again = persist_fase!(pool, |tx, world| {
            (0..100_000).for_each(|value| push(tx, &mut world.list, value));
            Ok(())
        });
        again.unwrap_err();
        assert!(pool.used_bytes() <= live, "a failed section kept memory");
    }
    persist_fase!(pool, |_tx, world| -> Result<(), pmem_runtime::FaseError> {
        world.list = None;
        Ok(())
    })
    .unwrap();
    for round in 0..5 {
        persist_fase!(pool, |tx, world| {
            world.list = None;
            (0..pushed / 3).for_each(|value| push(tx, &mut world.list, value));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
    all(&pool, pushed / 3);
    pool.close().unwrap();
    let pool = WorldPool::options().limit_bytes(LIMIT).force_dax(true).open(&path).unwrap();
    all(&pool, pushed / 3);
    support::degrees::assert_exact(&pool);
}

/// If this failed, `reserve` would promise room that is not there, or hide that there is none.
#[test]
fn a_reservation_makes_room_or_says_that_there_is_none() {
    let pool = WorldPool::options().size_bytes(WorldPool::MIN_BYTES).limit_bytes(8 << 20).volatile().unwrap();
    persist_fase!(pool, |tx, world| {
        tx.reserve(1 << 20)?;
        let growths = pool.counters().growths;
        // Nodes of a link take 32 of the 64 bytes of a line.
        (0..(1 << 20) / 64).for_each(|value| push(tx, &mut world.list, value));
        assert_eq!(pool.counters().growths, growths, "the room was not there");
        for too_much in [64 << 20, u64::MAX / 2, u64::MAX] {
            let refused = tx.reserve(too_much).unwrap_err();
            assert!(matches!(refused, FaseFault::OutOfSpace { .. }), "{refused}");
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(values(&pool.snapshot().list).count(), (1 << 20) / 64);
}

/// If this failed, a wish for more bytes than there are numbers for would come out as a small one, and be granted.
#[test]
fn a_reservation_of_everything_is_refused_however_little_is_free() {
    let pool = WorldPool::options()
        .size_bytes(WorldPool::MIN_BYTES)
        .limit_bytes(WorldPool::MIN_BYTES)
        .volatile()
        .unwrap();
    for value in 0.. {
        let room = persist_fase!(pool, |tx, world| {
            for wish in
                [u64::MAX, u64::MAX / 2, u64::MAX / 2 - (WorldPool::MIN_BYTES - pool.used_bytes()) / 2]
            {
                let refused = tx.reserve(wish).unwrap_err();
                assert!(matches!(refused, FaseFault::OutOfSpace { .. }), "{wish}: {refused}");
            }
            push(tx, &mut world.list, value);
            Ok(())
        });
        if room.is_err() {
            break;
        }
    }
}
