//! Really allocated disk space: a full disk is an error here, never a signal at a later store.
//!
//! File systems that write elsewhere on each overwrite (btrfs, zfs, bcachefs) can still run out of space at an overwrite
//! of allocated space; a pool on one of them should leave room.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use rustix::fs::{FallocateFlags, fallocate, fstatvfs};
use rustix::io::{Errno, retry_on_intr};

/// The unit in which a file's allocated space is counted, whatever the file system's own.
const COUNTED_BYTES: u64 = 512;

/// How much is written at once where space cannot be allocated without writing: large enough to be one request of a
/// disk, small enough for a buffer.
const ZERO_RUN_BYTES: usize = 1 << 20;

/// Makes the file `new_len_bytes` long, with the bytes behind `old_len_bytes` zero, allocated and durable.
///
/// # Errors
/// What the operating system said; the file is then cut back to its old length as well as can be.
pub(super) fn extend(file: &File, old_len_bytes: u64, new_len_bytes: u64) -> io::Result<()> {
    if let Err(error) = allocate(file, old_len_bytes, new_len_bytes) {
        // The length in the superblock is what counts; a tail that cannot be cut off is zero, and tolerated at open.
        let _ = file.set_len(old_len_bytes);
        return Err(error);
    }
    // The new length must be durable before anything can lie there. A delayed allocation can run out of space only now,
    // with the pages already called clean: not a harmless want of space.
    file.sync_all().map_err(|error| io::Error::other(format!("sync of the new length: {error}")))
}

/// Allocates space for the holes of a file of this length: a copy may have them where the original had zeros. No byte changes.
/// A hole smaller than what the file system spends on its own books for the file may be missed, and so are all holes
/// where space cannot be allocated without writing.
///
/// # Errors
/// What the operating system said; a want of space also if there is less than the holes take.
pub(crate) fn fill_holes(file: &File, len_bytes: u64) -> io::Result<()> {
    let missing = len_bytes.saturating_sub(file.metadata()?.blocks() * COUNTED_BYTES);
    if missing == 0 {
        return Ok(());
    }
    // Asked first, because some file systems hand out what there is before they fail.
    let disk = fstatvfs(file)?;
    if disk.f_bavail.saturating_mul(disk.f_frsize) < missing {
        return Err(io::ErrorKind::StorageFull.into());
    }
    match retry_on_intr(|| fallocate(file, FallocateFlags::empty(), 0, len_bytes)) {
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(other) => Err(other.into()),
    }
}

/// Whether the failure left the file as it was: the disk, the quota or the file system's largest length is reached.
pub(crate) fn is_want_of_space(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

fn allocate(file: &File, old_len_bytes: u64, new_len_bytes: u64) -> io::Result<()> {
    let added = new_len_bytes - old_len_bytes;
    match retry_on_intr(|| fallocate(file, FallocateFlags::empty(), old_len_bytes, added)) {
        Ok(()) => Ok(()),
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => write_zeros(file, old_len_bytes, new_len_bytes),
        Err(other) => Err(other.into()),
    }
}

fn write_zeros(file: &File, from: u64, to: u64) -> io::Result<()> {
    let zeros = vec![0; ZERO_RUN_BYTES];
    let mut at = from;
    while at < to {
        let len = ZERO_RUN_BYTES.min(usize::try_from(to - at).unwrap_or(ZERO_RUN_BYTES));
        file.write_all_at(&zeros[..len], at)?;
        at += len as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::{extend, fill_holes, write_zeros};

    /// If this failed, a store into a freshly grown pool could meet a full disk and kill the process.
    #[test]
    fn space_is_allocated_and_not_a_hole() {
        for grow in [extend, write_zeros] {
            let file = tempfile::tempfile().unwrap();
            grow(&file, 0, 3 << 20).unwrap();
            let metadata = file.metadata().unwrap();
            assert_eq!(metadata.len(), 3 << 20);
            assert!(metadata.blocks() * 512 >= 3 << 20, "only {} blocks are allocated", metadata.blocks());
        }
    }

    /// If this failed, a store into a pool that was copied with holes could meet a full disk and kill the process.
    #[test]
    fn holes_are_filled_and_nothing_else_changes() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(3 << 20).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, b"data", 1 << 20).unwrap();
        fill_holes(&file, 3 << 20).unwrap();
        let metadata = file.metadata().unwrap();
        assert_eq!(metadata.len(), 3 << 20);
        assert!(metadata.blocks() * 512 >= 3 << 20, "only {} blocks are allocated", metadata.blocks());
        let mut data = [0; 6];
        std::os::unix::fs::FileExt::read_exact_at(&file, &mut data, (1 << 20) - 1).unwrap();
        assert_eq!(&data, b"\0data\0");
    }
}
