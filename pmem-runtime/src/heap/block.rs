//! One block: its bitmap, and the record of how many of its lines are used and who may take it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Stream;
use super::runs::{RunSearch, run_starts};

/// Lines of a block: as many as a cache line has bits.
pub(super) const BLOCK_LINES: u32 = 512;
/// A block that is used up to here is worth opening again.
pub(super) const REUSABLE_LINES: u32 = BLOCK_LINES / 2;
/// Words of a block's bitmap.
pub(super) const BITMAP_WORDS: usize = BLOCK_LINES as usize / 64;

/// A bit per line, set if the line is used. One cache line, so blocks of different writers share none.
#[repr(align(64))]
#[derive(Default)]
pub(super) struct Bitmap {
    words: [AtomicU64; BITMAP_WORDS],
}

const _: () = assert!(size_of::<Bitmap>() == 64);

impl Bitmap {
    /// The first hole of at least so many lines, from a line on.
    #[inline]
    pub(super) fn find_hole(&self, from: u32, lines: u32) -> Option<u32> {
        let first = from as usize / 64;
        // Acquire: whoever takes the hole comes after everything its last owner did; pairs with `clear`.
        let free = !self.words.get(first)?.load(Ordering::Acquire) & (u64::MAX << (from % 64));
        // The usual case: the hole lies within the cursor's word.
        let starts = run_starts(free, lines);
        if starts != 0 {
            return Some(first as u32 * 64 + starts.trailing_zeros());
        }
        self.find_hole_beyond(first, free, lines)
    }

    /// The first hole that ends after the word `first`, of which `free` is what may be used.
    fn find_hole_beyond(&self, first: usize, free: u64, lines: u32) -> Option<u32> {
        let mut search = RunSearch::new(lines);
        let rest = self.words[first + 1..].iter();
        // Acquire: as above.
        let rest = rest.map(|word| !word.load(Ordering::Acquire));
        let at = std::iter::once(free).chain(rest).find_map(|free| search.word(free))?;
        Some(first as u32 * 64 + at as u32)
    }

    /// Sets the bits of lines that are free. By the right of invariant 2 of the room, so they stay free until it is done.
    #[inline]
    pub(super) fn set(&self, from: u32, lines: u32) {
        for (index, mask) in masks(from, lines) {
            // Relaxed: the search before it acquired the lines; as a read-modify-write it keeps the release of other
            // lines' `clear` in this word.
            let before = self.words[index].fetch_or(mask, Ordering::Relaxed);
            debug_assert_eq!(before & mask, 0, "a line was given to two owners");
        }
    }

    /// Sets the bits, and says at which line it found one set already. Words after that one are untouched.
    pub(super) fn mark(&self, from: u32, lines: u32) -> Result<(), u32> {
        for (index, mask) in masks(from, lines) {
            // Relaxed: marking threads only count bits; whoever uses them afterwards has joined the threads.
            let before = self.words[index].fetch_or(mask, Ordering::Relaxed) & mask;
            if before != 0 {
                return Err(index as u32 * 64 + before.trailing_zeros());
            }
        }
        Ok(())
    }

    pub(super) fn all_set(&self, from: u32, lines: u32) -> bool {
        // Relaxed: the caller owns the lines it asks about, or only wants to know.
        masks(from, lines).all(|(index, mask)| self.words[index].load(Ordering::Relaxed) & mask == mask)
    }

    /// Clears the bits; `false` if one was clear before, and then its word is as it was.
    pub(super) fn clear(&self, from: u32, lines: u32) -> bool {
        masks(from, lines).all(|(index, mask)| {
            // Release: everything the owner did with the lines comes before the next owner finds them; pairs with
            // `find_hole`. Relaxed on failure: nothing is taken from the value.
            self.words[index]
                .fetch_update(Ordering::Release, Ordering::Relaxed, |word| {
                    (word & mask == mask).then_some(word & !mask)
                })
                .is_ok()
        })
    }

    pub(super) fn count(&self) -> u32 {
        self.words().map(u64::count_ones).sum()
    }

    /// The words as they are, line 0 in the lowest bit of the first.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        // Acquire: as in `find_hole`, for searches that span blocks.
        self.words.iter().map(|word| word.load(Ordering::Acquire))
    }

    /// Replaces the bitmap of a block that nobody else can reach.
    pub(super) fn overwrite(&mut self, words: [u64; BITMAP_WORDS]) {
        self.words = words.map(AtomicU64::new);
    }
}

/// Index and mask of each word of a run that lies within one block.
#[inline]
fn masks(from: u32, lines: u32) -> impl Iterator<Item = (usize, u64)> {
    debug_assert!(lines != 0 && from + lines <= BLOCK_LINES);
    let end = from + lines;
    (from / 64..end.div_ceil(64)).map(move |index| {
        let low = from.saturating_sub(index * 64);
        let high = (end - index * 64).min(64);
        (index as usize, (u64::MAX >> (64 - (high - low))) << low)
    })
}

/// What a block can be used for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// More than half used: left alone until lines of it are freed.
    Full,
    /// Owned by a stream.
    Open,
    /// At most half used.
    Reusable,
    /// No line used.
    Empty,
}

/// A record's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Used lines; while open, plus a block's lines in advance (invariant 3 of the room).
    pub(super) count: u32,
    pub(super) state: State,
    /// Which kind of stream filled the block last.
    pub(super) stream: Stream,
}

impl Entry {
    /// Whether the block is not in the state that its count demands.
    pub(super) fn is_unsettled(self) -> bool {
        self.state != State::Open && self.state != Self::demanded(self.count)
    }

    fn demanded(count: u32) -> State {
        match count {
            0 => State::Empty,
            1..=REUSABLE_LINES => State::Reusable,
            _ => State::Full,
        }
    }

    fn settled(self) -> Self {
        Entry { state: Self::demanded(self.count), ..self }
    }

    fn decode(bits: u32) -> Self {
        let state = match (bits >> STATE_SHIFT) & 3 {
            0 => State::Full,
            1 => State::Open,
            2 => State::Reusable,
            _ => State::Empty,
        };
        let stream = if bits & INNER == 0 { Stream::Leaf } else { Stream::Inner };
        Entry { count: bits & COUNT, state, stream }
    }

    fn encode(self) -> u32 {
        debug_assert!(self.count <= 2 * BLOCK_LINES);
        let inner = match self.stream {
            Stream::Leaf => 0,
            Stream::Inner => INNER,
        };
        self.count | (self.state as u32) << STATE_SHIFT | inner
    }
}

const COUNT: u32 = 0xffff;
const STATE_SHIFT: u32 = 16;
const INNER: u32 = 1 << 18;

/// Count, state and kind in one word, so that a `free` learns the state at the moment of its subtraction.
/// A new record is of a full block with no lines: nobody is offered it until it is settled.
#[derive(Default)]
pub(super) struct Record(AtomicU32);

impl Record {
    pub(super) fn load(&self) -> Entry {
        // Acquire: who sees the count also sees the bits cleared for it; pairs with `uncount`.
        Entry::decode(self.0.load(Ordering::Acquire))
    }

    /// Takes freed lines off the count; returns what is left.
    pub(super) fn uncount(&self, lines: u32) -> Entry {
        // Release: the bits are cleared before the count says so; pairs with `load` and `update`.
        let before = Entry::decode(self.0.fetch_sub(lines, Ordering::Release));
        debug_assert!(before.count >= lines, "a block has fewer lines than were freed");
        Entry { count: before.count - lines, ..before }
    }

    /// Counts lines taken from a block that is not open, for a node of the given kind.
    pub(super) fn count(&self, lines: u32, stream: Stream) -> (Entry, Entry) {
        self.update(|entry| Entry { count: entry.count + lines, stream, ..entry }.settled())
    }

    pub(super) fn open(&self, stream: Stream) -> (Entry, Entry) {
        self.update(|entry| {
            debug_assert_ne!(entry.state, State::Open, "a block was given to two streams");
            Entry { count: entry.count + BLOCK_LINES, state: State::Open, stream }
        })
    }

    pub(super) fn close(&self, allocated: u32) -> (Entry, Entry) {
        self.update(|entry| Entry { count: entry.count + allocated - BLOCK_LINES, ..entry }.settled())
    }

    pub(super) fn settle(&self) -> (Entry, Entry) {
        self.update(|entry| if entry.state == State::Open { entry } else { entry.settled() })
    }

    /// Replaces the record of a block that nobody else can reach. The stream that filled it is not known: it counts as
    /// one of leaves, so that inner nodes gather in empty blocks.
    pub(super) fn overwrite(&mut self, count: u32) {
        self.0 = AtomicU32::new(Entry { count, state: State::Full, stream: Stream::Leaf }.encode());
    }

    /// Changes the record; before and after. The caller has the lists locked, so that only counts change beside it.
    fn update(&self, change: impl Fn(Entry) -> Entry) -> (Entry, Entry) {
        let next = |bits| Some(change(Entry::decode(bits)).encode());
        // Acquire: as `load`. Release is the lists' lock's.
        let before = self.0.fetch_update(Ordering::Acquire, Ordering::Acquire, next);
        let before = Entry::decode(before.unwrap_or_else(|bits| bits));
        (before, change(before))
    }
}
