//! Runs of lines: how one spans blocks, how one is found in a bitmap, and the allocations that are larger than a block.

use super::block::{BLOCK_LINES, State};
use super::lists::Lists;
use super::{Heap, Line, Stream};

/// Finds the first run of free lines in a bitmap that is shown to it word by word.
pub(super) struct RunSearch {
    wanted: u32,
    /// Lines seen.
    seen: u64,
    /// Free lines at the end of what was seen.
    run: u64,
}

impl RunSearch {
    pub(super) fn new(wanted: u32) -> Self {
        RunSearch { wanted, seen: 0, run: 0 }
    }

    /// Shows the next 64 lines, a bit set for each that is free. Returns where the run begins, in lines from the search's
    /// start, if it is now known.
    pub(super) fn word(&mut self, free: u64) -> Option<u64> {
        let wanted = u64::from(self.wanted);
        let at = self.seen;
        let joined = self.run + u64::from(free.trailing_ones());
        if joined >= wanted {
            return Some(at - self.run);
        }
        self.seen += 64;
        if free == u64::MAX {
            self.run = joined;
            return None;
        }
        let starts = run_starts(free, self.wanted);
        if starts != 0 {
            return Some(at + u64::from(starts.trailing_zeros()));
        }
        self.run = u64::from(free.leading_ones());
        None
    }

    /// Shows lines that are all used.
    fn used(&mut self, lines: u32) {
        self.seen += u64::from(lines);
        self.run = 0;
    }

    /// Shows lines that are all free, as `word`.
    fn free(&mut self, lines: u32) -> Option<u64> {
        let at = self.seen - self.run;
        self.seen += u64::from(lines);
        self.run += u64::from(lines);
        (self.run >= u64::from(self.wanted)).then_some(at)
    }
}

/// The bits at which that many set bits begin, within the word.
#[inline]
pub(super) fn run_starts(free: u64, wanted: u32) -> u64 {
    if wanted > 64 {
        return 0;
    }
    // A bit of `starts` stands for `known` set bits from it on; each step at most doubles them.
    let (mut starts, mut known) = (free, 1);
    while known < wanted {
        let step = known.min(wanted - known);
        starts &= starts >> step;
        known += step;
    }
    starts
}

/// Splits a run, given by its first line from the heap's start, into (block, first line in it, lines in it).
pub(super) fn by_block(start: u64, lines: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    let mut at = start;
    let end = start + u64::from(lines);
    std::iter::from_fn(move || {
        if at == end {
            return None;
        }
        let from = (at % u64::from(BLOCK_LINES)) as u32;
        let count = (end - at).min(u64::from(BLOCK_LINES - from)) as u32;
        let block = (at / u64::from(BLOCK_LINES)) as u32;
        at += u64::from(count);
        Some((block, from, count))
    })
}

impl Heap {
    /// The first run of so many free lines outside open blocks, without taking it. It stays free until somebody allocates.
    pub(crate) fn find_free_run(&self, lines: u32) -> Option<Line> {
        assert!(lines != 0, "a run has at least one line");
        let _lists = self.lock();
        self.search_run(lines).map(|start| Line(self.first_line + start))
    }

    /// Lines of the longest free run outside open blocks. Takes some thirty searches: for messages.
    pub(crate) fn largest_free_run(&self) -> u32 {
        let _lists = self.lock();
        // The run is at least `fits` and less than `fails` lines long.
        let (mut fits, mut fails) = (0, u32::try_from(self.total_lines() + 1).unwrap_or(u32::MAX));
        while fits + 1 < fails {
            let middle = fits + (fails - fits) / 2;
            match self.search_run(middle) {
                Some(_) => fits = middle,
                None => fails = middle,
            }
        }
        fits
    }

    /// Takes the first run of empty blocks that so many lines fill; the rest of the last one is left to the streams.
    pub(super) fn take_blocks(&self, lists: &mut Lists, stream: Stream, lines: u32) -> Option<Line> {
        let first = lists.first_empty_run(lines.div_ceil(BLOCK_LINES))?;
        Some(self.take(lists, stream, u64::from(first) * u64::from(BLOCK_LINES), lines))
    }

    /// Takes the first run of free lines, wherever it is.
    pub(super) fn take_run(&self, lists: &mut Lists, stream: Stream, lines: u32) -> Option<Line> {
        let start = self.search_run(lines)?;
        Some(self.take(lists, stream, start, lines))
    }

    /// Takes free lines of blocks that are not open; that the lists are locked is the right to do so (invariant 2).
    fn take(&self, lists: &mut Lists, stream: Stream, start: u64, lines: u32) -> Line {
        for (block, from, count) in by_block(start, lines) {
            self.table.bitmap(block).set(from, count);
            let (before, after) = self.table.record(block).count(count, stream);
            lists.transfer(block, before, after);
        }
        Line(self.first_line + start)
    }

    /// The first run of free lines outside open blocks, in lines from the heap's start. The caller has the lists locked.
    fn search_run(&self, lines: u32) -> Option<u64> {
        let mut search = RunSearch::new(lines);
        for index in 0..self.blocks() {
            let entry = self.table.record(index).load();
            let found = match (entry.state, entry.count) {
                (State::Open, _) | (_, BLOCK_LINES) => {
                    search.used(BLOCK_LINES);
                    None
                }
                (_, 0) => search.free(BLOCK_LINES),
                _ => self.table.bitmap(index).words().find_map(|word| search.word(!word)),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
