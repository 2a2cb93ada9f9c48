//! Edits that stay within one leaf.

use super::node::Node;
use super::{Content, LEAF, LEAF_MIN, Tree};
use crate::commit::Fase;

impl<'p, H: Content> Tree<'p, H> {
    /// Replaces the bytes in `from..to` if they lie in one leaf that may stay, perhaps as two. Says whether it did.
    pub(super) fn splice_in_leaf(&mut self, tx: &Fase<'p>, from: u64, to: u64, new: &[u8]) -> bool {
        if !self.root.is_one_leaf(from, to, new.len()) {
            return false;
        }
        if let Some(right) = self.root.splice(tx, from, to, new) {
            self.root.grow(tx, right);
        }
        self.len = self.len + new.len() as u64 - (to - from);
        true
    }

    /// Puts as many of these bytes behind the last as its leaf has room for, if that is not all. Returns the others.
    pub(super) fn fill_up<'a>(&mut self, tx: &Fase<'p>, new: &'a [u8]) -> &'a [u8] {
        if self.len == 0 {
            return new;
        }
        let (start, leaf) = self
            .root
            .leaf_at(self.len - 1)
            .expect("a rope has as many bytes as it says, or the pool is damaged");
        let room = LEAF.saturating_sub((self.len - start) as usize);
        debug_assert_eq!(leaf.width() as u64, self.len - start, "the last leaf ends where the rope does");
        // What is left must be a leaf by itself; a little is better shared between two.
        if new.len() < room + LEAF_MIN {
            return new;
        }
        let (now, later) = new.split_at(H::floor(new, room));
        if now.is_empty() || !self.splice_in_leaf(tx, self.len, self.len, now) {
            return new;
        }
        later
    }
}

impl<'p, H: Content> Node<'p, H> {
    /// The child that has all of `from..to`, or into which an insertion goes, and where it begins.
    fn child_with(&self, from: u64, to: u64) -> Option<(usize, u64)> {
        // Between two children, what is inserted goes to the left one: mostly it follows what was inserted before.
        let is_before = |end: &&u64| if from == to { **end < from } else { **end <= from };
        let index = self.ends().iter().filter(is_before).count();
        let is_inside = self.ends().get(index).is_some_and(|end| to <= *end);
        is_inside.then(|| (index, self.start(index)))
    }

    /// Whether `from..to` lies in one leaf, and the leaf with so many bytes instead has enough for one and not too many for two.
    fn is_one_leaf(&self, mut from: u64, mut to: u64, new: usize) -> bool {
        let mut node = self;
        while node.level() > 0 {
            let Some((index, start)) = node.child_with(from, to) else { return false };
            (from, to) = (from - start, to - start);
            node = node.require_child(index);
        }
        let width = node.width() - (to - from) as usize + new;
        let is_root = self.level() == 0;
        width <= 2 * (LEAF - H::SLACK) && width > 0 && (is_root || width >= LEAF_MIN)
    }

    /// Replaces the bytes in `from..to`, which lie in one leaf. What does not fit is returned as the node's right neighbour.
    fn splice(&mut self, tx: &Fase<'p>, from: u64, to: u64, new: &[u8]) -> Option<Self> {
        if self.level() == 0 {
            return self.splice_leaf(tx, from as usize, to as usize, new);
        }
        let (index, start) = self.child_with(from, to).expect("the range lies in one child");
        let children = self.0.edit(tx).children;
        let right = children[index].splice(tx, from - start, to - start, new);
        let taken = right.as_ref().map_or(0, Node::len);
        self.shift(tx, index, new.len() as u64, to - from + taken);
        self.insert(tx, index + 1, right?)
    }

    fn splice_leaf(&mut self, tx: &Fase<'p>, from: usize, to: usize, new: &[u8]) -> Option<Self> {
        let old = self.0.items();
        let width = old.len() - (to - from) + new.len();
        if width <= LEAF {
            self.splice_items(tx, from, to, new);
            return None;
        }
        let bytes = [&old[..from], new, &old[to..]].concat();
        // At the end more will follow: the left leaf is left as full as may be.
        let at = if from == old.len() { LEAF.min(width - LEAF_MIN) } else { width / 2 };
        let (left, right) = bytes.split_at(H::floor(&bytes, at));
        let right = Self::leaf(tx, right);
        *self = Self::leaf(tx, left);
        Some(right)
    }

    /// Puts a root over this one and its right neighbour.
    fn grow(&mut self, tx: &Fase<'p>, right: Self) {
        let root = Self::inner(tx, self.level() + 1, []);
        let left = std::mem::replace(self, root);
        for (at, child) in [left, right].into_iter().enumerate() {
            let none = self.insert(tx, at, child);
            assert!(none.is_none(), "two children fit into a node");
        }
    }
}
