//! A queue: first in, first out, every operation in constant time, on every version.
//!
//! **Problem.** Two lists, of which one is now and then reversed into the other, make a queue with constant *amortised* time. That
//! is no bound where old versions are kept: who keeps the version before a reversal and pops from it again and again pays for the
//! reversal again and again. Lazy evaluation, the usual cure, stores results in old nodes, which nobody may do here.
//!
//! **Structure.** Elements lie in *chunks* of up to two lines. The first and the last chunk belong to the queue's own value; the
//! full ones between them are a real-time queue of Hood and Melville (`rotation.rs`), which does its reversals a bit with
//! each chunk that comes or goes.
//!
//! | operation | time | nodes made, at most |
//! |---|---|---|
//! | `push_back` | O(1) worst case | 7: a chunk, or a chunk, a cell, the middle and two steps' four cells |
//! | `pop_front` | O(1) worst case | 6: a chunk, or the middle and two steps' four cells |
//! | `front`, `back`, `len`, `share` | O(1) | |
//! | `get`, indexing | O(index / chunk); behind the front list O(n / chunk); O(1) in the last chunk | |
//! | `iter_mut` | O(n / chunk) to start, O(1) each | the cells, and the chunks that it reaches |
//! | `append`, `extend` | O(m), m what comes | |
//! | `same` | O(n / chunk), and what is not shared | |
//! | `==`, `cmp`, `contains`, `check`, `retain` | O(n) | `retain`: none, or all |
//! | `iter` | O(1) each from the front; the first from the back, and the first behind the front list, O(n / chunk) | |
//!
//! A push or pop in a section of its own writes a chunk of one or two lines; twelve of thirteen (with numbers of 8 bytes) write
//! nothing else. Memory: 13 numbers of 8 bytes take 128 bytes and a cell of 64, 14.8 for each; half as much again for the
//! cells during a rotation.
//!
//! There is no `diff`. Two versions share chunks, but not the lists of them: a rotation makes those anew. So that nothing but the
//! ends has changed (`front_mut`, `iter_mut` and `retain` change other places) takes a look at each chunk to say, in O(n / chunk),
//! which is what `same` does, and not the time of the change that a `diff` promises elsewhere.
//!
//! **Crashes.** A queue is changed by its section and is durable with it: after a crash it holds what a committed section left.
//!
//! **Invariants** ([`Queue::check`]).
//! 1. The order is: the first chunk, those between, the last chunk. None is empty; each has no more than the most elements.
//! 2. Without elements there is no chunk; with elements there is a last chunk; without a first chunk there are none between.
//! 3. The middle has as many chunks as it says, and its front list is not empty; the rear list is no longer than the front part.

mod edit;
mod iter;
mod iter_mut;
mod rotation;
mod traits;

pub use iter::Iter;
pub use iter_mut::IterMut;
use pmem_derive::Persistent;
use rotation::Middle;

use super::Defect;
use crate::commit::Fase;
use crate::persist::{Array, Counts, Lens, P, Persistent, Places};

/// Lines that a full chunk takes.
const LINES: usize = 2;
/// However small the elements are, a chunk has no more.
const MAX_ITEMS: usize = 1024;

/// An owning pointer to a node of elements, the oldest first.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "QueueChunk")]
struct Chunk<'p, T>(Array<'p, Lens, T>);

/// The most elements of a chunk.
const fn capacity<T>() -> usize {
    let mut items = 1;
    loop {
        let more = Counts { items: items + 1, children: 0, extras: 0 };
        if items == MAX_ITEMS || Places::of::<Lens, T, (), ()>(more).end > LINES * 64 - 16 {
            return items;
        }
        items += 1;
    }
}

fn head(items: usize) -> Lens {
    Lens::default().with(Counts { items, ..Counts::default() })
}

impl<T: Persistent> Chunk<'_, T> {
    const MAX: usize = capacity::<T>();

    fn items(&self) -> &[T] {
        self.0.items()
    }
}

impl<'p, T: Persistent<At<'p> = T>> Chunk<'p, T> {
    fn single(tx: &Fase<'p>, value: T) -> Self {
        let room = Counts { items: 1, ..Counts::default() };
        let mut chunk = Chunk(Array::with_room(tx, Lens::default(), room));
        chunk.push(tx, value);
        chunk
    }

    fn push(&mut self, tx: &Fase<'p>, value: T) {
        let items = self.items().len();
        self.0.insert_item(tx, items, value, head(items + 1));
    }
}

/// A queue: first in, first out. Four words; an empty queue has no node.
///
/// ```
/// use pmem_runtime::collections::Queue;
/// use pmem_runtime::{Pool, persist_fase};
///
/// let pool = Pool::<Queue<u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, queue| {
///     queue.push_back(tx, 1);
///     queue.push_back(tx, 2);
///     assert_eq!(queue.pop_front(tx), Some(1));
///     Ok(())
/// })?;
/// assert_eq!(pool.snapshot().front(), Some(&2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(C)]
pub struct Queue<'p, T> {
    first: Option<Chunk<'p, T>>,
    middle: Option<P<'p, Middle<'p, T>>>,
    last: Option<Chunk<'p, T>>,
    len: u64,
}

impl<'p, T> Queue<'p, T> {
    /// An empty queue. It has no node.
    ///
    /// ```
    /// use pmem_runtime::Queue;
    ///
    /// assert_eq!(Queue::<u64>::new().front(), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Queue { first: None, middle: None, last: None, len: 0 }
    }

    /// How many elements there are.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
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
    /// use pmem_runtime::Queue;
    ///
    /// assert!(Queue::<u64>::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether both have the same nodes: equal without looking.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// let before = queue.share(tx);
    /// assert!(before.ptr_eq(queue));
    /// queue.push_back(tx, 4);
    /// assert!(!before.ptr_eq(queue));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        fn same<N>(left: &Option<N>, right: &Option<N>, is_same: impl Fn(&N, &N) -> bool) -> bool {
            match (left, right) {
                (Some(left), Some(right)) => is_same(left, right),
                (left, right) => left.is_none() && right.is_none(),
            }
        }
        let chunk = |left: &Chunk<'p, T>, right: &Chunk<'p, T>| Array::ptr_eq(&left.0, &right.0);
        same(&self.last, &other.last, chunk)
            && same(&self.first, &other.first, chunk)
            && same(&self.middle, &other.middle, P::ptr_eq)
    }
}

impl<T: Persistent> Queue<'_, T> {
    /// The element that is popped next: the one pushed first.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// assert_eq!(queue.front(), Some(&1));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn front(&self) -> Option<&T> {
        self.first.as_ref().or(self.last.as_ref())?.items().first()
    }

    /// The element that was pushed last.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// assert_eq!(queue.back(), Some(&3));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn back(&self) -> Option<&T> {
        self.last.as_ref()?.items().last()
    }

    /// The element at an index from the front.
    ///
    /// Complexity: O(1) in the last chunk, else O(index / chunk), and O(n / chunk) behind the front list: a queue is no vector.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// assert_eq!((queue.get(0), queue[2], queue.get(3)), (Some(&1), 3, None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        let from_last = self.last.as_ref()?.items();
        match index.checked_sub(self.len().saturating_sub(from_last.len())) {
            Some(at) => from_last.get(at),
            None => self.iter().nth(index),
        }
    }

    /// Whether both have equal elements, as `==`, but without looking at what they share.
    ///
    /// Complexity: O(n / chunk), and O(elements that are not shared).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, 0..100);
    /// let before = queue.share(tx);
    /// assert!(before.same(queue));
    /// queue.push_back(tx, 7);
    /// assert!(!before.same(queue));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn same(&self, other: &Self) -> bool
    where
        T: Eq,
    {
        self.len() == other.len() && (self.ptr_eq(other) || self.iter().same(other.iter()))
    }

    /// Whether an element is equal to this one.
    ///
    /// Complexity: O(n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// assert!(queue.contains(&2) && !queue.contains(&4));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|element| element == value)
    }

    /// Verifies the queue's invariants.
    ///
    /// Complexity: O(n).
    ///
    /// # Errors
    /// The first invariant that does not hold. The path is empty for the queue itself, else it is the number of a chunk.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// queue.check()?;
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        let defect = |path: Vec<usize>, expected: &str, found: String| {
            Err(Defect { collection: "Queue", path, expected: expected.to_owned(), found })
        };
        if self.first.is_none() && self.middle.is_some() {
            return defect(Vec::new(), "a first chunk", "none before those between".to_owned());
        }
        let mut chunks: Vec<&Chunk<'_, T>> = self.first.iter().collect();
        if let Some(middle) = &self.middle {
            if !middle.is_finite() {
                return defect(Vec::new(), "lists that end", "one that leads back into itself".to_owned());
            }
            let lens = (middle.front_len, middle.rear_len);
            chunks.extend(rotation::chunks(&middle.front));
            if chunks.len() < 2 || lens.1 > lens.0 {
                return defect(Vec::new(), "a front list that is not empty or shorter", format!("{lens:?}"));
            }
            if !middle.fits() {
                return defect(Vec::new(), "lists that a rotation can have", format!("{lens:?}"));
            }
            chunks.extend(middle.behind_front());
            if (chunks.len() - 1) as u64 != lens.0 + lens.1 {
                return defect(
                    Vec::new(),
                    "as many chunks as the middle says",
                    (chunks.len() - 1).to_string(),
                );
            }
        }
        chunks.extend(&self.last);
        let items = |chunk: &&Chunk<'_, T>| chunk.items().len();
        if let Some(at) = chunks.iter().position(|chunk| !(1..=Chunk::<T>::MAX).contains(&items(chunk))) {
            return defect(vec![at], "a chunk neither empty nor overfull", items(&chunks[at]).to_string());
        }
        let is_plain = |chunk: &Chunk<'_, T>| *chunk.0.head() == head(chunk.items().len());
        if let Some(at) = chunks.iter().position(|chunk| !is_plain(chunk)) {
            return defect(
                vec![at],
                "a chunk of elements and nothing else",
                format!("{:?}", chunks[at].0.head()),
            );
        }
        let count: usize = chunks.iter().map(items).sum();
        if count != self.len() || self.last.is_none() != (count == 0) {
            return defect(Vec::new(), "as many elements as the queue says", count.to_string());
        }
        Ok(())
    }
}
