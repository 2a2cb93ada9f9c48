//! The leaves of a range, as slices, from both ends.

use std::ops::Range;
use std::slice;

use super::{Node, Place, Sequence};
use crate::persist::Persistent;

/// Runs of elements that lie side by side, in order. None is empty.
///
/// It remembers the siblings of the leaf it is at, and looks for the next parent when they are used up.
pub(crate) struct Chunks<'a, 'p, T> {
    sequence: &'a Sequence<'p, T>,
    range: Range<usize>,
    /// The leaves that follow at the first end, if they are known.
    first: slice::Iter<'a, Node<'p, T>>,
    /// The leaves that precede at the last end, if they are known.
    last: slice::Iter<'a, Node<'p, T>>,
}

impl<T> Clone for Chunks<'_, '_, T> {
    fn clone(&self) -> Self {
        Chunks {
            sequence: self.sequence,
            range: self.range.clone(),
            first: self.first.clone(),
            last: self.last.clone(),
        }
    }
}

/// A leaf among its siblings, and a place in it.
struct Seat<'a, 'p, T> {
    siblings: &'a [Node<'p, T>],
    index: usize,
    at: usize,
}

impl<'p, T> Sequence<'p, T>
where
    T: Persistent,
{
    fn seat(&self, index: usize) -> Option<Seat<'_, 'p, T>> {
        let alone = |leaf, at| Some(Seat { siblings: slice::from_ref(leaf), index: 0, at });
        match self.place(index) {
            Place::Front(at) => alone(self.front.as_ref()?, at),
            Place::Back(at) => alone(self.back.as_ref()?, at),
            Place::Tree(at) => {
                let (siblings, index, at) = self.tree.as_ref()?.seek(at)?;
                Some(Seat { siblings, index, at })
            }
        }
    }

    /// The leaf that the element at `index` lies in, and its place there.
    ///
    /// Complexity: O(log n).
    pub(crate) fn chunk_at(&self, index: usize) -> Option<(&[T], usize)> {
        let Seat { siblings, index, at } = self.seat(index)?;
        let items = siblings[index].items();
        (at < items.len()).then_some((items, at))
    }

    /// The elements of a range by leaves.
    ///
    /// # Panics
    /// If the range is not one of the elements'.
    pub(crate) fn chunks(&self, range: Range<usize>) -> Chunks<'_, 'p, T> {
        let len = self.len();
        assert!(range.start <= range.end && range.end <= len, "{range:?} is no range of {len} elements");
        Chunks { sequence: self, range, first: [].iter(), last: [].iter() }
    }
}

impl<'a, T> Chunks<'a, '_, T>
where
    T: Persistent,
{
    /// Elements that are left.
    pub(crate) fn rest(&self) -> usize {
        self.range.len()
    }

    /// What is left of a leaf in which nothing lies before the range; the range begins behind it.
    fn advance(&mut self, items: &'a [T]) -> Option<&'a [T]> {
        let chunk = &items[..items.len().min(self.range.len())];
        self.range.start += chunk.len();
        Some(chunk).filter(|chunk| !chunk.is_empty())
    }

    fn retreat(&mut self, items: &'a [T]) -> Option<&'a [T]> {
        let chunk = &items[items.len() - items.len().min(self.range.len())..];
        self.range.end -= chunk.len();
        Some(chunk).filter(|chunk| !chunk.is_empty())
    }
}

impl<'a, T> Iterator for Chunks<'a, '_, T>
where
    T: Persistent,
{
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        if self.range.is_empty() {
            return None;
        }
        if let Some(leaf) = self.first.next() {
            return self.advance(leaf.items());
        }
        let Seat { siblings, index, at } = self.sequence.seat(self.range.start)?;
        self.first = siblings[index + 1..].iter();
        self.advance(siblings[index].items().get(at..)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(!self.range.is_empty()), Some(self.range.len()))
    }
}

impl<T> DoubleEndedIterator for Chunks<'_, '_, T>
where
    T: Persistent,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.range.is_empty() {
            return None;
        }
        if let Some(leaf) = self.last.next_back() {
            return self.retreat(leaf.items());
        }
        let Seat { siblings, index, at } = self.sequence.seat(self.range.end - 1)?;
        self.last = siblings[..index].iter();
        self.retreat(siblings[index].items().get(..=at)?)
    }
}
