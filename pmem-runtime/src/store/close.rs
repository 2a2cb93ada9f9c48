//! The clean close: everything settled, the heap's bitmap saved, the superblock saying so.

use std::sync::PoisonError;

use crate::commit::Core;
use crate::fase_error::FaseFault;
use crate::heap::{BLOCK_BYTES, LINE_BYTES};
use crate::mutants::{Mutant, planted};
use crate::pool::SavedBitmap;

/// Closes the pool, unless it is read-only, poisoned or closed already.
pub(super) fn close(core: &Core) -> Result<(), FaseFault> {
    if core.is_read_only() {
        return Ok(());
    }
    if core.poison().is_some() {
        return Err(core.poisoned());
    }
    let mut slot = core.writer.lock().unwrap_or_else(PoisonError::into_inner);
    // Taken for good: a pool is closed once, and without a writer no section runs.
    let Some(mut writer) = slot.take() else { return Ok(()) };
    if !planted(Mutant::CloseUnsynced) {
        writer.checkpoint(core)?;
    }
    writer.reclaim(core, usize::MAX);
    core.heap.release(&mut writer.streams);
    // Retired nodes that a leaked snapshot still pins would be saved as used; then the next open marks.
    if writer.retained() > 0 {
        return Ok(());
    }
    let bitmap = save_bitmap(core)?;
    core.note_in_superblock(|file| file.close_cleanly(bitmap))
}

/// Writes the heap's bitmap into free lines, and the counts that changed, durably. `None` if no free run is long enough.
fn save_bitmap(core: &Core) -> Result<Option<SavedBitmap>, FaseFault> {
    let medium = core.file.medium();
    let is_flushed = !planted(Mutant::CloseUnflushed);
    for block in core.recounted_blocks().into_iter().filter(|_| is_flushed) {
        // SAFETY: blocks of the heap lie in the mapping.
        unsafe { medium.write_back(core.at(block), BLOCK_BYTES as usize) };
    }
    let bytes = core.heap.save();
    let lines = (bytes.len() as u64).div_ceil(LINE_BYTES) as u32;
    let place = core.heap.find_free_run(lines);
    if let Some(line) = place {
        let to = core.at(line.offset_bytes());
        // SAFETY: the lines are free, and no section runs: the writer is held.
        unsafe { medium.store(to, &bytes) };
        if is_flushed {
            // SAFETY: as above.
            unsafe { medium.write_back(to, bytes.len()) };
        }
    }
    // The fence that puts bitmap and counts on the medium before the superblock vouches for them.
    core.background_fence()?;
    Ok(place.map(|line| SavedBitmap::new(line.offset_bytes(), &bytes)))
}
