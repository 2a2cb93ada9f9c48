//! One cell's versions, in DRAM, newest first.

use std::ptr;

use super::Timestamp;
use crate::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use crate::sync::{Life, bury};

/// What the cell held from a ticket on. Only `older` ever changes, from a version to null.
struct Version {
    stamp: Timestamp,
    value: u64,
    older: AtomicPtr<Version>,
    life: Life,
}

impl Version {
    fn allocate(stamp: Timestamp, value: u64, older: *mut Version) -> *mut Version {
        let older = AtomicPtr::new(older);
        Box::into_raw(Box::new(Version { stamp, value, older, life: Life::new() }))
    }
}

/// A chain of versions with strictly falling stamps; never empty.
///
/// One thread at a time pushes: the holder of the cell's lock. Any number read, each under a pin. The chain lives as long as `self`, except for
/// what [`Versions::trim`] frees, whose caller answers for it.
pub(crate) struct Versions {
    head: AtomicPtr<Version>,
    len: AtomicUsize,
}

impl Versions {
    /// A chain of one version: what the pool held when it was opened.
    pub(crate) fn new(stamp: Timestamp, value: u64) -> Self {
        let head = Version::allocate(stamp, value, ptr::null_mut());
        Versions { head: AtomicPtr::new(head), len: AtomicUsize::new(1) }
    }

    /// Links a newer version. It is seen by sections whose timestamp is at or past `stamp`: none, until `stamp` is published.
    ///
    /// # Panics
    /// If `stamp` is not above the newest one: the caller does not have the cell's lock.
    pub(crate) fn push(&self, stamp: Timestamp, value: u64) {
        // Relaxed: the last pusher had the same lock.
        let head = self.head.load(Ordering::Relaxed);
        // SAFETY: `trim` never frees the newest version, and only the caller makes another one the newest.
        let newest = unsafe { &*head };
        newest.life.assert();
        assert!(newest.stamp < stamp, "a version stamped {stamp} cannot follow one stamped {}", newest.stamp);
        // Release: the version is complete before it is linked; pairs with the loads in `find` and `newest`.
        self.head.store(Version::allocate(stamp, value, head), Ordering::Release);
        // Relaxed: a statistic.
        self.len.fetch_add(1, Ordering::Relaxed);
    }

    /// The value of the newest version stamped at or before `at`, the timestamp of a pin that the caller holds. `None` if
    /// there is none: the cell is younger than the section.
    pub(crate) fn at(&self, at: Timestamp) -> Option<u64> {
        self.find(at).map(|version| version.value)
    }

    /// Stamp and value of the newest version, published or not. The caller holds the cell's lock, or a pin.
    pub(crate) fn newest(&self) -> (Timestamp, u64) {
        // Acquire: the version is complete; pairs with `push`.
        let head = self.head.load(Ordering::Acquire);
        // SAFETY: never null. `trim` frees a version only if a newer one is stamped at or before its bound. The lock's holder
        // knows that no newer one comes; for a pin at `L`, at or past the bound, that newer one was linked before `L` was
        // published (invariants 2 and 3 of the room), so it or a later one is what was loaded.
        let newest = unsafe { &*head };
        newest.life.assert();
        (newest.stamp, newest.value)
    }

    /// How many versions there are.
    pub(crate) fn len(&self) -> usize {
        // Relaxed: a statistic.
        self.len.load(Ordering::Relaxed)
    }

    /// Frees what no section at or past `bound` can see: all versions older than the newest one stamped at or before it. Returns how
    /// many.
    ///
    /// # Safety
    /// Until the call returns and ever after, `at` is called only with timestamps at or past `bound`, under pins, and `newest` only under
    /// such pins or the cell's lock; [`super::Pins::bound`] gives such a bound. No other `trim` of this cell runs meanwhile.
    pub(crate) unsafe fn trim(&self, bound: Timestamp) -> usize {
        let Some(oldest_seen) = self.find(bound) else { return 0 };
        // Relaxed: the versions were acquired by the walk, and no reader goes past `oldest_seen` any more, so nobody
        // needs to see the null; only a later `trim`, which the caller orders after this one.
        let mut next = oldest_seen.older.swap(ptr::null_mut(), Ordering::Relaxed);
        let mut freed = 0;
        while !next.is_null() {
            // SAFETY: from `Box::into_raw`; cut off above, so reached only from here. A reader at `L >= bound` stops at
            // `oldest_seen` or before it (invariant 4 of the room), because `oldest_seen` is stamped `<= bound <= L`; and it
            // began at a version no older, as `newest` argues. Readers below `bound` are gone, and their reads happened
            // before, by the acquiring look at their slots (the caller's promise).
            let version = unsafe { Box::from_raw(next) };
            next = version.older.load(Ordering::Relaxed);
            bury(version, |version| version.life.end());
            freed += 1;
        }
        // Relaxed: a statistic.
        self.len.fetch_sub(freed, Ordering::Relaxed);
        freed
    }

    /// The newest version stamped at or before `at`.
    fn find(&self, at: Timestamp) -> Option<&Version> {
        // Acquire: the version is complete; pairs with `push`.
        let mut next = self.head.load(Ordering::Acquire);
        loop {
            // SAFETY: null or a linked version. Versions that are freed are older than the newest stamped `<= bound`, for
            // some bound at or below `at` (the promise of `trim`'s caller), and the walk stops there or before.
            let version = unsafe { next.as_ref() }?;
            version.life.assert();
            if version.stamp <= at {
                return Some(version);
            }
            // Relaxed: what is behind was linked before this version was, and came with the head's acquire.
            next = version.older.load(Ordering::Relaxed);
        }
    }
}

impl Drop for Versions {
    fn drop(&mut self) {
        // Relaxed: `&mut self` proves that all other threads are done with it.
        let mut next = self.head.load(Ordering::Relaxed);
        while !next.is_null() {
            // SAFETY: from `Box::into_raw`; each version is reached once, from the one before it; nobody else has `self`.
            let version = unsafe { Box::from_raw(next) };
            next = version.older.load(Ordering::Relaxed);
        }
    }
}
