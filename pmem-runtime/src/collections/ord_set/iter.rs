//! Iteration over a set's elements, its ranges, and its differences from another.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Bound, RangeBounds};

use equivalent::Comparable;

use super::{OrdSet, key};
use crate::collections::ord_map;
use crate::persist::Persistent;

/// The elements of a set in order: [`OrdSet::iter`].
pub struct Iter<'a, 'p, T>(ord_map::Keys<'a, 'p, T, ()>);

/// The elements of a range in order: [`OrdSet::range`].
pub struct Range<'a, 'p, T>(ord_map::Range<'a, 'p, T, ()>);

/// One difference between two sets: [`OrdSet::diff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a, T> {
    /// The second set has an element that the first has not.
    Added(&'a T),
    /// The first set has an element that the second has not.
    Removed(&'a T),
}

/// The differences between two sets in order: [`OrdSet::diff`].
pub struct Diff<'a, 'p, T>(ord_map::Diff<'a, 'p, T, ()>);

impl<'p, T: Persistent> OrdSet<'p, T> {
    /// All elements in order.
    ///
    /// Complexity: O(log n) for the first at either end, then O(1) on average.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert!(set.iter().rev().eq(&[3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, T> {
        Iter(self.map.keys())
    }

    /// The elements in the range, in order.
    ///
    /// Complexity: O(log n), then O(1) each on average.
    ///
    /// # Panics
    /// If the start is greater than the end, or both are the same element and excluded, unless the set is empty.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, 0..100);
    /// assert!(set.range(7..9).eq(&[7, 8]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn range<Q, R>(&self, range: R) -> Range<'_, 'p, T>
    where
        Q: ?Sized + Ord + Comparable<T>,
        R: RangeBounds<Q>,
    {
        Range(self.map.range(range))
    }

    /// A cursor before the least element in the bound.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let cursor = set.lower_bound(Bound::Excluded(&1));
    /// assert_eq!(cursor.peek_next(), Some((&2, &())));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lower_bound<Q>(&self, bound: Bound<&Q>) -> ord_map::Cursor<'_, 'p, T, ()>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.lower_bound(bound)
    }

    /// A cursor behind the greatest element in the bound.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let cursor = set.upper_bound(Bound::Included(&2));
    /// assert_eq!(cursor.peek_prev(), Some((&2, &())));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn upper_bound<Q>(&self, bound: Bound<&Q>) -> ord_map::Cursor<'_, 'p, T, ()>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.upper_bound(bound)
    }

    /// What must change for this set to become `other`, in order.
    ///
    /// Complexity: O(changes · log n) between versions of one set, whatever their shapes; O(n) for sets that share nothing.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase};
    /// use pmem_runtime::collections::OrdSet;
    /// use pmem_runtime::collections::ord_set::Change;
    ///
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2]);
    /// let before = set.share(tx);
    /// set.remove(tx, &1);
    /// set.insert(tx, 3);
    /// assert!(before.diff(set).eq([Change::Removed(&1), Change::Added(&3)]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diff<'a>(&'a self, other: &'a Self) -> Diff<'a, 'p, T>
    where
        T: Ord,
    {
        Diff(self.map.diff(&other.map))
    }
}

impl<T> Clone for Iter<'_, '_, T> {
    fn clone(&self) -> Self {
        Iter(self.0.clone())
    }
}

impl<'a, T: Persistent> Iterator for Iter<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn last(self) -> Option<&'a T> {
        self.0.last()
    }
}

impl<T: Persistent> DoubleEndedIterator for Iter<'_, '_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl<T: Persistent> ExactSizeIterator for Iter<'_, '_, T> {}
impl<T: Persistent> FusedIterator for Iter<'_, '_, T> {}

impl<T: Persistent + fmt::Debug> fmt::Debug for Iter<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Clone for Range<'_, '_, T> {
    fn clone(&self) -> Self {
        Range(self.0.clone())
    }
}

impl<'a, T: Persistent> Iterator for Range<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.0.next().map(key)
    }

    fn last(self) -> Option<&'a T> {
        self.0.last().map(key)
    }
}

impl<T: Persistent> DoubleEndedIterator for Range<'_, '_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(key)
    }
}

impl<T: Persistent> FusedIterator for Range<'_, '_, T> {}

impl<T: Persistent + fmt::Debug> fmt::Debug for Range<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, T: Persistent + Ord> Iterator for Diff<'a, '_, T> {
    type Item = Change<'a, T>;

    fn next(&mut self) -> Option<Change<'a, T>> {
        match self.0.next()? {
            ord_map::Change::Added(element, ()) => Some(Change::Added(element)),
            ord_map::Change::Removed(element, ()) => Some(Change::Removed(element)),
            ord_map::Change::Changed { .. } => unreachable!("values of no size are equal"),
        }
    }
}

impl<T: Persistent + Ord> FusedIterator for Diff<'_, '_, T> {}

impl<T> fmt::Debug for Diff<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a, 'p, T: Persistent> IntoIterator for &'a OrdSet<'p, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, 'p, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
