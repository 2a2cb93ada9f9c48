//! A node of the tree, read.

use pmem_derive::Persistent;

use super::shape::{FANOUT, FANOUT_MIN, LEVELS, Shape, Sizes};
use crate::persist::{Array, Lens, Persistent};

/// An owning pointer to a leaf or an inner node.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "SequenceNode")]
pub(crate) struct Node<'p, T>(pub(super) Elements<'p, T>);

/// Items of a leaf, or children and sums of an inner node.
type Elements<'p, T> = Array<'p, Lens, T, Node<'p, T>, u64>;

impl<'p, T> Node<'p, T>
where
    T: Persistent,
{
    pub(super) fn lens(&self) -> Lens {
        *self.0.head()
    }

    /// How far the leaves are: 0 for a leaf.
    pub(super) fn level(&self) -> usize {
        self.lens().mark.into()
    }

    pub(super) fn items(&self) -> &[T] {
        self.0.items()
    }

    pub(super) fn children(&self) -> &[Self] {
        self.0.children()
    }

    /// The child at `at`, if there is one that is one level below. Each node of a damaged tree may be whole, and one of them below
    /// itself, or so many below each other that a recursion overflows the stack.
    #[inline]
    pub(super) fn child(&self, at: usize) -> Option<&Self> {
        self.children().get(at).filter(|child| child.is_below(self.level()))
    }

    #[inline]
    fn is_below(&self, level: usize) -> bool {
        self.level() + 1 == level && level < LEVELS
    }

    /// Panics if this is no child of a node of that level.
    #[inline]
    pub(super) fn require_below(&self, level: usize) {
        assert!(self.is_below(level), "children are one level below their parent: the pool is damaged");
    }

    /// Panics if a child is none that [`Node::child`] gives.
    pub(super) fn require_children(&self) {
        self.children().iter().for_each(|child| child.require_below(self.level()));
    }

    /// Of a relaxed node, how many elements lie under each child and those before it; of a regular one nothing.
    pub(super) fn sums(&self) -> &[u64] {
        self.0.extras()
    }

    /// Elements or children.
    pub(super) fn width(&self) -> usize {
        let lens = self.lens();
        usize::from(lens.items) + usize::from(lens.children)
    }

    /// Below this many elements or children, a node that is on neither edge of the tree is joined with a neighbour.
    pub(super) fn width_min(level: usize) -> usize {
        match level {
            0 => (Shape::<T>::LEAF / 2).max(1),
            _ => FANOUT_MIN,
        }
    }

    /// Elements or children of a node of this level, at most.
    pub(super) fn width_max(level: usize) -> usize {
        if level == 0 { Shape::<T>::LEAF } else { FANOUT }
    }

    pub(super) fn is_narrow(&self) -> bool {
        self.width() < Self::width_min(self.level())
    }

    pub(super) fn ptr_eq(left: &Self, right: &Self) -> bool {
        Array::ptr_eq(&left.0, &right.0)
    }

    /// The child in which the element at `at` lies, and its place there.
    #[inline]
    pub(super) fn find(&self, at: u64) -> (usize, u64) {
        let lens = self.lens();
        if lens.extras == 0 {
            return Shape::<T>::find(lens.mark.into(), at);
        }
        let sums = self.sums();
        // Not a search: over so few sums it would be slower than to look at all of them.
        let child = sums.iter().map(|sum| usize::from(*sum <= at)).sum::<usize>();
        // In a damaged tree the difference may be none, and there is no such element.
        (child, at.wrapping_sub(child.checked_sub(1).map_or(0, |before| sums[before])))
    }

    /// How many elements lie under each child of an inner node with `total` elements.
    pub(super) fn sizes(&self, total: u64) -> Sizes {
        let sums = self.sums();
        if sums.is_empty() {
            let full = Shape::<T>::full(self.level().saturating_sub(1));
            let before = self.width().saturating_sub(1);
            let last = total.saturating_sub(full.saturating_mul(before as u64));
            return Sizes::of(std::iter::repeat_n(full, before).chain([last]));
        }
        let mut before = 0;
        Sizes::of(sums.iter().map(|sum| sum.saturating_sub(std::mem::replace(&mut before, *sum))))
    }

    /// The leaf of the element at `at` among its siblings: the siblings, its index, and the element's place in it.
    ///
    /// `None` only if the tree is damaged.
    #[inline]
    pub(super) fn seek(&self, mut at: u64) -> Option<(&[Self], usize, usize)> {
        let mut siblings = std::slice::from_ref(self);
        let mut index = 0;
        loop {
            let node = siblings.get(index)?;
            let children = node.children();
            if children.is_empty() {
                return Some((siblings, index, at as usize));
            }
            (index, at) = node.find(at);
            node.child(index)?;
            siblings = children;
        }
    }

    /// The element at `at`.
    #[inline]
    pub(super) fn get(&self, mut at: u64) -> Option<&T> {
        let mut node = self;
        while node.lens().children != 0 {
            let (child, rest) = node.find(at);
            node = node.child(child)?;
            at = rest;
        }
        node.items().get(at as usize)
    }
}
