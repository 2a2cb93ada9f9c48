//! The iterators of a vector.

use std::fmt;
use std::iter::FusedIterator;

use super::Vector;
use crate::collections::sequence;
use crate::persist::Persistent;

/// The elements of a vector, or of a range of it, in order: [`Vector::iter`], [`Vector::range`].
pub struct Iter<'a, 'p, T>(pub(super) sequence::Iter<'a, 'p, T>);

/// The elements of a vector for writing, in order: [`Vector::iter_mut`].
pub struct IterMut<'a, 'p, T>(pub(super) sequence::IterMut<'a, 'p, T>);

/// The runs of a vector's elements that lie side by side, in order: [`Vector::chunks`].
pub struct Chunks<'a, 'p, T>(pub(super) sequence::Chunks<'a, 'p, T>);

impl<T> Clone for Iter<'_, '_, T> {
    fn clone(&self) -> Self {
        Iter(self.0.clone())
    }
}

impl<T> Clone for Chunks<'_, '_, T> {
    fn clone(&self) -> Self {
        Chunks(self.0.clone())
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for Iter<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for Chunks<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'p, T: Persistent<At<'p> = T>> fmt::Debug for IterMut<'_, 'p, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("len", &self.len()).finish()
    }
}

impl<'a, T: Persistent> Iterator for Iter<'a, '_, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<&'a T> {
        self.0.nth(n)
    }

    fn fold<B, F: FnMut(B, &'a T) -> B>(self, init: B, f: F) -> B {
        self.0.fold(init, f)
    }
}

impl<T: Persistent> DoubleEndedIterator for Iter<'_, '_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }

    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        self.0.nth_back(n)
    }
}

impl<T: Persistent> ExactSizeIterator for Iter<'_, '_, T> {}
impl<T: Persistent> FusedIterator for Iter<'_, '_, T> {}

impl<'a, 'p, T: Persistent<At<'p> = T>> Iterator for IterMut<'a, 'p, T> {
    type Item = &'a mut T;

    fn next(&mut self) -> Option<&'a mut T> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'p, T: Persistent<At<'p> = T>> DoubleEndedIterator for IterMut<'_, 'p, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl<'p, T: Persistent<At<'p> = T>> ExactSizeIterator for IterMut<'_, 'p, T> {}
impl<'p, T: Persistent<At<'p> = T>> FusedIterator for IterMut<'_, 'p, T> {}

impl<'a, T: Persistent> Iterator for Chunks<'a, '_, T> {
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T: Persistent> DoubleEndedIterator for Chunks<'_, '_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl<T: Persistent> FusedIterator for Chunks<'_, '_, T> {}

impl<'a, 'p, T: Persistent> IntoIterator for &'a Vector<'p, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, 'p, T>;

    fn into_iter(self) -> Iter<'a, 'p, T> {
        self.iter()
    }
}
