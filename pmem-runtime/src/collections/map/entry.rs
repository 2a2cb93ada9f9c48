//! The place of a key: occupied or vacant.

use std::fmt;
use std::hash::Hash;
use std::mem;

use super::Map;
use super::node::Route;
use super::trie::Place;
use crate::commit::Fase;
use crate::persist::Persistent;

/// The place of a key, made by [`Map::entry`].
pub enum Entry<'a, 'p, K, V> {
    /// The map has the key.
    Occupied(OccupiedEntry<'a, 'p, K, V>),
    /// The map has not.
    Vacant(VacantEntry<'a, 'p, K, V>),
}

/// The place of a key that the map has.
pub struct OccupiedEntry<'a, 'p, K, V> {
    pub(super) map: &'a mut Map<'p, K, V>,
    pub(super) tx: &'a Fase<'p>,
    pub(super) place: (Route, Place),
}

/// The place of a key that the map has not.
pub struct VacantEntry<'a, 'p, K, V> {
    pub(super) map: &'a mut Map<'p, K, V>,
    pub(super) tx: &'a Fase<'p>,
    pub(super) place: (Route, Place),
    pub(super) key: K,
}

impl<'a, 'p, K, V> Entry<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq,
    V: Persistent<At<'p> = V>,
{
    /// The value, put there if there is none.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     *map.entry(tx, 1).or_insert(5) += 1;
    ///     assert_eq!(map.get(&1), Some(&6));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value, made and put there if there is none.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     assert_eq!(*map.entry(tx, 1).or_insert_with(|| 5), 5);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        self.or_insert_with_key(|_| value())
    }

    /// The value, made of its key and put there if there is none.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     assert_eq!(*map.entry(tx, 1).or_insert_with_key(|key| key * 2), 2);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_insert_with_key(self, value: impl FnOnce(&K) -> V) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let value = value(&entry.key);
                entry.insert(value)
            }
        }
    }

    /// The value, by default that of its type.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     assert_eq!(*map.entry(tx, 1).or_default(), 0);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value, if there is one.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     map.insert(tx, 1, 10);
    ///     map.entry(tx, 1).and_modify(|value| *value += 1).or_insert(0);
    ///     assert_eq!(map.get(&1), Some(&11));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Self {
        if let Entry::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// Sets the value.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     assert_eq!(map.entry(tx, 1).insert_entry(10).get(), &10);
    ///     Ok(())
    /// })?;
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

    /// The key.
    ///
    /// ```
    /// # use pmem_runtime::{Map, Pool, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, map| {
    ///     assert_eq!(map.entry(tx, 1).key(), &1);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }
}

/// # Examples
/// ```
/// use pmem_runtime::collections::map::Entry;
/// # use pmem_runtime::{Map, Pool, persist_fase};
/// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, map| {
///     map.insert(tx, 1, 10);
///     let Entry::Occupied(mut entry) = map.entry(tx, 1) else { unreachable!() };
///     assert_eq!((entry.key(), entry.get()), (&1, &10));
///     *entry.get_mut() += 1;
///     assert_eq!(entry.insert(12), 11);
///     assert_eq!(entry.remove(), 12);
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'a, 'p, K, V> OccupiedEntry<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq,
    V: Persistent<At<'p> = V>,
{
    /// The key as the map has it.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
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
        &self.map.pair_seen_at(self.place).key
    }

    /// The value.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
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
        &self.map.pair_seen_at(self.place).value
    }

    /// The value for writing.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(mut entry) = map.entry(tx, 1) {
    ///     *entry.get_mut() += 1;
    /// }
    /// assert_eq!(map[&1], 11);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.map.pair_at(self.tx, self.place).value
    }

    /// The value for writing, for as long as the map is borrowed.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
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
        &mut self.map.pair_at(self.tx, self.place).value
    }

    /// Sets the value. Returns the one that was there.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
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

    /// Takes the entry out. Returns its value.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.remove(), 10);
    /// }
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "`Map::remove` needs no entry"]
    pub fn remove(self) -> V {
        self.remove_entry().1
    }

    /// Takes the entry out. Returns it with its key.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Entry::Occupied(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.remove_entry(), (1, 10));
    /// }
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "`Map::remove` needs no entry"]
    pub fn remove_entry(self) -> (K, V) {
        let pair = self.map.remove_at(self.tx, self.place);
        (pair.key, pair.value)
    }
}

/// # Examples
/// ```
/// use pmem_runtime::collections::map::Entry;
/// # use pmem_runtime::{Map, Pool, persist_fase};
/// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, map| {
///     let Entry::Vacant(entry) = map.entry(tx, 1) else { unreachable!() };
///     assert_eq!(entry.key(), &1);
///     *entry.insert(10) += 1;
///     assert_eq!(map.get(&1), Some(&11));
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'a, 'p, K, V> VacantEntry<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq,
    V: Persistent<At<'p> = V>,
{
    /// The key that was looked for.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// if let Entry::Vacant(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.key(), &1);
    /// }
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The key that was looked for.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
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

    /// Puts a value there.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
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

    /// Puts a value there. Returns its place.
    ///
    /// ```
    /// use pmem_runtime::collections::map::Entry;
    /// # use pmem_runtime::{Pool, collections::Map, persist_fase};
    /// # let pool = Pool::<Map<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// if let Entry::Vacant(entry) = map.entry(tx, 1) {
    ///     assert_eq!(entry.insert_entry(10).get(), &10);
    /// }
    /// assert_eq!(map[&1], 10);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, 'p, K, V> {
        let VacantEntry { map, tx, place, key } = self;
        let place = map.insert_at(tx, place, key, value);
        OccupiedEntry { map, tx, place }
    }
}

impl<'p, K, V> fmt::Debug for Entry<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq + fmt::Debug,
    V: Persistent<At<'p> = V> + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Occupied(entry) => f.debug_tuple("Entry").field(entry).finish(),
            Entry::Vacant(entry) => f.debug_tuple("Entry").field(entry).finish(),
        }
    }
}

impl<'p, K, V> fmt::Debug for OccupiedEntry<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq + fmt::Debug,
    V: Persistent<At<'p> = V> + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupiedEntry").field("key", self.key()).field("value", self.get()).finish()
    }
}

impl<K: fmt::Debug, V> fmt::Debug for VacantEntry<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key).finish()
    }
}
