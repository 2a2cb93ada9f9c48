//! What happened to a disk, in order, and which images a power cut may leave.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pmem_runtime::crash::Random;

use crate::shop::Word;

/// What a disk writes whole or not at all.
const SECTOR_BYTES: usize = 512;

/// One thing that the disk was asked for.
pub(crate) enum Event {
    Write { offset: usize, data: Vec<u8> },
    Flush,
}

/// Everything that the disk was asked for, and what the process on it said when.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) events: Vec<Event>,
    /// Each word with the number of events before it.
    pub(crate) words: Vec<(usize, Word)>,
}

/// A log that the disk and the one who listens write to.
#[derive(Default)]
pub(crate) struct SharedLog(Mutex<Log>);

impl SharedLog {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what was said; whoever said it waits for the answer, so what it does next comes after in the log.
    pub(crate) fn note(&self, word: Word) {
        let mut log = self.lock();
        let before = log.events.len();
        log.words.push((before, word));
    }
}

/// What must be true of a pool if the power goes after some event.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) is_made: bool,
    pub(crate) durable: u64,
    pub(crate) begun: u64,
}

impl Log {
    /// Makes the disk one that said it had flushed, and had not. What is before `start` stays.
    pub(crate) fn forget_flushes_after(&mut self, start: usize) {
        for event in &mut self.events[start..] {
            if matches!(event, Event::Flush) {
                // Nothing, in the same place, so that positions keep their meaning.
                *event = Event::Write { offset: 0, data: Vec::new() };
            }
        }
    }

    /// What had been said before the event at `position`.
    pub(crate) fn expected(&self, position: usize) -> Expected {
        let mut expected = Expected::default();
        for (_, word) in self.words.iter().take_while(|(before, _)| *before <= position) {
            match word {
                Word::Opened(_) => expected.is_made = true,
                Word::Begun(done) => expected.begun = *done,
                Word::Durable(done) => expected.durable = *done,
                Word::Returned(_) | Word::Syncing | Word::Closing | Word::Closed => {}
            }
        }
        expected
    }
}

/// The disk as of the last flush before some position, which only goes forward.
pub(crate) struct Durable {
    pub(crate) bytes: Vec<u8>,
    /// Events that are in it.
    applied: usize,
}

impl Durable {
    pub(crate) fn new(len_bytes: usize) -> Self {
        Durable { bytes: vec![0; len_bytes], applied: 0 }
    }

    /// Applies what the last flush before `position` made durable.
    pub(crate) fn advance(&mut self, log: &Log, position: usize) {
        let pending = &log.events[self.applied..position];
        let Some(flush) = pending.iter().rposition(|event| matches!(event, Event::Flush)) else { return };
        pending[..=flush].iter().for_each(|event| apply(&mut self.bytes, event, |_| true));
        self.applied += flush + 1;
    }

    /// An image with some of the writes since then, and the name of the choice.
    pub(crate) fn tear(&self, log: &Log, position: usize, random: &mut Random) -> (Vec<u8>, &'static str) {
        let pending = &log.events[self.applied..position];
        let mut image = self.bytes.clone();
        let choice = random.below(6);
        // One sector in so many is lost, or is written.
        let odds = 2 + random.below(7);
        let prefix = random.below(pending.len() as u64 + 1) as usize;
        for (index, event) in pending.iter().enumerate() {
            match choice {
                0 => {}
                1 => apply(&mut image, event, |_| true),
                2 if index < prefix => apply(&mut image, event, |_| true),
                // The last of a prefix is torn.
                2 if index == prefix => apply(&mut image, event, |_| random.one_in(2)),
                2 => {}
                3 if random.one_in(2) => apply(&mut image, event, |_| true),
                3 => {}
                4 => apply(&mut image, event, |_| !random.one_in(odds)),
                _ => apply(&mut image, event, |_| random.one_in(odds)),
            }
        }
        (image, ["none", "all", "a prefix", "whole writes", "most sectors", "few sectors"][choice as usize])
    }
}

fn apply(image: &mut [u8], event: &Event, mut is_written: impl FnMut(usize) -> bool) {
    let Event::Write { offset, data } = event else { return };
    for (number, sector) in data.chunks(SECTOR_BYTES).enumerate() {
        if is_written(number) {
            let start = offset + number * SECTOR_BYTES;
            image[start..start + sector.len()].copy_from_slice(sector);
        }
    }
}
