//! Faults planted in logs, one for each rule that has no test yet: what each rule is for must be noticed by it.

use std::collections::BTreeSet;

use super::decisive::Decisive;
use super::explore::{Effort, Explorer};
use super::judge;
use super::record::{Faults, Task};
use super::run::Run;
use super::tests::Twin;
use super::watch::watch;
use super::{Model, Persistence, Plan, Random};
use crate::commit::Durability;
use crate::hw::sim::{Action, Chooser, Event, Note, Replay, SimThread};

/// A long run on a pool with hardly any room, which tidies up all the time.
fn narrow(name: &str, index: u64, ops: u64) -> (Plan, Run<Twin>) {
    let plan = Plan::new(name);
    let mut random = Random::new(index);
    let mut left = ops;
    let run = Run::record(&plan, index, Faults::None, |model: &Twin| {
        left = left.checked_sub(1)?;
        Some(Task::Op(model.random(&mut random)))
    });
    (plan, run.unwrap())
}

/// Nothing, in the place of an event.
fn undo(event: &mut Event) {
    event.action = Action::WriteBack { offset: 0, len_bytes: 0 };
}

/// If this failed, a runtime that reuses what its horizon calls durable, before a checkpoint on the medium has settled it, would
/// pass.
#[test]
fn the_watch_notices_reuse_before_the_checkpoint_is_on_the_medium() {
    let (_, run) = narrow("reuse before the checkpoint", 1, 60);
    assert!(watch(&run).unwrap().reuses > 20);
    let mut early = run.clone();
    for event in &mut early.events[run.created_at()..] {
        // Records stay durable as before, so the horizon moves; only the checkpoints are never written back.
        if let Action::WriteBack { offset, .. } = event.action
            && run.geometry.checkpoint.contains(&offset)
        {
            undo(event);
        }
    }
    let wrong = watch(&early).unwrap_err();
    assert!(wrong.contains("early reuse") && wrong.contains("oldest checkpoint"), "{wrong}");
}

/// If this failed, a checkpoint written over the newest one, and torn, would take the pool back to what was reused.
#[test]
fn the_watch_notices_a_checkpoint_written_over_the_newest_one() {
    let (_, run) = narrow("over the newest", 1, 60);
    let is_slot = |at: &usize| match &run.events[*at].action {
        Action::Store { offset, .. } => run.geometry.checkpoint.contains(offset),
        _ => false,
    };
    let slots: Vec<usize> = (run.created_at()..run.closing_from).filter(is_slot).collect();
    assert!(slots.len() > 3, "{slots:?}");
    let place = |at: usize| match &run.events[at].action {
        Action::Store { offset, .. } => *offset,
        _ => unreachable!(),
    };
    let mut over = run.clone();
    let (newest, next) = (place(slots[1]), slots[2]);
    assert_ne!(newest, place(next), "slots are written alternately");
    if let Action::Store { offset, .. } = &mut over.events[next].action {
        *offset = newest;
    }
    let wrong = watch(&over).unwrap_err();
    assert!(wrong.contains("go back to the checkpoint"), "{wrong}");
}

/// If this failed, what a snapshot reads would be handed out while it is held, and only luck would show it.
#[test]
fn the_watch_notices_reuse_under_a_snapshot() {
    let mut noticed = 0;
    for index in [1, 4, 7, 10] {
        let (_, run) = narrow("under a snapshot", index, 80);
        watch(&run).unwrap();
        let mut kept = run.clone();
        // The same run, with snapshots that were held to the end: the runtime did not wait for them.
        kept.notes.retain(|noted| !matches!(noted.note, Note::Unpinned { .. }));
        if let Err(wrong) = watch(&kept) {
            assert!(wrong.contains("a snapshot of version"), "{wrong}");
            noticed += 1;
        }
    }
    assert!(noticed > 1, "{noticed}");
}

/// If this failed, a recovery that builds on what it merely read would pass: what it showed would be gone with the power.
#[test]
fn a_found_version_that_is_not_made_durable_is_noticed_by_the_watch_and_by_states() {
    let plan = Plan { durability: Durability::Buffered, ..Plan::new("found") };
    let (mut by_watch, mut by_states) = (0, 0);
    for index in 0..24 {
        let (run, _) = plan.killed::<Twin>(index).unwrap();
        let death = run.deaths[0];
        if death.is_moved || run.deaths.len() > 1 {
            continue;
        }
        let is_node = |event: &Event| match event.action {
            Action::WriteBack { offset, .. } => offset >= run.geometry.heap_offset,
            _ => false,
        };
        // The nodes of the records that were found, written back by the opening.
        let found: Vec<usize> = (death.at..death.recovered).filter(|at| is_node(&run.events[*at])).collect();
        if found.is_empty() {
            continue;
        }
        let mut broken = run.clone();
        found.iter().for_each(|at| undo(&mut broken.events[*at]));
        by_watch += u64::from(watch(&broken).is_err());
        let effort = Effort { states: 6, thorough_every: u64::MAX };
        let mut explorer = Explorer::new(&plan, Persistence::Chunk8);
        explorer.points(&run, death.at..=death.recovered, 1, effort).unwrap();
        let mut explorer = Explorer::new(&plan, Persistence::Chunk8);
        by_states += u64::from(explorer.points(&broken, death.at..=death.recovered, 1, effort).is_err());
    }
    assert!(by_watch > 2 && by_states > 2, "{by_watch} by the watch, {by_states} by states");
}

/// If this failed, a flusher that counts on write-backs of another thread would pass.
#[test]
fn a_fence_by_another_thread_is_noticed() {
    let plan = Plan { durability: Durability::Buffered, ..Plan::new("another thread's fence") };
    let mut noticed = 0;
    for index in 0..4 {
        let run = plan.concurrent::<Twin>(index).unwrap();
        watch(&run).unwrap();
        let threads: BTreeSet<SimThread> = run.events.iter().map(|event| event.thread).collect();
        assert!(threads.len() >= 3, "the creator, and two that run: {threads:?}");
        let is_fence = |at: &usize| run.events[*at].action == Action::Fence;
        for fence in (run.created_at()..run.closing_from).filter(is_fence) {
            let mut broken = run.clone();
            let own = run.events[fence].thread;
            broken.events[fence].thread = *threads.iter().find(|thread| **thread != own).unwrap();
            noticed += u64::from(watch(&broken).is_err());
        }
    }
    assert!(noticed > 4, "{noticed}");
}

/// What recovery decides of a state: the value, the records that it believed, and the ticket that it goes on from.
fn decided(plan: &Plan, image: Vec<u8>) -> (String, u64, u64) {
    let opened = judge::open::<Twin>(plan, image).unwrap_or_else(|wrong| panic!("{}", wrong.into_text()));
    let recovery = opened.pool.recovery();
    (format!("{:?}", opened.found), recovery.records_replayed, recovery.watermark)
}

/// If this failed, recovery would come to a decision that no state of those few shows, which are tried first.
#[test]
fn the_decisive_states_show_every_decision_that_hundreds_of_others_show() {
    let plan = Plan { durability: Durability::Buffered, ..Plan::new("decisive") };
    let mut random = Random::new(5);
    let mut left = 14;
    let run = Run::record(&plan, 2, Faults::None, |model: &Twin| {
        left -= 1;
        (left > 0).then(|| if left == 7 { Task::Sync } else { Task::Op(model.random(&mut random)) })
    })
    .unwrap();
    let mut replay = Replay::new(Vec::new());
    let (mut tried, mut others, mut shown) = (0, 0, 0);
    for (index, event) in run.events.iter().enumerate() {
        replay.apply(event);
        let point = index + 1;
        if point < run.created_at() || !point.is_multiple_of(9) {
            continue;
        }
        let states = Decisive::of(&replay, &run.events, &run.geometry);
        let by_few: BTreeSet<_> = (0..states.len())
            .map(|index| decided(&plan, replay.image_with(&states.state(&replay, index, &mut random))))
            .collect();
        let corners = [Chooser::All, Chooser::None].into_iter();
        let by_many: BTreeSet<_> = corners
            .chain((0..150).map(Chooser::Seeded))
            .map(|chooser| decided(&plan, replay.image(chooser)))
            .collect();
        tried += states.len();
        others += 152;
        shown += by_few.len();
        assert!(by_many.is_subset(&by_few), "point {point}: {by_many:?} are not all among {by_few:?}");
    }
    println!("{tried} decisive states show {shown} decisions; {others} others show no more");
    assert!(shown > 40 && tried < others, "{shown} decisions by {tried} states, {others} others");
    let nothing = Replay::new(Vec::new());
    assert_eq!(Decisive::of(&nothing, &[], &run.geometry).len(), 1);
}
