//! One writer's ring of commit records: which of its lines are free, which hold records that recovery may still need.
//!
//! # Invariants
//! 1. A line handed out by `reserve` holds no record with a ticket above the persistent watermark.
//! 2. Records do not wrap: one that would is placed at the ring's start, and the lines skipped are given up with it.

use std::collections::VecDeque;

use crate::heap::LINE_BYTES;
use crate::mutants::{Mutant, planted};
use crate::section::Timestamp;

#[derive(Debug)]
pub(crate) struct Ring {
    /// Where the ring lies in the pool.
    offset: u64,
    lines: u64,
    /// Next line to write, counted on through all laps.
    head: u64,
    /// Records not yet behind the watermark, oldest first: ticket and the lap position of the first line given up with it.
    live: VecDeque<(Timestamp, u64)>,
}

impl Ring {
    pub(crate) fn new(offset: u64, len_bytes: u64) -> Self {
        Ring { offset, lines: len_bytes / LINE_BYTES, head: 0, live: VecDeque::new() }
    }

    /// Longest record: a quarter of the ring, so that a checkpoint always frees more than one record needs.
    pub(crate) fn max_record_lines(&self) -> usize {
        (self.lines / 4) as usize
    }

    /// Whether half of the ring waits for a checkpoint.
    pub(crate) fn is_half_full(&self) -> bool {
        self.occupied() * 2 >= self.lines
    }

    fn occupied(&self) -> u64 {
        if planted(Mutant::RingOverwrittenEarly) {
            return 0;
        }
        self.live.front().map_or(0, |(_, tail)| self.head - tail)
    }

    /// Whether a record of so many lines fits without a checkpoint.
    pub(crate) fn fits(&self, lines: usize) -> bool {
        self.skip(lines) + lines as u64 + self.occupied() <= self.lines
    }

    /// Lines to give up before a record so that it does not wrap.
    fn skip(&self, lines: usize) -> u64 {
        let place = self.head % self.lines;
        if place + lines as u64 > self.lines { self.lines - place } else { 0 }
    }

    /// Takes lines for the record of `ticket`: their offset in the pool. The caller has checked that they fit.
    pub(crate) fn reserve(&mut self, ticket: Timestamp, lines: usize) -> u64 {
        debug_assert!(self.fits(lines), "a record is placed only where it fits");
        self.live.push_back((ticket, self.head));
        self.head += self.skip(lines);
        let place = self.offset + self.head % self.lines * LINE_BYTES;
        self.head += lines as u64;
        place
    }

    /// Gives up the records that the persistent watermark has passed.
    pub(crate) fn settle(&mut self, watermark: Timestamp) {
        while self.live.front().is_some_and(|(ticket, _)| *ticket <= watermark) {
            self.live.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this failed, a record that recovery still needs would be overwritten.
    #[test]
    fn lines_of_live_records_are_never_handed_out() {
        let mut ring = Ring::new(4096, 16 * 64);
        let mut owner = [None; 16];
        let (mut ticket, mut settled, mut seed) = (0_u64, 0_u64, 1_u64);
        for _ in 0..10_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let lines = (seed >> 60) as usize % ring.max_record_lines() + 1;
            if !ring.fits(lines) {
                settled += 1 + (seed >> 33) % (ticket - settled);
                ring.settle(Timestamp(settled));
                continue;
            }
            ticket += 1;
            let place = (ring.reserve(Timestamp(ticket), lines) - 4096) as usize / 64;
            assert!(place + lines <= 16, "a record never wraps");
            for slot in &mut owner[place..place + lines] {
                assert!(
                    slot.is_none_or(|old| old <= settled),
                    "line of ticket {slot:?} reused, watermark {settled}"
                );
                *slot = Some(ticket);
            }
        }
        assert!(ticket > 1000);
    }

    /// If this failed, a full ring would stay full after a checkpoint and the writer could never go on.
    #[test]
    fn a_checkpoint_makes_room_for_the_longest_record() {
        let mut ring = Ring::new(0, 16 * 64);
        let mut ticket = 0;
        while ring.fits(3) {
            ticket += 1;
            ring.reserve(Timestamp(ticket), 3);
        }
        ring.settle(Timestamp(ticket));
        assert!(ring.fits(ring.max_record_lines()));
    }
}
