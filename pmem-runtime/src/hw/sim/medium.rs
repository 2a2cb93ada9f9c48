//! The medium that keeps the log.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use rustix::io::Errno;

use super::shadow::Shadow;
use super::{Action, CALLER, CHUNK_BYTES, Chooser, Event, Note, Noted, Replay, SimThread, Source};
use crate::hw::{LINE_BYTES, Medium, Pace, Survives};

/// A medium over plain memory whose every event is remembered.
///
/// Its log grows without bound, since any prefix may be asked for: keep simulated pools and runs small.
#[derive(Debug)]
pub struct SimMedium {
    state: Mutex<State>,
    has_flusher: bool,
    pace: Option<Pace>,
}

#[derive(Debug)]
struct State {
    /// Where the pool's mapping starts, once a pool is attached.
    base: Option<usize>,
    /// The bytes at the start of the log.
    initial: Arc<Vec<u8>>,
    /// The bytes that a pool is opened from; others than `initial` if the log began in an earlier process.
    opened: Arc<Vec<u8>>,
    /// The bytes as the log has them.
    shadow: Shadow,
    events: Vec<Event>,
    notes: Vec<Noted>,
    /// Each thread's number, and the section that it began last.
    threads: HashMap<ThreadId, (SimThread, u32)>,
    /// The number of the next thread.
    next_thread: u32,
    sections: u32,
    /// Where nodes begin that were handed out: their first words are refcounts.
    nodes: BTreeSet<usize>,
    fences_until_failure: Option<u64>,
    fails_next_allocate: bool,
    is_full: bool,
}

impl Default for SimMedium {
    fn default() -> Self {
        Self::new()
    }
}

impl SimMedium {
    /// An empty medium, for a pool that is yet to be created.
    #[must_use]
    pub fn new() -> Self {
        Self::from_image(Vec::new())
    }

    /// A medium that holds these bytes, as after a crash.
    #[must_use]
    pub fn from_image(image: Vec<u8>) -> Self {
        let initial = Arc::new(image);
        SimMedium {
            state: Mutex::new(State {
                base: None,
                shadow: Shadow::new(Arc::clone(&initial)),
                opened: Arc::clone(&initial),
                initial,
                events: Vec::new(),
                notes: Vec::new(),
                threads: HashMap::new(),
                next_thread: 0,
                sections: 0,
                nodes: BTreeSet::new(),
                fences_until_failure: None,
                fails_next_allocate: false,
                is_full: false,
            }),
            has_flusher: true,
            pace: None,
        }
    }

    /// The medium that the next process finds when the one that made this log is killed after the log's last event. The caches of
    /// the machine survive it, so all that was stored is there to be read; what was not durable is not for that reason
    /// durable, and the log, which goes on, remembers it: a loss of power may still take it.
    #[must_use]
    pub fn after_death(initial: Vec<u8>, events: Vec<Event>, notes: Vec<Noted>) -> Self {
        let mut replay = Replay::new(initial.clone());
        events.iter().for_each(|event| replay.apply(event));
        let medium = SimMedium::from_image(replay.image(Chooser::All));
        {
            let mut state = medium.state();
            state.initial = Arc::new(initial);
            // Threads of another process: a fence completes no write-back of the dead ones.
            state.next_thread = events.iter().map(|event| event.thread.0 + 1).max().unwrap_or(0);
            state.sections = notes.iter().map(|noted| noted.section).max().unwrap_or(0);
            state.events = events;
            state.notes = notes;
        }
        medium
    }

    /// The same medium, on which writers tidy up at this pace: the sooner, the more of it a short run shows.
    #[must_use]
    pub fn with_pace(mut self, pace: Option<Pace>) -> Self {
        self.pace = pace;
        self
    }

    /// The same medium, on which nothing is flushed by time: buffered sections wait for a sync, or for their number, so that
    /// one thread's run has the same log each time.
    #[must_use]
    pub fn without_flusher(mut self) -> Self {
        self.has_flusher = false;
        self
    }

    /// The bytes at the start of the log.
    #[must_use]
    pub fn initial_image(&self) -> Vec<u8> {
        self.state().initial.to_vec()
    }

    /// The bytes that a pool is opened from, shared.
    pub(crate) fn opened(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.state().opened)
    }

    /// How many events there are: crash points are `0..=event_count()`.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.state().events.len()
    }

    /// How many sections were begun.
    pub(crate) fn section_count(&self) -> u32 {
        self.state().sections
    }

    /// The numbers of the sections that the calling thread has begun.
    pub(crate) fn own_sections(&self) -> Vec<u32> {
        let mut state = self.state();
        let thread = state.this_thread().0;
        let own =
            |noted: &&Noted| noted.thread == thread && matches!(noted.note, Note::SectionStarted { .. });
        state.notes.iter().filter(own).map(|noted| noted.section).collect()
    }

    /// A copy of the log.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.state().events.clone()
    }

    /// A copy of what the runtime told besides.
    #[must_use]
    pub fn notes(&self) -> Vec<Noted> {
        self.state().notes.clone()
    }

    /// The bytes that a crash after the first `at_event` events may leave.
    ///
    /// Complexity: linear in the log. To visit many crash points, advance one [`Replay`] over [`SimMedium::events`].
    ///
    /// # Panics
    /// If there are fewer events.
    #[must_use]
    pub fn crash_image(&self, at_event: usize, chooser: Chooser) -> Vec<u8> {
        let state = self.state();
        let mut replay = Replay::new(state.initial.to_vec());
        state.events[..at_event].iter().for_each(|event| replay.apply(event));
        replay.image(chooser)
    }

    /// Lets the `nth` fence from now (1 is the next) fail with EIO. Later ones succeed and, like the kernel's sync,
    /// do not cover what the failed one was to cover: a pool that goes on loses data.
    pub fn fail_fence(&self, nth: u64) {
        self.state().fences_until_failure = Some(nth);
    }

    /// Lets the next `allocate` fail with ENOSPC.
    pub fn fail_allocate(&self) {
        self.state().fails_next_allocate = true;
    }

    /// Lets every `allocate` fail with ENOSPC, or none.
    pub fn set_full(&self, is_full: bool) {
        self.state().is_full = is_full;
    }

    /// Ties the medium to a mapping that holds its bytes.
    ///
    /// # Panics
    /// If it is tied already: one simulated medium is one run of one pool.
    ///
    /// # Safety
    /// The mapping starts at `base`, is at least as long as the medium will ever be, holds the medium's bytes and then
    /// zeros, and lives as long as the medium is used.
    pub(crate) unsafe fn attach(&self, base: *mut u8) {
        let previous = self.state().base.replace(base.expose_provenance());
        assert!(previous.is_none(), "a simulated medium serves one pool; make another from a crash image");
    }

    /// How long it is.
    pub(crate) fn len_bytes(&self) -> u64 {
        self.state().shadow.len_bytes() as u64
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn log(&mut self, action: Action) {
        let (thread, section) = *self.this_thread();
        self.events.push(Event { thread, action, source: Source { line: CALLER.get(), section } });
    }

    fn this_thread(&mut self) -> &mut (SimThread, u32) {
        let next = &mut self.next_thread;
        self.threads.entry(thread::current().id()).or_insert_with(|| {
            *next += 1;
            (SimThread(*next - 1), 0)
        })
    }

    /// The offsets of bytes in the mapping.
    fn range(&self, from: usize, len_bytes: usize) -> Range<usize> {
        let base = self.base.expect("no pool is attached to the simulated medium");
        let start = from.checked_sub(base).expect("address below the simulated pool");
        let end = start + len_bytes;
        assert!(
            end <= self.shadow.len_bytes(),
            "offset {end:#x} is behind the simulated pool's end {:#x}",
            self.shadow.len_bytes()
        );
        start..end
    }

    fn log_store(&mut self, offset: usize, bytes: &[u8]) {
        self.shadow.store(offset, bytes);
        self.log(Action::Store { offset: offset as u64, bytes: bytes.into() });
    }

    /// Logs the runs of changed chunks among the chunks of a range.
    ///
    /// # Safety
    /// As [`Medium::written`], for the range's chunks.
    unsafe fn log_changes(&mut self, range: Range<usize>) {
        let base = self.base.expect("no pool is attached to the simulated medium");
        let end = range.end.next_multiple_of(CHUNK_BYTES).min(self.shadow.len_bytes());
        let mut at = range.start / CHUNK_BYTES * CHUNK_BYTES;
        let mut runs: Vec<(usize, Vec<u8>)> = Vec::new();
        while at < end {
            let known = self.shadow.rest_of_page(at);
            for known in known[..known.len().min(end - at)].chunks_exact(CHUNK_BYTES) {
                // SAFETY: the chunk lies in the mapping, and nobody writes it but atomically (caller's promise).
                let chunk = unsafe { load_chunk(base + at) };
                if chunk != known {
                    match runs.last_mut() {
                        Some((start, bytes)) if *start + bytes.len() == at => bytes.extend_from_slice(&chunk),
                        _ => runs.push((at, chunk.to_vec())),
                    }
                }
                at += CHUNK_BYTES;
            }
        }
        runs.into_iter().for_each(|(start, bytes)| self.log_store(start, &bytes));
    }

    /// Logs the refcounts that have changed since: they are stores like others, which may reach the medium at any time,
    /// though nobody announces them and nobody waits for them.
    fn log_refcounts(&mut self) {
        let Some(base) = self.base else { return };
        let changed = |&at: &usize| {
            let word = std::ptr::with_exposed_provenance_mut::<u32>(base + at);
            // SAFETY: a node's first word, which lies in the mapping, aligned. It is a refcount, accessed atomically; or the
            // node is gone, and then its lines are touched by nobody but the section that is handed them: that of the
            // calling thread, if any (the caller's promise), whose notes keep `nodes` up to date.
            let count = unsafe { AtomicU32::from_ptr(word) };
            // Relaxed: its value means nothing to recovery.
            let count = count.load(Ordering::Relaxed).to_le_bytes();
            (count != self.shadow.rest_of_page(at)[..4]).then_some((at, count))
        };
        let changed: Vec<(usize, [u8; 4])> = self.nodes.iter().filter_map(changed).collect();
        changed.into_iter().for_each(|(at, count)| self.log_store(at, &count));
    }
}

/// Reads a chunk in the two words that a refcount may be one of.
///
/// # Safety
/// The eight bytes at `address` lie in a mapping whose provenance is exposed, aligned to eight; others write them, if at
/// all, as atomic words of four bytes.
unsafe fn load_chunk(address: usize) -> [u8; CHUNK_BYTES] {
    let mut chunk = [0; CHUNK_BYTES];
    for (half, bytes) in chunk.chunks_exact_mut(4).enumerate() {
        let word = std::ptr::with_exposed_provenance_mut::<u32>(address + 4 * half);
        // SAFETY: the caller's promise.
        let word = unsafe { AtomicU32::from_ptr(word) };
        // Relaxed: a refcount's value means nothing to recovery, and everything else is ordered by the caller.
        bytes.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
    }
    chunk
}

impl Medium for SimMedium {
    fn durability(&self) -> Survives {
        Survives::PowerLoss
    }

    fn name(&self) -> &'static str {
        "simulated"
    }

    fn flushes_by_time(&self) -> bool {
        self.has_flusher
    }

    fn pace(&self) -> Option<Pace> {
        self.pace
    }

    fn note(&self, mut note: Note) {
        let mut state = self.state();
        match &mut note {
            Note::SectionStarted { .. } => {
                // The thread has the writer: nobody else changes nodes.
                state.log_refcounts();
                state.sections += 1;
                let section = state.sections;
                state.this_thread().1 = section;
            }
            Note::Allocated { at, lines, .. } => {
                let first = state.range(*at as usize, 0).start;
                *at = first as u64;
                let lines = first..first + *lines as usize * LINE_BYTES;
                while let Some(gone) = state.nodes.range(lines.clone()).next().copied() {
                    state.nodes.remove(&gone);
                }
                state.nodes.insert(first);
            }
            Note::Pinned { .. } | Note::Unpinned { .. } => {}
        }
        let (thread, section) = *state.this_thread();
        let events = state.events.len();
        state.notes.push(Noted { events, thread, section, note });
    }

    unsafe fn store(&self, to: *mut u8, bytes: &[u8]) {
        let mut state = self.state();
        let range = state.range(to.addr(), bytes.len());
        // SAFETY: the caller's promise; a borrowed slice does not overlap what only the caller may access.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        state.log_store(range.start, bytes);
    }

    unsafe fn store_word(&self, to: *mut u64, value: u64) {
        let mut state = self.state();
        let range = state.range(to.addr(), CHUNK_BYTES);
        // SAFETY: the caller's promise.
        let word = unsafe { AtomicU64::from_ptr(to) };
        // Release: as in the trait's own; stored under the lock, so that the log has the order of memory.
        word.store(value, Ordering::Release);
        state.log_store(range.start, &value.to_le_bytes());
    }

    unsafe fn written(&self, from: *const u8, len_bytes: usize) {
        let mut state = self.state();
        let range = state.range(from.addr(), len_bytes);
        // SAFETY: the caller's promise.
        unsafe { state.log_changes(range) };
    }

    unsafe fn write_back(&self, from: *const u8, len_bytes: usize) {
        let mut state = self.state();
        let range = state.range(from.addr(), len_bytes);
        if range.is_empty() {
            return;
        }
        let first = range.start / LINE_BYTES * LINE_BYTES;
        let end = range.end.next_multiple_of(LINE_BYTES).min(state.shadow.len_bytes());
        // SAFETY: a line belongs to one node or one owner, whose caller writes it back while nobody writes it, refcounts
        // aside.
        unsafe { state.log_changes(first..end) };
        state.log(Action::WriteBack { offset: first as u64, len_bytes: (end - first) as u64 });
    }

    fn fence(&self) -> io::Result<()> {
        let mut state = self.state();
        if state.this_thread().1 == state.sections {
            // This thread's section is the newest: it runs, or none does.
            state.log_refcounts();
        }
        let left = state.fences_until_failure.map(|fences| fences.saturating_sub(1));
        state.fences_until_failure = left.filter(|left| *left > 0);
        if left == Some(0) {
            state.log(Action::FenceFailed);
            return Err(Errno::IO.into());
        }
        state.log(Action::Fence);
        Ok(())
    }

    fn allocate(&self, _old_len_bytes: u64, new_len_bytes: u64) -> io::Result<()> {
        let mut state = self.state();
        if std::mem::take(&mut state.fails_next_allocate) || state.is_full {
            return Err(Errno::NOSPC.into());
        }
        state.log(Action::GrowStarted { new_len_bytes });
        state.shadow.resize(new_len_bytes as usize);
        state.log(Action::Grown { new_len_bytes });
        Ok(())
    }
}
