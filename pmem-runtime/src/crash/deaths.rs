//! Runs of several processes, of which all but the last are killed, and then the power goes.
//!
//! What a killed process has stored is there for the next one to read, durable or not. What that one shows, and what it builds
//! on it, must survive: so opening has to make durable what it finds. A kill anywhere, also in the middle of a recovery; then
//! the loss of power at every event of the recovery, and of some sections after it.

use super::explore::{Effort, Explorer};
use super::record::{Faults, Task};
use super::run::Run;
use super::watch::watch;
use super::{Evidence, Failure, Model, Plan, Random};

/// Operations of a process before it is killed, at most.
const OPS_MAX: u64 = 24;
/// States at each event of a recovery.
const STATES: u64 = 4;
/// Events after the recovery that are crash points too, at most.
const LATER_POINTS: usize = 40;

impl Plan {
    /// Runs in which processes die, until the states are used up.
    pub(super) fn process_deaths<M: Model>(&self, thorough_every: u64) -> Result<Evidence, Failure> {
        if let Some(point) = &self.replay {
            let (run, _) = self.killed::<M>(point.run)?;
            return self.replay(&run, point);
        }
        let mut total = Evidence::default();
        for model in &self.models {
            let mut explorer = Explorer::new(self, *model);
            let states = (self.states / self.models.len() as u64).max(1);
            let effort = Effort { states: STATES, thorough_every };
            let mut index = 0;
            while explorer.evidence.states < states {
                let (run, watched) = self.killed::<M>(index)?;
                total.add(&watched);
                explorer.enter(&run);
                let death = run.deaths.last().expect("it was killed");
                explorer.points(&run, death.at..=death.recovered, 1, effort)?;
                let later = death.recovered + 1..=run.events.len();
                let stride = later.clone().count().div_ceil(LATER_POINTS).max(1);
                if !later.is_empty() {
                    explorer.points(&run, later, stride, Effort { states: 1, thorough_every })?;
                }
                index += 1;
            }
            total.add(&explorer.evidence);
        }
        Ok(total)
    }

    /// A run whose first process is killed, and every third time the second one too, while it recovers.
    pub(super) fn killed<M: Model>(&self, index: u64) -> Result<(Run<M>, Evidence), Failure> {
        let failed = |wrong| Failure::of_run(self, index, wrong);
        let mut random = Random::new(self.seed ^ super::random::mix(index + 0xDEAD));
        let tasks = |left: u64, random: &mut Random| {
            let mut left = left;
            let mut random = Random::new(random.bits());
            move |model: &M| -> Option<Task<M::Op>> {
                left = left.checked_sub(1)?;
                Some(self.next_task(model, &mut random))
            }
        };
        let first_ops = 1 + random.below(OPS_MAX.min(self.run_len));
        let mut run =
            Run::record(self, index, Faults::None, tasks(first_ops, &mut random)).map_err(failed)?;
        let events = run.events.len() - run.created_at();
        let mut point = run.created_at() + random.below(events as u64 + 1) as usize;
        loop {
            // Now and then enough for a lap of what tidies up.
            let ops = if random.one_in(3) { OPS_MAX } else { 3 };
            let is_moved = random.one_in(5);
            run = run.after_death(self, point, is_moved, tasks(ops, &mut random)).map_err(failed)?;
            let death = run.deaths.last().expect("it was killed");
            if run.deaths.len() == 2 || !random.one_in(3) {
                break;
            }
            point = death.at + random.below((death.recovered - death.at) as u64 + 1) as usize;
        }
        let watched = watch(&run).map_err(failed)?;
        Ok((run, watched))
    }
}
