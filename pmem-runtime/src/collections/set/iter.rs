//! Walking over all elements, and over what distinguishes two sets.

use std::fmt;
use std::iter::FusedIterator;

use crate::collections::{SetChange, map};
use crate::persist::Persistent;

/// Over a set's elements, made by [`Set::iter`](super::Set::iter).
pub struct Iter<'a, 'p, T>(pub(super) map::Keys<'a, 'p, T, ()>);

impl<'a, T: Persistent> Iterator for Iter<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T: Persistent> DoubleEndedIterator for Iter<'_, '_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl<T: Persistent> ExactSizeIterator for Iter<'_, '_, T> {}
impl<T: Persistent> FusedIterator for Iter<'_, '_, T> {}

impl<T> Clone for Iter<'_, '_, T> {
    fn clone(&self) -> Self {
        Iter(self.0.clone())
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for Iter<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Moves a set's elements out, made by [`Set::drain`](super::Set::drain). What is not taken is given up.
pub struct Drain<'a, 'p, T>(pub(super) map::Drain<'a, 'p, T, ()>);

impl<'p, T: Persistent<At<'p> = T>> Iterator for Drain<'_, 'p, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next().map(|(element, ())| element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'p, T: Persistent<At<'p> = T>> ExactSizeIterator for Drain<'_, 'p, T> {}
impl<'p, T: Persistent<At<'p> = T>> FusedIterator for Drain<'_, 'p, T> {}

impl<T> fmt::Debug for Drain<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Over what distinguishes two sets, made by [`Set::diff`](super::Set::diff).
pub struct Diff<'a, 'p, T>(pub(super) map::Diff<'a, 'p, T, ()>);

impl<'a, T: Persistent + Eq> Iterator for Diff<'a, '_, T> {
    type Item = SetChange<'a, T>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.find_map(SetChange::of)
    }
}

impl<T: Persistent + Eq> FusedIterator for Diff<'_, '_, T> {}

impl<T> fmt::Debug for Diff<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
