//! Iteration from both ends.

use std::collections::VecDeque;
use std::iter::FusedIterator;
use std::{fmt, ptr, slice};

use super::rotation::{Cell, Middle};
use super::{Chunk, Queue};
use crate::persist::{P, Persistent};

/// The elements of a queue from the front: [`Queue::iter`].
pub struct Iter<'a, 'p, T> {
    /// What is left of the chunk reached from the front, and of the one from the back.
    front: slice::Iter<'a, T>,
    back: slice::Iter<'a, T>,
    between: Between<'a, 'p, T>,
    remaining: usize,
}

/// The chunks between. They are listed only when somebody gets to where no list leads forwards.
enum Between<'a, 'p, T> {
    Unlisted { next: Option<&'a P<'p, Cell<'p, T>>>, middle: &'a Middle<'p, T> },
    Listed(VecDeque<&'a Chunk<'p, T>>),
}

impl<'p, T: Persistent> Queue<'p, T> {
    /// All elements in the order in which they came.
    ///
    /// Complexity: O(1) each. The first one from the back lists the chunks between, and so does the first one from the front that is
    /// behind the front list.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// assert!(queue.iter().rev().eq(&[3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, T> {
        fn items<'a, T: Persistent>(chunk: &'a Option<Chunk<'_, T>>) -> slice::Iter<'a, T> {
            chunk.as_ref().map_or(&[][..], Chunk::items).iter()
        }
        let between = match &self.middle {
            Some(middle) => Between::Unlisted { next: middle.front.as_ref(), middle },
            None => Between::Listed(VecDeque::new()),
        };
        Iter { front: items(&self.first), back: items(&self.last), between, remaining: self.len() }
    }
}

impl<'a, 'p, T: Persistent> Between<'a, 'p, T> {
    fn list(&mut self) -> &mut VecDeque<&'a Chunk<'p, T>> {
        if let Between::Unlisted { next, middle } = self {
            let cells = std::iter::successors(*next, |cell| cell.next.as_ref());
            let front = cells.map(|cell| &cell.chunk);
            *self = Between::Listed(front.chain(middle.behind_front()).collect());
        }
        let Between::Listed(chunks) = self else { unreachable!("just listed") };
        chunks
    }

    fn pop_front(&mut self) -> Option<&'a Chunk<'p, T>> {
        if let Between::Unlisted { next, .. } = self
            && let Some(cell) = *next
        {
            *next = cell.next.as_ref();
            return Some(&cell.chunk);
        }
        self.list().pop_front()
    }
}

impl<'a, T: Persistent> Iter<'a, '_, T> {
    /// What is left of the chunk reached from the front; empty only at the end.
    fn chunk(&mut self) -> &'a [T] {
        // A damaged queue may have no end: its length ends the walk.
        if self.remaining == 0 {
            return &[];
        }
        while self.front.as_slice().is_empty() {
            match self.between.pop_front() {
                Some(chunk) => self.front = chunk.items().iter(),
                None if self.back.as_slice().is_empty() => break,
                None => std::mem::swap(&mut self.front, &mut self.back),
            }
        }
        self.front.as_slice()
    }

    /// Whether all that is left is the same, element by element. Chunks that both have are passed over.
    pub(super) fn same(mut self, mut other: Self) -> bool
    where
        T: Eq,
    {
        loop {
            let (left, right) = (self.chunk(), other.chunk());
            let count = left.len().min(right.len());
            if count == 0 {
                return left.len() == right.len();
            }
            if !ptr::eq(left, right) && left[..count] != right[..count] {
                return false;
            }
            self.front = left[count..].iter();
            other.front = right[count..].iter();
            self.remaining = self.remaining.saturating_sub(count);
            other.remaining = other.remaining.saturating_sub(count);
        }
    }
}

impl<T> Clone for Between<'_, '_, T> {
    fn clone(&self) -> Self {
        match self {
            Between::Unlisted { next, middle } => Between::Unlisted { next: *next, middle },
            Between::Listed(chunks) => Between::Listed(chunks.clone()),
        }
    }
}

impl<T> Clone for Iter<'_, '_, T> {
    fn clone(&self) -> Self {
        Iter {
            front: self.front.clone(),
            back: self.back.clone(),
            between: self.between.clone(),
            remaining: self.remaining,
        }
    }
}

impl<'a, T: Persistent> Iterator for Iter<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        if self.chunk().is_empty() {
            return None;
        }
        let item = self.front.next()?;
        self.remaining = self.remaining.saturating_sub(1);
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }

    fn nth(&mut self, mut skipped: usize) -> Option<&'a T> {
        loop {
            let chunk = self.chunk();
            let passed = chunk.len().min(skipped);
            self.front = chunk[passed..].iter();
            self.remaining = self.remaining.saturating_sub(passed);
            skipped -= passed;
            if skipped == 0 || chunk.is_empty() {
                return self.next();
            }
        }
    }

    fn last(mut self) -> Option<&'a T> {
        self.next_back()
    }
}

impl<T: Persistent> DoubleEndedIterator for Iter<'_, '_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.remaining == 0 {
            return None;
        }
        while self.back.as_slice().is_empty() {
            match self.between.list().pop_back() {
                Some(chunk) => self.back = chunk.items().iter(),
                None if self.front.as_slice().is_empty() => return None,
                None => std::mem::swap(&mut self.front, &mut self.back),
            }
        }
        self.remaining = self.remaining.saturating_sub(1);
        self.back.next_back()
    }
}

impl<T: Persistent> ExactSizeIterator for Iter<'_, '_, T> {}
impl<T: Persistent> FusedIterator for Iter<'_, '_, T> {}

impl<T: Persistent + fmt::Debug> fmt::Debug for Iter<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, 'p, T: Persistent> IntoIterator for &'a Queue<'p, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, 'p, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
