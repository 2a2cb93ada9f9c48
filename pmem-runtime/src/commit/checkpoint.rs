//! The checkpoint: the root's master and the watermark, in one line, in one of two slots written alternately.
//!
//! | offset | bytes | field |
//! |---|---|---|
//! | 0 | 8 | `magic`, `"PMEMCKPT"` |
//! | 8 | 8 | `watermark`: every record up to this ticket is settled |
//! | 16 | 8 | `root`: offset of the root node as of the watermark |
//! | 24 | 32 | zero |
//! | 56 | 8 | `hash`: XXH3-64, seeded with the pool's salt, over the 56 bytes before |
//!
//! Master and watermark share a line and a hash, so a torn slot is no slot, and the other one, which is the previous
//! checkpoint, still holds: nothing that it vouches for is reused before this one's fence.

use twox_hash::XxHash3_64;

use super::{Core, MASTER_SLOTS, Writer};
use crate::fase_error::FaseFault;
use crate::mutants::{Mutant, planted};
use crate::section::Timestamp;

/// Bytes of a slot: one line.
pub(crate) const CHECKPOINT_SLOT_BYTES: usize = 64;
const MAGIC: [u8; 8] = *b"PMEMCKPT";
const HASH_AT: usize = 56;

/// A checkpoint, as a slot holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CheckpointSlot {
    pub(crate) watermark: Timestamp,
    /// Offset of the root node.
    pub(crate) root: u64,
}

impl CheckpointSlot {
    pub(crate) fn encode(self, salt: u64) -> [u8; CHECKPOINT_SLOT_BYTES] {
        let mut bytes = [0; CHECKPOINT_SLOT_BYTES];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..16].copy_from_slice(&self.watermark.0.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.root.to_le_bytes());
        let hash = XxHash3_64::oneshot_with_seed(salt, &bytes[..HASH_AT]);
        bytes[HASH_AT..].copy_from_slice(&hash.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8; CHECKPOINT_SLOT_BYTES], salt: u64) -> Option<Self> {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
        let is_hashed = word(HASH_AT) == XxHash3_64::oneshot_with_seed(salt, &bytes[..HASH_AT]);
        let is_whole = bytes[0..8] == MAGIC && (is_hashed || planted(Mutant::TornCheckpointAccepted));
        is_whole.then(|| CheckpointSlot { watermark: Timestamp(word(8)), root: word(16) })
    }
}

impl Writer {
    /// Writes the newest durable root as master, advances the watermark, and settles the ring.
    pub(crate) fn checkpoint(&mut self, core: &Core) -> Result<(), FaseFault> {
        let is_early = planted(Mutant::WatermarkFirst);
        if !is_early {
            core.buffer.flush(core)?;
        }
        let watermark = if is_early { core.clock.visible() } else { core.clock.durable() };
        if watermark > core.watermark() {
            let root = core.root.at(watermark).expect("the version at the watermark is kept");
            self.write_checkpoint(core, CheckpointSlot { watermark, root: core.offset(root) })?;
        }
        self.ring.settle(core.watermark());
        self.retired_since_checkpoint = 0;
        Ok(())
    }

    /// Writes a checkpoint to the slot that does not hold the newest one, and makes it durable.
    pub(crate) fn write_checkpoint(
        &mut self,
        core: &Core,
        checkpoint: CheckpointSlot,
    ) -> Result<(), FaseFault> {
        let to = core.at(core.file.checkpoint_offset() + self.next_slot * CHECKPOINT_SLOT_BYTES as u64);
        // SAFETY: the slot is the checkpoint's alone, and checkpoints are written by the holder of the writer.
        unsafe { core.file.medium().store(to, &checkpoint.encode(core.salt)) };
        // SAFETY: the slot lies in the mapping.
        unsafe { core.file.medium().write_back(to, CHECKPOINT_SLOT_BYTES) };
        // The fence that lets ring lines and retired nodes up to the watermark be reused.
        if !planted(Mutant::CheckpointUnfenced) {
            core.background_fence()?;
        }
        core.set_watermark(checkpoint.watermark);
        core.tally.checkpoints.add(1);
        if !planted(Mutant::SameCheckpointSlot) {
            self.next_slot = (self.next_slot + 1) % MASTER_SLOTS;
        }
        // For other processes' eyes only, after the fence.
        core.file.publish_horizon(checkpoint.watermark.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this failed, a torn checkpoint would name a root that never was.
    #[test]
    fn a_torn_slot_is_no_slot() {
        let old = CheckpointSlot { watermark: Timestamp(5), root: 64 }.encode(9);
        let slot = CheckpointSlot { watermark: Timestamp(6), root: 128 };
        let new = slot.encode(9);
        assert_eq!(CheckpointSlot::decode(&new, 9), Some(slot));
        assert_eq!(CheckpointSlot::decode(&new, 8), None);
        for kept in 1..255_u32 {
            let mut torn = new;
            for chunk in (0..8).filter(|chunk| kept >> chunk & 1 == 1) {
                torn[chunk * 8..chunk * 8 + 8].copy_from_slice(&old[chunk * 8..chunk * 8 + 8]);
            }
            assert!(torn == old || torn == new || CheckpointSlot::decode(&torn, 9).is_none(), "{kept:08b}");
        }
    }
}
