//! Walking over what two sets have together, in order, without making a set of it: a snapshot is enough.

use std::cmp::Ordering;
use std::fmt;
use std::iter::FusedIterator;

use super::{Iter, OrdSet};
use crate::persist::Persistent;

/// One set, and its next element.
struct Side<'a, 'p, T> {
    next: Option<&'a T>,
    rest: Iter<'a, 'p, T>,
}

/// Two sets, walked side by side.
struct Merge<'a, 'p, T> {
    left: Side<'a, 'p, T>,
    right: Side<'a, 'p, T>,
}

/// An element of either set, or one of each that are equal.
enum Met<'a, T> {
    Left(&'a T),
    Right(&'a T),
    Both(&'a T),
}

impl<'a, 'p, T: Persistent> Side<'a, 'p, T> {
    fn new(set: &'a OrdSet<'p, T>) -> Self {
        let mut rest = set.iter();
        Side { next: rest.next(), rest }
    }

    fn len(&self) -> usize {
        self.rest.len() + usize::from(self.next.is_some())
    }

    fn take(&mut self) -> Option<&'a T> {
        std::mem::replace(&mut self.next, self.rest.next())
    }
}

impl<'a, 'p, T: Persistent + Ord> Merge<'a, 'p, T> {
    fn new(left: &'a OrdSet<'p, T>, right: &'a OrdSet<'p, T>) -> Self {
        Merge { left: Side::new(left), right: Side::new(right) }
    }

    fn next(&mut self) -> Option<Met<'a, T>> {
        let order = match (self.left.next, self.right.next) {
            (Some(left), Some(right)) => left.cmp(right),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        match order {
            Ordering::Less => self.left.take().map(Met::Left),
            Ordering::Greater => self.right.take().map(Met::Right),
            Ordering::Equal => {
                self.right.take();
                self.left.take().map(Met::Both)
            }
        }
    }
}

impl<T> Clone for Side<'_, '_, T> {
    fn clone(&self) -> Self {
        Side { next: self.next, rest: self.rest.clone() }
    }
}

impl<T> Clone for Merge<'_, '_, T> {
    fn clone(&self) -> Self {
        Merge { left: self.left.clone(), right: self.right.clone() }
    }
}

macro_rules! lazy {
    ($(#[$doc:meta])* $name:ident, $wanted:pat => $element:ident, |$left:ident, $right:ident| $bounds:expr) => {
        $(#[$doc])*
        pub struct $name<'a, 'p, T>(Merge<'a, 'p, T>);

        impl<'a, T: Persistent + Ord> Iterator for $name<'a, '_, T> {
            type Item = &'a T;

            fn next(&mut self) -> Option<&'a T> {
                loop {
                    match self.0.next()? {
                        $wanted => return Some($element),
                        #[allow(unreachable_patterns, reason = "a union wants them all")]
                        _ => {}
                    }
                }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let ($left, $right) = (self.0.left.len(), self.0.right.len());
                $bounds
            }
        }

        impl<T: Persistent + Ord> FusedIterator for $name<'_, '_, T> {}

        impl<T> Clone for $name<'_, '_, T> {
            fn clone(&self) -> Self {
                $name(self.0.clone())
            }
        }

        impl<T: Persistent + Ord + fmt::Debug> fmt::Debug for $name<'_, '_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.clone()).finish()
            }
        }
    };
}

lazy!(
    /// The elements of either set, in order: [`OrdSet::iter_union`].
    Union,
    Met::Left(element) | Met::Right(element) | Met::Both(element) => element,
    |left, right| (left.max(right), left.checked_add(right))
);
lazy!(
    /// The elements of both sets, in order: [`OrdSet::iter_intersection`].
    Intersection,
    Met::Both(element) => element,
    |left, right| (0, Some(left.min(right)))
);
lazy!(
    /// The elements of one set that are not in the other, in order: [`OrdSet::iter_difference`].
    Difference,
    Met::Left(element) => element,
    |left, right| (left.saturating_sub(right), Some(left))
);
lazy!(
    /// The elements that only one of two sets has, in order: [`OrdSet::iter_symmetric_difference`].
    SymmetricDifference,
    Met::Left(element) | Met::Right(element) => element,
    |left, right| (left.abs_diff(right), left.checked_add(right))
);

impl<'p, T: Persistent + Ord> OrdSet<'p, T> {
    /// The elements of either set, in order. [`OrdSet::union`] makes a set of them.
    ///
    /// Complexity: O(1) each on average, with n elements in both sets O(n) for all.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, OrdSet, persist_fase};
    /// # let pool = Pool::<(OrdSet<u64>, OrdSet<u64>)>::options().volatile()?;
    /// persist_fase!(pool, |tx, sets| {
    ///     sets.0.extend(tx, [1, 2]);
    ///     sets.1.extend(tx, [2, 3]);
    ///     Ok(())
    /// })?;
    /// let now = pool.snapshot();
    /// assert_eq!(now.0.iter_union(&now.1).collect::<Vec<_>>(), [&1, &2, &3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_union<'a>(&'a self, other: &'a Self) -> Union<'a, 'p, T> {
        Union(Merge::new(self, other))
    }

    /// The elements of both sets, in order. [`OrdSet::intersection`] makes a set of them, and passes over what both share.
    ///
    /// Complexity: with n elements in both sets O(n) for all.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, OrdSet, persist_fase};
    /// # let pool = Pool::<(OrdSet<u64>, OrdSet<u64>)>::options().volatile()?;
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
        Intersection(Merge::new(self, other))
    }

    /// The elements that `other` does not have, in order. [`OrdSet::difference`] makes a set of them; where the two share much,
    /// [`OrdSet::diff`] finds them sooner.
    ///
    /// Complexity: with n elements in both sets O(n) for all.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, OrdSet, persist_fase};
    /// # let pool = Pool::<(OrdSet<u64>, OrdSet<u64>)>::options().volatile()?;
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
        Difference(Merge::new(self, other))
    }

    /// The elements that only one of the two has, in order. [`OrdSet::symmetric_difference`] makes a set of them; where the two
    /// share much, [`OrdSet::diff`] finds them sooner.
    ///
    /// Complexity: with n elements in both sets O(n) for all.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, OrdSet, persist_fase};
    /// # let pool = Pool::<(OrdSet<u64>, OrdSet<u64>)>::options().volatile()?;
    /// persist_fase!(pool, |tx, sets| {
    ///     sets.0.extend(tx, [1, 2]);
    ///     sets.1.extend(tx, [2, 3]);
    ///     Ok(())
    /// })?;
    /// let now = pool.snapshot();
    /// assert_eq!(now.0.iter_symmetric_difference(&now.1).collect::<Vec<_>>(), [&1, &3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_symmetric_difference<'a>(&'a self, other: &'a Self) -> SymmetricDifference<'a, 'p, T> {
        SymmetricDifference(Merge::new(self, other))
    }
}
