//! An ordered set: an [`OrdMap`] from its elements to nothing.
//!
//! **Problem.** Membership, order and ranges of elements, without values. A map's node with values of no size has room for
//! elements only, so a set costs what its elements cost; all that is said of the map, its complexities, its memory, what it keeps
//! after a crash and its sources, holds for the set ([`ord_map`](super::ord_map)).
//!
//! **Invariants.** Those of the map.

mod iter;
mod traits;
mod whole;

use equivalent::Comparable;
pub use iter::{Change, Diff, Iter, Range};
use pmem_derive::Persistent;

use super::Defect;
use super::ord_map::{Entry, OrdMap};
use crate::commit::Fase;
use crate::persist::Persistent;

/// A set of elements in their order. One word; an empty set has no node.
///
/// ```
/// use pmem_runtime::collections::OrdSet;
/// use pmem_runtime::{Pool, persist_fase};
///
/// let pool = Pool::<OrdSet<u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, set| {
///     assert!(set.insert(tx, 2));
///     assert!(set.insert(tx, 1));
///     assert!(!set.insert(tx, 2));
///     Ok(())
/// })?;
/// let now = pool.snapshot();
/// assert!(now.contains(&2) && now.iter().eq(&[1, 2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(C)]
pub struct OrdSet<'p, T> {
    map: OrdMap<'p, T, ()>,
}

impl<T> OrdSet<'_, T> {
    /// An empty set. It has no node.
    #[must_use]
    pub const fn new() -> Self {
        OrdSet { map: OrdMap::new() }
    }

    /// Whether the set has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Whether both are the same tree: equal without looking.
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.map.ptr_eq(&other.map)
    }
}

fn key<'a, T>((element, ()): (&'a T, &'a ())) -> &'a T {
    element
}

impl<T: Persistent> OrdSet<'_, T> {
    /// How many elements there are.
    ///
    /// Complexity: O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether the set has the element.
    ///
    /// Complexity: O(log n).
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
    #[must_use]
    pub fn get<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_key_value(element).map(key)
    }

    /// The least element.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.map.first_key_value().map(key)
    }

    /// The greatest element.
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
    #[must_use]
    pub fn get_le<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_le(element).map(key)
    }

    /// The least element not below this one: its ceiling.
    #[must_use]
    pub fn get_ge<Q>(&self, element: &Q) -> Option<&T>
    where
        Q: ?Sized + Comparable<T>,
    {
        self.map.get_ge(element).map(key)
    }

    /// The least element greater than this one.
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
    pub fn check(&self) -> Result<(), Defect> {
        self.map.check().map_err(|defect| Defect { collection: "OrdSet", ..defect })
    }
}

impl<'p, T: Persistent<At<'p> = T>> OrdSet<'p, T> {
    /// A second owner of the same elements: a version to keep.
    ///
    /// Complexity: O(1). What later changes in either is copied then.
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
    pub fn clear(&mut self, tx: &Fase<'p>) {
        self.map.clear(tx);
    }

    /// Removes the element. Whether it was there.
    ///
    /// Complexity: O(log n). Without such an element nothing is copied.
    pub fn remove<Q>(&mut self, tx: &Fase<'p>, element: &Q) -> bool
    where
        Q: ?Sized + Comparable<T>,
    {
        self.take(tx, element).is_some()
    }

    /// Takes the set's own element that is equal to this one.
    ///
    /// Complexity: O(log n). Without such an element nothing is copied.
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
    pub fn pop_last(&mut self, tx: &Fase<'p>) -> Option<T> {
        self.map.pop_last(tx).map(|(element, ())| element)
    }
}

impl<'p, T: Persistent<At<'p> = T> + Ord> OrdSet<'p, T> {
    /// Adds an element. Whether it is new; one that is there already stays, and nothing is copied.
    ///
    /// Complexity: O(log n).
    pub fn insert(&mut self, tx: &Fase<'p>, element: T) -> bool {
        match self.map.entry(tx, element) {
            Entry::Occupied(_) => false,
            Entry::Vacant(entry) => {
                entry.insert(());
                true
            }
        }
    }

    /// Adds an element in place of the one that is equal to it, which is returned.
    ///
    /// Complexity: O(log n).
    pub fn replace(&mut self, tx: &Fase<'p>, element: T) -> Option<T> {
        let old = self.take(tx, &element);
        self.insert(tx, element);
        old
    }

    /// Adds every element of the iterator.
    ///
    /// Complexity: that of as many insertions; into an empty set that of [`OrdSet::from_iter`].
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
    /// O(n log n).
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
