//! Trying the crash states of one run.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::decisive::Decisive;
use super::evidence::Outcomes;
use super::judge::{self, Wrong};
use super::run::Run;
use super::shrink::shrink;
use super::{Evidence, Failure, Model, Persistence, Plan, Random, ReplayPoint, thorough};
use crate::hw::sim::{Choices, Chooser, Replay};

/// How much is tried at each point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// New states, at most; at least one is tried.
    pub(super) states: u64,
    /// Every how many states one is checked thoroughly.
    pub(super) thorough_every: u64,
}

/// A state that was found wrong.
struct Found {
    choices: Choices,
    wrong: String,
}

/// The explorer of a plan's runs under one model.
pub(super) struct Explorer<'p> {
    plan: &'p Plan,
    persistence: Persistence,
    random: Random,
    outcomes: Outcomes,
    pub(super) evidence: Evidence,
    judged: u64,
}

impl<'p> Explorer<'p> {
    pub(super) fn new(plan: &'p Plan, persistence: Persistence) -> Self {
        Explorer {
            plan,
            persistence,
            random: Random::new(plan.seed ^ ((persistence as u64) << 32)),
            outcomes: Outcomes::default(),
            evidence: Evidence::default(),
            judged: 0,
        }
    }

    /// Counts a run in.
    pub(super) fn enter<M>(&mut self, run: &Run<M>) {
        self.evidence.runs += 1;
        self.evidence.ops += run.steps.len() as u64 - 1;
        self.evidence.events += run.events.len() as u64;
        self.evidence.faults += run.faults;
        self.evidence.growths += run.growths;
        self.evidence.deaths += run.deaths.len() as u64;
    }

    /// Crashes at every `stride`th point of the range, and at its last.
    ///
    /// # Errors
    /// The first wrong state, shrunk.
    pub(super) fn points<M: Model>(
        &mut self,
        run: &Run<M>,
        points: RangeInclusive<usize>,
        stride: usize,
        effort: Effort,
    ) -> Result<(), Failure> {
        let mut seen = HashSet::new();
        let mut replay = Replay::reading(Vec::new(), self.persistence);
        run.events[..*points.start()].iter().for_each(|event| replay.apply(event));
        for point in points.clone() {
            if replay.event_count() < point {
                replay.apply(&run.events[point - 1]);
            }
            self.evidence.points += 1;
            if (point - points.start()).is_multiple_of(stride) || point == *points.end() {
                self.evidence.points_hit += 1;
                let kind = run.steps[run.under_way(point)].kind;
                *self.evidence.kinds.entry(kind).or_default() += 1;
                if let Err(found) = self.point(run, point, &replay, effort, &mut seen) {
                    return Err(self.fail(run, point, &replay, found));
                }
            }
        }
        Ok(())
    }

    /// Judges the state that a failure has printed, thoroughly.
    ///
    /// # Errors
    /// It is wrong still.
    pub(super) fn replay<M: Model>(&mut self, run: &Run<M>, at: &ReplayPoint) -> Result<(), Failure> {
        let mut replay = Replay::reading(Vec::new(), self.persistence);
        let point = at.point.min(run.events.len());
        run.events[..point].iter().for_each(|event| replay.apply(event));
        self.evidence.points += 1;
        self.evidence.points_hit += 1;
        self.state(run, point, &replay, &at.choices, true)
            .map_err(|found| Failure::of_state(self.plan, run, point, &replay, &found.choices, &found.wrong))
    }

    fn point<M: Model>(
        &mut self,
        run: &Run<M>,
        point: usize,
        replay: &Replay,
        effort: Effort,
        seen: &mut HashSet<(u64, usize, usize)>,
    ) -> Result<(), Found> {
        let permitted = run.permitted(point);
        let mut tried = 0;
        let every = replay.every_choice(effort.states);
        self.evidence.points_exhausted += u64::from(every.is_some());
        let mut candidates: Box<dyn Iterator<Item = Choices>> = match every {
            Some(all) => Box::new(all.into_iter()),
            None => {
                let mut choosers = self.choosers(replay, effort.states).into_iter();
                let decisive = Decisive::of(replay, &run.events, &run.geometry);
                let mut left: Vec<usize> = (0..decisive.len()).collect();
                let mut random = Random::new(self.random.bits());
                // Half of the states are what recovery tells apart, in random order; the others may find what was not thought of.
                let mut is_turn = random.one_in(2);
                Box::new(std::iter::from_fn(move || {
                    is_turn = !is_turn;
                    if is_turn && !left.is_empty() {
                        let which = left.swap_remove(random.below(left.len() as u64) as usize);
                        return Some(decisive.state(replay, which, &mut random));
                    }
                    choosers.next().map(|chooser| replay.choices(chooser))
                }))
            }
        };
        while tried < effort.states.max(1)
            && let Some(choices) = candidates.next()
        {
            if !seen.insert((replay.fingerprint(&choices), permitted.start, permitted.end)) {
                self.evidence.repeated += 1;
                continue;
            }
            tried += 1;
            self.judged += 1;
            let is_thorough = self.judged.is_multiple_of(effort.thorough_every);
            self.state(run, point, replay, &choices, is_thorough)?;
        }
        Ok(())
    }

    /// The extremes, each line missing and alone in random order, then mixtures: more than will be tried, since some are equal.
    fn choosers(&mut self, replay: &Replay, states: u64) -> Vec<Chooser> {
        let mut choosers = vec![Chooser::All, Chooser::None];
        let mut lines: Vec<u64> = replay.uncertain_lines().into_iter().collect();
        while !lines.is_empty() && (choosers.len() as u64) < 2 + states / 2 {
            let line = lines.swap_remove(self.random.below(lines.len() as u64) as usize);
            choosers.extend([Chooser::AllButLine(line), Chooser::OnlyLine(line)]);
        }
        choosers.extend((0..states * 2).map(|_| Chooser::Seeded(self.random.bits())));
        if states < choosers.len() as u64 / 2 {
            // Not the same kind at every point.
            let first = self.random.below(choosers.len() as u64) as usize;
            choosers.rotate_left(first);
        }
        choosers
    }

    fn state<M: Model>(
        &mut self,
        run: &Run<M>,
        point: usize,
        replay: &Replay,
        choices: &Choices,
        is_thorough: bool,
    ) -> Result<(), Found> {
        self.evidence.states += 1;
        let mut evidence = std::mem::take(&mut self.evidence);
        let image = replay.image_with(choices);
        let verdict = self.verdict(run, point, replay, choices, image, is_thorough, &mut evidence);
        self.evidence = evidence;
        let recovered = verdict.map_err(|wrong| Found { choices: choices.clone(), wrong })?;
        if let Some((step, decisions)) = recovered {
            (self.evidence.outcomes, self.evidence.recoveries) =
                self.outcomes.note(run.index, step, decisions);
            let is_in_flight = run.steps[step].until.is_none_or(|until| until > point) && step > 0;
            self.evidence.in_flight += u64::from(is_in_flight);
        }
        Ok(())
    }

    /// The step whose value the state holds, and what recovery decided on the way there; `None` if there is no pool yet.
    #[expect(clippy::too_many_arguments, reason = "a state is a run, a point, a replay and choices")]
    fn verdict<M: Model>(
        &self,
        run: &Run<M>,
        point: usize,
        replay: &Replay,
        choices: &Choices,
        image: Vec<u8>,
        is_thorough: bool,
        evidence: &mut Evidence,
    ) -> Result<Option<(usize, [u64; 3])>, String> {
        let kept = is_thorough.then(|| image.clone());
        let (found, decisions) = match judge::open::<M>(self.plan, image) {
            Ok(opened) => {
                let recovery = opened.pool.recovery();
                let decisions = [recovery.records_replayed, recovery.records_rejected, recovery.watermark];
                (opened.found, decisions)
            }
            // Until the creation has returned there need not be a pool.
            Err(Wrong::NotOpened(_)) if point < run.created_at() => return Ok(None),
            Err(wrong) => return Err(wrong.into_text()),
        };
        let permitted = run.permitted(point);
        let step = permitted.clone().rev().find(|step| run.steps[*step].after == found);
        let Some(step) = step else {
            return Err(format!("the pool holds {found:?}"));
        };
        if let Some(image) = kept {
            // Of the state alone, so that replaying it does the same.
            let mut random = Random::new(self.plan.seed ^ replay.fingerprint(choices));
            thorough::check(self.plan, &image, &found, &mut random, evidence)?;
        }
        Ok(Some((step, decisions)))
    }

    fn fail<M: Model>(&self, run: &Run<M>, point: usize, replay: &Replay, found: Found) -> Failure {
        let judge = |point: usize, replay: &Replay, choices: &Choices, is_thorough: bool| {
            let image = replay.image_with(choices);
            let ignored = &mut Evidence::default();
            self.verdict(run, point, replay, choices, image, is_thorough, ignored).err()
        };
        // What a plain look finds is shrunk by plain looks, lest another mistake take its place.
        let is_thorough = judge(point, replay, &found.choices, false).is_none();
        let choices = shrink(&found.choices, |choices| judge(point, replay, choices, is_thorough).is_some());
        if choices.kept.is_empty() && !is_thorough {
            // It takes no lost store: then the first place where that is so says most of how it comes about.
            let mut earlier = Replay::reading(Vec::new(), self.persistence);
            for (index, event) in run.events[..point].iter().enumerate() {
                earlier.apply(event);
                let choices = earlier.choices(Chooser::All);
                let is_crash_point = index + 1 >= run.created_at();
                if is_crash_point && let Some(wrong) = judge(index + 1, &earlier, &choices, false) {
                    return Failure::of_state(self.plan, run, index + 1, &earlier, &choices, &wrong);
                }
            }
        }
        let wrong = judge(point, replay, &choices, is_thorough).unwrap_or(found.wrong);
        Failure::of_state(self.plan, run, point, replay, &choices, &wrong)
    }
}
