//! What recovery did, for people, and how far it has come, for those who wait.

use std::fmt;
use std::time::Duration;

/// A step of opening a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Reading the records of sections that the checkpoint had not reached. Counted in records.
    Replay,
    /// Finding the live nodes. Counted in bytes; the total is the heap's length, which is never reached.
    Mark,
    /// Rewriting pointers for another address. Counted in nodes.
    Relocate,
    /// Correcting refcounts and setting volatile fields to their defaults. Counted in nodes.
    Repair,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Replay => "replaying",
            Phase::Mark => "marking",
            Phase::Relocate => "relocating",
            Phase::Repair => "repairing",
        })
    }
}

/// How far opening a pool has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The step under way.
    pub phase: Phase,
    /// How much of it is done, in the phase's own unit.
    pub done: u64,
    /// What `done` will not exceed.
    pub total: u64,
}

impl Progress {
    pub(crate) fn new(phase: Phase, done: u64, total: u64) -> Self {
        Progress { phase, done: done.min(total), total }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} of {}", self.phase, self.done, self.total)
    }
}

/// How the pool was left by the process that used it last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastClose {
    /// There was no such process: the pool was created.
    New,
    /// It was closed.
    Clean,
    /// The process or the machine died.
    #[default]
    Crash,
}

/// Where a pool's addresses began, and where they begin now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The old base address.
    pub from: u64,
    /// The new one.
    pub to: u64,
}

/// What opening a pool found and did.
///
/// Its `Display` is a short paragraph for a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// How the pool had been left.
    pub last_close: LastClose,
    /// Records of sections that were committed and not yet part of a checkpoint.
    pub records_replayed: u64,
    /// Records of sections that a crash had cut short: they did not happen.
    pub records_rejected: u64,
    /// The ticket up to which everything is now part of the pool's checkpoint.
    pub watermark: u64,
    /// Live nodes.
    pub nodes: u64,
    /// Bytes of their headers and payloads.
    pub live_bytes: u64,
    /// Nodes whose refcount was not the number of their owners.
    pub refcounts_corrected: u64,
    /// Whether the pool had to move to other addresses.
    pub moved: Option<Moved>,
    /// Time spent, in the order of the steps taken.
    pub phases: Vec<(Phase, Duration)>,
}

impl Recovery {
    /// Time spent in all steps.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.phases.iter().map(|(_, spent)| *spent).sum()
    }
}

impl fmt::Display for Recovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.last_close {
            LastClose::New => "is new",
            LastClose::Clean => "was closed cleanly",
            LastClose::Crash => "was not closed",
        };
        let Recovery { records_replayed, records_rejected, watermark, nodes, live_bytes, .. } = self;
        write!(
            f,
            "The pool {state}. {} replayed and {records_rejected} rejected, up to ticket {watermark}. \
             {} alive, {live_bytes} bytes; {} corrected.",
            Counted(*records_replayed, "record"),
            Counted(*nodes, "node"),
            Counted(self.refcounts_corrected, "refcount"),
        )?;
        if let Some(Moved { from, to }) = self.moved {
            write!(f, " It moved from address {from:#x} to {to:#x}.")?;
        }
        write!(f, " This took {:.1?}", self.elapsed())?;
        for (index, (phase, spent)) in self.phases.iter().enumerate() {
            let before = if index == 0 { ": " } else { ", " };
            write!(f, "{before}{phase} {spent:.1?}")?;
        }
        f.write_str(".")
    }
}

/// A number and what it is a number of.
struct Counted(u64, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} {}{plural}", self.0, self.1)
    }
}
