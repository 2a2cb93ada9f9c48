//! `OrdSet` against the standard library's `BTreeSet`, across aborted sections, shares, reopening and crashes.

mod support;

#[path = "collection_ordered/judge.rs"]
mod judge;

use std::collections::BTreeSet;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};

use judge::{crash_everywhere, ignore, run_beside_model, section};
use pmem_runtime::collections::OrdSet;
use pmem_runtime::collections::ord_set::Change;
use pmem_runtime::{Fase, Persistent, Pool};
use support::Random;

#[derive(Persistent, Default)]
#[repr(C)]
struct World<'p> {
    set: OrdSet<'p, u32>,
    kept: [OrdSet<'p, u32>; 2],
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Model {
    set: BTreeSet<u32>,
    kept: [BTreeSet<u32>; 2],
}

const ELEMENTS: u64 = 900;

#[derive(Clone, Copy, Debug)]
enum Op {
    Insert(u32),
    Remove(u32),
    Take(u32),
    Replace(u32),
    PopFirst,
    PopLast,
    Extend(u32, u32),
    Rebuild(u32, u32),
    Split(u32, bool),
    Retain(u32),
    Keep(usize),
    Restore(usize),
    Append(usize),
    Union(usize),
    Intersect(usize),
    Subtract(usize),
    Toggle(usize),
    Clear,
}

impl Op {
    fn random(random: &mut Random) -> Self {
        let element = random.below(ELEMENTS) as u32;
        let other = random.below(ELEMENTS) as u32;
        let place = random.below(2) as usize;
        match random.below(100) {
            0..35 => Op::Insert(element),
            35..55 => Op::Remove(element),
            55..58 => Op::Take(element),
            58..60 => Op::Replace(element),
            60 => Op::PopFirst,
            61 => Op::PopLast,
            62..67 => Op::Extend(element, other % 80),
            67 => Op::Rebuild(element, other),
            68..72 => Op::Split(element, other.is_multiple_of(2)),
            72..74 => Op::Retain(2 + other % 20),
            74..80 => Op::Keep(place),
            80..83 => Op::Restore(place),
            83..86 => Op::Append(place),
            86..89 => Op::Union(place),
            89..92 => Op::Intersect(place),
            92..95 => Op::Subtract(place),
            95..99 => Op::Toggle(place),
            _ => Op::Clear,
        }
    }

    fn apply<'p>(&self, tx: &Fase<'p>, world: &mut World<'p>, model: &mut Model) {
        let (set, twin) = (&mut world.set, &mut model.set);
        match *self {
            Op::Insert(element) => assert_eq!(set.insert(tx, element), twin.insert(element)),
            Op::Remove(element) => assert_eq!(set.remove(tx, &element), twin.remove(&element)),
            Op::Take(element) => assert_eq!(set.take(tx, &element), twin.take(&element)),
            Op::Replace(element) => assert_eq!(set.replace(tx, element), twin.replace(element)),
            Op::PopFirst => assert_eq!(set.pop_first(tx), twin.pop_first()),
            Op::PopLast => assert_eq!(set.pop_last(tx), twin.pop_last()),
            Op::Extend(first, count) => {
                set.extend(tx, first..first + count);
                twin.extend(first..first + count);
            }
            Op::Rebuild(step, count) => {
                let elements = || (0..count).map(|index| index * (step + 1) % 1009);
                *set = OrdSet::from_iter(tx, elements());
                *twin = elements().collect();
            }
            Op::Split(at, is_kept) => {
                let (mut upper, mut twins) = (set.split_off(tx, &at), twin.split_off(&at));
                assert!(upper.iter().eq(&twins));
                if is_kept {
                    set.append(tx, &mut upper);
                    twin.append(&mut twins);
                }
            }
            Op::Retain(modulus) => {
                set.retain(tx, |element| element % modulus != 0);
                twin.retain(|element| element % modulus != 0);
            }
            Op::Keep(place) => {
                world.kept[place] = set.share(tx);
                model.kept[place] = twin.clone();
            }
            Op::Restore(place) => {
                *set = world.kept[place].share(tx);
                *twin = model.kept[place].clone();
            }
            Op::Append(place) => {
                set.append(tx, &mut world.kept[place].share(tx));
                twin.append(&mut model.kept[place].clone());
            }
            Op::Union(place) => {
                *set = std::mem::take(set).union(tx, world.kept[place].share(tx));
                *twin = &*twin | &model.kept[place];
            }
            Op::Intersect(place) => {
                *set = std::mem::take(set).intersection(tx, &world.kept[place]);
                *twin = &*twin & &model.kept[place];
            }
            Op::Subtract(place) => {
                *set = std::mem::take(set).difference(tx, &world.kept[place]);
                *twin = &*twin - &model.kept[place];
            }
            Op::Toggle(place) => {
                *set = std::mem::take(set).symmetric_difference(tx, world.kept[place].share(tx));
                *twin = &*twin ^ &model.kept[place];
            }
            Op::Clear => {
                set.clear(tx);
                twin.clear();
            }
        }
        set.check().unwrap();
        assert_eq!((set.len(), set.first(), set.last()), (twin.len(), twin.first(), twin.last()));
    }
}

fn assert_same(world: &World<'_>, model: &Model) {
    assert!(world.set.iter().eq(&model.set));
    for (kept, twin) in world.kept.iter().zip(&model.kept) {
        kept.check().unwrap();
        assert!(kept.iter().rev().eq(twin.iter().rev()));
        assert_eq!(world.set.is_subset(kept), model.set.is_subset(twin));
        assert_eq!(world.set.is_superset(kept), model.set.is_superset(twin));
        assert_eq!(world.set.is_disjoint(kept), model.set.is_disjoint(twin));
        assert_eq!((world.set == *kept, world.set.cmp(kept)), (model.set == *twin, model.set.cmp(twin)));
        let (set, model) = (&world.set, &model.set);
        assert!(set.iter_union(kept).eq(model.union(twin)));
        assert!(set.iter_intersection(kept).eq(model.intersection(twin)));
        assert!(set.iter_difference(kept).eq(model.difference(twin)));
        assert!(set.iter_symmetric_difference(kept).eq(model.symmetric_difference(twin)));
        let hints = [
            (set.iter_union(kept).size_hint(), model.union(twin).count()),
            (set.iter_intersection(kept).size_hint(), model.intersection(twin).count()),
            (set.iter_difference(kept).size_hint(), model.difference(twin).count()),
            (set.iter_symmetric_difference(kept).size_hint(), model.symmetric_difference(twin).count()),
        ];
        assert!(hints.iter().all(|((least, most), count)| least <= count && most.unwrap() >= *count));
        let mut oracle: Vec<_> = twin.difference(model).map(Change::Added).collect();
        oracle.extend(model.difference(twin).map(Change::Removed));
        oracle.sort_by_key(|change| match change {
            Change::Added(element) | Change::Removed(element) => **element,
        });
        assert!(set.diff(kept).eq(oracle));
    }
}

/// If this failed, some sequence of operations would leave a set that is not the ordered set of the same operations.
#[test]
fn a_set_is_its_model_through_all_operations() {
    for seed in 0..4 {
        run_beside_model::<World, Model, _>("ord_set", seed, Op::random, Op::apply, assert_same);
    }
}

/// If this failed, a crash would leave a part of a section on a set.
#[test]
fn a_crash_leaves_a_committed_set() {
    let mut random = Random::new(4);
    let steps: Vec<Op> = (0..40).map(|_| Op::random(&mut random)).collect();
    let all = |set: &OrdSet<'_, u32>| set.iter().copied().collect::<Vec<_>>();
    crash_everywhere::<World, _, _>(
        3,
        &steps,
        |tx, world, op| {
            let mut model = Model { set: world.set.iter().copied().collect(), ..Model::default() };
            for (twin, kept) in model.kept.iter_mut().zip(&world.kept) {
                twin.extend(kept);
            }
            op.apply(tx, world, &mut model);
        },
        |pool| {
            let world = pool.snapshot();
            world.set.check().unwrap();
            (all(&world.set), world.kept.each_ref().map(all))
        },
    );
}

/// If this failed, a neighbour or a range of elements would be off by one.
#[test]
fn neighbours_and_ranges() {
    let pool = Pool::<OrdSet<u32>>::options().volatile().unwrap();
    let twin: BTreeSet<u32> = (0..300).step_by(3).collect();
    section(&pool, |tx, set: &mut OrdSet<'_, u32>| set.extend(tx, twin.iter().copied()));
    let set = pool.snapshot();
    for element in 0..305 {
        assert_eq!(set.get_lt(&element), twin.range(..element).next_back());
        assert_eq!(set.get_le(&element), twin.range(..=element).next_back());
        assert_eq!(set.get_ge(&element), twin.range(element..).next());
        assert_eq!(set.get_gt(&element), twin.range(element + 1..).next());
        assert!(set.range(element..).rev().eq(twin.range(element..).rev()));
        assert_eq!(
            (set.contains(&element), set.get(&element)),
            (twin.contains(&element), twin.get(&element))
        );
        let next = set.lower_bound(Bound::Included(&element)).peek_next();
        assert_eq!(next.map(|(element, ())| element), set.get_ge(&element));
        let prev = set.upper_bound(Bound::Included(&element)).peek_prev();
        assert_eq!(prev.map(|(element, ())| element), set.get_le(&element));
    }
    section(&pool, |tx, set: &mut OrdSet<'_, u32>| {
        let before = set.share(tx);
        ignore(set.insert(tx, 3));
        assert!(set.ptr_eq(&before), "an element that is there is not inserted by copying");
    });
}

fn bounds(element: &u32) -> [Bound<&u32>; 3] {
    [Bound::Unbounded, Bound::Included(element), Bound::Excluded(element)]
}

/// If this failed, a range would begin or end at another element than the standard library's, or panic where that does not.
#[test]
fn ranges_of_all_bounds_are_those_of_the_standard_library() {
    let pool = Pool::<OrdSet<u32>>::options().volatile().unwrap();
    let twin: BTreeSet<u32> = (0..400).step_by(3).map(|element| element * 2).collect();
    section(&pool, |tx, set: &mut OrdSet<'_, u32>| set.extend(tx, twin.iter().copied()));
    let set = pool.snapshot();
    let mut panics = 0;
    for (from, to) in
        (0..830).step_by(25).flat_map(|from| [(from, from), (from, from + 31), (from + 7, from)])
    {
        for range in bounds(&from).into_iter().flat_map(|from| bounds(&to).map(|to| (from, to))) {
            let theirs = catch_unwind(|| twin.range::<u32, _>(range).collect::<Vec<_>>());
            let ours = catch_unwind(AssertUnwindSafe(|| set.range::<u32, _>(range).collect::<Vec<_>>()));
            assert_eq!(ours.as_ref().ok(), theirs.as_ref().ok(), "{range:?}");
            panics += usize::from(ours.is_err());
            let Ok(theirs) = theirs else { continue };
            let mut both = set.range::<u32, _>(range);
            let met: Vec<_> =
                std::iter::from_fn(|| both.next_back().map(|last| [Some(last), both.next()])).collect();
            assert_eq!(met.iter().flatten().flatten().count(), theirs.len(), "from both ends: {range:?}");
        }
    }
    assert!(panics > 40, "ranges that are none were met");
}

/// If this failed, a set would cost more than its elements do, and half as much again.
#[test]
fn bytes_of_an_element() {
    let mut random = Random::for_test("bytes of an element", 1);
    let pool = Pool::<OrdSet<u64>>::options().volatile().unwrap();
    for _ in 0..200 {
        let values: Vec<u64> = (0..1000).map(|_| random.next()).collect();
        section(&pool, |tx, set: &mut OrdSet<'_, u64>| {
            values.iter().for_each(|value| ignore(set.insert(tx, *value)))
        });
    }
    let scattered = pool.check().unwrap().bytes as f64 / pool.snapshot().len() as f64;
    section(&pool, |tx, set: &mut OrdSet<'_, u64>| *set = OrdSet::from_iter(tx, 0..200_000));
    let sorted = pool.check().unwrap().bytes as f64 / 200_000.0;
    println!("{scattered:.1} bytes for each of 200,000 `u64` inserted at random, {sorted:.1} built in order");
    assert!(scattered < 14.0 && sorted < 11.0, "{scattered} {sorted}");
}

/// If this failed, a large set would overflow the machine's stack somewhere, or not be built in one go.
#[test]
fn ten_million_elements_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = Pool::<OrdSet<u32>>::options().volatile().unwrap();
            section(&pool, |tx, set: &mut OrdSet<'_, u32>| *set = OrdSet::from_iter(tx, 0..10_000_000));
            let set = pool.snapshot();
            set.check().unwrap();
            assert!(set.iter().copied().eq(0..10_000_000));
            assert!(set.iter().rev().copied().eq((0..10_000_000).rev()));
            drop(set);
            section(&pool, |tx, set: &mut OrdSet<'_, u32>| {
                set.retain(tx, |element| element % 1000 != 0);
                assert_eq!(set.len(), 9_990_000);
                set.clear(tx);
            });
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}
