//! A line now and then, on the error stream, while a long campaign runs.

use std::time::{Duration, Instant};

use pmem_runtime::crash::Evidence;

/// How often it says something; a campaign that takes less says nothing.
const INTERVAL: Duration = Duration::from_secs(30);

pub(crate) struct Progress {
    started: Instant,
    said: Instant,
    pieces: usize,
    done: usize,
    states: u64,
    failures: u64,
}

impl Progress {
    pub(crate) fn new(pieces: usize) -> Self {
        let now = Instant::now();
        Progress { started: now, said: now, pieces, done: 0, states: 0, failures: 0 }
    }

    /// Counts a piece in; `None` if it failed.
    pub(crate) fn piece_done(&mut self, evidence: Option<&Evidence>) {
        self.done += 1;
        match evidence {
            Some(evidence) => self.states += evidence.states,
            None => self.failures += 1,
        }
        if self.said.elapsed() >= INTERVAL {
            self.said = Instant::now();
            let seconds = self.started.elapsed().as_secs_f64();
            eprintln!(
                "{} of {} pieces, states={} failures={} after {seconds:.0} s, {:.0} states/s",
                self.done,
                self.pieces,
                self.states,
                self.failures,
                self.states as f64 / seconds
            );
        }
    }
}
