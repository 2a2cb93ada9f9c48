//! The standard traits of a vector.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Index;

use super::Vector;
use crate::persist::Persistent;

impl<T: Persistent + fmt::Debug> fmt::Debug for Vector<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// # Panics
/// If there is no element at the index.
impl<T: Persistent> Index<usize> for Vector<'_, T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        let missing = || panic!("index {index} is not one of the {} elements", self.len());
        self.get(index).unwrap_or_else(missing)
    }
}

/// The elements in order, by their own `==`: an element that is not equal to itself, such as a NaN, makes a vector differ
/// from its own share. [`Vector::same`] compares versions without looking at what they share.
impl<T: Persistent + PartialEq> PartialEq for Vector<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && runs_eq(self.chunks(), other.chunks())
    }
}

/// Whether the elements of two sequences of runs, which are as many, are equal.
fn runs_eq<'a, 'b, T: PartialEq + 'a + 'b>(
    left: impl Iterator<Item = &'a [T]>,
    mut right: impl Iterator<Item = &'b [T]>,
) -> bool {
    let mut other: &[T] = &[];
    for mut own in left {
        while !own.is_empty() {
            if other.is_empty() {
                let Some(next) = right.next() else { return false };
                other = next;
            }
            let both = own.len().min(other.len());
            if own[..both] != other[..both] {
                return false;
            }
            (own, other) = (&own[both..], &other[both..]);
        }
    }
    true
}

impl<T: Persistent + Eq> Eq for Vector<'_, T> {}

impl<T: Persistent + PartialEq> PartialEq<[T]> for Vector<'_, T> {
    fn eq(&self, other: &[T]) -> bool {
        self.len() == other.len() && runs_eq(self.chunks(), std::iter::once(other))
    }
}

impl<T: Persistent + PartialEq> PartialEq<&[T]> for Vector<'_, T> {
    fn eq(&self, other: &&[T]) -> bool {
        *self == **other
    }
}

impl<T: Persistent + PartialEq, const N: usize> PartialEq<[T; N]> for Vector<'_, T> {
    fn eq(&self, other: &[T; N]) -> bool {
        *self == *other.as_slice()
    }
}

impl<T: Persistent + PartialEq> PartialEq<Vec<T>> for Vector<'_, T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        *self == *other.as_slice()
    }
}

impl<T: Persistent + PartialEq> PartialEq<Vector<'_, T>> for Vec<T> {
    fn eq(&self, other: &Vector<'_, T>) -> bool {
        *other == *self
    }
}

impl<T: Persistent + PartialOrd> PartialOrd for Vector<'_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other)
    }
}

impl<T: Persistent + Ord> Ord for Vector<'_, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other)
    }
}

impl<T: Persistent + Hash> Hash for Vector<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|element| element.hash(state));
    }
}
