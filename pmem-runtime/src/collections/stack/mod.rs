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
//! | `iter` | O(1) each | |
//! | `reverse`, `extend`, `from_iter` | O(n) | the elements in full nodes |
//!
//! Memory: 12 numbers of 8 bytes take 128 bytes: 10.7 for each.
//!
//! **Crashes.** A stack is changed by its section and is durable with it: after a crash it holds what a committed section left.
//!
//! **Invariants** ([`Stack::check`]).
//! 1. Every node has from one to the most elements, and owns one node or, the lowest, none.
//! 2. `len` is the number of elements in all nodes.

mod iter;
mod traits;

pub use iter::Iter;
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
    #[must_use]
    pub const fn new() -> Self {
        Stack { top: None, len: 0 }
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.top.is_none()
    }

    /// Whether both are the same list: equal without looking.
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
    #[must_use]
    pub fn peek(&self) -> Option<&T> {
        self.top.as_ref()?.items().last()
    }

    /// The element that was pushed last: [`Stack::peek`].
    #[must_use]
    pub fn top(&self) -> Option<&T> {
        self.peek()
    }

    /// Whether an element is equal to this one.
    ///
    /// Complexity: O(n).
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

impl<'p, T: Persistent<At<'p> = T>> Stack<'p, T> {
    /// A second owner of the same elements: a version to keep.
    ///
    /// Complexity: O(1).
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// Puts an element on top.
    ///
    /// Complexity: O(1); one node is copied or made.
    pub fn push(&mut self, tx: &Fase<'p>, value: T) {
        match &mut self.top {
            Some(node) if node.items().len() < Node::<T>::MAX => node.push(tx, value),
            top => {
                let below = top.take();
                *top = Some(Node::over(tx, value, below));
            }
        }
        self.len += 1;
    }

    /// Takes the top element.
    ///
    /// Complexity: O(1); one node is copied, or given up with its last element.
    pub fn pop(&mut self, tx: &Fase<'p>) -> Option<T> {
        let node = self.top.as_mut()?;
        let counts = node.0.counts();
        let value = if counts.items > 1 {
            let head = node.head(counts.items - 1, counts.children);
            Some(node.0.remove_item(tx, counts.items - 1, head))
        } else {
            let (_, mut items, mut children, _) = self.top.take()?.0.take(tx);
            self.top = children.pop();
            items.pop()
        };
        self.len -= 1;
        value
    }

    /// The element that was pushed last, for writing.
    ///
    /// Complexity: O(1); the top node is copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2]);
    /// if let Some(top) = stack.peek_mut(tx) {
    ///     *top = 5;
    /// }
    /// assert!(stack.iter().eq(&[5, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn peek_mut(&mut self, tx: &Fase<'p>) -> Option<&mut T> {
        self.top.as_mut()?.0.edit(tx).items.last_mut()
    }

    /// Removes all elements.
    pub fn clear(&mut self, _tx: &Fase<'p>) {
        *self = Stack::new();
    }

    /// Pushes every element of the iterator: its last is on top afterwards.
    pub fn extend<I>(&mut self, tx: &Fase<'p>, values: I)
    where
        I: IntoIterator<Item = T>,
    {
        values.into_iter().for_each(|value| self.push(tx, value));
    }

    /// A stack of these elements, the last on top.
    pub fn from_iter<I>(tx: &Fase<'p>, values: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let mut stack = Stack::new();
        stack.extend(tx, values);
        stack
    }

    /// Turns the stack upside down.
    ///
    /// Complexity: O(n); every node is made anew.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// stack.reverse(tx);
    /// assert!(stack.iter().eq(&[1, 2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reverse(&mut self, tx: &Fase<'p>) {
        let mut reversed = Stack::new();
        while let Some(value) = self.pop(tx) {
            reversed.push(tx, value);
        }
        *self = reversed;
    }

    /// Keeps the elements for which `keep` is true. It sees each once, from the top, before anything is removed.
    ///
    /// Complexity: O(n) to look; what lies below the lowest element removed is shared, not copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, 0..6);
    /// stack.retain(tx, |value| value % 2 == 0);
    /// assert!(stack.iter().eq(&[4, 2, 0]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, keep: impl FnMut(&T) -> bool) {
        let kept: Vec<bool> = self.iter().map(keep).collect();
        let touched = kept.iter().rposition(|kept| !kept).map_or(0, |lowest| lowest + 1);
        let taken: Vec<Option<T>> = (0..touched).map(|_| self.pop(tx)).collect();
        let again = taken.into_iter().zip(kept).rev();
        self.extend(tx, again.filter_map(|(value, is_kept)| value.filter(|_| is_kept)));
    }
}
