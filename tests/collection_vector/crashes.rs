//! A script of sections on a simulated medium, cut off at every event.

use std::collections::VecDeque;
use std::sync::Arc;

use pmem_runtime::hw::sim::{Action, Chooser, Replay, SimMedium};
use pmem_runtime::{FaseError, Options, Pool, persist_fase};

use super::support::Random;
use super::{Model, World, compare, exact, step};

fn options() -> Options<World<'static, u64>> {
    Pool::options()
        .size_bytes(Pool::<World<'static, u64>>::MIN_BYTES)
        .reserve_bytes(64 << 20)
        .threads(1)
        .seed(77)
        .verify_checksums(true)
}

/// If this failed, a section on a vector would be half done after a crash, or not there although it had returned.
#[test]
fn a_crash_at_any_event_leaves_a_version() {
    let mut random = Random::for_test("a_crash_at_any_event_leaves_a_version", 9);
    let sim = Arc::new(SimMedium::new());
    let pool = options().simulate_with(&sim, |_| World::default()).unwrap();
    let mut model: Model<u64> = Model { vector: VecDeque::new(), kept: [VecDeque::new(), VecDeque::new()] };
    let mut returns = vec![(sim.event_count(), model.clone())];
    for _ in 0..60 {
        (model, random) = persist_fase!(pool, |tx, world| -> Result<_, FaseError> {
            let (mut after, mut random) = (model.clone(), random.clone());
            for _ in 0..2 {
                step(tx, world, &mut after, &mut random, 250);
            }
            Ok((after, random))
        })
        .unwrap();
        returns.push((sim.event_count(), model.clone()));
    }
    let events = sim.events();
    drop(pool);
    let mut replay = Replay::new(sim.initial_image());
    let mut states = 0;
    for point in 0..=returns.last().unwrap().0 {
        if let Some(last) = point.checked_sub(1) {
            replay.apply(&events[last]);
        }
        if point < returns[0].0 {
            continue;
        }
        // What a write-back alone changes is seen at the next store or fence.
        let is_write_back = matches!(events[point - 1].action, Action::WriteBack { .. });
        let seeded = Chooser::Seeded(random.next());
        let choosers: &[Chooser] =
            if is_write_back { &[seeded] } else { &[Chooser::None, Chooser::All, seeded] };
        let done = returns.iter().rposition(|(events, _)| *events <= point).unwrap();
        for chooser in choosers {
            states += 1;
            let left = Arc::new(SimMedium::from_image(replay.image(*chooser)));
            let pool = options().open_simulated(&left).unwrap();
            assert_eq!(pool.check().unwrap().unreachable_lines, 0);
            let found = Model::found(&pool.snapshot());
            let permitted = &returns[done..returns.len().min(done + 2)];
            let version = permitted.iter().find(|(_, model)| *model == found);
            let Some((_, model)) = version else {
                panic!("after {point} events, {chooser:?}: {found:?} is no version from {done} on")
            };
            compare(&pool.snapshot(), model);
        }
    }
    println!("{} events, {states} states", events.len());
    assert!(states > 300);
    let pool = options()
        .open_simulated(&Arc::new(SimMedium::from_image(sim.crash_image(sim.event_count(), Chooser::All))))
        .unwrap();
    exact(&pool);
}

impl Model<u64> {
    fn found(world: &World<'_, u64>) -> Self {
        let twin = |vector: &pmem_runtime::collections::Vector<'_, u64>| vector.iter().copied().collect();
        Model { vector: twin(&world.vector), kept: [twin(&world.kept[0]), twin(&world.kept[1])] }
    }
}
