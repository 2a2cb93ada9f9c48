//! Which lines of the pool are in use.
//!
//! **Problem.** A node needs a place, and a dead node's place must be found again. An allocator that keeps its own
//! books in the pool must log and fence them, and a crash in the middle of its work is the classic way to lose a pool.
//! So the books are kept in DRAM alone: one bit per line. Nothing here is stored to the pool, nothing is fenced, nothing
//! can be corrupted by a crash; recovery rebuilds the bitmap by marking what it reaches ([`Marking`]).
//!
//! **Words.** A *line* is 64 bytes, the unit of everything; [`Line`] counts from the pool's start. A *block* is 512 lines,
//! 32 KiB, whose bitmap is one cache line; blocks count from the heap's start, and what is left of the file after the last whole
//! block is not used until the file grows. A *hole* is a run of free lines in a block. A *stream* is one of a writer's two
//! places of allocation: leaves and inner nodes lie in different blocks, because interleaving them costs every lookup
//! cache and TLB misses. A stream *opens* a block, bumps a *cursor* through its holes from the first line to the last, and
//! closes it. A block that is not open is *empty* (no line used), *reusable* (at most half used) or *full*.
//!
//! **Protocol.** `alloc` looks from the cursor on; the owner alone sets bits in its open block, so finding and setting a
//! hole needs no lock and one atomic operation. Only when the block is exhausted are the lists of blocks locked. The
//! next block is, in this order:
//! 1. a reusable block that this kind of stream filled before, taken round robin in address order. Round robin gives
//!    the block that has waited longest, hence has had most time to empty: nearly the emptiest one, without sorting. Half
//!    free is the measured optimum: reuse of wholly free blocks alone needs ten times the space, eager reuse is slower;
//! 2. the lowest empty block, so that the file's end stays untouched as long as it can;
//! 3. a reusable block of the other kind: mixing costs lookups, but less than growing the file.
//!
//! A reusable block without a hole that is large enough is passed over, and after a few of those the search goes
//! on to the next item: a writer of large nodes must not walk all the crumbs of a fragmented pool. Objects larger
//! than a block take contiguous empty blocks, first fit, and leave the rest of their last block to the streams.
//!
//! **Invariants.**
//! 1. A bit is set exactly if its line belongs to somebody: set before `alloc` returns, cleared by `free`.
//! 2. In an open block only its stream sets bits. In any other block bits are set only with the lists locked. Anybody
//!    clears bits, at any time.
//! 3. A block's record counts its set bits, plus, while it is open, [`block::BLOCK_LINES`] lines in advance, from which the stream
//!    settles at closing what it allocated (so the common allocation does not touch the record).
//! 4. States change only with the lists locked, and a block is in the set that its state names.
//! 5. A block that is not open has the state that its count demands, or a `free` that is still under way will give it that.
//!
//! The tables use the standard library's atomics even under loom: words and records are independent read-modify-write
//! cells, everything else is under one lock, and there is no protocol between them for a model to explore.

mod block;
mod lists;
mod marking;
mod runs;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

use block::{BLOCK_LINES, State};
use lists::Lists;
use table::Table;

pub(crate) use marking::Marking;

/// Bytes of a line: the unit of allocation and of write-back.
pub(crate) const LINE_BYTES: u64 = 64;
/// Bytes of a block.
pub(crate) const BLOCK_BYTES: u64 = BLOCK_LINES as u64 * LINE_BYTES;

/// How many reusable blocks one search looks into before it goes on: enough that a fitting one is found when a fair share of them fits,
/// few enough that a miss costs less than a microsecond.
const REUSE_TRIES: u32 = 8;

/// A line of the pool, counted from the pool's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Line(pub(crate) u64);

impl Line {
    /// The line's offset in the pool.
    pub(crate) fn offset_bytes(self) -> u64 {
        self.0.saturating_mul(LINE_BYTES)
    }
}

/// What kind of node is to be placed: the two kinds live in different blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Nodes without pointers.
    Leaf,
    /// Nodes with pointers.
    Inner,
}

/// How hard to look for space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Give up when neither an empty nor a half-empty block will do: the file should grow.
    Normal,
    /// Look at every line that no other stream has: the file cannot grow.
    Desperate,
}

/// A block that a stream owns.
#[derive(Debug)]
struct Open {
    block: u32,
    /// The first line of the block that has not been passed.
    cursor: u32,
    /// Lines set since the block was opened; at most a block's, because the cursor only goes forward.
    allocated: u32,
}

impl Open {
    fn room(&self) -> u32 {
        BLOCK_LINES - self.cursor
    }
}

/// A writer's places of allocation. Belongs to one heap; give it back with [`Heap::release`] before dropping it, else its two
/// blocks stay open, unused by others, until the pool is next opened.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    open: [Option<Open>; 2],
}

/// How the heap's space is used, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) total_lines: u64,
    pub(crate) used_lines: u64,
    /// Blocks of which no line is used.
    pub(crate) empty_blocks: u64,
    /// Blocks at most half used, waiting for a stream.
    pub(crate) reusable_blocks: u64,
    /// Blocks more than half used.
    pub(crate) full_blocks: u64,
    /// Blocks owned by streams.
    pub(crate) open_blocks: u64,
}

/// The lines of a pool's heap, and who may take the next one.
pub(crate) struct Heap {
    first_line: u64,
    /// Blocks in use by the heap; only grows, with the lists locked.
    blocks: AtomicU32,
    table: Table,
    lists: Mutex<Lists>,
}

impl Heap {
    /// A heap over these bytes of the pool, everything free, that can be extended up to `capacity_end_bytes`. Takes 2.1 bytes
    /// of DRAM per KiB of the heap, and a word per 16 MiB of capacity.
    ///
    /// # Panics
    /// If the start is not on a line, or the three are not in order.
    pub(crate) fn new(start_bytes: u64, end_bytes: u64, capacity_end_bytes: u64) -> Self {
        assert!(
            start_bytes.is_multiple_of(LINE_BYTES),
            "the heap starts at {start_bytes}, which is not a multiple of {LINE_BYTES}"
        );
        assert!(start_bytes <= end_bytes, "the heap ends at {end_bytes}, before it starts at {start_bytes}");
        let capacity_blocks = capacity_end_bytes.saturating_sub(start_bytes) / BLOCK_BYTES;
        let capacity_blocks =
            u32::try_from(capacity_blocks).expect("a heap has at most 2^32 blocks, 128 TiB");
        let heap = Heap {
            first_line: start_bytes / LINE_BYTES,
            blocks: AtomicU32::new(0),
            table: Table::new(capacity_blocks),
            lists: Mutex::new(Lists::default()),
        };
        heap.extend(end_bytes);
        heap
    }

    /// Takes note that the pool now reaches to `new_end_bytes`. Never shrinks.
    ///
    /// # Panics
    /// If that is beyond the capacity.
    pub(crate) fn extend(&self, new_end_bytes: u64) {
        let blocks = new_end_bytes.saturating_sub(self.first_line * LINE_BYTES) / BLOCK_BYTES;
        let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
        let mut lists = self.lock();
        let old_blocks = self.blocks();
        self.table.grow(blocks);
        lists.grow(blocks);
        for index in old_blocks..blocks {
            self.settle(&mut lists, index);
        }
        // Release: the chunks and records of the new blocks are there before anyone takes one to be in bounds; pairs with `blocks`.
        self.blocks.store(old_blocks.max(blocks), Ordering::Release);
    }

    /// Takes `lines` consecutive lines, which nobody else has until they are freed. `None` if there is no place: grow the
    /// file and try again, or try with [`Effort::Desperate`].
    ///
    /// # Panics
    /// If `lines` is zero.
    #[inline]
    pub(crate) fn alloc(
        &self,
        streams: &mut Streams,
        stream: Stream,
        lines: u32,
        effort: Effort,
    ) -> Option<Line> {
        assert!(lines != 0, "an allocation has at least one line");
        if let Some(open) = &mut streams.open[stream as usize]
            && let Some(line) = self.bump(open, lines)
        {
            return Some(line);
        }
        self.alloc_elsewhere(streams, stream, lines, effort)
    }

    /// Gives the streams' blocks back. The streams are then as new.
    pub(crate) fn release(&self, streams: &mut Streams) {
        self.close_all(&mut self.lock(), streams);
    }

    /// Makes lines free again. Any thread may free what any thread allocated, in parts if it likes.
    ///
    /// # Panics
    /// If one of the lines is not allocated or not the heap's: somebody has freed what is not theirs, and going on would
    /// give one line to two owners. Nothing has been freed then, unless two threads freed the same line at the same time.
    pub(crate) fn free(&self, line: Line, lines: u32) {
        let run = self.locate(line, lines).unwrap_or_else(|| {
            panic!("freed {lines} lines at offset {}, which is not in the heap", line.offset_bytes())
        });
        for (block, from, count) in runs::by_block(run, lines) {
            if !self.table.bitmap(block).all_set(from, count) {
                not_allocated(line, lines);
            }
        }
        for (block, from, count) in runs::by_block(run, lines) {
            if !self.table.bitmap(block).clear(from, count) {
                not_allocated(line, lines);
            }
            if self.table.record(block).uncount(count).is_unsettled() {
                self.settle(&mut self.lock(), block);
            }
        }
    }

    /// Whether a line is allocated. Lines outside the heap are not.
    pub(crate) fn is_allocated(&self, line: Line) -> bool {
        let Some(run) = self.locate(line, 1) else { return false };
        runs::by_block(run, 1).all(|(block, from, count)| self.table.bitmap(block).all_set(from, count))
    }

    /// Lines the heap has.
    pub(crate) fn total_lines(&self) -> u64 {
        u64::from(self.blocks()) * u64::from(BLOCK_LINES)
    }

    /// Lines allocated. Reads one word per block; exact if nobody allocates or frees meanwhile.
    pub(crate) fn used_lines(&self) -> u64 {
        self.usage().used_lines
    }

    /// The heap's use, summed over all blocks.
    pub(crate) fn usage(&self) -> Usage {
        let mut usage = Usage { total_lines: self.total_lines(), ..Usage::default() };
        for (used, state) in self.block_usage() {
            usage.used_lines += u64::from(used);
            match state {
                State::Empty => usage.empty_blocks += 1,
                State::Reusable => usage.reusable_blocks += 1,
                State::Full => usage.full_blocks += 1,
                State::Open => usage.open_blocks += 1,
            }
        }
        usage
    }

    /// Used lines and state of each block, in address order.
    fn block_usage(&self) -> impl Iterator<Item = (u32, State)> {
        (0..self.blocks()).map(|index| {
            let entry = self.table.record(index).load();
            let used = match entry.state {
                State::Open => self.table.bitmap(index).count(),
                State::Empty | State::Reusable | State::Full => entry.count,
            };
            (used, entry.state)
        })
    }

    /// The next hole of the open block.
    #[inline]
    fn bump(&self, open: &mut Open, lines: u32) -> Option<Line> {
        let bitmap = self.table.bitmap(open.block);
        let at = bitmap.find_hole(open.cursor, lines)?;
        bitmap.set(at, lines);
        open.cursor = at + lines;
        open.allocated += lines;
        Some(self.line(open.block, at))
    }

    #[cold]
    fn alloc_elsewhere(
        &self,
        streams: &mut Streams,
        stream: Stream,
        lines: u32,
        effort: Effort,
    ) -> Option<Line> {
        let mut lists = self.lock();
        let lists = &mut *lists;
        if let Some(line) = self.place(lists, streams, stream, lines) {
            return Some(line);
        }
        // The writer's own blocks may have been freed behind their cursors.
        self.close_all(lists, streams);
        if let Some(line) = self.place(lists, streams, stream, lines) {
            return Some(line);
        }
        match effort {
            Effort::Normal => None,
            Effort::Desperate => self.place_anywhere(lists, streams, stream, lines),
        }
    }

    /// Goes on to the next block that the order of preference gives.
    fn place(&self, lists: &mut Lists, streams: &mut Streams, stream: Stream, lines: u32) -> Option<Line> {
        if lines > BLOCK_LINES {
            return self.take_blocks(lists, stream, lines);
        }
        let next = self.open_next(lists, stream, lines)?;
        self.switch(lists, &mut streams.open[stream as usize], next, lines)
    }

    /// Goes on to any block; or takes a run that only two or more neighbours have together.
    fn place_anywhere(
        &self,
        lists: &mut Lists,
        streams: &mut Streams,
        stream: Stream,
        lines: u32,
    ) -> Option<Line> {
        match self.open_any(lists, stream, lines) {
            Some(next) => self.switch(lists, &mut streams.open[stream as usize], next, lines),
            None => self.take_run(lists, stream, lines),
        }
    }

    /// Allocates from the next block, and leaves the stream the roomier of the two: a large node may fit into the new
    /// one and yet leave less room in it than there is in the old one.
    fn switch(&self, lists: &mut Lists, open: &mut Option<Open>, mut next: Open, lines: u32) -> Option<Line> {
        let line = self.bump(&mut next, lines);
        let spent = match open {
            Some(current) if current.room() > next.room() => Some(next),
            _ => open.replace(next),
        };
        if let Some(spent) = spent {
            self.close(lists, &spent);
        }
        line
    }

    /// Opens the next block with a hole for so many lines, in the order of preference that the room's text gives.
    fn open_next(&self, lists: &mut Lists, stream: Stream, lines: u32) -> Option<Open> {
        let other = match stream {
            Stream::Leaf => Stream::Inner,
            Stream::Inner => Stream::Leaf,
        };
        let fits = |index| self.table.bitmap(index).find_hole(0, lines).is_some();
        let index = lists
            .find_reusable(stream, REUSE_TRIES, fits)
            .or_else(|| lists.first_empty())
            .or_else(|| lists.find_reusable(other, REUSE_TRIES, fits))?;
        Some(self.open(lists, index, stream))
    }

    /// Opens any block with a hole for so many lines, going on where the last such search ended.
    fn open_any(&self, lists: &mut Lists, stream: Stream, lines: u32) -> Option<Open> {
        let blocks = self.blocks();
        let start = lists.sweep_hand.min(blocks);
        let index = (start..blocks).chain(0..start).find(|&index| {
            let entry = self.table.record(index).load();
            entry.state != State::Open
                && entry.count + lines <= BLOCK_LINES
                && self.table.bitmap(index).find_hole(0, lines).is_some()
        })?;
        lists.sweep_hand = index;
        Some(self.open(lists, index, stream))
    }

    fn open(&self, lists: &mut Lists, index: u32, stream: Stream) -> Open {
        let (before, after) = self.table.record(index).open(stream);
        lists.transfer(index, before, after);
        Open { block: index, cursor: 0, allocated: 0 }
    }

    fn close_all(&self, lists: &mut Lists, streams: &mut Streams) {
        for open in streams.open.iter_mut().filter_map(Option::take) {
            self.close(lists, &open);
        }
    }

    fn close(&self, lists: &mut Lists, open: &Open) {
        let (before, after) = self.table.record(open.block).close(open.allocated);
        lists.transfer(open.block, before, after);
    }

    /// Gives a block that is not open the state that its count demands.
    fn settle(&self, lists: &mut Lists, index: u32) {
        let (before, after) = self.table.record(index).settle();
        lists.transfer(index, before, after);
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.lists
            .lock()
            .expect("a thread panicked while it had the heap's lists: the program has a bug of ours")
    }

    fn blocks(&self) -> u32 {
        // Acquire: pairs with the store in `extend`.
        self.blocks.load(Ordering::Acquire)
    }

    fn line(&self, block: u32, from: u32) -> Line {
        Line(self.first_line + u64::from(block) * u64::from(BLOCK_LINES) + u64::from(from))
    }

    /// Where a run begins, in lines from the heap's start; `None` if it is not wholly inside the heap.
    fn locate(&self, line: Line, lines: u32) -> Option<u64> {
        let start = line.0.checked_sub(self.first_line)?;
        let end = start.checked_add(u64::from(lines))?;
        (end <= self.total_lines()).then_some(start)
    }
}

#[cold]
fn not_allocated(line: Line, lines: u32) -> ! {
    panic!(
        "freed {lines} lines at offset {}, of which not all are allocated: a double free",
        line.offset_bytes()
    )
}
