//! What is done to whole sets.

use std::mem;

use equivalent::Comparable;

use super::{Change, OrdSet};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<T: Persistent + Ord> OrdSet<'_, T> {
    /// Whether `other` has all elements of this set.
    ///
    /// Complexity: O(n); subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let some = OrdSet::from_iter(tx, [1, 3]);
    /// assert!(some.is_subset(set) && !set.is_subset(&some));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.diff(other).all(|change| matches!(change, Change::Added(_)))
    }

    /// Whether this set has all elements of `other`.
    ///
    /// Complexity: as [`OrdSet::is_subset`].
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let some = OrdSet::from_iter(tx, [1, 3]);
    /// assert!(set.is_superset(&some) && !some.is_superset(set));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_superset(&self, other: &Self) -> bool {
        other.is_subset(self)
    }

    /// Whether no element is in both.
    ///
    /// Complexity: O(m log n), with m elements in the smaller and n in the larger set.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let others = OrdSet::from_iter(tx, [4, 5]);
    /// assert!(set.is_disjoint(&others) && !set.is_disjoint(set));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        let (small, large) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        !small.iter().any(|element| large.contains(element))
    }
}

impl<'p, T: Persistent<At<'p> = T>> OrdSet<'p, T> {
    /// Splits off the elements from this one on.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let upper = set.split_off(tx, &2);
    /// assert!(set.iter().eq(&[1]) && upper.iter().eq(&[2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split_off<Q>(&mut self, tx: &Fase<'p>, element: &Q) -> Self
    where
        Q: ?Sized + Comparable<T>,
    {
        OrdSet { map: self.map.split_off(tx, element) }
    }

    /// Keeps the elements for which `keep` is true. It sees each once, in order, before anything is removed.
    ///
    /// Complexity: O(n) to look; subtrees that keep everything are shared, not copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// set.retain(tx, |element| *element != 2);
    /// assert!(set.iter().eq(&[1, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut keep: impl FnMut(&T) -> bool) {
        self.map.retain(tx, |element, ()| keep(element));
    }
}

impl<'p, T: Persistent<At<'p> = T> + Ord> OrdSet<'p, T> {
    /// Moves all elements of `other` here, which is empty afterwards.
    ///
    /// Complexity: O(m log(n/m + 1)), with m elements in the smaller and n in the larger of the two; O(log n) if all of one
    /// are below all of the other. If `Ord` panics and the section goes on, both sets are empty.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let mut other = OrdSet::from_iter(tx, [3, 4]);
    /// set.append(tx, &mut other);
    /// assert!(set.iter().eq(&[1, 2, 3, 4]) && other.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: &mut Self) {
        *self = mem::take(self).union(tx, mem::take(other));
    }

    /// The elements of either. To keep a set, give a [`share`](OrdSet::share): both are gone too if `Ord` panics and the section goes on.
    ///
    /// Complexity: as [`OrdSet::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, _set| {
    /// let first = OrdSet::from_iter(tx, [1, 2]);
    /// let second = OrdSet::from_iter(tx, [2, 3]);
    /// assert!(first.share(tx).intersection(tx, &second).iter().eq(&[2]));
    /// assert!(first.share(tx).difference(tx, &second).iter().eq(&[1]));
    /// assert!(first.share(tx).symmetric_difference(tx, second.share(tx)).iter().eq(&[1, 3]));
    /// assert!(first.union(tx, second).iter().eq(&[1, 2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn union(self, tx: &Fase<'p>, other: Self) -> Self {
        OrdSet { map: self.map.union(tx, other.map) }
    }

    /// The elements of both. If `Ord` panics and the section goes on, `self` is gone.
    ///
    /// Complexity: as [`OrdSet::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let other = OrdSet::from_iter(tx, [2, 4]);
    /// assert!(set.share(tx).intersection(tx, &other).iter().eq(&[2]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intersection(self, tx: &Fase<'p>, other: &Self) -> Self {
        OrdSet { map: self.map.intersection(tx, &other.map) }
    }

    /// The elements that `other` does not have. If `Ord` panics and the section goes on, `self` is gone.
    ///
    /// Complexity: as [`OrdSet::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let other = OrdSet::from_iter(tx, [2, 4]);
    /// assert!(set.share(tx).difference(tx, &other).iter().eq(&[1, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn difference(self, tx: &Fase<'p>, other: &Self) -> Self {
        OrdSet { map: self.map.difference(tx, &other.map) }
    }

    /// The elements that only one of the two has. If `Ord` panics and the section goes on, both are gone.
    ///
    /// Complexity: as [`OrdSet::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let other = OrdSet::from_iter(tx, [2, 4]);
    /// assert!(set.share(tx).symmetric_difference(tx, other).iter().eq(&[1, 3, 4]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn symmetric_difference(self, tx: &Fase<'p>, other: Self) -> Self {
        OrdSet { map: self.map.symmetric_difference(tx, other.map) }
    }
}
