//! What a session notes in the superblock: that it runs, that it closed cleanly, that pointers are being moved.

use std::io;

use twox_hash::XxHash3_64;

use super::PoolFile;
use super::file::Access;
use super::format::{
    CHECKPOINT_OFFSET, FLAG_CLEAN, FLAG_RELOCATING, HORIZON_OFFSET, SCHEMA_OFFSET, Superblock,
};

/// Where a clean close has put the heap's bitmap, and how to tell that it is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedBitmap {
    offset: u64,
    len_bytes: u64,
    hash: u64,
}

impl SavedBitmap {
    /// For a bitmap of these bytes, stored at this offset.
    pub(crate) fn new(offset: u64, bytes: &[u8]) -> Self {
        SavedBitmap { offset, len_bytes: bytes.len() as u64, hash: XxHash3_64::oneshot(bytes) }
    }

    fn put(this: Option<Self>, superblock: &mut Superblock) {
        let SavedBitmap { offset, len_bytes, hash } =
            this.unwrap_or(SavedBitmap { offset: 0, len_bytes: 0, hash: 0 });
        superblock.bitmap_offset = offset;
        superblock.bitmap_len_bytes = len_bytes;
        superblock.bitmap_hash = hash;
    }
}

impl PoolFile {
    /// Where the checkpoint's slots are.
    pub(crate) fn checkpoint_offset(&self) -> u64 {
        CHECKPOINT_OFFSET
    }

    /// Where the heap starts.
    pub(crate) fn heap_offset(&self) -> u64 {
        self.superblock().heap_offset
    }

    /// The pool's own seed for the hashes of records and checkpoints: those of another pool are none here.
    pub(crate) fn salt(&self) -> u64 {
        XxHash3_64::oneshot(&self.superblock().uuid)
    }

    /// Whether the last session closed the pool.
    pub(crate) fn was_closed_cleanly(&self) -> bool {
        self.superblock().is_clean()
    }

    /// Whether a relocation was interrupted.
    pub(crate) fn is_relocating(&self) -> bool {
        self.superblock().is_relocating()
    }

    /// The bases under which pointers may have been written; the same one twice unless a relocation is under way.
    pub(crate) fn stored_bases(&self) -> [u64; 2] {
        let superblock = self.superblock();
        let other = if superblock.is_relocating() { superblock.pending_base } else { superblock.base };
        [superblock.base, other]
    }

    /// The bitmap that a clean close saved, if there is one and it is whole.
    pub(crate) fn saved_bitmap(&self) -> Option<Vec<u8>> {
        let superblock = self.superblock();
        if !superblock.is_clean() || superblock.bitmap_len_bytes == 0 {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(superblock.bitmap_len_bytes).ok()?];
        // SAFETY: the pool is being opened: nobody writes it.
        unsafe { self.region().read_bytes(superblock.bitmap_offset, &mut bytes) }.ok()?;
        (XxHash3_64::oneshot(&bytes) == superblock.bitmap_hash).then_some(bytes)
    }

    /// Notes durably that the pool was closed, and where its bitmap is.
    ///
    /// # Errors
    /// What the medium said.
    pub(crate) fn close_cleanly(&self, bitmap: Option<SavedBitmap>) -> io::Result<()> {
        self.update_superblock(|superblock| {
            superblock.flags |= FLAG_CLEAN;
            SavedBitmap::put(bitmap, superblock);
        })
    }

    /// Writes back what opening has read of the pages before the schema: superblocks and checkpoints, which a process that was
    /// killed may have stored and not made durable. The caller fences.
    pub(crate) fn write_back_front(&self) {
        // SAFETY: the pages lie in the mapping.
        unsafe { self.medium().write_back(self.region().at(0), SCHEMA_OFFSET as usize) };
    }

    /// Notes durably that a session runs.
    ///
    /// # Errors
    /// What the medium said.
    pub(crate) fn clear_clean_close(&self) -> io::Result<()> {
        self.update_superblock(|superblock| {
            superblock.flags &= !FLAG_CLEAN;
            SavedBitmap::put(None, superblock);
        })
    }

    /// Notes durably that pointers relative to `base` may appear beside those of the recorded base.
    ///
    /// # Errors
    /// What the medium said.
    pub(crate) fn begin_relocation(&self, base: u64) -> io::Result<()> {
        self.update_superblock(|superblock| {
            superblock.flags |= FLAG_RELOCATING;
            superblock.pending_base = base;
        })
    }

    /// Notes durably that every pointer is relative to `base`.
    ///
    /// # Errors
    /// What the medium said.
    pub(crate) fn finish_relocation(&self, base: u64) -> io::Result<()> {
        self.update_superblock(|superblock| {
            superblock.flags &= !FLAG_RELOCATING;
            superblock.base = base;
            superblock.pending_base = 0;
        })
    }

    /// Shows other processes up to which ticket everything is durable. Recovery does not read it.
    pub(crate) fn publish_horizon(&self, ticket: u64) {
        if self.access() == Access::ReadWrite {
            let to = self.region().at(HORIZON_OFFSET).cast();
            // SAFETY: the word lies on the header page, aligned to a line, and is accessed atomically only.
            unsafe { self.medium().store_word(to, ticket) };
        }
    }
}
