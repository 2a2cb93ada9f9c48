//! The engine of all sequences: a balanced tree with dense leaves.
//!
//! **Problem.** An array cannot be edited where readers may look, and copying it costs its length. A tree of short runs can be
//! edited by copying a path; what such an edit writes is the path's lines, so nodes are sized in lines.
//!
//! **Words.** A *leaf* has items, an *inner* node has children, and `mark` of its head says its *level*, 0 for a leaf. The
//! *width* of a node is the number of its items or children. An inner node is *regular* if all its children but the last
//! are full (as many elements as their level permits): then the child of an index is a quotient. A *relaxed* node is not, and has
//! as extras the *sums* of its children's sizes. The *edges* of the tree are the paths to its first and its last leaf; a
//! *narrow* node has less than half the width it may have. The *front* and the *back* are leaves outside the tree, so that pushes
//! and pops at either end copy one leaf and, once per leaf, an edge.
//!
//! This is the relaxed radix balanced tree (Bagwell and Rompf, "RRB-Trees: Efficient Immutable Vectors", 2011; Stucki et al., ICFP
//! 2015) in that sums are stored only where the radix does not do, and a B-tree in how it stays balanced: what is inserted splits
//! nodes, what is removed joins them. Sums everywhere would make a node of two lines hold 6 children instead of 13, and every
//! overwrite copy them.
//!
//! **Invariants.**
//! 1. All leaves are at level 0 and no leaf is empty; a node's children are one level below it.
//! 2. No node is wider than its level permits. Only nodes on an edge are narrow. The root, if it is not a leaf, has two
//!    children or more, and if two, then such as do not fit into one.
//! 3. A relaxed node's sums are those of its children's sizes; a node without sums is regular.
//! 4. `tree_len` is the number of elements in the tree.
//!
//! Everything recurses over the height at most. Indices are `u64` inside nodes and `usize` outside.

mod check;
mod chunks;
mod edit;
mod ends;
mod iter;
mod iter_mut;
mod join;
mod middle;
mod node;
mod runs;
mod shape;
#[cfg(test)]
mod tests;

use pmem_derive::Persistent;

use self::shape::Shape;
use crate::commit::Fase;
use crate::persist::Persistent;

pub(crate) use self::chunks::Chunks;
pub(crate) use self::iter::Iter;
pub(crate) use self::iter_mut::IterMut;
use self::node::Node;

/// A sequence of `T`.
#[derive(Persistent)]
#[repr(C)]
pub(crate) struct Sequence<'p, T> {
    front: Option<Node<'p, T>>,
    tree: Option<Node<'p, T>>,
    back: Option<Node<'p, T>>,
    tree_len: u64,
}

impl<T> Sequence<'_, T> {
    /// An empty sequence, which has no nodes.
    pub(crate) const fn new() -> Self {
        Sequence { front: None, tree: None, back: None, tree_len: 0 }
    }
}

impl<T> Default for Sequence<'_, T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Where an index lies, and the index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Front(usize),
    Tree(u64),
    Back(usize),
}

impl<'p, T> Sequence<'p, T>
where
    T: Persistent,
{
    /// Elements of a leaf, at most.
    pub(crate) const LEAF: usize = Shape::<T>::LEAF;

    /// Elements.
    ///
    /// Complexity: O(1).
    pub(crate) fn len(&self) -> usize {
        width(&self.front) + self.tree_len as usize + width(&self.back)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tree_len == 0 && self.front.is_none() && self.back.is_none()
    }

    /// Whether both are the same nodes.
    pub(crate) fn ptr_eq(&self, other: &Self) -> bool {
        let same = |left: &Option<Node<'p, T>>, right: &Option<Node<'p, T>>| match (left, right) {
            (Some(left), Some(right)) => Node::ptr_eq(left, right),
            (None, None) => true,
            _ => false,
        };
        same(&self.front, &other.front) && same(&self.tree, &other.tree) && same(&self.back, &other.back)
    }

    /// Where the element at `index` lies. Behind the end it is a place in the back.
    #[inline]
    fn place(&self, index: usize) -> Place {
        let mut at = index;
        if let Some(front) = &self.front {
            let width = front.width();
            if at < width {
                return Place::Front(at);
            }
            at -= width;
        }
        match (at as u64).checked_sub(self.tree_len) {
            None => Place::Tree(at as u64),
            Some(at) => Place::Back(at as usize),
        }
    }

    /// The element at `index`.
    ///
    /// Complexity: O(log n).
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        match self.place(index) {
            Place::Front(at) => self.front.as_ref()?.items().get(at),
            Place::Tree(at) => self.tree.as_ref()?.get(at),
            Place::Back(at) => self.back.as_ref()?.items().get(at),
        }
    }
}

impl<'p, T> Sequence<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// Access to the element at `index`, to a copy of its path if others see it.
    ///
    /// Complexity: O(log n).
    pub(crate) fn get_mut(&mut self, tx: &Fase<'p>, index: usize) -> Option<&mut T> {
        match self.place(index) {
            Place::Front(at) => self.front.as_mut()?.items_mut(tx).get_mut(at),
            Place::Tree(at) => Some(self.tree.as_mut()?.get_mut(tx, at)),
            Place::Back(at) => {
                let back = self.back.as_mut()?;
                if at < back.width() { back.items_mut(tx).get_mut(at) } else { None }
            }
        }
    }

    /// Access to the elements at two indices, of which the first is less.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there are no such elements, or the first index is not less.
    pub(crate) fn pair_mut(&mut self, tx: &Fase<'p>, first: usize, second: usize) -> (&mut T, &mut T) {
        assert!(first < second && second < self.len(), "{first} and {second} are not two indices in order");
        let (first, second) = (self.place(first), self.place(second));
        let Sequence { front, tree, back, .. } = self;
        match (first, second) {
            (Place::Front(first), Place::Front(second)) => leaf_pair(front, tx, first, second),
            (Place::Back(first), Place::Back(second)) => leaf_pair(back, tx, first, second),
            (Place::Tree(first), Place::Tree(second)) => {
                tree.as_mut().expect(PLACED).pair_mut(tx, first, second)
            }
            (Place::Front(first), Place::Tree(second)) => {
                (leaf_mut(front, tx, first), tree.as_mut().expect(PLACED).get_mut(tx, second))
            }
            (Place::Front(first), Place::Back(second)) => {
                (leaf_mut(front, tx, first), leaf_mut(back, tx, second))
            }
            (Place::Tree(first), Place::Back(second)) => {
                (tree.as_mut().expect(PLACED).get_mut(tx, first), leaf_mut(back, tx, second))
            }
            _ => unreachable!("the places of two indices are in their order"),
        }
    }
}

const PLACED: &str = "an index lies where there is a node";

fn leaf_mut<'a, 'p, T>(leaf: &'a mut Option<Node<'p, T>>, tx: &Fase<'p>, at: usize) -> &'a mut T
where
    T: Persistent<At<'p> = T>,
{
    &mut leaf.as_mut().expect(PLACED).items_mut(tx)[at]
}

fn leaf_pair<'a, 'p, T>(
    leaf: &'a mut Option<Node<'p, T>>,
    tx: &Fase<'p>,
    first: usize,
    second: usize,
) -> (&'a mut T, &'a mut T)
where
    T: Persistent<At<'p> = T>,
{
    leaf.as_mut().expect(PLACED).pair_mut(tx, first as u64, second as u64)
}

/// Elements of a leaf outside the tree.
fn width<T>(leaf: &Option<Node<'_, T>>) -> usize
where
    T: Persistent,
{
    leaf.as_ref().map_or(0, Node::width)
}
