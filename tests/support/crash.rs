//! Crashing a pool at every event of a run, and judging what is left.
//!
//! **Words.** A *run* is the log of a simulated medium with the moments at which steps returned. A *point* is a number of
//! events after which the crash comes; a *state* is one of the images that a crash there may leave. A state is judged by
//! opening it: its value must be that of an acknowledged step not older than the last durable one, or of the step under way.
//!
//! Everything that can be wrong is an `Err` with the words for it, so that the harness itself can be tested: a log with a
//! missing write-back must be noticed.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pmem_runtime::hw::sim::{Action, Chooser, Event, Replay, SimMedium, SimThread};
use pmem_runtime::{Durability, FaseError, Options, abort, persist_fase};

use super::Random;
use super::degrees::degrees_and_counts;
use super::model::{Model, Op};
use super::world::{World, WorldPool};

/// One step of a workload.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Section(Durability, Vec<Op>),
    /// A section that changes things and aborts.
    Aborted(Vec<Op>),
    Sync,
}

/// A step that has returned.
#[derive(Clone, Debug)]
struct Return {
    events: usize,
    model: Model,
    /// Whether everything up to here is durable.
    is_durable: bool,
}

/// The log of a run and what was promised when.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    initial: Vec<u8>,
    pub(crate) events: Vec<Event>,
    /// The first is the creation or opening of the pool.
    returns: Vec<Return>,
    /// Points around which checkpoints were written.
    pub(crate) checkpoints: Vec<usize>,
}

/// Options of all simulated pools: small, so that copying their images costs little; the same for each run of a test, and
/// with another base address for each test, so that tests side by side do not relocate each other's pools.
pub(crate) fn options() -> Options<World<'static>> {
    let mut hasher = std::hash::DefaultHasher::new();
    std::thread::current().name().hash(&mut hasher);
    WorldPool::options()
        .size_bytes(WorldPool::MIN_BYTES)
        .reserve_bytes(64 << 20)
        .threads(1)
        .seed(hasher.finish())
}

/// A simulated pool of the smallest size, and its medium.
pub(crate) fn create(options: Options<World<'static>>) -> (Arc<SimMedium>, WorldPool) {
    let sim = Arc::new(SimMedium::new());
    let pool = options.simulate_with(&sim, |_| World::default()).unwrap();
    (sim, pool)
}

/// The pool in an image.
pub(crate) fn open(image: Vec<u8>) -> Result<(Arc<SimMedium>, WorldPool), String> {
    let sim = Arc::new(SimMedium::from_image(image));
    let options = options().verify_checksums(true);
    let pool = options.open_simulated(&sim).map_err(|error| format!("it does not open: {error}"))?;
    Ok((sim, pool))
}

/// Does one step; the model is changed with the pool.
fn take_step(pool: &WorldPool, model: &mut Model, step: &Step) -> Result<(), FaseError> {
    match step {
        Step::Sync => pool.sync()?,
        Step::Aborted(ops) => {
            let aborted: Result<(), FaseError> = persist_fase!(pool, |tx, world| {
                ops.iter().for_each(|op| world.apply(tx, op));
                abort!("as planned")
            });
            let error = aborted.expect_err("the section aborts");
            if error.fault().is_some() {
                return Err(error);
            }
        }
        Step::Section(durability, ops) => {
            pool.fase(*durability, |tx, world: &mut World<'_>| -> Result<(), FaseError> {
                ops.iter().for_each(|op| world.apply(tx, op));
                Ok(())
            })?;
            *model = model.after(ops);
        }
    }
    Ok(())
}

impl Run {
    /// Takes the steps on the pool and notes when each returned.
    pub(crate) fn record(sim: &SimMedium, pool: &WorldPool, start: &Model, steps: &[Step]) -> Self {
        let mut model = start.clone();
        let created = Return { events: sim.event_count(), model: model.clone(), is_durable: true };
        let mut run = Run {
            initial: sim.initial_image(),
            events: Vec::new(),
            returns: vec![created],
            checkpoints: Vec::new(),
        };
        for step in steps {
            let checkpoints = pool.counters().checkpoints;
            take_step(pool, &mut model, step).unwrap_or_else(|error| panic!("a step failed: {error}"));
            let is_durable = matches!(step, Step::Sync | Step::Section(Durability::Immediate, _));
            run.returns.push(Return { events: sim.event_count(), model: model.clone(), is_durable });
            if pool.counters().checkpoints > checkpoints {
                run.checkpoints.push(sim.event_count());
            }
        }
        assert_eq!(pool.latest().observe(), model, "without any crash");
        run.events = sim.events();
        run
    }

    /// This run, ended after `point` events by the death of its process, and then `next`, on what it left: not only what
    /// was durable, but everything that was stored, of which a loss of power may still take what was not.
    pub(crate) fn followed_by(&self, point: usize, next: &Run) -> Self {
        let is_over = |step: &&Return| step.events <= point;
        let later = |step: &Return| Return { events: point + step.events, ..step.clone() };
        let by_others = |event: &Event| {
            // Threads of another process: their fences complete their own write-backs only.
            Event { thread: SimThread(1000 + event.thread.0), ..event.clone() }
        };
        Run {
            initial: self.initial.clone(),
            events: self.events[..point].iter().cloned().chain(next.events.iter().map(by_others)).collect(),
            returns: self
                .returns
                .iter()
                .take_while(is_over)
                .cloned()
                .chain(next.returns.iter().map(later))
                .collect(),
            checkpoints: Vec::new(),
        }
    }

    /// The bytes that a process which dies after `point` events leaves to the next one.
    pub(crate) fn left_at(&self, point: usize) -> Vec<u8> {
        let mut replay = Replay::new(self.initial.clone());
        self.events[..point].iter().for_each(|event| replay.apply(event));
        replay.image(Chooser::All)
    }

    /// Events of the creation or opening.
    pub(crate) fn first_point(&self) -> usize {
        self.returns[0].events
    }

    /// The models that a crash at `point` may leave.
    fn permitted(&self, point: usize) -> &[Return] {
        let returned = self.returns.iter().take_while(|step| step.events <= point).count();
        let is_floor = |step: &Return| step.is_durable;
        let floor = self.returns[..returned].iter().rposition(is_floor).unwrap_or(0);
        // The step under way may have happened already.
        &self.returns[floor..self.returns.len().min(returned + 1)]
    }
}

/// How many states of each kind to try at each point, and how thoroughly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) seeded: u64,
    /// Lines of which each is left out once, and the only one once.
    pub(crate) lines: usize,
    /// Every how many states the recovery is crashed too, and 20 more operations are done.
    pub(crate) deep_every: u64,
}

/// What was tried.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tried {
    pub(crate) points: u64,
    pub(crate) states: u64,
    /// States of crashes during a recovery or a close.
    pub(crate) second_crashes: u64,
    /// States from which the pool was used further.
    pub(crate) continued: u64,
    /// States that held the step under way.
    pub(crate) in_flight: u64,
}

/// The explorer of one run.
pub(crate) struct Explorer<'r> {
    run: &'r Run,
    plan: Plan,
    random: Random,
    pub(crate) tried: Tried,
}

impl<'r> Explorer<'r> {
    pub(crate) fn new(run: &'r Run, plan: Plan, seed: u64) -> Self {
        Explorer { run, plan, random: Random::new(seed), tried: Tried::default() }
    }

    /// Crashes at every point of the range.
    pub(crate) fn points(&mut self, points: std::ops::RangeInclusive<usize>) -> Result<(), String> {
        let mut replay = Replay::new(self.run.initial.clone());
        self.run.events[..*points.start()].iter().for_each(|event| replay.apply(event));
        for point in points {
            if replay.event_count() < point {
                replay.apply(&self.run.events[point - 1]);
            }
            self.tried.points += 1;
            for chooser in self.choosers(point, &replay) {
                self.state(point, chooser, &replay.image(chooser))
                    .map_err(|wrong| format!("crash after {point} events, {chooser:?}: {wrong}"))?;
            }
        }
        Ok(())
    }

    fn choosers(&mut self, point: usize, replay: &Replay) -> Vec<Chooser> {
        let last = point.checked_sub(1).map(|last| &self.run.events[last].action);
        if matches!(last, Some(Action::WriteBack { .. })) {
            // A write-back alone changes no image that a crash may leave: one more of the many is enough.
            return vec![Chooser::Seeded(self.random.next())];
        }
        let mut choosers = vec![Chooser::None, Chooser::All];
        choosers.extend((0..self.plan.seeded).map(|_| Chooser::Seeded(self.random.next())));
        let mut lines: Vec<u64> = replay.uncertain_lines().into_iter().collect();
        while lines.len() > self.plan.lines {
            let victim = self.random.below(lines.len() as u64) as usize;
            lines.swap_remove(victim);
        }
        choosers.extend(lines.iter().flat_map(|line| [Chooser::AllButLine(*line), Chooser::OnlyLine(*line)]));
        choosers
    }

    fn state(&mut self, point: usize, chooser: Chooser, image: &[u8]) -> Result<(), String> {
        self.tried.states += 1;
        let is_deep = self.tried.states.is_multiple_of(self.plan.deep_every);
        let (sim, pool) = match open(image.to_vec()) {
            Ok(opened) => opened,
            // Before the creation returned there may be no pool yet.
            Err(_) if point < self.run.first_point() && self.run.initial.is_empty() => return Ok(()),
            Err(wrong) => return Err(wrong),
        };
        let found = judge(&pool)?;
        let permitted = self.run.permitted(point);
        let Some(index) = permitted.iter().position(|step| step.model == found) else {
            let ticks: Vec<u64> = permitted.iter().map(|step| step.model.ticks).collect();
            return Err(format!("it holds {found:?}, which is none of the versions with {ticks:?} ticks"));
        };
        let last = self.run.returns.last().expect("creation is one").events;
        self.tried.in_flight += u64::from(index + 1 == permitted.len() && point < last && index > 0);
        if is_deep {
            self.crash_recovery(sim, pool, &found, image)
                .map_err(|wrong| format!("second crash: {wrong}"))?;
            self.go_on(image, &found).map_err(|wrong| format!("going on: {wrong}"))?;
        }
        let _ = chooser;
        Ok(())
    }

    /// Crashes at every event of the recovery and of the clean close that follows it.
    fn crash_recovery(
        &mut self,
        sim: Arc<SimMedium>,
        pool: WorldPool,
        found: &Model,
        image: &[u8],
    ) -> Result<(), String> {
        drop(pool);
        let mut replay = Replay::new(image.to_vec());
        let events = sim.events();
        for point in 0..=events.len() {
            if point > 0 {
                replay.apply(&events[point - 1]);
            }
            for chooser in [Chooser::None, Chooser::All, Chooser::Seeded(self.random.next())] {
                self.tried.second_crashes += 1;
                let at =
                    |wrong: String| format!("after {point} of {} events, {chooser:?}: {wrong}", events.len());
                let (_, pool) = open(replay.image(chooser)).map_err(at)?;
                let again = judge(&pool).map_err(at)?;
                if again != *found {
                    return Err(at(format!("it held {found:?} and holds {again:?}")));
                }
            }
        }
        Ok(())
    }

    /// Uses the recovered pool for 20 more operations and crashes at some points of them.
    fn go_on(&mut self, image: &[u8], found: &Model) -> Result<(), String> {
        self.tried.continued += 1;
        let (sim, pool) = open(image.to_vec())?;
        let steps = random_steps(&mut self.random, found, 10, Mix { buffered: 3, ops: 2 });
        let run = Run::record(&sim, &pool, found, &steps);
        drop(pool);
        let plan = Plan { seeded: 1, lines: 0, deep_every: u64::MAX };
        let mut explorer = Explorer::new(&run, plan, self.random.next());
        for _ in 0..8 {
            let first = run.first_point();
            let point = first + self.random.below((run.events.len() - first) as u64 + 1) as usize;
            explorer.points(point..=point)?;
        }
        self.tried.states += explorer.tried.states;
        self.tried.points += explorer.tried.points;
        let mut replay = Replay::new(image.to_vec());
        run.events.iter().for_each(|event| replay.apply(event));
        explorer.state(run.events.len(), Chooser::None, &replay.image(Chooser::None))
    }
}

/// What an opened pool holds, if it is exact.
pub(crate) fn judge(pool: &WorldPool) -> Result<Model, String> {
    let report = pool.check().map_err(|error| format!("check: {error}"))?;
    if (report.unreachable_lines, report.unallocated_lines, report.refcounts_off) != (0, 0, 0) {
        return Err(format!("it is not exact: {report:?}"));
    }
    if let Some((degree, count)) =
        degrees_and_counts(pool).into_iter().find(|(degree, count)| degree != count)
    {
        return Err(format!("a node with {degree} owners has the refcount {count}"));
    }
    Ok(pool.snapshot().observe())
}

/// What random steps consist of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// One in so many sections is buffered, and some aborted and synced with them; 0 for none.
    pub(crate) buffered: u64,
    /// Operations in a section, at most.
    pub(crate) ops: u64,
}

/// Random steps that begin at `start`.
pub(crate) fn random_steps(random: &mut Random, start: &Model, count: usize, mix: Mix) -> Vec<Step> {
    let mut model = start.clone();
    let mut steps = Vec::new();
    while steps.len() < count {
        let ops: Vec<Op> = (0..=random.below(mix.ops)).map(|_| Op::random(random, 40, &model)).collect();
        if mix.buffered > 0 && random.one_in(mix.buffered * 2) {
            steps.push(if random.one_in(2) { Step::Sync } else { Step::Aborted(ops) });
            continue;
        }
        model = model.after(&ops);
        let is_buffered = mix.buffered > 0 && random.one_in(mix.buffered);
        let durability = if is_buffered { Durability::Buffered } else { Durability::Immediate };
        steps.push(Step::Section(durability, ops));
    }
    steps
}
