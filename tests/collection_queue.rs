//! `Queue` against the standard library's `VecDeque`, across aborted sections, shares, reopening and crashes.

mod support;

#[path = "collection_ordered/judge.rs"]
mod judge;

use std::collections::VecDeque;

use judge::{cost, crash_everywhere, run_beside_model, section, settle};
use pmem_runtime::collections::Queue;
use pmem_runtime::{Fase, Persistent, Pool};
use support::Random;

#[derive(Persistent, Default)]
#[repr(C)]
struct World<'p> {
    queue: Queue<'p, u64>,
    kept: [Queue<'p, u64>; 3],
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Model {
    queue: VecDeque<u64>,
    kept: [VecDeque<u64>; 3],
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Push(u64),
    Pop,
    PushMany(u64),
    PopMany(u64),
    ChangeFront(u64),
    ChangeBack(u64),
    ChangeAll(u64),
    Append(usize),
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
            88..90 => Op::ChangeFront(value),
            90..92 => Op::ChangeBack(value),
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
                queue.push_back(tx, value);
                twin.push_back(value);
            }
            Op::Pop => assert_eq!(queue.pop_front(tx), twin.pop_front()),
            Op::PushMany(count) => {
                queue.extend(tx, 0..count);
                twin.extend(0..count);
            }
            Op::PopMany(count) => (0..count).for_each(|_| assert_eq!(queue.pop_front(tx), twin.pop_front())),
            Op::ChangeFront(value) => {
                let found = queue.front_mut(tx).map(|front| std::mem::replace(front, value));
                assert_eq!(found, twin.front_mut().map(|front| std::mem::replace(front, value)));
            }
            Op::ChangeBack(value) => {
                let found = queue.back_mut(tx).map(|back| std::mem::replace(back, value));
                assert_eq!(found, twin.back_mut().map(|back| std::mem::replace(back, value)));
            }
            Op::ChangeAll(value) => {
                let (mut ours, mut theirs) = (queue.iter_mut(tx), twin.iter_mut());
                for step in 0.. {
                    assert_eq!(ours.len(), theirs.len());
                    let pair = if (step + value) % 3 == 0 {
                        (ours.next_back(), theirs.next_back())
                    } else {
                        (ours.next(), theirs.next())
                    };
                    let (Some(our), Some(their)) = pair else {
                        assert!(ours.next().is_none() && theirs.next().is_none());
                        break;
                    };
                    assert_eq!(our, their);
                    (*our, *their) = (*our % 1000 + value, *their % 1000 + value);
                }
            }
            Op::Append(place) => {
                if twin.len() < 2000 {
                    let mut other = world.kept[place].share(tx);
                    queue.append(tx, &mut other);
                    assert!(other.is_empty());
                    twin.append(&mut model.kept[place].clone());
                }
            }
            Op::Retain(modulus) => {
                queue.retain(tx, |value| value % modulus != 0);
                twin.retain(|value| value % modulus != 0);
            }
            Op::Keep(place) => {
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
        assert_eq!((queue.len(), queue.front(), queue.back()), (twin.len(), twin.front(), twin.back()));
        let (mut ours, mut theirs) = (queue.iter(), twin.iter());
        // From both ends, unevenly, until they meet.
        for step in 0.. {
            let pair = if step % 3 == 0 {
                (ours.next_back(), theirs.next_back())
            } else {
                (ours.next(), theirs.next())
            };
            assert_eq!(pair.0, pair.1);
            if pair.0.is_none() {
                break;
            }
        }
    }
}

fn assert_same(world: &World<'_>, model: &Model) {
    assert!(world.queue.iter().eq(&model.queue));
    for (kept, twin) in world.kept.iter().zip(&model.kept) {
        kept.check().unwrap();
        assert!(kept.iter().rev().eq(twin.iter().rev()) && kept.iter().len() == twin.len());
        assert_eq!(*kept == world.queue, *twin == model.queue);
        assert_eq!(kept.same(&world.queue), *twin == model.queue);
        assert_eq!(kept.cmp(&world.queue), twin.cmp(&model.queue));
        for index in (0..twin.len() + 2).step_by(7) {
            assert_eq!((kept.get(index), kept.iter().nth(index)), (twin.get(index), twin.get(index)));
        }
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
            let all = |queue: &Queue<'_, u64>| queue.iter().copied().collect::<Vec<_>>();
            (all(&world.queue), world.kept.each_ref().map(all))
        },
    );
}

/// Elements of which a chunk holds one each, so that every operation is one on chunks.
type Large = [u64; 13];

/// Nodes that one operation makes, at most, and the root with it.
const NODES_MAX: u64 = 7 + 1;

#[derive(Persistent, Default)]
#[repr(C)]
struct Versions<'p> {
    kept: [Queue<'p, Large>; 8],
}

/// If this failed, some version of a queue would put its reversals off until somebody pops, and pay for them all at once, again
/// and again for who goes back to it.
#[test]
fn no_operation_on_any_version_makes_more_than_a_constant_number_of_nodes() {
    let pool = Pool::<Versions>::options().volatile().unwrap();
    let mut random = Random::for_test("queue costs", 3);
    let push = |place: usize, value: u64| {
        cost(&pool, || {
            section(&pool, |tx, versions: &mut Versions<'_>| versions.kept[place].push_back(tx, [value; 13]))
        })
    };
    let pop = |place: usize| {
        cost(&pool, || {
            section(&pool, |tx, versions: &mut Versions<'_>| {
                versions.kept[place].pop_front(tx);
            });
        })
    };
    let copy = |from: usize, to: usize| {
        section(&pool, |tx, versions: &mut Versions<'_>| versions.kept[to] = versions.kept[from].share(tx));
    };
    let mut worst = 0;
    // At every length, the queue's own next push, its next pop, and the same from a version kept just before, three times.
    for length in 0..700 {
        for _ in 0..3 {
            copy(0, 1);
            worst = worst.max(push(1, length).nodes);
            copy(0, 1);
            worst = worst.max(pop(1).nodes).max(pop(1).nodes).max(push(1, length).nodes);
        }
        worst = worst.max(push(0, length).nodes);
        if length % 5 == 4 {
            worst = worst.max(pop(0).nodes);
        }
    }
    // Random walks over eight versions that come from each other.
    for step in 0..20_000 {
        let (from, to) = (random.below(8) as usize, random.below(8) as usize);
        match random.below(20) {
            0..10 => worst = worst.max(push(from, step).nodes),
            10..19 => worst = worst.max(pop(from).nodes),
            _ => copy(from, to),
        }
    }
    pool.snapshot().kept.iter().for_each(|queue| queue.check().unwrap());
    println!("at most {worst} nodes for one operation");
    assert!(worst <= NODES_MAX, "{worst} nodes for one operation");
    assert!(worst > 4, "what makes the bound was not met");
    settle(&pool);
}

/// If this failed, a change of every element would miss those that a rotation has in two lists, or change an older version.
#[test]
fn all_elements_change_at_every_state_of_a_rotation() {
    let pool = Pool::<Versions>::options().volatile().unwrap();
    let values = |queue: &Queue<'_, Large>| queue.iter().map(|large| large[0]).collect::<VecDeque<u64>>();
    let mut twin = VecDeque::new();
    for step in 0..600_u64 {
        section(&pool, |tx, versions: &mut Versions<'_>| {
            let [queue, changed, ..] = &mut versions.kept;
            queue.push_back(tx, [step; 13]);
            if step % 5 == 4 {
                queue.pop_front(tx);
            }
            *changed = queue.share(tx);
            changed.iter_mut(tx).for_each(|large| large[0] += 1000);
        });
        twin.push_back(step);
        if step % 5 == 4 {
            twin.pop_front();
        }
        let versions = pool.snapshot();
        let [queue, changed, ..] = &versions.kept;
        changed.check().unwrap();
        assert_eq!(values(queue), twin, "what was shared stays");
        assert!(values(changed).into_iter().eq(twin.iter().map(|value| value + 1000)));
        for index in [0, twin.len() / 2, twin.len() - 1] {
            assert_eq!(queue[index][0], twin[index]);
        }
        assert!(queue.get(twin.len()).is_none());
    }
    // A queue whose rotation was finished early goes on as any other.
    section(&pool, |tx, versions: &mut Versions<'_>| {
        let [_, changed, ..] = &mut versions.kept;
        let mut twin: VecDeque<u64> = values(changed);
        for step in 0..2000 {
            if step % 3 == 0 {
                changed.push_back(tx, [step; 13]);
                twin.push_back(step);
            }
            if step % 2 == 0 {
                assert_eq!(changed.pop_front(tx).map(|large| large[0]), twin.pop_front());
            }
            if step % 50 == 0 {
                changed.iter_mut(tx).rev().take(9).for_each(|large| large[0] += 1);
                twin.iter_mut().rev().take(9).for_each(|value| *value += 1);
            }
            changed.check().unwrap();
            assert_eq!(changed.front().map(|large| large[0]), twin.front().copied());
        }
        assert_eq!(values(changed), twin);
    });
    settle(&pool);
}

/// If this failed, a queue of floats could not be compared, or a NaN would be equal to itself because it is shared; or an index
/// that is not there would do something quietly.
#[test]
fn comparisons_and_indices_are_those_of_the_standard_library() {
    let pool = Pool::<Queue<f64>>::options().volatile().unwrap();
    section(&pool, |tx, queue: &mut Queue<'_, f64>| {
        queue.extend(tx, [1.0, 2.0]);
        let mut other = queue.update(tx, 3.0);
        assert!(*queue == *queue && *queue != other && *queue < other);
        assert_eq!((queue.len(), other[2]), (2, 3.0));
        other.push_back(tx, f64::NAN);
        assert!(other != other.share(tx) && other.partial_cmp(&other.share(tx)).is_none());
        assert_eq!(format!("{queue:?}"), "[1.0, 2.0]");
        queue.clear(tx);
    });
    let empty = pool.snapshot();
    assert!(empty.get(0).is_none());
    let index = std::panic::AssertUnwindSafe(|| empty[0]);
    let sentence = *std::panic::catch_unwind(index).unwrap_err().downcast::<String>().unwrap();
    assert_eq!(sentence, "index 0 is not one of the 0 elements");
}

/// If this failed, most pushes and pops would cost more than a chunk.
#[test]
fn a_push_or_pop_mostly_writes_one_chunk() {
    let pool = Pool::<Queue<u64>>::options().volatile().unwrap();
    let mut lines = [0, 0];
    for value in 0..1300 {
        lines[0] +=
            cost(&pool, || section(&pool, |tx, queue: &mut Queue<'_, u64>| queue.push_back(tx, value))).lines;
    }
    let bytes = pool.check().unwrap().bytes;
    for _ in 0..1300 {
        lines[1] += cost(&pool, || {
            section(&pool, |tx, queue: &mut Queue<'_, u64>| {
                queue.pop_front(tx);
            });
        })
        .lines;
    }
    let [pushed, popped] = lines.map(|lines| lines as f64 / 1300.0 - 1.0);
    println!(
        "{pushed:.2} lines for each push, {popped:.2} for each pop, {} bytes for each element",
        bytes / 1300
    );
    assert!(pushed < 2.5 && popped < 2.5);
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
        nothing: Queue<'p, ()>,
        odd: Queue<'p, Odd>,
        large: Queue<'p, [u64; 512]>,
        nested: Queue<'p, Queue<'p, u8>>,
    }
    let pool = Pool::<Sizes>::options().volatile().unwrap();
    section(&pool, |tx, sizes: &mut Sizes<'_>| {
        for value in 0..100_u8 {
            sizes.nothing.push_back(tx, ());
            sizes.odd.push_back(tx, Odd { wide: value.into(), small: value });
            sizes.large.push_back(tx, [value.into(); 512]);
            let bytes = Queue::from_iter(tx, 0..value);
            sizes.nested.push_back(tx, bytes);
        }
    });
    let kept = pool.snapshot();
    assert_eq!(kept.nothing.iter().count(), 100);
    assert!(kept.odd.iter().map(|odd| odd.small).eq(0..100));
    assert!(kept.large.iter().map(|large| large[511]).eq(0..100));
    assert!(kept.nested.iter().map(Queue::len).eq(0..100));
}

/// If this failed, a long queue would overflow the machine's stack.
#[test]
fn ten_million_elements_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = Pool::<Queue<u32>>::options().volatile().unwrap();
            section(&pool, |tx, queue: &mut Queue<'_, u32>| queue.extend(tx, 0..10_000_000));
            assert_eq!(pool.snapshot().len(), 10_000_000);
            assert!(pool.snapshot().iter().copied().eq(0..10_000_000));
            section(&pool, |tx, queue: &mut Queue<'_, u32>| queue.clear(tx));
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}
