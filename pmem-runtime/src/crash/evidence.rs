//! What was tried: the difference between "no failure" and "nothing done".

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// What a plan has tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// Sequences of operations that were run.
    pub runs: u64,
    /// Operations in them.
    pub ops: u64,
    /// Stores, write-backs, fences and growths in their logs.
    pub events: u64,
    /// Places where a crash can come in what the plan covers.
    pub points: u64,
    /// Of these, places where one came.
    pub points_hit: u64,
    /// Of these, places where every state that the model allows was judged.
    pub points_exhausted: u64,
    /// States that were opened and judged, crashes in recovery and after it included.
    pub states: u64,
    /// States that were not, since an equal one had been.
    pub repeated: u64,
    /// Of the states, those that a crash during a recovery or a close left.
    pub second_crashes: u64,
    /// States on which the program went on, to a clean close and a reopening, at another address.
    pub continued: u64,
    /// Different values that were recovered.
    pub outcomes: u64,
    /// States that held the operation in flight.
    pub in_flight: u64,
    /// Syncs that failed, and operations for which there was no space.
    pub faults: u64,
    /// Commits whose every reachable line was found durable, or covered by the record.
    pub publications: u64,
    /// Lines that were handed out, first uses included.
    pub handed_out: u64,
    /// Lines that a version had reached, found free of all versions that count when they were handed out again.
    pub reuses: u64,
    /// Of these, handed out while snapshots were held.
    pub pinned_reuses: u64,
    /// Processes that died, and left what they had not made durable to the next one.
    pub deaths: u64,
    /// Growths of pools.
    pub growths: u64,
    /// Different decisions of recovery: the value, how many records it believed and rejected, and where it went on from.
    pub recoveries: u64,
    /// For each kind of operation, how many of the places where a crash came are within one.
    pub kinds: BTreeMap<&'static str, u64>,
}

impl Evidence {
    /// Adds what another plan has tried.
    pub fn add(&mut self, other: &Evidence) {
        let Evidence {
            runs,
            ops,
            events,
            points,
            points_hit,
            points_exhausted,
            states,
            repeated,
            second_crashes,
            continued,
            outcomes,
            in_flight,
            faults,
            publications,
            handed_out,
            reuses,
            pinned_reuses,
            deaths,
            growths,
            recoveries,
            kinds,
        } = other;
        self.runs += runs;
        self.ops += ops;
        self.events += events;
        self.points += points;
        self.points_hit += points_hit;
        self.points_exhausted += points_exhausted;
        self.states += states;
        self.repeated += repeated;
        self.second_crashes += second_crashes;
        self.continued += continued;
        self.outcomes += outcomes;
        self.in_flight += in_flight;
        self.faults += faults;
        self.publications += publications;
        self.handed_out += handed_out;
        self.reuses += reuses;
        self.pinned_reuses += pinned_reuses;
        self.deaths += deaths;
        self.growths += growths;
        self.recoveries += recoveries;
        for (kind, points) in kinds {
            *self.kinds.entry(kind).or_default() += points;
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} runs of {} operations, {} events; {} of {} crash points hit, {} of them in every state; {} states, {} \
             more equal to one of them, {} of crashes in recovery, {} gone on from; {} outcomes, {} with the operation \
             in flight, {} ways of recovering; {} faults, {} deaths, {} growths; {} publications and {} lines handed out \
             watched, {} of them used before, {} of these while snapshots were held",
            self.runs,
            self.ops,
            self.events,
            self.points_hit,
            self.points,
            self.points_exhausted,
            self.states,
            self.repeated,
            self.second_crashes,
            self.continued,
            self.outcomes,
            self.in_flight,
            self.recoveries,
            self.faults,
            self.deaths,
            self.growths,
            self.publications,
            self.handed_out,
            self.reuses,
            self.pinned_reuses
        )?;
        for (index, (kind, points)) in self.kinds.iter().enumerate() {
            write!(f, "{} {points} in {kind}", if index == 0 { "; points hit:" } else { "," })?;
        }
        Ok(())
    }
}

/// What recoveries of one explorer came to.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    values: BTreeSet<(u64, usize)>,
    recoveries: HashSet<(u64, usize, [u64; 3])>,
}

impl Outcomes {
    /// Notes that a run's state held the value after its operation of this index, by so many records believed and rejected and
    /// this watermark. Returns how many different values and recoveries there are now.
    pub(super) fn note(&mut self, run: u64, step: usize, decisions: [u64; 3]) -> (u64, u64) {
        self.values.insert((run, step));
        self.recoveries.insert((run, step, decisions));
        (self.values.len() as u64, self.recoveries.len() as u64)
    }
}
