//! The medium: the one room through which every store to a pool, write-back, fence and sync passes.
//!
//! **Problem.** A store reaches the medium some time after it is executed, in no particular order. Each kind of medium
//! has its own way to force it: cache-line write-backs and a fence, a sync of the file, nothing at all. The protocol
//! above is written once, against this trait.
//!
//! **Words.** To *write back* a range is to start its way to the medium; a *fence* waits until everything that this
//! thread wrote back before is there. A store is *durable* when no crash that the medium protects from can take it away.
//!
//! **Media.** `dax`: the mapping *is* the medium, reached by the processor's own instructions. `file`: the mapping is the
//! page cache, reached by a sync. `volatile`: nothing is reached. `sim`: a recorder for crash tests. `for_file` chooses.
//!
//! **Invariants.**
//! 1. `fence` returning `Ok` makes durable whatever the calling thread stored (or saw stored) before it wrote it back.
//! 2. Nothing else makes anything durable for sure, and everything stored may become durable at any time.
//! 3. A word stored by `store_word` is never torn.
//! 4. After `fence` failed, nothing is known about the stores it was to cover: the pool must not go on. After `allocate`
//!    failed for want of space the pool is as it was; after another failure it must not go on either.

#[cfg(not(all(target_os = "linux", target_pointer_width = "64", target_endian = "little")))]
compile_error!(
    "pools need Linux (mappings at fixed addresses, MAP_SYNC) on a 64-bit little-endian processor"
);

#[cfg(target_arch = "aarch64")]
#[path = "aarch64.rs"]
mod processor;
#[cfg(target_arch = "x86_64")]
#[path = "x86_64.rs"]
mod processor;
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
compile_error!("this processor's cache write-back is not known: add a file beside hw/x86_64.rs");

mod choose;
mod dax;
mod domain;
mod file;
#[cfg(feature = "crash-test")]
mod listen;
#[cfg(feature = "crash-test")]
pub mod sim;
mod space;
mod volatile;

use std::fmt::Debug;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "crash-test")]
use sim::Note;

#[cfg(feature = "crash-test")]
pub use listen::{Moment, listen};

pub(crate) use choose::{Chosen, FileKind, MapKind, for_file};
pub(crate) use space::{fill_holes, is_want_of_space};
pub(crate) use volatile::Volatile;

/// Remembers the caller's line for the crash simulator's log.
#[cfg(feature = "crash-test")]
#[track_caller]
pub(crate) fn note_caller() {
    sim::note_caller();
}

/// Remembers nothing: there is no simulator.
#[cfg(not(feature = "crash-test"))]
#[inline]
pub(crate) fn note_caller() {}

/// The unit of write-back: a cache line.
pub(crate) const LINE_BYTES: usize = 64;

/// What a crash can take from a pool, as [`Medium::durability`] and `Pool::durability` state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Survives {
    /// A committed section survives the loss of power.
    PowerLoss,
    /// A committed section survives the death of the process, and nothing survives the loss of power.
    ProcessDeath,
    /// Nothing survives the process.
    Nothing,
}

/// How soon a writer tidies up, counted in nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Retired nodes at which a commit runs a checkpoint.
    pub retired_nodes: usize,
    /// Nodes that one commit reclaims at most.
    pub reclaimed_nodes: usize,
}

/// How a pool's bytes become durable.
///
/// Pointers given to the methods lie in the pool's mapping.
pub trait Medium: Send + Sync + Debug {
    /// What this medium protects from.
    fn durability(&self) -> Survives;

    /// A short name for reports: `dax clwb`, `file`, ...
    fn name(&self) -> &'static str;

    /// Whether buffered sections are flushed by time too, and not only when someone asks.
    fn flushes_by_time(&self) -> bool {
        true
    }

    /// How soon a writer tidies up, if the medium has a wish: one that crashes are tested on wants it to happen often.
    fn pace(&self) -> Option<Pace> {
        None
    }

    /// Takes note of what the runtime does besides storing. Only the crash simulator listens.
    #[cfg(feature = "crash-test")]
    fn note(&self, note: Note) {
        let _ = note;
    }

    /// Stores bytes. They may be torn by a crash at any multiple of eight bytes.
    ///
    /// # Safety
    /// `to` is valid for writes of `bytes.len()` bytes, which nobody reads or writes meanwhile.
    unsafe fn store(&self, to: *mut u8, bytes: &[u8]) {
        // SAFETY: the caller's promise; a borrowed slice does not overlap what only the caller may access.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) }
    }

    /// Stores one word, untorn, with release ordering.
    ///
    /// # Safety
    /// `to` is aligned to eight, valid for writes, and accessed by others only atomically.
    unsafe fn store_word(&self, to: *mut u64, value: u64) {
        // SAFETY: the caller's promise.
        let word = unsafe { AtomicU64::from_ptr(to) };
        // Release: whoever loads the word with acquire sees what was stored before it.
        word.store(value, Ordering::Release);
    }

    /// Takes note that a section has finished its own stores to these bytes (fresh nodes are edited through `&mut`,
    /// not through this trait). Media that watch stores record them here.
    ///
    /// # Safety
    /// The bytes are initialised, and nobody writes them meanwhile, refcounts aside.
    unsafe fn written(&self, from: *const u8, len_bytes: usize) {
        let _ = (from, len_bytes);
    }

    /// Starts these bytes, rounded out to whole lines, on their way to the medium.
    ///
    /// # Safety
    /// The bytes lie in the mapping.
    unsafe fn write_back(&self, from: *const u8, len_bytes: usize);

    /// Waits until everything that this thread wrote back is durable.
    ///
    /// # Errors
    /// What the operating system said. Nothing is known then about what became durable, and a retry would lie.
    fn fence(&self) -> io::Result<()>;

    /// Makes the medium `new_len_bytes` long, with its space really allocated and its new length durable.
    ///
    /// # Errors
    /// A full or failing disk; the length is then unchanged as far as the pool is concerned.
    fn allocate(&self, old_len_bytes: u64, new_len_bytes: u64) -> io::Result<()>;
}
