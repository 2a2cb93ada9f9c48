//! A priority queue: a heap of short sorted runs, with a buffer for what came last.
//!
//! **Problem.** A binary heap in an array moves elements over log2(n) places with each push and pop; on nodes that nobody may write
//! again, each place is a line to write. A search tree writes its path. But a heap owes nobody more order than which element is
//! next, so most operations can leave all but one node alone.
//!
//! **Structure.** Pushed elements go to a *buffer*, one node of up to two lines; a full buffer is melded with the *heap*, whose nodes are
//! such runs too (`heap.rs`). A pop takes the greatest of the buffer or of the heap's root; the root's elements are the
//! greatest of the heap, so it is only once in a run that another node is touched.
//!
//! | operation | time | lines written |
//! |---|---|---|
//! | `push` | O(log n), mostly O(1) | 1 or 2; O(log n) nodes for one push in eleven (elements of 8 bytes) |
//! | `pop` | O(log n), mostly O(1) | 1 or 2; O(log n) nodes for one pop in a run |
//! | `peek_mut` | that of a pop and a push | |
//! | `peek`, `len`, `share`, `clear` | O(1) | |
//! | `append` | O(log n) | O(log n) |
//! | `from_iter`, `extend` | O(1) each on average, O(log n) at most | |
//! | `iter`, `check` | O(n) | |
//! | `retain` | O(n) | none, or all |
//! | `iter_sorted` | O(log n) each | |
//!
//! There is no `diff`, as there is no `==`: an element has no place of its own, and a meld arranges what it meets anew, so that two
//! versions may have the same elements in other nodes. What differs takes a look at all of them, sorted: `iter_sorted`.
//!
//! **Measured** with 1,000,000 random `u64`, each operation in a section of its own, lines besides the root's and the record's: 2.8 a
//! push, 7.9 a pop, where an ordered set writes 17.5 and 15.5; 20.7 bytes an element (11.6 if they come in order).
//!
//! **Crashes.** A queue is changed by its section and is durable with it: after a crash it holds what a committed section left.
//!
//! **Panics of `Ord`.** An operation that melds takes the heap out meanwhile: if a comparison panics, and the section catches that and
//! commits, the queue is empty. (Like every section, it is undone if it does not catch it.)
//!
//! **Invariants** ([`PriorityQueue::check`]).
//! 1. A node's elements ascend, and none is less than any element below it.
//! 2. A right subtree's rank is at most that of the left one; a node's rank is that of its right subtree and one.
//! 3. A node has from one to the most elements; the buffer has no subtrees.
//! 4. `len` is the number of elements in all nodes.

mod check;
mod heap;
mod iter;

use std::fmt;
use std::mem;

use heap::Node;
pub use iter::{Iter, IterSorted};
use pmem_derive::Persistent;

use crate::commit::Fase;
use crate::persist::Persistent;

/// A priority queue: the greatest element first. Three words; an empty queue has no node.
///
/// ```
/// use pmem_runtime::collections::PriorityQueue;
/// use pmem_runtime::{Pool, persist_fase};
///
/// let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, queue| {
///     queue.extend(tx, [1, 5, 2]);
///     assert_eq!(queue.pop(tx), Some(5));
///     Ok(())
/// })?;
/// assert_eq!(pool.snapshot().peek(), Some(&2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(C)]
pub struct PriorityQueue<'p, T> {
    heap: Option<Node<'p, T>>,
    buffer: Option<Node<'p, T>>,
    len: u64,
}

impl<T> PriorityQueue<'_, T> {
    /// An empty queue. It has no node.
    ///
    /// ```
    /// use pmem_runtime::PriorityQueue;
    ///
    /// assert_eq!(PriorityQueue::<u64>::new().peek(), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        PriorityQueue { heap: None, buffer: None, len: 0 }
    }

    /// How many elements there are.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// assert_eq!(queue.len(), 3);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use pmem_runtime::PriorityQueue;
    ///
    /// assert!(PriorityQueue::<u64>::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The greatest element of a heap: the last of its root.
fn greatest<'a, T: Persistent>(heap: &'a Option<Node<'_, T>>) -> Option<&'a T> {
    heap.as_ref()?.items().last()
}

impl<'p, T: Persistent> PriorityQueue<'p, T> {
    /// Whether both have the same nodes.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// let before = queue.share(tx);
    /// assert!(before.ptr_eq(queue));
    /// queue.push(tx, 4);
    /// assert!(!before.ptr_eq(queue));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        let same = |left: &Option<Node<'p, T>>, right: &Option<Node<'p, T>>| match (left, right) {
            (Some(left), Some(right)) => Node::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        };
        same(&self.heap, &other.heap) && same(&self.buffer, &other.buffer)
    }
}

impl<T: Persistent + Ord> PriorityQueue<'_, T> {
    /// The greatest element.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// assert_eq!(queue.peek(), Some(&5));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn peek(&self) -> Option<&T> {
        // `None` is less than any element.
        greatest(&self.heap).max(greatest(&self.buffer))
    }
}

impl<'p, T: Persistent<At<'p> = T>> PriorityQueue<'p, T> {
    /// A second owner of the same elements: a version to keep.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// let before = queue.share(tx);
    /// queue.pop(tx);
    /// assert_eq!((before.peek(), queue.peek()), (Some(&5), Some(&3)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// Removes all elements.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// queue.clear(tx);
    /// assert!(queue.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, _tx: &Fase<'p>) {
        *self = PriorityQueue::new();
    }

    /// All elements, in no particular order.
    ///
    /// Complexity: O(n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// let mut elements = queue.share(tx).into_vec(tx);
    /// elements.sort();
    /// assert_eq!(elements, [1, 3, 5]);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_vec(self, tx: &Fase<'p>) -> Vec<T> {
        let mut elements = Vec::with_capacity(self.len());
        let mut nodes: Vec<Node<'p, T>> = self.heap.into_iter().chain(self.buffer).collect();
        while let Some(node) = nodes.pop() {
            let (items, children) = node.take(tx);
            elements.extend(items);
            nodes.extend(children);
        }
        elements
    }
}

impl<'p, T: Persistent<At<'p> = T> + Ord> PriorityQueue<'p, T> {
    /// A version with the element; this one stays as it is. The two share all but what the push copies.
    ///
    /// Complexity: as that of the push.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2]);
    /// let newer = queue.update(tx, 3);
    /// assert_eq!((queue.len(), newer.peek()), (2, Some(&3)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, value: T) -> Self {
        let mut newer = self.share(tx);
        newer.push(tx, value);
        newer
    }

    /// Adds an element.
    ///
    /// Complexity: O(log n) at most, O(1) mostly.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.push(tx, 1);
    /// queue.push(tx, 5);
    /// queue.push(tx, 3);
    /// assert_eq!(queue.peek(), Some(&5));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, tx: &Fase<'p>, value: T) {
        match &mut self.buffer {
            Some(buffer) if buffer.items().len() < Node::<T>::MAX => {
                let at = buffer.items().partition_point(|item| *item <= value);
                buffer.insert(tx, at, value);
            }
            None => self.buffer = Some(Node::single(tx, value)),
            Some(_) => {
                let PriorityQueue { heap, buffer, len } = mem::take(self);
                let heap = heap::meld(tx, heap, buffer);
                *self = PriorityQueue { heap, buffer: Some(Node::single(tx, value)), len };
            }
        }
        self.len += 1;
    }

    /// Takes the greatest element.
    ///
    /// Complexity: O(log n) at most, O(1) mostly.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [3, 1, 2]);
    /// assert_eq!([queue.pop(tx), queue.pop(tx)], [Some(3), Some(2)]);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop(&mut self, tx: &Fase<'p>) -> Option<T> {
        let is_in_buffer = greatest(&self.buffer) > greatest(&self.heap);
        let mut queue = mem::take(self);
        let value = heap::pop(tx, if is_in_buffer { &mut queue.buffer } else { &mut queue.heap });
        queue.len -= u64::from(value.is_some());
        *self = queue;
        value
    }

    /// Lets `change` change the greatest element, and gives what it gives: `None` without calling it if there is no element. Where
    /// the element belongs afterwards is seen then.
    ///
    /// It is taken out meanwhile: if `change` panics, and the section catches that and commits, the element is gone.
    ///
    /// Complexity: that of a pop and a push.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// let old = queue.peek_mut(tx, |greatest| std::mem::replace(greatest, 2));
    /// assert!(old == Some(5) && queue.iter_sorted().eq(&[3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn peek_mut<R>(&mut self, tx: &Fase<'p>, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut greatest = self.pop(tx)?;
        let found = change(&mut greatest);
        self.push(tx, greatest);
        Some(found)
    }

    /// Moves all elements of `other` here; it is empty afterwards.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 3]);
    /// let mut other = PriorityQueue::from_iter(tx, [2, 4]);
    /// queue.append(tx, &mut other);
    /// assert!(other.is_empty() && queue.iter_sorted().eq(&[4, 3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: &mut Self) {
        let (mine, theirs) = (mem::take(self), mem::take(other));
        let heap = heap::meld(tx, mine.heap, theirs.heap);
        let heap = heap::meld(tx, heap, theirs.buffer);
        *self = PriorityQueue { heap, buffer: mine.buffer, len: mine.len + theirs.len };
    }

    /// Pushes every element of the iterator.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// queue.extend(tx, [7, 2]);
    /// assert!(queue.iter_sorted().eq(&[7, 5, 3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend<I>(&mut self, tx: &Fase<'p>, values: I)
    where
        I: IntoIterator<Item = T>,
    {
        values.into_iter().for_each(|value| self.push(tx, value));
    }

    /// A queue of these elements.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// *queue = PriorityQueue::from_iter(tx, [1, 5, 3]);
    /// assert_eq!((queue.len(), queue.peek()), (3, Some(&5)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_iter<I>(tx: &Fase<'p>, values: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let mut queue = PriorityQueue::new();
        queue.extend(tx, values);
        queue
    }

    /// All elements in ascending order, as the standard library's `BinaryHeap::into_sorted_vec`.
    ///
    /// Complexity: O(n log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, _queue| {
    /// let queue = PriorityQueue::from_iter(tx, [3, 1, 2]);
    /// assert_eq!(queue.into_sorted_vec(tx), [1, 2, 3]);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_sorted_vec(self, tx: &Fase<'p>) -> Vec<T> {
        let mut elements = self.into_vec(tx);
        elements.sort();
        elements
    }

    /// Keeps the elements for which `keep` is true. It sees each once, in no particular order, before anything is removed.
    ///
    /// Complexity: O(n); if something is removed, every node is made anew.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// queue.retain(tx, |value| *value != 5);
    /// assert!(queue.iter_sorted().eq(&[3, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut keep: impl FnMut(&T) -> bool) {
        let kept: Vec<bool> = self.iter().map(&mut keep).collect();
        if kept.iter().all(|is_kept| *is_kept) {
            return;
        }
        let elements = mem::take(self).into_vec(tx).into_iter().zip(kept);
        *self =
            PriorityQueue::from_iter(tx, elements.filter_map(|(value, is_kept)| is_kept.then_some(value)));
    }
}

impl<T> Default for PriorityQueue<'_, T> {
    fn default() -> Self {
        PriorityQueue::new()
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for PriorityQueue<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all};

    assert_impl_all!(PriorityQueue<'static, u64>: Send, Sync, Persistent);
    assert_impl_all!(Iter<'static, 'static, u64>: Send, Sync);
    assert_impl_all!(IterSorted<'static, 'static, u64>: Send, Sync);
    assert_eq_size!(PriorityQueue<'static, u64>, [u64; 3]);
};
