//! A set read: lookups, its ends, and its check.

use equivalent::Comparable;

use super::{OrdSet, key};
use crate::collections::Defect;
use crate::persist::Persistent;

impl<T: Persistent> OrdSet<'_, T> {
    /// How many elements there are.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!(set.len(), 3);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether the set has the element.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert!(set.contains(&2) && !set.contains(&4));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains<Q>(&self, element: &Q) -> bool
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.contains_key(element)
    }

    /// The set's own element that is equal to this one.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!((set.get(&2), set.get(&4)), (Some(&2), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_key_value(element).map(key)
    }

    /// The least element.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!(set.first(), Some(&1));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.map.first_key_value().map(key)
    }

    /// The greatest element.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!(set.last(), Some(&3));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.map.last_key_value().map(key)
    }

    /// The greatest element less than this one.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [10, 20, 30]);
    /// assert_eq!((set.get_lt(&20), set.get_le(&20)), (Some(&10), Some(&20)));
    /// assert_eq!((set.get_ge(&21), set.get_gt(&30)), (Some(&30), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_lt<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_lt(element).map(key)
    }

    /// The greatest element not above this one: its floor.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!((set.get_le(&9), set.get_le(&0)), (Some(&3), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_le<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_le(element).map(key)
    }

    /// The least element not below this one: its ceiling.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!((set.get_ge(&2), set.get_ge(&4)), (Some(&2), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_ge<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_ge(element).map(key)
    }

    /// The least element greater than this one.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!((set.get_gt(&2), set.get_gt(&3)), (Some(&3), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_gt<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_gt(element).map(key)
    }
}

impl<T: Persistent + Ord> OrdSet<'_, T> {
    /// Verifies the set's invariants: the order of the elements, the shape of the tree, and its sizes.
    ///
    /// Complexity: O(n).
    ///
    /// # Errors
    /// The first invariant that does not hold, and where.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// set.check()?;
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        self.map.check().map_err(|defect| Defect { collection: "OrdSet", ..defect })
    }
}
