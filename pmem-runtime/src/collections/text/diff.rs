//! What changed between two versions of a text.

use std::fmt;
use std::iter::FusedIterator;

use super::Text;
use crate::collections::rope;
pub use crate::collections::rope::Splice;
use crate::persist::Utf8;

/// The differences between two texts, in order: [`Text::diff`].
#[derive(Clone)]
pub struct Diff<'a, 'p>(rope::Diff<'a, 'p, Utf8>);

impl<'p> Text<'p> {
    /// What must be replaced in this text to make it `newer`: ranges in order, between characters, with at least a byte between them that
    /// stays. What both share is found wherever it lies and passed over without being looked at, also behind an insertion or
    /// removal. Changes in the same leaf, or in neighbouring ones, come as one, as does everything between two texts that share nothing.
    ///
    /// Replacing the ranges from the last to the first turns the older version into the newer one. A part that was moved comes
    /// as a removal and an insertion.
    ///
    /// Complexity: O(c log n), where c is the number of bytes in leaves that are not shared.
    ///
    /// ```
    /// use pmem_runtime::collections::{Text, text::Splice};
    /// # use pmem_runtime::{Pool, persist_fase};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, &"All work and no play. ".repeat(1000));
    ///     let before = text.share(tx);
    ///     text.replace_range(tx, 4..8, "play");
    ///     text.insert_str(tx, 20_000, "Redrum. ");
    ///     let changes: Vec<_> = before.diff(text).collect();
    ///     let redrum = Splice { old: 20_000..20_000, new: 20_000..20_008 };
    ///     assert_eq!(changes, [Splice { old: 4..8, new: 4..8 }, redrum]);
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
