//! Which blocks may be opened: sets of blocks, kept under the heap's lock.

use super::Stream;
use super::block::{Entry, State};

/// The blocks that are not open and not full. `sweep_hand` is where the last search of every block ended.
#[derive(Default)]
pub(super) struct Lists {
    empty: BlockSet,
    reusable: [BlockSet; 2],
    /// Where each stream kind's next search for a reusable block begins.
    hands: [u32; 2],
    pub(super) sweep_hand: u32,
}

impl Lists {
    /// Makes room for so many blocks, which are in no set.
    pub(super) fn grow(&mut self, blocks: u32) {
        for set in self.reusable.iter_mut().chain([&mut self.empty]) {
            set.grow(blocks);
        }
    }

    /// Moves a block from the set of its old state to that of its new one.
    pub(super) fn transfer(&mut self, index: u32, before: Entry, after: Entry) {
        if let Some(set) = self.set_of(before) {
            set.remove(index);
        }
        if let Some(set) = self.set_of(after) {
            set.insert(index);
        }
    }

    pub(super) fn first_empty(&self) -> Option<u32> {
        self.empty.first_from(0)
    }

    /// The first of so many consecutive empty blocks.
    pub(super) fn first_empty_run(&self, blocks: u32) -> Option<u32> {
        self.empty.first_run(blocks)
    }

    /// The next reusable block of a kind that fits, in round robin, among the next few.
    pub(super) fn find_reusable(
        &mut self,
        stream: Stream,
        tries: u32,
        fits: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let set = &self.reusable[stream as usize];
        let hand = &mut self.hands[stream as usize];
        for _ in 0..tries.min(set.len) {
            let index = set.first_from(*hand).or_else(|| set.first_from(0))?;
            *hand = index + 1;
            if fits(index) {
                return Some(index);
            }
        }
        None
    }

    fn set_of(&mut self, entry: Entry) -> Option<&mut BlockSet> {
        match entry.state {
            State::Empty => Some(&mut self.empty),
            State::Reusable => Some(&mut self.reusable[entry.stream as usize]),
            State::Open | State::Full => None,
        }
    }
}

/// A set of blocks, a bit for each: 64 MiB of pool per 256 bytes.
#[derive(Default)]
struct BlockSet {
    words: Vec<u64>,
    len: u32,
    /// No word before this one has a bit: keeps a search in a large pool whose low blocks are taken short.
    first_word: usize,
}

impl BlockSet {
    fn grow(&mut self, blocks: u32) {
        let words = (blocks as usize).div_ceil(64);
        self.words.resize(words.max(self.words.len()), 0);
    }

    fn insert(&mut self, index: u32) {
        let word = &mut self.words[index as usize / 64];
        let bit = 1 << (index % 64);
        self.len += u32::from(*word & bit == 0);
        *word |= bit;
        self.first_word = self.first_word.min(index as usize / 64);
    }

    fn remove(&mut self, index: u32) {
        let word = &mut self.words[index as usize / 64];
        let bit = 1 << (index % 64);
        self.len -= u32::from(*word & bit != 0);
        *word &= !bit;
        while self.words.get(self.first_word) == Some(&0) {
            self.first_word += 1;
        }
    }

    /// The first member at or after an index.
    fn first_from(&self, index: u32) -> Option<u32> {
        let start = (index as usize / 64).max(self.first_word);
        let mut ahead = if start == index as usize / 64 { u64::MAX << (index % 64) } else { u64::MAX };
        for (at, word) in self.words.iter().enumerate().skip(start) {
            let members = word & ahead;
            if members != 0 {
                return Some(at as u32 * 64 + members.trailing_zeros());
            }
            ahead = u64::MAX;
        }
        None
    }

    /// The first of so many consecutive members.
    fn first_run(&self, blocks: u32) -> Option<u32> {
        let mut start = self.first_from(0)?;
        loop {
            let end = self.first_absent_from(start);
            if end - start >= blocks {
                return Some(start);
            }
            start = self.first_from(end)?;
        }
    }

    fn first_absent_from(&self, index: u32) -> u32 {
        let mut at = index;
        while let Some(word) = self.words.get(at as usize / 64) {
            let members = (word >> (at % 64)).trailing_ones();
            at += members;
            if !at.is_multiple_of(64) || members == 0 {
                break;
            }
        }
        at
    }
}
