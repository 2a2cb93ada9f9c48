//! Tickets, and the horizons behind which every one is done.

use std::fmt;

use crate::sync::atomic::{AtomicU64, Ordering, fence};
use crate::sync::{Condvar, Mutex, thread};

#[cfg(all(test, loom))]
mod models;

/// Rounds of waiting with a processor hint, about as long as one fence takes: the usual predecessor is at its fence.
const SPINS: u32 = if cfg!(loom) { 0 } else { 64 };
/// Rounds of waiting that give the processor away: on few cores the predecessor may not be running.
const YIELDS: u32 = if cfg!(loom) { 0 } else { 16 };

/// A moment in the order of commits. Zero is before all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Timestamp(pub(crate) u64);

impl Timestamp {
    /// The last moment that a clock may start at. A pool with a million commits a second gets there after 292,000 years, and
    /// as many again can be drawn in one session: no counter of tickets overflows, and none reaches `u64::MAX`, which pins
    /// and clocks use for something else.
    pub(crate) const LAST_START: Timestamp = Timestamp(1 << 63);
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A commit can never be complete, because one before it (or itself) has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "commit {ticket} cannot take effect: commit {failed} failed to reach the medium, and commits take effect in order; \
     reopen the pool to go on from its last durable version"
)]
pub(crate) struct Stopped {
    /// The commit that waited.
    pub(crate) ticket: Timestamp,
    /// The earliest that failed.
    pub(crate) failed: Timestamp,
}

/// A counter that others wait for, on a cache line pair of its own: every section reads it, every commit writes it.
#[repr(align(128))]
struct Horizon(AtomicU64);

impl Horizon {
    fn load(&self) -> Timestamp {
        // Acquire: whoever sees the horizon sees what was done before it moved; pairs with `raise`.
        Timestamp(self.0.load(Ordering::Acquire))
    }

    /// Moves the horizon, unless it is there already.
    fn raise(&self, to: Timestamp) {
        // Release: what the ticket's holder did comes before; pairs with `load`. It acquires too, so that the next holder's
        // work is seen together with everything that this one had seen (invariant 2 of the room).
        self.0.fetch_max(to.0, Ordering::AcqRel);
    }
}

/// The order of commits of one pool.
///
/// Every ticket drawn must be completed, published and completed, or failed: a forgotten one stops all after it.
pub(crate) struct Clock {
    next: Horizon,
    durable: Horizon,
    visible: Horizon,
    /// The earliest failed ticket, or `u64::MAX`.
    failed: AtomicU64,
    /// Threads that are in `wait` for the condition below, or about to be.
    sleepers: AtomicU64,
    gate: Mutex<()>,
    moved: Condvar,
}

impl Clock {
    /// A clock whose horizons are at `start`; the first ticket is one later. After recovery, `start` is at or above every
    /// ticket that any record in the pool may bear, and at most [`Timestamp::LAST_START`].
    pub(crate) fn new(start: Timestamp) -> Self {
        debug_assert!(start <= Timestamp::LAST_START, "recovery refuses pools with later tickets");
        Clock {
            next: Horizon(AtomicU64::new(start.0)),
            durable: Horizon(AtomicU64::new(start.0)),
            visible: Horizon(AtomicU64::new(start.0)),
            failed: AtomicU64::new(u64::MAX),
            sleepers: AtomicU64::new(0),
            gate: Mutex::new(()),
            moved: Condvar::new(),
        }
    }

    /// The next ticket.
    pub(crate) fn ticket(&self) -> Timestamp {
        // AcqRel: a later ticket's holder sees what an earlier one's did before drawing it, so that tickets agree with
        // the order of locks even between threads that share nothing else; pairs with itself.
        Timestamp(self.next.0.fetch_add(1, Ordering::AcqRel) + 1)
    }

    /// Up to which ticket every commit is durable.
    pub(crate) fn durable(&self) -> Timestamp {
        self.durable.load()
    }

    /// Up to which ticket every commit's versions are linked.
    pub(crate) fn visible(&self) -> Timestamp {
        self.visible.load()
    }

    /// Says that a commit's versions are linked, though it may not be durable: waits for the tickets before it, then moves the
    /// visible horizon past it.
    ///
    /// # Errors
    /// If an earlier ticket failed, or this one.
    pub(crate) fn publish_visible(&self, ticket: Timestamp) -> Result<(), Stopped> {
        self.wait_for_turn(&self.visible, ticket)?;
        self.visible.raise(ticket);
        self.wake();
        Ok(())
    }

    /// Says that a commit is linked and durable: waits for the tickets before it, then moves both horizons past it.
    ///
    /// # Errors
    /// If an earlier ticket failed, or this one.
    pub(crate) fn complete(&self, ticket: Timestamp) -> Result<(), Stopped> {
        self.wait_for_turn(&self.durable, ticket)?;
        self.advance(ticket);
        Ok(())
    }

    /// Says that every commit up to this one is linked and durable, as a group flush knows. Waits for nobody.
    ///
    /// # Errors
    /// If one of them failed; the horizons are then unchanged.
    pub(crate) fn complete_through(&self, ticket: Timestamp) -> Result<(), Stopped> {
        self.stopped(ticket)?;
        self.advance(ticket);
        Ok(())
    }

    /// Waits until every commit up to this one is durable.
    ///
    /// # Errors
    /// If one of them failed.
    #[cfg(test)]
    pub(crate) fn wait_durable(&self, ticket: Timestamp) -> Result<(), Stopped> {
        self.wait(&self.durable, ticket, ticket)
    }

    /// Says that a commit will never be durable. Everyone who waits for it, now or later, gets an error; the horizons stay
    /// below it for ever. Earlier commits still complete.
    pub(crate) fn fail(&self, ticket: Timestamp) {
        // Release: who is stopped by it also sees why; pairs with `failed`.
        self.failed.fetch_min(ticket.0, Ordering::AcqRel);
        self.wake();
    }

    /// The earliest failed ticket.
    pub(crate) fn failed(&self) -> Option<Timestamp> {
        // Acquire: pairs with `fail`.
        let failed = self.failed.load(Ordering::Acquire);
        (failed != u64::MAX).then_some(Timestamp(failed))
    }

    fn advance(&self, ticket: Timestamp) {
        // In this order, so that the durable horizon is never ahead (invariant 1 of the room).
        self.visible.raise(ticket);
        self.durable.raise(ticket);
        self.wake();
    }

    /// Waits until all tickets before this one are within the horizon.
    fn wait_for_turn(&self, horizon: &Horizon, ticket: Timestamp) -> Result<(), Stopped> {
        self.stopped(ticket)?;
        self.wait(horizon, Timestamp(ticket.0 - 1), ticket)
    }

    fn wait(&self, horizon: &Horizon, until: Timestamp, ticket: Timestamp) -> Result<(), Stopped> {
        let is_over = || horizon.load() >= until;
        for round in 0..SPINS + YIELDS {
            if is_over() {
                return Ok(());
            }
            self.stopped(until).map_err(|stopped| Stopped { ticket, ..stopped })?;
            if round < SPINS {
                std::hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
        self.sleep(until, ticket, is_over)
    }

    #[cold]
    fn sleep(&self, until: Timestamp, ticket: Timestamp, is_over: impl Fn() -> bool) -> Result<(), Stopped> {
        let mut gate = self.gate.lock().expect(GATE);
        // Relaxed: the fence orders it.
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        // SeqCst: either the mover sees the sleeper, or the sleeper sees the move; pairs with the fence in `wake`.
        fence(Ordering::SeqCst);
        let outcome = loop {
            if is_over() {
                break Ok(());
            }
            if let Err(stopped) = self.stopped(until) {
                break Err(Stopped { ticket, ..stopped });
            }
            gate = self.moved.wait(gate).expect(GATE);
        };
        // Relaxed: under the gate.
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        drop(gate);
        outcome
    }

    fn wake(&self) {
        // SeqCst: pairs with the fence in `sleep`.
        fence(Ordering::SeqCst);
        // Relaxed: the fence orders it.
        if self.sleepers.load(Ordering::Relaxed) != 0 {
            // A sleeper that was counted has the gate until it waits, so it cannot miss this.
            let _gate = self.gate.lock().expect(GATE);
            self.moved.notify_all();
        }
    }

    /// An error if a ticket up to this one has failed.
    fn stopped(&self, ticket: Timestamp) -> Result<(), Stopped> {
        match self.failed() {
            Some(failed) if failed <= ticket => Err(Stopped { ticket, failed }),
            _ => Ok(()),
        }
    }
}

const GATE: &str = "nothing panics under the gate";
