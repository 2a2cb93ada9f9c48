//! A stack: a list of nodes of one or two lines, each filled with elements.
//!
//! **Problem.** Push and pop in constant time, with old versions kept for free, as a linked list has them; but a list with a node
//! for each element takes a line for each.
//!
//! **Structure.** The list of Okasaki ("Purely Functional Data Structures", 1998, section 2.1), unrolled (Shao, Reppy and Appel,
//! "Unrolling lists", LFP 1994): a node holds up to as many elements as fill two lines, the newest last, and owns the node
//! below. A push copies the top node if it is a committed one with room, or puts a new one on it.
//!
//! | operation | time | lines written |
//! |---|---|---|
//! | `push`, `pop`, `peek_mut` | O(1) | 1 or 2 (more for elements larger than that) |
//! | `peek`, `len`, `share` | O(1) | |
//! | `iter`, `iter_mut` | O(1) each | `iter_mut`: the nodes that it reaches |
//! | `get`, indexing | O(index / elements of a node) | |
//! | `same`, `diff` | O(what is not shared) | |
//! | `==`, `cmp`, `contains`, `check` | O(n) | |
//! | `append` | O(elements of the other) | the other's elements |
//! | `retain` | O(n) | what lies above the lowest element removed |
//! | `reverse`, `extend`, `from_iter` | O(n) | the elements in full nodes |
//!
//! Memory: 12 numbers of 8 bytes take 128 bytes: 10.7 for each.
//!
//! **Crashes.** A stack is changed by its section and is durable with it: after a crash it holds what a committed section left.
//!
//! **Invariants** ([`Stack::check`]).
//! 1. Every node has from one to the most elements, and owns one node or, the lowest, none.
//! 2. `len` is the number of elements in all nodes.

mod diff;
mod edit;
mod iter;
mod iter_mut;
mod traits;

pub use diff::Diff;
pub use iter::Iter;
pub use iter_mut::IterMut;
use pmem_derive::Persistent;

use super::Defect;
use crate::commit::Fase;
use crate::persist::{Array, Counts, Lens, Persistent, Places};

/// Lines that a full node takes.
const LINES: usize = 2;
/// However small the elements are, a node has no more.
const MAX_ITEMS: usize = 1024;

/// An owning pointer to a node: elements, the newest last, and the node below.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "StackNode")]
struct Node<'p, T>(Array<'p, Lens, T, Node<'p, T>>);

/// The most elements of a node.
const fn capacity<T>() -> usize {
    let mut items = 1;
    loop {
        let more = Counts { items: items + 1, children: 1, extras: 0 };
        if items == MAX_ITEMS || Places::of::<Lens, T, Node<'_, T>, ()>(more).end > LINES * 64 - 16 {
            return items;
        }
        items += 1;
    }
}

impl<T: Persistent> Node<'_, T> {
    const MAX: usize = capacity::<T>();

    fn items(&self) -> &[T] {
        self.0.items()
    }

    fn below(&self) -> Option<&Self> {
        self.0.children().first()
    }

    fn head(&self, items: usize, children: usize) -> Lens {
        Lens::default().with(Counts { items, children, extras: 0 })
    }
}

impl<'p, T: Persistent<At<'p> = T>> Node<'p, T> {
    fn over(tx: &Fase<'p>, value: T, below: Option<Self>) -> Self {
        let room = Counts { items: 1, children: usize::from(below.is_some()), extras: 0 };
        let mut node = Node(Array::with_room(tx, Lens::default(), room));
        if let Some(below) = below {
            let head = node.head(0, 1);
            node.0.insert_child(tx, 0, below, head);
        }
        node.push(tx, value);
        node
    }

    fn push(&mut self, tx: &Fase<'p>, value: T) {
        let counts = self.0.counts();
        let head = self.head(counts.items + 1, counts.children);
        self.0.insert_item(tx, counts.items, value, head);
    }
}

/// A stack: last in, first out. Two words; an empty stack has no node.
///
/// ```
/// use pmem_runtime::collections::Stack;
/// use pmem_runtime::{Pool, persist_fase};
///
/// let pool = Pool::<Stack<u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, stack| {
///     stack.push(tx, 1);
///     stack.push(tx, 2);
///     assert_eq!(stack.pop(tx), Some(2));
///     Ok(())
/// })?;
/// assert_eq!(pool.snapshot().peek(), Some(&1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(C)]
pub struct Stack<'p, T> {
    top: Option<Node<'p, T>>,
    len: u64,
}

impl<T> Stack<'_, T> {
    /// An empty stack. It has no node.
    ///
    /// ```
    /// use pmem_runtime::Stack;
    ///
    /// assert_eq!(Stack::<u64>::new().peek(), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Stack { top: None, len: 0 }
    }

    /// How many elements there are.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// assert_eq!(stack.len(), 3);
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
    /// use pmem_runtime::Stack;
    ///
    /// assert!(Stack::<u64>::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.top.is_none()
    }

    /// Whether both are the same list: equal without looking.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// let before = stack.share(tx);
    /// assert!(before.ptr_eq(stack));
    /// stack.push(tx, 4);
    /// assert!(!before.ptr_eq(stack));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.top, &other.top) {
            (Some(left), Some(right)) => Array::ptr_eq(&left.0, &right.0),
            (left, right) => left.is_none() && right.is_none(),
        }
    }
}

impl<T: Persistent> Stack<'_, T> {
    /// The element that was pushed last.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// assert_eq!(stack.peek(), Some(&3));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn peek(&self) -> Option<&T> {
        self.top.as_ref()?.items().last()
    }

    /// The element that was pushed last: [`Stack::peek`].
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// assert_eq!(stack.top(), Some(&3));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn top(&self) -> Option<&T> {
        self.peek()
    }

    /// The element at an index from the top.
    ///
    /// Complexity: O(index / elements of a node): a stack is no vector.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// assert_eq!((stack.get(0), stack[2], stack.get(3)), (Some(&3), 1, None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.iter().nth(index)
    }

    /// Whether both have equal elements, as `==`, but without looking at what they share.
    ///
    /// Complexity: O(elements that are not shared).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, 0..100);
    /// let before = stack.share(tx);
    /// assert!(before.same(stack));
    /// stack.push(tx, 7);
    /// assert!(!before.same(stack));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn same(&self, other: &Self) -> bool
    where
        T: Eq,
    {
        self.len() == other.len() && self.iter().same(other.iter())
    }

    /// Whether an element is equal to this one.
    ///
    /// Complexity: O(n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// assert!(stack.contains(&2) && !stack.contains(&4));
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

    /// Verifies the stack's invariants.
    ///
    /// Complexity: O(n).
    ///
    /// # Errors
    /// The first invariant that does not hold, and in which node from the top.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// stack.check()?;
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        let mut depth = 0;
        let defect = |depth: usize, expected: String, found: usize| {
            Err(Defect { collection: "Stack", path: vec![0; depth], expected, found: found.to_string() })
        };
        let (mut next, mut count) = (self.top.as_ref(), 0);
        while let Some(node) = next {
            let items = node.items().len();
            if !(1..=Node::<T>::MAX).contains(&items) {
                return defect(depth, format!("1 to {} elements", Node::<T>::MAX), items);
            }
            if node.0.children().len() > 1 {
                return defect(depth, "one node below".to_owned(), node.0.children().len());
            }
            if node.0.counts().extras != 0 {
                return defect(depth, "no extras".to_owned(), node.0.counts().extras);
            }
            count += items;
            if count > self.len() {
                // Also where a damaged stack has no end.
                break;
            }
            next = node.below();
            depth += 1;
        }
        if count == self.len() { Ok(()) } else { defect(0, format!("{} elements in all", self.len), count) }
    }
}
