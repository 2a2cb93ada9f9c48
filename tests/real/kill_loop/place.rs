//! Where a process can die: what it was at, what happened to the medium, and by which line of the runtime.

use std::fmt;
use std::str::FromStr;

use pmem_runtime::hw::Moment;

/// What a process is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Phase {
    Create,
    /// Opening, which recovers what the last death left.
    Recover,
    /// Opening where the pool's addresses are taken, which moves all its pointers too.
    Relocate,
    Immediate,
    Buffered,
    Sync,
    /// The thread that flushes Buffered sections, beside whatever else is done.
    Flusher,
    Close,
}

impl Phase {
    pub(crate) const ALL: [Phase; 8] = [
        Phase::Create,
        Phase::Recover,
        Phase::Relocate,
        Phase::Immediate,
        Phase::Buffered,
        Phase::Sync,
        Phase::Flusher,
        Phase::Close,
    ];
}

/// A kind of event at which a process can die.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) phase: Phase,
    pub(crate) moment: Moment,
    /// The file of the runtime and its line.
    pub(crate) line: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {}", self.phase, self.moment, self.line)
    }
}

impl FromStr for Place {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut words = text.splitn(3, ' ');
        let mut word = || words.next().ok_or(());
        let (phase, moment, line) = (word()?, word()?, word()?);
        let phase = Phase::ALL.into_iter().find(|each| format!("{each:?}") == phase).ok_or(())?;
        let moment = Moment::ALL.into_iter().find(|each| format!("{each:?}") == moment).ok_or(())?;
        Ok(Place { phase, moment, line: line.to_owned() })
    }
}
