//! Iteration, in no order and in descending order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::iter::FusedIterator;
use std::{fmt, slice};

use super::{Node, PriorityQueue};
use crate::persist::Persistent;

/// The elements of a queue in no particular order: [`PriorityQueue::iter`].
pub struct Iter<'a, 'p, T> {
    items: slice::Iter<'a, T>,
    nodes: Vec<&'a Node<'p, T>>,
    remaining: usize,
}

/// The elements of a queue, the greatest first: [`PriorityQueue::iter_sorted`].
pub struct IterSorted<'a, 'p, T> {
    runs: BinaryHeap<Run<'a, 'p, T>>,
    remaining: usize,
}

/// What is left of a node, of which something is left. The next element is the last.
struct Run<'a, 'p, T> {
    node: &'a Node<'p, T>,
    items: &'a [T],
}

impl<'p, T: Persistent> PriorityQueue<'p, T> {
    /// All elements, in no particular order: that in which [`PriorityQueue::into_vec`] gives them.
    ///
    /// Complexity: O(1) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// assert_eq!(queue.iter().sum::<u64>(), 9);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, T> {
        let nodes = self.heap.iter().chain(&self.buffer).collect();
        Iter { items: [].iter(), nodes, remaining: self.len() }
    }

    /// All elements, the greatest first.
    ///
    /// Complexity: O(log n) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [3, 1, 2]);
    /// assert!(queue.iter_sorted().eq(&[3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_sorted(&self) -> IterSorted<'_, 'p, T>
    where
        T: Ord,
    {
        let runs = self.heap.iter().chain(&self.buffer).map(Run::of).collect();
        IterSorted { runs, remaining: self.len() }
    }
}

impl<T> Clone for Iter<'_, '_, T> {
    fn clone(&self) -> Self {
        Iter { items: self.items.clone(), nodes: self.nodes.clone(), remaining: self.remaining }
    }
}

impl<'a, T: Persistent> Iterator for Iter<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        loop {
            if let Some(item) = self.items.next() {
                self.remaining = self.remaining.saturating_sub(1);
                return Some(item);
            }
            // A damaged queue may have no end: its length ends the walk, and so does an empty node.
            let node = self.nodes.pop().filter(|node| self.remaining > 0 && !node.items().is_empty())?;
            self.items = node.items().iter();
            self.nodes.extend(node.children());
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

impl<'a, 'p, T: Persistent> Run<'a, 'p, T> {
    fn of(node: &'a Node<'p, T>) -> Self {
        Run { node, items: node.items() }
    }
}

impl<T: Ord> PartialEq for Run<'_, '_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Ord> Eq for Run<'_, '_, T> {}

impl<T: Ord> PartialOrd for Run<'_, '_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Run<'_, '_, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.items.last().cmp(&other.items.last())
    }
}

impl<T> Clone for Run<'_, '_, T> {
    fn clone(&self) -> Self {
        Run { ..*self }
    }
}

impl<T> Clone for IterSorted<'_, '_, T> {
    fn clone(&self) -> Self {
        IterSorted { runs: self.runs.clone(), remaining: self.remaining }
    }
}

impl<'a, T: Persistent + Ord> Iterator for IterSorted<'a, '_, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        // A damaged queue may have no end.
        let Run { node, items } = self.runs.pop().filter(|_| self.remaining > 0)?;
        let (item, rest) = items.split_last()?;
        if rest.is_empty() {
            // Nothing below is greater than what the node had, so it is not before now that it matters.
            self.runs.extend(node.children().iter().map(Run::of));
        } else {
            self.runs.push(Run { node, items: rest });
        }
        self.remaining = self.remaining.saturating_sub(1);
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<T: Persistent + Ord> ExactSizeIterator for IterSorted<'_, '_, T> {}
impl<T: Persistent + Ord> FusedIterator for IterSorted<'_, '_, T> {}

impl<T: Persistent + Ord + fmt::Debug> fmt::Debug for IterSorted<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, 'p, T: Persistent> IntoIterator for &'a PriorityQueue<'p, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, 'p, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
