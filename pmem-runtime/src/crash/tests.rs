//! Tests of the tester: it must find what is planted, say where it is, and find nothing else.

use super::explore::{Effort, Explorer};
use super::record::{Faults, Task};
use super::run::Run;
use super::watch::watch;
use super::{At, Evidence, Exploration, Failure, Model, Persistence, Plan, Random};
use crate::hw::sim::{Action, Note};
use crate::{Fase, FaseError, P, Persistent, Pool, abort, persist_fase};

#[derive(Persistent)]
#[repr(C)]
pub(super) struct Link<'p> {
    value: u64,
    next: Option<P<'p, Link<'p>>>,
}

#[derive(Persistent, Default)]
#[repr(C)]
pub(super) struct Root<'p> {
    list: Option<P<'p, Link<'p>>>,
    sum: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Twin {
    values: Vec<u64>,
    sum: u64,
}

#[derive(Clone, Debug)]
pub(super) enum Op {
    Push(u64),
    Pop,
    /// Changes the head in place, on a path copy.
    Add(u64),
}

impl Twin {
    fn change<'f>(tx: &Fase<'f>, root: &mut Root<'f>, op: &Op) -> Result<(), FaseError> {
        match op {
            Op::Push(value) => {
                let next = root.list.take();
                root.list = Some(P::new(tx, Link { value: *value, next }));
                root.sum += value;
            }
            Op::Pop => {
                let Some(head) = root.list.take() else { abort!("empty") };
                let Link { value, next } = head.take(tx);
                root.list = next;
                root.sum -= value;
            }
            Op::Add(more) => {
                let Some(head) = &mut root.list else { abort!("empty") };
                head.make_mut(tx).value += more;
                root.sum += more;
            }
        }
        Ok(())
    }
}

impl Model for Twin {
    type Root = Root<'static>;
    type Op = Op;

    fn create<'f>(_tx: &'f Fase<'f>) -> Root<'f> {
        Root::default()
    }

    fn run(pool: &Pool<Root<'static>>, op: &Op) -> Result<(), FaseError> {
        persist_fase!(pool, |tx, root| { Twin::change(tx, root, op) })
    }

    fn apply(&mut self, op: &Op) {
        match op {
            Op::Push(value) => self.values.push(*value),
            Op::Pop => {
                self.values.pop();
            }
            Op::Add(more) => {
                if let Some(last) = self.values.last_mut() {
                    *last += more;
                }
            }
        }
        self.sum = self.values.iter().sum();
    }

    fn observe(root: &At<'_, Self>) -> Self {
        let mut values = Vec::new();
        let mut next = &root.list;
        while let Some(link) = next {
            values.push(link.value);
            next = &link.next;
        }
        values.reverse();
        Twin { values, sum: root.sum }
    }

    fn ops() -> Vec<Op> {
        vec![Op::Push(1), Op::Push(20), Op::Pop, Op::Add(3)]
    }

    fn random(&self, random: &mut Random) -> Op {
        match random.below(5) {
            0 | 1 => Op::Push(random.below(100)),
            2 => Op::Pop,
            _ => Op::Add(random.below(9)),
        }
    }
}

/// The same, with an invariant (the sum) that is true only after a second section.
#[derive(Clone, Debug, PartialEq)]
struct TwoSections(Twin);

impl Model for TwoSections {
    type Root = Root<'static>;
    type Op = Op;

    fn create<'f>(_tx: &'f Fase<'f>) -> Root<'f> {
        Root::default()
    }

    fn run(pool: &Pool<Root<'static>>, op: &Op) -> Result<(), FaseError> {
        let sum = pool.latest().sum;
        let changed = persist_fase!(pool, |tx, root| { Twin::change(tx, root, op).map(|()| root.sum) })?;
        let half = persist_fase!(pool, |_tx, root| { Ok(std::mem::replace(&mut root.sum, sum)) })?;
        assert_eq!(half, changed);
        persist_fase!(pool, |_tx, root| {
            root.sum = changed;
            Ok(())
        })
    }

    fn apply(&mut self, op: &Op) {
        self.0.apply(op);
    }

    fn observe(root: &At<'_, Self>) -> Self {
        TwoSections(Twin::observe(root))
    }

    fn ops() -> Vec<Op> {
        Twin::ops()
    }
}

fn explored(name: &str, exploration: Exploration, states: u64) -> Evidence {
    let evidence = Plan::new(name).states(states).explore::<Twin>(exploration);
    evidence.unwrap_or_else(|failure| panic!("{failure}"))
}

/// If this failed, a right program would be called wrong, or hardly be looked at.
#[test]
fn a_right_program_passes_every_exploration() {
    for exploration in Exploration::ALL {
        let evidence = explored(&format!("right, {exploration:?}"), exploration, 600);
        println!("{exploration:?}: {evidence}");
        assert!(evidence.states >= 500, "{exploration:?}: {evidence}");
        assert!(evidence.points_hit > 0 && evidence.outcomes > 3, "{exploration:?}: {evidence}");
        match exploration {
            Exploration::FailingSyncs => assert!(evidence.faults > 5, "{evidence}"),
            Exploration::RefusedGrowth => assert!(evidence.faults > 0 && evidence.growths > 0, "{evidence}"),
            Exploration::ProcessDeath => assert!(evidence.deaths > 5, "{evidence}"),
            _ => {}
        }
        if exploration != Exploration::FailingSyncs {
            assert!(evidence.publications > 20 && evidence.handed_out > 40, "{exploration:?}: {evidence}");
        }
        if matches!(exploration, Exploration::LongRuns | Exploration::Buffered | Exploration::OtherMedia) {
            assert!(evidence.reuses > 20 && evidence.pinned_reuses > 0, "{exploration:?}: {evidence}");
        }
    }
}

/// If this failed, "every short sequence, a crash after every event" would be a wish.
#[test]
fn short_sequences_hit_every_point_and_no_outcome_is_missed() {
    let evidence = explored("short", Exploration::ShortSequences, 1);
    let sequences = 1 + 4 + 16 + 64;
    assert_eq!((evidence.runs, evidence.ops), (sequences, 4 + 2 * 16 + 3 * 64));
    assert_eq!(evidence.points_hit, evidence.points);
    assert!(evidence.in_flight > sequences / 2, "{evidence}");
}

fn planted() -> Failure {
    Plan::new("planted").explore::<TwoSections>(Exploration::ShortSequences).unwrap_err()
}

/// If this failed, an operation that is true only after its second section would pass, or the explanation would point
/// somewhere else.
#[test]
fn an_invariant_broken_across_two_sections_is_found_and_explained() {
    let failure = planted();
    println!("{failure}");
    assert!(failure.missing().is_empty(), "it takes no lost store, only a crash between two sections");
    let text = failure.to_string();
    assert!(text.contains("Push(1)") && !text.contains("operation 2"), "the shortest sequence:\n{text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("tests.rs:")).collect();
    assert_eq!(lines.len(), 3, "the sections' lines:\n{text}");
    assert!(text.contains("begins after the crash"), "{text}");
}

/// If this failed, the line that a failure prints would not show the failure again.
#[test]
fn a_failure_is_replayed_by_what_it_prints() {
    let failure = planted();
    let printed = failure.replay_point().unwrap().to_string();
    let plan = Plan::new("planted").replaying(printed.parse().unwrap());
    let again = plan.explore::<TwoSections>(Exploration::ShortSequences).unwrap_err();
    assert_eq!(again.wrong(), failure.wrong());
    assert_eq!(again.replay_point(), failure.replay_point());
    let elsewhere = format!("chunk8:0:{}:0:", failure.replay_point().unwrap().point);
    let plan = Plan::new("planted").replaying(elsewhere.parse().unwrap());
    assert_eq!(plan.explore::<TwoSections>(Exploration::ShortSequences).unwrap().points, 1);
    "chunk8:0:x:0:".parse::<super::ReplayPoint>().unwrap_err();
}

/// So many pushes, and a change of each value.
fn recorded(name: &str, ops: u64) -> (Plan, Run<Twin>) {
    let plan = Plan::new(name);
    let mut next = 0;
    let run = Run::record(&plan, 0, Faults::None, |_: &Twin| {
        next += 1;
        let op = if next % 2 == 1 { Op::Push(next) } else { Op::Add(next) };
        (next <= ops).then_some(Task::Op(op))
    });
    (plan, run.unwrap())
}

/// If this failed, two runs of one seed would differ, and no failure could be replayed.
#[test]
fn a_seed_means_one_log() {
    let (_, first) = recorded("one log", 20);
    let (_, second) = recorded("one log", 20);
    for (first, second) in first.events.iter().zip(&second.events) {
        assert_eq!(first, second);
    }
    assert_eq!(first.events.len(), second.events.len());
    assert_eq!(first.notes, second.notes);
}

/// If this failed, a runtime that forgets a write-back, or a fence, would pass the watch.
#[test]
fn the_watch_misses_no_lost_write_back_and_no_lost_fence() {
    let (_, run) = recorded("watched", 12);
    watch(&run).unwrap();
    let mut lost = 0;
    for index in run.created_at()..run.closing_from {
        let is_order = matches!(run.events[index].action, Action::WriteBack { .. } | Action::Fence);
        if !is_order {
            continue;
        }
        let mut broken = run.clone();
        // Another thread's fence without write-backs: nothing, at the same place in the log.
        broken.events[index].action = Action::Fence;
        broken.events[index].thread = crate::hw::sim::SimThread(77);
        let is_last =
            run.events[index + 1..run.closing_from].iter().all(|event| event.action != Action::Fence);
        let noticed = watch(&broken);
        // What is lost after the last fence is noticed by nobody before the next one.
        assert!(noticed.is_err() || is_last, "event {index}, {:?}", run.events[index]);
        lost += u64::from(noticed.is_err());
    }
    assert!(lost > 20, "{lost}");
}

/// If this failed, lines would be handed out again too early and nobody would know.
#[test]
fn the_watch_notices_early_reuse_and_stores_to_what_is_committed() {
    let (_, run) = recorded("reused", 12);
    let second =
        run.notes.iter().filter(|noted| matches!(noted.note, Note::Allocated { .. })).nth(2).unwrap();
    let Note::Allocated { at, .. } = second.note else { unreachable!() };
    let mut reused = run.clone();
    let last = reused.notes.iter().rposition(|noted| matches!(noted.note, Note::Allocated { .. })).unwrap();
    if let Note::Allocated { at: again, .. } = &mut reused.notes[last].note {
        *again = at;
    }
    let wrong = watch(&reused).unwrap_err();
    assert!(wrong.contains("early reuse") && wrong.contains("tests.rs"), "{wrong}");

    let mut stored = run.clone();
    let last =
        stored.events[..run.closing_from].iter().rposition(|event| event.action == Action::Fence).unwrap();
    let bytes = Box::new([0x55; 8]);
    stored.events[last].action = Action::Store { offset: at + 16, bytes };
    let wrong = watch(&stored).unwrap_err();
    assert!(wrong.contains("neither of a node of the running section nor of a refcount"), "{wrong}");

    let mut twice = run.clone();
    let pair = |at: &usize| {
        let [first, second] = [&run.events[*at].action, &run.events[*at + 1].action];
        matches!(first, Action::WriteBack { .. }) && matches!(second, Action::WriteBack { .. })
    };
    let at = (run.created_at()..run.closing_from).find(pair).unwrap();
    twice.events[at + 1] = twice.events[at].clone();
    assert!(watch(&twice).unwrap_err().contains("written back twice"));
}

/// If this failed, the explorer would pass a runtime that forgets a write-back: the states must show it too, by each model
/// in which write-backs matter, and with the lost line named.
#[test]
fn states_show_a_lost_write_back_and_the_failure_names_the_lost_line() {
    let (plan, run) = recorded("lost", 6);
    let is_node = |action: &Action| match action {
        Action::WriteBack { offset, .. } => *offset >= run.geometry.heap_offset,
        _ => false,
    };
    let lost = (run.created_at()..run.closing_from).find(|at| is_node(&run.events[*at].action)).unwrap();
    let mut broken = run.clone();
    broken.events[lost].action = Action::WriteBack { offset: 0, len_bytes: 0 };
    let effort = Effort { states: 16, thorough_every: u64::MAX };
    for model in [Persistence::Chunk8, Persistence::Px86] {
        let mut explorer = Explorer::new(&plan, model);
        explorer.points(&run, run.created_at()..=run.closing_from, 1, effort).unwrap();
        let failure = Explorer::new(&plan, model)
            .points(&broken, run.created_at()..=run.closing_from, 1, effort)
            .unwrap_err();
        let Action::WriteBack { offset, len_bytes } = run.events[lost].action else { unreachable!() };
        assert_eq!(failure.replay_point().unwrap().choices.kept.len(), 1, "one unit is enough\n{failure}");
        assert!((offset..offset + len_bytes).contains(&failure.missing()[0].offset), "{failure}");
        assert!(failure.to_string().contains("tests.rs"), "where the node was made:\n{failure}");
    }
    // A file is synced whole, and caches that survive need nothing.
    for model in [Persistence::Sector512, Persistence::Page4K, Persistence::Eadr] {
        let mut explorer = Explorer::new(&plan, model);
        explorer.points(&broken, run.created_at()..=run.closing_from, 1, effort).unwrap();
    }
}
