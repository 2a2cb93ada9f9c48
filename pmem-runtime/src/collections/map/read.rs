//! Reading a map: no section needed.

use std::fmt;
use std::hash::Hash;
use std::ops::Index;

use equivalent::Equivalent;

use super::diff::{Shared, equal};
use super::hash::hash_of;
use super::iter::Pairs;
use super::node::{Node, Pair, Route};
use super::{Diff, Iter, Keys, Map, Values};
use crate::collections::{Defect, MapChange};
use crate::persist::Persistent;

impl<'p, K: Persistent, V: Persistent> Map<'p, K, V> {
    /// How many entries there are.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, [(1, 10), (2, 20)]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.trie.len() as usize
    }

    /// Whether there are no entries.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool};
    /// let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// assert!(pool.snapshot().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.trie.root.is_none()
    }

    fn pair<Q>(&self, key: &Q) -> Option<&Pair<K, V>>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        // An empty map may have no seed yet, and need not hash.
        self.trie.root.as_ref()?;
        self.trie.find(Route::new(hash_of(self.seed, key)), |known| key.equivalent(known))
    }

    /// The value of a key, or of any borrowed form of it.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().get(&1), Some(&10));
    /// assert_eq!(pool.snapshot().get(&2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        self.pair(key).map(|pair| &pair.value)
    }

    /// A key as the map has it, and its value.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().get_key_value(&1), Some((&1, &10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_key_value<Q>(&self, key: &Q) -> Option<(&K, &V)>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        self.pair(key).map(|pair| (&pair.key, &pair.value))
    }

    /// Whether there is such a key.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     Ok(())
    /// })?;
    /// assert!(pool.snapshot().contains_key(&1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        self.pair(key).is_some()
    }

    /// Over all entries, in the order of the leaves, which is that of their keys' hashes.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    ///     Ok(())
    /// })?;
    /// let sum: u64 = pool.snapshot().iter().map(|(key, value)| key + value).sum();
    /// assert_eq!(sum, 66);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, K, V> {
        Iter(Pairs::new(self.trie.root.as_ref()))
    }

    /// Over all keys, in the order of [`Map::iter`].
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, [(1, 10), (2, 20)]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().keys().sum::<u64>(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keys(&self) -> Keys<'_, 'p, K, V> {
        Keys(Pairs::new(self.trie.root.as_ref()))
    }

    /// Over all values, in the order of [`Map::iter`].
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, [(1, 10), (2, 20)]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().values().sum::<u64>(), 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn values(&self) -> Values<'_, 'p, K, V> {
        Values(Pairs::new(self.trie.root.as_ref()))
    }

    /// Whether both are the same tree, so that they are equal without looking. Two empty maps are.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     let kept = map.share(tx);
    ///     assert!(kept.ptr_eq(map));
    ///     map.insert(tx, 2, 20);
    ///     assert!(!kept.ptr_eq(map));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.trie.root, &other.trie.root) {
            (Some(left), Some(right)) => Node::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        }
    }

    /// Whether the hashes of equal keys are equal in both, or there are no keys in one.
    pub(super) fn is_hashed_like(&self, other: &Self) -> bool {
        self.seed == other.seed || self.is_empty() || other.is_empty()
    }
}

impl<'p, K, V> Map<'p, K, V>
where
    K: Persistent + Hash + Eq,
    V: Persistent,
{
    /// What makes `newer` differ from this map, in no particular order.
    ///
    /// Complexity: O(nodes in which the two differ): what they share is not looked at. Maps of different pools share nothing, and
    /// are compared entry by entry at once.
    ///
    /// ```
    /// use pmem_runtime::collections::MapChange;
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, (0..1000).map(|key| (key, key)));
    ///     Ok(())
    /// })?;
    /// let old = pool.snapshot();
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 5, 0);
    ///     Ok(())
    /// })?;
    /// let new = pool.snapshot();
    /// let changes: Vec<_> = old.diff(&new).collect();
    /// assert_eq!(changes, [MapChange::Changed { key: &5, old: &5, new: &0 }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diff<'a>(&'a self, newer: &'a Self) -> Diff<'a, 'p, K, V>
    where
        V: PartialEq,
    {
        if self.is_hashed_like(newer) {
            return Diff::new(&self.trie, &newer.trie);
        }
        let added = newer.iter().filter(|(key, _)| !self.contains_key(*key));
        let mut found: Vec<MapChange<'a, K, V>> =
            added.map(|(key, value)| MapChange::Added { key, value }).collect();
        for (key, old) in self {
            match newer.get_key_value(key) {
                None => found.push(MapChange::Removed { key, value: old }),
                Some((key, new)) if new != old => found.push(MapChange::Changed { key, old, new }),
                Some(_) => {}
            }
        }
        Diff::of(found)
    }

    /// Whether both have equal entries, taking what they share for equal without looking. `==` looks, as it must for values
    /// that may differ from themselves, like a NaN.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, (0..1000).map(|key| (key, key)));
    ///     let kept = map.share(tx);
    ///     map.insert(tx, 5, 0);
    ///     assert!(!map.same(&kept));
    ///     map.insert(tx, 5, 5);
    ///     assert!(map.same(&kept));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn same(&self, other: &Self) -> bool
    where
        V: Eq,
    {
        self.equal(other, Shared::Skip)
    }

    fn equal(&self, other: &Self, shared: Shared) -> bool
    where
        V: PartialEq,
    {
        if self.len() != other.len() {
            return false;
        }
        if self.is_hashed_like(other) {
            return equal(&self.trie, &other.trie, shared);
        }
        self.iter().all(|(key, value)| other.get(key).is_some_and(|found| found == value))
    }

    /// Verifies the map's invariants.
    ///
    /// Complexity: O(n).
    ///
    /// # Errors
    /// The first one found broken: the file is damaged, or a key's `Hash` or `Eq` does not keep its contract.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, (0..1000).map(|key| (key, key)));
    ///     Ok(())
    /// })?;
    /// pool.snapshot().check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        self.check_as("Map")
    }

    /// As [`Map::check`], for the collection that is made of this map.
    pub(in crate::collections) fn check_as(&self, collection: &'static str) -> Result<(), Defect> {
        self.trie.check(collection, |key| hash_of(self.seed, key), |left, right| left == right)
    }
}

impl<K, V> fmt::Debug for Map<'_, K, V>
where
    K: Persistent + fmt::Debug,
    V: Persistent + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Complexity: O(n), without hashing: equal maps have the same shape. See [`Map::same`] for maps that share much.
impl<K, V> PartialEq for Map<'_, K, V>
where
    K: Persistent + Hash + Eq,
    V: Persistent + PartialEq,
{
    fn eq(&self, other: &Self) -> bool {
        self.equal(other, Shared::Compare)
    }
}

impl<K, V> Eq for Map<'_, K, V>
where
    K: Persistent + Hash + Eq,
    V: Persistent + Eq,
{
}

/// # Panics
/// If there is no such key.
impl<K, V, Q> Index<&Q> for Map<'_, K, V>
where
    K: Persistent,
    V: Persistent,
    Q: Hash + Equivalent<K> + ?Sized,
{
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the map has an entry for the key")
    }
}

impl<'a, 'p, K: Persistent, V: Persistent> IntoIterator for &'a Map<'p, K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, 'p, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
