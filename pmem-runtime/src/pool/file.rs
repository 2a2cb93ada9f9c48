//! An open pool: its mapping, its medium, its superblock.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::{BLOCK_BYTES, SUPERBLOCK_A_OFFSET, SUPERBLOCK_B_OFFSET, SUPERBLOCK_BYTES, Superblock};
use super::{Region, schema_diff};
use crate::error::{GrowError, OpenError};
use crate::hw::{Medium, is_want_of_space, note_caller};
use crate::mutants::{Mutant, planted};
use crate::sync::{Mutex, MutexGuard};

/// What a pool is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Sections may change it.
    ReadWrite,
    /// Nothing reaches the file.
    ReadOnly,
}

/// Which of the two superblocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    A,
    B,
}

impl Slot {
    pub(super) fn offset(self) -> u64 {
        match self {
            Slot::A => SUPERBLOCK_A_OFFSET,
            Slot::B => SUPERBLOCK_B_OFFSET,
        }
    }

    fn other(self) -> Self {
        match self {
            Slot::A => Slot::B,
            Slot::B => Slot::A,
        }
    }
}

/// The superblock that counts, and where it lies.
#[derive(Debug)]
pub(super) struct Current {
    pub(super) superblock: Superblock,
    pub(super) slot: Slot,
}

/// An open pool. Possessing one proves that its geometry is sound and that it is locked; it does not prove that a single
/// byte of the rings and the heap is.
#[derive(Debug)]
pub(crate) struct PoolFile {
    pub(super) path: PathBuf,
    pub(super) access: Access,
    pub(super) is_device: bool,
    pub(super) schema_text: String,
    pub(super) current: Mutex<Current>,
    // Dropped in this order: the lock is held until the mapping is gone and no one can fence any more.
    pub(super) region: Region,
    pub(super) medium: Arc<dyn Medium>,
    pub(super) file: Option<Arc<File>>,
}

impl PoolFile {
    /// Where it is; in brackets if it has no file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How stores become durable. Volatile for pools opened read-only.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub(crate) fn medium(&self) -> &Arc<dyn Medium> {
        note_caller();
        &self.medium
    }

    /// Where it is mapped.
    pub(crate) fn region(&self) -> &Region {
        &self.region
    }

    /// A copy of the superblock that counts.
    pub(crate) fn superblock(&self) -> Superblock {
        self.lock_current().superblock
    }

    /// The stored description of its types: what it claims, compared with nothing yet.
    pub(crate) fn schema_text(&self) -> &str {
        &self.schema_text
    }

    /// How long it is.
    pub(crate) fn len_bytes(&self) -> u64 {
        self.region.len_bytes()
    }

    /// What it was opened for.
    pub(crate) fn access(&self) -> Access {
        self.access
    }

    /// Whether its pointers are not all made for where it is mapped now: they may have been written under
    /// `superblock().base` or, if the superblock is relocating, under `pending_base`.
    pub(crate) fn needs_relocation(&self) -> bool {
        let superblock = self.superblock();
        superblock.is_relocating() || superblock.base != self.region.base()
    }

    /// Compares the stored types with the program's.
    ///
    /// # Errors
    /// [`OpenError::WrongRootType`] with the difference.
    pub(crate) fn check_schema(&self, ours: &str, root_type_id: u32) -> Result<(), OpenError> {
        let stored_id = self.superblock().root_type_id;
        if self.schema_text == ours && stored_id == root_type_id {
            return Ok(());
        }
        let mut difference = schema_diff(&self.schema_text, ours);
        if stored_id != root_type_id {
            difference.push(format!(
                "root type id: {stored_id:08x} in the pool, {root_type_id:08x} in the program"
            ));
        }
        Err(OpenError::WrongRootType { path: self.path.clone(), difference })
    }

    /// Changes the superblock durably. Either the old or the new one is found after a crash. Of a pool opened read-only
    /// only this process's copy changes.
    ///
    /// # Errors
    /// What the medium's fence said; the pool must not go on then.
    ///
    /// # Panics
    /// If the change makes a superblock that could not be opened.
    pub(crate) fn update_superblock(&self, change: impl FnOnce(&mut Superblock)) -> io::Result<()> {
        self.replace_superblock(&mut self.lock_current(), change)
    }

    /// Makes the pool at least `new_len_bytes` long, rounded up to whole blocks; its length then. The new bytes are zero.
    ///
    /// # Errors
    /// See [`GrowError`]; after [`GrowError::Io`] the pool must not go on, after the others it is as before.
    pub(crate) fn grow(&self, new_len_bytes: u64) -> Result<u64, GrowError> {
        let path = || self.path.clone();
        // Held throughout: growths come one after the other.
        let mut current = self.lock_current();
        let old_len_bytes = self.region.len_bytes();
        if new_len_bytes <= old_len_bytes {
            return Ok(old_len_bytes);
        }
        if self.access == Access::ReadOnly {
            return Err(GrowError::ReadOnly { path: path() });
        }
        if self.is_device {
            return Err(GrowError::FixedSize { path: path() });
        }
        let reserved = self.region.reserve_bytes();
        if new_len_bytes > reserved {
            return Err(GrowError::BeyondReservation { path: path(), asked: new_len_bytes, reserved });
        }
        // The reservation is a multiple of blocks too, so rounding up stays within it.
        let new_len_bytes = new_len_bytes.next_multiple_of(BLOCK_BYTES);
        if planted(Mutant::LengthBeforeSpace) {
            let recorded =
                self.replace_superblock(&mut current, |superblock| superblock.len_bytes = new_len_bytes);
            recorded.map_err(|source| GrowError::Io { what: "recording", path: path(), source })?;
        }
        self.medium().allocate(old_len_bytes, new_len_bytes).map_err(|source| {
            if is_want_of_space(&source) {
                GrowError::NoSpace { path: path(), needed: new_len_bytes }
            } else {
                GrowError::Io { what: "allocating space", path: path(), source }
            }
        })?;
        // Invariant 2 of the room: the length is recorded after it is durable, and used after it is recorded.
        self.replace_superblock(&mut current, |superblock| superblock.len_bytes = new_len_bytes)
            .map_err(|source| GrowError::Io { what: "recording the new length", path: path(), source })?;
        self.region.set_len(new_len_bytes);
        Ok(new_len_bytes)
    }

    fn replace_superblock(
        &self,
        current: &mut Current,
        change: impl FnOnce(&mut Superblock),
    ) -> io::Result<()> {
        let mut next = current.superblock;
        change(&mut next);
        next.sequence += 1;
        if let Err(fault) = next.check() {
            panic!("a superblock that no one could open: {fault:?}");
        }
        let slot = if planted(Mutant::SameSuperblockSlot) { current.slot } else { current.slot.other() };
        let is_growth = next.len_bytes != current.superblock.len_bytes;
        if self.access == Access::ReadWrite {
            let to = self.region.at(slot.offset());
            // SAFETY: the slot lies in the pool's first pages; superblocks are written under the lock of `current` only,
            // and read only at open.
            unsafe { self.medium().store(to, &next.encode()) };
            if is_growth && planted(Mutant::GrowthNotDurable) {
                *current = Current { superblock: next, slot };
                return Ok(());
            }
            // SAFETY: as above.
            unsafe { self.medium().write_back(to, SUPERBLOCK_BYTES) };
            // Fence: the new superblock is durable before the caller does what it permits. A torn one has no valid
            // checksum, and the other slot counts.
            self.medium().fence()?;
        }
        *current = Current { superblock: next, slot };
        Ok(())
    }

    fn lock_current(&self) -> MutexGuard<'_, Current> {
        // A panic leaves `current` as it was: it is replaced as the last step.
        self.current.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
