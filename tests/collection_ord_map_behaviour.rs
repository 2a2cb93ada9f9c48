//! `OrdMap`: the standard library's behaviours by category, differences between versions, costs, crashes, and hostile keys.

mod support;

#[path = "collection_ordered/judge.rs"]
mod judge;

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};

use judge::{crash_everywhere, ignore, section, settle};
use pmem_runtime::collections::OrdMap;
use pmem_runtime::collections::ord_map::{Change, Entry};
use pmem_runtime::{FaseError, Persistent, Pool, persist_fase};
use support::Random;

type Map<'p> = OrdMap<'p, u64, u64>;

#[derive(Persistent, Default)]
#[repr(C)]
struct Versions<'p> {
    old: Map<'p>,
    new: Map<'p>,
}

fn volatile<R: Persistent>() -> Pool<R>
where
    for<'f> R::At<'f>: Default,
{
    Pool::options().volatile().unwrap()
}

/// Every third number below `end`, doubled.
fn thirds(end: u64) -> BTreeMap<u64, u64> {
    (0..end).step_by(3).map(|key| (key, key * 2)).collect()
}

fn bounds(key: &u64) -> [Bound<&u64>; 3] {
    [Bound::Included(key), Bound::Excluded(key), Bound::Unbounded]
}

/// If this failed, a range would begin or end at another entry than the standard library's, or panic where that does not.
#[test]
fn ranges_of_all_bounds_are_those_of_the_standard_library() {
    let pool = volatile::<Map>();
    for end in [0, 1, 10, 150] {
        let twin = thirds(end);
        section(&pool, |tx, map: &mut Map<'_>| {
            *map = OrdMap::from_iter(tx, twin.iter().map(|(key, value)| (*key, *value)));
        });
        let map = pool.snapshot();
        for low in 0..end.min(40) + 3 {
            for high in 0..end + 3 {
                for range in bounds(&low).into_iter().flat_map(|low| bounds(&high).map(|high| (low, high))) {
                    if low >= high && end > 10 {
                        // Panics are slow, and have been compared.
                        continue;
                    }
                    let ours = catch_unwind(AssertUnwindSafe(|| map.range::<u64, _>(range)));
                    let theirs = catch_unwind(AssertUnwindSafe(|| twin.range::<u64, _>(range)));
                    assert_eq!(ours.is_ok(), theirs.is_ok(), "{range:?} of {end}");
                    if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
                        assert!(ours.clone().eq(theirs.clone()), "{range:?} of {end}");
                        assert!(ours.clone().rev().eq(theirs.clone().rev()), "{range:?} of {end}");
                        meet(ours, theirs);
                    }
                }
            }
        }
    }
}

/// Takes from both ends in turn until nothing is left.
fn meet<I, J>(mut ours: I, mut theirs: J)
where
    I: DoubleEndedIterator,
    J: DoubleEndedIterator<Item = I::Item>,
    I::Item: PartialEq + std::fmt::Debug,
{
    loop {
        assert_eq!(ours.next(), theirs.next());
        let last = ours.next_back();
        assert_eq!(last, theirs.next_back());
        if last.is_none() {
            assert!(ours.next().is_none() && ours.next_back().is_none(), "fused");
            return;
        }
    }
}

/// If this failed, iterators would meet in the middle and go on, or tell a wrong length.
#[test]
fn iterators_meet_in_the_middle() {
    let pool = volatile::<Map>();
    for end in [0, 1, 2, 20, 500] {
        let twin = thirds(end);
        section(&pool, |tx, map: &mut Map<'_>| {
            map.clear(tx);
            twin.iter().for_each(|(key, value)| assert_eq!(map.insert(tx, *key, *value), None));
        });
        let map = pool.snapshot();
        meet(map.iter(), twin.iter());
        meet(map.keys(), twin.keys());
        meet(map.values(), twin.values());
        assert_eq!((map.iter().len(), map.iter().last()), (twin.len(), twin.iter().last()));
        assert_eq!(
            (map.first_key_value(), map.last_key_value()),
            (twin.first_key_value(), twin.last_key_value())
        );
    }
}

/// If this failed, a neighbour of a key, or a cursor, would be off by one entry.
#[test]
fn neighbours_and_cursors() {
    let pool = volatile::<Map>();
    let twin = thirds(200);
    section(&pool, |tx, map: &mut Map<'_>| map.extend(tx, twin.clone()));
    let map = pool.snapshot();
    for key in 0..205 {
        assert_eq!(map.get_lt(&key), twin.range(..key).next_back());
        assert_eq!(map.get_le(&key), twin.range(..=key).next_back());
        assert_eq!(map.get_ge(&key), twin.range(key..).next());
        assert_eq!(map.get_gt(&key), twin.range((Bound::Excluded(key), Bound::Unbounded)).next());
        let mut cursor = map.lower_bound(Bound::Included(&key));
        assert_eq!((cursor.peek_prev(), cursor.peek_next()), (map.get_lt(&key), map.get_ge(&key)));
        assert!(std::iter::from_fn(|| cursor.next()).eq(twin.range(key..)));
        assert!(std::iter::from_fn(|| cursor.prev()).eq(twin.iter().rev()), "from the end back to the start");
        assert_eq!(cursor.key_value(), twin.first_key_value());
        let cursor = map.upper_bound(Bound::Included(&key));
        assert_eq!((cursor.peek_prev(), cursor.peek_next()), (map.get_le(&key), map.get_gt(&key)));
        let cursor = map.upper_bound(Bound::Excluded(&key));
        assert_eq!((cursor.peek_prev(), cursor.peek_next()), (map.get_lt(&key), map.get_ge(&key)));
    }
}

/// If this failed, a vacant entry would lend the value of another key after the nodes on its way were split.
#[test]
fn an_entry_lends_the_value_it_inserted() {
    let pool = volatile::<Map>();
    let mut random = Random::for_test("entries", 1);
    for order in 0..3 {
        let key = |step: u64, random: &mut Random| [step, 10_000 - step, random.below(10_000)][order];
        let keys: Vec<u64> = (0..3000).map(|step| key(step, &mut random)).collect();
        section(&pool, |tx, map: &mut Map<'_>| {
            map.clear(tx);
            for key in &keys {
                match map.entry(tx, *key) {
                    Entry::Vacant(entry) => {
                        let entry = entry.insert_entry(0);
                        assert_eq!((entry.key(), entry.get()), (key, &0));
                        *entry.into_mut() = key + 1;
                    }
                    Entry::Occupied(entry) => assert_eq!((entry.key(), *entry.get()), (key, key + 1)),
                }
            }
            map.check().unwrap();
            assert!(map.iter().all(|(key, value)| *value == key + 1));
            assert_eq!(map.first_entry(tx).unwrap().remove_entry().0, *keys.iter().min().unwrap());
            assert_eq!(map.last_entry(tx).unwrap().remove_entry().0, *keys.iter().max().unwrap());
        });
    }
}

/// If this failed, maps that are equal would differ, or hash differently, because their trees have other shapes.
#[test]
fn comparisons_do_not_see_the_shape() {
    let pool = volatile::<Versions>();
    let twin = thirds(900);
    section(&pool, |tx, maps: &mut Versions<'_>| {
        maps.old = OrdMap::from_iter(tx, twin.clone());
        twin.iter().rev().for_each(|(key, value)| assert_eq!(maps.new.insert(tx, *key, *value), None));
    });
    let maps = pool.snapshot();
    let hash = |map: &Map<'_>, state: &RandomState| state.hash_one(map);
    let state = RandomState::new();
    assert!(maps.old == maps.new && hash(&maps.old, &state) == hash(&maps.new, &state));
    assert_eq!(format!("{:?}", maps.old), format!("{twin:?}"));
    section(&pool, |tx, maps: &mut Versions<'_>| *maps.new.get_mut(tx, &300).unwrap() += 1);
    let maps = pool.snapshot();
    assert!(maps.old != maps.new && maps.old < maps.new);
    assert!(catch_unwind(AssertUnwindSafe(|| maps.old[&1])).is_err(), "indexing without the key panics");
}

/// If this failed, a map to floats could not be compared, or a NaN would be equal to itself because it is shared.
#[test]
fn values_need_not_be_equal_to_themselves() {
    let pool = volatile::<OrdMap<u64, f64>>();
    section(&pool, |tx, map: &mut OrdMap<'_, u64, f64>| {
        map.extend(tx, (0..1000).map(|key| (key, key as f64)));
        let kept = map.share(tx);
        assert!(*map == kept && kept <= *map);
        map.insert(tx, 500, 0.5);
        assert!(*map != kept && *map < kept);
        map.insert(tx, 500, f64::NAN);
        assert!(*map != map.share(tx) && OrdMap::partial_cmp(map, &kept).is_none());
        map.insert(tx, 500, 500.0);
        assert!(*map == kept, "equal, although nodes differ");
    });
}

thread_local! {
    static COMPARISONS: Cell<u64> = const { Cell::new(0) };
    /// After so many comparisons one panics, or all are arbitrary.
    static PATIENCE: Cell<u64> = const { Cell::new(u64::MAX) };
    static LIES: Cell<bool> = const { Cell::new(false) };
}

/// A key that counts its comparisons, and on request lies or panics.
#[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
struct Odd(u64);

impl PartialOrd for Odd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Odd {
    fn cmp(&self, other: &Self) -> Ordering {
        let count = COMPARISONS.get() + 1;
        COMPARISONS.set(count);
        assert!(count <= PATIENCE.get(), "a comparison that panics");
        if LIES.get() {
            [Ordering::Less, Ordering::Equal, Ordering::Greater][(support::mix(count) % 3) as usize]
        } else {
            self.0.cmp(&other.0)
        }
    }
}

#[derive(Persistent, Default)]
#[repr(C)]
struct OddWorld<'p> {
    old: OrdMap<'p, Odd, u64>,
    new: OrdMap<'p, Odd, u64>,
}

type Side<'a> = Option<(&'a Odd, &'a u64)>;

fn naive<'a>(old: &'a OrdMap<'_, Odd, u64>, new: &'a OrdMap<'_, Odd, u64>) -> Vec<Change<'a, Odd, u64>> {
    let mut both: BTreeMap<u64, (Option<_>, Option<_>)> = BTreeMap::new();
    old.iter().for_each(|entry| both.entry(entry.0.0).or_default().0 = Some(entry));
    new.iter().for_each(|entry| both.entry(entry.0.0).or_default().1 = Some(entry));
    let change = |pair: (Side<'a>, Side<'a>)| match pair {
        (Some((key, value)), None) => Some(Change::Removed(key, value)),
        (None, Some((key, value))) => Some(Change::Added(key, value)),
        (Some((_, old)), Some((key, new))) if old != new => Some(Change::Changed { key, old, new }),
        _ => None,
    };
    both.into_values().filter_map(change).collect()
}

/// If this failed, a difference would be missed next to a shared subtree, or found where there is none.
#[test]
fn differences_are_those_of_a_naive_comparison() {
    let pool = volatile::<OddWorld>();
    let mut random = Random::for_test("differences", 2);
    for round in 0..300 {
        let (base, changes) = (random.below(2000), random.below([4, 40, 1000][round % 3]));
        let script: Vec<(u64, u64)> =
            (0..changes).map(|_| (random.below(base + 20), random.below(12))).collect();
        let split = random.below(base + 1);
        section(&pool, |tx, world: &mut OddWorld<'_>| {
            world.old = OrdMap::from_iter(tx, (0..base).map(|key| (Odd(key * 2), key)));
            world.new = world.old.share(tx);
            for (key, kind) in &script {
                match kind {
                    0..4 => ignore(world.new.insert(tx, Odd(key * 2 + 1), *key)),
                    4..8 => ignore(world.new.remove(tx, &Odd(key * 2))),
                    // The same value again: a new node, and no difference.
                    8 => ignore(world.new.insert(tx, Odd(key * 2), *key)),
                    _ => ignore(world.new.insert(tx, Odd(key * 2), key + 1)),
                }
            }
            if round % 4 == 0 {
                // Other shapes: one loses its front, and gets it again, entry by entry.
                let upper = world.new.split_off(tx, &Odd(split));
                let lower = std::mem::replace(&mut world.new, upper);
                lower.iter().take(50).for_each(|(key, value)| ignore(world.new.insert(tx, *key, *value)));
            }
            if round % 4 == 1 {
                // Another height.
                ignore(world.new.split_off(tx, &Odd(split)));
            }
        });
        let world = pool.snapshot();
        assert!(world.old.diff(&world.new).eq(naive(&world.old, &world.new)));
        assert!(world.new.diff(&world.old).eq(naive(&world.new, &world.old)));
        assert_eq!(world.old == world.new, naive(&world.old, &world.new).is_empty());
    }
}

/// If this failed, comparing two versions would look at what they share.
#[test]
fn a_difference_takes_as_long_as_the_change() {
    let pool = volatile::<OddWorld>();
    section(&pool, |tx, world: &mut OddWorld<'_>| {
        world.old = OrdMap::from_iter(tx, (0..200_000).map(|key| (Odd(key * 4), key)));
        world.new = world.old.share(tx);
    });
    for step in 0..40 {
        section(&pool, |tx, world: &mut OddWorld<'_>| {
            world.old = world.new.share(tx);
            let (key, value) = (step * 79_999 % 800_000, step);
            match step % 4 {
                0 => ignore(world.new.insert(tx, Odd(key | 1), value)),
                1 => ignore(world.new.pop_first(tx)),
                2 => {
                    let upper = world.new.split_off(tx, &Odd(key));
                    let lower = std::mem::replace(&mut world.new, upper);
                    world.new = lower.union(tx, std::mem::take(&mut world.new));
                    ignore(world.new.remove(tx, &Odd(key / 4 * 4)));
                }
                _ => ignore(world.new.insert(tx, Odd(key / 4 * 4), value)),
            }
        });
        let world = pool.snapshot();
        COMPARISONS.set(0);
        let changes = world.old.diff(&world.new).count();
        assert!(changes <= 1);
        assert!(COMPARISONS.get() < 600, "step {step}: {} comparisons for one change", COMPARISONS.get());
        COMPARISONS.set(0);
        assert_eq!(world.old.same(&world.new), changes == 0);
        assert!(COMPARISONS.get() < 600);
        assert_eq!(world.old == world.new, changes == 0);
    }
}

/// If this failed, an order that is none would break more than the map's own order.
#[test]
fn keys_that_lie_cost_nothing_but_their_order() {
    let pool = volatile::<OddWorld>();
    let mut random = Random::for_test("lies", 4);
    for _ in 0..200 {
        let script: Vec<(u64, u64)> = (0..100).map(|_| (random.below(20), random.below(300))).collect();
        LIES.set(true);
        section(&pool, |tx, world: &mut OddWorld<'_>| {
            for (kind, key) in &script {
                let map = &mut world.new;
                match kind {
                    0..10 => ignore(map.insert(tx, Odd(*key), 1)),
                    10..14 => ignore(map.remove(tx, &Odd(*key))),
                    14 => {
                        let mut upper = map.split_off(tx, &Odd(*key));
                        map.append(tx, &mut upper);
                    }
                    15 => {
                        // Into an empty map it would be sorted, and the standard library's sort panics on such an order.
                        map.insert(tx, Odd(*key), 2);
                        map.extend(tx, (0..50).map(|key| (Odd(key), 2)));
                    }
                    16 => ignore(map.get_mut(tx, &Odd(*key)).map(|value| *value += 1)),
                    17 => world.old = std::mem::take(map).union(tx, world.old.share(tx)),
                    18 => *map = world.old.share(tx).difference(tx, map).intersection(tx, &world.old),
                    _ => {
                        let range = (Bound::Included(Odd(*key)), Bound::Unbounded);
                        map.range_mut(tx, range).take(50).for_each(|(_, value)| *value += 1);
                    }
                }
                assert_eq!(map.iter().count(), map.len(), "no entry is lost or made up");
            }
            if world.new.len() > 3000 {
                world.new.clear(tx);
                world.old.clear(tx);
            }
        });
        let world = pool.snapshot();
        assert!(world.old.diff(&world.new).count() <= world.old.len() + world.new.len());
        LIES.set(false);
        assert_eq!(pool.check().unwrap().unallocated_lines, 0);
    }
    settle(&pool);
}

/// If this failed, a comparison that panics would leave a map between two states, in the section that catches it, or a trace
/// in the pool.
#[test]
fn keys_that_panic_undo_the_section_or_leave_a_whole_map() {
    let pool = volatile::<OddWorld>();
    section(&pool, |tx, world: &mut OddWorld<'_>| {
        world.new.extend(tx, (0..500).map(|key| (Odd(key * 2), key)))
    });
    let before = pool.snapshot().new.len();
    for patience in 1..60 {
        COMPARISONS.set(0);
        PATIENCE.set(patience);
        let undone = catch_unwind(AssertUnwindSafe(|| {
            section(&pool, |tx, world: &mut OddWorld<'_>| {
                (0..20).for_each(|key| ignore(world.new.insert(tx, Odd(key * 37 % 1000), 0)));
                ignore(world.new.split_off(tx, &Odd(333)));
                world.new.append(tx, &mut world.new.share(tx));
            });
        }));
        assert!(undone.is_err());
        PATIENCE.set(u64::MAX);
        assert_eq!(pool.snapshot().new.len(), before);
        COMPARISONS.set(0);
        PATIENCE.set(patience);
        let caught: Result<usize, FaseError> = persist_fase!(pool, |tx, world| {
            let inserted = (0..20).take_while(|key| {
                let insert = AssertUnwindSafe(|| ignore(world.old.insert(tx, Odd(key * 37 % 1000), 0)));
                catch_unwind(insert).is_ok()
            });
            let inserted = inserted.count();
            PATIENCE.set(u64::MAX);
            world.old.check().unwrap();
            assert!((0..inserted as u64).all(|key| world.old.contains_key(&Odd(key * 37 % 1000))));
            Ok(inserted)
        });
        assert!(caught.is_ok());
        pool.snapshot().old.check().unwrap();
    }
    settle(&pool);
}

/// If this failed, a crash would leave a part of a section on a map.
#[test]
fn a_crash_leaves_a_committed_map() {
    let mut random = Random::new(8);
    let steps: Vec<(u64, u64)> = (0..36).map(|_| (random.below(9), random.below(200))).collect();
    crash_everywhere::<Versions, _, _>(
        9,
        &steps,
        |tx, maps, (kind, key)| match kind {
            0..3 => maps.new.extend(tx, (0..20).map(|step| (key + step * 7, *key))),
            3 => ignore(maps.new.insert(tx, *key, 1)),
            4 => (0..10).for_each(|step| ignore(maps.new.remove(tx, &(key + step)))),
            5 => maps.old = maps.new.share(tx),
            6 => maps.new.retain(tx, |key, _| key % 3 != 0),
            7 => maps.old = maps.new.split_off(tx, key),
            _ => maps.new.append(tx, &mut maps.old),
        },
        |pool| {
            let maps = pool.snapshot();
            maps.old.check().unwrap();
            maps.new.check().unwrap();
            let all = |map: &Map<'_>| map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>();
            (all(&maps.old), all(&maps.new))
        },
    );
}
