//! Combining two maps into a third that shares with both.

use std::hash::Hash;

use super::Map;
use super::hash::hash_of;
use super::merge::{Keep, merge};
use super::node::Route;
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, K, V> Map<'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq,
    V: Persistent<At<'p> = V>,
{
    /// This map, or a copy of it whose hashes are like those of `other`.
    fn hashed_like(&self, tx: &Fase<'p>, other: &Self) -> Self {
        if self.is_hashed_like(other) {
            return self.share(tx);
        }
        let mut copy = Map { seed: other.seed, ..Map::new() };
        for (key, value) in self {
            let key = tx.share(key);
            let route = Route::new(hash_of(copy.seed, &key));
            let place = copy.trie.locate(route, |known| *known == key);
            copy.insert_at(tx, (route, place), key, tx.share(value));
        }
        copy
    }

    fn merged(&self, tx: &Fase<'p>, keep: Keep, other: &Self) -> Self {
        // Maps of one pool have one seed; a file may say otherwise.
        let other = other.hashed_like(tx, self);
        let seed = if self.is_empty() { other.seed } else { self.seed };
        Map { trie: merge(tx, keep, &self.trie, &other.trie, |key| hash_of(seed, key)), seed }
    }

    /// The entries of both maps; where both have a key, this map's.
    ///
    /// Complexity: O(nodes in which the two differ). The result shares with both what it can.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     let left = Map::from_iter(tx, [(1, 10), (2, 20)]);
    ///     let right = Map::from_iter(tx, [(2, 0), (3, 0)]);
    ///     *map = left.union(tx, &right);
    ///     assert_eq!(*map, Map::from_iter(tx, [(1, 10), (2, 20), (3, 0)]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn union(&self, tx: &Fase<'p>, other: &Self) -> Self {
        self.merged(tx, Keep::Either, other)
    }

    /// This map's entries whose keys the other has too.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     let left = Map::from_iter(tx, [(1, 10), (2, 20)]);
    ///     let right = Map::from_iter(tx, [(2, 0), (3, 0)]);
    ///     *map = left.intersection(tx, &right);
    ///     assert_eq!(*map, Map::from_iter(tx, [(2, 20)]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intersection(&self, tx: &Fase<'p>, other: &Self) -> Self {
        self.merged(tx, Keep::Both, other)
    }

    /// This map's entries whose keys the other has not.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     let left = Map::from_iter(tx, [(1, 10), (2, 20)]);
    ///     let right = Map::from_iter(tx, [(2, 0), (3, 0)]);
    ///     *map = left.difference(tx, &right);
    ///     assert_eq!(*map, Map::from_iter(tx, [(1, 10)]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn difference(&self, tx: &Fase<'p>, other: &Self) -> Self {
        self.merged(tx, Keep::LeftOnly, other)
    }

    /// The entries whose keys only one of the two has.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     let left = Map::from_iter(tx, [(1, 10), (2, 20)]);
    ///     let right = Map::from_iter(tx, [(2, 0), (3, 0)]);
    ///     *map = left.symmetric_difference(tx, &right);
    ///     assert_eq!(*map, Map::from_iter(tx, [(1, 10), (3, 0)]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn symmetric_difference(&self, tx: &Fase<'p>, other: &Self) -> Self {
        self.difference(tx, other).union(tx, &other.difference(tx, self))
    }

    /// Adds the entries of `other`; where both have a key, the value of `other` stays.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, [(1, 10), (2, 20)]);
    ///     let more = Map::from_iter(tx, [(2, 0), (3, 0)]);
    ///     map.append(tx, more);
    ///     assert_eq!(*map, Map::from_iter(tx, [(1, 10), (2, 0), (3, 0)]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: Self) {
        *self = other.union(tx, self);
    }
}
