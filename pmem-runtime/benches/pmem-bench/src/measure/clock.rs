//! The processor time of this thread: on a shared machine the only time that is the program's own.
//!
//! Nothing here waits for a device: pools lie in memory, and write-backs and fences are instructions. What a turn takes on a
//! machine of its own is therefore its processor time.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// A moment of this thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Started(Timespec);

impl Started {
    pub(crate) fn now() -> Started {
        Started(clock_gettime(ClockId::ThreadCPUTime))
    }

    /// Nanoseconds that this thread ran since then.
    pub(crate) fn elapsed_ns(self) -> f64 {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        (now.tv_sec - self.0.tv_sec) as f64 * 1e9 + (now.tv_nsec - self.0.tv_nsec) as f64
    }
}
