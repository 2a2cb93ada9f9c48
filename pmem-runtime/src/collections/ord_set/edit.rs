//! A set changed by a section, an element at a time.

use equivalent::Comparable;

use super::OrdSet;
use crate::collections::ord_map::{Entry, OrdMap};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, T: Persistent<At<'p> = T>> OrdSet<'p, T> {
    /// A second owner of the same elements: a version to keep.
    ///
    /// Complexity: O(1). What later changes in either is copied then.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// let before = set.share(tx);
    /// set.remove(tx, &2);
    /// assert_eq!((before.len(), set.len()), (3, 2));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        OrdSet { map: self.map.share(tx) }
    }

    /// A version with the element; this one stays as it is. The two share all but the path to it.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{OrdSet, Pool, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
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
        T: Ord,
    {
        let mut newer = self.share(tx);
        newer.insert(tx, value);
        newer
    }

    /// Removes all elements.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// set.clear(tx);
    /// assert!(set.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, tx: &Fase<'p>) {
        self.map.clear(tx);
    }

    /// Removes the element. Whether it was there.
    ///
    /// Complexity: O(log n). Without such an element nothing is copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert!(set.remove(tx, &2) && !set.remove(tx, &2));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove<Q>(&mut self, tx: &Fase<'p>, element: &Q) -> bool
    where
        Q: ?Sized + Comparable<T>,
    {
        self.take(tx, element).is_some()
    }

    /// Takes the set's own element that is equal to this one.
    ///
    /// Complexity: O(log n). Without such an element nothing is copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!((set.take(tx, &2), set.take(tx, &2)), (Some(2), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take<Q>(&mut self, tx: &Fase<'p>, element: &Q) -> Option<T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.remove_entry(tx, element).map(|(element, ())| element)
    }

    /// Takes the least element.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [2, 1, 3]);
    /// assert_eq!((set.pop_first(tx), set.pop_last(tx)), (Some(1), Some(3)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop_first(&mut self, tx: &Fase<'p>) -> Option<T> {
        self.map.pop_first(tx).map(|(element, ())| element)
    }

    /// Takes the greatest element.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// assert_eq!(set.pop_last(tx), Some(3));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop_last(&mut self, tx: &Fase<'p>) -> Option<T> {
        self.map.pop_last(tx).map(|(element, ())| element)
    }
}

impl<'p, T: Persistent<At<'p> = T> + Ord> OrdSet<'p, T> {
    /// Adds an element. Whether it is new; one that is there already stays, and nothing is copied.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// assert!(set.insert(tx, 1) && !set.insert(tx, 1));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, tx: &Fase<'p>, element: T) -> bool {
        match self.map.entry(tx, element) {
            Entry::Occupied(_) => false,
            Entry::Vacant(entry) => {
                entry.insert(());
                true
            }
        }
    }

    /// Adds an element in place of the one that is equal to it, which is returned. That one is taken out first: if `Ord` panics
    /// behind that and the section goes on, neither is in the set.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// assert_eq!((set.replace(tx, 1), set.replace(tx, 1)), (None, Some(1)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace(&mut self, tx: &Fase<'p>, element: T) -> Option<T> {
        let old = self.take(tx, &element);
        self.insert(tx, element);
        old
    }

    /// Adds every element of the iterator.
    ///
    /// Complexity: that of as many insertions; into an empty set that of [`OrdSet::from_iter`]. If `Ord` panics and the section goes on,
    /// the set has what was inserted before, which into an empty set is nothing.
    ///
    /// # Panics
    /// As [`OrdSet::from_iter`], into an empty set.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// set.extend(tx, [1, 2, 3]);
    /// set.extend(tx, [3, 4]);
    /// assert_eq!(set.len(), 4);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend<I>(&mut self, tx: &Fase<'p>, elements: I)
    where
        I: IntoIterator<Item = T>,
    {
        if self.is_empty() {
            *self = OrdSet::from_iter(tx, elements);
            return;
        }
        for element in elements {
            self.insert(tx, element);
        }
    }

    /// A set of these elements.
    ///
    /// Complexity: O(n) and full nodes as long as they ascend; what follows the first that does not is sorted in memory:
    /// O(n log n). Of equal elements the first stays, as in the standard library.
    ///
    /// # Panics
    /// It may, as the standard library's sort, if `Ord` is no total order. After a panic of `Ord`, what was taken from the iterator
    /// is gone.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdSet, persist_fase};
    /// # let pool = Pool::<OrdSet<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, set| {
    /// *set = OrdSet::from_iter(tx, 0..1000);
    /// assert!(set.len() == 1000 && set.contains(&999));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_iter<I>(tx: &Fase<'p>, elements: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        OrdSet { map: OrdMap::from_iter(tx, elements.into_iter().map(|element| (element, ()))) }
    }
}
