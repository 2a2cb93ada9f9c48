//! What lies where in a pool, for words and for judging stores.

use std::fmt;
use std::ops::Range;

use crate::commit::{CHECKPOINT_SLOT_BYTES, Core, MASTER_SLOTS};

/// The places before the heap.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub(super) base: u64,
    pub(super) salt: u64,
    pub(super) checkpoint: Range<u64>,
    pub(super) rings: Range<u64>,
    pub(super) heap_offset: u64,
}

/// What a byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Front,
    Checkpoint,
    Ring,
    Heap,
}

impl Geometry {
    pub(super) fn of(core: &Core) -> Self {
        let superblock = core.file.superblock();
        let rings_len = u64::from(superblock.ring_count) * superblock.ring_bytes;
        let checkpoint = core.file.checkpoint_offset();
        Geometry {
            base: core.base,
            salt: core.salt,
            checkpoint: checkpoint..checkpoint + MASTER_SLOTS * CHECKPOINT_SLOT_BYTES as u64,
            rings: superblock.rings_offset..superblock.rings_offset + rings_len,
            heap_offset: core.file.heap_offset(),
        }
    }

    pub(super) fn place(&self, offset: u64) -> Place {
        if offset >= self.heap_offset {
            Place::Heap
        } else if self.rings.contains(&offset) {
            Place::Ring
        } else if self.checkpoint.contains(&offset) {
            Place::Checkpoint
        } else {
            Place::Front
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::Front => "superblock or header page",
            Place::Checkpoint => "checkpoint",
            Place::Ring => "commit record",
            Place::Heap => "node",
        })
    }
}
