//! A map read: lookups, and its ends.

use equivalent::Comparable;

use super::OrdMap;
use super::node::{Node, Pair};
use crate::persist::Persistent;

impl<'p, K: Persistent, V: Persistent> OrdMap<'p, K, V> {
    /// How many entries there are.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!(map.len(), 3);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.root.as_ref().map_or(0, Node::size)
    }

    fn find<Q>(&self, key: &Q) -> Option<&Pair<K, V>>
    where
        Q: ?Sized + Comparable<K>,
    {
        let mut node = self.root.as_ref()?;
        loop {
            match node.search(key) {
                Ok(at) => return node.pairs().get(at),
                Err(at) => node = node.child(at)?,
            }
        }
    }

    /// The value of the key.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// assert_eq!(map.get(&1), Some(&10));
    /// assert_eq!(map.get(&2), None);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.find(key).map(|pair| &pair.value)
    }

    /// The map's own key, and its value.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!(map.get_key_value(&2), Some((&2, &20)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_key_value<Q>(&self, key: &Q) -> Option<(&K, &V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.find(key).map(Pair::as_refs)
    }

    /// Whether the map has the key.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert!(map.contains_key(&2) && !map.contains_key(&4));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        Q: ?Sized + Comparable<K>,
    {
        self.find(key).is_some()
    }

    /// The entry with the least key.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!(map.first_key_value(), Some((&1, &10)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        let mut node = self.root.as_ref()?;
        while let Some(child) = node.child(0) {
            node = child;
        }
        node.pairs().first().map(Pair::as_refs)
    }

    /// The entry with the greatest key.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!(map.last_key_value(), Some((&3, &30)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        let mut node = self.root.as_ref()?;
        while let Some(child) = node.child(node.pairs().len()) {
            node = child;
        }
        node.pairs().last().map(Pair::as_refs)
    }
}
