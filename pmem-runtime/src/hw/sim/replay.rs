//! Reading the log: after any number of events, what is guaranteed and what is possible.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Action, CHUNK_BYTES, Choices, Chooser, Event, Persistence, SimThread};
use crate::hw::LINE_BYTES;

/// A store's place in the log: the number of events up to and including it.
type Sequence = usize;

type Chunk = [u8; CHUNK_BYTES];

/// The state after a prefix of the log. Cheaper than starting anew for each crash point: advance it event by event.
#[derive(Clone, Debug)]
pub struct Replay {
    persistence: Persistence,
    /// The guaranteed bytes; as long as the guaranteed length.
    durable: Vec<u8>,
    /// How `durable` differs from the bytes at the start, as a sum over chunks.
    durable_print: u64,
    /// The length that an unfinished growth may leave.
    growing_to: Option<u64>,
    /// Per chunk, the stores that nothing guarantees yet, oldest first. Never empty.
    pending: BTreeMap<u64, Vec<(Sequence, Chunk)>>,
    /// What each thread wrote back and did not fence: per chunk, the latest store then.
    written_back: HashMap<SimThread, BTreeMap<u64, Sequence>>,
    /// On files: stores before this event were given up by a failed sync, unless their page was stored to again.
    given_up: Sequence,
    events: usize,
}

/// A chunk of which a crash does not leave the newest value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Where the chunk lies.
    pub offset: u64,
    /// The stores that the crash took, as indices into the log, oldest first.
    pub stores: Vec<usize>,
}

impl Replay {
    /// The state before the first event, read as [`Persistence::Chunk8`]: everything in `image` is guaranteed.
    #[must_use]
    pub fn new(image: Vec<u8>) -> Self {
        Replay::reading(image, Persistence::Chunk8)
    }

    /// As [`Replay::new`], read by another model.
    #[must_use]
    pub fn reading(image: Vec<u8>, persistence: Persistence) -> Self {
        Replay {
            persistence,
            durable: image,
            durable_print: 0,
            growing_to: None,
            pending: BTreeMap::new(),
            written_back: HashMap::new(),
            given_up: 0,
            events: 0,
        }
    }

    /// How many events were applied.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events
    }

    /// The model by which the log is read.
    #[must_use]
    pub fn persistence(&self) -> Persistence {
        self.persistence
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
                self.given_up = self.events;
            }
            Action::GrowStarted { new_len_bytes } => self.growing_to = Some(*new_len_bytes),
            Action::Grown { new_len_bytes } => {
                self.durable.resize(*new_len_bytes as usize, 0);
                self.growing_to = None;
            }
        }
    }

    /// What a chooser makes of the state now.
    #[must_use]
    pub fn choices(&self, chooser: Chooser) -> Choices {
        let pick = |(unit, newest): (u64, usize)| (unit, chooser.pick(unit, newest), newest);
        let picks = self.units().into_iter().map(pick);
        let kept = picks.filter(|(_, kept, newest)| kept < newest).map(|(unit, kept, _)| (unit, kept));
        Choices { kept: kept.collect(), keeps_growth: self.growing_to.is_some() && chooser.keeps_growth() }
    }

    /// All states that a crash now may leave, if there are at most `limit`.
    #[must_use]
    pub fn every_choice(&self, limit: u64) -> Option<Vec<Choices>> {
        let units = self.units();
        let growths: &[bool] = if self.growing_to.is_some() { &[true, false] } else { &[false] };
        let count = units.iter().try_fold(growths.len() as u64, |count, (_, newest)| {
            count.checked_mul(*newest as u64 + 1).filter(|count| *count <= limit)
        })?;
        let mut all: Vec<Choices> = Vec::with_capacity(count as usize);
        all.extend(growths.iter().map(|grows| Choices { keeps_growth: *grows, ..Choices::default() }));
        for (unit, newest) in units {
            let longer: Vec<Choices> = all
                .iter()
                .flat_map(|choices| (0..newest).map(move |kept| choices.with(unit, kept)))
                .collect();
            all.extend(longer);
        }
        Some(all)
    }

    /// The bytes that a crash now may leave.
    #[must_use]
    pub fn image(&self, chooser: Chooser) -> Vec<u8> {
        self.image_with(&self.choices(chooser))
    }

    /// The bytes that a crash now leaves, chosen unit by unit.
    #[must_use]
    pub fn image_with(&self, choices: &Choices) -> Vec<u8> {
        let mut image = self.durable.clone();
        self.for_each_left(choices, |chunk, values, left| {
            if let Some(newest) = left.checked_sub(1) {
                let at = chunk as usize * CHUNK_BYTES;
                image[at..at + CHUNK_BYTES].copy_from_slice(&values[newest].1);
            }
        });
        if let Some(new_len_bytes) = self.growing_to.filter(|_| choices.keeps_growth) {
            image.resize(new_len_bytes as usize, 0);
        }
        image
    }

    /// A number that two states of one log share exactly if their images are equal (but for a chance of 2^-64).
    #[must_use]
    pub fn fingerprint(&self, choices: &Choices) -> u64 {
        let mut print = self.durable_print;
        self.for_each_left(choices, |chunk, values, left| {
            if let Some(newest) = left.checked_sub(1) {
                print = print
                    .wrapping_sub(chunk_print(chunk, &self.durable_chunk(chunk)))
                    .wrapping_add(chunk_print(chunk, &values[newest].1));
            }
        });
        let len_bytes = self.growing_to.filter(|_| choices.keeps_growth).unwrap_or(self.durable.len() as u64);
        print.wrapping_add(super::chooser::mix(len_bytes))
    }

    /// The chunks of which these choices take something away, in order.
    #[must_use]
    pub fn missing(&self, choices: &Choices) -> Vec<Missing> {
        let mut missing = Vec::new();
        self.for_each_left(choices, |chunk, values, left| {
            if left < values.len() {
                let stores = values[left..].iter().map(|(sequence, _)| sequence - 1).collect();
                missing.push(Missing { offset: chunk * CHUNK_BYTES as u64, stores });
            }
        });
        missing
    }

    /// Indices of the lines that a crash now may leave in more than one state; of units larger than lines the first.
    #[must_use]
    pub fn uncertain_lines(&self) -> BTreeSet<u64> {
        let unit = self.persistence.unit_chunks().max(CHUNKS_PER_LINE);
        self.pending.keys().map(|chunk| chunk / unit * unit / CHUNKS_PER_LINE).collect()
    }

    /// The units (by their first chunks) that a crash now may leave in more than one state, each with the number of its
    /// newest one. Zero is the guaranteed one.
    fn units(&self) -> Vec<(u64, usize)> {
        if self.persistence.unit_chunks() == 1 {
            return self.pending.iter().map(|(chunk, values)| (*chunk, values.len())).collect();
        }
        let mut units: Vec<(u64, usize)> = Vec::new();
        let mut rest = self.pending.iter().peekable();
        while let Some((chunk, _)) = rest.peek() {
            let unit = self.unit_of(**chunk);
            let mut count = BTreeSet::new();
            while let Some((_, values)) = rest.next_if(|(chunk, _)| self.unit_of(**chunk) == unit) {
                count.extend(values.iter().map(|(sequence, _)| *sequence));
            }
            units.push((unit, count.len()));
        }
        units
    }

    fn unit_of(&self, chunk: u64) -> u64 {
        let unit = self.persistence.unit_chunks();
        chunk / unit * unit
    }

    /// Calls `visit` with each pending chunk, its values, and how many of them these choices leave.
    fn for_each_left(&self, choices: &Choices, mut visit: impl FnMut(u64, &[(Sequence, Chunk)], usize)) {
        if self.persistence.unit_chunks() == 1 {
            for (chunk, values) in &self.pending {
                visit(*chunk, values, choices.kept.get(chunk).map_or(values.len(), |kept| *kept));
            }
            return;
        }
        // Of a larger unit a prefix of its stores is left, whichever chunks they went to.
        let mut ends: BTreeMap<u64, Sequence> = BTreeMap::new();
        for (&unit, &kept) in &choices.kept {
            let chunks = self.pending.range(unit..unit + self.persistence.unit_chunks());
            let sequences: BTreeSet<Sequence> =
                chunks.flat_map(|(_, values)| values.iter().map(|(sequence, _)| *sequence)).collect();
            let end = kept.checked_sub(1).and_then(|last| sequences.into_iter().nth(last)).unwrap_or(0);
            ends.insert(unit, end);
        }
        for (chunk, values) in &self.pending {
            let left = ends.get(&self.unit_of(*chunk)).map_or(values.len(), |end| {
                values.iter().take_while(|(sequence, _)| sequence <= end).count()
            });
            visit(*chunk, values, left);
        }
    }

    /// The newest value of a chunk.
    pub(crate) fn latest(&self, chunk: u64) -> Chunk {
        let newest = self.pending.get(&chunk).and_then(|values| values.last());
        newest.map_or_else(|| self.durable_chunk(chunk), |(_, value)| *value)
    }

    /// The guaranteed value of a chunk.
    pub(crate) fn durable_chunk(&self, chunk: u64) -> Chunk {
        let at = chunk as usize * CHUNK_BYTES;
        let mut value = [0; CHUNK_BYTES];
        value.copy_from_slice(&self.durable[at..at + CHUNK_BYTES]);
        value
    }

    /// The stores (counted from 1) of which a crash now may leave less than all, in order.
    pub(crate) fn pending_stores(&self) -> BTreeSet<usize> {
        self.pending.values().flatten().map(|(sequence, _)| *sequence).collect()
    }

    /// The state in which of every unit the newest store is there that is not lost: `is_lost` is asked for a chunk and the
    /// number (counted from 1) of a store to it.
    pub(crate) fn without(&self, mut is_lost: impl FnMut(u64, usize) -> bool) -> Choices {
        let mut left: BTreeMap<u64, (BTreeSet<Sequence>, Sequence)> = BTreeMap::new();
        for (chunk, values) in &self.pending {
            let (all, newest) = left.entry(self.unit_of(*chunk)).or_default();
            for (sequence, _) in values {
                all.insert(*sequence);
                if !is_lost(*chunk, *sequence) {
                    *newest = (*newest).max(*sequence);
                }
            }
        }
        let kept = left.into_iter().filter_map(|(unit, (all, newest))| {
            let kept = all.iter().take_while(|sequence| **sequence <= newest).count();
            (kept < all.len()).then_some((unit, kept))
        });
        Choices { kept: kept.collect(), keeps_growth: self.growing_to.is_some() }
    }

    /// The values that a crash now may leave of a chunk, each once.
    pub(crate) fn possible(&self, chunk: u64) -> Vec<Chunk> {
        let mut possible = vec![self.durable_chunk(chunk)];
        for (_, value) in self.pending.get(&chunk).into_iter().flatten() {
            if !possible.contains(value) {
                possible.push(*value);
            }
        }
        possible
    }

    /// The chunks among these that a crash now may leave in more than one state.
    pub(crate) fn pending_among(&self, chunks: std::ops::Range<u64>) -> impl Iterator<Item = u64> {
        self.pending.range(chunks).map(|(chunk, _)| *chunk)
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
            if self.persistence == Persistence::Eadr {
                self.settle(chunk, value);
            } else {
                self.pending.entry(chunk).or_default().push((self.events, value));
            }
            at += now.len() as u64;
            rest = later;
        }
    }

    fn write_back(&mut self, thread: SimThread, offset: u64, len_bytes: u64) {
        if self.persistence.is_file() {
            return;
        }
        let chunks = offset / CHUNK_BYTES as u64..(offset + len_bytes) / CHUNK_BYTES as u64;
        let written = self.written_back.entry(thread).or_default();
        for (chunk, values) in self.pending.range(chunks) {
            written.insert(*chunk, values.last().expect("never empty").0);
        }
    }

    fn fence(&mut self, thread: SimThread) {
        if self.persistence.is_file() {
            self.sync_file();
            return;
        }
        for (chunk, sequence) in self.written_back.remove(&thread).unwrap_or_default() {
            self.guarantee(chunk, sequence);
        }
    }

    /// Every page that is dirty is written, whole.
    fn sync_file(&mut self) {
        let units: BTreeSet<u64> = self.pending.keys().map(|chunk| self.unit_of(*chunk)).collect();
        for unit in units {
            let chunks = unit..unit + self.persistence.unit_chunks();
            let newest = |values: &Vec<(Sequence, Chunk)>| values.last().expect("never empty").0;
            let is_dirty =
                self.pending.range(chunks.clone()).any(|(_, values)| newest(values) > self.given_up);
            if is_dirty {
                let chunks: Vec<u64> = self.pending_among(chunks).collect();
                chunks.into_iter().for_each(|chunk| self.guarantee(chunk, Sequence::MAX));
            }
        }
    }

    /// Guarantees the stores to a chunk up to this one. Another thread's fence may have done so before.
    fn guarantee(&mut self, chunk: u64, sequence: Sequence) {
        let Some(values) = self.pending.get_mut(&chunk) else { return };
        let count = values.iter().take_while(|(stored, _)| *stored <= sequence).count();
        let Some((_, value)) = values.drain(..count).next_back() else { return };
        if values.is_empty() {
            self.pending.remove(&chunk);
        }
        self.settle(chunk, value);
    }

    fn settle(&mut self, chunk: u64, value: Chunk) {
        let at = chunk as usize * CHUNK_BYTES;
        self.durable_print = self
            .durable_print
            .wrapping_sub(chunk_print(chunk, &self.durable_chunk(chunk)))
            .wrapping_add(chunk_print(chunk, &value));
        self.durable[at..at + CHUNK_BYTES].copy_from_slice(&value);
    }
}

const CHUNKS_PER_LINE: u64 = (LINE_BYTES / CHUNK_BYTES) as u64;

fn chunk_print(chunk: u64, value: &Chunk) -> u64 {
    super::chooser::mix(super::chooser::mix(chunk) ^ u64::from_le_bytes(*value))
}
