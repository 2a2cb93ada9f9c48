//! The crash simulator: a medium over plain memory that remembers every store, write-back and fence.
//!
//! **Problem.** Killing a process tests nothing: the page cache survives it. A lost write-back or a misplaced fence shows
//! only if memory itself loses what it may lose. So this medium logs what happens in the order in which it happens, and
//! builds from any prefix of the log the bytes that a crash at that point may leave.
//!
//! **Words.** A *chunk* is eight aligned bytes: what a crash does not tear. A store is *guaranteed* once the thread that
//! wrote it back has fenced. A *chooser* decides, for each chunk, which of its possible values the crash leaves.
//!
//! **Model (chunk8).** Every chunk on its own holds its guaranteed value or that of any later store. This is weaker than
//! x86 (where a line's stores persist in order), so that what holds here holds there, however the compiler splits or
//! orders plain stores. Other models are other readings of the same log: they go beside [`Replay`].
//!
//! **Invariants.**
//! 1. The shadow equals the mapping wherever a store was logged; events and shadow change under one lock, so the log's
//!    order is one in which the stores can have happened.
//! 2. A fence guarantees only what its own thread wrote back before, as it was when it was written back.
//! 3. Before a write-back, changes that no one announced (refcounts) are found by comparing with the shadow and logged.

mod chooser;
mod medium;
mod replay;
#[cfg(test)]
mod tests;

pub use chooser::Chooser;
pub use medium::SimMedium;
pub use replay::Replay;

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
