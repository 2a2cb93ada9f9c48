//! Ranges of keys, and the neighbours of a key.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Bound, RangeBounds};

use equivalent::Comparable;

use super::OrdMap;
use super::gap::Gap;
use super::iter_mut::Pieces;
use super::node::{Node, Pair};
use crate::commit::Fase;
use crate::persist::Persistent;

/// The entries of a range of keys, in order: [`OrdMap::range`].
pub struct Range<'a, 'p, K, V> {
    front: Gap<'a, 'p, K, V>,
    back: Gap<'a, 'p, K, V>,
}

/// The entries of a range of keys, in order, their values for writing: [`OrdMap::range_mut`].
pub struct RangeMut<'a, 'p, K, V>(Option<Pieces<'a, 'p, K, V>>);

/// The places that a range's bounds are at.
///
/// # Panics
/// As the standard library's `BTreeMap::range`.
fn ends<'a, 'p, K, V, Q, R>(
    root: Option<&'a Node<'p, K, V>>,
    range: &R,
) -> (Gap<'a, 'p, K, V>, Gap<'a, 'p, K, V>)
where
    K: Persistent,
    V: Persistent,
    Q: ?Sized + Ord + Comparable<K>,
    R: RangeBounds<Q>,
{
    let (start, end) = (range.start_bound(), range.end_bound());
    match (start, end) {
        // An empty map has no places to confuse, and the standard library's accepts any range.
        _ if root.is_none() => {}
        (Bound::Excluded(start), Bound::Excluded(end)) if start == end => {
            panic!("range start and end are equal and excluded in OrdMap")
        }
        (Bound::Included(start) | Bound::Excluded(start), Bound::Included(end) | Bound::Excluded(end))
            if start > end =>
        {
            panic!("range start is greater than range end in OrdMap")
        }
        _ => {}
    }
    (lower(root, start), upper(root, end))
}

/// The place before all that is in the bound.
pub(super) fn lower<'a, 'p, K, V, Q>(root: Option<&'a Node<'p, K, V>>, bound: Bound<&Q>) -> Gap<'a, 'p, K, V>
where
    K: Persistent,
    V: Persistent,
    Q: ?Sized + Comparable<K>,
{
    match bound {
        Bound::Included(key) => Gap::at(root, key, false),
        Bound::Excluded(key) => Gap::at(root, key, true),
        Bound::Unbounded => Gap::first(root),
    }
}

/// The place behind all that is in the bound.
pub(super) fn upper<'a, 'p, K, V, Q>(root: Option<&'a Node<'p, K, V>>, bound: Bound<&Q>) -> Gap<'a, 'p, K, V>
where
    K: Persistent,
    V: Persistent,
    Q: ?Sized + Comparable<K>,
{
    match bound {
        Bound::Included(key) => Gap::at(root, key, true),
        Bound::Excluded(key) => Gap::at(root, key, false),
        Bound::Unbounded => Gap::last(root),
    }
}

impl<'p, K: Persistent, V: Persistent> OrdMap<'p, K, V> {
    /// The entries whose keys are in the range, in order.
    ///
    /// Complexity: O(log n), then O(1) each on average.
    ///
    /// # Panics
    /// If the start is greater than the end, or both are the same key and excluded, unless the map is empty.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, (0..100).map(|key| (key, key * key)));
    /// assert!(map.range(7..9).eq([(&7, &49), (&8, &64)]));
    /// assert_eq!(map.range(..=50).next_back(), Some((&50, &2500)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn range<Q, R>(&self, range: R) -> Range<'_, 'p, K, V>
    where
        Q: ?Sized + Ord + Comparable<K>,
        R: RangeBounds<Q>,
    {
        let (front, back) = ends(self.root.as_ref(), &range);
        Range { front, back }
    }

    fn below<Q>(&self, key: &Q, is_inclusive: bool) -> Option<(&K, &V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        let (mut best, mut next) = (None, self.root.as_ref());
        while let Some(node) = next {
            let at = match node.search(key) {
                Ok(at) if is_inclusive => return node.pairs().get(at).map(Pair::as_refs),
                Ok(at) | Err(at) => at,
            };
            best = at.checked_sub(1).and_then(|at| node.pairs().get(at)).or(best);
            next = node.child(at);
        }
        best.map(Pair::as_refs)
    }

    fn above<Q>(&self, key: &Q, is_inclusive: bool) -> Option<(&K, &V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        let (mut best, mut next) = (None, self.root.as_ref());
        while let Some(node) = next {
            let at = match node.search(key) {
                Ok(at) if is_inclusive => return node.pairs().get(at).map(Pair::as_refs),
                Ok(at) => at + 1,
                Err(at) => at,
            };
            best = node.pairs().get(at).or(best);
            next = node.child(at);
        }
        best.map(Pair::as_refs)
    }

    /// The entry with the greatest key less than this one.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(10, 1), (20, 2), (30, 3)]);
    /// assert_eq!(map.get_lt(&20), Some((&10, &1)));
    /// assert_eq!(map.get_le(&20), Some((&20, &2)));
    /// assert_eq!(map.get_ge(&21), Some((&30, &3)));
    /// assert_eq!(map.get_gt(&30), None);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_lt<Q>(&self, key: &Q) -> Option<(&K, &V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.below(key, false)
    }

    /// The entry with the greatest key not above this one: its floor.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!((map.get_le(&9), map.get_le(&0)), (Some((&3, &30)), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_le<Q>(&self, key: &Q) -> Option<(&K, &V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.below(key, true)
    }

    /// The entry with the least key not below this one: its ceiling.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!((map.get_ge(&2), map.get_ge(&4)), (Some((&2, &20)), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_ge<Q>(&self, key: &Q) -> Option<(&K, &V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.above(key, true)
    }

    /// The entry with the least key greater than this one.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!((map.get_gt(&2), map.get_gt(&3)), (Some((&3, &30)), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_gt<Q>(&self, key: &Q) -> Option<(&K, &V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.above(key, false)
    }
}

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// The entries whose keys are in the range, in order, their values for writing.
    ///
    /// Complexity: O(log n), then O(1) each on average. The nodes of what is reached are copied the first time in a section.
    ///
    /// # Panics
    /// As [`OrdMap::range`].
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// map.range_mut(tx, 2..).for_each(|(_, value)| *value += 1);
    /// assert!(map.values().eq(&[10, 21, 31]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn range_mut<'a, Q, R>(&'a mut self, tx: &'a Fase<'p>, range: R) -> RangeMut<'a, 'p, K, V>
    where
        Q: ?Sized + Ord + Comparable<K>,
        R: RangeBounds<Q>,
    {
        let (front, back) = ends(self.root.as_ref(), &range);
        let is_empty = front.is_at(&back);
        let (low, high) = (front.steps(), back.steps());
        let root = self.root.as_mut().filter(|_| !is_empty);
        RangeMut(root.map(|root| Pieces::between(tx, root, &low, &high)))
    }
}

impl<K, V> Clone for Range<'_, '_, K, V> {
    fn clone(&self) -> Self {
        Range { front: self.front.clone(), back: self.back.clone() }
    }
}

impl<'a, K: Persistent, V: Persistent> Iterator for Range<'a, '_, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.front.is_at(&self.back) {
            return None;
        }
        self.front.next().map(Pair::as_refs)
    }

    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }
}

impl<K: Persistent, V: Persistent> DoubleEndedIterator for Range<'_, '_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.front.is_at(&self.back) {
            return None;
        }
        self.back.prev().map(Pair::as_refs)
    }
}

impl<K: Persistent, V: Persistent> FusedIterator for Range<'_, '_, K, V> {}

impl<K: Persistent + fmt::Debug, V: Persistent + fmt::Debug> fmt::Debug for Range<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, 'p, K, V> Iterator for RangeMut<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    type Item = (&'a K, &'a mut V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.as_mut()?.next()
    }
}

impl<'p, K, V> DoubleEndedIterator for RangeMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.as_mut()?.next_back()
    }
}

impl<'p, K, V> FusedIterator for RangeMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
}

impl<K, V> fmt::Debug for RangeMut<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RangeMut")
    }
}
