//! Who may have a pool open: one writer, or any number of readers.
//!
//! The lock belongs to the open file description, so it excludes other handles of the same process too, and the kernel
//! drops it when the last user of the description is gone, however the process ends.

use std::fs::{File, TryLockError};
use std::io;

use super::Access;

/// Takes the lock, at once or not at all; whether it was taken.
///
/// # Errors
/// A file system without locks, above all.
pub(super) fn take(file: &File, access: Access) -> io::Result<bool> {
    let taken = match access {
        Access::ReadWrite => file.try_lock(),
        Access::ReadOnly => file.try_lock_shared(),
    };
    match taken {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
