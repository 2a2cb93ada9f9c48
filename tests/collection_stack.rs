//! `Stack` against a vector, across aborted sections, shares, reopening and crashes.

mod support;

#[path = "collection_ordered/judge.rs"]
mod judge;

use judge::{cost, crash_everywhere, run_beside_model, section};
use pmem_runtime::collections::Stack;
use pmem_runtime::{Fase, Persistent, Pool};
use support::Random;

#[derive(Persistent, Default)]
#[repr(C)]
struct World<'p> {
    stack: Stack<'p, u64>,
    kept: [Stack<'p, u64>; 3],
}

/// Elements from the bottom.
#[derive(Clone, Default, PartialEq, Debug)]
struct Model {
    stack: Vec<u64>,
    kept: [Vec<u64>; 3],
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Push(u64),
    Pop,
    PushMany(u64),
    PopMany(u64),
    Change(u64),
    ChangeAll(u64),
    Append(usize),
    Reverse,
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
            0..43 => Op::Push(value),
            43 => Op::ChangeAll(value),
            44 => Op::Append(place),
            45..80 => Op::Pop,
            80..84 => Op::PushMany(value % 60),
            84..88 => Op::PopMany(value % 50),
            88..91 => Op::Change(value),
            91 => Op::Reverse,
            92 => Op::Retain(2 + value % 9),
            93..96 => Op::Keep(place),
            96..99 => Op::Restore(place),
            _ => Op::Clear,
        }
    }

    fn apply<'p>(&self, tx: &Fase<'p>, world: &mut World<'p>, model: &mut Model) {
        let (stack, twin) = (&mut world.stack, &mut model.stack);
        match *self {
            Op::Push(value) => {
                stack.push(tx, value);
                twin.push(value);
            }
            Op::Pop => assert_eq!(stack.pop(tx), twin.pop()),
            Op::PushMany(count) => {
                stack.extend(tx, 0..count);
                twin.extend(0..count);
            }
            Op::PopMany(count) => (0..count).for_each(|_| assert_eq!(stack.pop(tx), twin.pop())),
            Op::Change(value) => {
                let found = stack.peek_mut(tx).map(|top| std::mem::replace(top, value));
                assert_eq!(found, twin.last_mut().map(|top| std::mem::replace(top, value)));
            }
            Op::ChangeAll(value) => {
                let (mut ours, mut theirs) = (stack.iter_mut(tx), twin.iter_mut().rev());
                while let Some(our) = ours.next() {
                    let their = theirs.next().unwrap();
                    assert_eq!((&*our, ours.len()), (&*their, theirs.len()));
                    (*our, *their) = (*our % 1000 + value, *their % 1000 + value);
                }
                assert!(theirs.next().is_none() && ours.next().is_none());
            }
            Op::Append(place) => {
                if twin.len() < 2000 {
                    let mut other = world.kept[place].share(tx);
                    stack.append(tx, &mut other);
                    assert!(other.is_empty());
                    twin.append(&mut model.kept[place].clone());
                }
            }
            Op::Reverse => {
                stack.reverse(tx);
                twin.reverse();
            }
            Op::Retain(modulus) => {
                stack.retain(tx, |value| value % modulus != 0);
                twin.retain(|value| value % modulus != 0);
            }
            Op::Keep(place) => {
                world.kept[place] = stack.share(tx);
                model.kept[place] = twin.clone();
            }
            Op::Restore(place) => {
                *stack = world.kept[place].share(tx);
                *twin = model.kept[place].clone();
            }
            Op::Clear => {
                stack.clear(tx);
                twin.clear();
            }
        }
        stack.check().unwrap();
        assert_eq!((stack.len(), stack.peek()), (twin.len(), twin.last()));
    }
}

fn assert_same(world: &World<'_>, model: &Model) {
    assert!(world.stack.iter().eq(model.stack.iter().rev()));
    for (kept, twin) in world.kept.iter().zip(&model.kept) {
        kept.check().unwrap();
        assert!(kept.iter().eq(twin.iter().rev()) && kept.iter().len() == twin.len());
        assert_eq!(*kept == world.stack, *twin == model.stack);
        assert_eq!(kept.same(&world.stack), *twin == model.stack);
        for index in (0..twin.len() + 2).step_by(7) {
            let found = twin.iter().rev().nth(index);
            assert_eq!((kept.get(index), kept.iter().nth(index)), (found, found));
        }
    }
}

/// If this failed, some sequence of operations would leave a stack that is not the stack of the same operations.
#[test]
fn a_stack_is_its_model_through_all_operations() {
    for seed in 0..4 {
        run_beside_model::<World, Model, _>("stack", seed, Op::random, Op::apply, assert_same);
    }
}

/// If this failed, a crash would leave a part of a push or a pop.
#[test]
fn a_crash_leaves_a_committed_stack() {
    let mut random = Random::new(1);
    let steps: Vec<Vec<Op>> =
        (0..40).map(|_| (0..=random.below(3)).map(|_| Op::random(&mut random)).collect()).collect();
    crash_everywhere::<World, _, _>(
        7,
        &steps,
        |tx, world, ops| {
            let stack = world.stack.iter().rev_from_top();
            let mut model = Model { stack, kept: Default::default() };
            for (twin, kept) in model.kept.iter_mut().zip(&world.kept) {
                *twin = kept.iter().rev_from_top();
            }
            ops.iter().for_each(|op| op.apply(tx, world, &mut model));
        },
        |pool| {
            let world = pool.snapshot();
            world.stack.check().unwrap();
            (world.stack.iter().rev_from_top(), world.kept.each_ref().map(|kept| kept.iter().rev_from_top()))
        },
    );
}

/// From the bottom, as a vector has them.
trait RevFromTop {
    fn rev_from_top(self) -> Vec<u64>;
}

impl<'a, I: Iterator<Item = &'a u64>> RevFromTop for I {
    fn rev_from_top(self) -> Vec<u64> {
        let mut all: Vec<u64> = self.copied().collect();
        all.reverse();
        all
    }
}

/// If this failed, a push would cost more than the node on top.
#[test]
fn a_push_or_pop_writes_one_node() {
    let pool = Pool::<Stack<u64>>::options().volatile().unwrap();
    let mut lines = 0;
    for value in 0..240 {
        let cost = cost(&pool, || section(&pool, |tx, stack: &mut Stack<'_, u64>| stack.push(tx, value)));
        assert!(cost.nodes == 2 && cost.lines <= 3, "the root and the top node: {cost:?}");
        lines += cost.lines - 1;
    }
    println!(
        "{} lines for each of 240 pushes, {} bytes for each element",
        lines as f64 / 240.0,
        pool.check().unwrap().bytes / 240
    );
    for _ in 0..240 {
        let cost = cost(&pool, || {
            section(&pool, |tx, stack: &mut Stack<'_, u64>| stack.pop(tx).unwrap());
        });
        assert!(cost.nodes <= 2 && cost.lines <= 3, "the root and the top node: {cost:?}");
    }
    let cost = cost(&pool, || section(&pool, |tx, stack: &mut Stack<'_, u64>| stack.extend(tx, 0..1200)));
    assert_eq!(cost.nodes, 1 + 100, "in one section every node is made once");
}

/// If this failed, a stack of floats could not be compared, or a NaN would be equal to itself because it is shared; or an index
/// that is not there would do something quietly.
#[test]
fn comparisons_and_indices_are_those_of_the_standard_library() {
    let pool = Pool::<Stack<f64>>::options().volatile().unwrap();
    section(&pool, |tx, stack: &mut Stack<'_, f64>| {
        stack.extend(tx, [1.0, 2.0]);
        let mut other = stack.update(tx, 3.0);
        assert!(*stack == *stack && *stack != other && *stack < other);
        assert_eq!((stack.len(), stack[0], stack[1], other[0]), (2, 2.0, 1.0, 3.0));
        other.push(tx, f64::NAN);
        assert!(other != other.share(tx) && other.partial_cmp(&other.share(tx)).is_none());
        assert_eq!(format!("{stack:?}"), "[2.0, 1.0]");
        stack.clear(tx);
    });
    let empty = pool.snapshot();
    assert!(empty.get(0).is_none());
    let index = std::panic::AssertUnwindSafe(|| empty[0]);
    let sentence = *std::panic::catch_unwind(index).unwrap_err().downcast::<String>().unwrap();
    assert_eq!(sentence, "index 0 is not one of the 0 elements");
}

/// If this failed, changing what is on top would copy what is below it.
#[test]
fn iterating_for_writing_copies_what_it_reaches() {
    let pool = Pool::<Stack<u64>>::options().volatile().unwrap();
    section(&pool, |tx, stack: &mut Stack<'_, u64>| stack.extend(tx, 0..1200));
    let cost = cost(&pool, || {
        section(&pool, |tx, stack: &mut Stack<'_, u64>| {
            stack.iter_mut(tx).take(30).for_each(|value| *value += 1);
        });
    });
    assert_eq!(cost.nodes, 1 + 3, "the root, and three nodes of twelve");
}

/// If this failed, elements of some size or alignment would be stored wrongly.
#[test]
fn elements_of_any_size_are_kept() {
    #[derive(Persistent, Clone, Copy, PartialEq, Debug)]
    #[repr(C)]
    struct Odd {
        wide: u128,
        small: u8,
    }
    #[derive(Persistent, Default)]
    #[repr(C)]
    struct Sizes<'p> {
        nothing: Stack<'p, ()>,
        odd: Stack<'p, Odd>,
        large: Stack<'p, [u64; 512]>,
        nested: Stack<'p, Stack<'p, u8>>,
    }
    let pool = Pool::<Sizes>::options().volatile().unwrap();
    section(&pool, |tx, sizes: &mut Sizes<'_>| {
        for value in 0..100_u8 {
            sizes.nothing.push(tx, ());
            sizes.odd.push(tx, Odd { wide: value.into(), small: value });
            sizes.large.push(tx, [value.into(); 512]);
            let bytes = Stack::from_iter(tx, 0..value);
            sizes.nested.push(tx, bytes);
        }
    });
    let kept = pool.snapshot();
    assert_eq!(kept.nothing.iter().count(), 100);
    assert!(kept.odd.iter().map(|odd| odd.small).eq((0..100).rev()));
    assert!(kept.large.iter().map(|large| large[511]).eq((0..100).rev()));
    assert!(kept.nested.iter().map(Stack::len).eq((0..100).rev()));
}

/// If this failed, a long stack would overflow the machine's.
#[test]
fn ten_million_elements_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = Pool::<Stack<u32>>::options().volatile().unwrap();
            section(&pool, |tx, stack: &mut Stack<'_, u32>| stack.extend(tx, 0..10_000_000));
            assert_eq!(pool.snapshot().len(), 10_000_000);
            assert!(pool.snapshot().iter().copied().eq((0..10_000_000).rev()));
            section(&pool, |tx, stack: &mut Stack<'_, u32>| stack.clear(tx));
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}
