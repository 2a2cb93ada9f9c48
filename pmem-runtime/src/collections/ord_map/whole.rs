//! What is done to whole maps: splitting, merging, and keeping a part.

use std::mem;

use equivalent::Comparable;

use super::join::{glue, split};
use super::path::Path;
use super::{OrdMap, sets};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// Splits off the entries from this key on.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let upper = map.split_off(tx, &2);
    /// assert!(map.keys().eq(&[1]) && upper.keys().eq(&[2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split_off<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Self
    where
        Q: ?Sized + Comparable<K>,
    {
        let Some(path) = self.root.as_ref().map(|root| Path::to(root, key)) else { return OrdMap::new() };
        let Some(root) = self.root.take() else { return OrdMap::new() };
        let (left, found, right) = split(tx, root, &path);
        self.root = left;
        OrdMap { root: glue(tx, None, found, right) }
    }

    /// Keeps the entries for which `keep` is true. It sees each entry once, in order, before anything is removed.
    ///
    /// Complexity: O(n) to look; subtrees that keep everything are shared, not copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, (0..10).map(|key| (key, key)));
    /// map.retain(tx, |key, _| key % 3 == 0);
    /// assert!(map.keys().eq(&[0, 3, 6, 9]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut keep: impl FnMut(&K, &V) -> bool) {
        let entries = self.iter().enumerate();
        let dropped: Vec<usize> =
            entries.filter(|(_, (key, value))| !keep(key, value)).map(|(rank, _)| rank).collect();
        self.root = self.root.take().and_then(|root| sets::without(tx, root, 0, &dropped));
    }
}

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    /// Moves all entries of `other` here, which is empty afterwards. Where both have a key, the value is that of `other`.
    ///
    /// Complexity: O(m log(n/m + 1)), with m entries in the smaller and n in the larger of the two; O(log n) if all keys of
    /// one are below all of the other.
    ///
    /// If `Ord` panics and the section goes on, both maps are empty.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20)]);
    /// let mut other = OrdMap::from_iter(tx, [(2, 21), (3, 31)]);
    /// map.append(tx, &mut other);
    /// assert!(map.iter().eq([(&1, &10), (&2, &21), (&3, &31)]) && other.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: &mut Self) {
        *self = mem::take(other).union(tx, mem::take(self));
    }

    /// The entries of both. Where both have a key, the entry is that of `self`. To keep a map, give a [`share`](OrdMap::share): both are
    /// gone too if `Ord` panics and the section goes on.
    ///
    /// Complexity: as [`OrdMap::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, _map| {
    /// let first = OrdMap::from_iter(tx, [(1, 10), (2, 20)]);
    /// let second = OrdMap::from_iter(tx, [(2, 21), (3, 31)]);
    /// assert!(first.share(tx).intersection(tx, &second).iter().eq([(&2, &20)]));
    /// assert!(first.share(tx).difference(tx, &second).iter().eq([(&1, &10)]));
    /// assert!(first.union(tx, second).iter().eq([(&1, &10), (&2, &20), (&3, &31)]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn union(self, tx: &Fase<'p>, other: Self) -> Self {
        OrdMap { root: sets::union(tx, self.root, other.root) }
    }

    /// The entries of `self` whose keys `other` has. If `Ord` panics and the section goes on, `self` is gone.
    ///
    /// Complexity: as [`OrdMap::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let other = OrdMap::from_iter(tx, [(2, 21), (4, 41)]);
    /// assert!(map.share(tx).intersection(tx, &other).iter().eq([(&2, &20)]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intersection(self, tx: &Fase<'p>, other: &Self) -> Self {
        OrdMap { root: sets::intersection(tx, self.root, other.root.as_ref()) }
    }

    /// The entries of `self` whose keys `other` does not have. If `Ord` panics and the section goes on, `self` is gone.
    ///
    /// Complexity: as [`OrdMap::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let other = OrdMap::from_iter(tx, [(2, 21), (4, 41)]);
    /// assert!(map.share(tx).difference(tx, &other).iter().eq([(&1, &10), (&3, &30)]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn difference(self, tx: &Fase<'p>, other: &Self) -> Self {
        OrdMap { root: sets::difference(tx, self.root, other.root.as_ref()) }
    }

    /// The entries whose keys only one of the two has. If `Ord` panics and the section goes on, both are gone.
    ///
    /// Complexity: as [`OrdMap::append`]; subtrees that both share are not looked at.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let other = OrdMap::from_iter(tx, [(2, 21), (4, 41)]);
    /// assert!(map.share(tx).symmetric_difference(tx, other).keys().eq(&[1, 3, 4]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn symmetric_difference(self, tx: &Fase<'p>, other: Self) -> Self {
        OrdMap { root: sets::symmetric_difference(tx, self.root, other.root) }
    }
}
