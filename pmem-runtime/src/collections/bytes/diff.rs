//! What changed between two versions of a byte string.

use std::fmt;
use std::iter::FusedIterator;

use super::Bytes;
use crate::collections::rope;
pub use crate::collections::rope::Splice;
use crate::persist::Lens;

/// The differences between two byte strings, in order: [`Bytes::diff`].
#[derive(Clone)]
pub struct Diff<'a, 'p>(rope::Diff<'a, 'p, Lens>);

impl<'p> Bytes<'p> {
    /// What must be replaced in this byte string to make it `newer`: ranges in order, with at least a byte between them that
    /// stays. What both share is found wherever it lies and passed over without being looked at, also behind an insertion or
    /// removal. Changes in the same leaf, or in neighbouring ones, come as one, as does everything between two byte strings that share nothing.
    ///
    /// Replacing the ranges from the last to the first turns the older version into the newer one. A part that was moved comes
    /// as a removal and an insertion.
    ///
    /// Complexity: O(c log n), where c is the number of bytes in leaves that are not shared.
    ///
    /// ```
    /// use pmem_runtime::collections::{Bytes, bytes::Splice};
    /// # use pmem_runtime::{Pool, persist_fase};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.resize(tx, 100_000, 0);
    ///     let before = bytes.share(tx);
    ///     bytes.remove_range(tx, 10..20);
    ///     *bytes.get_mut(tx, 50_000).expect("it is there") = 7;
    ///     let changes: Vec<_> = before.diff(bytes).collect();
    ///     assert_eq!(changes[1], Splice { old: 50_010..50_011, new: 50_000..50_001 });
    ///     assert_eq!((changes.len(), changes[0].old.len(), changes[0].new.len()), (2, 10, 0));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diff<'a>(&'a self, newer: &'a Self) -> Diff<'a, 'p> {
        Diff(self.rope.diff(&newer.rope))
    }
}

impl Iterator for Diff<'_, '_> {
    type Item = Splice;

    fn next(&mut self) -> Option<Splice> {
        self.0.next()
    }
}

impl FusedIterator for Diff<'_, '_> {}

impl fmt::Debug for Diff<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
