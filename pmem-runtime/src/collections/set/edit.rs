//! Changing a set in a section.

use std::hash::Hash;

use equivalent::Equivalent;

use super::{Drain, Set};
use crate::collections::map::Entry;
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, T: Persistent<At<'p> = T> + Hash + Eq> Set<'p, T> {
    /// Adds an element. Returns whether it is new; if not, the one that was there stays.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     assert!(set.insert(tx, 1));
    ///     assert!(!set.insert(tx, 1));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, tx: &Fase<'p>, element: T) -> bool {
        match self.map.entry(tx, element) {
            Entry::Occupied(_) => false,
            Entry::Vacant(entry) => {
                entry.insert_entry(());
                true
            }
        }
    }

    /// Adds an element in place of an equal one, which is returned. That one is taken out first: if `Hash` or `Eq` panics behind that
    /// and the section goes on, neither is in the set.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     assert_eq!(set.replace(tx, 1), None);
    ///     assert_eq!(set.replace(tx, 1), Some(1));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace(&mut self, tx: &Fase<'p>, element: T) -> Option<T> {
        let old = self.take(tx, &element);
        self.insert(tx, element);
        old
    }

    /// Takes an element out. Returns whether it was there.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     assert!(set.remove(tx, &1));
    ///     assert!(!set.remove(tx, &1));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove<Q>(&mut self, tx: &Fase<'p>, element: &Q) -> bool
    where
        Q: Hash + Equivalent<T> + ?Sized,
    {
        self.map.remove(tx, element).is_some()
    }

    /// Takes an element out and returns it.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     assert_eq!(set.take(tx, &1), Some(1));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take<Q>(&mut self, tx: &Fase<'p>, element: &Q) -> Option<T>
    where
        Q: Hash + Equivalent<T> + ?Sized,
    {
        self.map.remove_entry(tx, element).map(|(element, ())| element)
    }

    /// Keeps the elements for which `is_kept` says so. Subtrees of which all are kept stay as they are.
    ///
    /// Complexity: O(n) time; copies only nodes of which something is removed.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, 0..10);
    ///     set.retain(tx, |element| element % 2 == 0);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut is_kept: impl FnMut(&T) -> bool) {
        self.map.retain(tx, |element, ()| is_kept(element));
    }

    /// Adds elements.
    ///
    /// Complexity: O(log n) for each; each touched node is copied once.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, [1, 2]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(&mut self, tx: &Fase<'p>, elements: impl IntoIterator<Item = T>) {
        for element in elements {
            self.insert(tx, element);
        }
    }

    /// A set of these elements.
    ///
    /// Complexity: O(n log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     *set = Set::from_iter(tx, [1, 2]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_iter(tx: &Fase<'p>, elements: impl IntoIterator<Item = T>) -> Self {
        let mut set = Set::new();
        set.extend(tx, elements);
        set
    }

    /// What is in either set.
    ///
    /// Complexity: O(nodes in which the two differ). The result shares with both what it can.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     let left = Set::from_iter(tx, [1, 2]);
    ///     let right = Set::from_iter(tx, [2, 3]);
    ///     *set = left.union(tx, &right);
    ///     assert_eq!(*set, Set::from_iter(tx, [1, 2, 3]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn union(&self, tx: &Fase<'p>, other: &Self) -> Self {
        Set { map: self.map.union(tx, &other.map) }
    }

    /// What is in both sets.
    ///
    /// Complexity: O(nodes in which the two differ). The result shares with both what it can.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     let left = Set::from_iter(tx, [1, 2]);
    ///     let right = Set::from_iter(tx, [2, 3]);
    ///     *set = left.intersection(tx, &right);
    ///     assert_eq!(*set, Set::from_iter(tx, [2]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intersection(&self, tx: &Fase<'p>, other: &Self) -> Self {
        Set { map: self.map.intersection(tx, &other.map) }
    }

    /// What is in this set and not in the other.
    ///
    /// Complexity: O(nodes in which the two differ). The result shares with both what it can.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     let left = Set::from_iter(tx, [1, 2]);
    ///     let right = Set::from_iter(tx, [2, 3]);
    ///     *set = left.difference(tx, &right);
    ///     assert_eq!(*set, Set::from_iter(tx, [1]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn difference(&self, tx: &Fase<'p>, other: &Self) -> Self {
        Set { map: self.map.difference(tx, &other.map) }
    }

    /// What is in one set and not in the other.
    ///
    /// Complexity: O(nodes in which the two differ). The result shares with both what it can.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     let left = Set::from_iter(tx, [1, 2]);
    ///     let right = Set::from_iter(tx, [2, 3]);
    ///     *set = left.symmetric_difference(tx, &right);
    ///     assert_eq!(*set, Set::from_iter(tx, [1, 3]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn symmetric_difference(&self, tx: &Fase<'p>, other: &Self) -> Self {
        Set { map: self.map.symmetric_difference(tx, &other.map) }
    }

    /// Adds the elements of another set.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, [1, 2]);
    ///     let more = Set::from_iter(tx, [2, 3]);
    ///     set.append(tx, more);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: Self) {
        *self = self.union(tx, &other);
    }
}

impl<'p, T: Persistent<At<'p> = T>> Set<'p, T> {
    /// A second owner of the same elements.
    ///
    /// Complexity: O(1). It costs memory only for what is changed later in one of the two.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     let kept = set.share(tx);
    ///     set.insert(tx, 2);
    ///     assert_eq!(kept.len(), 1);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// A version with the element; this one stays as it is. The two share all but the path to it.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Set, Pool, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, root| {
    ///     let newer = root.update(tx, 1);
    ///     assert!(root.is_empty() && newer.contains(&1));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, value: T) -> Self
    where
        T: Hash + Eq,
    {
        let mut newer = self.share(tx);
        newer.insert(tx, value);
        newer
    }

    /// Takes all elements out, and lets them be iterated over. What is not taken from the iterator is given up.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     assert_eq!(set.drain(tx).next(), Some(1));
    ///     assert!(set.is_empty());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "`clear` gives all elements up"]
    pub fn drain<'a>(&mut self, tx: &'a Fase<'p>) -> Drain<'a, 'p, T> {
        Drain(self.map.drain(tx))
    }

    /// Gives all elements up.
    ///
    /// Complexity: O(1) here; the nodes are given back after the section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     set.clear();
    ///     Ok(())
    /// })?;
    /// assert!(pool.snapshot().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self) {
        self.map.clear();
    }
}
