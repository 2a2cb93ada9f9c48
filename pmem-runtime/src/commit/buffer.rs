//! Buffered sections: committed and visible, waiting for a group flush to become durable.
//!
//! A fence completes only its own thread's write-backs, so whoever flushes writes the waiting lines back itself.
//!
//! # Invariants
//! 1. `waiting` names the lines of every section above the durable horizon, in the order of their tickets.
//! 2. The durable horizon passes a buffered ticket only under the lock, after the fence that covered its lines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Core, Run};
use crate::fase_error::FaseFault;
use crate::heap::{BLOCK_BYTES, LINE_BYTES};
use crate::mutants::{Mutant, planted};
use crate::section::Timestamp;

/// Lines that may wait before a commit flushes them itself: bounds what a crash can take, and the flush's length.
pub(crate) const WAITING_LINES_MAX: u64 = 1 << 16;

#[derive(Debug, Default)]
pub(crate) struct Buffer {
    waiting: Mutex<Waiting>,
    /// Whether anything waits; lets Immediate sections pass without the lock.
    is_waiting: AtomicBool,
}

#[derive(Debug, Default)]
pub(crate) struct Waiting {
    runs: Vec<Run>,
    lines: u64,
    /// The last section that waits.
    newest: Option<Timestamp>,
}

impl Buffer {
    /// The waiting sections, if there are any. Holding the guard keeps others from flushing.
    pub(crate) fn waiting(&self) -> Option<MutexGuard<'_, Waiting>> {
        // Acquire: pairs with the Release store in `add`.
        self.is_waiting.load(Ordering::Acquire).then(|| self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a section's lines and makes it visible. Returns how many lines wait now.
    pub(crate) fn add(&self, core: &Core, ticket: Timestamp, runs: &[Run]) -> Result<u64, FaseFault> {
        let mut waiting = self.lock();
        waiting.runs.extend_from_slice(runs);
        waiting.lines += runs.iter().map(|run| u64::from(run.lines)).sum::<u64>();
        waiting.newest = Some(ticket);
        // Release: whoever sees the flag and takes the lock finds the lines.
        self.is_waiting.store(true, Ordering::Release);
        core.clock.publish_visible(ticket).map_err(|_| core.poisoned())?;
        if planted(Mutant::BufferedShownDurable) {
            core.clock.complete_through(ticket).map_err(|_| core.poisoned())?;
        }
        Ok(waiting.lines)
    }

    /// Makes every waiting section durable.
    pub(crate) fn flush(&self, core: &Core) -> Result<(), FaseFault> {
        let Some(mut waiting) = self.waiting() else { return Ok(()) };
        if waiting.newest.is_none() {
            return Ok(());
        }
        waiting.write_back(core);
        if !planted(Mutant::GroupFlushUnfenced) {
            core.fence()?;
        }
        self.settle(core, &mut waiting)
    }

    /// After a fence that covered the waiting lines: they are durable.
    pub(crate) fn settle(&self, core: &Core, waiting: &mut Waiting) -> Result<(), FaseFault> {
        if let Some(newest) = waiting.newest.take() {
            core.clock.complete_through(newest).map_err(|_| core.poisoned())?;
        }
        waiting.runs.clear();
        waiting.lines = 0;
        // Release: pairs with the Acquire in `waiting`.
        self.is_waiting.store(false, Ordering::Release);
        Ok(())
    }
}

impl Waiting {
    /// Writes the waiting lines back.
    pub(crate) fn write_back(&self, core: &Core) {
        write_back(core, &self.runs);
    }
}

/// Lines of a run that are written back: all.
fn flushed(run: Run) -> u32 {
    let is_cut = planted(Mutant::EdgeLineNotFlushed) && run.lines > 1;
    let is_large = u64::from(run.lines) * LINE_BYTES > BLOCK_BYTES;
    run.lines - u32::from(is_cut || (planted(Mutant::LargeTailNotFlushed) && is_large))
}

/// Writes runs of lines back and counts them.
#[cfg_attr(feature = "crash-test", track_caller)]
pub(crate) fn write_back(core: &Core, runs: &[Run]) {
    for run in runs {
        let from = core.at(run.first_line * LINE_BYTES);
        // SAFETY: runs are of nodes and records in the mapping.
        unsafe { core.file.medium().write_back(from, flushed(*run) as usize * LINE_BYTES as usize) };
        core.tally.lines_written_back.add(u64::from(run.lines));
    }
}
