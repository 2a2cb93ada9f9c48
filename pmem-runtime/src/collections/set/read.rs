//! Reading a set: no section needed.

use std::fmt;
use std::hash::Hash;

use equivalent::Equivalent;

use super::{Diff, Iter, Set};
use crate::collections::Defect;
use crate::persist::Persistent;

impl<'p, T: Persistent> Set<'p, T> {
    /// How many elements there are.
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
    #[must_use]
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.clear(tx);
    ///     Ok(())
    /// })?;
    /// assert!(pool.snapshot().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Whether there is such an element; any borrowed form of it will do.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     Ok(())
    /// })?;
    /// assert!(pool.snapshot().contains(&1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains<Q>(&self, element: &Q) -> bool
    where
        Q: Hash + Equivalent<T> + ?Sized,
    {
        self.map.contains_key(element)
    }

    /// The element that is equal to this one.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().get(&1), Some(&1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: Hash + Equivalent<T> + ?Sized,
    {
        self.map.get_key_value(element).map(|(element, ())| element)
    }

    /// Over all elements, in no order that means anything.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, [1, 2, 3]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot().iter().sum::<u64>(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, T> {
        Iter(self.map.keys())
    }

    /// Whether both are the same tree, so that they are equal without looking. Two empty sets are.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.insert(tx, 1);
    ///     let kept = set.share(tx);
    ///     assert!(kept.ptr_eq(set));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.map.ptr_eq(&other.map)
    }
}

impl<'p, T: Persistent + Hash + Eq> Set<'p, T> {
    /// What makes `newer` differ from this set, in no particular order.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// use pmem_runtime::collections::SetChange;
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, 0..1000);
    ///     let kept = set.share(tx);
    ///     set.remove(tx, &5);
    ///     assert_eq!(kept.diff(set).collect::<Vec<_>>(), [SetChange::Removed(&5)]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diff<'a>(&'a self, newer: &'a Self) -> Diff<'a, 'p, T> {
        Diff(self.map.diff(&newer.map))
    }

    /// Whether all elements of this set are in the other.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, 0..10);
    ///     let even = Set::from_iter(tx, [2, 4]);
    ///     assert!(even.is_subset(set));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.map.has_keys_within(&other.map)
    }

    /// Whether all elements of the other set are in this one.
    ///
    /// Complexity: O(nodes in which the two differ).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, 0..10);
    ///     let even = Set::from_iter(tx, [2, 4]);
    ///     assert!(set.is_superset(&even));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_superset(&self, other: &Self) -> bool {
        other.is_subset(self)
    }

    /// Whether no element is in both.
    ///
    /// Complexity: O(the smaller one's length).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, 0..10);
    ///     assert!(set.is_disjoint(&Set::from_iter(tx, [10, 11])));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        // What has a common node has a common element.
        few.is_empty() || !(few.ptr_eq(many) || few.iter().any(|element| many.contains(element)))
    }

    /// Verifies the set's invariants.
    ///
    /// # Errors
    /// The first one found broken: the file is damaged, or an element's `Hash` or `Eq` does not keep its contract.
    ///
    /// Complexity: O(n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<Set<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, set| {
    ///     set.extend(tx, 0..1000);
    ///     Ok(())
    /// })?;
    /// pool.snapshot().check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        self.map.check_as("Set")
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for Set<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

/// Complexity: O(nodes in which the two differ).
impl<T: Persistent + Hash + Eq> PartialEq for Set<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.map.same(&other.map)
    }
}

impl<T: Persistent + Hash + Eq> Eq for Set<'_, T> {}

impl<'a, 'p, T: Persistent> IntoIterator for &'a Set<'p, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, 'p, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
