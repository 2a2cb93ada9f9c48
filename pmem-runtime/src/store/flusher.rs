//! The thread that flushes buffered sections: started by the first of them, ended with the pool.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::commit::Core;

/// How long a buffered section waits for its flush, at most, when the machine keeps up.
const FLUSH_INTERVAL: Duration = Duration::from_millis(10);

/// Flushes a pool at intervals for as long as it lives.
#[derive(Debug)]
pub(crate) struct Flusher {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Signal {
    is_over: Mutex<bool>,
    changed: Condvar,
}

impl Flusher {
    /// Starts the thread. Without one (the system has no more), sections are flushed by `sync`, by their number, and at
    /// close.
    pub(crate) fn start(core: Arc<Core>) -> Self {
        let signal = Arc::new(Signal::default());
        let watched = Arc::clone(&signal);
        let thread =
            thread::Builder::new().name("pmem-flush".to_owned()).spawn(move || run(&core, &watched)).ok();
        Flusher { signal, thread }
    }
}

fn run(core: &Core, signal: &Signal) {
    let mut is_over = signal.is_over.lock().unwrap_or_else(PoisonError::into_inner);
    while !*is_over {
        is_over =
            signal.changed.wait_timeout(is_over, FLUSH_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        // A failed sync has poisoned the pool; the next section reports it.
        if core.buffer.flush(core).is_err() {
            return;
        }
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        *self.signal.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.signal.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It does not panic; and if it did, the pool would be closed all the same.
            let _ = thread.join();
        }
    }
}
