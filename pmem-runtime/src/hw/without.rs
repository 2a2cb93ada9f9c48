//! Emulated DAX as on a machine whose caches persist (eADR): what write-backs cost is what is faster with it.

use std::cell::Cell;

thread_local! {
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the thread makes media for [`without_write_backs`].
pub(super) fn is_asked() -> bool {
    IS_ASKED.get()
}

/// Runs `make`; emulated DAX media of pools that it creates or opens fence, and write nothing back. That emulates
/// persistent caches, for measuring.
///
/// # Examples
/// ```
/// use pmem_runtime::{Pool, hw};
///
/// let dir = tempfile::tempdir()?;
/// let path = dir.path().join("measured.pool");
/// let pool = hw::without_write_backs(|| Pool::<u64>::options().force_dax(true).create(&path))?;
/// assert_eq!(pool.medium_name(), "emulated dax eadr");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn without_write_backs<T>(make: impl FnOnce() -> T) -> T {
    /// Takes the question back, also when `make` unwinds.
    struct Asked(bool);
    impl Drop for Asked {
        fn drop(&mut self) {
            IS_ASKED.set(self.0);
        }
    }
    let _asked = Asked(IS_ASKED.replace(true));
    make()
}
