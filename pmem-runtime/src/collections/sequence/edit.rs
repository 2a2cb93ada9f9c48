//! A node of the tree, changed: one element or one leaf at a time.
//!
//! Every function here leaves the node's sums right, and repairs what became too wide or too narrow one level below.

use super::Node;
use super::join::{balance, fill};
use super::shape::{FANOUT, Shape, Sizes};
use crate::commit::Fase;
use crate::persist::{Array, Counts, Lens, Persistent};

/// A node and how many elements lie under it.
pub(super) type Sized<'p, T> = (Node<'p, T>, u64);

/// One of the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl<'p, T> Node<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// An empty leaf with room for so many elements.
    pub(super) fn leaf(tx: &Fase<'p>, room: usize) -> Self {
        Node(Array::with_room(tx, Lens::default(), Counts { items: room, ..Counts::default() }))
    }

    /// A node over these children.
    pub(super) fn inner(tx: &Fase<'p>, level: usize, children: Vec<Sized<'p, T>>) -> Sized<'p, T> {
        let sizes = Sizes::of(children.iter().map(|child| child.1));
        let extras = if is_regular::<T>(level, &sizes) { 0 } else { children.len() };
        let mark = u16::try_from(level).expect("a tree has few levels");
        let room = Counts { items: 0, children: children.len(), extras };
        let mut node = Node(Array::with_room(tx, Lens { mark, ..Lens::default() }, room));
        for (at, (child, _)) in children.into_iter().enumerate() {
            node.insert_child(tx, at, child);
        }
        node.set_sizes(tx, &sizes);
        (node, sizes.total())
    }

    /// Takes a node with `total` elements apart.
    pub(super) fn into_children(self, tx: &Fase<'p>, total: u64) -> Vec<Sized<'p, T>> {
        let (level, sizes) = (self.level(), self.sizes(total));
        let (_, _, children, _) = self.0.take(tx);
        children.iter().for_each(|child| child.require_below(level));
        children.into_iter().zip(sizes.as_slice().iter().copied()).collect()
    }

    fn head_with(&self, counts: Counts) -> Lens {
        self.lens().with(counts)
    }

    pub(super) fn insert_item(&mut self, tx: &Fase<'p>, at: usize, item: T) {
        let counts = self.0.counts();
        let head = self.head_with(Counts { items: counts.items + 1, ..counts });
        self.0.insert_item(tx, at, item, head);
    }

    pub(super) fn remove_item(&mut self, tx: &Fase<'p>, at: usize) -> T {
        let counts = self.0.counts();
        let head = self.head_with(Counts { items: counts.items - 1, ..counts });
        self.0.remove_item(tx, at, head)
    }

    /// Moves the elements of a leaf from `at` on to a new one.
    pub(super) fn split_items(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        let counts = Counts { items: at, ..Counts::default() };
        let left = self.head_with(counts);
        let right = self.head_with(self.0.counts().minus(counts));
        Node(self.0.split_off(tx, counts, left, right))
    }

    /// Moves all elements of another leaf behind this one's.
    pub(super) fn append_items(&mut self, tx: &Fase<'p>, other: Self) {
        let head = self.head_with(self.0.counts().plus(other.0.counts()));
        self.0.append(tx, other.0, head);
    }

    fn insert_child(&mut self, tx: &Fase<'p>, at: usize, child: Self) {
        let counts = self.0.counts();
        let head = self.head_with(Counts { children: counts.children + 1, ..counts });
        self.0.insert_child(tx, at, child, head);
    }

    fn remove_child(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        let counts = self.0.counts();
        let head = self.head_with(Counts { children: counts.children - 1, ..counts });
        self.0.remove_child(tx, at, head)
    }

    pub(super) fn items_mut(&mut self, tx: &Fase<'p>) -> &mut [T] {
        self.0.edit(tx).items
    }

    pub(super) fn children_mut(&mut self, tx: &Fase<'p>) -> &mut [Self] {
        self.0.edit(tx).children
    }

    /// As [`Node::children_mut`], for one child.
    ///
    /// # Panics
    /// If there is none, or as [`Node::require_below`].
    fn child_mut(&mut self, tx: &Fase<'p>, at: usize) -> &mut Self {
        let level = self.level();
        let child = &mut self.children_mut(tx)[at];
        child.require_below(level);
        child
    }

    /// Says how many elements lie under each child.
    fn set_sizes(&mut self, tx: &Fase<'p>, sizes: &Sizes) {
        let sums = if is_regular::<T>(self.level(), sizes) { Sizes::EMPTY } else { sizes.sums() };
        if sums.as_slice() != self.sums() {
            let counts = Counts { extras: sums.as_slice().len(), ..self.0.counts() };
            let head = self.head_with(counts);
            self.0.set_extras(tx, sums.as_slice(), head);
        }
    }

    /// Access to the element at `at`.
    pub(super) fn get_mut(&mut self, tx: &Fase<'p>, mut at: u64) -> &mut T {
        let mut node = self;
        while node.lens().children != 0 {
            let (child, rest) = node.find(at);
            node = node.child_mut(tx, child);
            at = rest;
        }
        &mut node.items_mut(tx)[at as usize]
    }

    /// Access to two elements, of which the first lies before the second.
    pub(super) fn pair_mut(&mut self, tx: &Fase<'p>, first: u64, second: u64) -> (&mut T, &mut T) {
        let mut node = self;
        let (mut first, mut second) = (first, second);
        while node.lens().children != 0 {
            let ((left, first_rest), (right, second_rest)) = (node.find(first), node.find(second));
            let level = node.level();
            let children = node.children_mut(tx);
            if left != right {
                let (before, from) = children.split_at_mut(right);
                let (before, from) = (&mut before[left], &mut from[0]);
                before.require_below(level);
                from.require_below(level);
                return (before.get_mut(tx, first_rest), from.get_mut(tx, second_rest));
            }
            node = &mut children[left];
            node.require_below(level);
            (first, second) = (first_rest, second_rest);
        }
        let (before, from) = node.items_mut(tx).split_at_mut(second as usize);
        (&mut before[first as usize], &mut from[0])
    }

    /// Lets `grow` put `more` elements at a place of the leaf that has room for an element at `at`, which may be behind the last. What
    /// the leaf cannot hold, `grow` returns as the leaf's right neighbour; so does this function for the node.
    pub(super) fn insert(
        &mut self,
        tx: &Fase<'p>,
        total: u64,
        (at, more): (u64, u64),
        grow: impl FnOnce(&mut Self, usize) -> Option<Sized<'p, T>>,
    ) -> Option<Sized<'p, T>> {
        if self.lens().children == 0 {
            return grow(self, at as usize);
        }
        let (child, rest) = self.find_gap(at, total);
        let mut sizes = self.sizes(total);
        let is_inside = child + 1 < self.width();
        if is_inside && self.sums().is_empty() {
            self.0.reserve(tx, Counts { extras: self.width(), ..Counts::default() });
        }
        let size = &mut sizes.as_mut_slice()[child];
        let right = self.child_mut(tx, child).insert(tx, *size, (rest, more), grow);
        *size += more;
        if let Some((node, right_size)) = right {
            *size -= right_size;
            sizes.insert(child + 1, right_size);
            self.insert_child(tx, child + 1, node);
        }
        self.divide(tx, sizes, FANOUT.div_ceil(2))
    }

    /// Sets the sizes; if there is a child too many, the children from `at` on go to a right neighbour.
    fn divide(&mut self, tx: &Fase<'p>, mut sizes: Sizes, at: usize) -> Option<Sized<'p, T>> {
        if self.width() <= FANOUT {
            self.set_sizes(tx, &sizes);
            return None;
        }
        self.set_sizes(tx, &Sizes::EMPTY);
        let right_sizes = sizes.split_off(at);
        let counts = Counts { children: at, ..Counts::default() };
        let (left, right) = (self.head_with(counts), self.head_with(self.0.counts().minus(counts)));
        let mut right = Node(self.0.split_off(tx, counts, left, right));
        self.set_sizes(tx, &sizes);
        right.set_sizes(tx, &right_sizes);
        Some((right, right_sizes.total()))
    }

    /// As [`Node::find`], where `at` may be behind the last element.
    fn find_gap(&self, at: u64, total: u64) -> (usize, u64) {
        if at < total {
            return self.find(at);
        }
        let (child, rest) = self.find(total - 1);
        (child, rest + 1)
    }

    /// Lets `shrink` take `fewer` elements from the leaf of the element at `at`, where they lie.
    pub(super) fn remove<R>(
        &mut self,
        tx: &Fase<'p>,
        total: u64,
        (at, fewer): (u64, u64),
        shrink: impl FnOnce(&mut Self, usize) -> R,
    ) -> R {
        if self.lens().children == 0 {
            return shrink(self, at as usize);
        }
        let (child, rest) = self.find(at);
        let mut sizes = self.sizes(total);
        if child + 1 < self.width() && self.sums().is_empty() {
            self.0.reserve(tx, Counts { extras: self.width(), ..Counts::default() });
        }
        let size = &mut sizes.as_mut_slice()[child];
        let below = self.child_mut(tx, child);
        let taken = below.remove(tx, *size, (rest, fewer), shrink);
        *size -= fewer;
        if below.width() == 0 {
            self.remove_child(tx, child);
            sizes.remove(child);
        } else if below.is_narrow() && self.width() > 1 {
            self.widen(tx, &mut sizes, child);
        }
        self.set_sizes(tx, &sizes);
        taken
    }

    /// Joins a child with a neighbour.
    fn widen(&mut self, tx: &Fase<'p>, sizes: &mut Sizes, child: usize) {
        let left = child.saturating_sub(1);
        let pair = [left, left].map(|at| (self.remove_child(tx, at), sizes.remove(at)));
        let [first, second] = pair;
        for (at, (node, size)) in (left..).zip(balance(tx, first, second)) {
            self.insert_child(tx, at, node);
            sizes.insert(at, size);
        }
    }

    /// Adds a leaf at an end of a node that is not a leaf. What it cannot hold is returned as its neighbour on that side.
    pub(super) fn push_leaf(
        &mut self,
        tx: &Fase<'p>,
        total: u64,
        end: End,
        leaf: Sized<'p, T>,
    ) -> Option<Sized<'p, T>> {
        let mut sizes = self.sizes(total);
        let outermost = end.index(self.width());
        let level = self.level();
        let added = if level == 1 {
            self.settle(tx, &mut sizes, end, leaf)
        } else {
            let size = &mut sizes.as_mut_slice()[outermost];
            let more = leaf.1;
            let added = self.child_mut(tx, outermost).push_leaf(tx, *size, end, leaf);
            *size += more - added.as_ref().map_or(0, |added| added.1);
            added
        };
        let overflow = added.and_then(|(node, size)| {
            if self.width() == FANOUT {
                return Some(Self::inner(tx, level, vec![(node, size)]));
            }
            let at = if end == End::First { 0 } else { self.width() };
            sizes.insert(at, size);
            self.insert_child(tx, at, node);
            None
        });
        self.set_sizes(tx, &sizes);
        overflow
    }

    /// Joins a leaf with the outermost one if that is too short to have a neighbour on both sides.
    fn settle(
        &mut self,
        tx: &Fase<'p>,
        sizes: &mut Sizes,
        end: End,
        leaf: Sized<'p, T>,
    ) -> Option<Sized<'p, T>> {
        let outermost = end.index(self.width());
        if !self.children()[outermost].is_narrow() {
            return Some(leaf);
        }
        let old = (self.remove_child(tx, outermost), sizes.remove(outermost));
        let (first, second) = if end == End::First { (leaf, old) } else { (old, leaf) };
        let mut both = fill(tx, first, second, end).into_iter();
        let kept = both.next().expect("leaves that are joined are not empty");
        let (kept, more) = match (end, both.next()) {
            (End::First, Some(last)) => (last, Some(kept)),
            (_, more) => (kept, more),
        };
        self.insert_child(tx, outermost, kept.0);
        sizes.insert(outermost, kept.1);
        more
    }

    /// Takes the leaf at an end off a node that is not a leaf. The node may have no children then.
    pub(super) fn pop_leaf(&mut self, tx: &Fase<'p>, total: u64, end: End) -> Sized<'p, T> {
        let mut sizes = self.sizes(total);
        let outermost = end.index(self.width());
        if self.level() == 1 {
            let leaf = (self.remove_child(tx, outermost), sizes.remove(outermost));
            self.set_sizes(tx, &sizes);
            return leaf;
        }
        let size = &mut sizes.as_mut_slice()[outermost];
        let below = self.child_mut(tx, outermost);
        let leaf = below.pop_leaf(tx, *size, end);
        *size -= leaf.1;
        if below.width() == 0 {
            self.remove_child(tx, outermost);
            sizes.remove(outermost);
        }
        self.set_sizes(tx, &sizes);
        leaf
    }
}

impl End {
    fn index(self, width: usize) -> usize {
        match self {
            End::First => 0,
            End::Last => width.saturating_sub(1),
        }
    }
}

impl<'p, T> Node<'p, T>
where
    T: Persistent<At<'p> = T> + Copy,
{
    /// A leaf with copies of these elements.
    pub(super) fn leaf_of(tx: &Fase<'p>, items: &[T]) -> Self {
        let mut leaf = Self::leaf(tx, items.len());
        leaf.splice_items(tx, 0, 0, items);
        leaf
    }

    /// Replaces the elements `from..to` of a leaf by copies of `new`.
    pub(super) fn splice_items(&mut self, tx: &Fase<'p>, from: usize, to: usize, new: &[T]) {
        let counts = self.0.counts();
        let head = self.head_with(Counts { items: counts.items - (to - from) + new.len(), ..counts });
        self.0.splice_items(tx, from, to, new, head);
    }
}

/// Whether the children's sizes follow from their number: all but the last are full.
pub(super) fn is_regular<T>(level: usize, sizes: &Sizes) -> bool {
    let full = Shape::<T>::full(level.saturating_sub(1));
    let sizes = sizes.as_slice();
    sizes.split_last().is_none_or(|(_, before)| before.iter().all(|size| *size == full))
}
