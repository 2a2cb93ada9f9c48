//! What a test is told from outside: `PMEM_CRASH_SEED`, `PMEM_CRASH_STATES`, `PMEM_CRASH_OPS`, `PMEM_CRASH_MODEL`,
//! `PMEM_CRASH_REPLAY`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::{Persistence, Plan};
use crate::hw::sim::Choices;

/// One state of one run of a plan, as a failure prints it and `PMEM_CRASH_REPLAY` takes it.
///
/// `model:run:point:growth:unit=state,unit=state`, where the units are those that are not at their newest state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayPoint {
    /// By which model the log was read.
    pub persistence: Persistence,
    /// Which run of the plan.
    pub run: u64,
    /// After how many events the crash comes.
    pub point: usize,
    pub(super) choices: Choices,
}

impl fmt::Display for ReplayPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let growth = u8::from(self.choices.keeps_growth);
        write!(f, "{}:{}:{}:{growth}:", self.persistence, self.run, self.point)?;
        for (index, (unit, kept)) in self.choices.kept.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{unit}={kept}")?;
        }
        Ok(())
    }
}

/// A text that is no [`ReplayPoint`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no crash state; one looks like chunk8:3:57:1:2052=0,2060=1, as failures print it")]
pub struct NoReplayPoint(String);

impl FromStr for ReplayPoint {
    type Err = NoReplayPoint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let mut parts = text.split(':');
            let persistence = parts.next()?.parse().ok()?;
            let run = parts.next()?.parse().ok()?;
            let point = parts.next()?.parse().ok()?;
            let keeps_growth = parts.next()? == "1";
            let pair = |pair: &str| {
                let (unit, kept) = pair.split_once('=')?;
                Some((unit.parse().ok()?, kept.parse().ok()?))
            };
            let pairs = parts.next()?.split(',').filter(|pair| !pair.is_empty());
            let kept = pairs.map(pair).collect::<Option<BTreeMap<u64, usize>>>()?;
            Some(ReplayPoint { persistence, run, point, choices: Choices { kept, keeps_growth } })
        };
        parse().ok_or_else(|| NoReplayPoint(text.to_owned()))
    }
}

/// The value of a variable.
///
/// # Panics
/// If it is set and does not parse: a test that ignored it would seem to have done what it was told.
fn variable<T>(name: &str) -> Option<T>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    let text = std::env::var(name).ok()?;
    Some(text.trim().parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")))
}

impl Plan {
    /// The plan of this name, changed by the environment: `PMEM_CRASH_SEED` (a number), `PMEM_CRASH_STATES` (a number),
    /// `PMEM_CRASH_OPS` (operations in a long run), `PMEM_CRASH_MODEL` (names of [`Persistence`] models, with commas, or `all`),
    /// `PMEM_CRASH_REPLAY` (a state, as a failure prints it: nothing else is tried then).
    ///
    /// # Panics
    /// If a variable does not parse.
    #[must_use]
    pub fn from_environment(name: &str) -> Self {
        let mut plan = Plan::new(name);
        if let Some(seed) = variable("PMEM_CRASH_SEED") {
            plan = plan.seed(seed);
        }
        if let Some(states) = variable("PMEM_CRASH_STATES") {
            plan = plan.states(states);
        }
        if let Some(ops) = variable("PMEM_CRASH_OPS") {
            plan = plan.run_len(ops);
        }
        if let Some(names) = variable::<String>("PMEM_CRASH_MODEL") {
            let parse = |name: &str| {
                name.trim().parse().unwrap_or_else(|error| panic!("PMEM_CRASH_MODEL={names}: {error}"))
            };
            let models = if names == "all" {
                Persistence::ALL.to_vec()
            } else {
                names.split(',').map(parse).collect()
            };
            plan = plan.models(&models);
        }
        match variable("PMEM_CRASH_REPLAY") {
            Some(point) => plan.replaying(point),
            None => plan,
        }
    }
}
