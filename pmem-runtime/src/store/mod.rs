//! `Pool<R>`: opening, committing and recovering in one breath.
//!
//! This room knows the root's type; everything below works with addresses and [`NodeType`](crate::persist::NodeType)s. It opens a file
//! ([`open`]), lets recovery find the version that it holds, runs sections ([`section`]), lends snapshots, and closes.

mod close;
mod fault;
mod flusher;
mod inspect;
mod macros;
mod open;
mod options;
mod recovering;
mod section;
mod settings;

use std::fmt;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use fault::{CreateFault, OpenFault};
pub use inspect::{CheckReport, NodeInfo};
pub use options::Options;

use crate::commit::{Core, Counters, Durability, Fase};
use crate::fase_error::FaseFault;
use crate::hw::Survives;
use crate::mutants::{Mutant, planted};
use crate::persist::Persistent;
use crate::recover::Recovery;
use crate::section::Snapshot;
use flusher::Flusher;

/// An open pool whose root is an `R`.
///
/// One process has a pool open for writing, and it may have it open once. Threads share it by reference. Dropping it
/// closes it; [`Pool::close`] does the same and tells what went wrong.
pub struct Pool<R: Persistent> {
    core: Arc<Core>,
    /// Started by the first buffered section. Before `core` is closed it is stopped.
    flusher: Mutex<Option<Flusher>>,
    recovery: Recovery,
    root: PhantomData<fn() -> R>,
}

impl<R: Persistent> Pool<R> {
    /// A length at which a pool of any ordinary root type can be created: 256 KiB. Less may do; if it does not,
    /// [`CreateError::TooSmall`](crate::CreateError::TooSmall) says how much would.
    pub const MIN_BYTES: u64 = crate::pool::MIN_POOL_BYTES;

    /// How to create or open a pool.
    #[must_use]
    pub fn options() -> Options<R> {
        Options::default()
    }

    /// Runs a section that may be run again if it conflicts with another: what
    /// [`persist_fase!`](crate::persist_fase) expands to.
    ///
    /// # Errors
    /// `body`'s own, or a [`FaseFault`]; nothing of the section has happened then.
    ///
    /// # Panics
    /// As `body`; nothing of the section has happened then.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub fn fase<O, E, F>(&self, durability: Durability, body: F) -> Result<O, E>
    where
        E: From<FaseFault>,
        F: for<'f> Fn(&'f Fase<'f>, &mut R::At<'f>) -> Result<O, E>,
    {
        self.fase_once(durability, body)
    }

    /// Runs a section at most once: its body may use up what it captures.
    ///
    /// # Errors
    /// As [`Pool::fase`].
    ///
    /// # Panics
    /// As [`Pool::fase`].
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub fn fase_once<O, E, F>(&self, durability: Durability, body: F) -> Result<O, E>
    where
        E: From<FaseFault>,
        F: for<'f> FnOnce(&'f Fase<'f>, &mut R::At<'f>) -> Result<O, E>,
    {
        if durability == Durability::Buffered && self.core.file.medium().flushes_by_time() {
            self.start_flusher();
        }
        section::run::<R, O, E, F>(&self.core, durability, body)
    }

    fn start_flusher(&self) {
        let mut flusher = self.flusher.lock().unwrap_or_else(PoisonError::into_inner);
        flusher.get_or_insert_with(|| Flusher::start(Arc::clone(&self.core)));
    }

    /// The newest durable version: nothing that it shows can be taken away by a crash. Never blocks.
    ///
    /// Complexity: O(1); about as long as a cache miss.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<'_, R> {
        if planted(Mutant::SnapshotAhead) {
            return self.latest();
        }
        let pin = self.core.pins.pin(|| self.core.clock.durable());
        self.lend(pin)
    }

    /// The newest version, which a crash may take away if a Buffered section made it. Never blocks.
    #[must_use]
    pub fn latest(&self) -> Snapshot<'_, R> {
        let pin = self.core.pins.pin(|| self.core.clock.visible());
        self.lend(pin)
    }

    fn lend<'s>(&'s self, pin: crate::section::Pin<'s>) -> Snapshot<'s, R> {
        let timestamp = pin.timestamp();
        let root = self.core.root.at(timestamp).expect("the root is as old as the pool");
        // SAFETY: the version of the root at the pin's timestamp is kept by the pin; root nodes are of type `R`, checked
        // when the pool was opened, validated then or written since by its type.
        unsafe { Snapshot::new(root, timestamp, pin) }
    }

    /// Makes every Buffered section that has returned durable.
    ///
    /// # Errors
    /// [`FaseFault::Poisoned`] if the medium fails.
    pub fn sync(&self) -> Result<(), FaseFault> {
        if self.core.poison().is_some() {
            return Err(self.core.poisoned());
        }
        self.core.buffer.flush(&self.core)
    }

    /// The durability of sections that ask for none.
    #[must_use]
    pub fn default_durability(&self) -> Durability {
        self.core.durability
    }

    /// What a crash can take from this pool, whatever its sections ask for: it depends on the medium.
    #[must_use]
    pub fn durability(&self) -> Survives {
        self.core.file.medium().durability()
    }

    /// Where the pool is; in parentheses if it has no file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.core.file.path()
    }

    /// The description of the pool's types, as it is stored in the pool: every type that the root leads to, with names,
    /// offsets and sizes.
    #[must_use]
    pub fn schema(&self) -> &str {
        self.core.file.schema_text()
    }

    /// The medium's name, for reports.
    #[must_use]
    pub fn medium_name(&self) -> &'static str {
        self.core.file.medium().name()
    }

    /// What the pool has done since it was opened.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.core.tally.read()
    }

    /// The pool's length in bytes.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.core.file.len_bytes()
    }

    /// Bytes of the lines in use: live nodes, and retired ones that wait to be reused.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        self.core.heap.used_lines() * crate::heap::LINE_BYTES
    }

    /// What opening the pool found and did. Means nothing, and is all zeros, if this handle created the pool.
    #[must_use]
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// Closes the pool so that the next open knows that it was closed. Dropping the pool does the same, silently.
    ///
    /// # Errors
    /// [`FaseFault::Poisoned`] if the medium fails: the pool is then as after a crash, and the next open recovers it.
    pub fn close(self) -> Result<(), FaseFault> {
        self.stop_flusher();
        close::close(&self.core)
    }

    #[cfg(any(test, feature = "crash-test"))]
    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    fn stop_flusher(&self) {
        drop(self.flusher.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl<R: Persistent> Drop for Pool<R> {
    fn drop(&mut self) {
        self.stop_flusher();
        if let Err(error) = close::close(&self.core) {
            tracing::warn!(%error, "the pool was not closed cleanly; the next open recovers it");
        }
    }
}

// A panic in a section leaves nothing behind (law 6), and nowhere else does user code run with the pool's state in hand.
impl<R: Persistent> UnwindSafe for Pool<R> {}
impl<R: Persistent> RefUnwindSafe for Pool<R> {}

impl<R: Persistent> fmt::Debug for Pool<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("medium", &self.medium_name())
            .field("len_bytes", &self.len_bytes())
            .field("used_bytes", &self.used_bytes())
            .finish_non_exhaustive()
    }
}
