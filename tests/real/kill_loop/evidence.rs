//! What was killed where.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use pmem_runtime::hw::Moment;

use crate::place::{Phase, Place};

/// Counts of kills.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// Kinds of events that were seen to happen.
    pub(crate) places: BTreeSet<Place>,
    /// Kills at each.
    pub(crate) kills: BTreeMap<Place, u64>,
    /// Kills by medium.
    pub(crate) media: BTreeMap<&'static str, u64>,
    pub(crate) pools: u64,
    /// Kills that left no pool, because it had no name yet.
    pub(crate) unborn: u64,
    /// Pools that recovery found in need of it.
    pub(crate) recovered: u64,
    pub(crate) records_replayed: u64,
    pub(crate) records_rejected: u64,
    pub(crate) moved: u64,
    /// Sections that were there though nobody had been told: in flight, or Buffered and not synced.
    pub(crate) ahead: u64,
    /// Victims that lived to the end, since time decides when the flusher runs.
    pub(crate) escaped: u64,
}

impl Evidence {
    pub(crate) fn kill_count(&self) -> u64 {
        self.kills.values().sum()
    }

    pub(crate) fn kills_at(&self, place: &Place) -> u64 {
        self.kills.get(place).copied().unwrap_or(0)
    }

    fn sum(&self, is_counted: impl Fn(&Place) -> bool) -> u64 {
        self.kills.iter().filter(|(place, _)| is_counted(place)).map(|(_, count)| count).sum()
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Kills by what the process was at, and what had happened last to the medium:")?;
        write!(f, "{:10}", "")?;
        for moment in Moment::ALL {
            write!(f, "{:>15}", format!("{moment:?}"))?;
        }
        writeln!(f, "{:>7}", "all")?;
        for phase in Phase::ALL {
            write!(f, "{:10}", format!("{phase:?}"))?;
            for moment in Moment::ALL {
                write!(f, "{:15}", self.sum(|place| place.phase == phase && place.moment == moment))?;
            }
            writeln!(f, "{:7}", self.sum(|place| place.phase == phase))?;
        }
        write!(f, "{:10}", "all")?;
        for moment in Moment::ALL {
            write!(f, "{:15}", self.sum(|place| place.moment == moment))?;
        }
        writeln!(f, "{:7}", self.kill_count())?;
        let mut files: BTreeMap<&str, u64> = BTreeMap::new();
        for (place, count) in &self.kills {
            *files.entry(place.line.split(':').next().unwrap_or_default()).or_default() += count;
        }
        let list = |entries: &BTreeMap<&str, u64>| {
            entries.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        writeln!(f, "Kills by file of the runtime: {}", list(&files))?;
        writeln!(f, "Kills by medium: {}", list(&self.media))?;
        writeln!(
            f,
            "pools={} without_a_name={} recovered={} records_replayed={} records_rejected={} moved={} \
             unsaid_sections={} escaped={}",
            self.pools,
            self.unborn,
            self.recovered,
            self.records_replayed,
            self.records_rejected,
            self.moved,
            self.ahead,
            self.escaped
        )
    }
}
