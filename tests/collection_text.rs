//! Texts in pools: random operations beside a `String`, what `str` promises, crashes, and what an edit writes.

#[path = "collection_text/model.rs"]
mod model;
mod support;

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use model::{Model, Op, World};
use pmem_runtime::hw::sim::{Action, Chooser, Replay, SimMedium};
use pmem_runtime::{Fase, Persistent, Pool, Text, abort, persist_fase};
use support::Random;

type WorldPool = Pool<World<'static>>;

fn assert_same(pool: &WorldPool, model: &Model) {
    let now = pool.latest();
    for (text, expected) in now.texts().zip(model.texts()) {
        assert_eq!(text.check(), Ok(()));
        assert_eq!(text.len(), expected.len());
        assert!(*text == *expected, "{text:?} is not {expected:?}");
    }
}

fn assert_exact(pool: &WorldPool) {
    let report = pool.check().unwrap();
    assert_eq!((report.refcounts_off, report.unreachable_lines), (0, 0), "{report:?}");
}

fn reopen(pool: WorldPool, path: &Path, random: &mut Random) -> WorldPool {
    if random.one_in(2) {
        pool.close().unwrap();
    } else {
        drop(pool);
    }
    WorldPool::options().force_dax(true).verify_checksums(true).open(path).unwrap()
}

fn compare_with_the_model(seed: u64, ops: usize) {
    let mut random = Random::for_test("compare_with_the_model", seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.pool");
    let mut pool = WorldPool::options().force_dax(true).create(&path).unwrap();
    let mut model = Model::default();
    let mut done = 0;
    let (mut lens, mut sections) = (0, 0);
    while done < ops {
        let batch: Vec<Op> = (0..=random.below(6)).map(|_| Op::random(&mut random)).collect();
        done += batch.len();
        if random.one_in(12) {
            let result = persist_fase!(pool, |tx, world| {
                batch.iter().for_each(|op| world.apply(tx, op));
                if world.ticks < u64::MAX {
                    abort!("on purpose");
                }
                Ok(())
            });
            assert!(result.is_err_and(|error| error.aborted().is_some()));
        } else {
            let steps = persist_fase!(pool, |tx, world| {
                let mut after = model.clone();
                for op in &batch {
                    world.apply(tx, op);
                    after.apply(op);
                    assert_eq!(world.text.check(), Ok(()), "{op:?}");
                    assert!(world.text == *after.text, "{op:?}");
                }
                Ok(after)
            });
            model = steps.unwrap();
        }
        assert_same(&pool, &model);
        lens += model.text.len();
        sections += 1;
        if random.one_in(100) {
            pool = reopen(pool, &path, &mut random);
            assert_exact(&pool);
            assert_same(&pool, &model);
        }
    }
    println!("{done} operations on texts of {} bytes in the mean", lens / sections);
    persist_fase!(pool, |_tx, world| {
        *world = World::default();
        Ok(())
    })
    .unwrap();
    pool = reopen(pool, &path, &mut random);
    assert_exact(&pool);
    assert_eq!(pool.check().unwrap().nodes, 1, "only the root is left");
}

/// If this failed, a text would not be what a `String` is after the same edits, or a kept version would change.
#[test]
fn a_text_is_a_string_across_sections_and_reopens() {
    for seed in 1..=4 {
        compare_with_the_model(seed, 10_000);
    }
}

/// A pool with a text in as many pieces as random edits made of it.
fn pool_with(text: &str, random: &mut Random) -> WorldPool {
    let pool = WorldPool::options().volatile().unwrap();
    let mut cuts: Vec<usize> =
        (0..random.below(8)).map(|_| random.below(text.len() as u64 + 1) as usize).collect();
    cuts.retain(|cut| text.is_char_boundary(*cut));
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    persist_fase!(pool, |tx, world| {
        // From the middle outwards, so that no piece is as a single push would have made it.
        let middle = cuts.len() / 2;
        for pair in cuts[middle..].windows(2) {
            world.text.push_str(tx, &text[pair[0]..pair[1]]);
        }
        for pair in cuts[..=middle].windows(2).rev() {
            world.text.insert_str(tx, 0, &text[pair[0]..pair[1]]);
        }
        world.kept[0].push_str(tx, text);
        Ok(())
    })
    .unwrap();
    pool
}

fn random_text(random: &mut Random) -> String {
    let len = [0, 3, 10, 200, 3000][random.below(5) as usize];
    let len = random.below(len + 1);
    (0..len).map(|_| ['a', 'b', '\n', '\r', 'é', '€', '😀'][random.below(7) as usize]).collect()
}

/// If this failed, a text would be read otherwise than a `str`.
#[test]
fn a_text_is_read_like_a_str() {
    let mut random = Random::for_test("a_text_is_read_like_a_str", 5);
    let mut in_pieces = 0;
    for _ in 0..300 {
        let plain = random_text(&mut random);
        let pool = pool_with(&plain, &mut random);
        let now = pool.snapshot();
        let text = &now.text;
        in_pieces += usize::from(text.as_str().is_none());
        assert_eq!(text.chunks().collect::<String>(), plain);
        assert!(text.chunks().rev().eq(text.chunks().collect::<Vec<_>>().into_iter().rev()));
        assert!(text.chunks().all(|piece| !piece.is_empty()));
        assert_eq!(text.char_count(), plain.chars().count());
        assert!(text.chars().rev().eq(plain.chars().rev()));
        assert!(text.char_indices().eq(plain.char_indices()));
        assert!(text.char_indices().rev().eq(plain.char_indices().rev()));
        assert_eq!(text.bytes().len(), plain.len());
        assert!(text.bytes().eq(plain.bytes()));
        assert!(text.lines().eq(plain.lines()));
        assert_eq!(
            format!("{text}|{text:?}|{text:>9.4}|{text:5}"),
            format!("{plain}|{plain:?}|{plain:>9.4}|{plain:5}")
        );
        meet_in_the_middle(&mut random, text.chars(), &plain.chars().collect::<Vec<_>>());
        meet_in_the_middle(&mut random, text.bytes(), plain.as_bytes());
        for _ in 0..40 {
            let from = random.below(plain.len() as u64 + 3) as usize;
            let to = from + random.below(30) as usize;
            assert_eq!(text.is_char_boundary(from), plain.is_char_boundary(from));
            assert_eq!(text.get(from..to).as_deref(), plain.get(from..to));
            let Some(part) = plain.get(from..to.min(plain.len())) else { continue };
            assert_eq!(text.find(part), plain.find(part), "{part:?}");
            assert_eq!(
                text.find_in(from.min(1).., part),
                plain.bytes().position_of(part.as_bytes(), from.min(1))
            );
            assert_eq!(text.contains(&format!("{part}x")), plain.contains(&format!("{part}x")));
            assert_eq!(text.starts_with(part), plain.starts_with(part));
            assert_eq!(text.ends_with(part), plain.ends_with(part));
            assert!(text.starts_with(&plain[..from]) && text.ends_with(&plain[from..]));
        }
    }
    assert!(in_pieces > 50, "{in_pieces} of the texts were in pieces");
}

/// What `find_in` should find, the slow way.
trait PositionOf {
    fn position_of(self, wanted: &[u8], from: usize) -> Option<usize>;
}

impl<I: Iterator<Item = u8>> PositionOf for I {
    fn position_of(self, wanted: &[u8], from: usize) -> Option<usize> {
        let all: Vec<u8> = self.collect();
        (from..=all.len()).find(|at| all[*at..].starts_with(wanted))
    }
}

/// Takes from both ends until nothing is left.
fn meet_in_the_middle<T: PartialEq + Copy + std::fmt::Debug>(
    random: &mut Random,
    mut iter: impl DoubleEndedIterator<Item = T> + Clone,
    mut expected: &[T],
) {
    while let Some((first, rest)) = expected.split_first() {
        if random.one_in(2) {
            assert_eq!(iter.next(), Some(*first));
            expected = rest;
        } else {
            let (last, rest) = expected.split_last().unwrap();
            assert_eq!(iter.next_back(), Some(*last));
            expected = rest;
        }
        let again = iter.clone();
        if random.one_in(200) {
            assert!(again.eq(expected.iter().copied()));
        }
    }
    assert_eq!((iter.next(), iter.next_back(), iter.next()), (None, None, None));
}

/// If this failed, a map would not find a text by the `str` it was inserted as, or sort it elsewhere.
#[test]
fn texts_compare_and_hash_as_strs_whatever_their_pieces() {
    fn hash(value: &(impl Hash + ?Sized)) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }
    let mut random = Random::for_test("texts_compare_and_hash_as_strs", 6);
    let mut texts: Vec<String> = (0..40).map(|_| random_text(&mut random)).collect();
    // Neighbours: equal up to some place.
    for at in 0..20 {
        let mut near = texts[at].clone();
        near.push('z');
        texts.push(near.clone());
        near.insert(0, 'A');
        texts.push(near);
    }
    let pools: Vec<WorldPool> = texts.iter().map(|text| pool_with(text, &mut random)).collect();
    for (pool, plain) in pools.iter().zip(&texts) {
        let now = pool.snapshot();
        assert!(now.text == now.kept[0] && now.text.cmp(&now.kept[0]).is_eq());
        assert_eq!(hash(&now.text), hash(plain.as_str()));
        assert_eq!(hash(&(&now.kept[0], 7)), hash(&(plain, 7)));
        for (other, other_plain) in pools.iter().zip(&texts) {
            let other = other.snapshot();
            assert_eq!(now.text.partial_cmp(&other.text), plain.partial_cmp(other_plain));
            assert_eq!(now.text == other.text, plain == other_plain);
            assert_eq!(now.text == *other_plain, plain == other_plain);
            assert_eq!(other_plain.as_str() == now.text, plain == other_plain);
            assert_eq!(now.text.partial_cmp(other_plain.as_str()), plain.partial_cmp(other_plain));
            assert_eq!(other_plain.partial_cmp(&now.text), other_plain.partial_cmp(plain));
        }
    }
}

/// If this failed, a version would be compared byte by byte with another that shares nearly all of it. Neither would ever be done.
#[test]
fn comparing_and_editing_cost_what_is_not_shared() {
    let pool = WorldPool::options().volatile().unwrap();
    persist_fase!(pool, |tx, world| {
        world.text.push_str(tx, &"0123456789".repeat(50));
        for _ in 0..40 {
            let again = world.text.share(tx);
            world.text.append(tx, again);
        }
        world.kept[0] = world.text.share(tx);
        Ok(())
    })
    .unwrap();
    let middle = (500_usize << 39) + 3;
    persist_fase!(pool, |tx, world| {
        assert_eq!(world.text.len(), 500 << 40, "half a petabyte");
        assert!(world.text == world.kept[0]);
        world.text.replace_range(tx, middle..=middle, "x");
        world.text.insert_str(tx, 7, "y");
        world.kept[1] = world.text.slice(tx, 8..);
        world.kept[2] = world.kept[0].slice(tx, 7..);
        Ok(())
    })
    .unwrap();
    let now = pool.snapshot();
    assert!(now.text > now.kept[0], "y is greater than a digit");
    assert!(now.kept[1] > now.kept[2], "so is x");
    assert_eq!(now.text.get(middle - 1..middle + 4).as_deref(), Some("12x45"), "moved on by one");
    assert!(pool.used_bytes() < 1 << 20);
}

/// If this failed, a range inside a character would be accepted, or refused in another way than by `String`.
#[test]
fn what_panics_in_a_string_panics_and_changes_nothing() {
    let pool = pool_with("aéb", &mut Random::new(1));
    let refused = |edit: &dyn for<'f> Fn(&Fase<'f>, &mut Text<'f>)| {
        let section = || {
            persist_fase!(pool, |tx, world| {
                world.ticks += 1;
                edit(tx, &mut world.text);
                Ok(())
            })
        };
        let panic = catch_unwind(AssertUnwindSafe(section)).expect_err("it panics");
        assert!(pool.snapshot().text == "aéb" && pool.snapshot().ticks == 0);
        panic
            .downcast_ref::<String>()
            .cloned()
            .unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).to_owned())
    };
    assert!(refused(&|tx, text| text.insert_str(tx, 2, "x")).contains("2 is not a char boundary"));
    assert!(refused(&|tx, text| text.insert(tx, 9, 'x')).contains("no range of 4 bytes"));
    assert!(refused(&|tx, text| text.remove_range(tx, ..2)).contains("not a char boundary"));
    assert!(refused(&|tx, text| text.replace_range(tx, 2..=2, "y")).contains("not a char boundary"));
    assert!(refused(&|tx, text| text.truncate(tx, 2)).contains("not a char boundary"));
    assert!(refused(&|tx, text| drop(text.split_off(tx, 2))).contains("not a char boundary"));
    assert!(refused(&|tx, text| drop(text.slice(tx, 2..))).contains("not a char boundary"));
    assert!(refused(&|tx, text| drop(text.slice(tx, ..5))).contains("no range of 4 bytes"));
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let turned = refused(&|tx, text| text.remove_range(tx, 3..1));
    assert!(turned.contains("no range of 4 bytes"));
    assert!(refused(&|tx, text| _ = text.remove(tx, 4)).contains("from the end"));
    assert!(refused(&|tx, text| text.retain(tx, |_| panic!("user code"))).contains("user code"));
    assert!(refused(&|_, text| drop(text.chunks_in(2..))).contains("not a char boundary"));
}

/// If this failed, a name would cost a node, or a small edit of a large text much more than a path.
#[test]
fn lines_written_for_edits() {
    let pool = WorldPool::options().volatile().unwrap();
    let costs = |edit: &dyn for<'f> Fn(&Fase<'f>, &mut World<'f>)| {
        let before = pool.counters();
        persist_fase!(pool, |tx, world| {
            edit(tx, world);
            Ok(())
        })
        .unwrap();
        let after = pool.counters();
        let lines = after.lines_written_back - before.lines_written_back;
        (lines - (after.record_lines - before.record_lines), after.nodes - before.nodes)
    };
    // The root is a node of two lines.
    let root = costs(&|_, world| world.ticks += 1);
    let beyond_root = |edit: &dyn for<'f> Fn(&Fase<'f>, &mut World<'f>)| {
        let (lines, nodes) = costs(edit);
        (lines - root.0, nodes - root.1)
    };
    assert_eq!(beyond_root(&|tx, world| world.text = Text::of(tx, "22 bytes in the owner.")), (0, 0));
    assert_eq!(beyond_root(&|tx, world| world.text.push(tx, '!')), (1, 1));
    assert_eq!(beyond_root(&|tx, world| world.text.push(tx, '!')), (1, 1));
    let (whole, nodes) = beyond_root(&|tx, world| world.text = Text::of(tx, &"01234567".repeat(1 << 17)));
    println!("a text of 1 MiB: {nodes} nodes, {whole} lines, the text itself is {} lines", (1 << 20) / 64);
    assert!(whole < (1 << 20) / 64 * 110 / 100, "a tenth for headers and ends");
    let mut random = Random::for_test("lines_written_for_edits", 9);
    let at: Vec<usize> = (0..200).map(|_| random.below(1 << 20) as usize).collect();
    let mean = |name: &str, most: u64, edit: &dyn for<'f> Fn(&Fase<'f>, &mut World<'f>, usize)| {
        let lines = at.iter().map(|at| beyond_root(&|tx, world| edit(tx, world, *at)).0).collect::<Vec<_>>();
        let mean = lines.iter().sum::<u64>() as f64 / lines.len() as f64;
        println!("{name}: {mean:.1} lines in the mean, {} at most", lines.iter().max().unwrap());
        assert!(mean <= most as f64, "{name}: {mean} lines");
    };
    mean("replace a byte", 20, &|tx, world, at| world.text.replace_range(tx, at..=at, "x"));
    mean("insert a word", 25, &|tx, world, at| world.text.insert_str(tx, at, "word "));
    mean("remove a byte", 20, &|tx, world, at| world.text.remove_range(tx, at..=at));
    mean("push a word", 20, &|tx, world, _| world.text.push_str(tx, "word "));
    mean("slice and drop", 24, &|tx, world, at| world.kept[0] = world.text.slice(tx, at..));
    assert_eq!(pool.snapshot().text.check(), Ok(()));
    // A batch writes each node it touches once.
    let (lines, _) =
        beyond_root(&|tx, world| (0..1000).for_each(|_| world.text.insert_str(tx, 5000, "12345678")));
    println!("1,000 insertions of 8 bytes at a place: {lines} lines");
    assert!(lines < 8000 / 64 * 3, "{lines} lines");
}

/// If this failed, a text would be limited by the stack or by a node.
#[test]
fn ten_million_characters() {
    let pool = WorldPool::options().volatile().unwrap();
    persist_fase!(pool, |tx, world| {
        world.text.extend(tx, std::iter::repeat_n("é", 10_000_000));
        world.text.insert_str(tx, 10_000_000, "middle");
        Ok(())
    })
    .unwrap();
    let now = pool.snapshot();
    assert_eq!((now.text.len(), now.text.char_count()), (20_000_006, 10_000_006));
    assert_eq!(now.text.find("middle"), Some(10_000_000));
    assert_eq!(now.text.check(), Ok(()));
}

/// If this failed, a crash would leave a text that no section made.
#[test]
fn a_crash_leaves_a_text_that_a_section_made() {
    let mut random = Random::for_test("a_crash_leaves_a_text", 8);
    let medium = Arc::new(SimMedium::new());
    let options = || {
        WorldPool::options().size_bytes(WorldPool::MIN_BYTES).reserve_bytes(64 << 20).threads(1).seed(77_777)
    };
    let pool = options().simulate_with(&medium, |_| World::default()).unwrap();
    let mut model = Model::default();
    // How many events had happened when each version was durable.
    let mut versions = vec![(medium.event_count(), model.clone())];
    for _ in 0..60 {
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
    let events = medium.events();
    let mut replay = Replay::new(medium.initial_image());
    let (mut states, mut under_way) = (0, 0);
    for point in 0..=versions.last().unwrap().0 {
        if point > 0 {
            replay.apply(&events[point - 1]);
        }
        // Before the creation returned there may be no pool. A write-back alone changes nothing that a crash may leave.
        let is_write_back = point > 0 && matches!(events[point - 1].action, Action::WriteBack { .. });
        if point < versions[0].0 || (is_write_back && !random.one_in(8)) {
            continue;
        }
        let done = versions.iter().rposition(|(events, _)| *events <= point).unwrap();
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
    println!("{} events, {states} states, {under_way} of them of a section under way", events.len());
    assert!(under_way > 20);
}

/// If this failed, texts could not be fields of ordinary types.
#[test]
fn an_account_has_an_owner() {
    #[derive(Persistent, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(C)]
    struct Account<'p> {
        owner: Text<'p>,
        cents: i64,
        memo: Option<Text<'p>>,
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("account.pool");
    let pool = Pool::<Account<'_>>::options().create(&path).unwrap();
    persist_fase!(pool, |tx, account| {
        write!(account.owner.writer(tx), "Ada Lovelace")?;
        account.cents = 7;
        account.memo = Some(Text::of(tx, &"Analytical engine. ".repeat(50)));
        Ok(())
    })
    .unwrap();
    pool.close().unwrap();
    let pool = Pool::<Account<'_>>::options().open(&path).unwrap();
    let now = pool.snapshot();
    assert_eq!(now.owner, "Ada Lovelace");
    assert_eq!(now.memo.as_ref().map(Text::len), Some(950));
    assert!(
        format!("{:?}", *now).starts_with(r#"Account { owner: "Ada Lovelace", cents: 7, memo: Some("Analy"#)
    );
}
