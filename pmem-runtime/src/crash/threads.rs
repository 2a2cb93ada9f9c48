//! Runs of two threads whose sections queue for one pool, with the background flusher beside them if sections are Buffered.
//!
//! A fence completes only its own thread's write-backs, so a flush that relies on what another thread wrote back is wrong, and no run
//! of one thread shows it. Sections come one after the other whoever begins them; their order is that of their numbers, and
//! the twin follows it. What runs beside a section is the flusher, and the other thread's sync.
//!
//! The threads are real ones: the seed says what they do, the machine in which order. A failure is therefore not repeated
//! exactly by its seed; it says everything about the run that it is about.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Mutex, PoisonError};
use std::thread;

use super::explore::{Effort, Explorer};
use super::geometry::Geometry;
use super::judge;
use super::record::{Task, pace};
use super::run::{Run, Step};
use super::watch::watch;
use super::{Evidence, Failure, Model, Plan, Random};
use crate::commit::Durability;
use crate::fase_error::{FaseError, FaseFault};
use crate::hw::sim::{Note, SimMedium};
use crate::store::Pool;

const THREADS: usize = 2;
/// Operations of each thread, at most.
const OPS_MAX: u64 = 20;
/// Crash points of one run, about.
const POINTS: usize = 60;

/// What a thread has done.
struct Done<Op> {
    task: Task<Op>,
    from: usize,
    until: usize,
    /// When it began and when it had returned, on the clock of both threads. The log alone cannot tell: what a section does
    /// after its last event leaves no trace in it.
    began: u64,
    returned: u64,
    /// The sections that it began.
    sections: Vec<u32>,
    fault: Option<FaseFault>,
}

impl Plan {
    /// Runs of two threads, until the states are used up.
    pub(super) fn two_threads<M: Model>(&self, thorough_every: u64) -> Result<Evidence, Failure> {
        let mut total = Evidence::default();
        for model in &self.models {
            let mut explorer = Explorer::new(self, *model);
            let states = (self.states / self.models.len() as u64).max(1);
            let mut index = 0;
            while explorer.evidence.states < states {
                let durability = if index % 2 == 0 { Durability::Buffered } else { Durability::Immediate };
                let plan = Plan { durability, ..self.clone() };
                let failed = |wrong| Failure::of_run(self, index, wrong);
                let run = plan.concurrent::<M>(index).map_err(failed)?;
                total.add(&watch(&run).map_err(failed)?);
                explorer.enter(&run);
                let points = run.created_at()..=run.events.len();
                let stride = points.clone().count().div_ceil(POINTS).max(1);
                explorer.points(&run, points, stride, Effort { states: 1, thorough_every })?;
                index += 1;
            }
            total.add(&explorer.evidence);
        }
        Ok(total)
    }

    /// One run of two threads.
    pub(super) fn concurrent<M: Model>(&self, index: u64) -> Result<Run<M>, String> {
        let run = self.concurrent_once::<M>(index, false)?;
        // An operation of several sections may be interrupted by another, which its twin cannot be: then they take turns.
        run.map_or_else(|| self.concurrent_once::<M>(index, true).map(|run| run.expect("in turns")), Ok)
    }

    /// `None` if an operation had more than one section, and they did not take turns.
    fn concurrent_once<M: Model>(&self, index: u64, in_turns: bool) -> Result<Option<Run<M>>, String> {
        let sim = SimMedium::new().with_pace(pace(index));
        let sim = Arc::new(if index % 4 == 2 { sim.without_flusher() } else { sim });
        let pool = judge::options::<M>(self)
            .simulate_with(&sim, M::create)
            .map_err(|error| format!("the pool cannot be created: {error}"))?;
        let model = judge::observe::<M>(&pool.latest())?;
        let mut random = Random::new(self.seed ^ super::random::mix(index + 0x7EAD));
        let ops = 1 + OPS_MAX.min(self.run_len);
        let tasks: Vec<Vec<Task<M::Op>>> =
            (0..THREADS).map(|_| (0..ops).map(|_| self.next_task(&model, &mut random)).collect()).collect();
        let created = Step {
            name: "the creation of the pool".to_owned(),
            from: 0,
            until: Some(sim.event_count()),
            after: model,
            is_durable: true,
            section: None,
            kind: "creation",
        };
        let (start, turns, clock) = (Barrier::new(THREADS), Mutex::new(()), AtomicU64::new(1));
        let work = |tasks: Vec<Task<M::Op>>| {
            start.wait();
            let turn = || in_turns.then(|| turns.lock().unwrap_or_else(PoisonError::into_inner));
            let do_one = |task| {
                let _turn = turn();
                do_one::<M>(&sim, &pool, &clock, task)
            };
            tasks.into_iter().map(do_one).collect::<Vec<_>>()
        };
        let done: Vec<Done<M::Op>> = thread::scope(|scope| {
            let threads: Vec<_> = tasks.into_iter().map(|tasks| scope.spawn(|| work(tasks))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("operations do not panic")).collect()
        });
        if !in_turns && done.iter().any(|done| done.sections.len() > 1) {
            return Ok(None);
        }
        let mut run = Run {
            index,
            events: Vec::new(),
            notes: sim.notes(),
            steps: vec![created],
            deaths: Vec::new(),
            closing_from: 0,
            cut_close: None,
            geometry: Geometry::of(pool.core()),
            faults: 0,
            growths: 0,
        };
        self.order(&mut run, done)?;
        let (found, last) =
            (judge::observe::<M>(&pool.latest())?, run.steps.last().expect("creation is one"));
        if found != last.after {
            return Err(format!(
                "without any crash: the pool holds {found:?}, the twin says {:?}",
                last.after
            ));
        }
        // It flushes no more, so that the close begins at one place in the log.
        pool.sync().map_err(|error| format!("a sync failed: {error}"))?;
        run.closing_from = sim.event_count();
        pool.close().map_err(|error| format!("the pool cannot be closed: {error}"))?;
        run.events = sim.events();
        run.notes = sim.notes();
        Ok(Some(run))
    }

    /// The steps of the run, in the order of their sections; syncs after all that had returned when they began.
    fn order<M: Model>(&self, run: &mut Run<M>, mut done: Vec<Done<M::Op>>) -> Result<(), String> {
        let begun = |section: u32| {
            let begins = |noted: &&crate::hw::sim::Noted| {
                noted.section == section && matches!(noted.note, Note::SectionStarted { .. })
            };
            run.notes.iter().find(begins).map_or(0, |noted| noted.events)
        };
        done.sort_by_key(|done| done.sections.last().copied());
        let (ops, others): (Vec<_>, Vec<_>) = done.into_iter().partition(|done| !done.sections.is_empty());
        let mut model = run.steps[0].after.clone();
        // When each step had returned; the creation before anything.
        let mut moments = vec![0];
        for Done { task, until, returned, sections, fault, .. } in ops {
            let Task::Op(op) = task else { return Err("a sync has begun a section".to_owned()) };
            match fault {
                None => model.apply(&op),
                Some(FaseFault::OutOfSpace { .. }) => run.faults += 1,
                Some(fault) => return Err(format!("{op:?} failed: {fault}")),
            }
            run.steps.push(Step {
                name: format!("{op:?}"),
                from: begun(sections[0]),
                until: Some(until),
                after: model.clone(),
                is_durable: self.durability == Durability::Immediate && M::is_durable(&op),
                section: sections.last().copied(),
                kind: M::kind(&op),
            });
            moments.push(returned);
        }
        for Done { task, from, until, began, returned, fault, .. } in others {
            if let Some(fault) = fault {
                return Err(format!("{task:?} failed: {fault}"));
            }
            let Task::Sync = task else { continue };
            let last = moments.iter().rposition(|moment| *moment < began).unwrap_or(0);
            let sync = Step {
                name: "a sync".to_owned(),
                from,
                until: Some(until),
                is_durable: true,
                section: None,
                kind: "sync",
                ..run.steps[last].clone()
            };
            run.steps.insert(last + 1, sync);
            moments.insert(last + 1, returned);
        }
        Ok(())
    }
}

fn do_one<M: Model>(
    sim: &SimMedium,
    pool: &Pool<M::Root>,
    clock: &AtomicU64,
    task: Task<M::Op>,
) -> Done<M::Op> {
    // SeqCst, both: what had returned before another began must have the smaller number.
    let began = clock.fetch_add(1, Ordering::SeqCst);
    let (from, before) = (sim.event_count(), sim.own_sections().len());
    let fault = match &task {
        Task::Sync => pool.sync().err(),
        Task::Op(op) => M::run(pool, op).err().as_ref().and_then(FaseError::fault).cloned(),
    };
    let sections = sim.own_sections().split_off(before);
    let until = sim.event_count();
    Done { task, from, until, began, returned: clock.fetch_add(1, Ordering::SeqCst), sections, fault }
}
