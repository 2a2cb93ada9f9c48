//! Iteration that lends elements for writing.
//!
//! While a rotation is under way, some chunks are in two lists, and a change in one would not be seen in the other. So the rotation
//! is finished first; then every chunk is in one place. The cells become the section's own at once, a chunk when it is reached.

use std::iter::FusedIterator;
use std::{fmt, slice, vec};

use super::Chunk;
use super::rotation::{List, Middle};
use crate::commit::Fase;
use crate::persist::Persistent;

/// The elements of a queue from the front, for writing: [`Queue::iter_mut`](super::Queue::iter_mut).
pub struct IterMut<'a, 'p, T> {
    tx: &'a Fase<'p>,
    front: slice::IterMut<'a, T>,
    chunks: vec::IntoIter<&'a mut Chunk<'p, T>>,
    back: slice::IterMut<'a, T>,
    remaining: usize,
}

/// The chunks of a list, for writing.
fn chunks_mut<'a, 'p, T>(tx: &Fase<'p>, list: &'a mut List<'p, T>) -> Vec<&'a mut Chunk<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    let (mut chunks, mut next) = (Vec::new(), list);
    while let Some(cell) = next {
        let cell = cell.make_mut(tx);
        chunks.push(&mut cell.chunk);
        next = &mut cell.next;
    }
    chunks
}

impl<'a, 'p, T: Persistent<At<'p> = T>> IterMut<'a, 'p, T> {
    pub(super) fn new(
        tx: &'a Fase<'p>,
        ends: [&'a mut Option<Chunk<'p, T>>; 2],
        middle: Option<&'a mut Middle<'p, T>>,
        remaining: usize,
    ) -> Self {
        let [first, last] = ends;
        let mut chunks: Vec<_> = first.iter_mut().collect();
        if let Some(middle) = middle {
            middle.finish(tx);
            chunks.extend(chunks_mut(tx, &mut middle.front));
            chunks.extend(chunks_mut(tx, &mut middle.rear).into_iter().rev());
        }
        chunks.extend(last);
        IterMut { tx, front: [].iter_mut(), chunks: chunks.into_iter(), back: [].iter_mut(), remaining }
    }
}

impl<'a, 'p, T: Persistent<At<'p> = T>> Iterator for IterMut<'a, 'p, T> {
    type Item = &'a mut T;

    fn next(&mut self) -> Option<&'a mut T> {
        self.remaining = self.remaining.checked_sub(1)?;
        loop {
            if let Some(item) = self.front.next() {
                return Some(item);
            }
            let Some(chunk) = self.chunks.next() else { return self.back.next() };
            self.front = chunk.0.edit(self.tx).items.iter_mut();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<'p, T: Persistent<At<'p> = T>> DoubleEndedIterator for IterMut<'_, 'p, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        loop {
            if let Some(item) = self.back.next_back() {
                return Some(item);
            }
            let Some(chunk) = self.chunks.next_back() else { return self.front.next_back() };
            self.back = chunk.0.edit(self.tx).items.iter_mut();
        }
    }
}

impl<'p, T: Persistent<At<'p> = T>> ExactSizeIterator for IterMut<'_, 'p, T> {}
impl<'p, T: Persistent<At<'p> = T>> FusedIterator for IterMut<'_, 'p, T> {}

impl<T> fmt::Debug for IterMut<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("remaining", &self.remaining).finish_non_exhaustive()
    }
}
