//! Recording a run: operations on a fresh simulated pool, and when each returned.

use std::ops::Range;
use std::sync::Arc;

use super::geometry::Geometry;
use super::{Model, Plan, judge};
use crate::commit::Durability;
use crate::fase_error::FaseFault;
use crate::hw::sim::{Action, Event, Note, Noted, SimMedium};
use crate::section::Snapshot;

/// Old versions that a run reads again at its end.
const HELD_MAX: usize = 2;

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
    /// The medium refuses to grow in every other operation.
    RefusedGrowth,
}

/// Something that has returned, or was under way when the run ended.
#[derive(Clone, Debug)]
pub(super) struct Step<M> {
    pub(super) name: String,
    /// Events when it returned; `None` if it did not.
    pub(super) until: Option<usize>,
    /// The twin after it.
    pub(super) after: M,
    /// Whether everything up to here was durable when it returned.
    pub(super) is_durable: bool,
}

/// The log of a run, and what was promised when.
#[derive(Clone, Debug)]
pub(super) struct Run<M> {
    pub(super) index: u64,
    pub(super) events: Vec<Event>,
    pub(super) notes: Vec<Noted>,
    /// The first is the creation of the pool.
    pub(super) steps: Vec<Step<M>>,
    /// Events up to the clean close.
    pub(super) closing_from: usize,
    pub(super) geometry: Geometry,
    /// Syncs that failed, and operations for which there was no space.
    pub(super) faults: u64,
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
        mut next: impl FnMut(&M) -> Option<Task<M::Op>>,
    ) -> Result<Self, String> {
        let sim = Arc::new(SimMedium::new().without_flusher());
        let pool = judge::options::<M>(plan)
            .simulate_with(&sim, M::create)
            .map_err(|error| format!("the pool cannot be created: {error}"))?;
        let mut model = judge::observe::<M>(&pool.latest())?;
        let created = Step {
            name: "the creation of the pool".to_owned(),
            until: Some(sim.event_count()),
            after: model.clone(),
            is_durable: true,
        };
        let mut run = Run {
            index,
            events: Vec::new(),
            notes: Vec::new(),
            steps: vec![created],
            closing_from: 0,
            geometry: Geometry::of(pool.core()),
            faults: 0,
        };
        if let Faults::FailingSync(nth) = faults {
            sim.fail_fence(nth);
        }
        let mut is_poisoned = false;
        let mut held: Vec<(Snapshot<'_, M::Root>, M)> = Vec::new();
        while let Some(task) = next(&model) {
            if faults == Faults::RefusedGrowth && run.steps.len() % 2 == 0 {
                sim.fail_allocate();
            }
            let mut after = model.clone();
            let (name, result) = match &task {
                Task::Sync => ("a sync".to_owned(), pool.sync().map_err(Into::into)),
                Task::Op(op) => {
                    after.apply(op);
                    (format!("{op:?}"), M::run(&pool, op))
                }
            };
            let fault = result.as_ref().err().and_then(|error| error.fault().cloned());
            match fault {
                None => {}
                Some(FaseFault::Poisoned { .. }) if matches!(faults, Faults::FailingSync(_)) => {
                    run.faults += 1;
                    run.steps.push(Step { name, until: None, after, is_durable: false });
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
            run.steps.push(Step { name, until, after: model.clone(), is_durable });
            if index % 2 == 1 && held.len() < HELD_MAX {
                held.push((pool.latest(), model.clone()));
            }
        }
        for (snapshot, was) in &held {
            if judge::observe::<M>(snapshot)? != *was {
                return Err(format!("a snapshot of {was:?} changed while it was held"));
            }
        }
        drop(held);
        run.closing_from = sim.event_count();
        if is_poisoned {
            run.expect_poisoned(&pool, next(&model))?;
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
        Ok(run)
    }

    /// A poisoned pool does nothing more, and shows nothing that a crash could take.
    fn expect_poisoned(
        &self,
        pool: &crate::store::Pool<M::Root>,
        task: Option<Task<M::Op>>,
    ) -> Result<(), String> {
        let seen = judge::observe::<M>(&pool.snapshot())?;
        let floor = self.steps.iter().rposition(|step| step.is_durable).unwrap_or(0);
        if !self.steps[floor..].iter().any(|step| step.after == seen) {
            return Err(format!("after a failed sync, snapshots show {seen:?}, which was never promised"));
        }
        if let Some(Task::Op(op)) = task {
            // Whether it says so is its own affair: it may have wanted to read only.
            let _ = M::run(pool, &op);
            let now = judge::observe::<M>(&pool.latest())?;
            if now != seen && !self.steps.iter().any(|step| step.after == now) {
                return Err(format!("after a failed sync, {op:?} still changed the pool to {now:?}"));
            }
        }
        if pool.sync().is_ok() {
            return Err("after a failed sync, the next one says that all is well".to_owned());
        }
        Ok(())
    }

    /// Events of the creation.
    pub(super) fn created_at(&self) -> usize {
        self.steps[0].until.expect("the pool was created")
    }

    /// Events up to the failed sync, that one included.
    pub(super) fn failed_at(&self) -> usize {
        let failed = self.events.iter().position(|event| event.action == Action::FenceFailed);
        failed.map_or(self.events.len(), |failed| failed + 1)
    }

    /// The steps of which a crash at `point` may leave the value: from the last one that was durable to the one under way.
    pub(super) fn permitted(&self, point: usize) -> Range<usize> {
        let has_returned = |step: &&Step<M>| step.until.is_some_and(|until| until <= point);
        let returned = self.steps.iter().take_while(has_returned).count();
        let floor = self.steps[..returned].iter().rposition(|step| step.is_durable).unwrap_or(0);
        floor..self.steps.len().min(returned + 1)
    }

    /// The step under way at `point`, or the last one.
    pub(super) fn under_way(&self, point: usize) -> usize {
        self.permitted(point).end - 1
    }

    /// The sections of a step: their numbers, the lines that began them, and the events before them.
    pub(super) fn sections(&self, step: usize) -> impl Iterator<Item = (&Noted, String)> {
        let from = step.checked_sub(1).map_or(0, |before| self.steps[before].until.unwrap_or(usize::MAX));
        let until = self.steps[step].until.unwrap_or(usize::MAX);
        self.notes.iter().filter_map(move |noted| match noted.note {
            Note::SectionStarted { by } if (from..until).contains(&noted.events) => {
                Some((noted, by.to_string()))
            }
            _ => None,
        })
    }
}
