//! `Snapshot`: one version of the root, lent for as long as the snapshot lives.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use super::{Pin, Timestamp};
use crate::persist::{NodeHeader, Persistent};

/// One version of the root, and everything it reaches, unchanging.
///
/// Never blocks and is never blocked. While it lives, nothing that its version reaches is reused: a long-lived snapshot
/// costs memory, not writers' time.
///
/// # Invariants
/// 1. `root` is the address of the root node of a version that `pin` keeps from being reclaimed.
pub struct Snapshot<'s, R: Persistent> {
    root: u64,
    timestamp: Timestamp,
    _pin: Pin<'s>,
    root_type: PhantomData<fn() -> R>,
}

impl<'s, R: Persistent> Snapshot<'s, R> {
    /// A snapshot of the version whose root node is at `root`.
    ///
    /// # Safety
    /// Invariant 1, and the node's payload is a valid `R`.
    pub(crate) unsafe fn new(root: u64, timestamp: Timestamp, pin: Pin<'s>) -> Self {
        Snapshot { root, timestamp, _pin: pin, root_type: PhantomData }
    }

    /// The place of the snapshot's version in the order of commits: snapshots with equal numbers show equal versions.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.timestamp.0
    }
}

/// What a snapshot lends is branded `'static`, though it is lent no longer than the snapshot lives: a section's brand is
/// universal in its body, so it is never `'static`, and nothing lent here can be given an owner in a section. Branded `'s`
/// it could: a program that has its pool in a static variable chooses `'s`, and may choose the section's own lifetime.
impl<R: Persistent> Deref for Snapshot<'_, R> {
    type Target = R::At<'static>;

    fn deref(&self) -> &R::At<'static> {
        let payload = NodeHeader::payload(self.root).cast::<R::At<'static>>();
        // SAFETY: invariant 1; committed nodes are written by nobody; `At<'static>` has the layout of `R`. Nobody can own
        // what is branded so, only borrow it, and not for longer than `self`.
        unsafe { &*payload }
    }
}

impl<R> fmt::Debug for Snapshot<'_, R>
where
    R: Persistent,
    R::At<'static>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
