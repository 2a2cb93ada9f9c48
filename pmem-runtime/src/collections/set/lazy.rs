//! Walking over what two sets have together, without making a set of it: a snapshot is enough.

use std::fmt;
use std::hash::Hash;
use std::iter::{Chain, FusedIterator};

use super::{Iter, Set};
use crate::persist::Persistent;

/// Over the elements of one set that are in the other, made by
/// [`Set::iter_intersection`](super::Set::iter_intersection).
pub struct Intersection<'a, 'p, T> {
    iter: Iter<'a, 'p, T>,
    other: &'a Set<'p, T>,
}

/// Over the elements of one set that are not in the other, made by
/// [`Set::iter_difference`](super::Set::iter_difference).
pub struct Difference<'a, 'p, T> {
    iter: Iter<'a, 'p, T>,
    other: &'a Set<'p, T>,
}

/// Over the elements of either set, made by [`Set::iter_union`](super::Set::iter_union).
pub struct Union<'a, 'p, T>(Chain<Iter<'a, 'p, T>, Difference<'a, 'p, T>>);

/// Over the elements that only one of two sets has, made by
/// [`Set::iter_symmetric_difference`](super::Set::iter_symmetric_difference).
pub struct SymmetricDifference<'a, 'p, T>(Chain<Difference<'a, 'p, T>, Difference<'a, 'p, T>>);

impl<'p, T: Persistent + Hash + Eq> Set<'p, T> {
    /// Over what is in either set: first all of this one, then what only the other has. [`Set::union`] makes a set of them.
    ///
    /// Complexity: O(1) for each of this set, O(log n) for each of the other.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<(Set<u64>, Set<u64>)>::options().volatile()?;
    /// persist_fase!(pool, |tx, sets| {
    ///     sets.0.extend(tx, [1, 2]);
    ///     sets.1.extend(tx, [2, 3]);
    ///     Ok(())
    /// })?;
    /// let now = pool.snapshot();
    /// assert_eq!(now.0.iter_union(&now.1).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_union<'a>(&'a self, other: &'a Self) -> Union<'a, 'p, T> {
        Union(self.iter().chain(other.iter_difference(self)))
    }

    /// Over what is in both sets. [`Set::intersection`] makes a set of them.
    ///
    /// Complexity: O(log n) for each element of the smaller set.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<(Set<u64>, Set<u64>)>::options().volatile()?;
    /// persist_fase!(pool, |tx, sets| {
    ///     sets.0.extend(tx, [1, 2]);
    ///     sets.1.extend(tx, [2, 3]);
    ///     Ok(())
    /// })?;
    /// let now = pool.snapshot();
    /// assert_eq!(now.0.iter_intersection(&now.1).collect::<Vec<_>>(), [&2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_intersection<'a>(&'a self, other: &'a Self) -> Intersection<'a, 'p, T> {
        let (small, large) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        Intersection { iter: small.iter(), other: large }
    }

    /// Over what is in this set and not in the other. [`Set::difference`] makes a set of them; where the two share much,
    /// [`Set::diff`] finds them sooner.
    ///
    /// Complexity: O(log n) for each element of this set.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<(Set<u64>, Set<u64>)>::options().volatile()?;
    /// persist_fase!(pool, |tx, sets| {
    ///     sets.0.extend(tx, [1, 2]);
    ///     sets.1.extend(tx, [2, 3]);
    ///     Ok(())
    /// })?;
    /// let now = pool.snapshot();
    /// assert_eq!(now.0.iter_difference(&now.1).collect::<Vec<_>>(), [&1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_difference<'a>(&'a self, other: &'a Self) -> Difference<'a, 'p, T> {
        Difference { iter: self.iter(), other }
    }

    /// Over what is in one set and not in the other. [`Set::symmetric_difference`] makes a set of them; where the two share much,
    /// [`Set::diff`] finds them sooner.
    ///
    /// Complexity: O(log n) for each element of both sets.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, Set, persist_fase};
    /// # let pool = Pool::<(Set<u64>, Set<u64>)>::options().volatile()?;
    /// persist_fase!(pool, |tx, sets| {
    ///     sets.0.extend(tx, [1, 2]);
    ///     sets.1.extend(tx, [2, 3]);
    ///     Ok(())
    /// })?;
    /// let now = pool.snapshot();
    /// assert_eq!(now.0.iter_symmetric_difference(&now.1).count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_symmetric_difference<'a>(&'a self, other: &'a Self) -> SymmetricDifference<'a, 'p, T> {
        SymmetricDifference(self.iter_difference(other).chain(other.iter_difference(self)))
    }
}

impl<'a, T: Persistent + Hash + Eq> Iterator for Intersection<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.iter.find(|element| self.other.contains(*element))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.iter.len()))
    }
}

impl<'a, T: Persistent + Hash + Eq> Iterator for Difference<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.iter.find(|element| !self.other.contains(*element))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.iter.len().saturating_sub(self.other.len()), Some(self.iter.len()))
    }
}

macro_rules! chained {
    ($name:ident) => {
        impl<'a, T: Persistent + Hash + Eq> Iterator for $name<'a, '_, T> {
            type Item = &'a T;

            fn next(&mut self) -> Option<&'a T> {
                self.0.next()
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<T> Clone for $name<'_, '_, T> {
            fn clone(&self) -> Self {
                $name(self.0.clone())
            }
        }
    };
}

macro_rules! filtered {
    ($name:ident) => {
        impl<T> Clone for $name<'_, '_, T> {
            fn clone(&self) -> Self {
                $name { iter: self.iter.clone(), other: self.other }
            }
        }
    };
}

macro_rules! lazy {
    ($($name:ident)*) => {$(
        impl<T: Persistent + Hash + Eq> FusedIterator for $name<'_, '_, T> {}

        impl<T: Persistent + Hash + Eq + fmt::Debug> fmt::Debug for $name<'_, '_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.clone()).finish()
            }
        }
    )*};
}

chained!(Union);
chained!(SymmetricDifference);
filtered!(Intersection);
filtered!(Difference);
lazy!(Union Intersection Difference SymmetricDifference);
