//! Which section an owning pointer gives its count back to when it is dropped.
//!
//! `P` is one word and knows neither its section nor its pool. A running section enters itself here, on its thread;
//! a dropped pointer looks for the innermost entry whose pool contains its address. A pointer dropped where no entry
//! fits (in another thread, which only scoped threads make possible) keeps its count: the node stays allocated until
//! the next open, and nothing else happens.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;

/// A running section, as dropped pointers see it.
pub(crate) trait Owner {
    /// Takes back one count of the node at `address`.
    fn release(&self, address: u64);
}

/// One entry of the thread's stack of running sections.
///
/// # Invariants
/// 1. While an `Entry` is linked, it and its `owner` are alive and do not move: [`Entry::run`] keeps both borrowed.
pub(crate) struct Entry<'s> {
    base: u64,
    len_bytes: u64,
    owner: &'s dyn Owner,
    outer: *const Entry<'s>,
    not_send: PhantomData<*mut ()>,
}

thread_local! {
    static INNERMOST: Cell<*const Entry<'static>> = const { Cell::new(ptr::null()) };
}

impl<'s> Entry<'s> {
    /// An entry for the pool mapped at `base`.
    pub(crate) fn new(base: u64, len_bytes: u64, owner: &'s dyn Owner) -> Self {
        Entry { base, len_bytes, owner, outer: ptr::null(), not_send: PhantomData }
    }

    /// Runs `body` with the entry linked; unlinks it however `body` ends.
    pub(crate) fn run<O>(mut self, body: impl FnOnce() -> O) -> O {
        struct Unlink(*const Entry<'static>);
        impl Drop for Unlink {
            fn drop(&mut self) {
                INNERMOST.set(self.0);
            }
        }
        let outer = INNERMOST.get();
        self.outer = outer.cast();
        let _unlink = Unlink(outer);
        INNERMOST.set((&raw const self).cast());
        body()
    }
}

/// Whether a section of the pool mapped at `base` is running on this thread.
pub(crate) fn is_running(base: u64) -> bool {
    find(|entry| entry.base == base).is_some()
}

/// Gives one count of the node at `address` back to the section that owns it.
pub(crate) fn release(address: u64) {
    if let Some(entry) = find(|entry| address.wrapping_sub(entry.base) < entry.len_bytes) {
        entry.owner.release(address);
    }
}

fn find<'t>(fits: impl Fn(&Entry<'_>) -> bool) -> Option<&'t Entry<'t>> {
    let mut next = INNERMOST.get();
    while !next.is_null() {
        // SAFETY: invariant 1 of `Entry`; the reference is used up before any entry can be unlinked, since both callers
        // return before their thread does anything else.
        let entry: &'t Entry<'t> = unsafe { &*next.cast() };
        if fits(entry) {
            return Some(entry);
        }
        next = entry.outer.cast();
    }
    None
}
