//! Recording a run: operations on a fresh simulated pool, or on what a dead process left of one, and when each returned.

use std::sync::Arc;

use super::geometry::Geometry;
use super::judge;
use super::run::{Death, Run, Step};
use super::squeeze::Squeeze;
use super::{Model, Plan, Random};
use crate::commit::Durability;
use crate::fase_error::FaseFault;
use crate::hw::sim::{Action, Note, Noted, SimMedium};
use crate::hw::{Medium, Pace};
use crate::section::Snapshot;
use crate::store::Pool;

/// Snapshots held at a time.
const HELD_MAX: usize = 3;
/// Lines left free in a pool that is to grow: enough for small sections, too little for several.
const FEW_LINES: u64 = 40;
/// Lines left free in a pool that is to use its lines again: enough for what small models hold.
const SOME_LINES: u64 = 120;

/// What is done next in a run.
#[derive(Clone, Debug)]
pub(super) enum Task<Op> {
    Op(Op),
    Sync,
}

/// What goes wrong in a run, by plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Faults {
    None,
    /// The fence of this number after the creation fails.
    FailingSync(u64),
    /// The pool has hardly any room, and the medium refuses to grow in two of three operations.
    RefusedGrowth,
}

/// How soon the writers of a run tidy up. In a short run on a pool that finds its own pace no line is ever used again.
pub(super) fn pace(run: u64) -> Option<Pace> {
    match run % 3 {
        0 => None,
        1 => Some(Pace { retired_nodes: 4, reclaimed_nodes: 2 }),
        _ => Some(Pace { retired_nodes: 24, reclaimed_nodes: 7 }),
    }
}

/// The room in a run's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Plenty,
    /// So few free lines that it grows.
    Little(u64),
    /// So little that lines are used again soon, and the medium cannot grow.
    NoMore,
}

fn room(faults: Faults, run: u64) -> Room {
    match run % 6 {
        _ if faults == Faults::RefusedGrowth => Room::Little([0, 12, FEW_LINES][run as usize % 3]),
        1 | 4 => Room::NoMore,
        2 => Room::Little(FEW_LINES),
        _ => Room::Plenty,
    }
}

/// One process, using a pool.
struct Process<'r, M: Model> {
    plan: &'r Plan,
    sim: Arc<SimMedium>,
    pool: Pool<M::Root>,
    run: Run<M>,
}

impl<M: Model> Run<M> {
    /// Creates a pool and does what `next` says, until it says nothing; then closes the pool.
    ///
    /// # Errors
    /// What is wrong without any crash.
    pub(super) fn record(
        plan: &Plan,
        index: u64,
        faults: Faults,
        next: impl FnMut(&M) -> Option<Task<M::Op>>,
    ) -> Result<Self, String> {
        let sim = Arc::new(SimMedium::new().without_flusher().with_pace(pace(index)));
        let pool = judge::options::<M>(plan)
            .simulate_with(&sim, M::create)
            .map_err(|error| format!("the pool cannot be created: {error}"))?;
        let created = Step {
            name: "the creation of the pool".to_owned(),
            from: 0,
            until: Some(sim.event_count()),
            after: judge::observe::<M>(&pool.latest())?,
            is_durable: true,
            section: None,
            kind: "creation",
        };
        let run = Run {
            index,
            events: Vec::new(),
            notes: Vec::new(),
            steps: vec![created],
            deaths: Vec::new(),
            closing_from: 0,
            cut_close: None,
            geometry: Geometry::of(pool.core()),
            faults: 0,
            growths: 0,
        };
        Process { plan, sim, pool, run }.live(faults, next)
    }

    /// This run, cut off after `point` events by the death of its process; then another process, which opens what was left
    /// (elsewhere, if `is_moved`) and goes on.
    ///
    /// # Errors
    /// What is wrong without a loss of power.
    pub(super) fn after_death(
        &self,
        plan: &Plan,
        point: usize,
        is_moved: bool,
        next: impl FnMut(&M) -> Option<Task<M::Op>>,
    ) -> Result<Self, String> {
        let events = self.events[..point].to_vec();
        let is_past = |noted: &&Noted| noted.events <= point;
        let notes = self.notes.iter().filter(is_past).copied().collect();
        let sim = SimMedium::after_death(Vec::new(), events, notes);
        let sim = Arc::new(sim.without_flusher().with_pace(pace(self.index)));
        // Whoever is where it was keeps it from being opened there.
        let holder = is_moved.then(|| judge::open::<M>(plan, sim.opened().to_vec()));
        let pool = judge::options::<M>(plan)
            .open_simulated(&sim)
            .map_err(|error| format!("after the death of a process: the pool does not open: {error}"))?;
        drop(holder);
        let recovered = sim.event_count();
        let found = judge::observe::<M>(&pool.latest())?;
        let permitted = self.permitted(point);
        if !self.steps[permitted.clone()].iter().any(|step| step.after == found) {
            let all: Vec<&M> = self.steps[permitted].iter().map(|step| &step.after).collect();
            return Err(format!(
                "a process died after event {point}; the next finds {found:?}, allowed are {all:?}"
            ));
        }
        let is_over = |step: &&Step<M>| step.until.is_some_and(|until| until <= point);
        let mut steps: Vec<Step<M>> = self.steps.iter().filter(is_over).cloned().collect();
        steps.push(Step {
            name: format!("the opening after a process had died (after event {point})"),
            from: point,
            until: Some(recovered),
            after: found,
            is_durable: true,
            section: None,
            kind: "recovery",
        });
        let is_moved = pool.recovery().moved.is_some();
        let mut deaths = self.deaths.clone();
        deaths.retain(|death| death.at < point);
        deaths.iter_mut().for_each(|death| death.recovered = death.recovered.min(point));
        deaths.push(Death { at: point, recovered, is_moved });
        let cut_close = self.cut_close.or((point > self.closing_from).then_some(self.closing_from));
        let run = Run { steps, deaths, cut_close, events: Vec::new(), notes: Vec::new(), ..self.clone() };
        Process { plan, sim, pool, run }.live(Faults::None, next)
    }
}

impl<M: Model> Process<'_, M> {
    /// Does what `next` says, and closes the pool.
    fn live(self, faults: Faults, mut next: impl FnMut(&M) -> Option<Task<M::Op>>) -> Result<Run<M>, String> {
        let Process { plan, sim, pool, mut run } = self;
        let mut model = run.steps.last().expect("creation is one").after.clone();
        if let Faults::FailingSync(nth) = faults {
            sim.fail_fence(nth);
        }
        let mut squeeze = Squeeze::default();
        let mut random = Random::new(plan.seed ^ super::random::mix(run.index + 0x5EED));
        let mut is_poisoned = false;
        let mut held: Vec<(Snapshot<'_, M::Root>, M)> = Vec::new();
        while let Some(task) = next(&model) {
            match room(faults, run.index) {
                Room::Plenty => {}
                Room::Little(free_lines) => squeeze.leave(pool.core(), free_lines),
                Room::NoMore => {
                    sim.set_full(true);
                    squeeze.leave(pool.core(), SOME_LINES);
                }
            }
            if faults == Faults::RefusedGrowth {
                sim.set_full(run.steps.len() % 3 != 0);
            }
            let from = sim.event_count();
            let sections = sim.section_count();
            let mut after = model.clone();
            let (name, kind, result) = match &task {
                Task::Sync => ("a sync".to_owned(), "sync", pool.sync().map_err(Into::into)),
                Task::Op(op) => {
                    after.apply(op);
                    (format!("{op:?}"), M::kind(op), M::run(&pool, op))
                }
            };
            let section = (sim.section_count() > sections).then(|| sim.section_count());
            let fault = result.as_ref().err().and_then(|error| error.fault().cloned());
            match fault {
                None => {}
                Some(FaseFault::Poisoned { .. }) if matches!(faults, Faults::FailingSync(_)) => {
                    run.faults += 1;
                    run.steps.push(Step { name, from, until: None, after, is_durable: false, section, kind });
                    is_poisoned = true;
                    break;
                }
                // A refusal like others, but one that the twin cannot foresee: nothing may have happened.
                Some(FaseFault::OutOfSpace { .. }) => {
                    run.faults += 1;
                    after = model.clone();
                }
                Some(fault) => return Err(format!("{name} failed: {fault}")),
            }
            let found = judge::observe::<M>(&pool.latest())?;
            if found != after {
                let outcome = result.map_or_else(|error| format!("with `{error}`"), |()| "well".to_owned());
                return Err(format!(
                    "without any crash: {name} returned {outcome}; the pool holds {found:?}, the twin says {after:?}"
                ));
            }
            model = after;
            let is_durable = match &task {
                Task::Sync => true,
                Task::Op(op) => pool.default_durability() == Durability::Immediate && M::is_durable(op),
            };
            let until = Some(sim.event_count());
            run.steps.push(Step { name, from, until, after: model.clone(), is_durable, section, kind });
            hold_or_let_go::<M>(&sim, &pool, &model, &mut held, &mut random)?;
        }
        while !held.is_empty() {
            let_go::<M>(&sim, &mut held, 0)?;
        }
        drop(held);
        squeeze.end(pool.core());
        run.closing_from = sim.event_count();
        if is_poisoned {
            expect_poisoned(&run, &pool, next(&model))?;
        }
        if is_poisoned {
            drop(pool);
        } else if let Err(error) = pool.close() {
            // The sync that was to fail was one of the close.
            let is_planned = matches!(faults, Faults::FailingSync(_));
            if !is_planned {
                return Err(format!("the pool cannot be closed: {error}"));
            }
            run.faults += 1;
        }
        run.events = sim.events();
        run.notes = sim.notes();
        let growths = run.events[run.created_at()..]
            .iter()
            .filter(|event| matches!(event.action, Action::Grown { .. }));
        run.growths = growths.count() as u64;
        Ok(run)
    }
}

/// Begins to hold a snapshot, or gives one up after a last look at it; or neither.
fn hold_or_let_go<'s, M: Model>(
    sim: &SimMedium,
    pool: &'s Pool<M::Root>,
    model: &M,
    held: &mut Vec<(Snapshot<'s, M::Root>, M)>,
    random: &mut Random,
) -> Result<(), String> {
    if held.len() < HELD_MAX && random.one_in(6) {
        let snapshot = pool.latest();
        sim.note(Note::Pinned { version: snapshot.version() });
        held.push((snapshot, model.clone()));
    } else if !held.is_empty() && random.one_in(6) {
        let which = random.below(held.len() as u64) as usize;
        let_go::<M>(sim, held, which)?;
    }
    Ok(())
}

fn let_go<M: Model>(
    sim: &SimMedium,
    held: &mut Vec<(Snapshot<'_, M::Root>, M)>,
    which: usize,
) -> Result<(), String> {
    let (snapshot, was) = held.swap_remove(which);
    let now = judge::observe::<M>(&snapshot)?;
    if now != was {
        return Err(format!("a snapshot of {was:?} was held, and came to show {now:?}"));
    }
    sim.note(Note::Unpinned { version: snapshot.version() });
    Ok(())
}

/// A poisoned pool does nothing more, and shows nothing that a crash could take.
fn expect_poisoned<M: Model>(
    run: &Run<M>,
    pool: &Pool<M::Root>,
    task: Option<Task<M::Op>>,
) -> Result<(), String> {
    let seen = judge::observe::<M>(&pool.snapshot())?;
    let floor = run.steps.iter().rposition(|step| step.is_durable).unwrap_or(0);
    if !run.steps[floor..].iter().any(|step| step.after == seen) {
        return Err(format!("after a failed sync, snapshots show {seen:?}, which was never promised"));
    }
    if let Some(Task::Op(op)) = task {
        // Whether it says so is its own affair: it may have wanted to read only.
        let _ = M::run(pool, &op);
        let now = judge::observe::<M>(&pool.latest())?;
        if now != seen && !run.steps.iter().any(|step| step.after == now) {
            return Err(format!("after a failed sync, {op:?} still changed the pool to {now:?}"));
        }
    }
    if pool.sync().is_ok() {
        return Err("after a failed sync, the next one says that all is well".to_owned());
    }
    Ok(())
}
