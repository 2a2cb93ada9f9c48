//! Who reads at which timestamp, so that a reclaimer knows what nobody can see any more.

use std::ptr;
use std::time::{Duration, Instant};

use super::Timestamp;
use crate::sync::atomic::{AtomicPtr, AtomicU64, Ordering, fence};
use crate::sync::{Mutex, home_slot};

#[cfg(all(test, loom))]
mod models;

/// Slots of a chunk: as many as threads of a large machine are pinned at once; few enough for a reclaimer to look at each.
const CHUNK_SLOTS: usize = if cfg!(loom) { 2 } else { 64 };

/// A slot nobody has.
const IDLE: u64 = u64::MAX;
/// A slot whose owner is reading the horizon: it may see anything, so it counts as the oldest timestamp there is.
const ENTERING: u64 = 0;

/// How often a report looks again at a slot that is entering; it takes a few nanoseconds unless its thread was interrupted.
const ENTERING_LOOKS: u32 = 64;

/// One pin's timestamp, on a cache line pair of its own, so that pins of different threads never contend.
#[repr(align(128))]
struct Slot(AtomicU64);

struct Chunk {
    slots: [Slot; CHUNK_SLOTS],
    /// The next chunk, or null; set once, never changed.
    next: AtomicPtr<Chunk>,
}

impl Chunk {
    fn new() -> Self {
        Chunk {
            slots: std::array::from_fn(|_| Slot(AtomicU64::new(IDLE))),
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    fn next(&self) -> Option<&Chunk> {
        // Acquire: the chunk is complete before its address is known; pairs with `append`.
        let next = self.next.load(Ordering::Acquire);
        // SAFETY: null or from `Box::into_raw` in `append`, which published it whole, and freed only by the drop of
        // `Pins`, which owns `self` and lends it for as long as this borrow.
        unsafe { next.as_ref() }
    }

    /// The next chunk; makes it if there is none.
    fn append(&self) -> &Chunk {
        if let Some(next) = self.next() {
            return next;
        }
        let fresh = Box::into_raw(Box::new(Chunk::new()));
        // Release: the chunk is complete before its address is known; pairs with `next`. Acquire on failure: likewise,
        // for the chunk of whoever was faster.
        let raced = self.next.compare_exchange(ptr::null_mut(), fresh, Ordering::Release, Ordering::Acquire);
        if raced.is_err() {
            // SAFETY: `fresh` came from `Box::into_raw` above and was not published.
            drop(unsafe { Box::from_raw(fresh) });
        }
        self.next().expect("one of the two has set it")
    }
}

/// What a warning about old snapshots needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PinReport {
    /// Pins there are.
    pub(crate) pins: usize,
    /// The oldest timestamp pinned.
    pub(crate) oldest: Option<Timestamp>,
    /// For how long reports have named that timestamp as the oldest; zero in the first that does.
    pub(crate) age: Duration,
}

/// The pins of one pool.
pub(crate) struct Pins {
    first: Chunk,
    /// The oldest timestamp that the last report named, and when one named it first.
    reported: Mutex<Option<(Timestamp, Instant)>>,
}

impl Pins {
    pub(crate) fn new() -> Self {
        Pins { first: Chunk::new(), reported: Mutex::new(None) }
    }

    /// Pins the timestamp that `read` takes from a horizon. `read` is to be one load: while it runs, nothing is reclaimed.
    ///
    /// Why the slot is taken first and the horizon read after the fence: let a reclaimer read horizon `H`, pass its fence and look at
    /// the slots. If its fence is before ours, our read of the horizon, after ours, finds `H` or later, so our timestamp
    /// is not below its bound, whatever it sees in the slot. If ours is before its, it sees our slot taken: with
    /// `ENTERING`, and then it frees nothing, or with our timestamp. Reading first and storing afterwards leaves a moment in
    /// which it sees neither.
    pub(crate) fn pin(&self, read: impl Fn() -> Timestamp) -> Pin<'_> {
        let slot = self.claim();
        // SeqCst: the slot is taken before the horizon is read; pairs with the fence in `oldest`. It also acquires, after
        // the relaxed claim, what the slot's last owner released.
        fence(Ordering::SeqCst);
        let at = read();
        debug_assert_ne!(at.0, IDLE, "a horizon has passed the last timestamp");
        // Release: whoever reads the timestamp comes after what the slot's last owner did, which the fence acquired; pairs with
        // the loads in `oldest`.
        slot.0.store(at.0, Ordering::Release);
        Pin { slot, at }
    }

    /// The oldest timestamp pinned, `None` if there is no pin. A pin that is just entering counts as timestamp 0.
    pub(crate) fn oldest(&self) -> Option<Timestamp> {
        // SeqCst: what the caller read of the horizon, and what it unlinked, is before its look at the slots; pairs with
        // the fence in `pin`.
        fence(Ordering::SeqCst);
        self.timestamps().min()
    }

    /// A timestamp that no pin lies below, now or later. `horizon` is what the caller has read of the durable horizon *before* the
    /// call: a pin that the look at the slots does not see may be at that, but not below.
    pub(crate) fn bound(&self, horizon: Timestamp) -> Timestamp {
        self.oldest().map_or(horizon, |oldest| oldest.min(horizon))
    }

    /// How many pins there are, which is the oldest, and since when.
    pub(crate) fn report(&self) -> PinReport {
        let (mut pins, mut oldest) = (0, None);
        for at in self.slots().filter_map(Slot::settled) {
            pins += 1;
            oldest = Some(oldest.map_or(at, |before: Timestamp| before.min(at)));
        }
        let mut reported = self.reported.lock().expect("nothing panics under this lock");
        if reported.map(|(at, _)| at) != oldest {
            *reported = oldest.map(|at| (at, Instant::now()));
        }
        let age = reported.map_or(Duration::ZERO, |(_, since)| since.elapsed());
        PinReport { pins, oldest, age }
    }

    /// The timestamps of all pins.
    fn timestamps(&self) -> impl Iterator<Item = Timestamp> {
        self.slots().filter_map(Slot::timestamp)
    }

    fn slots(&self) -> impl Iterator<Item = &Slot> {
        std::iter::successors(Some(&self.first), |chunk| chunk.next()).flat_map(|chunk| &chunk.slots)
    }

    /// Takes a slot: this thread's last one if nobody has it, else the nearest after it, else one in a later chunk.
    fn claim(&self) -> &Slot {
        home_slot(|home| {
            let mut chunk = &self.first;
            for _ in 0..*home / CHUNK_SLOTS {
                let Some(next) = chunk.next() else { break };
                chunk = next;
            }
            let mut base = *home / CHUNK_SLOTS * CHUNK_SLOTS;
            let mut start = *home % CHUNK_SLOTS;
            loop {
                for step in 0..CHUNK_SLOTS {
                    let at = (start + step) % CHUNK_SLOTS;
                    if chunk.slots[at].try_claim() {
                        *home = base + at;
                        return &chunk.slots[at];
                    }
                }
                chunk = chunk.append();
                base += CHUNK_SLOTS;
                start = 0;
            }
        })
    }
}

impl Drop for Pins {
    fn drop(&mut self) {
        // Relaxed: `&mut self` proves that all other threads are done with it.
        let mut next = self.first.next.load(Ordering::Relaxed);
        while !next.is_null() {
            // SAFETY: from `Box::into_raw` in `append`; each chunk is reached once, from the one before; no pin is left,
            // since each borrows `self`.
            let chunk = unsafe { Box::from_raw(next) };
            next = chunk.next.load(Ordering::Relaxed);
        }
    }
}

impl Slot {
    fn timestamp(&self) -> Option<Timestamp> {
        // Acquire: the reads made under a pin that has ended come before whatever the caller frees; pairs with the
        // stores in `Pin::drop` and `pin`.
        let at = self.0.load(Ordering::Acquire);
        (at != IDLE).then_some(Timestamp(at))
    }

    /// As `timestamp`, but waits a little for one that is just entering, which would pass for the oldest of all.
    fn settled(&self) -> Option<Timestamp> {
        let has_entered = |at: &Option<Timestamp>| *at != Some(Timestamp(ENTERING));
        let mut looks = (0..ENTERING_LOOKS).map(|_| {
            std::hint::spin_loop();
            self.timestamp()
        });
        looks.find(has_entered).unwrap_or_else(|| self.timestamp())
    }

    fn try_claim(&self) -> bool {
        // Relaxed: a look, so that a taken slot's line is not written.
        if self.0.load(Ordering::Relaxed) != IDLE {
            return false;
        }
        // Relaxed: what the last owner read is taken over by the fence in `pin`, which follows, so that our own store of a
        // timestamp passes it on to a reclaimer, which then no longer sees the owner's; pairs with `Pin::drop`.
        self.0.compare_exchange(IDLE, ENTERING, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// A pinned timestamp.
///
/// While it exists, nothing that a section at this timestamp can reach is reclaimed. It may move to another thread. It does not
/// say that anything is durable: that depends on the horizon it was read from.
pub(crate) struct Pin<'pins> {
    slot: &'pins Slot,
    at: Timestamp,
}

impl Pin<'_> {
    /// The timestamp.
    pub(crate) fn timestamp(&self) -> Timestamp {
        self.at
    }
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        // Release: the last reads under the pin come before; pairs with `Slot::timestamp` and with the next fence in `pin`.
        self.slot.0.store(IDLE, Ordering::Release);
    }
}
