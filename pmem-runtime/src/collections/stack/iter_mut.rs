//! Iteration from the top that lends elements for writing. A node becomes the section's own when it is reached.

use std::fmt;
use std::iter::FusedIterator;
use std::slice;

use super::Node;
use crate::commit::Fase;
use crate::persist::Persistent;

/// The elements of a stack from the top, for writing: [`Stack::iter_mut`](super::Stack::iter_mut).
pub struct IterMut<'a, 'p, T> {
    pub(super) tx: &'a Fase<'p>,
    pub(super) items: slice::IterMut<'a, T>,
    pub(super) below: Option<&'a mut Node<'p, T>>,
    pub(super) remaining: usize,
}

impl<'a, 'p, T: Persistent<At<'p> = T>> Iterator for IterMut<'a, 'p, T> {
    type Item = &'a mut T;

    fn next(&mut self) -> Option<&'a mut T> {
        loop {
            if let Some(item) = self.items.next_back() {
                self.remaining = self.remaining.saturating_sub(1);
                return Some(item);
            }
            let node = self.below.take()?.0.edit(self.tx);
            self.items = node.items.iter_mut();
            self.below = node.children.first_mut();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<'p, T: Persistent<At<'p> = T>> ExactSizeIterator for IterMut<'_, 'p, T> {}
impl<'p, T: Persistent<At<'p> = T>> FusedIterator for IterMut<'_, 'p, T> {}

impl<T> fmt::Debug for IterMut<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("remaining", &self.remaining).finish_non_exhaustive()
    }
}
