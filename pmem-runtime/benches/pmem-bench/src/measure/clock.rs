//! The processor time of this thread: on a shared machine the only time that is the program's own.
//!
//! Nothing here waits for a device: pools lie in memory, and write-backs and fences are instructions. What a turn takes on a
//! machine of its own is therefore its processor time.

use cpu_time::ThreadTime;

/// A moment of this thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Started(ThreadTime);

impl Started {
    pub(crate) fn now() -> Started {
        Started(ThreadTime::now())
    }

    /// Nanoseconds that this thread ran since then.
    pub(crate) fn elapsed_ns(self) -> f64 {
        self.0.elapsed().as_nanos() as f64
    }
}
