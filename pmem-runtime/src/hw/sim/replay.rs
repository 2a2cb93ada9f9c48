//! Reading the log: after any number of events, what is guaranteed and what is possible (model chunk8).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Action, CHUNK_BYTES, Chooser, Event, SimThread};
use crate::hw::LINE_BYTES;

/// A store's place among all stores to its chunk, counted from the start of the log.
type Version = u64;

/// A chunk with stores that nothing guarantees yet.
#[derive(Clone, Debug)]
struct Pending {
    /// The version of the guaranteed value; those in `values` follow it.
    guaranteed: Version,
    /// The values of the later versions, the latest last.
    values: Vec<[u8; CHUNK_BYTES]>,
}

/// The state after a prefix of the log. Cheaper than starting anew for each crash point: advance it event by event.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The guaranteed bytes; as long as the guaranteed length.
    durable: Vec<u8>,
    /// The length that an unfinished growth may leave.
    growing_to: Option<u64>,
    pending: BTreeMap<u64, Pending>,
    /// What each thread wrote back and did not fence: per chunk, the latest version then.
    written_back: HashMap<SimThread, BTreeMap<u64, Version>>,
    /// Versions given out to chunks that have nothing pending any more.
    settled: HashMap<u64, Version>,
    events: usize,
}

impl Replay {
    /// The state before the first event: everything in `image` is guaranteed.
    #[must_use]
    pub fn new(image: Vec<u8>) -> Self {
        Replay {
            durable: image,
            growing_to: None,
            pending: BTreeMap::new(),
            written_back: HashMap::new(),
            settled: HashMap::new(),
            events: 0,
        }
    }

    /// How many events were applied.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events
    }

    /// Applies the next event.
    pub fn apply(&mut self, event: &Event) {
        self.events += 1;
        match &event.action {
            Action::Store { offset, bytes } => self.store(*offset, bytes),
            Action::WriteBack { offset, len_bytes } => self.write_back(event.thread, *offset, *len_bytes),
            Action::Fence => self.fence(event.thread),
            Action::FenceFailed => {
                self.written_back.remove(&event.thread);
            }
            Action::GrowStarted { new_len_bytes } => self.growing_to = Some(*new_len_bytes),
            Action::Grown { new_len_bytes } => {
                self.durable.resize(*new_len_bytes as usize, 0);
                self.growing_to = None;
            }
        }
    }

    /// The bytes that a crash now may leave.
    #[must_use]
    pub fn image(&self, chooser: Chooser) -> Vec<u8> {
        let mut image = self.durable.clone();
        for (chunk, pending) in &self.pending {
            let picked = chooser.pick(*chunk, pending.values.len());
            if let Some(newer) = picked.checked_sub(1) {
                let at = *chunk as usize * CHUNK_BYTES;
                image[at..at + CHUNK_BYTES].copy_from_slice(&pending.values[newer]);
            }
        }
        if let Some(new_len_bytes) = self.growing_to.filter(|_| chooser.keeps_growth()) {
            image.resize(new_len_bytes as usize, 0);
        }
        image
    }

    /// Indices of the lines that a crash now may leave in more than one state.
    #[must_use]
    pub fn uncertain_lines(&self) -> BTreeSet<u64> {
        self.pending.keys().map(|chunk| chunk / (LINE_BYTES / CHUNK_BYTES) as u64).collect()
    }

    fn latest(&self, chunk: u64) -> [u8; CHUNK_BYTES] {
        if let Some(value) = self.pending.get(&chunk).and_then(|pending| pending.values.last()) {
            return *value;
        }
        let at = chunk as usize * CHUNK_BYTES;
        let mut value = [0; CHUNK_BYTES];
        value.copy_from_slice(&self.durable[at..at + CHUNK_BYTES]);
        value
    }

    fn store(&mut self, offset: u64, bytes: &[u8]) {
        let mut at = offset;
        let mut rest = bytes;
        while !rest.is_empty() {
            let chunk = at / CHUNK_BYTES as u64;
            let start = (at % CHUNK_BYTES as u64) as usize;
            let (now, later) = rest.split_at(rest.len().min(CHUNK_BYTES - start));
            let mut value = self.latest(chunk);
            value[start..start + now.len()].copy_from_slice(now);
            let guaranteed = self.settled.get(&chunk).copied().unwrap_or(0);
            let pending =
                self.pending.entry(chunk).or_insert_with(|| Pending { guaranteed, values: Vec::new() });
            pending.values.push(value);
            at += now.len() as u64;
            rest = later;
        }
    }

    fn write_back(&mut self, thread: SimThread, offset: u64, len_bytes: u64) {
        let chunks = offset / CHUNK_BYTES as u64..(offset + len_bytes) / CHUNK_BYTES as u64;
        let written = self.written_back.entry(thread).or_default();
        for (chunk, pending) in self.pending.range(chunks) {
            written.insert(*chunk, pending.guaranteed + pending.values.len() as Version);
        }
    }

    fn fence(&mut self, thread: SimThread) {
        for (chunk, version) in self.written_back.remove(&thread).unwrap_or_default() {
            let Some(pending) = self.pending.get_mut(&chunk) else { continue };
            // Another thread's fence may have guaranteed this version, or a later one, before.
            let Some(newer) = version.checked_sub(pending.guaranteed).filter(|newer| *newer > 0) else {
                continue;
            };
            let value = pending.values.drain(..newer as usize).next_back();
            pending.guaranteed = version;
            let at = chunk as usize * CHUNK_BYTES;
            self.durable[at..at + CHUNK_BYTES].copy_from_slice(&value.expect("a version has a value"));
            if pending.values.is_empty() {
                self.settled.insert(chunk, version);
                self.pending.remove(&chunk);
            }
        }
    }
}
