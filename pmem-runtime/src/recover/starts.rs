//! Where nodes start: one bit a line of the heap, entered by many threads at once.

use crate::sync::atomic::{AtomicU64, Ordering};

const LINE_BYTES: u64 = 64;
const WORD_BITS: u64 = 64;

/// The set of node starts that marking has found. It costs 1/512 of the heap, and lives as long as recovery.
pub(crate) struct Starts {
    first_line: u64,
    words: Box<[AtomicU64]>,
}

impl Starts {
    /// The empty set for a heap between these two offsets.
    pub(crate) fn new((start, end): (u64, u64)) -> Self {
        let first_line = start / LINE_BYTES;
        let lines = end.div_ceil(LINE_BYTES).saturating_sub(first_line);
        let words = (0..lines.div_ceil(WORD_BITS)).map(|_| AtomicU64::new(0)).collect();
        Starts { first_line, words }
    }

    /// Enters a start, and says whether it was not there before. The offset lies in the heap.
    pub(crate) fn insert(&self, offset: u64) -> bool {
        let (word, bit) = self.place(offset);
        // Relaxed: the bit is decided by this read-modify-write alone. It publishes nothing, since the image is not
        // written while it is marked; the set as a whole is read after the threads were joined.
        self.words[word].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Whether a node starts at this offset of the heap.
    pub(crate) fn contains(&self, offset: u64) -> bool {
        let (word, bit) = self.place(offset);
        offset.is_multiple_of(LINE_BYTES) && self.word(word) & bit != 0
    }

    /// The last start that is not behind this offset of the heap: the node that a byte belongs to, if to any.
    pub(crate) fn preceding(&self, offset: u64) -> Option<u64> {
        let (last, bit) = self.place(offset);
        let not_behind = bit | (bit - 1);
        (0..=last).rev().find_map(|index| {
            let bits = self.word(index) & if index == last { not_behind } else { u64::MAX };
            let highest = bits.checked_ilog2()?;
            Some(self.offset(index, highest))
        })
    }

    /// All starts, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.words.len()).flat_map(move |index| {
            let mut bits = self.word(index);
            std::iter::from_fn(move || {
                let lowest = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(self.offset(index, lowest))
            })
        })
    }

    fn word(&self, index: usize) -> u64 {
        // Relaxed: as in `insert`.
        self.words[index].load(Ordering::Relaxed)
    }

    fn place(&self, offset: u64) -> (usize, u64) {
        let line = offset / LINE_BYTES - self.first_line;
        ((line / WORD_BITS) as usize, 1 << (line % WORD_BITS))
    }

    fn offset(&self, word: usize, bit: u32) -> u64 {
        (self.first_line + word as u64 * WORD_BITS + u64::from(bit)) * LINE_BYTES
    }
}

impl std::fmt::Debug for Starts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
