//! Changing a map in a section.

use std::hash::Hash;
use std::mem;

use equivalent::Equivalent;

use super::hash::hash_of;
use super::merge::filter;
use super::node::{Pair, Route};
use super::trie::Place;
use super::{Drain, Entry, IterMut, Map, OccupiedEntry, VacantEntry, ValuesMut};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, K, V> Map<'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq,
    V: Persistent<At<'p> = V>,
{
    /// Where a key is or would be, in a map that has its seed.
    fn locate(&mut self, tx: &Fase<'p>, key: &K) -> (Route, Place) {
        if self.is_empty() {
            self.seed = tx.hash_seed();
        }
        let route = Route::new(hash_of(self.seed, key));
        (route, self.trie.locate(route, |known| known == key))
    }

    /// Adds an entry where its key is not. Returns where it is then.
    pub(super) fn insert_at(
        &mut self,
        tx: &Fase<'p>,
        (route, place): (Route, Place),
        key: K,
        value: V,
    ) -> (Route, Place) {
        let seed = self.seed;
        (route, self.trie.insert(tx, route, place, Pair { key, value }, |key| hash_of(seed, key)))
    }

    /// Access for writing to the entry at a place.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn pair_at(&mut self, tx: &Fase<'p>, (route, place): (Route, Place)) -> &mut Pair<K, V> {
        self.trie.entry_mut(tx, route, place).expect("the entry is where it was found or put")
    }

    /// The entry at a place.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn pair_seen_at(&self, (route, place): (Route, Place)) -> &Pair<K, V> {
        self.trie.entry(route, place).expect("the entry is where it was found or put")
    }

    /// Takes out the entry at a place.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn remove_at(&mut self, tx: &Fase<'p>, (route, place): (Route, Place)) -> Pair<K, V> {
        self.trie.remove(tx, route, place).expect("the entry is where it was found or put")
    }

    /// Sets the value of a key. Returns the value that it had; the key stays the one that was there.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     assert_eq!(map.insert(tx, 1, 10), None);
    ///     assert_eq!(map.insert(tx, 1, 11), Some(10));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, tx: &Fase<'p>, key: K, value: V) -> Option<V> {
        let (route, place) = self.locate(tx, &key);
        if let Some(pair) = self.trie.entry_mut(tx, route, place) {
            return Some(mem::replace(&mut pair.value, value));
        }
        self.insert_at(tx, (route, place), key, value);
        None
    }

    /// The value of a key for writing. Nothing is copied if there is none.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     if let Some(value) = map.get_mut(tx, &1) {
    ///         *value += 5;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().get(&1), Some(&15));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_mut<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Option<&mut V>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        let route = Route::new(hash_of(self.seed, key));
        let place = self.trie.locate(route, |known| key.equivalent(known));
        self.trie.entry_mut(tx, route, place).map(|pair| &mut pair.value)
    }

    /// Takes an entry out. Returns its value.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     assert_eq!(map.remove(tx, &1), Some(10));
    ///     assert_eq!(map.remove(tx, &1), None);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Option<V>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        self.remove_entry(tx, key).map(|(_, value)| value)
    }

    /// Takes an entry out. Returns it with its key.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     assert_eq!(map.remove_entry(tx, &1), Some((1, 10)));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_entry<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Option<(K, V)>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        let route = Route::new(hash_of(self.seed, key));
        let place = self.trie.locate(route, |known| key.equivalent(known));
        self.trie.remove(tx, route, place).map(|pair| (pair.key, pair.value))
    }

    /// The place of a key: occupied or vacant. Nothing is copied before something is changed there.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     for word in [3, 1, 3] {
    ///         *map.entry(tx, word).or_insert(0) += 1;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().get(&3), Some(&2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entry<'a>(&'a mut self, tx: &'a Fase<'p>, key: K) -> Entry<'a, 'p, K, V> {
        let place = self.locate(tx, &key);
        if self.trie.entry(place.0, place.1).is_some() {
            return Entry::Occupied(OccupiedEntry { map: self, tx, place });
        }
        Entry::Vacant(VacantEntry { map: self, tx, place, key })
    }

    /// Sets the value of a key to what `change` makes of the one it has, or removes the entry. If `change` panics, the entry is
    /// gone, unless the section is undone.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.alter(tx, 1, |old| Some(old.unwrap_or(0) + 1));
    ///     map.alter(tx, 1, |old| Some(old.unwrap_or(0) + 1));
    ///     assert_eq!(map.get(&1), Some(&2));
    ///     map.alter(tx, 1, |_| None);
    ///     assert!(map.is_empty());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn alter(&mut self, tx: &Fase<'p>, key: K, change: impl FnOnce(Option<V>) -> Option<V>) {
        let old = self.remove(tx, &key);
        if let Some(new) = change(old) {
            self.insert(tx, key, new);
        }
    }

    /// Keeps the entries for which `is_kept` says so. Subtrees of which all entries are kept are kept as they are.
    ///
    /// Complexity: O(n) time; copies only nodes of which something is removed.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, (0..100).map(|key| (key, key)));
    ///     map.retain(tx, |key, _| key % 10 == 0);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut is_kept: impl FnMut(&K, &V) -> bool) {
        self.trie = filter(tx, &self.trie, |pair| is_kept(&pair.key, &pair.value));
    }

    /// Adds entries; later ones replace earlier ones with equal keys.
    ///
    /// Complexity: O(log n) for each; each touched node is copied once.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, [(1, 10), (2, 20)]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(&mut self, tx: &Fase<'p>, entries: impl IntoIterator<Item = (K, V)>) {
        for (key, value) in entries {
            self.insert(tx, key, value);
        }
    }

    /// A map of these entries; later ones replace earlier ones with equal keys.
    ///
    /// Complexity: O(n log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     *map = Map::from_iter(tx, [(1, 10), (2, 20)]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_iter(tx: &Fase<'p>, entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let mut map = Map::new();
        map.extend(tx, entries);
        map
    }
}

impl<'p, K, V> Map<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// A second owner of the same entries.
    ///
    /// Complexity: O(1). It costs memory only for what is changed later in one of the two.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     let kept = map.share(tx);
    ///     map.insert(tx, 1, 11);
    ///     assert_eq!(kept.get(&1), Some(&10));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// A version with the entry; this one stays as it is. The two share all but the path to it.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, root| {
    ///     let newer = root.update(tx, 1, 10);
    ///     assert!(root.is_empty() && newer.get(&1) == Some(&10));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, key: K, value: V) -> Self
    where
        K: Hash + Eq,
    {
        let mut newer = self.share(tx);
        newer.insert(tx, key, value);
        newer
    }

    /// Over all entries, with their values for writing.
    ///
    /// Complexity: O(n); copies each node on the way to what it yields.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     for (_, value) in map.iter_mut(tx) {
    ///         *value += 1;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().get(&1), Some(&11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> IterMut<'a, 'p, K, V> {
        IterMut::new(tx, self.trie.root.as_mut())
    }

    /// Over all values, for writing, in the order of [`Map::iter`].
    ///
    /// Complexity: O(n); copies each node on the way to what it yields.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.extend(tx, [(1, 10), (2, 20)]);
    ///     map.values_mut(tx).for_each(|value| *value /= 10);
    ///     assert_eq!((map[&1], map[&2]), (1, 2));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn values_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> ValuesMut<'a, 'p, K, V> {
        ValuesMut(self.iter_mut(tx))
    }

    /// Takes all entries out, and lets them be iterated over. What is not taken from the iterator is given up.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     assert_eq!(map.drain(tx).next(), Some((1, 10)));
    ///     assert!(map.is_empty());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "`clear` gives all entries up"]
    pub fn drain<'a>(&mut self, tx: &'a Fase<'p>) -> Drain<'a, 'p, K, V> {
        Drain::new(tx, self.trie.root.take())
    }

    /// Gives all entries up.
    ///
    /// Complexity: O(1) here; the nodes are given back after the section.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     map.clear();
    ///     assert!(map.is_empty());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self) {
        self.trie.root = None;
    }
}
