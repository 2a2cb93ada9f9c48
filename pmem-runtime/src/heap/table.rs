//! The blocks' bitmaps and records, in chunks that come as the pool grows and never move.

use std::sync::OnceLock;

use super::block::{Bitmap, Record};

/// Blocks of a chunk: 16 MiB of pool, for 34 KiB of DRAM.
const CHUNK_BLOCKS: usize = 512;

struct Chunk {
    bitmaps: [Bitmap; CHUNK_BLOCKS],
    records: [Record; CHUNK_BLOCKS],
}

/// A block's bitmap and record by the block's index. Readers take no lock.
pub(super) struct Table {
    chunks: Box<[OnceLock<Box<Chunk>>]>,
    capacity_blocks: u32,
}

impl Table {
    pub(super) fn new(capacity_blocks: u32) -> Self {
        let chunks = (capacity_blocks as usize).div_ceil(CHUNK_BLOCKS);
        Table { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), capacity_blocks }
    }

    /// Makes room for so many blocks.
    pub(super) fn grow(&self, blocks: u32) {
        assert!(
            blocks <= self.capacity_blocks,
            "the heap grows to {blocks} blocks, beyond the {} that the pool reserved",
            self.capacity_blocks
        );
        for chunk in &self.chunks[..(blocks as usize).div_ceil(CHUNK_BLOCKS)] {
            chunk.get_or_init(|| {
                Box::new(Chunk {
                    bitmaps: std::array::from_fn(|_| Bitmap::default()),
                    records: std::array::from_fn(|_| Record::default()),
                })
            });
        }
    }

    #[inline]
    pub(super) fn bitmap(&self, index: u32) -> &Bitmap {
        &self.chunk(index).bitmaps[index as usize % CHUNK_BLOCKS]
    }

    #[inline]
    pub(super) fn record(&self, index: u32) -> &Record {
        &self.chunk(index).records[index as usize % CHUNK_BLOCKS]
    }

    /// Both, for whoever has the table to himself.
    pub(super) fn block_mut(&mut self, index: u32) -> (&mut Bitmap, &mut Record) {
        let chunk = self.chunks[index as usize / CHUNK_BLOCKS].get_mut().expect(ABSENT);
        let at = index as usize % CHUNK_BLOCKS;
        (&mut chunk.bitmaps[at], &mut chunk.records[at])
    }

    #[inline]
    fn chunk(&self, index: u32) -> &Chunk {
        self.chunks[index as usize / CHUNK_BLOCKS].get().expect(ABSENT)
    }
}

const ABSENT: &str = "a block within the heap has its chunk";
