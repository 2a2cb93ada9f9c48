//! `Set` against the standard library's, across reopened pools and crashes.

mod support;

#[path = "support/versions.rs"]
mod versions;

use std::collections::HashSet;

use pmem_runtime::collections::set::Change;
use pmem_runtime::{Fase, FaseError, Persistent, Pool, Set, persist_fase};
use support::Random;
use versions::{Script, crash_everywhere};

/// An element with a padding byte.
#[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C)]
struct Point {
    x: u32,
    layer: u8,
}

impl Point {
    fn random(random: &mut Random) -> Self {
        Point { x: random.below(40) as u32, layer: random.below(4) as u8 }
    }
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Root<'p> {
    set: Set<'p, Point>,
    other: Set<'p, Point>,
}

fn plain(set: &Set<'_, Point>) -> HashSet<Point> {
    set.check().unwrap();
    let plain: HashSet<Point> = set.iter().copied().collect();
    assert_eq!((plain.len(), plain.is_empty()), (set.len(), set.is_empty()));
    plain
}

fn apply<'p>(tx: &Fase<'p>, Root { set, other }: &mut Root<'p>, op: u64, points: &[Point]) {
    match op {
        0..40 => set.extend(tx, points.iter().copied()),
        40..70 => points.iter().for_each(|point| _ = set.remove(tx, point)),
        70..76 => *other = set.share(tx),
        76..80 => set.append(tx, other.share(tx)),
        80..84 => *set = set.union(tx, other),
        84..86 => *set = set.intersection(tx, other),
        86..88 => *set = set.difference(tx, other),
        88..90 => *set = set.symmetric_difference(tx, other),
        90..93 => set.retain(tx, |point| !points.contains(point)),
        93..96 => points.iter().for_each(|point| _ = set.replace(tx, *point)),
        96..98 => points.iter().for_each(|point| _ = set.take(tx, point)),
        98 => {
            let drained: Vec<Point> = set.drain(tx).collect();
            *set = Set::from_iter(tx, drained.into_iter().filter(|point| point.layer > 0));
        }
        _ => set.clear(),
    }
    set.check().unwrap();
    other.check().unwrap();
}

fn apply_plain([set, other]: &mut [HashSet<Point>; 2], op: u64, points: &[Point]) {
    match op {
        0..40 => set.extend(points),
        40..70 => points.iter().for_each(|point| _ = set.remove(point)),
        70..76 => *other = set.clone(),
        76..84 => set.extend(&*other),
        84..86 => *set = &*set & &*other,
        86..88 => *set = &*set - &*other,
        88..90 => *set = &*set ^ &*other,
        90..93 => set.retain(|point| !points.contains(point)),
        93..96 => set.extend(points),
        96..98 => points.iter().for_each(|point| _ = set.take(point)),
        98 => set.retain(|point| point.layer > 0),
        _ => set.clear(),
    }
}

/// Each element is yielded once, as many as the iterator said, and they are those of the standard library's.
fn assert_yields<'a>(
    iter: impl Iterator<Item = &'a Point> + Clone,
    expected: impl Iterator<Item = &'a Point>,
    name: &str,
) {
    let expected: HashSet<&Point> = expected.collect();
    let (least, most) = iter.size_hint();
    assert!(least <= expected.len() && most.is_some_and(|most| expected.len() <= most), "{name}");
    assert_eq!(iter.clone().count(), expected.len(), "{name}");
    assert_eq!(iter.collect::<HashSet<_>>(), expected, "{name}");
}

fn assert_lazy<'a, 'p>(
    set: &'a Set<'p, Point>,
    other: &'a Set<'p, Point>,
    twin: &'a HashSet<Point>,
    other_twin: &'a HashSet<Point>,
) {
    assert_yields(set.iter_union(other), twin.union(other_twin), "union");
    assert_yields(set.iter_intersection(other), twin.intersection(other_twin), "intersection");
    assert_yields(set.iter_difference(other), twin.difference(other_twin), "difference");
    let theirs = twin.symmetric_difference(other_twin);
    assert_yields(set.iter_symmetric_difference(other), theirs, "symmetric difference");
}

/// If this failed, a set would not hold what was put into it.
#[test]
fn a_set_is_its_model_across_reopens() {
    for seed in 1..4 {
        let mut random = Random::for_test("a_set_is_its_model_across_reopens", seed);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.pool");
        let mut pool = Pool::<Root>::options().force_dax(true).create(&path).unwrap();
        let mut model = [HashSet::new(), HashSet::new()];
        let mut steps = 0;
        while steps < 10_000 {
            let ops: Vec<(u64, Vec<Point>)> = (0..=random.below(3))
                .map(|_| (random.below(100), (0..8).map(|_| Point::random(&mut random)).collect()))
                .collect();
            steps += ops.len() * 8;
            persist_fase!(pool, |tx, root| {
                for (op, points) in &ops {
                    apply(tx, root, *op, points);
                    root.set.check()?;
                }
                Ok(())
            })
            .unwrap();
            ops.iter().for_each(|(op, points)| apply_plain(&mut model, *op, points));
            let now = pool.snapshot();
            let [set, other] = &model;
            assert_eq!((&plain(&now.set), &plain(&now.other)), (set, other));
            assert_eq!(now.set == now.other, set == other);
            assert_eq!(now.set.is_subset(&now.other), set.is_subset(other));
            assert_eq!(now.set.is_superset(&now.other), set.is_superset(other));
            assert_eq!(now.set.is_disjoint(&now.other), set.is_disjoint(other));
            assert_lazy(&now.set, &now.other, set, other);
            let mut patched = set.clone();
            for change in now.set.diff(&now.other) {
                match change {
                    Change::Added(point) => assert!(patched.insert(*point)),
                    Change::Removed(point) => assert!(patched.remove(point)),
                }
            }
            assert_eq!(&patched, other);
            drop(now);
            if random.one_in(40) {
                drop(pool);
                pool = Pool::<Root>::options().force_dax(true).threads(1).open(&path).unwrap();
                let report = pool.check().unwrap();
                assert_eq!((report.refcounts_off, report.unreachable_lines), (0, 0));
            }
        }
    }
}

/// If this failed, two subsets that share structure would be judged by what they do not share.
#[test]
fn subsets_that_share_structure() {
    let pool = Pool::<Set<u64>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, set| -> Result<(), FaseError> {
        set.extend(tx, 0..5000);
        let mut part = set.share(tx);
        assert!(part.is_subset(set) && set.is_subset(&part) && !part.is_disjoint(set));
        assert_eq!(part.take(tx, &70), Some(70));
        assert!(part.is_subset(set) && !set.is_subset(&part) && set.is_superset(&part));
        part.insert(tx, 9000);
        assert!(!part.is_subset(set) && !set.is_subset(&part));
        assert!(Set::new().is_subset(set) && !set.is_subset(&Set::new()));
        assert!(Set::new().is_disjoint(set) && set.is_disjoint(&Set::from_iter(tx, 5000..6000)));
        assert_eq!(set.symmetric_difference(tx, &part), Set::from_iter(tx, [70, 9000]));
        let debug = format!("{:?} {:?}", Set::from_iter(tx, [1_u8]), Set::from_iter(tx, [1_u8]).iter());
        assert_eq!(debug, "{1} [1]");
        let mut both = part.iter();
        let (first, last) = (both.next().unwrap(), both.next_back().unwrap());
        assert_eq!((part.iter().next(), part.iter().next_back()), (Some(first), Some(last)));
        assert_eq!(both.len(), part.len() - 2);
        Ok(())
    })
    .unwrap();
}

/// An element equal to others that it can be told from.
#[derive(Persistent, Debug, Eq)]
#[repr(C)]
struct Named {
    number: u64,
    mark: u64,
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl std::hash::Hash for Named {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

/// If this failed, inserting would replace, or replacing would not.
#[test]
fn insert_keeps_and_replace_replaces() {
    let pool = Pool::<Set<Named>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, set| -> Result<(), FaseError> {
        let named = |mark| Named { number: 1, mark };
        assert!(set.insert(tx, named(1)) && !set.insert(tx, named(2)));
        assert_eq!(set.get(&named(0)).map(|found| found.mark), Some(1));
        assert_eq!(set.replace(tx, named(3)).map(|found| found.mark), Some(1));
        assert_eq!(set.get(&named(0)).map(|found| found.mark), Some(3));
        assert_eq!(set.take(tx, &named(0)).map(|found| found.mark), Some(3));
        assert!(set.is_empty() && !set.contains(&named(0)));
        Ok(())
    })
    .unwrap();
}

/// Some operations in sections.
struct Edits;

impl Script for Edits {
    type Root = Root<'static>;
    type Model = [HashSet<Point>; 2];

    fn sections(&self) -> usize {
        EDITS.len()
    }

    fn apply<'f>(&self, tx: &Fase<'f>, root: &mut Root<'f>, section: usize) {
        apply(tx, root, EDITS[section], &points(section));
    }

    fn model(&self, sections: usize) -> Self::Model {
        let mut model = [HashSet::new(), HashSet::new()];
        (0..sections).for_each(|section| apply_plain(&mut model, EDITS[section], &points(section)));
        model
    }

    fn observe(root: &Root<'static>) -> Self::Model {
        [plain(&root.set), plain(&root.other)]
    }
}

const EDITS: [u64; 14] = [0, 1, 70, 2, 41, 42, 80, 3, 84, 4, 88, 90, 98, 99];

fn points(section: usize) -> Vec<Point> {
    let mut random = Random::new(section as u64);
    (0..12).map(|_| Point::random(&mut random)).collect()
}

/// If this failed, a crash would leave a set that is neither the old nor the new one.
#[test]
fn a_crash_leaves_a_whole_set() {
    let states = crash_everywhere(&Edits);
    println!("{states} states");
    assert!(states > 300);
}

/// If this failed, a large set would overflow the machine's stack somewhere.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute or two unless optimised: cargo test --release")]
fn ten_million_elements_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = Pool::<Set<'static, u32>>::options().volatile().unwrap();
            let insert = |range: std::ops::Range<u32>| {
                persist_fase!(pool, |tx, set| {
                    set.extend(tx, range.clone());
                    Ok(())
                })
                .unwrap();
            };
            insert(0..9_000_000);
            insert(8_000_000..10_000_000);
            let set = pool.snapshot();
            assert_eq!((set.len(), set.check()), (10_000_000, Ok(())));
            assert_eq!(set.iter().map(|element| u64::from(*element)).sum::<u64>(), 49_999_995_000_000);
            assert!((0..10_000_000).step_by(9973).all(|element| set.contains(&element)));
            assert!(!set.contains(&10_000_000));
            drop(set);
            println!("{:.1} bytes each", pool.used_bytes() as f64 / 1e7);
            persist_fase!(pool, |_tx, set| {
                set.clear();
                Ok(())
            })
            .unwrap();
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}
