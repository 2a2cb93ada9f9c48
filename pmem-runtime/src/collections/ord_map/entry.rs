//! A key's place in a map, found once.

use std::fmt;
use std::mem;

use super::node::{Node, Pair};
use super::path::Path;
use super::{OrdMap, edit};
use crate::commit::Fase;
use crate::persist::Persistent;

/// A key's place: [`OrdMap::entry`].
#[derive(Debug)]
pub enum Entry<'a, 'p, K: Persistent, V: Persistent> {
    /// The map has no such key.
    Vacant(VacantEntry<'a, 'p, K, V>),
    /// The map has the key.
    Occupied(OccupiedEntry<'a, 'p, K, V>),
}

/// The place of a key that the map does not have.
pub struct VacantEntry<'a, 'p, K: Persistent, V: Persistent> {
    map: &'a mut OrdMap<'p, K, V>,
    tx: &'a Fase<'p>,
    /// None if the map is empty.
    path: Option<Path>,
    key: K,
}

/// The place of a key that the map has.
pub struct OccupiedEntry<'a, 'p, K: Persistent, V: Persistent> {
    map: &'a mut OrdMap<'p, K, V>,
    tx: &'a Fase<'p>,
    path: Path,
}

const PATH: &str = "a path leads into a tree that is not empty";

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    /// The key's place, to look at and to change.
    ///
    /// Complexity: O(log n); nothing is copied before something is changed.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, counts| {
    /// for word in [3, 1, 3] {
    ///     *counts.entry(tx, word).or_default() += 1;
    /// }
    /// counts.entry(tx, 1).and_modify(|count| *count += 10).or_insert(1);
    /// assert!(counts.iter().eq([(&1, &11), (&3, &2)]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entry<'a>(&'a mut self, tx: &'a Fase<'p>, key: K) -> Entry<'a, 'p, K, V> {
        match self.root.as_ref().map(|root| Path::to(root, &key)) {
            Some(path) if path.is_found => Entry::Occupied(OccupiedEntry { map: self, tx, path }),
            path => Entry::Vacant(VacantEntry { map: self, tx, path, key }),
        }
    }

    /// The entry with the least key, to look at, change or take out.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// let first = map.first_entry(tx).map(|entry| entry.remove_entry());
    /// assert!(first == Some((1, 10)) && map.keys().eq(&[2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_entry<'a>(&'a mut self, tx: &'a Fase<'p>) -> Option<OccupiedEntry<'a, 'p, K, V>> {
        let path = Path::to_first(self.root.as_ref()?);
        Some(OccupiedEntry { map: self, tx, path })
    }

    /// The entry with the greatest key, to look at, change or take out.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// if let Some(mut last) = map.last_entry(tx) {
    ///     last.insert(31);
    /// }
    /// assert_eq!(map[&3], 31);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn last_entry<'a>(&'a mut self, tx: &'a Fase<'p>) -> Option<OccupiedEntry<'a, 'p, K, V>> {
        let path = Path::to_last(self.root.as_ref()?);
        Some(OccupiedEntry { map: self, tx, path })
    }
}

impl<'a, 'p, K, V> Entry<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    /// The value, which is this one if there was none.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// *map.entry(tx, 1).or_insert(10) += 1;
    /// *map.entry(tx, 1).or_insert(10) += 1;
    /// assert_eq!(map[&1], 12);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_insert(self, default: V) -> &'a mut V {
        self.or_insert_with(|| default)
    }

    /// The value, which is what `default` returns if there was none.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// assert_eq!(*map.entry(tx, 1).or_insert_with(|| 10), 10);
    /// assert_eq!(*map.entry(tx, 1).or_insert_with(|| unreachable!()), 10);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_insert_with(self, default: impl FnOnce() -> V) -> &'a mut V {
        self.or_insert_with_key(|_| default())
    }

    /// The value, which is what `default` makes of the key if there was none.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.entry(tx, 2).or_insert_with_key(|key| key * 10);
    /// assert_eq!(map[&2], 20);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_insert_with_key(self, default: impl FnOnce(&K) -> V) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let value = default(entry.key());
                entry.insert(value)
            }
        }
    }

    /// The value, which is the default if there was none.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// *map.entry(tx, 1).or_default() += 5;
    /// assert_eq!(map[&1], 5);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if there is one.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// for _ in 0..3 {
    ///     map.entry(tx, 1).and_modify(|value| *value += 1).or_insert(1);
    /// }
    /// assert_eq!(map[&1], 3);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Self {
        if let Entry::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// The key: the map's own if it has it.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// assert_eq!(map.entry(tx, 1).key(), &1);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }

    /// Gives the key a value.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// let entry = map.entry(tx, 1).insert_entry(10);
    /// assert_eq!((entry.key(), entry.get()), (&1, &10));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, 'p, K, V> {
        match self {
            Entry::Occupied(mut entry) => {
                entry.insert(value);
                entry
            }
            Entry::Vacant(entry) => entry.insert_entry(value),
        }
    }
}

impl<'a, 'p, K, V> VacantEntry<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    /// The key that would be inserted.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// if let Entry::Vacant(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.key(), &1);
    /// }
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The key back.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// if let Entry::Vacant(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.into_key(), 1);
    /// }
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_key(self) -> K {
        self.key
    }

    /// Gives the key a value.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// if let Entry::Vacant(entry) = map.entry(tx, 1) {
    ///     *entry.insert(10) += 1;
    /// }
    /// assert_eq!(map[&1], 11);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(self, value: V) -> &'a mut V {
        self.insert_entry(value).into_mut()
    }

    /// Gives the key a value.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// if let Entry::Vacant(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.insert_entry(10).get(), &10);
    /// }
    /// assert_eq!(map[&1], 10);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, 'p, K, V> {
        let VacantEntry { map, tx, path, key } = self;
        let pair = Pair { key, value };
        let path = match (&mut map.root, path) {
            (Some(root), Some(mut path)) => {
                edit::insert(tx, root, &mut path, pair);
                path
            }
            _ => Path::to_first(map.root.insert(Node::single(tx, pair))),
        };
        OccupiedEntry { map, tx, path }
    }
}

impl<'a, 'p, K, V> OccupiedEntry<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    fn pair(&self) -> &Pair<K, V> {
        self.path.pair(self.map.root.as_ref().expect(PATH))
    }

    /// The map's key.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.key(), &1);
    /// }
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> &K {
        &self.pair().key
    }

    /// The value.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.get(), &10);
    /// }
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self) -> &V {
        &self.pair().value
    }

    /// The value, for writing.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(mut entry) = map.entry(tx, 1) {
    ///     *entry.get_mut() += 1;
    ///     assert_eq!(entry.get(), &11);
    /// }
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.path.pair_mut(self.tx, self.map.root.as_mut().expect(PATH)).value
    }

    /// The value, for writing, as long as the map is borrowed.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(entry) = map.entry(tx, 1) {
    ///     *entry.into_mut() += 1;
    /// }
    /// assert_eq!(map[&1], 11);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_mut(self) -> &'a mut V {
        &mut self.path.pair_mut(self.tx, self.map.root.as_mut().expect(PATH)).value
    }

    /// Replaces the value; returns the old one.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(mut entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.insert(11), 10);
    /// }
    /// assert_eq!(map[&1], 11);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, value: V) -> V {
        mem::replace(self.get_mut(), value)
    }

    /// Takes the entry out and gives its value.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.remove(), 10);
    /// }
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(self) -> V {
        self.remove_entry().1
    }

    /// Takes the entry out.
    ///
    /// ```
    /// use pmem_runtime::collections::ord_map::Entry;
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.remove_entry(), (1, 10));
    /// }
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_entry(self) -> (K, V) {
        self.map.remove_at(self.tx, &self.path).expect(PATH)
    }
}

impl<'p, K, V> fmt::Debug for VacantEntry<'_, 'p, K, V>
where
    K: Persistent + fmt::Debug,
    V: Persistent,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key).finish()
    }
}

impl<'p, K, V> fmt::Debug for OccupiedEntry<'_, 'p, K, V>
where
    K: Persistent + fmt::Debug,
    V: Persistent + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = self.path.pair(self.map.root.as_ref().expect(PATH));
        f.debug_struct("OccupiedEntry").field("key", &pair.key).field("value", &pair.value).finish()
    }
}
