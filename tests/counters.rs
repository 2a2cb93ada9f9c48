//! What a section costs, counted: one fence, and every dirty line written back once (law 3).

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;

use pmem_runtime::hw::sim::{Action, SimMedium};
use pmem_runtime::{Counters, P, Persistent, Pool, persist_fase};
use support::Random;
use support::model::{Model, Op};
use support::world::{Link, World, WorldPool, pop, push, values};

const LINE_BYTES: u64 = 64;
const HEADER_BYTES: u64 = 16;

/// The difference that one thing made.
#[derive(Debug, PartialEq, Eq)]
struct Cost {
    fases: u64,
    fences: u64,
    background_fences: u64,
    lines: u64,
    record_lines: u64,
    nodes: u64,
    fenced_twice: u64,
    growths: u64,
}

impl Cost {
    fn between(before: &Counters, after: &Counters) -> Self {
        Cost {
            fases: after.fases - before.fases,
            fences: after.fences - before.fences,
            background_fences: after.background_fences - before.background_fences,
            lines: after.lines_written_back - before.lines_written_back,
            record_lines: after.record_lines - before.record_lines,
            nodes: after.nodes - before.nodes,
            fenced_twice: after.fenced_twice - before.fenced_twice,
            growths: after.growths - before.growths,
        }
    }
}

/// What `work` cost the pool.
fn cost<R: Persistent>(pool: &Pool<R>, work: impl FnOnce()) -> Cost {
    let before = pool.counters();
    work();
    Cost::between(&before, &pool.counters())
}

/// The same pool on each medium, so that no medium counts otherwise.
fn media(folder: &tempfile::TempDir) -> Vec<WorldPool> {
    vec![
        WorldPool::options().volatile().unwrap(),
        WorldPool::options().create(folder.path().join("file.pool")).unwrap(),
        WorldPool::options().force_dax(true).create(folder.path().join("dax.pool")).unwrap(),
        support::crash::create(WorldPool::options()).1,
    ]
}

fn push_many(pool: &WorldPool, count: u64) {
    persist_fase!(pool, |tx, world| {
        (0..count).for_each(|value| push(tx, &mut world.list, value));
        Ok(())
    })
    .unwrap();
}

/// If this failed, some shape of section would pay for ordering that it does not need.
#[test]
fn an_immediate_section_of_any_shape_has_one_fence() {
    let folder = tempfile::tempdir().unwrap();
    for pool in media(&folder) {
        let one_fence = |shape: &str, work: &dyn Fn()| {
            let cost = cost(&pool, work);
            assert_eq!(
                (cost.fases, cost.fences, cost.fenced_twice),
                (1, 1, 0),
                "{shape} on {}",
                pool.medium_name()
            );
            cost
        };
        one_fence("one node", &|| push_many(&pool, 1));
        one_fence("10,000 nodes", &|| push_many(&pool, 10_000));
        one_fence("several structures", &|| {
            persist_fase!(pool, |tx, world| {
                world.tree.insert(tx, 1, 1);
                push(tx, &mut world.list, 2);
                world.kept[0] = tx.share(&world.tree);
                world.apply(tx, &Op::Draw(support::model::Drawing::Dot(3)));
                Ok(())
            })
            .unwrap();
        });
        let field = one_fence("a field of the root", &|| {
            persist_fase!(pool, |_tx, world| {
                world.ticks += 1;
                Ok(())
            })
            .unwrap();
        });
        assert_eq!(field.nodes, 1, "only the root is new");
        one_fence("nothing", &|| persist_fase!(pool, |_tx, _world| { Ok(()) }).unwrap());
        let drops = one_fence("drops only", &|| {
            persist_fase!(pool, |_tx, world| {
                world.list = None;
                world.kept[0] = support::tree::Tree::default();
                Ok(())
            })
            .unwrap();
        });
        assert_eq!(drops.nodes, 1, "only the root is new");
        one_fence("a section after drops", &|| push_many(&pool, 100));
    }
}

/// If this failed, an aborted section would pay for, or make durable, what never happened.
#[test]
fn an_aborted_section_has_no_fence_and_writes_nothing_back() {
    let folder = tempfile::tempdir().unwrap();
    for pool in media(&folder) {
        push_many(&pool, 10);
        let cost = cost(&pool, || {
            let failed = persist_fase!(pool, |tx, world| -> Result<(), pmem_runtime::FaseError> {
                push(tx, &mut world.list, 1);
                pmem_runtime::abort!("no")
            });
            failed.unwrap_err();
        });
        assert_eq!(
            (cost.fases, cost.fences, cost.lines, cost.nodes),
            (0, 0, 0, 0),
            "on {}",
            pool.medium_name()
        );
    }
}

/// Lines of a root and a link for each section.
fn root_and_link_lines(cost: &Cost) -> u64 {
    let lines = |payload: usize| (payload as u64 + HEADER_BYTES).div_ceil(LINE_BYTES);
    assert_eq!(cost.nodes, cost.fases * 2);
    cost.fases * (lines(size_of::<World<'static>>()) + lines(size_of::<Link<'static>>()))
}

fn push_buffered(pool: &WorldPool, value: u64) {
    persist_fase!(pool, durability = Buffered, |tx, world| {
        push(tx, &mut world.list, value);
        Ok(())
    })
    .unwrap();
}

/// The pool's own flusher may run between any two statements. Tries until it did not.
fn without_the_flusher(mut attempt: impl FnMut() -> Option<()>) {
    assert!((0..1000).any(|_| attempt().is_some()), "the flusher came between every time");
}

/// If this failed, `Buffered` would cost what `Immediate` does.
#[test]
fn buffered_sections_have_no_fence() {
    let sim = Arc::new(SimMedium::new());
    let pool = WorldPool::options().simulate_with(&sim, |_| World::default()).unwrap();
    push_many(&pool, 1);
    let this_thread = sim.events().last().unwrap().thread;
    let from = sim.event_count();
    (0..100).for_each(|value| push_buffered(&pool, value));
    for event in sim.events().into_iter().skip(from).filter(|event| event.thread == this_thread) {
        assert!(matches!(event.action, Action::Store { .. }), "{event:?}: a buffered section only stores");
    }
}

/// If this failed, `sync` would cost a fence for each section, or forget lines of some.
#[test]
fn a_sync_of_many_buffered_sections_has_one_fence() {
    let folder = tempfile::tempdir().unwrap();
    for pool in media(&folder) {
        push_many(&pool, 3);
        without_the_flusher(|| {
            let all = cost(&pool, || {
                (0..20).for_each(|value| push_buffered(&pool, value));
                pool.sync().unwrap();
            });
            let medium = pool.medium_name();
            assert!(all.fences >= 1, "nothing is durable without a fence, on {medium}");
            assert_eq!(
                all.lines,
                all.record_lines + root_and_link_lines(&all),
                "each line once, on {medium}"
            );
            let idle = cost(&pool, || pool.sync().unwrap());
            assert_eq!((idle.fences, idle.lines), (0, 0), "nothing waits, on {medium}");
            (all.fences == 1).then_some(())
        });
    }
}

/// If this failed, an Immediate section would either pay twice for the Buffered ones before it, or overtake them.
#[test]
fn an_immediate_section_makes_waiting_buffered_ones_durable_with_its_one_fence() {
    let pool = WorldPool::options().volatile().unwrap();
    let mut pushed = 0;
    without_the_flusher(|| {
        let start = pool.counters().fences;
        (0..10).for_each(|value| push_buffered(&pool, value));
        let is_waiting = pool.snapshot().version() < pool.latest().version();
        push_many(&pool, 1);
        let fences = pool.counters().fences - start;
        pushed += 11;
        assert_eq!(values(&pool.snapshot().list).count(), pushed);
        assert_eq!(cost(&pool, || pool.sync().unwrap()).fences, 0, "nothing waits");
        (is_waiting && fences == 1).then_some(())
    });
}

/// If this failed, a section too large to verify by hashing would be believed without a proof, or pay without saying so.
#[test]
fn a_section_above_the_limit_has_two_fences_and_says_so() {
    let pool = WorldPool::options().limit_bytes(64 << 20).volatile().unwrap();
    let large = cost(&pool, || push_many(&pool, 70_000));
    assert_eq!((large.fases, large.fences, large.fenced_twice), (1, 2, 1));
    let small = cost(&pool, || push_many(&pool, 1));
    assert_eq!((small.fences, small.fenced_twice), (1, 0));
}

/// Lines of the nodes that the newest version has and the one before had not.
fn fresh_lines(before: &BTreeSet<u64>, pool: &WorldPool) -> u64 {
    let is_fresh = |node: &&pmem_runtime::NodeInfo| !before.contains(&node.offset);
    pool.nodes()
        .unwrap()
        .iter()
        .filter(is_fresh)
        .map(|node| (u64::from(node.len_bytes) + HEADER_BYTES).div_ceil(LINE_BYTES))
        .sum()
}

fn offsets(pool: &WorldPool) -> BTreeSet<u64> {
    pool.nodes().unwrap().iter().map(|node| node.offset).collect()
}

/// If this failed, sections would write lines back twice, or lines that nothing reads, or forget some.
#[test]
fn write_backs_equal_the_unique_dirty_lines() {
    let mut random = Random::for_test("write_backs_equal_the_unique_dirty_lines", 11);
    let pool = WorldPool::options().volatile().unwrap();
    let mut model = Model::default();
    for _ in 0..1500 {
        // The pin keeps the nodes of the version before, so that an offset seen before is a node from before.
        let pin = pool.snapshot();
        let before = offsets(&pool);
        let ops: Vec<Op> = (0..=random.below(8)).map(|_| Op::random(&mut random, 200, &model)).collect();
        let cost = cost(&pool, || {
            persist_fase!(pool, |tx, world| {
                ops.iter().for_each(|op| world.apply(tx, op));
                Ok(())
            })
            .unwrap();
        });
        model = model.after(&ops);
        assert_eq!(cost.fences, 1);
        assert_eq!(cost.lines, fresh_lines(&before, &pool) + cost.record_lines, "after {ops:?}");
        drop(pin);
    }
    assert_eq!(pool.latest().observe(), model);
}

/// If this failed, temporaries of a section would be written to the medium.
#[test]
fn nodes_dropped_again_within_the_section_cost_nothing() {
    let pool = WorldPool::options().volatile().unwrap();
    push_many(&pool, 1);
    let plain = cost(&pool, || {
        persist_fase!(pool, |_tx, world| {
            world.ticks += 1;
            Ok(())
        })
        .unwrap();
    });
    let busy = cost(&pool, || {
        persist_fase!(pool, |tx, world| {
            for value in 0..5000 {
                push(tx, &mut world.list, value);
                drop(P::new(tx, Link { value, next: None }));
            }
            for _ in 0..5000 {
                pop(tx, &mut world.list);
            }
            Ok(())
        })
        .unwrap();
    });
    assert_eq!((busy.nodes, busy.fences, busy.fenced_twice), (plain.nodes, 1, 0));
    assert_eq!(busy.lines - busy.record_lines, plain.lines - plain.record_lines);
    assert_eq!(values(&pool.latest().list).collect::<Vec<_>>(), [0]);
}

/// If this failed, the counters would agree with each other and not with what reaches the medium.
#[test]
fn the_medium_sees_each_dirty_line_written_back_once_before_the_one_fence() {
    let mut random = Random::for_test("the_medium_sees_each_dirty_line_written_back_once", 5);
    let sim = Arc::new(SimMedium::new());
    let pool = WorldPool::options().simulate_with(&sim, |_| World::default()).unwrap();
    let mut model = Model::default();
    for _ in 0..300 {
        let ops: Vec<Op> = (0..=random.below(6)).map(|_| Op::random(&mut random, 60, &model)).collect();
        let from = sim.event_count();
        let cost = cost(&pool, || {
            persist_fase!(pool, |tx, world| {
                ops.iter().for_each(|op| world.apply(tx, op));
                Ok(())
            })
            .unwrap();
        });
        model = model.after(&ops);
        if cost.background_fences > 0 {
            // A checkpoint or a growth, which has lines and fences of its own.
            continue;
        }
        let (mut stored, mut written_back, mut fences) = (BTreeSet::new(), BTreeSet::new(), 0);
        for event in &sim.events()[from..] {
            match &event.action {
                // A refcount: four bytes at the beginning of a line, which nobody writes back for its own sake (law 6).
                Action::Store { offset, bytes } if offset % LINE_BYTES == 0 && bytes.len() == 4 => {}
                Action::Store { offset, bytes } => {
                    assert_eq!(fences, 0, "a store behind the fence");
                    stored.extend(offset / LINE_BYTES..(offset + bytes.len() as u64).div_ceil(LINE_BYTES));
                }
                Action::WriteBack { offset, len_bytes } => {
                    for line in offset / LINE_BYTES..(offset + len_bytes) / LINE_BYTES {
                        assert!(written_back.insert(line), "line {line} is written back twice");
                    }
                }
                Action::Fence => fences += 1,
                other => panic!("{other:?} in a section without growth"),
            }
        }
        assert_eq!(fences, 1);
        assert_eq!(written_back.len() as u64, cost.lines);
        assert!(
            stored.is_subset(&written_back),
            "stored and not written back: {:?}",
            stored.difference(&written_back)
        );
    }
}

/// If this failed, a section would now and then hide a second fence behind another name.
#[test]
fn ordinary_sections_have_no_background_fence_and_checkpoints_are_amortised() {
    const SECTIONS: u64 = 20_000;
    let pool = WorldPool::options().volatile().unwrap();
    let mut with_background = 0;
    let total = cost(&pool, || {
        for value in 0..SECTIONS {
            let one = cost(&pool, || {
                persist_fase!(pool, |tx, world| {
                    push(tx, &mut world.list, value);
                    if value % 2 == 1 {
                        pop(tx, &mut world.list);
                        pop(tx, &mut world.list);
                    }
                    Ok(())
                })
                .unwrap();
            });
            assert_eq!(one.fences, 1, "section {value}");
            with_background += u64::from(one.background_fences > 0);
        }
    });
    let counters = pool.counters();
    println!(
        "{SECTIONS} sections: {with_background} with background fences, {} checkpoints",
        counters.checkpoints
    );
    assert!(counters.checkpoints > 0, "without a checkpoint nothing is ever reused: {counters:?}");
    assert!(counters.reclaimed > SECTIONS / 2, "little is reused: {counters:?}");
    assert!(
        with_background * 32 <= SECTIONS,
        "{with_background} of {SECTIONS} sections paid a background fence"
    );
    assert!(total.background_fences * 32 <= SECTIONS, "{total:?}");
    assert!(pool.len_bytes() <= 4 << 20, "a pool with two links grew to {} bytes", pool.len_bytes());
}
