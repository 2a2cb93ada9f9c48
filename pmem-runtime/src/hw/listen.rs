//! A listener beside real media: told of everything that the runtime does to a pool's file, as it is done.
//!
//! The crash simulator ([`super::sim`]) replaces the medium. Here the medium stays what it is, so that a program can end its
//! own process at the N-th thing that happens to a real file, or count what happens. A store of more than one word is done in
//! two halves, with a [`Moment::StoreHalf`] between them: a process can die there too.

use std::fmt;
use std::io;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use super::sim::{Note, caller};
use super::{Chosen, Medium, Survives};

/// What a crash of the processor does not tear, and the process's own death between two stores does not either.
const WORD_BYTES: usize = 8;

/// What happens to a medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Moment {
    /// Half of a store of several words is done.
    StoreHalf,
    /// A store is done.
    Store,
    /// A word is stored, untorn.
    StoreWord,
    /// A section says that its own stores to some bytes are finished.
    Written,
    /// Lines have been started on their way.
    WriteBack,
    /// A fence, or a sync of the file, is about to begin.
    FenceBegins,
    /// It has returned.
    Fence,
    /// The file is about to get longer.
    AllocateBegins,
    /// It is longer, and its length durable.
    Allocated,
}

impl Moment {
    /// All of them.
    pub const ALL: [Moment; 9] = [
        Moment::StoreHalf,
        Moment::Store,
        Moment::StoreWord,
        Moment::Written,
        Moment::WriteBack,
        Moment::FenceBegins,
        Moment::Fence,
        Moment::AllocateBegins,
        Moment::Allocated,
    ];
}

/// What is called for every moment, on the thread that it happens on, with the line of the runtime that asked for it.
type Listener = Box<dyn Fn(Moment, &'static Location<'static>) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Tells `listener` of every moment of every pool that is opened or created on a file from now on, until the process
/// ends. It must not use such a pool itself.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use pmem_runtime::Pool;
/// use pmem_runtime::hw::{Moment, listen};
///
/// let fences = Arc::new(AtomicU64::new(0));
/// let counter = Arc::clone(&fences);
/// listen(move |moment, _line| {
///     if moment == Moment::Fence {
///         counter.fetch_add(1, Ordering::Relaxed);
///     }
/// });
/// # let dir = tempfile::tempdir()?;
/// let pool = Pool::<u64>::options().create(dir.path().join("number.pool"))?;
/// assert!(fences.load(Ordering::Relaxed) > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If something listens already.
pub fn listen(listener: impl Fn(Moment, &'static Location<'static>) + Send + Sync + 'static) {
    assert!(LISTENER.set(Box::new(listener)).is_ok(), "something listens to this process's media already");
}

/// The chosen medium, overheard if something listens.
pub(super) fn overheard(chosen: Chosen) -> Chosen {
    match LISTENER.get() {
        None => chosen,
        Some(listener) => Chosen { medium: Arc::new(Overheard { inner: chosen.medium, listener }), ..chosen },
    }
}

/// A medium, and who is told of what happens to it.
struct Overheard {
    inner: Arc<dyn Medium>,
    listener: &'static Listener,
}

impl Overheard {
    fn tell(&self, moment: Moment) {
        (self.listener)(moment, caller());
    }
}

impl fmt::Debug for Overheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Overheard").field(&self.inner).finish()
    }
}

impl Medium for Overheard {
    fn durability(&self) -> Survives {
        self.inner.durability()
    }

    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn flushes_by_time(&self) -> bool {
        self.inner.flushes_by_time()
    }

    fn note(&self, note: Note) {
        self.inner.note(note);
    }

    unsafe fn store(&self, to: *mut u8, bytes: &[u8]) {
        let half = bytes.len() / 2 / WORD_BYTES * WORD_BYTES;
        let (first, second) = bytes.split_at(half);
        if !first.is_empty() {
            // SAFETY: the caller's promise, for the first bytes of the range.
            unsafe { self.inner.store(to, first) };
            self.tell(Moment::StoreHalf);
        }
        // SAFETY: the caller's promise, for the rest of the range.
        unsafe { self.inner.store(to.wrapping_add(half), second) };
        self.tell(Moment::Store);
    }

    unsafe fn store_word(&self, to: *mut u64, value: u64) {
        // SAFETY: the caller's promise.
        unsafe { self.inner.store_word(to, value) };
        self.tell(Moment::StoreWord);
    }

    unsafe fn written(&self, from: *const u8, len_bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.inner.written(from, len_bytes) };
        self.tell(Moment::Written);
    }

    unsafe fn write_back(&self, from: *const u8, len_bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.inner.write_back(from, len_bytes) };
        self.tell(Moment::WriteBack);
    }

    fn fence(&self) -> io::Result<()> {
        self.tell(Moment::FenceBegins);
        let result = self.inner.fence();
        self.tell(Moment::Fence);
        result
    }

    fn allocate(&self, old_len_bytes: u64, new_len_bytes: u64) -> io::Result<()> {
        self.tell(Moment::AllocateBegins);
        let result = self.inner.allocate(old_len_bytes, new_len_bytes);
        self.tell(Moment::Allocated);
        result
    }
}
