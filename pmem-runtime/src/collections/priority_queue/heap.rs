//! The heap: a leftist tree whose nodes hold several elements each.
//!
//! **Structure.** A leftist tree (Crane 1972; Knuth, "The Art of Computer Programming" 3, section 5.2.3; Okasaki 1998, section 3.1)
//! keeps the way along its right children short: no node's right subtree has a greater *rank*, the length of that way, than
//! its left one, so a rank is at most log2(nodes + 1). Here a node's elements are an ascending run of up to two lines, none
//! less than any element of the subtrees below. The runs, and filling an empty one from the two below it, are those of heaps on
//! disks (Fadel, Jakobsen, Katajainen and Teuhola, "Heaps and heapsort on secondary storage", Theoretical Computer Science 220, 1999).
//!
//! **Melding** two trees goes down their right ways, as always. Of two nodes, the one with the greater least element becomes the
//! root, and takes over what the other has above that; the other keeps an element at least, and goes on down with its subtrees.

use pmem_derive::Persistent;

use crate::commit::Fase;
use crate::persist::{Array, Counts, Lens, Persistent, Places};

/// Lines that a full node takes.
const LINES: usize = 2;
/// However small the elements are, a node has no more.
const MAX_ITEMS: usize = 1024;

/// An owning pointer to a node: elements, the greatest last, then the left and the right subtree.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "HeapNode")]
pub(super) struct Node<'p, T>(Array<'p, Lens, T, Node<'p, T>>);

/// A heap, or none if it is empty.
pub(super) type Heap<'p, T> = Option<Node<'p, T>>;

/// The most elements of a node.
const fn capacity<T>() -> usize {
    let mut items = 1;
    loop {
        let more = Counts { items: items + 1, children: 2, extras: 0 };
        if items == MAX_ITEMS || Places::of::<Lens, T, Node<'_, T>, ()>(more).end > LINES * 64 - 16 {
            return items;
        }
        items += 1;
    }
}

impl<T: Persistent> Node<'_, T> {
    pub(super) const MAX: usize = capacity::<T>();

    /// The elements in ascending order. There is one at least, outside of an operation.
    pub(super) fn items(&self) -> &[T] {
        self.0.items()
    }

    /// The left subtree, and the right one.
    pub(super) fn children(&self) -> &[Self] {
        self.0.children()
    }

    /// Nodes on the way along the right subtrees, this one included.
    pub(super) fn rank(&self) -> usize {
        self.0.head().mark.into()
    }

    /// Whether both are the same node.
    pub(super) fn ptr_eq(left: &Self, right: &Self) -> bool {
        Array::ptr_eq(&left.0, &right.0)
    }

    fn head(&self, items: usize, children: usize) -> Lens {
        self.0.head().with(Counts { items, children, extras: 0 })
    }
}

impl<'p, T: Persistent<At<'p> = T>> Node<'p, T> {
    /// A heap of one element.
    pub(super) fn single(tx: &Fase<'p>, value: T) -> Self {
        let room = Counts { items: 1, ..Counts::default() };
        let head = Lens { mark: 1, ..Lens::default() };
        let mut node = Node(Array::with_room(tx, head, room));
        node.insert(tx, 0, value);
        node
    }

    /// Puts an element before the one at `at`.
    pub(super) fn insert(&mut self, tx: &Fase<'p>, at: usize, value: T) {
        let counts = self.0.counts();
        self.0.insert_item(tx, at, value, self.head(counts.items + 1, counts.children));
    }

    /// Takes the greatest element.
    pub(super) fn remove_last(&mut self, tx: &Fase<'p>) -> T {
        let counts = self.0.counts();
        let head = self.head(counts.items - 1, counts.children);
        self.0.remove_item(tx, counts.items - 1, head)
    }

    /// Takes both subtrees.
    fn take_children(&mut self, tx: &Fase<'p>) -> (Heap<'p, T>, Heap<'p, T>) {
        let (items, children) = (self.items().len(), self.children().len());
        let right = (children > 1).then(|| self.0.remove_child(tx, 1, self.head(items, 1)));
        let left = (children > 0).then(|| self.0.remove_child(tx, 0, self.head(items, 0)));
        (left, right)
    }

    /// Gives a node without subtrees these two, the one with the greater rank on the left.
    fn set_children(&mut self, tx: &Fase<'p>, first: Heap<'p, T>, second: Heap<'p, T>) {
        let rank = |heap: &Heap<'p, T>| heap.as_ref().map_or(0, Node::rank);
        let (left, right) = if rank(&first) >= rank(&second) { (first, second) } else { (second, first) };
        let mark = rank(&right) as u16 + 1;
        for child in [left, right].into_iter().flatten() {
            let (items, at) = (self.items().len(), self.children().len());
            self.0.insert_child(tx, at, child, self.head(items, at + 1));
        }
        let head = Lens { mark, ..*self.0.head() };
        self.0.set_head(tx, head);
    }

    /// Moves the node to as few lines as it needs.
    fn fit(&mut self, tx: &Fase<'p>) {
        let head = *self.0.head();
        let empty = Lens { mark: head.mark, ..Lens::default() };
        let fitting = Array::with_room(tx, empty, self.0.counts());
        let old = std::mem::replace(&mut self.0, fitting);
        self.0.append(tx, old, head);
    }

    /// If the node has too many elements, a new node on top of it takes the greater half.
    fn split_if_over(mut self, tx: &Fase<'p>) -> Self {
        let counts = self.0.counts();
        if counts.items <= Self::MAX {
            return self;
        }
        let items = counts.items / 2;
        let (lower, upper) = (self.head(items, counts.children), self.head(counts.items - items, 0));
        let mut top = Node(self.0.split_off(tx, Counts { items, ..counts }, lower, upper));
        self.fit(tx);
        top.set_children(tx, Some(self), None);
        top
    }

    /// Moves everything out.
    pub(super) fn take(self, tx: &Fase<'p>) -> (Vec<T>, Vec<Self>) {
        let (_, items, children, _) = self.0.take(tx);
        (items, children)
    }
}

/// One heap of all that is in both.
///
/// Complexity: O(log n): each step goes down the right way of one of the two.
pub(super) fn meld<'p, T>(tx: &Fase<'p>, left: Heap<'p, T>, right: Heap<'p, T>) -> Heap<'p, T>
where
    T: Persistent<At<'p> = T> + Ord,
{
    let (mut left, mut right) = (left, right);
    // The way down, each node with its left subtree. Not a recursion: in a damaged heap the way may be long.
    let mut way = Vec::new();
    let mut melded = loop {
        let (mut low, mut high) = match (left, right) {
            (Some(left), Some(right)) if right.items()[0] >= left.items()[0] => (left, right),
            (Some(left), Some(right)) => (right, left),
            (left, right) => break left.or(right),
        };
        let least = &high.items()[0];
        let kept = low.items().partition_point(|item| item <= least).max(1);
        while low.items().len() > kept {
            let item = low.remove_last(tx);
            let at = high.items().partition_point(|other| *other <= item);
            high.insert(tx, at, item);
        }
        let (first, second) = high.take_children(tx);
        way.push((high, first));
        (left, right) = (second, Some(low));
    };
    while let Some((mut high, first)) = way.pop() {
        high.set_children(tx, first, melded);
        melded = Some(high.split_if_over(tx));
    }
    melded
}

/// Takes the greatest element of a heap that has one.
///
/// Complexity: O(log n). Once a node is empty it takes the greatest elements of the two below it, until it is full or one of them
/// is empty, in whose place its own subtrees are melded: so most of the time the root alone is copied.
pub(super) fn pop<'p, T>(tx: &Fase<'p>, heap: &mut Heap<'p, T>) -> Option<T>
where
    T: Persistent<At<'p> = T> + Ord,
{
    let root = heap.as_mut()?;
    let item = root.remove_last(tx);
    if root.items().is_empty() {
        let mut root = heap.take()?;
        let (left, right) = root.take_children(tx);
        *heap = refill(tx, root, left, right);
    }
    Some(item)
}

fn refill<'p, T>(tx: &Fase<'p>, mut root: Node<'p, T>, left: Heap<'p, T>, right: Heap<'p, T>) -> Heap<'p, T>
where
    T: Persistent<At<'p> = T> + Ord,
{
    let (mut left, mut right) = match (left, right) {
        (Some(left), Some(right)) => (left, right),
        // With one subtree there is nothing to choose from.
        (left, right) => return left.or(right),
    };
    while root.items().len() < Node::<T>::MAX && !left.items().is_empty() && !right.items().is_empty() {
        let is_left = left.items().last() >= right.items().last();
        let from = if is_left { &mut left } else { &mut right };
        let item = from.remove_last(tx);
        root.insert(tx, 0, item);
    }
    let [left, right] = [left, right].map(|mut child| {
        if !child.items().is_empty() {
            return Some(child);
        }
        let (first, second) = child.take_children(tx);
        meld(tx, first, second)
    });
    root.set_children(tx, left, right);
    Some(root)
}
