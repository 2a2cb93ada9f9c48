//! Work for several threads, each of which makes more of it: shared by the batch, and over when all of them are idle.
//!
//! A worker keeps its own stack and gives part of it away only when another one waits, so that a busy pool of workers
//! meets no lock. The end is noticed under the lock: a worker that finds nothing here while every other one waits knows
//! that nobody is left who could make work.

use std::sync::PoisonError;
use std::time::Duration;

use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Condvar, Mutex, MutexGuard};

/// The shared part of the work.
#[derive(Debug)]
pub(super) struct Injector<T> {
    state: Mutex<State<T>>,
    wake: Condvar,
    /// A copy of `state.idle`, to be glanced at without the lock.
    idle: AtomicUsize,
}

#[derive(Debug)]
struct State<T> {
    batches: Vec<Vec<T>>,
    /// Workers inside `take`.
    idle: usize,
    workers: usize,
    over: bool,
}

/// What a worker without work gets.
#[derive(Debug)]
pub(super) enum Taken<T> {
    /// Work of its own.
    Batch(Vec<T>),
    /// Nothing yet; it may ask again.
    Nothing,
    /// Nothing ever again.
    Over,
}

impl<T> Injector<T> {
    /// For so many workers, with the first batch.
    pub(super) fn new(workers: usize, first: Vec<T>) -> Self {
        let state = State { batches: vec![first], idle: 0, workers, over: false };
        Injector { state: Mutex::new(state), wake: Condvar::new(), idle: AtomicUsize::new(0) }
    }

    /// Whether a worker waits. A hint, and soon out of date.
    pub(super) fn is_hungry(&self) -> bool {
        // Relaxed: a hint; what follows from it happens under the lock.
        self.idle.load(Ordering::Relaxed) != 0
    }

    /// Gives work away.
    pub(super) fn give(&self, batch: Vec<T>) {
        self.lock().batches.push(batch);
        self.wake.notify_one();
    }

    /// Waits for work, at most for so long. Called by a worker that has none.
    pub(super) fn take(&self, patience: Duration) -> Taken<T> {
        let mut state = self.lock();
        self.set_idle(&mut state, 1);
        let taken = loop {
            if state.over || (state.batches.is_empty() && state.idle == state.workers) {
                state.over = true;
                self.wake.notify_all();
                break Taken::Over;
            }
            if let Some(batch) = state.batches.pop() {
                break Taken::Batch(batch);
            }
            let (back, waited) =
                self.wake.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner);
            state = back;
            if waited.timed_out() && !state.over && state.batches.is_empty() && state.idle != state.workers {
                break Taken::Nothing;
            }
        };
        self.set_idle(&mut state, -1);
        taken
    }

    /// Takes note that one of the workers never began.
    pub(super) fn leave(&self) {
        self.lock().workers -= 1;
        self.wake.notify_all();
    }

    /// Ends it for all workers, with work left over.
    pub(super) fn stop(&self) {
        self.lock().over = true;
        self.wake.notify_all();
    }

    /// Whether it has ended.
    pub(super) fn is_over(&self) -> bool {
        self.lock().over
    }

    fn set_idle(&self, state: &mut State<T>, by: isize) {
        state.idle = state.idle.wrapping_add_signed(by);
        // Relaxed: a hint, see `is_hungry`.
        self.idle.store(state.idle, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code that can panic runs under the lock, so a poisoned state is a good one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
