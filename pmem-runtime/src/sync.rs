//! The one place that decides which atomics, locks and threads the runtime uses: the standard library's, or
//! loom's under `--cfg loom`, so that the model checker runs the very code that ships.

#[cfg(loom)]
pub(crate) use loom::sync::atomic;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic;

// Until a room that returns guards is there.
#[allow(unused_imports)]
#[cfg(loom)]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
#[allow(unused_imports)]
#[cfg(not(loom))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

#[cfg(loom)]
pub(crate) use loom::thread;
#[cfg(not(loom))]
pub(crate) use std::thread;

/// Lends the calling thread's home in a registry of slots, which it may change: where to look for a free slot first. A thread's first home is
/// its number, so that threads begin apart.
#[cfg(not(loom))]
pub(crate) fn home_slot<R>(body: impl FnOnce(&mut usize) -> R) -> R {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const UNKNOWN: usize = usize::MAX;
    thread_local! {
        static HOME: Cell<usize> = const { Cell::new(UNKNOWN) };
    }
    static THREADS: AtomicUsize = AtomicUsize::new(0);

    let mut home = HOME.get();
    if home == UNKNOWN {
        // Relaxed: only the number matters. It wraps, so that short-lived threads do not walk far.
        home = THREADS.fetch_add(1, Ordering::Relaxed) % 64;
    }
    let result = body(&mut home);
    HOME.set(home);
    result
}

/// Under loom every thread begins at slot 0: a home kept from one execution to the next would make them differ.
#[cfg(loom)]
pub(crate) fn home_slot<R>(body: impl FnOnce(&mut usize) -> R) -> R {
    body(&mut 0)
}

/// Whether a heap object is alive, for the model checker, which cannot see a freed box being read. Nothing at all otherwise.
#[cfg(not(loom))]
pub(crate) struct Life;

#[cfg(not(loom))]
impl Life {
    pub(crate) fn new() -> Self {
        Life
    }

    /// The object is being read.
    #[inline]
    pub(crate) fn assert(&self) {}

    /// The object is being freed.
    #[inline]
    pub(crate) fn end(&self) {}
}

/// Frees an object after `end`.
#[cfg(not(loom))]
pub(crate) fn bury<T>(object: Box<T>, end: impl FnOnce(&T)) {
    end(&object);
}

/// Whether a heap object is alive. Loom panics if an end is concurrent to a read, this if it comes before one.
#[cfg(loom)]
pub(crate) struct Life(loom::cell::UnsafeCell<bool>);

#[cfg(loom)]
impl Life {
    pub(crate) fn new() -> Self {
        Life(loom::cell::UnsafeCell::new(true))
    }

    /// The object is being read.
    pub(crate) fn assert(&self) {
        self.0.with(|alive| {
            // SAFETY: loom has just checked that no write is concurrent.
            assert!(unsafe { *alive }, "a freed object is read");
        });
    }

    /// The object is being freed.
    pub(crate) fn end(&self) {
        self.0.with_mut(|alive| {
            // SAFETY: loom has just checked that no other access is concurrent.
            unsafe { *alive = false };
        });
    }
}

/// Ends an object and keeps its memory, so that whoever reads it afterwards meets its `Life`.
#[cfg(loom)]
pub(crate) fn bury<T>(object: Box<T>, end: impl FnOnce(&T)) {
    end(Box::leak(object));
}
