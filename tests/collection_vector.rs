//! `Vector` against `VecDeque`: random operations on several kinds of elements, sections that are undone, kept versions, reopening.

mod support;

#[path = "collection_vector/bulk.rs"]
mod bulk;
#[path = "collection_vector/cost.rs"]
mod cost;
#[path = "collection_vector/crashes.rs"]
mod crashes;
#[path = "collection_vector/std_behaviour.rs"]
mod std_behaviour;

use std::collections::VecDeque;
use std::fmt::Debug;

use pmem_runtime::collections::Vector;
use pmem_runtime::{Fase, FaseError, Options, Persistent, Pool, persist_fase};
use support::Random;

/// Other versions that a world keeps.
const KEPT: usize = 2;

#[derive(Persistent)]
#[repr(C)]
struct World<'p, T> {
    vector: Vector<'p, T>,
    kept: [Vector<'p, T>; KEPT],
}

impl<T> Default for World<'_, T> {
    fn default() -> Self {
        World { vector: Vector::new(), kept: [Vector::new(), Vector::new()] }
    }
}

/// The same in ordinary Rust.
#[derive(Clone, Debug, PartialEq)]
struct Model<T> {
    vector: VecDeque<T>,
    kept: [VecDeque<T>; KEPT],
}

/// Elements without pointers, which are the same type in each section.
trait Plain: for<'f> Persistent<At<'f> = Self> + Copy + Ord + Debug + 'static {
    /// An element that depends on the number, as far as the type can tell numbers apart.
    fn of(number: u64) -> Self;
}

impl Plain for u64 {
    fn of(number: u64) -> Self {
        number
    }
}

impl Plain for u8 {
    fn of(number: u64) -> Self {
        number as u8
    }
}

impl Plain for () {
    fn of(_: u64) -> Self {}
}

/// So large that each has a leaf of its own: with few of them the tree is high.
#[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
struct Wide {
    number: u64,
    rest: [[u32; 32]; 2],
}

impl Plain for Wide {
    fn of(number: u64) -> Self {
        Wide { number, rest: [[number as u32; 32]; 2] }
    }
}

/// With padding, at an alignment above that of the head.
#[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C, align(16))]
struct Gappy {
    tag: u8,
    number: u64,
}

impl Plain for Gappy {
    fn of(number: u64) -> Self {
        Gappy { tag: number as u8, number }
    }
}

/// A number that fits the two bounds in half-open order.
fn range(random: &mut Random, len: usize) -> std::ops::Range<usize> {
    let ends = [random.below(len as u64 + 1) as usize, random.below(len as u64 + 1) as usize];
    ends[0].min(ends[1])..ends[0].max(ends[1])
}

/// One random operation on both. `limit` is about how long vectors get.
fn step<'f, T: Plain>(
    tx: &Fase<'f>,
    world: &mut World<'f, T>,
    model: &mut Model<T>,
    random: &mut Random,
    limit: usize,
) {
    let number = random.next() >> 40;
    let place = random.below(KEPT as u64) as usize;
    let World { vector, kept } = world;
    let (twin, twins) = (&mut model.vector, &mut model.kept);
    let len = twin.len();
    let any = random.below(len.max(1) as u64) as usize;
    let item = T::of(number);
    if len > limit {
        let cut = range(random, len);
        vector.remove_range(tx, cut.clone());
        twin.drain(cut);
        return;
    }
    match random.below(34) {
        0..=3 => {
            vector.push(tx, item);
            twin.push_back(item);
        }
        4..=5 => assert_eq!(vector.pop(tx), twin.pop_back()),
        6..=8 => {
            vector.push_front(tx, item);
            twin.push_front(item);
        }
        9..=10 => assert_eq!(vector.pop_front(tx), twin.pop_front()),
        11..=14 => {
            let at = random.below(len as u64 + 1) as usize;
            vector.insert(tx, at, item);
            twin.insert(at, item);
        }
        15..=17 if len > 0 => assert_eq!(Some(vector.remove(tx, any)), twin.remove(any)),
        18..=19 if len > 0 => {
            assert_eq!(vector.set(tx, any, item), std::mem::replace(&mut twin[any], item));
        }
        20 if len > 0 => {
            let other = random.below(len as u64) as usize;
            vector.swap(tx, any, other);
            twin.swap(any, other);
        }
        21 => {
            let count = random.below(80) as usize;
            vector.extend(tx, (0..count as u64).map(|add| T::of(number + add)));
            twin.extend((0..count as u64).map(|add| T::of(number + add)));
        }
        22 => {
            let items: Vec<T> = (0..random.below(40)).map(|add| T::of(number + add)).collect();
            if random.one_in(2) {
                vector.extend_from_slice(tx, &items);
                twin.extend(items);
                return;
            }
            let at = random.below(len as u64 + 1) as usize;
            vector.insert_slice(tx, at, &items);
            let after = twin.split_off(at);
            twin.extend(items);
            twin.extend(after);
        }
        23 => {
            kept[place] = vector.share(tx);
            twins[place] = twin.clone();
        }
        24 => {
            std::mem::swap(vector, &mut kept[place]);
            std::mem::swap(twin, &mut twins[place]);
        }
        25 => {
            let cut = range(random, len);
            kept[place] = vector.slice(tx, cut.clone());
            twins[place] = twin.range(cut).copied().collect();
        }
        26 => {
            let other = kept[place].share(tx);
            vector.append(tx, other);
            twin.extend(twins[place].iter().copied());
        }
        27 => {
            let at = random.below(len as u64 + 1) as usize;
            vector.insert_all(tx, at, std::mem::take(&mut kept[place]));
            let after = twin.split_off(at);
            twin.append(&mut twins[place]);
            twin.extend(after);
        }
        28 => {
            let at = random.below(len as u64 + 1) as usize;
            kept[place] = vector.split_off(tx, at);
            twins[place] = twin.split_off(at);
        }
        29 => {
            let cut = range(random, len);
            let cut = cut.start..cut.end.min(cut.start + 30);
            let taken = vector.remove_range(tx, cut.clone());
            assert!(taken.iter().copied().eq(twin.drain(cut)));
        }
        30 => {
            let few = random.one_in(2);
            let keep = |index: usize| if few { index % 40 != 7 } else { index % 3 != 1 };
            let mut index = 0..;
            vector.retain(tx, |_| index.next().is_some_and(keep));
            let mut index = 0..;
            twin.retain(|_| index.next().is_some_and(keep));
        }
        31 => {
            let skip = random.below(len as u64 + 1) as usize;
            vector.iter_mut(tx).rev().skip(skip).step_by(7).for_each(|element| *element = item);
            twin.iter_mut().rev().skip(skip).step_by(7).for_each(|element| *element = item);
        }
        32 if random.one_in(4) => {
            vector.sort(tx);
            twin.make_contiguous().sort();
        }
        33 => {
            vector.rotate_left(tx, any.min(len));
            twin.rotate_left(any.min(len));
        }
        _ => {}
    }
}

/// Compares without and with looking.
fn compare<T: Plain>(found: &World<'_, T>, model: &Model<T>) {
    for (vector, twin) in
        [&found.vector].into_iter().chain(&found.kept).zip([&model.vector].into_iter().chain(&model.kept))
    {
        vector.check().unwrap();
        assert_eq!(vector.len(), twin.len());
        assert!(vector.iter().eq(twin), "{vector:?} is not {twin:?}");
    }
}

/// Reads in other ways than from the first to the last.
fn read<T: Plain>(world: &World<'_, T>, model: &Model<T>, random: &mut Random) {
    let (vector, twin) = (&world.vector, &model.vector);
    assert!(vector.iter().rev().eq(twin.iter().rev()));
    assert_eq!(vector.get(twin.len()), None);
    for _ in 0..4 {
        let part = range(random, twin.len());
        let (mut own, mut other) = (vector.range(part.clone()), twin.range(part.clone()));
        while other.len() > 0 {
            assert_eq!(own.len(), other.len());
            match random.below(3) {
                0 => assert_eq!(own.next_back(), other.next_back()),
                1 => assert_eq!(own.nth(2), other.nth(2)),
                _ => assert_eq!(own.next(), other.next()),
            }
        }
        assert_eq!((own.next(), own.next_back(), own.next()), (None, None, None));
        if let Some(at) = part.clone().next() {
            assert_eq!(vector.get(at), twin.get(at));
            let (run, in_run) = vector.chunk_at(at).expect("it is inside");
            assert!(run[in_run..].iter().eq(twin.range(at..at + run.len() - in_run)));
        }
    }
    let old = &world.kept[0];
    let changes: Vec<_> = old.diff(vector).map(|change| format!("{change:?}")).collect();
    assert_eq!(changes, naive_diff(&model.kept[0], twin));
}

/// What [`Vector::diff`] must say.
fn naive_diff<T: Plain>(old: &VecDeque<T>, new: &VecDeque<T>) -> Vec<String> {
    use pmem_runtime::collections::vector::Change;
    (0..old.len().max(new.len()))
        .filter_map(|index| match (old.get(index), new.get(index)) {
            (Some(old), Some(new)) => (old != new).then_some(Change::Changed { index, old, new }),
            (None, Some(new)) => Some(Change::Added { index, new }),
            (Some(old), None) => Some(Change::Removed { index, old }),
            (None, None) => None,
        })
        .map(|change| format!("{change:?}"))
        .collect()
}

/// Nothing that is reachable is free. What waits to be given back makes counts higher and memory used.
fn sound<R: Persistent>(pool: &Pool<R>) {
    assert_eq!(pool.check().unwrap().unallocated_lines, 0);
}

/// After a clean close nothing waits: each count is the number of owners, and nothing is used but what is reachable.
fn exact<R: Persistent>(pool: &Pool<R>) {
    let report = pool.check().unwrap();
    assert_eq!((report.unreachable_lines, report.unallocated_lines, report.refcounts_off), (0, 0, 0));
    assert_eq!(pool.recovery().refcounts_corrected, 0, "{}", pool.recovery());
}

/// Random operations in sections of a pool in a file that is now and then closed and opened.
fn run<T: Plain>(name: &str, operations: u64, limit: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vector.pool");
    let options = || -> Options<World<'static, T>> { Pool::options().force_dax(true) };
    for seed in 1..=3 {
        let mut random = Random::for_test(name, seed);
        let mut pool = options().create(&path).unwrap();
        let empty = VecDeque::new;
        let mut model: Model<T> = Model { vector: empty(), kept: [empty(), empty()] };
        let mut done = 0;
        while done < operations {
            let count = 1 + random.below(6);
            done += count;
            let undo = random.one_in(10);
            let result = persist_fase!(pool, |tx, world| -> Result<(Model<T>, Random), FaseError> {
                // A body may run more than once.
                let (mut after, mut random) = (model.clone(), random.clone());
                for _ in 0..count {
                    step(tx, world, &mut after, &mut random, limit);
                    world.vector.check().unwrap();
                }
                if undo { Err(FaseError::message("undone".to_owned())) } else { Ok((after, random)) }
            });
            assert_eq!(result.is_err(), undo);
            match result {
                Ok(done) => (model, random) = done,
                Err(_) => drop(random.next()),
            }
            compare(&*pool.snapshot(), &model);
            if random.one_in(8) {
                read(&*pool.snapshot(), &model, &mut random);
            }
            if random.one_in(50) {
                sound(&pool);
            }
            if random.one_in(200) {
                drop(pool);
                pool = options().open(&path).unwrap();
                exact(&pool);
                compare(&*pool.snapshot(), &model);
            }
        }
        drop(pool);
        exact(&options().open(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
    }
}

/// If this failed, a vector of words would differ from what was put into it.
#[test]
fn words_are_a_deque_of_words() {
    run::<u64>("words_are_a_deque_of_words", 10_000, 700);
}

/// If this failed, trees that are high, and leaves of one element, would lose some.
#[test]
fn wide_elements_are_a_deque() {
    run::<Wide>("wide_elements_are_a_deque", 10_000, 400);
}

/// If this failed, elements whose padding or alignment is special would be torn or misplaced.
#[test]
fn elements_with_padding_are_a_deque() {
    run::<Gappy>("elements_with_padding_are_a_deque", 10_000, 200);
}

/// If this failed, long leaves would be cut wrongly.
#[test]
fn bytes_are_a_deque_of_bytes() {
    run::<u8>("bytes_are_a_deque_of_bytes", 10_000, 3_000);
}

/// If this failed, elements that take no room would be miscounted.
#[test]
fn nothings_are_a_deque_of_nothings() {
    run::<()>("nothings_are_a_deque_of_nothings", 10_000, 60_000);
}
