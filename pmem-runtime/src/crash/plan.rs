//! What is tried: which runs, which points of them, how many states.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::explore::{Effort, Explorer};
use super::record::{Faults, Task};
use super::run::Run;
use super::watch::watch;
use super::{Evidence, Failure, Model, Persistence, Random, ReplayPoint};
use crate::commit::Durability;

const DEFAULT_SEED: u64 = 1;
const DEFAULT_STATES: u64 = 2000;
const DEFAULT_RUN_LEN: u64 = 30;
/// Operations in the longest of the short sequences. Most crash bugs of file systems need no more, on a new file system
/// (Mohan et al., "Finding crash-consistency bugs with bounded black-box crash testing", OSDI 2018).
const SHORT_LEN: usize = 3;
/// Long runs that share a plan's states, at least.
const LONG_RUNS: u64 = 4;
/// Operations in a run that ends with a failing sync, at most.
const FAILING_RUN_LEN: u64 = 60;
/// One state in so many is checked thoroughly, which costs about as much as a hundred others.
const THOROUGH_EVERY: u64 = 100;

/// The ways to attack a model. [`crash_test!`](crate::crash_test) makes a test of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exploration {
    /// All sequences of at most three of [`Model::ops`], each on a fresh pool: a crash after every event of creation, of the
    /// sequence, and of the clean close.
    ShortSequences,
    /// Random sequences of [`Model::random`].
    LongRuns,
    /// Long runs with few states, each checked thoroughly: crashes in its recovery, and in the recovery from those, another
    /// address, poisoned free memory, further use and a clean reopen.
    Recovery,
    /// Long runs by the plan's models; if it has only the default one, by all others: x86, files with sectors and with pages, caches that survive.
    OtherMedia,
    /// Long runs on a pool whose sections are Buffered, with syncs among the operations.
    Buffered,
    /// Two threads, whose sections queue for the pool, Immediate or Buffered with the background flusher. The machine decides
    /// their order, so a failure is not repeated exactly by its seed.
    TwoThreads,
    /// Runs whose processes are killed, and the power goes while the next one recovers what is in the caches, or goes on with it.
    ProcessDeath,
    /// Runs that end with a failing sync (EIO): the pool must refuse everything after it, and a crash leaves what was promised.
    FailingSyncs,
    /// Runs on pools with hardly any room, in which the medium refuses to grow now and then (ENOSPC): the operation has not happened, and the pool goes on.
    RefusedGrowth,
}

impl Exploration {
    /// All of them.
    pub const ALL: [Exploration; 9] = [
        Exploration::ShortSequences,
        Exploration::LongRuns,
        Exploration::Recovery,
        Exploration::OtherMedia,
        Exploration::Buffered,
        Exploration::TwoThreads,
        Exploration::ProcessDeath,
        Exploration::FailingSyncs,
        Exploration::RefusedGrowth,
    ];
}

/// How much of a model is attacked, and from which seed. The same plan does the same each time, if the operations do.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) states: u64,
    pub(super) run_len: u64,
    pub(super) models: Vec<Persistence>,
    pub(super) durability: Durability,
    /// What runs this plan again, if not a test of its name.
    pub(super) command: Option<String>,
    pub(super) replay: Option<ReplayPoint>,
}

impl Plan {
    /// A plan with the defaults: 2000 states, long runs of 30 operations, the model [`Persistence::Chunk8`]. Two plans that
    /// run side by side in one process have different names.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Plan {
            name: name.to_owned(),
            seed: DEFAULT_SEED,
            states: DEFAULT_STATES,
            run_len: DEFAULT_RUN_LEN,
            models: vec![Persistence::Chunk8],
            durability: Durability::Immediate,
            command: None,
            replay: None,
        }
    }

    /// The seed of everything random.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How many states are tried, about. Every crash point gets at least one where the plan says "every".
    #[must_use]
    pub fn states(mut self, states: u64) -> Self {
        self.states = states.max(1);
        self
    }

    /// Operations in a long run.
    #[must_use]
    pub fn run_len(mut self, ops: u64) -> Self {
        self.run_len = ops.max(1);
        self
    }

    /// The models by which the logs are read.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn models(mut self, models: &[Persistence]) -> Self {
        assert!(!models.is_empty(), "a plan has at least one persistence model");
        self.models = models.to_vec();
        self
    }

    /// What a failure prints as the command that runs this plan again, for programs that are no tests. It is to obey
    /// `PMEM_CRASH_REPLAY`.
    #[must_use]
    pub fn command(mut self, command: &str) -> Self {
        self.command = Some(command.to_owned());
        self
    }

    /// Tries one state only: one that a [`Failure`] of the same plan has named.
    #[must_use]
    pub fn replaying(mut self, point: ReplayPoint) -> Self {
        self.models = vec![point.persistence];
        self.replay = Some(point);
        self
    }

    /// Attacks the model in one way.
    ///
    /// # Errors
    /// The first wrong state.
    pub fn explore<M: Model>(&self, exploration: Exploration) -> Result<Evidence, Failure> {
        match exploration {
            Exploration::ShortSequences => self.short_sequences::<M>(),
            Exploration::LongRuns => self.long_runs::<M>(Faults::None, THOROUGH_EVERY),
            Exploration::Recovery => self.long_runs::<M>(Faults::None, 4),
            Exploration::OtherMedia => {
                let is_default = self.models == [Persistence::Chunk8] && self.replay.is_none();
                let others = &Persistence::ALL[1..];
                let plan = if is_default { self.clone().models(others) } else { self.clone() };
                plan.long_runs::<M>(Faults::None, THOROUGH_EVERY)
            }
            Exploration::Buffered => {
                let plan = Plan { durability: Durability::Buffered, ..self.clone() };
                plan.long_runs::<M>(Faults::None, THOROUGH_EVERY)
            }
            Exploration::TwoThreads => self.two_threads::<M>(THOROUGH_EVERY),
            Exploration::ProcessDeath => self.process_deaths::<M>(THOROUGH_EVERY),
            Exploration::FailingSyncs => self.long_runs::<M>(Faults::FailingSync(1), THOROUGH_EVERY),
            Exploration::RefusedGrowth => self.long_runs::<M>(Faults::RefusedGrowth, THOROUGH_EVERY),
        }
    }

    /// As [`Plan::explore`] with [`Exploration::ShortSequences`].
    ///
    /// # Errors
    /// The first wrong state.
    pub fn short_sequences<M: Model>(&self) -> Result<Evidence, Failure> {
        let ops = M::ops();
        let sequences = sequences(ops.len());
        let record = |(index, sequence): (usize, &Vec<usize>)| {
            let mut tasks = sequence.iter().map(|op| Task::Op(ops[*op].clone()));
            self.record::<M>(index as u64, Faults::None, |_| tasks.next())
        };
        if let Some(point) = &self.replay {
            let sequence = sequences.get(point.run as usize);
            let Some(sequence) = sequence else { return Ok(Evidence::default()) };
            let (run, _) = record((point.run as usize, sequence))?;
            return self.replay(&run, point);
        }
        let mut total = Evidence::default();
        let mut runs = Vec::with_capacity(sequences.len());
        for each in sequences.iter().enumerate() {
            let (run, watched) = record(each)?;
            total.add(&watched);
            runs.push(run);
        }
        // What comes before a sequence's last operation is another sequence.
        let last_op = |run: &Run<M>| match run.steps.len() {
            1 => 0..=run.events.len(),
            len => run.steps[len - 2].until.expect("it returned")..=run.events.len(),
        };
        let points: u64 = runs.iter().map(|run| (last_op(run).count()) as u64).sum();
        let states = self.states / self.models.len() as u64;
        let effort = Effort { states: (states / points.max(1)).max(1), thorough_every: THOROUGH_EVERY };
        for model in &self.models {
            let mut explorer = Explorer::new(self, *model);
            for run in &runs {
                explorer.enter(run);
                explorer.points(run, last_op(run), 1, effort)?;
            }
            total.add(&explorer.evidence);
        }
        Ok(total)
    }

    /// Runs of random operations, until the states are used up.
    fn long_runs<M: Model>(&self, faults: Faults, thorough_every: u64) -> Result<Evidence, Failure> {
        // A run fails once, and its log is of no use behind that: short ones show as much.
        let ops = if matches!(faults, Faults::FailingSync(_)) {
            self.run_len.min(FAILING_RUN_LEN)
        } else {
            self.run_len
        };
        let record = |index: u64| {
            let mut random = Random::new(self.seed ^ super::random::mix(index + 1));
            let faults = match faults {
                // Each run fails at another sync, up to its end.
                Faults::FailingSync(_) => Faults::FailingSync(1 + index % (ops + 2)),
                other => other,
            };
            let mut left = ops;
            self.record::<M>(index, faults, |model| {
                left = left.checked_sub(1)?;
                Some(self.next_task(model, &mut random))
            })
        };
        if let Some(point) = &self.replay {
            return self.replay(&record(point.run)?.0, point);
        }
        let mut total = Evidence::default();
        for model in &self.models {
            let mut explorer = Explorer::new(self, *model);
            let states = (self.states / self.models.len() as u64).max(1);
            // A thorough state is many: they are counted where they are made.
            let runs = match faults {
                // Each of them ends at another sync, and at one point.
                Faults::FailingSync(_) => ops + 2,
                _ => LONG_RUNS,
            };
            let per_run = (states / runs).max(1);
            let mut index = 0;
            while explorer.evidence.states < states {
                let (run, watched) = record(index)?;
                total.add(&watched);
                explorer.enter(&run);
                let range = match faults {
                    Faults::FailingSync(_) if run.faults > 0 => run.failed_at()..=run.events.len(),
                    _ if index == 0 => 0..=run.events.len(),
                    _ => run.created_at()..=run.events.len(),
                };
                let points = range.clone().count() as u64;
                let weight = if thorough_every < THOROUGH_EVERY { 100 / thorough_every } else { 2 };
                let wanted = (per_run / weight).max(1);
                let stride = points.div_ceil(wanted).max(1);
                let effort = Effort { states: (wanted / points.max(1)).max(1), thorough_every };
                explorer.points(&run, range, stride as usize, effort)?;
                index += 1;
            }
            total.add(&explorer.evidence);
        }
        Ok(total)
    }

    /// Attacks the model in one way, as a test: prints what was tried, panics with what is wrong.
    ///
    /// # Panics
    /// At the first wrong state.
    pub fn test<M: Model>(&self, exploration: Exploration) {
        match self.explore::<M>(exploration) {
            Ok(evidence) => println!("{}: seed {}; {evidence}", self.name, self.seed),
            Err(failure) => panic!("\n{failure}\n"),
        }
    }

    /// The command that runs this plan, or one state of it, again.
    pub(super) fn command_again(&self, point: Option<&ReplayPoint>) -> String {
        let replay = point.map_or_else(String::new, |point| format!("PMEM_CRASH_REPLAY={point} "));
        match &self.command {
            Some(command) => format!("{replay}{command}"),
            None => format!(
                "PMEM_CRASH_SEED={} PMEM_CRASH_STATES={} PMEM_CRASH_OPS={} {replay}cargo test {}",
                self.seed, self.states, self.run_len, self.name
            ),
        }
    }

    /// What a run does next.
    pub(super) fn next_task<M: Model>(&self, model: &M, random: &mut Random) -> Task<M::Op> {
        if self.durability == Durability::Buffered && random.one_in(6) {
            return Task::Sync;
        }
        Task::Op(model.random(random))
    }

    /// The seed of the plan's pools: it decides where they are mapped.
    pub(super) fn pool_seed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.name, self.seed).hash(&mut hasher);
        hasher.finish()
    }

    fn record<M: Model>(
        &self,
        index: u64,
        faults: Faults,
        next: impl FnMut(&M) -> Option<Task<M::Op>>,
    ) -> Result<(Run<M>, Evidence), Failure> {
        let failed = |wrong| Failure::of_run(self, index, wrong);
        let run = Run::record(self, index, faults, next).map_err(failed)?;
        let watched = watch(&run).map_err(failed)?;
        Ok((run, watched))
    }

    pub(super) fn replay<M: Model>(&self, run: &Run<M>, point: &ReplayPoint) -> Result<Evidence, Failure> {
        let mut explorer = Explorer::new(self, point.persistence);
        explorer.enter(run);
        explorer.replay(run, point)?;
        Ok(explorer.evidence)
    }
}

/// All sequences of at most [`SHORT_LEN`] numbers below `ops`, the shorter first.
fn sequences(ops: usize) -> Vec<Vec<usize>> {
    let mut sequences = vec![Vec::new()];
    let mut longest = 0..1;
    for _ in 0..SHORT_LEN {
        let start = sequences.len();
        for shorter in longest {
            for op in 0..ops {
                let mut longer: Vec<usize> = sequences[shorter].clone();
                longer.push(op);
                sequences.push(longer);
            }
        }
        longest = start..sequences.len();
    }
    sequences
}
