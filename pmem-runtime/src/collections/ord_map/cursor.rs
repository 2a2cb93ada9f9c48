//! A cursor: a place in a map that is moved by hand.

use std::fmt;
use std::ops::Bound;

use equivalent::Comparable;

use super::OrdMap;
use super::gap::Gap;
use super::node::Pair;
use super::range::{lower, upper};
use crate::persist::Persistent;

/// A place between two entries of a map, or at either end: [`OrdMap::lower_bound`], [`OrdMap::upper_bound`].
pub struct Cursor<'a, 'p, K, V>(Gap<'a, 'p, K, V>);

impl<'p, K: Persistent, V: Persistent> OrdMap<'p, K, V> {
    /// A cursor before the least key in the bound; at the end if there is none.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let mut cursor = map.lower_bound(Bound::Included(&2));
    /// assert_eq!(cursor.key_value(), Some((&2, &20)));
    /// assert_eq!(cursor.next(), Some((&2, &20)));
    /// assert_eq!(cursor.next(), Some((&3, &30)));
    /// assert_eq!(cursor.next(), None);
    /// assert_eq!(cursor.prev(), Some((&3, &30)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lower_bound<Q>(&self, bound: Bound<&Q>) -> Cursor<'_, 'p, K, V>
    where
        Q: ?Sized + Comparable<K>,
    {
        Cursor(lower(self.root.as_ref(), bound))
    }

    /// A cursor behind the greatest key in the bound; at the start if there is none.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let mut cursor = map.upper_bound(Bound::Excluded(&3));
    /// assert_eq!((cursor.prev(), cursor.peek_prev()), (Some((&2, &20)), Some((&1, &10))));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn upper_bound<Q>(&self, bound: Bound<&Q>) -> Cursor<'_, 'p, K, V>
    where
        Q: ?Sized + Comparable<K>,
    {
        Cursor(upper(self.root.as_ref(), bound))
    }
}

impl<'a, K: Persistent, V: Persistent> Cursor<'a, '_, K, V> {
    /// Moves over the next entry and gives it; at the end, stays there.
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let mut cursor = map.lower_bound(Bound::Included(&2));
    /// assert_eq!((cursor.next(), cursor.next(), cursor.next()), (Some((&2, &20)), Some((&3, &30)), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::should_implement_trait, reason = "a cursor at its end is not at an end for good")]
    pub fn next(&mut self) -> Option<(&'a K, &'a V)> {
        self.0.next().map(Pair::as_refs)
    }

    /// Moves back over the entry before and gives it; at the start, stays there.
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let mut cursor = map.lower_bound(Bound::Included(&2));
    /// assert_eq!((cursor.prev(), cursor.prev()), (Some((&1, &10)), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prev(&mut self) -> Option<(&'a K, &'a V)> {
        self.0.prev().map(Pair::as_refs)
    }

    /// The next entry.
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let cursor = map.lower_bound(Bound::Included(&2));
    /// assert_eq!((cursor.peek_next(), cursor.peek_next()), (Some((&2, &20)), Some((&2, &20))));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn peek_next(&self) -> Option<(&'a K, &'a V)> {
        self.0.peek_next().map(Pair::as_refs)
    }

    /// The entry before.
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let cursor = map.lower_bound(Bound::Included(&2));
    /// assert_eq!(cursor.peek_prev(), Some((&1, &10)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn peek_prev(&self) -> Option<(&'a K, &'a V)> {
        self.0.peek_prev().map(Pair::as_refs)
    }

    /// The entry that the cursor is before: [`Cursor::peek_next`].
    ///
    /// ```
    /// use std::ops::Bound;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let cursor = map.lower_bound(Bound::Included(&2));
    /// assert_eq!(cursor.key_value(), Some((&2, &20)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn key_value(&self) -> Option<(&'a K, &'a V)> {
        self.peek_next()
    }
}

impl<K, V> Clone for Cursor<'_, '_, K, V> {
    fn clone(&self) -> Self {
        Cursor(self.0.clone())
    }
}

impl<K: Persistent + fmt::Debug, V: Persistent + fmt::Debug> fmt::Debug for Cursor<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cursor").field("prev", &self.peek_prev()).field("next", &self.peek_next()).finish()
    }
}
