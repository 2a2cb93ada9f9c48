//! Elements pushed and popped at the ends, and whole sequences joined and divided.

use super::edit::End;
use super::join::{join, lowered, split};
use super::{Node, Place, Sequence, width};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, T> Sequence<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// Adds an element behind the last. A new leaf has room for `more` besides.
    ///
    /// Complexity: O(1), and O(log n) once per leaf.
    pub(crate) fn push_back(&mut self, tx: &Fase<'p>, item: T, more: usize) {
        if width(&self.back) >= Self::LEAF {
            self.flush(tx, End::Last);
        }
        let room = more.saturating_add(1).min(Self::LEAF);
        let back = self.back.get_or_insert_with(|| Node::leaf(tx, room));
        back.insert_item(tx, back.width(), item);
    }

    /// Adds an element before the first.
    ///
    /// Complexity: as [`Sequence::push_back`].
    pub(crate) fn push_front(&mut self, tx: &Fase<'p>, item: T) {
        if width(&self.front) >= Self::LEAF {
            self.flush(tx, End::First);
        }
        self.front.get_or_insert_with(|| Node::leaf(tx, 1)).insert_item(tx, 0, item);
    }

    /// Takes the last element.
    ///
    /// Complexity: O(1), and O(log n) once per leaf.
    pub(crate) fn pop_back(&mut self, tx: &Fase<'p>) -> Option<T> {
        if self.back.is_none() && self.tree.is_some() {
            self.back = Some(self.pop_leaf(tx, End::Last));
        }
        let end = if self.back.is_some() { &mut self.back } else { &mut self.front };
        let last = end.as_ref()?.width() - 1;
        Some(take_item(end, tx, last))
    }

    /// Takes the first element.
    ///
    /// Complexity: O(1), and O(log n) once per leaf.
    pub(crate) fn pop_front(&mut self, tx: &Fase<'p>) -> Option<T> {
        if self.front.is_none() && self.tree.is_some() {
            self.front = Some(self.pop_leaf(tx, End::First));
        }
        let end = if self.front.is_some() { &mut self.front } else { &mut self.back };
        end.as_ref()?;
        Some(take_item(end, tx, 0))
    }

    /// Moves the leaf outside the tree at this end into the tree.
    pub(super) fn flush(&mut self, tx: &Fase<'p>, end: End) {
        let leaf = match end {
            End::First => self.front.take(),
            End::Last => self.back.take(),
        };
        if let Some(leaf) = leaf {
            self.push_leaf(tx, end, leaf);
        }
    }

    pub(super) fn push_leaf(&mut self, tx: &Fase<'p>, end: End, leaf: Node<'p, T>) {
        let (total, more) = (self.tree_len, leaf.width() as u64);
        self.tree_len += more;
        let level = self.tree.as_ref().map(Node::level);
        let grown = match (&mut self.tree, level) {
            (tree @ None, _) => return *tree = Some(leaf),
            (Some(tree), Some(1..)) => {
                let Some(over) = tree.push_leaf(tx, total, end, (leaf, more)) else { return };
                let tree = self.tree.take().expect("it was pushed to");
                let rest = (tree, self.tree_len - over.1);
                if end == End::First { vec![over, rest] } else { vec![rest, over] }
            }
            (Some(_), _) => {
                let tree = (self.tree.take().expect("just matched"), total);
                let (left, right) =
                    if end == End::First { ((leaf, more), tree) } else { (tree, (leaf, more)) };
                join(tx, left, right)
            }
        };
        self.plant(tx, grown);
    }

    /// Makes one or two nodes of one level the tree.
    pub(super) fn plant(&mut self, tx: &Fase<'p>, mut nodes: Vec<(Node<'p, T>, u64)>) {
        let (tree, total) = if nodes.len() > 1 {
            let level = nodes[0].0.level() + 1;
            Node::inner(tx, level, nodes)
        } else {
            nodes.remove(0)
        };
        self.tree_len = total;
        self.tree = Some(tree);
    }

    fn pop_leaf(&mut self, tx: &Fase<'p>, end: End) -> Node<'p, T> {
        let mut tree = self.tree.take().expect("the callers looked");
        if tree.level() == 0 {
            self.tree_len = 0;
            return tree;
        }
        let (leaf, size) = tree.pop_leaf(tx, self.tree_len, end);
        self.tree_len -= size;
        let (tree, _) = lowered(tx, (tree, self.tree_len));
        self.tree = Some(tree);
        leaf
    }

    /// Lets the tree's root have two children or more again.
    pub(super) fn lower(&mut self, tx: &Fase<'p>) {
        if let Some(tree) = self.tree.take_if(|tree| tree.width() <= 2 && tree.level() > 0) {
            self.tree = Some(lowered(tx, (tree, self.tree_len)).0);
        }
    }

    /// Moves all elements of `other` behind the last.
    ///
    /// Complexity: O(log n).
    pub(crate) fn append(&mut self, tx: &Fase<'p>, mut other: Self) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = other;
            return;
        }
        if width(&self.back) + width(&other.front) <= Self::LEAF {
            self.back = merged(tx, self.back.take(), other.front.take());
        }
        if other.tree.is_none()
            && other.front.is_none()
            && width(&self.back) + width(&other.back) <= Self::LEAF
        {
            self.back = merged(tx, self.back.take(), other.back.take());
            return;
        }
        self.flush(tx, End::Last);
        if let Some(leaf) = other.front.take() {
            self.push_leaf(tx, End::Last, leaf);
        }
        if let Some(right) = other.tree.take() {
            let right = (right, other.tree_len);
            let nodes = match self.tree.take() {
                Some(left) => join(tx, (left, self.tree_len), right),
                None => vec![right],
            };
            self.plant(tx, nodes);
            self.lower(tx);
        }
        self.back = other.back.take();
    }

    /// Takes the elements from `at` on.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `at` is behind the end.
    pub(crate) fn split_off(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        assert!(at <= self.len(), "index {at} is behind the {} elements", self.len());
        let mut right = Self::new();
        match self.place(at) {
            Place::Front(at) => {
                right.front = split_leaf(&mut self.front, tx, at);
                right.tree = self.tree.take();
                right.tree_len = std::mem::take(&mut self.tree_len);
                right.back = self.back.take();
            }
            Place::Tree(at) => {
                right.back = self.back.take();
                let tree = self.tree.take().expect(super::PLACED);
                let total = std::mem::take(&mut self.tree_len);
                if at == 0 {
                    (right.tree, right.tree_len) = (Some(tree), total);
                    return right;
                }
                let (before, after) = split(tx, (tree, total), at);
                self.plant(tx, vec![before]);
                self.lower(tx);
                right.plant(tx, vec![after]);
                right.lower(tx);
            }
            Place::Back(at) => right.back = split_leaf(&mut self.back, tx, at),
        }
        right
    }

    /// A second owner of the elements in the range.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range is not one of the elements'.
    pub(crate) fn slice(&self, tx: &Fase<'p>, range: std::ops::Range<usize>) -> Self {
        assert!(
            range.start <= range.end && range.end <= self.len(),
            "{range:?} is no range of {} elements",
            self.len()
        );
        let mut all = tx.share(self);
        drop(all.split_off(tx, range.end));
        all.split_off(tx, range.start)
    }
}

/// Takes an element out of a leaf, which vanishes with its last.
pub(super) fn take_item<'p, T>(leaf: &mut Option<Node<'p, T>>, tx: &Fase<'p>, at: usize) -> T
where
    T: Persistent<At<'p> = T>,
{
    let node = leaf.as_mut().expect(super::PLACED);
    let item = node.remove_item(tx, at);
    if node.width() == 0 {
        *leaf = None;
    }
    item
}

/// Takes the elements of a leaf from `at` on; neither part is an empty leaf.
fn split_leaf<'p, T>(leaf: &mut Option<Node<'p, T>>, tx: &Fase<'p>, at: usize) -> Option<Node<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    if at == 0 {
        return leaf.take();
    }
    if at == width(leaf) {
        return None;
    }
    leaf.as_mut().map(|leaf| leaf.split_items(tx, at))
}

/// The elements of two leaves in one.
fn merged<'p, T>(tx: &Fase<'p>, left: Option<Node<'p, T>>, right: Option<Node<'p, T>>) -> Option<Node<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    match (left, right) {
        (Some(mut left), Some(right)) => {
            left.append_items(tx, right);
            Some(left)
        }
        (left, right) => left.or(right),
    }
}
