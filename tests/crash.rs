//! Crashes at every event of simulated runs: a section is all or nothing, and durable when it returns (law 2); recovery is
//! exact, and recovering twice is recovering once (law 5).

mod support;

use std::sync::Arc;

use pmem_runtime::hw::sim::{Action, Chooser, Replay, SimMedium};
use pmem_runtime::{Durability, FaseFault, Phase, persist_fase};
use support::Random;
use support::crash::{Explorer, Mix, Plan, Run, Step, Tried, create, open, options, random_steps};
use support::model::{Model, Op};
use support::world::{WorldPool, push, values};

const PLAN: Plan = Plan { seeded: 3, lines: 2, deep_every: 64 };

fn immediate(ops: Vec<Op>) -> Step {
    Step::Section(Durability::Immediate, ops)
}

/// Records the steps on a new pool and crashes at every point of them.
fn crash_everywhere(name: &str, steps: &[Step]) -> Tried {
    let (sim, pool) = create(options());
    let run = Run::record(&sim, &pool, &Model::default(), steps);
    drop(pool);
    let mut explorer = Explorer::new(&run, PLAN, 1);
    let explored = explorer.points(run.first_point()..=run.events.len());
    println!("{name}: {} events, {:?}", run.events.len(), explorer.tried);
    explored.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    explorer.tried
}

/// If this failed, a list would lose or keep a part of a section.
#[test]
fn pushes_and_pops() {
    let mut steps: Vec<Step> = (0..8).map(|value| immediate(vec![Op::Push(value)])).collect();
    steps.extend((0..5).map(|_| immediate(vec![Op::Pop])));
    steps.push(immediate((0..40).map(Op::Push).collect()));
    steps.push(immediate(vec![Op::Clear]));
    let tried = crash_everywhere("pushes_and_pops", &steps);
    assert!(tried.in_flight > 10, "sections under way are sometimes whole on the medium: {tried:?}");
}

/// If this failed, a copied path would be published without its nodes.
#[test]
fn copied_paths_of_a_tree() {
    let mut random = Random::for_test("copied_paths_of_a_tree", 3);
    let insert = |key: u64| Op::Insert(key * 7 % 31, key);
    let mut steps = vec![immediate((0..31).map(insert).collect())];
    steps.extend((0..25).map(|_| {
        let key = random.below(40);
        immediate(vec![if random.one_in(3) { Op::Remove(key) } else { Op::Insert(key, random.next()) }])
    }));
    crash_everywhere("copied_paths_of_a_tree", &steps);
}

/// If this failed, a version shared with an older one would lose what it shares.
#[test]
fn shared_versions() {
    let mut steps = vec![immediate((0..12).map(|key| Op::Insert(key, key)).collect())];
    for round in 0..5 {
        let place = round as usize % 3;
        steps.push(immediate(vec![Op::Keep(place)]));
        steps.push(immediate(vec![Op::Insert(round, 100 + round), Op::Remove(11 - round)]));
        steps.push(immediate(vec![Op::Restore((place + 1) % 3), Op::Insert(50 + round, 1)]));
        steps.push(immediate(vec![Op::Double, Op::Forget((place + 2) % 3)]));
    }
    crash_everywhere("shared_versions", &steps);
}

/// If this failed, a crash would take a buffered section and leave a later one, or take what a sync had promised.
#[test]
fn buffered_sections_and_syncs() {
    let mut steps = Vec::new();
    for round in 0..6_u64 {
        steps.extend(
            (0..4).map(|value| Step::Section(Durability::Buffered, vec![Op::Push(round * 10 + value)])),
        );
        match round % 3 {
            0 => steps.push(Step::Sync),
            1 => steps.push(immediate(vec![Op::Insert(round, round)])),
            _ => steps.push(Step::Aborted(vec![Op::Push(99), Op::Clear])),
        }
    }
    crash_everywhere("buffered_sections_and_syncs", &steps);
}

/// If this failed, some mixture of everything would lose something.
#[test]
fn random_sections_of_all_kinds() {
    let mut random = Random::for_test("random_sections_of_all_kinds", 4);
    for round in 0..3 {
        let steps = random_steps(&mut random, &Model::default(), 40, Mix { buffered: 4, ops: 4 });
        crash_everywhere(&format!("random_sections_of_all_kinds {round}"), &steps);
    }
}

/// If this failed, a checkpoint would free a ring line or a node that recovery still needs.
#[test]
fn checkpoints_reuse_of_lines_and_laps_of_the_ring() {
    let mut random = Random::for_test("checkpoints_reuse_of_lines_and_laps_of_the_ring", 5);
    // No room to grow: what is retired must be used again soon.
    let (sim, pool) = create(options().limit_bytes(WorldPool::MIN_BYTES));
    let steps = random_steps(&mut random, &Model::default(), 1200, Mix { buffered: 5, ops: 3 });
    let run = Run::record(&sim, &pool, &Model::default(), &steps);
    let counters = pool.counters();
    drop(pool);
    println!("{} events, {counters:?}", run.events.len());
    assert!(counters.checkpoints > 3 && counters.reclaimed > 1000, "{counters:?}");
    let mut explorer = Explorer::new(&run, PLAN, 2);
    // Around each of some checkpoints, and at the end, where all lines have been used several times.
    let stride = run.checkpoints.len().div_ceil(6);
    for at in run.checkpoints.iter().step_by(stride) {
        let points = at.saturating_sub(40)..=run.events.len().min(at + 60);
        explorer.points(points).unwrap_or_else(|wrong| panic!("around the checkpoint at {at}: {wrong}"));
    }
    explorer.points(run.events.len() - 100..=run.events.len()).unwrap();
    println!("checkpoints: {:?}", explorer.tried);
}

/// Crashes around each fence of the run: large sections have an event for each node, one much like the other.
fn crash_around_fences(name: &str, run: &Run, plan: Plan) {
    let mut explorer = Explorer::new(run, plan, 3);
    let is_fence = |at: &usize| matches!(run.events[*at].action, Action::Fence);
    let fences: Vec<usize> = (run.first_point()..run.events.len()).filter(is_fence).collect();
    for fence in fences {
        let points = fence.saturating_sub(10).max(run.first_point())..=run.events.len().min(fence + 10);
        explorer
            .points(points)
            .unwrap_or_else(|wrong| panic!("{name}, around the fence at {fence}: {wrong}"));
    }
    println!("{name}: {} events, {:?}", run.events.len(), explorer.tried);
}

/// If this failed, what a commit reclaims in shares, after the share that followed its checkpoint, would be reused while the
/// watermark is still behind it: the root that recovery finds could reach lines that hold something else.
#[test]
fn shares_of_a_large_drop_are_reused_behind_the_watermark_only() {
    // More nodes than one share, in a pool that cannot grow: later sections live on what the shares free.
    const NODES: u64 = 20_000;
    let (sim, pool) = create(options().size_bytes(2 << 20).limit_bytes(2 << 20));
    let mut steps = vec![immediate((0..NODES).map(Op::Push).collect()), immediate(vec![Op::Clear])];
    // Enough garbage for a checkpoint, whose share leaves most of the list waiting; then sections that replace nodes.
    steps.push(immediate((0..6).map(|key| Op::Insert(key, key)).collect()));
    let churn = |round: u64| immediate(vec![Op::Insert(round % 6, round), Op::Push(round), Op::Pop]);
    steps.extend((0..1300).map(churn));
    let run = Run::record(&sim, &pool, &Model::default(), &steps);
    let counters = pool.counters();
    assert!(counters.reclaimed > NODES, "{counters:?}");
    drop(pool);
    let mut explorer = Explorer::new(&run, Plan { seeded: 2, lines: 1, deep_every: 400 }, 6);
    for at in &run.checkpoints[1..] {
        let points = at.saturating_sub(30)..=run.events.len().min(at + 120);
        explorer.points(points).unwrap_or_else(|wrong| panic!("around the checkpoint at {at}: {wrong}"));
    }
    println!("shares: {} events, {counters:?}, {:?}", run.events.len(), explorer.tried);
}

/// If this failed, a section too large for its hash would be believed before its nodes are there.
#[test]
fn large_sections_with_two_fences() {
    let (sim, pool) = create(options().size_bytes(6 << 20));
    let steps = [
        immediate(vec![Op::Push(1)]),
        immediate((0..70_000).map(Op::Push).collect()),
        immediate(vec![Op::Pop]),
    ];
    let run = Run::record(&sim, &pool, &Model::default(), &steps);
    assert_eq!(pool.counters().fenced_twice, 1, "{:?}", pool.counters());
    drop(pool);
    crash_around_fences("large", &run, Plan { seeded: 1, lines: 0, deep_every: u64::MAX });
}

/// If this failed, a section in more pieces than its record can name would be believed before its nodes are there.
#[test]
fn scattered_sections_with_two_fences() {
    let (sim, pool) = create(options().limit_bytes(WorldPool::MIN_BYTES));
    let mut random = Random::new(1);
    let padding = loop {
        if let op @ Op::Pad(_) = Op::random(&mut random, 1, &Model::default()) {
            break op;
        }
    };
    // Two lists, link by link beside each other; then one of them goes.
    let mut steps = vec![immediate(vec![padding])];
    steps.push(immediate((0..900).flat_map(|value| [Op::Push(value), Op::Grow(value)]).collect()));
    steps.push(immediate(vec![Op::Clear]));
    steps.push(immediate((0..1400).map(Op::Push).collect()));
    steps.push(immediate(vec![Op::Pop, Op::Tick]));
    let run = Run::record(&sim, &pool, &Model::default(), &steps);
    assert_eq!(pool.counters().fenced_twice, 1, "{:?}", pool.counters());
    drop(pool);
    crash_around_fences("scattered", &run, Plan { seeded: 2, lines: 2, deep_every: 100 });
}

/// If this failed, a crash while the pool grows would cost the pool.
#[test]
fn growth() {
    let (sim, pool) = create(options());
    let steps: Vec<Step> =
        (0..12).map(|round| immediate((0..600).map(|i| Op::Push(round * 600 + i)).collect())).collect();
    let run = Run::record(&sim, &pool, &Model::default(), &steps);
    assert!(pool.counters().growths > 1, "{:?}", pool.counters());
    drop(pool);
    let is_growth = |event: &pmem_runtime::hw::sim::Event| matches!(event.action, Action::GrowStarted { .. });
    let growths: Vec<usize> = (0..run.events.len()).filter(|at| is_growth(&run.events[*at])).collect();
    let mut explorer = Explorer::new(&run, PLAN, 4);
    for at in growths {
        let points = at.saturating_sub(10).max(run.first_point())..=run.events.len().min(at + 25);
        explorer.points(points).unwrap_or_else(|wrong| panic!("growth at {at}: {wrong}"));
    }
    println!("growth: {} events, {:?}", run.events.len(), explorer.tried);
}

/// If this failed, a crash during creation would leave something that is neither a pool nor nothing.
#[test]
fn creation() {
    let (sim, pool) = create(options());
    let run = Run::record(&sim, &pool, &Model::default(), &[]);
    drop(pool);
    let mut explorer = Explorer::new(&run, Plan { deep_every: 8, ..PLAN }, 5);
    explorer.points(0..=run.events.len()).unwrap();
    println!("creation: {} events, {:?}", run.events.len(), explorer.tried);
}

/// If this failed, a clean close would promise what is not there yet.
#[test]
fn close_and_reopen() {
    let mut random = Random::for_test("close_and_reopen", 6);
    let (sim, pool) = create(options());
    let steps = random_steps(&mut random, &Model::default(), 30, Mix { buffered: 3, ops: 4 });
    let mut run = Run::record(&sim, &pool, &Model::default(), &steps);
    let from = run.events.len();
    pool.close().unwrap();
    run.events = sim.events();
    assert!(run.events.len() > from + 2, "a clean close writes");
    let mut explorer = Explorer::new(&run, Plan { deep_every: 16, ..PLAN }, 6);
    explorer.points(from..=run.events.len()).unwrap();
    println!("close: {} events, {:?}", run.events.len() - from, explorer.tried);
}

/// If this failed, a clean close would vouch for a bitmap or counts that the medium does not have, and an open that trusts it
/// would share a node as if it had one owner.
#[test]
fn a_trusted_clean_close_is_whole_on_the_medium() {
    let (sim, pool) = create(options());
    let inserts: Vec<Op> = (0..12).map(|key| Op::Insert(key, key)).collect();
    let mut sections = vec![inserts];
    sections.extend([Op::Keep(0), Op::Insert(3, 9), Op::Keep(1), Op::Remove(7)].map(|op| vec![op]));
    let expected = sections.iter().fold(Model::default(), |model, ops| model.after(ops));
    let steps: Vec<Step> = sections.into_iter().map(immediate).collect();
    Run::record(&sim, &pool, &Model::default(), &steps);
    pool.close().unwrap();
    let image = sim.crash_image(sim.event_count(), Chooser::None);
    let left = Arc::new(SimMedium::from_image(image));
    // SAFETY: nobody but the pool has written the image.
    let reopened = unsafe { options().trust_clean_close() }.open_simulated(&left).unwrap();
    assert!(reopened.recovery().phases.iter().all(|(phase, _)| *phase != Phase::Mark), "it was not trusted");
    assert_eq!(reopened.snapshot().observe(), expected);
    support::degrees::assert_exact(&reopened);
}

/// If this failed, a medium that lost what was synced would be taken for a crash, and an older version be served in silence.
#[test]
fn a_lost_record_below_a_claim_is_an_error() {
    let (sim, pool) = create(options());
    let run = Run::record(&sim, &pool, &Model::default(), &teeth_steps());
    drop(pool);
    let mut image = sim.crash_image(run.events.len(), Chooser::None);
    // The creation has ticket 1. Of the sections' records the last is claimed by nobody.
    let last = 1 + teeth_steps().len() as u64;
    let record_of = |image: &[u8], ticket: u64| {
        let is_there = |line: &[u8]| line[0] == 0xA7 && line[8..16] == ticket.to_le_bytes();
        image.chunks(64).position(is_there).expect("a record") * 64
    };
    let at = record_of(&image, last);
    image[at..at + 64].fill(0);
    assert!(
        open(image.clone()).is_ok(),
        "nothing tells the loss of the last one from a crash before its fence"
    );
    let at = record_of(&image, last - 3);
    image[at..at + 64].fill(0);
    let wrong = open(image).map(|_| "it opens").unwrap_err();
    assert!(wrong.contains("is missing although later records say that it was durable"), "{wrong}");
}

/// If this failed, a pool would go on after the medium lost something, and lose more.
#[test]
fn a_failing_fence_poisons_the_pool_and_reopening_recovers() {
    let mut random = Random::for_test("a_failing_fence_poisons_the_pool", 7);
    let mut states = 0;
    for nth in 1..40 {
        let (sim, pool) = create(options());
        let mut model = Model::default();
        sim.fail_fence(nth);
        // The last version that was promised, and the one that may or may not have happened.
        let mut promised = model.clone();
        let (fault, doubtful) = loop {
            let ops: Vec<Op> = (0..3).map(|_| Op::random(&mut random, 40, &model)).collect();
            let next = model.after(&ops);
            let durability = if random.one_in(3) { Durability::Buffered } else { Durability::Immediate };
            let result =
                pool.fase(durability, |tx, world: &mut support::world::World<'_>| -> Result<(), FaseFault> {
                    ops.iter().for_each(|op| world.apply(tx, op));
                    Ok(())
                });
            match result {
                Ok(()) if durability == Durability::Immediate => promised = next.clone(),
                Ok(()) => {}
                Err(fault) => break (fault, next),
            }
            model = next;
        };
        assert!(matches!(fault, FaseFault::Poisoned { .. }), "{fault}");
        let later = persist_fase!(pool, |tx, world| -> Result<(), FaseFault> {
            push(tx, &mut world.list, 1);
            Ok(())
        });
        assert!(matches!(later, Err(FaseFault::Poisoned { .. })), "{later:?}");
        assert!(matches!(pool.sync(), Err(FaseFault::Poisoned { .. })));
        let seen = pool.snapshot().observe();
        assert!(seen.ticks >= promised.ticks, "what was promised is still shown");
        pool.close().unwrap_err();
        let mut replay = Replay::new(sim.initial_image());
        sim.events().iter().for_each(|event| replay.apply(event));
        let choosers = (0..6).map(Chooser::Seeded).chain([Chooser::None, Chooser::All]);
        for chooser in choosers {
            states += 1;
            let (_, pool) =
                open(replay.image(chooser)).unwrap_or_else(|wrong| panic!("fence {nth}: {wrong}"));
            let found = pool.snapshot().observe();
            // Buffered sections since the promise may be there, each with all before it: ticks count them.
            assert!(
                (promised.ticks..=doubtful.ticks).contains(&found.ticks),
                "fence {nth}, {chooser:?}: {} ticks were promised, {} are there",
                promised.ticks,
                found.ticks
            );
            if found.ticks == promised.ticks {
                assert_eq!(found, promised);
            }
            if found.ticks == doubtful.ticks {
                assert_eq!(found, doubtful);
            }
            assert!(found.ticks >= seen.ticks, "a snapshot showed what the crash took");
            support::degrees::assert_exact(&pool);
            persist_fase!(pool, |tx, world| {
                push(tx, &mut world.list, 1);
                Ok(())
            })
            .unwrap();
        }
    }
    println!("failing fences: {states} states");
}

/// If this failed, growth that failed in the middle of a section would cost more than that section.
#[test]
fn a_failing_growth_fails_its_section_and_nothing_else() {
    // One block from its limit: there is one length to try, not a second, lesser one after the first failed.
    let (sim, pool) = create(options().limit_bytes(WorldPool::MIN_BYTES + (32 << 10)));
    let mut pushed = 0_u64;
    let mut refused = 0;
    while pool.counters().growths == 0 {
        let result = persist_fase!(pool, |tx, world| -> Result<(), FaseFault> {
            for index in 0..300 {
                if refused == 0 {
                    sim.fail_allocate();
                }
                push(tx, &mut world.list, pushed + index);
            }
            Ok(())
        });
        match result {
            Ok(()) => pushed += 300,
            Err(FaseFault::OutOfSpace { .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
        assert!(values(&pool.snapshot().list).eq((0..pushed).rev()));
    }
    assert_eq!(refused, 1, "as long as growths failed, one section was to fail, and none after it");
    let (_, reopened) = open(sim.crash_image(sim.event_count(), Chooser::None)).unwrap();
    assert!(values(&reopened.snapshot().list).eq((0..pushed).rev()));
    support::degrees::assert_exact(&reopened);
}

/// A run whose log can be tampered with.
fn tampered(steps: &[Step], keep: impl Fn(usize, &Action, &SimMedium) -> bool) -> Result<Tried, String> {
    let (sim, pool) = create(options());
    let mut run = Run::record(&sim, &pool, &Model::default(), steps);
    let from = run.first_point();
    drop(pool);
    for index in from..run.events.len() {
        if !keep(index, &run.events[index].action, &sim) {
            // Replaced and not removed, so that points keep their numbers.
            run.events[index].action = Action::WriteBack { offset: 0, len_bytes: 0 };
        }
    }
    let mut explorer = Explorer::new(&run, Plan { seeded: 4, lines: 4, deep_every: u64::MAX }, 8);
    explorer.points(from..=run.events.len()).map(|()| explorer.tried)
}

fn teeth_steps() -> Vec<Step> {
    (0..6).map(|value| immediate(vec![Op::Push(value), Op::Insert(value, value)])).collect()
}

/// If this failed, the harness would pass a runtime that never fences.
#[test]
fn a_log_without_its_fences_is_noticed() {
    tampered(&teeth_steps(), |_, _, _| true).unwrap();
    let fences = |_: usize, action: &Action, _: &SimMedium| !matches!(action, Action::Fence);
    println!("{}", tampered(&teeth_steps(), fences).unwrap_err());
}

/// If this failed, the harness would pass a runtime that forgets one write-back among many.
#[test]
fn a_log_without_one_of_its_write_backs_is_noticed() {
    let (sim, pool) = create(options());
    let run = Run::record(&sim, &pool, &Model::default(), &teeth_steps());
    drop(pool);
    let is_write_back = |at: &usize| matches!(run.events[*at].action, Action::WriteBack { .. });
    let write_backs: Vec<usize> = (run.first_point()..run.events.len()).filter(is_write_back).collect();
    assert!(write_backs.len() >= 12, "nodes and a record for each section: {}", write_backs.len());
    for lost in write_backs {
        let result = tampered(&teeth_steps(), |index, _, _| index != lost);
        assert!(
            result.is_err(),
            "the write-back at event {lost} can be lost, and no state shows it: {result:?}"
        );
    }
}

/// If this failed, the harness would pass a runtime that acknowledges before its fence.
#[test]
fn a_fence_that_comes_too_late_is_noticed() {
    let (sim, pool) = create(options());
    let mut run = Run::record(&sim, &pool, &Model::default(), &teeth_steps());
    drop(pool);
    let from = run.first_point();
    let fences: Vec<usize> =
        (from..run.events.len()).filter(|at| matches!(run.events[*at].action, Action::Fence)).collect();
    // The fence changes places with the next section's first store.
    let fence = fences[2];
    assert!(matches!(run.events[fence + 1].action, Action::Store { .. }));
    run.events.swap(fence, fence + 1);
    let mut explorer = Explorer::new(&run, PLAN, 9);
    let noticed = explorer.points(from..=run.events.len());
    println!("{}", noticed.unwrap_err());
}

/// If this failed, a lost line of a live node would be lent to the program as if it were whole.
#[test]
fn a_lost_line_of_a_durable_node_is_noticed() {
    let (sim, pool) = create(options());
    let ops: Vec<Op> = (0..40).map(|value| Op::Push(value + 1)).collect();
    let run =
        Run::record(&sim, &pool, &Model::default(), &[immediate(ops), Step::Sync, immediate(vec![Op::Tick])]);
    let nodes = pool.nodes().unwrap();
    let whole = sim.crash_image(run.events.len(), Chooser::None);
    drop(pool);
    let expected = open(whole.clone()).unwrap().1.snapshot().observe();
    for node in &nodes {
        let lines = (node.len_bytes as usize + 16).div_ceil(64);
        for line in 0..lines {
            let start = node.offset as usize + line * 64;
            let mut image = whole.clone();
            if image[start..start + 64].iter().all(|byte| *byte == 0) {
                continue;
            }
            image[start..start + 64].fill(0);
            let noticed = match open(image) {
                Err(_) => true,
                Ok((_, pool)) => pool.check().is_err() || pool.snapshot().observe() != expected,
            };
            assert!(noticed, "line {line} of the {} at {:#x} is gone", node.type_name, node.offset);
        }
    }
}
