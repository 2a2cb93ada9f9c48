//! `PriorityQueue` against the standard library's `BinaryHeap`, across aborted sections, shares, reopening and crashes.

mod support;

#[path = "collection_ordered/judge.rs"]
mod judge;

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use judge::{cost, crash_everywhere, run_beside_model, section, settle};
use pmem_runtime::collections::PriorityQueue;
use pmem_runtime::{Fase, Persistent, Pool};
use support::Random;

#[derive(Persistent, Default)]
#[repr(C)]
struct World<'p> {
    queue: PriorityQueue<'p, u64>,
    kept: [PriorityQueue<'p, u64>; 3],
}

#[derive(Clone, Default, Debug)]
struct Model {
    queue: BinaryHeap<u64>,
    kept: [BinaryHeap<u64>; 3],
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Push(u64),
    Pop,
    PushMany(u64),
    PopMany(u64),
    Append(usize),
    Hold(u64),
    Change(u64),
    Retain(u64),
    Keep(usize),
    Restore(usize),
    Clear,
}

impl Op {
    fn random(random: &mut Random) -> Self {
        let value = random.below(1000);
        let place = random.below(3) as usize;
        match random.below(100) {
            0..42 => Op::Push(value),
            42..45 => Op::Change(value),
            45..80 => Op::Pop,
            80..84 => Op::PushMany(value % 60),
            84..88 => Op::PopMany(value % 50),
            88..90 => Op::Append(place),
            90..92 => Op::Hold(value),
            92 => Op::Retain(2 + value % 9),
            93..96 => Op::Keep(place),
            96..99 => Op::Restore(place),
            _ => Op::Clear,
        }
    }

    fn apply<'p>(&self, tx: &Fase<'p>, world: &mut World<'p>, model: &mut Model) {
        let (queue, twin) = (&mut world.queue, &mut model.queue);
        match *self {
            Op::Push(value) => {
                queue.push(tx, value);
                twin.push(value);
            }
            Op::Pop => assert_eq!(queue.pop(tx), twin.pop()),
            Op::PushMany(count) => {
                queue.extend(tx, 0..count);
                twin.extend(0..count);
            }
            Op::PopMany(count) => (0..count).for_each(|_| assert_eq!(queue.pop(tx), twin.pop())),
            Op::Append(place) => {
                if twin.len() < 2000 {
                    let mut other = world.kept[place].share(tx);
                    queue.append(tx, &mut other);
                    assert!(other.is_empty());
                    twin.append(&mut model.kept[place].clone());
                }
            }
            Op::Hold(value) => {
                for step in 0..value % 40 {
                    queue.push(tx, value * 7 % (step + 13));
                    twin.push(value * 7 % (step + 13));
                    assert_eq!(queue.pop(tx), twin.pop());
                }
            }
            Op::Change(value) => {
                let found = queue.peek_mut(tx, |greatest| std::mem::replace(greatest, value));
                let expected = twin.peek_mut().map(|mut greatest| std::mem::replace(&mut *greatest, value));
                assert_eq!(found, expected);
            }
            Op::Retain(modulus) => {
                queue.retain(tx, |value| value % modulus != 0);
                twin.retain(|value| value % modulus != 0);
            }
            Op::Keep(place) => {
                assert_eq!(queue.share(tx).into_sorted_vec(tx), twin.clone().into_sorted_vec());
                assert_eq!(queue.share(tx).into_vec(tx).len(), twin.len());
                world.kept[place] = queue.share(tx);
                model.kept[place] = twin.clone();
            }
            Op::Restore(place) => {
                *queue = world.kept[place].share(tx);
                *twin = model.kept[place].clone();
            }
            Op::Clear => {
                queue.clear(tx);
                twin.clear();
            }
        }
        queue.check().unwrap();
        assert_eq!((queue.len(), queue.peek()), (twin.len(), twin.peek()));
    }
}

/// The elements, the greatest first.
fn sorted(queue: &PriorityQueue<'_, u64>) -> Vec<u64> {
    let mut unsorted: Vec<u64> = queue.iter().copied().collect();
    unsorted.sort_by(|left, right| right.cmp(left));
    assert!(queue.iter_sorted().eq(&unsorted), "the two iterators differ");
    assert_eq!(queue.iter().len(), unsorted.len());
    unsorted
}

fn descending(twin: &BinaryHeap<u64>) -> Vec<u64> {
    twin.clone().into_sorted_vec().into_iter().rev().collect()
}

fn assert_same(world: &World<'_>, model: &Model) {
    assert_eq!(sorted(&world.queue), descending(&model.queue));
    for (kept, twin) in world.kept.iter().zip(&model.kept) {
        kept.check().unwrap();
        assert_eq!(sorted(kept), descending(twin));
    }
}

/// If this failed, some sequence of operations would leave a queue that is not the queue of the same operations.
#[test]
fn a_queue_is_its_model_through_all_operations() {
    for seed in 0..4 {
        run_beside_model::<World, Model, _>("queue", seed, Op::random, Op::apply, assert_same);
    }
}

/// If this failed, a crash would leave a part of a push or a pop.
#[test]
fn a_crash_leaves_a_committed_queue() {
    let mut random = Random::new(1);
    let steps: Vec<Vec<Op>> =
        (0..40).map(|_| (0..=random.below(3)).map(|_| Op::random(&mut random)).collect()).collect();
    crash_everywhere::<World, _, _>(
        7,
        &steps,
        |tx, world, ops| {
            let mut model = Model { queue: world.queue.iter().copied().collect(), ..Model::default() };
            for (twin, kept) in model.kept.iter_mut().zip(&world.kept) {
                twin.extend(kept);
            }
            ops.iter().for_each(|op| op.apply(tx, world, &mut model));
        },
        |pool| {
            let world = pool.snapshot();
            world.queue.check().unwrap();
            (sorted(&world.queue), world.kept.each_ref().map(sorted))
        },
    );
}

/// What a queue of `count` costs, in lines for a push and a pop, each in a section of its own, after it was filled.
fn costs(count: u64, mut next: impl FnMut() -> u64) -> (f64, f64) {
    let pool = Pool::<PriorityQueue<u64>>::options().volatile().unwrap();
    let values: Vec<u64> = (0..count).map(|_| next()).collect();
    section(&pool, |tx, queue: &mut PriorityQueue<'_, u64>| queue.extend(tx, values.iter().copied()));
    let bytes = pool.check().unwrap().bytes as f64 / count as f64;
    let (mut pushed, mut popped, mut worst) = (0, 0, 0);
    for _ in 0..2000 {
        let value = next();
        let push =
            cost(&pool, || section(&pool, |tx, queue: &mut PriorityQueue<'_, u64>| queue.push(tx, value)));
        let pop = cost(&pool, || {
            section(&pool, |tx, queue: &mut PriorityQueue<'_, u64>| {
                queue.pop(tx);
            });
        });
        pushed += push.lines;
        popped += pop.lines;
        worst = worst.max(push.nodes).max(pop.nodes);
    }
    let [pushed, popped] = [pushed, popped].map(|lines| lines as f64 / 2000.0 - 1.0);
    println!(
        "{count}: {pushed:.2} lines a push, {popped:.2} a pop, {worst} nodes at most, {bytes:.1} bytes each"
    );
    // The root, the buffer, the heap's root and its two children, and two right ways and a run that is too long on each.
    let rank = (count as f64).log2() as u64 + 1;
    assert!(worst <= 5 + 4 * rank, "{worst} nodes for one operation");
    (pushed, popped)
}

/// If this failed, a push or a pop would cost what it does in a binary heap: a node for each level.
#[test]
fn most_operations_write_one_node() {
    let mut random = Random::new(5);
    let (pushed, popped) = costs(100_000, || random.next());
    assert!(pushed < 6.0 && popped < 8.0);
    let mut up = 0;
    let (pushed, popped) = costs(100_000, || {
        up += 1;
        up
    });
    assert!(pushed < 6.0 && popped < 8.0);
    let mut down = u64::MAX;
    let (pushed, popped) = costs(100_000, || {
        down -= 1;
        down
    });
    assert!(pushed < 6.0 && popped < 8.0);
}

thread_local! {
    static COMPARISONS: Cell<u64> = const { Cell::new(0) };
    /// After so many comparisons one panics.
    static PATIENCE: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// An element whose comparisons are arbitrary, and on request panic.
#[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
struct Liar(u64);

impl PartialOrd for Liar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Liar {
    fn cmp(&self, _other: &Self) -> Ordering {
        let count = COMPARISONS.get() + 1;
        COMPARISONS.set(count);
        assert!(count <= PATIENCE.get(), "a comparison that panics");
        [Ordering::Less, Ordering::Equal, Ordering::Greater][(support::mix(count) % 3) as usize]
    }
}

/// If this failed, an order that is none, or that panics, would lose elements or leave a trace in the pool.
#[test]
fn elements_that_lie_or_panic_cost_nothing_but_their_order() {
    let pool = Pool::<PriorityQueue<Liar>>::options().volatile().unwrap();
    let mut random = Random::for_test("liars", 6);
    let mut sum: u64 = 0;
    for round in 0..300 {
        let script: Vec<u64> = (0..40).map(|_| random.below(50)).collect();
        PATIENCE.set(if round % 3 == 0 { COMPARISONS.get() + round } else { u64::MAX });
        let done = catch_unwind(AssertUnwindSafe(|| {
            section(&pool, |tx, queue: &mut PriorityQueue<'_, Liar>| {
                let mut sum = sum;
                for value in &script {
                    match value {
                        0..25 => (0..20).for_each(|step| {
                            queue.push(tx, Liar(step));
                            sum += step;
                        }),
                        25..48 => (0..12).for_each(|_| sum -= queue.pop(tx).map_or(0, |value| value.0)),
                        _ => {
                            let mut other = queue.share(tx);
                            queue.append(tx, &mut other);
                            sum *= 2;
                        }
                    }
                }
                if queue.len() > 5000 {
                    queue.clear(tx);
                    sum = 0;
                }
                sum
            })
        }));
        PATIENCE.set(u64::MAX);
        sum = done.unwrap_or(sum);
        let queue = pool.snapshot();
        assert_eq!(queue.iter().count(), queue.len());
        assert_eq!(queue.iter().map(|value| value.0).sum::<u64>(), sum, "no element is lost or made up");
    }
    settle(&pool);
}

/// If this failed, a change that panics would cost more than the element that it changed, or anything at all if the section is
/// undone.
#[test]
fn a_change_of_the_greatest_that_panics() {
    let pool = Pool::<PriorityQueue<u64>>::options().volatile().unwrap();
    section(&pool, |tx, queue: &mut PriorityQueue<'_, u64>| {
        assert_eq!(queue.peek_mut(tx, |_| panic!("there is nothing to change")), None::<()>);
        queue.extend(tx, 0..1000);
        assert!(queue.update(tx, 5000).peek() == Some(&5000) && queue.len() == 1000);
    });
    let undone = catch_unwind(AssertUnwindSafe(|| {
        section(&pool, |tx, queue: &mut PriorityQueue<'_, u64>| queue.peek_mut(tx, |_| panic!("user code")))
    }));
    assert!(undone.is_err());
    assert_eq!((pool.snapshot().len(), pool.snapshot().peek()), (1000, Some(&999)));
    section(&pool, |tx, queue: &mut PriorityQueue<'_, u64>| {
        let caught = catch_unwind(AssertUnwindSafe(|| queue.peek_mut(tx, |_| panic!("user code"))));
        assert!(caught.is_err());
        queue.check().unwrap();
    });
    assert_eq!((pool.snapshot().len(), pool.snapshot().peek()), (999, Some(&998)));
    settle(&pool);
}

/// If this failed, elements of some size or alignment would be stored wrongly.
#[test]
fn elements_of_any_size_are_kept() {
    #[derive(Persistent, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    #[repr(C)]
    struct Odd {
        wide: u128,
        small: u8,
    }
    #[derive(Persistent, Default)]
    #[repr(C)]
    struct Sizes<'p> {
        nothing: PriorityQueue<'p, ()>,
        odd: PriorityQueue<'p, Odd>,
        large: PriorityQueue<'p, [u64; 512]>,
    }
    let pool = Pool::<Sizes>::options().volatile().unwrap();
    section(&pool, |tx, sizes: &mut Sizes<'_>| {
        for value in 0..100_u8 {
            sizes.nothing.push(tx, ());
            sizes.odd.push(tx, Odd { wide: value.into(), small: value });
            sizes.large.push(tx, [value.into(); 512]);
        }
    });
    let kept = pool.snapshot();
    assert_eq!(kept.nothing.iter().count(), 100);
    assert!(kept.odd.iter_sorted().map(|odd| odd.small).eq((0..100).rev()));
    assert!(kept.large.iter_sorted().map(|large| large[511]).eq((0..100).rev()));
}

/// If this failed, a long queue would overflow the machine's stack.
#[test]
fn ten_million_elements_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = Pool::<PriorityQueue<u32>>::options().volatile().unwrap();
            section(&pool, |tx, queue: &mut PriorityQueue<'_, u32>| queue.extend(tx, 0..10_000_000));
            assert_eq!(pool.snapshot().len(), 10_000_000);
            assert!(pool.snapshot().iter_sorted().copied().eq((0..10_000_000).rev()));
            pool.snapshot().check().unwrap();
            section(&pool, |tx, queue: &mut PriorityQueue<'_, u32>| queue.clear(tx));
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}
