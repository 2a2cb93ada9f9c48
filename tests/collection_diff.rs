//! `diff` of texts, byte strings and stacks against plain slices; and the byte strings' other ways to be changed.

mod support;

use pmem_runtime::collections::text::Splice;
use pmem_runtime::{Bytes, Fase, Persistent, Pool, Stack, Text, persist_fase};
use support::Random;

#[derive(Persistent, Default)]
#[repr(C)]
struct World<'p> {
    text: Text<'p>,
    bytes: Bytes<'p>,
    stack: Stack<'p, u64>,
}

type WorldPool = Pool<World<'static>>;

fn section(pool: &WorldPool, edit: impl for<'f> Fn(&Fase<'f>, &mut World<'f>)) {
    persist_fase!(pool, |tx, world| {
        edit(tx, world);
        Ok(())
    })
    .unwrap();
}

/// How many bytes two slices have in common from their beginnings on.
fn common_start<'a>(
    left: impl IntoIterator<Item = &'a u8>,
    right: impl IntoIterator<Item = &'a u8>,
) -> usize {
    left.into_iter().zip(right).take_while(|(left, right)| left == right).count()
}

/// The splices turn the old bytes into the new ones, are in order, apart, and none replaces a byte at an end by the same one.
/// They lie where comparing from both ends says that something is different, and are that if there is only one.
fn assert_diff(old: &[u8], new: &[u8], splices: &[Splice], is_cut: impl Fn(usize, usize) -> bool) {
    let (mut old_at, mut new_at, mut rebuilt) = (0, 0, Vec::new());
    for (index, splice) in splices.iter().enumerate() {
        let (from, to) = (&old[splice.old.clone()], &new[splice.new.clone()]);
        assert!(!from.is_empty() || !to.is_empty());
        assert!(index == 0 || (splice.old.start > old_at && splice.new.start > new_at), "{splices:?}");
        assert!(is_cut(splice.old.start, splice.new.start) && is_cut(splice.old.end, splice.new.end));
        let start = common_start(from, to);
        assert!((1..=start).all(|at| !is_cut(splice.old.start + at, splice.new.start + at)), "{splice:?}");
        let end = common_start(from.iter().rev(), to.iter().rev());
        assert!((1..=end).all(|at| !is_cut(splice.old.end - at, splice.new.end - at)), "{splice:?}");
        rebuilt.extend_from_slice(&old[old_at..splice.old.start]);
        rebuilt.extend_from_slice(to);
        (old_at, new_at) = (splice.old.end, splice.new.end);
        assert_eq!(rebuilt.len(), new_at);
    }
    rebuilt.extend_from_slice(&old[old_at..]);
    assert!(rebuilt == new, "{splices:?}");
    assert_eq!(splices.is_empty(), old == new);
}

fn some_text(random: &mut Random, len: u64) -> String {
    const SOME: [char; 8] = ['a', 'b', ' ', 'é', 'è', '€', '字', '😀'];
    let len = random.below(len + 1);
    (0..len).map(|_| SOME[random.below(8) as usize]).collect()
}

fn boundary(text: &Text<'_>, random: &mut Random) -> usize {
    let at = random.below(text.len() as u64 + 1) as usize;
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// One edit at random, of few bytes or many, which may move parts or make the text share with itself.
fn edit_text<'f>(tx: &Fase<'f>, text: &mut Text<'f>, random: &mut Random) {
    let (from, to) = (boundary(text, random), boundary(text, random));
    let near = (from..(from + 40).min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    match random.below(16) {
        0 => {
            let tail = text.split_off(tx, from);
            let head = std::mem::take(text);
            text.append(tx, tail);
            text.append(tx, head);
        }
        1 if text.len() < 30_000 => {
            let again = text.share(tx);
            text.append(tx, again);
        }
        2 => text.remove_range(tx, from.min(to)..from.max(to)),
        3 => text.insert_str(tx, from, &some_text(random, 4000)),
        4 => *text = Text::of(tx, &text.to_string()),
        5 => *text = text.slice(tx, from.min(to)..from.max(to)),
        6..11 => text.insert_str(tx, from, &some_text(random, 5)),
        _ => text.replace_range(tx, from..near.unwrap_or(from), &some_text(random, 5)),
    }
}

/// If this failed, the changes reported between two versions would not lead from one to the other, or contain what is the same.
#[test]
fn a_diff_of_texts_leads_from_one_version_to_the_other() {
    for seed in 1..=3 {
        let pool = WorldPool::options().volatile().unwrap();
        for round in 0..700 {
            persist_fase!(pool, |tx, world| {
                let mut random = Random::new(1000 * seed + round);
                if world.text.len() < 200 || round % 100 == 0 {
                    world.text.push_str(tx, &some_text(&mut random, 12_000));
                }
                let before = world.text.share(tx);
                (0..random.below(5)).for_each(|_| edit_text(tx, &mut world.text, &mut random));
                for (old, new) in [(&before, &world.text), (&world.text, &before)] {
                    let splices: Vec<Splice> = old.diff(new).collect();
                    let (left, right) = (old.to_string(), new.to_string());
                    let is_cut = |old, new| left.is_char_boundary(old) && right.is_char_boundary(new);
                    assert_diff(left.as_bytes(), right.as_bytes(), &splices, is_cut);
                }
                Ok(())
            })
            .unwrap();
        }
    }
}

/// If this failed, several small edits far from each other would be reported as one that covers everything between.
#[test]
fn scattered_edits_are_reported_one_by_one() {
    const EDITS: usize = 20;
    const LEN: usize = 1 << 20;
    let pool = WorldPool::options().volatile().unwrap();
    persist_fase!(pool, |tx, world| {
        let mut random = Random::new(5);
        world.bytes.extend(tx, (0..LEN).map(|_| random.next() as u8));
        let before = world.bytes.share(tx);
        let mut places: Vec<usize> = Vec::new();
        // From behind, so that the places of those still to be made stay.
        for edit in (0..EDITS).rev() {
            let at = edit * (LEN / EDITS) + random.below(10_000) as usize;
            places.insert(0, at);
            match edit % 3 {
                0 => world.bytes.insert_slice(tx, at, b"inserted"),
                1 => world.bytes.remove_range(tx, at..at + 8),
                _ => world.bytes.replace_range(tx, at..at + 8, b"replaced"),
            }
        }
        let splices: Vec<Splice> = before.diff(&world.bytes).collect();
        let (old, new) = (before.to_vec(), world.bytes.to_vec());
        assert_diff(&old, &new, &splices, |_, _| true);
        assert_eq!(splices.len(), EDITS);
        for (splice, at) in splices.iter().zip(places) {
            // A byte at an edit's end may be the same as before by chance.
            assert!(splice.old.start.abs_diff(at) <= 8, "{splice:?} at {at}");
            assert!(splice.old.len() <= 8 && splice.new.len() <= 8, "{splice:?}");
        }
        Ok(())
    })
    .unwrap();
}

/// If this failed, versions without a common node, or of other heights, would be compared otherwise than as slices from both ends.
#[test]
fn versions_that_share_nothing_differ_in_one_range() {
    for round in 0..300_u64 {
        let len = [10, 40, 600, 9000][(round % 4) as usize];
        let pool = WorldPool::options().volatile().unwrap();
        persist_fase!(pool, |tx, world| {
            let mut random = Random::new(round);
            let old: Vec<u8> = (0..random.below(len)).map(|_| random.below(3) as u8).collect();
            let from = random.below(old.len() as u64 + 1) as usize;
            let to = from + random.below((old.len() - from) as u64 + 1) as usize;
            let put: Vec<u8> = (0..random.below(50)).map(|_| random.below(3) as u8).collect();
            let new = [&old[..from], &put, &old[to..]].concat();
            world.bytes = Bytes::of(tx, &old);
            let splices: Vec<Splice> = world.bytes.diff(&Bytes::of(tx, &new)).collect();
            let start = common_start(&old, &new);
            let end = common_start(old[start..].iter().rev(), new[start..].iter().rev());
            let expected = Splice { old: start..old.len() - end, new: start..new.len() - end };
            let is_same = expected.old.is_empty() && expected.new.is_empty();
            assert_eq!(splices, if is_same { vec![] } else { vec![expected] });
            Ok(())
        })
        .unwrap();
    }
}

/// If this failed, a change in a text that is appended to itself again and again would be lost among equal parts, or take for ever.
#[test]
fn one_change_in_half_a_petabyte() {
    section(&WorldPool::options().volatile().unwrap(), |tx, world| {
        world.text.push_str(tx, &"0123456789".repeat(50));
        for _ in 0..40 {
            let again = world.text.share(tx);
            world.text.append(tx, again);
        }
        let before = world.text.share(tx);
        let middle = (500_usize << 39) + 3;
        world.text.replace_range(tx, middle..=middle, "xy");
        let changes: Vec<Splice> = before.diff(&world.text).collect();
        assert_eq!(changes, [Splice { old: middle..middle + 1, new: middle..middle + 2 }]);
    });
}

/// If this failed, a version made by `update` would change the one that it was made from.
#[test]
fn an_update_leaves_the_older_version() {
    section(&WorldPool::options().volatile().unwrap(), |tx, world| {
        let plain = "0123456789".repeat(1000);
        world.text.push_str(tx, &plain);
        world.bytes.extend_from_slice(tx, plain.as_bytes());
        let text = world.text.update(tx, 5000..5001, "é");
        let bytes = world.bytes.update(tx, 5000..5001, &[7, 8]);
        assert!(world.text == plain && world.bytes == *plain.as_bytes());
        assert!(text == plain[..5000].to_owned() + "é" + &plain[5001..]);
        assert_eq!((bytes.len(), &bytes[5000], &bytes[5001], &bytes[5002]), (10_001, &7, &8, &b'1'));
        assert_eq!((text.check(), bytes.check()), (Ok(()), Ok(())));
    });
}

/// If this failed, bytes lent for writing would be lent twice or not at all, or an older version would be changed by them.
#[test]
fn all_bytes_are_lent_once_for_writing() {
    for len in [0, 1, 22, 23, 488, 489, 5000, 300_000] {
        section(&WorldPool::options().volatile().unwrap(), |tx, world| {
            world.bytes.extend(tx, (0..len).map(|index| (index % 251) as u8));
            let before = world.bytes.share(tx);
            let mut lent = world.bytes.iter_mut(tx);
            assert_eq!(lent.len(), len);
            (0..len).for_each(|index| {
                let byte = lent.next().unwrap();
                assert_eq!((*byte, lent.len()), ((index % 251) as u8, len - index - 1));
                *byte += 1;
            });
            assert!(lent.next().is_none() && lent.next().is_none());
            assert!(world.bytes.chunks().eq(world.bytes.share(tx).chunks_mut(tx)));
            world.bytes.chunks_mut(tx).flatten().for_each(|byte| *byte += 1);
            assert!(before.iter().zip(&world.bytes).all(|(old, new)| *old + 2 == *new));
            assert!(before.iter().copied().eq((0..len).map(|index| (index % 251) as u8)));
            world.bytes.check().unwrap();
        });
    }
}

/// If this failed, writing a byte that is reached early would copy the whole byte string.
#[test]
fn nothing_is_copied_before_it_is_reached() {
    let pool = WorldPool::options().volatile().unwrap();
    section(&pool, |tx, world| world.bytes.resize(tx, 1 << 20, 7));
    let before = pool.counters();
    section(&pool, |tx, world| *world.bytes.iter_mut(tx).next().unwrap() = 8);
    let lines = pool.counters().lines_written_back - before.lines_written_back;
    println!("{lines} lines");
    assert!(lines < 40, "{lines}");
}

/// If this failed, the pops and pushes reported would not lead from one stack to the other, or be more than are needed.
#[test]
fn a_diff_of_stacks_leads_from_one_version_to_the_other() {
    for seed in 1..=4 {
        let pool = WorldPool::options().volatile().unwrap();
        for round in 0..2000 {
            persist_fase!(pool, |tx, world| {
                let mut random = Random::new(10_000 * seed + round);
                let stack = &mut world.stack;
                let before = stack.share(tx);
                for _ in 0..random.below(5) {
                    match random.below(12) {
                        0 => stack.iter_mut(tx).take(random.below(40) as usize).for_each(|value| *value += 1),
                        1 => stack.extend(tx, 0..random.below(60)),
                        2 => (0..random.below(60)).for_each(|_| _ = stack.pop(tx)),
                        3 if random.one_in(9) => *stack = Stack::from_iter(tx, before.iter().copied()),
                        4 if random.one_in(9) => stack.clear(tx),
                        5..9 => stack.push(tx, random.below(3)),
                        _ => _ = stack.pop(tx),
                    }
                }
                let plain = |stack: &Stack<'_, u64>| {
                    let mut values: Vec<u64> = stack.iter().copied().collect();
                    values.reverse();
                    values
                };
                let (old, new) = (plain(&before), plain(stack));
                let rest = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
                let diff = before.diff(stack);
                assert_eq!((diff.popped.len(), diff.pushed.len()), (old.len() - rest, new.len() - rest));
                assert!(diff.popped.eq(old[rest..].iter().rev()));
                assert!(diff.pushed.eq(new[rest..].iter().rev()));
                Ok(())
            })
            .unwrap();
        }
    }
}

/// An element that must not be compared once it is in a shared node.
#[derive(Persistent, Debug, Clone, Copy)]
#[repr(transparent)]
struct Counted(u64);

thread_local! {
    static COMPARED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        COMPARED.set(COMPARED.get() + 1);
        self.0 == other.0
    }
}

/// If this failed, the difference of two long stacks would take time in proportion to what they share.
#[test]
fn what_two_stacks_share_is_not_compared() {
    let pool = Pool::<Stack<'static, Counted>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, stack| {
        stack.extend(tx, (0..100_000).map(Counted));
        let before = stack.share(tx);
        (0..30).for_each(|_| _ = stack.pop(tx));
        stack.extend(tx, (0..50).map(|_| Counted(7)));
        COMPARED.set(0);
        let diff = before.diff(stack);
        assert_eq!((diff.popped.len(), diff.pushed.len()), (30, 50));
        assert!(COMPARED.get() < 20, "{} comparisons", COMPARED.get());
        Ok(())
    })
    .unwrap();
}
