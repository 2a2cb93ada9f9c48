//! The crash simulator: a medium over plain memory that remembers every store, write-back and fence.
//!
//! **Problem.** Killing a process tests nothing: the page cache survives it. A lost write-back or a misplaced fence shows
//! only if memory itself loses what it may lose. So this medium logs what happens in the order in which it happens, and
//! builds from any prefix of the log the bytes that a crash at that point may leave.
//!
//! **Words.** A *chunk* is eight aligned bytes: what a crash does not tear. A store is *guaranteed* once the thread that
//! wrote it back has fenced. A *chooser* decides, for each chunk, which of its possible values the crash leaves.
//!
//! **Model.** By default every chunk on its own holds its guaranteed value or that of any later store. This is weaker than
//! x86 (where a line's stores persist in order), so that what holds here holds there, however the compiler splits or
//! orders plain stores. [`Persistence`] names the other models; each is another reading of the same log.
//!
//! **Sources.** Each event bears the line of the runtime that caused it and the section that its thread was in. What the
//! runtime tells besides (sections that start, lines that are handed out) is a [`Note`] between two events.
//!
//! **Invariants.**
//! 1. The shadow equals the mapping wherever a store was logged; events and shadow change under one lock, so the log's
//!    order is one in which the stores can have happened.
//! 2. A fence guarantees only what its own thread wrote back before, as it was when it was written back.
//! 3. Before a write-back, changes that no one announced (refcounts) are found by comparing with the shadow and logged; and
//!    refcounts of nodes handed out before, when a section begins and when its thread fences.

mod chooser;
mod medium;
#[cfg(test)]
mod models_test;
mod persistence;
mod replay;
mod shadow;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::panic::Location;

pub use chooser::{Choices, Chooser};
pub use medium::SimMedium;
pub use persistence::{Persistence, UnknownPersistence};
pub use replay::{Missing, Replay};

/// What a crash does not tear.
pub const CHUNK_BYTES: usize = 8;

/// One thread of the simulated program, numbered in order of its first event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SimThread(pub u32);

/// One entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Who did it.
    pub thread: SimThread,
    /// What was done.
    pub action: Action,
    /// By which line, for which section.
    pub source: Source,
}

/// Where an event comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The line of the runtime that asked the medium for it.
    pub line: &'static Location<'static>,
    /// The section that the thread began last, counted from 1 through all threads; 0 before its first.
    pub section: u32,
}

/// What the runtime tells the simulator, besides what it does to the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A section begins.
    SectionStarted {
        /// The line that began it.
        by: &'static Location<'static>,
    },
    /// Lines are handed out for a node. Until the section is over they belong to it alone.
    Allocated {
        /// Address of the first, which becomes an offset in the log.
        at: u64,
        /// How many.
        lines: u32,
        /// The line that makes the node.
        by: &'static Location<'static>,
    },
    /// A snapshot begins to be held.
    Pinned {
        /// Of the version that was committed last at or before this ticket.
        version: u64,
    },
    /// A snapshot of this version is given up.
    Unpinned {
        /// As when it was pinned.
        version: u64,
    },
}

/// A note, and its place in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    /// How many events were before it.
    pub events: usize,
    /// Who told it.
    pub thread: SimThread,
    /// The section that the thread began last, this one included.
    pub section: u32,
    /// What was told.
    pub note: Note,
}

thread_local! {
    /// The line that last reached for a medium.
    static CALLER: Cell<&'static Location<'static>> = const { Cell::new(Location::caller()) };
}

/// Remembers the caller's line as the source of what this thread's medium is told next. (A method that is called through
/// `dyn Medium` does not learn its caller's line.)
#[track_caller]
pub(super) fn note_caller() {
    CALLER.set(Location::caller());
}

/// The line remembered last.
pub(super) fn caller() -> &'static Location<'static> {
    CALLER.get()
}

/// What a thread did to the medium.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Bytes changed.
    Store {
        /// Where, from the start of the pool.
        offset: u64,
        /// To what.
        bytes: Box<[u8]>,
    },
    /// Whole lines were started on their way.
    WriteBack {
        /// The first line's offset.
        offset: u64,
        /// A multiple of the line.
        len_bytes: u64,
    },
    /// The thread's write-backs arrived.
    Fence,
    /// The fence failed: the thread's write-backs are forgotten, as the kernel forgets dirty pages after a failed sync.
    FenceFailed,
    /// The medium is about to get longer; a crash leaves either length.
    GrowStarted {
        /// The length to be.
        new_len_bytes: u64,
    },
    /// The new length is durable.
    Grown {
        /// The length.
        new_len_bytes: u64,
    },
}
