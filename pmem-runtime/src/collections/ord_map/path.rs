//! The way from the root to an entry, or to the gap between two.

use equivalent::Comparable;

use super::node::{Node, Pair};
use crate::commit::Fase;
use crate::persist::Persistent;

/// Levels that a tree can have: a node has two children at least, and a tree fewer than 2^40 entries.
const MAX_LEVELS: usize = 48;

/// Which child to go to in each node, and last, which entry it is or before which the gap is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    steps: [u8; MAX_LEVELS],
    len: u8,
    /// Whether it leads to an entry rather than to a gap, which is in a leaf.
    pub(super) is_found: bool,
}

impl Path {
    /// The way to the key, or to where it belongs. All comparisons of a search are made here, before anything is changed.
    pub(super) fn to<Q, K, V>(root: &Node<'_, K, V>, key: &Q) -> Self
    where
        Q: ?Sized + Comparable<K>,
        K: Persistent,
        V: Persistent,
    {
        let mut path = Path { steps: [0; MAX_LEVELS], len: 0, is_found: false };
        let mut node = root;
        loop {
            let (Ok(step) | Err(step)) = node.search(key).inspect(|_| path.is_found = true);
            path.push(step);
            match node.children().get(step) {
                Some(child) if !path.is_found => node = child,
                _ => return path,
            }
        }
    }

    /// The way to the first entry of a tree.
    pub(super) fn to_first<K: Persistent, V: Persistent>(root: &Node<'_, K, V>) -> Self {
        let mut path = Path { steps: [0; MAX_LEVELS], len: 0, is_found: true };
        let mut node = root;
        loop {
            path.push(0);
            let Some(child) = node.children().first() else { return path };
            node = child;
        }
    }

    /// The way to the last entry of a tree.
    pub(super) fn to_last<K: Persistent, V: Persistent>(root: &Node<'_, K, V>) -> Self {
        let mut path = Path { steps: [0; MAX_LEVELS], len: 0, is_found: true };
        let mut node = root;
        loop {
            let Some(child) = node.children().last() else {
                path.push(node.pairs().len().saturating_sub(1));
                return path;
            };
            path.push(node.children().len() - 1);
            node = child;
        }
    }

    /// The gap behind the last entry.
    pub(super) fn to_end<K: Persistent, V: Persistent>(root: &Node<'_, K, V>) -> Self {
        let mut path = Self::to_last(root);
        path.steps[usize::from(path.len) - 1] += 1;
        path.is_found = false;
        path
    }

    /// The gap before the first entry.
    pub(super) fn to_start<K: Persistent, V: Persistent>(root: &Node<'_, K, V>) -> Self {
        Path { is_found: false, ..Self::to_first(root) }
    }

    fn push(&mut self, step: usize) {
        let len = usize::from(self.len);
        assert!(len < MAX_LEVELS, "the tree is higher than any that was built here: the pool is damaged");
        self.steps[len] = step as u8;
        self.len += 1;
    }

    pub(super) fn steps(&self) -> &[u8] {
        &self.steps[..usize::from(self.len)]
    }

    /// Changes a step, or ends the path with it.
    pub(super) fn set(&mut self, depth: usize, step: usize) {
        self.steps[depth] = step as u8;
    }

    pub(super) fn end_at(&mut self, depth: usize) {
        self.len = depth as u8 + 1;
    }

    /// The path in the tree that has one more level on top, under whose child `step` this one's tree is.
    pub(super) fn put_under(&mut self, step: usize) {
        let len = usize::from(self.len);
        assert!(len < MAX_LEVELS, "the tree is higher than any that was built here: the pool is damaged");
        self.steps.copy_within(..len, 1);
        self.steps[0] = step as u8;
        self.len += 1;
    }

    /// The entry that the path leads to.
    pub(super) fn pair<'n, K: Persistent, V: Persistent>(&self, root: &'n Node<'_, K, V>) -> &'n Pair<K, V> {
        let [above @ .., last] = self.steps() else { unreachable!("a path has a step") };
        let node = above.iter().fold(root, |node, step| &node.children()[usize::from(*step)]);
        &node.pairs()[usize::from(*last)]
    }

    /// The entry that the path leads to, for writing: the nodes on the way become the section's own.
    pub(super) fn pair_mut<'n, 'p, K, V>(
        &self,
        tx: &Fase<'p>,
        root: &'n mut Node<'p, K, V>,
    ) -> &'n mut Pair<K, V>
    where
        K: Persistent<At<'p> = K>,
        V: Persistent<At<'p> = V>,
    {
        let [above @ .., last] = self.steps() else { unreachable!("a path has a step") };
        let mut node = root;
        for step in above {
            node = &mut node.edit(tx).1[usize::from(*step)];
        }
        &mut node.edit(tx).0[usize::from(*last)]
    }
}
