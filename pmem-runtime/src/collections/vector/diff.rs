//! What changed between two versions of a vector.

use std::fmt;
use std::iter::FusedIterator;

use super::Vector;
use crate::persist::Persistent;

/// One difference between two vectors, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a, T> {
    /// Both have an element at the index, and they are not equal.
    Changed {
        /// Where.
        index: usize,
        /// The element of the vector that is compared.
        old: &'a T,
        /// The element of the vector that it is compared with.
        new: &'a T,
    },
    /// Only the new one has an element at the index.
    Added {
        /// Where.
        index: usize,
        /// The element.
        new: &'a T,
    },
    /// Only the old one has an element at the index.
    Removed {
        /// Where.
        index: usize,
        /// The element.
        old: &'a T,
    },
}

/// The differences between two vectors, by index: [`Vector::diff`].
pub struct Diff<'a, 'p, T> {
    old: &'a Vector<'p, T>,
    new: &'a Vector<'p, T>,
    index: usize,
    /// Elements from `index` on that lie in one leaf of each.
    old_run: &'a [T],
    new_run: &'a [T],
}

impl<T> Clone for Diff<'_, '_, T> {
    fn clone(&self) -> Self {
        Diff { ..*self }
    }
}

impl<T: Persistent + PartialEq + fmt::Debug> fmt::Debug for Diff<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'p, T> Vector<'p, T>
where
    T: Persistent + PartialEq,
{
    /// What must change in this vector to make it `newer`, index by index. What both share at the same indices is passed over without
    /// being looked at, so elements that are not equal to themselves may count as unchanged.
    ///
    /// After an insertion or removal all elements behind it have other indices, and are compared.
    ///
    /// Complexity: O(c log n), where c is the number of elements that are not in shared nodes at the same index.
    ///
    /// # Examples
    /// ```
    /// use pmem_runtime::collections::{Vector, vector::Change};
    /// # use pmem_runtime::{Pool, persist_fase};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, 0..1000);
    ///     let before = vector.share(tx);
    ///     vector.set(tx, 500, 7);
    ///     let changes: Vec<_> = before.diff(vector).collect();
    ///     assert_eq!(changes, [Change::Changed { index: 500, old: &500, new: &7 }]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diff<'a>(&'a self, newer: &'a Self) -> Diff<'a, 'p, T> {
        Diff { old: self, new: newer, index: 0, old_run: &[], new_run: &[] }
    }

    /// Whether both have equal elements, as `==`, but without looking at what they share at the same indices: a version is
    /// compared with another in the time that their differences take.
    ///
    /// Complexity: as [`Vector::diff`].
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, 0..1000);
    ///     let before = vector.share(tx);
    ///     vector.set(tx, 500, 7);
    ///     assert!(!before.same(vector));
    ///     vector.set(tx, 500, 500);
    ///     assert!(before.same(vector));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn same(&self, other: &Self) -> bool
    where
        T: Eq,
    {
        self.len() == other.len() && self.diff(other).next().is_none()
    }
}

impl<'a, T> Diff<'a, '_, T>
where
    T: Persistent,
{
    /// Passes over what is shared and finds the runs from `index` on. `None` at the end of one of the two.
    fn refill(&mut self) -> Option<()> {
        loop {
            match self.old.elements.same_run(&self.new.elements, self.index) {
                0 => break,
                same => self.index += same,
            }
        }
        let (old, old_at) = self.old.elements.chunk_at(self.index)?;
        let (new, new_at) = self.new.elements.chunk_at(self.index)?;
        (self.old_run, self.new_run) = (&old[old_at..], &new[new_at..]);
        Some(())
    }
}

impl<'a, T> Iterator for Diff<'a, '_, T>
where
    T: Persistent + PartialEq,
{
    type Item = Change<'a, T>;

    fn next(&mut self) -> Option<Change<'a, T>> {
        loop {
            let ([old, old_rest @ ..], [new, new_rest @ ..]) = (self.old_run, self.new_run) else {
                if self.refill().is_some() {
                    continue;
                }
                break;
            };
            let index = self.index;
            (self.old_run, self.new_run) = (old_rest, new_rest);
            self.index += 1;
            if old != new {
                return Some(Change::Changed { index, old, new });
            }
        }
        let index = self.index;
        if let Some(new) = self.new.get(index) {
            self.index += 1;
            return Some(Change::Added { index, new });
        }
        let old = self.old.get(index)?;
        self.index += 1;
        Some(Change::Removed { index, old })
    }
}

impl<T: Persistent + PartialEq> FusedIterator for Diff<'_, '_, T> {}
