//! Which checkpoint a crash may go back to, told from what each chunk of the slots may hold.

use super::geometry::Geometry;
use crate::commit::{CHECKPOINT_SLOT_BYTES, CheckpointSlot};
use crate::hw::sim::{CHUNK_BYTES, Replay};

/// Mixtures of one slot's chunks that are looked at. Two stores on top of each other make 3^8 of them.
const MIXTURES_MAX: usize = 3_usize.pow(8);

/// What a crash may leave of a slot.
struct Slot {
    whole: Vec<CheckpointSlot>,
    may_be_torn: bool,
}

/// The oldest checkpoint that recovery may start from after a crash now: of every combination of what the slots may
/// hold the newest whole one, and of these the oldest.
///
/// # Errors
/// A combination holds none.
pub(super) fn oldest_master(replay: &Replay, geometry: &Geometry) -> Result<CheckpointSlot, String> {
    let offsets = geometry.checkpoint.clone().step_by(CHECKPOINT_SLOT_BYTES);
    let slots: Option<Vec<Slot>> = offsets.map(|offset| slot(replay, offset, geometry.salt)).collect();
    let slots = slots.ok_or("a checkpoint slot is stored to again and again, and never made durable")?;
    let sure = slots.iter().filter(|slot| !slot.may_be_torn);
    // A slot that is whole in any case holds at least its oldest; the others may be torn or older still.
    let floor = sure
        .filter_map(|slot| slot.whole.iter().min_by_key(|master| master.watermark))
        .max_by_key(|master| master.watermark);
    floor.copied().ok_or_else(|| "a crash now may leave no whole checkpoint".to_owned())
}

fn slot(replay: &Replay, offset: u64, salt: u64) -> Option<Slot> {
    let first = offset / CHUNK_BYTES as u64;
    let chunks = first..first + (CHECKPOINT_SLOT_BYTES / CHUNK_BYTES) as u64;
    let mut mixtures = vec![[0_u8; CHECKPOINT_SLOT_BYTES]];
    for (index, chunk) in chunks.enumerate() {
        let values = replay.possible(chunk);
        let at = index * CHUNK_BYTES;
        let more = |value: &[u8; CHUNK_BYTES], mut mixture: [u8; CHECKPOINT_SLOT_BYTES]| {
            mixture[at..at + CHUNK_BYTES].copy_from_slice(value);
            mixture
        };
        mixtures =
            mixtures.iter().flat_map(|mixture| values.iter().map(|value| more(value, *mixture))).collect();
        if mixtures.len() > MIXTURES_MAX {
            return None;
        }
    }
    let decoded: Vec<Option<CheckpointSlot>> =
        mixtures.iter().map(|mixture| CheckpointSlot::decode(mixture, salt)).collect();
    Some(Slot { may_be_torn: decoded.contains(&None), whole: decoded.into_iter().flatten().collect() })
}
