//! What the pool has done since it was opened, counted exactly.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts since the pool was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Sections committed.
    pub fases: u64,
    /// Sections aborted, by an error, `abort!` or a panic.
    pub aborts: u64,
    /// Fences (on files: syncs) of commits and group flushes. An Immediate section has exactly one; one too large for
    /// its record has two.
    pub fences: u64,
    /// Lines of nodes and records written back by commits and group flushes.
    pub lines_written_back: u64,
    /// Of these, lines of commit records.
    pub record_lines: u64,
    /// Payload and header bytes of nodes committed.
    pub bytes: u64,
    /// Nodes committed.
    pub nodes: u64,
    /// Sections that took the path with two fences.
    pub fenced_twice: u64,
    /// Checkpoints, and the fences they cost.
    pub checkpoints: u64,
    /// Fences of checkpoints, growth and superblocks: not on the path of a section.
    pub background_fences: u64,
    /// Nodes that a commit made unreachable from the newest version, subtrees counted once.
    pub retired: u64,
    /// Nodes whose lines were given back to the heap.
    pub reclaimed: u64,
    /// Times the pool grew.
    pub growths: u64,
}

macro_rules! tally {
    ($($name:ident),*) => {
        /// The counters while they count.
        #[derive(Debug, Default)]
        pub(crate) struct Tally { $(pub(crate) $name: Count),* }

        impl Tally {
            pub(crate) fn read(&self) -> Counters {
                Counters { $($name: self.$name.get()),* }
            }
        }
    };
}

tally!(
    fases,
    aborts,
    fences,
    lines_written_back,
    record_lines,
    bytes,
    nodes,
    fenced_twice,
    checkpoints,
    background_fences,
    retired,
    reclaimed,
    growths
);

/// One counter.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, amount: u64) {
        // Relaxed: counters order nothing.
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        // Relaxed: counters order nothing.
        self.0.load(Ordering::Relaxed)
    }
}
