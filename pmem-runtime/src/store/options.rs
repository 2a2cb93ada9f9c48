//! How a pool is created or opened.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
#[cfg(feature = "crash-test")]
use std::sync::Arc;

use super::Pool;
use super::fault::{CreateFault, OpenFault};
use super::open::{self, Place};
use super::settings::Settings;
use crate::commit::{Durability, Fase};
#[cfg(feature = "crash-test")]
use crate::hw::sim::SimMedium;
use crate::persist::Persistent;
use crate::recover::{Checksums, Progress};

/// How to create or open a pool whose root is an `R`.
///
/// # Examples
/// ```
/// use pmem_runtime::{Persistent, Pool};
///
/// #[derive(Persistent, Default)]
/// #[repr(C)]
/// struct Counter { value: u64 }
///
/// let dir = tempfile::tempdir()?;
/// let path = dir.path().join("counter.pool");
/// let pool = Pool::<Counter>::options().size_bytes(Pool::<Counter>::MIN_BYTES).open_or_create(&path)?;
/// assert_eq!(pool.snapshot().value, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Options<R> {
    pub(super) settings: Settings,
    root: PhantomData<fn() -> R>,
}

impl<R> Default for Options<R> {
    fn default() -> Self {
        Options { settings: Settings::default(), root: PhantomData }
    }
}

impl<R> fmt::Debug for Options<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("size_bytes", &self.settings.size_bytes)
            .field("reserve_bytes", &self.settings.reserve_bytes)
            .field("limit_bytes", &self.settings.limit_bytes)
            .field("durability", &self.settings.durability)
            .finish_non_exhaustive()
    }
}

impl<R: Persistent> Options<R> {
    /// The length of a pool at creation, in bytes; it grows when it must. 1 MiB by default; [`Pool::MIN_BYTES`] is enough.
    #[must_use]
    pub fn size_bytes(mut self, size_bytes: u64) -> Self {
        self.settings.size_bytes = size_bytes;
        self
    }

    /// The range of addresses that a new pool may grow into, in bytes: 64 GiB by default. It costs no memory.
    #[must_use]
    pub fn reserve_bytes(mut self, reserve_bytes: u64) -> Self {
        self.settings.reserve_bytes = reserve_bytes;
        self
    }

    /// The length beyond which the pool does not grow, in bytes: that of its reservation by default.
    #[must_use]
    pub fn limit_bytes(mut self, limit_bytes: u64) -> Self {
        self.settings.limit_bytes = limit_bytes;
        self
    }

    /// When sections are durable that do not say so themselves: [`Durability::Immediate`] by default.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.settings.durability = durability;
        self
    }

    /// Whether opening verifies the checksum of every live node, and that no node lies below itself: off by default. Pointers,
    /// lengths, types and values are always validated.
    ///
    /// Turn it on for a file from a stranger. No section makes a node that lies below itself, and code that follows pointers through
    /// one does not come back: a recursion overflows its stack, a loop has no end.
    #[must_use]
    pub fn verify_checksums(mut self, verify: bool) -> Self {
        self.settings.checksums = if verify { Checksums::Verify } else { Checksums::Trust };
        self
    }

    /// How many threads recovery uses: as many as the machine has by default. Zero counts as one.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        self
    }

    /// Takes the path of persistent memory (cache-line write-backs and fences) on any file: for measuring it without such
    /// memory. Sections then survive the death of the process, not the loss of power; see [`Pool::durability`].
    #[must_use]
    pub fn force_dax(mut self, force: bool) -> Self {
        self.settings.force_dax = force;
        self
    }

    /// Looks at the progress of opening, at most every 50 ms; [`ControlFlow::Break`] gives up.
    #[must_use]
    pub fn progress(mut self, callback: impl FnMut(Progress) -> ControlFlow<()> + 'static) -> Self {
        self.settings.progress = Box::new(callback);
        self
    }

    /// Replaces what is otherwise random in a new pool (its identity, its base address, the seed of its hashes), for runs
    /// that can be repeated.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = Some(seed);
        self
    }

    /// Skips the walk over all live nodes if the pool was closed cleanly: opening takes time independent of their number.
    ///
    /// # Safety
    /// The file's bytes are those that this library left at the clean close. Without the walk nobody looks at them before
    /// they are lent as references: a bit that rotted, or that somebody changed, is undefined behaviour.
    #[must_use]
    pub unsafe fn trust_clean_close(mut self) -> Self {
        self.settings.trust_clean_close = true;
        self
    }

    /// Opens an existing pool for reading and writing.
    ///
    /// # Errors
    /// [`OpenFault`]; the file is then as it was.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Pool<R>, OpenFault> {
        open::open(self.settings, Place::Path(path.as_ref()))
    }

    /// Opens an existing pool for reading: snapshots work, sections do not. The file is not written, and any number of
    /// readers may have it open, but no writer.
    ///
    /// # Errors
    /// [`OpenFault`].
    pub fn open_read_only(self, path: impl AsRef<Path>) -> Result<Pool<R>, OpenFault> {
        open::open_read_only(self.settings, path.as_ref())
    }

    /// Creates a pool whose root is what `init` returns.
    ///
    /// # Errors
    /// [`CreateFault`]; there is then no file.
    pub fn create_with<F>(self, path: impl AsRef<Path>, init: F) -> Result<Pool<R>, CreateFault>
    where
        F: for<'f> FnOnce(&'f Fase<'f>) -> R::At<'f>,
    {
        open::create(&self.settings, Place::Path(path.as_ref()), init)
    }

    /// Creates a pool whose root is the default.
    ///
    /// # Errors
    /// As [`Options::create_with`].
    pub fn create(self, path: impl AsRef<Path>) -> Result<Pool<R>, CreateFault>
    where
        for<'f> R::At<'f>: Default,
    {
        self.create_with(path, |_| Default::default())
    }

    /// Opens the pool, or creates it with what `init` returns if there is no file of that name.
    ///
    /// # Errors
    /// [`OpenFault`]; [`OpenFault::Create`] if it had to be created and could not.
    pub fn open_or_create_with<F>(self, path: impl AsRef<Path>, init: F) -> Result<Pool<R>, OpenFault>
    where
        F: for<'f> FnOnce(&'f Fase<'f>) -> R::At<'f>,
    {
        open::open_or_create(self.settings, path.as_ref(), init)
    }

    /// Opens the pool, or creates it with the default root if there is no file of that name.
    ///
    /// # Errors
    /// As [`Options::open_or_create_with`].
    pub fn open_or_create(self, path: impl AsRef<Path>) -> Result<Pool<R>, OpenFault>
    where
        for<'f> R::At<'f>: Default,
    {
        self.open_or_create_with(path, |_| Default::default())
    }

    /// A pool in memory that ends with the process: the same types and sections, nothing durable.
    ///
    /// # Errors
    /// [`CreateFault`].
    pub fn volatile(self) -> Result<Pool<R>, CreateFault>
    where
        for<'f> R::At<'f>: Default,
    {
        self.volatile_with(|_| Default::default())
    }

    /// As [`Options::volatile`], with the root that `init` returns.
    ///
    /// # Errors
    /// [`CreateFault`].
    pub fn volatile_with<F>(self, init: F) -> Result<Pool<R>, CreateFault>
    where
        F: for<'f> FnOnce(&'f Fase<'f>) -> R::At<'f>,
    {
        open::create(&self.settings, Place::Memory, init)
    }

    /// A new pool on the crash simulator, with the root that `init` returns.
    ///
    /// # Errors
    /// [`CreateFault`].
    #[cfg(feature = "crash-test")]
    pub fn simulate_with<F>(self, medium: &Arc<SimMedium>, init: F) -> Result<Pool<R>, CreateFault>
    where
        F: for<'f> FnOnce(&'f Fase<'f>) -> R::At<'f>,
    {
        open::create(&self.settings, Place::Simulated(Arc::clone(medium)), init)
    }

    /// Opens the pool that the simulator's image holds.
    ///
    /// # Errors
    /// [`OpenFault`].
    #[cfg(feature = "crash-test")]
    pub fn open_simulated(self, medium: &Arc<SimMedium>) -> Result<Pool<R>, OpenFault> {
        open::open(self.settings, Place::Simulated(Arc::clone(medium)))
    }
}
