//! Iteration from the top.

use std::fmt;
use std::iter::FusedIterator;
use std::{ptr, slice};

use super::{Node, Stack};
use crate::persist::Persistent;

/// The elements of a stack from the top: [`Stack::iter`].
pub struct Iter<'a, 'p, T> {
    pub(super) items: slice::Iter<'a, T>,
    below: Option<&'a Node<'p, T>>,
    pub(super) remaining: usize,
}

impl<'p, T: Persistent> Stack<'p, T> {
    /// All elements from the top.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// assert!(stack.iter().eq(&[3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, T> {
        Iter { items: [].iter(), below: self.top.as_ref(), remaining: self.len() }
    }
}

impl<'a, T: Persistent> Iter<'a, '_, T> {
    /// What is left of the node reached, the next one last; empty only at the end.
    pub(super) fn chunk(&mut self) -> &'a [T] {
        // A damaged stack may have no end: its length ends the walk, and so does an empty node.
        if self.remaining == 0 {
            return &[];
        }
        if self.items.as_slice().is_empty() {
            let Some(node) = self.below else { return &[] };
            self.items = node.items().iter();
            self.below = node.below();
        }
        self.items.as_slice()
    }

    /// Whether all that is left is the same, element by element. Once both are at the same place of the same node, it is.
    pub(super) fn same(mut self, mut other: Self) -> bool
    where
        T: Eq,
    {
        loop {
            let (left, right) = (self.chunk(), other.chunk());
            if left.is_empty() || right.is_empty() || ptr::eq(left, right) {
                return left.len() == right.len();
            }
            if self.next() != other.next() {
                return false;
            }
        }
    }
}

impl<T> Clone for Iter<'_, '_, T> {
    fn clone(&self) -> Self {
        Iter { items: self.items.clone(), ..*self }
    }
}

impl<'a, T: Persistent> Iterator for Iter<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        if self.chunk().is_empty() {
            return None;
        }
        let item = self.items.next_back()?;
        self.remaining = self.remaining.saturating_sub(1);
        Some(item)
    }

    fn nth(&mut self, mut skipped: usize) -> Option<&'a T> {
        loop {
            let chunk = self.chunk();
            let passed = chunk.len().min(skipped);
            self.items = chunk[..chunk.len() - passed].iter();
            self.remaining = self.remaining.saturating_sub(passed);
            skipped -= passed;
            if skipped == 0 || chunk.is_empty() {
                return self.next();
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<T: Persistent> ExactSizeIterator for Iter<'_, '_, T> {}
impl<T: Persistent> FusedIterator for Iter<'_, '_, T> {}

impl<T: Persistent + fmt::Debug> fmt::Debug for Iter<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, 'p, T: Persistent> IntoIterator for &'a Stack<'p, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, 'p, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
