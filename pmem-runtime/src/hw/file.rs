//! The mapping is the page cache: stores become durable by a sync of the file.
//!
//! The kernel reports a failed write of a page once and then calls the page clean, so a second sync would succeed without
//! the data (Rebello et al., ATC 2020). Hence the first failure is the last sync.

use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::fdatasync;

use super::space;
use super::{Medium, Survives};

/// Said by every fence after the one that failed.
const POISONED: &str = "an earlier sync of the pool failed, so what is on the disk is not known; close the pool, \
                        look after the disk, and open it again";

/// The medium.
#[derive(Debug)]
pub(super) struct PageCache {
    file: Arc<File>,
    survives: Survives,
    /// Whether a sync has failed. Held while syncing: the kernel tells an error to one of two concurrent syncs only, and
    /// the other would report a success that is none.
    failed: Mutex<bool>,
}

impl PageCache {
    pub(super) fn new(file: Arc<File>, survives: Survives) -> Self {
        PageCache { file, survives, failed: Mutex::new(false) }
    }

    /// Runs `sync` unless an earlier one failed; `is_harmless` tells failures after which the pages are as before.
    fn guarded(
        &self,
        is_harmless: impl FnOnce(&io::Error) -> bool,
        sync: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if *failed {
            return Err(io::Error::other(POISONED));
        }
        let result = sync();
        *failed = result.as_ref().is_err_and(|error| !is_harmless(error));
        result
    }
}

impl Medium for PageCache {
    fn durability(&self) -> Survives {
        self.survives
    }

    fn name(&self) -> &'static str {
        "file"
    }

    unsafe fn write_back(&self, _from: *const u8, _len_bytes: usize) {}

    fn fence(&self) -> io::Result<()> {
        // fdatasync: writes every dirty page of the mapping and waits for the disk's cache; pairs with nothing, since
        // the stores of a shared mapping are in the page cache as soon as they are executed.
        self.guarded(|_| false, || fdatasync(&self.file).map_err(io::Error::from))
    }

    fn allocate(&self, old_len_bytes: u64, new_len_bytes: u64) -> io::Result<()> {
        self.guarded(space::is_want_of_space, || space::extend(&self.file, old_len_bytes, new_len_bytes))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::OwnedFd;
    use std::sync::Arc;

    use super::{Medium, PageCache, Survives};

    /// If this failed, a commit would be acknowledged after the disk had lost it.
    #[test]
    fn a_sync_after_a_failed_sync_fails_without_asking_the_kernel() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let medium = PageCache::new(Arc::new(File::from(OwnedFd::from(reader))), Survives::PowerLoss);
        let first = medium.fence().unwrap_err();
        assert!(
            first.raw_os_error().is_some(),
            "a pipe cannot be synced, so the kernel was to refuse: {first}"
        );
        let second = medium.fence().unwrap_err();
        assert!(second.raw_os_error().is_none(), "the kernel was asked again: {second}");
        assert!(second.to_string().contains("earlier sync"), "{second}");
        let third = medium.allocate(0, 4096).unwrap_err();
        assert!(third.raw_os_error().is_none(), "a poisoned file was grown: {third}");
    }
}
