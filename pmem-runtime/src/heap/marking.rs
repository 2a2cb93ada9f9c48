//! How the bitmap comes back after a restart: by marking what is reachable, or from the bytes of a clean close.

use std::sync::atomic::Ordering;

use super::block::{BITMAP_WORDS, BLOCK_LINES};
use super::lists::Lists;
use super::{Heap, LINE_BYTES, Line, runs};

/// Why lines could not be marked: the pool's bytes are not those of a consistent pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MarkError {
    /// Two nodes share a line, or one node was marked twice.
    #[error(
        "a node of {lines} lines at offset {offset_bytes} covers offset {taken_bytes}, which another node covers already: \
         the pool is damaged; restore it from a copy"
    )]
    Overlap {
        /// Where the run begins.
        offset_bytes: u64,
        /// Its length.
        lines: u32,
        /// The first of its lines that was marked before; equal to `offset_bytes` if the run was marked before.
        taken_bytes: u64,
    },
    /// A node reaches outside the heap.
    #[error(
        "a node of {lines} lines at offset {offset_bytes} is not within the heap, offsets {start_bytes} to {end_bytes}: \
         the pool is damaged; restore it from a copy"
    )]
    Outside {
        /// Where the run begins.
        offset_bytes: u64,
        /// Its length.
        lines: u32,
        /// Where the heap begins.
        start_bytes: u64,
        /// Where the heap ends.
        end_bytes: u64,
    },
}

/// A saved bitmap has not the length of this heap's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the saved bitmap has {found_bytes} bytes, but this heap's has {expected_bytes}: \
     it belongs to another length of the pool; mark instead of loading it"
)]
pub(crate) struct BitmapLength {
    /// Bytes of this heap's bitmap.
    pub(crate) expected_bytes: usize,
    /// Bytes given.
    pub(crate) found_bytes: usize,
}

/// A heap whose bitmap is being rebuilt. Having it proves that nobody allocates or frees; dropped unfinished, it leaves a heap that
/// offers no block.
pub(crate) struct Marking<'h> {
    heap: &'h mut Heap,
}

impl Heap {
    /// Forgets what is allocated, and begins to mark it anew. No streams may be open.
    pub(crate) fn begin_marking(&mut self) -> Marking<'_> {
        self.overwrite(|_| [0; BITMAP_WORDS]);
        Marking { heap: self }
    }

    /// The bitmap, eight little-endian words per block, line 0 in the lowest bit. Complete when all streams are released.
    pub(crate) fn save(&self) -> Vec<u8> {
        let blocks = 0..self.blocks();
        blocks.flat_map(|index| self.table.bitmap(index).words()).flat_map(u64::to_le_bytes).collect()
    }

    /// Replaces the bitmap by a saved one. No streams may be open.
    ///
    /// # Errors
    /// If the length is not that of this heap's bitmap; the heap is then as it was.
    pub(crate) fn load(&mut self, bytes: &[u8]) -> Result<(), BitmapLength> {
        let (words, rest) = bytes.as_chunks::<8>();
        let (blocks, loose) = words.as_chunks::<BITMAP_WORDS>();
        let expected_bytes = self.blocks() as usize * BITMAP_WORDS * 8;
        if blocks.len() != self.blocks() as usize || !loose.is_empty() || !rest.is_empty() {
            return Err(BitmapLength { expected_bytes, found_bytes: bytes.len() });
        }
        self.overwrite(|index| blocks[index as usize].map(u64::from_le_bytes));
        self.settle_all();
        Ok(())
    }

    /// Replaces every bitmap, and leaves every block full, in no set.
    fn overwrite(&mut self, words_of: impl Fn(u32) -> [u64; BITMAP_WORDS]) {
        let blocks = *self.blocks.get_mut();
        let mut lists = Lists::default();
        lists.grow(blocks);
        *self.lists.get_mut().expect("nobody else has the heap") = lists;
        for index in 0..blocks {
            let (bitmap, record) = self.table.block_mut(index);
            bitmap.overwrite(words_of(index));
            record.overwrite(bitmap.count());
        }
    }

    fn settle_all(&self) {
        let mut lists = self.lock();
        for index in 0..self.blocks.load(Ordering::Relaxed) {
            self.settle(&mut lists, index);
        }
    }
}

impl Marking<'_> {
    /// Marks lines as allocated. Several threads may mark at once. Of two that mark the same run, exactly one succeeds, and the other
    /// changes nothing.
    ///
    /// # Errors
    /// If a line is marked already or is not the heap's. Unless it was the very same run, the bitmap is then of no use.
    pub(crate) fn mark(&self, line: Line, lines: u32) -> Result<(), MarkError> {
        let offset_bytes = line.offset_bytes();
        let Some(start) = self.heap.locate(line, lines) else {
            let start_bytes = self.heap.first_line * LINE_BYTES;
            let end_bytes = start_bytes + self.heap.total_lines() * LINE_BYTES;
            return Err(MarkError::Outside { offset_bytes, lines, start_bytes, end_bytes });
        };
        for (block, from, count) in runs::by_block(start, lines) {
            self.heap.table.bitmap(block).mark(from, count).map_err(|taken| MarkError::Overlap {
                offset_bytes,
                lines,
                taken_bytes: self.heap.line(block, taken).offset_bytes(),
            })?;
        }
        Ok(())
    }

    /// Counts what was marked; whatever was not is free.
    pub(crate) fn finish(self) {
        for index in 0..self.heap.blocks() {
            let (bitmap, record) = self.heap.table.block_mut(index);
            record.overwrite(bitmap.count());
        }
        self.heap.settle_all();
    }
}

const _: () = assert!(BITMAP_WORDS * 64 == BLOCK_LINES as usize);
