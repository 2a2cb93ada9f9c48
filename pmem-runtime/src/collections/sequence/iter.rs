//! The elements of a range, from both ends.

use std::ops::Range;
use std::slice;

use super::{Chunks, Sequence};
use crate::persist::Persistent;

/// The elements of a range in order. Exact and double-ended.
pub(crate) struct Iter<'a, 'p, T> {
    first: slice::Iter<'a, T>,
    chunks: Chunks<'a, 'p, T>,
    last: slice::Iter<'a, T>,
}

impl<T> Clone for Iter<'_, '_, T> {
    fn clone(&self) -> Self {
        Iter { first: self.first.clone(), chunks: self.chunks.clone(), last: self.last.clone() }
    }
}

impl<'p, T> Sequence<'p, T>
where
    T: Persistent,
{
    /// The elements of a range.
    ///
    /// # Panics
    /// If the range is not one of the elements'.
    pub(crate) fn range(&self, range: Range<usize>) -> Iter<'_, 'p, T> {
        Iter { first: [].iter(), chunks: self.chunks(range), last: [].iter() }
    }
}

impl<'a, T> Iterator for Iter<'a, '_, T>
where
    T: Persistent,
{
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        if let Some(item) = self.first.next() {
            return Some(item);
        }
        match self.chunks.next() {
            Some(chunk) => {
                self.first = chunk.iter();
                self.first.next()
            }
            None => self.last.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.first.len() + self.chunks.rest() + self.last.len();
        (rest, Some(rest))
    }

    fn fold<B, F>(self, init: B, mut f: F) -> B
    where
        F: FnMut(B, &'a T) -> B,
    {
        let folded = self.first.fold(init, &mut f);
        let folded = self.chunks.fold(folded, |folded, chunk| chunk.iter().fold(folded, &mut f));
        self.last.fold(folded, f)
    }
}

impl<T> DoubleEndedIterator for Iter<'_, '_, T>
where
    T: Persistent,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        if let Some(item) = self.last.next_back() {
            return Some(item);
        }
        match self.chunks.next_back() {
            Some(chunk) => {
                self.last = chunk.iter();
                self.last.next_back()
            }
            None => self.first.next_back(),
        }
    }
}
