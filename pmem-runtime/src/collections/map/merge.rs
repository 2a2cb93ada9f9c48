//! Combining two tries into a third that shares what it can with both.
//!
//! Where both have the same node, and where only one has anything, nothing is looked at: the time is in proportion to the nodes
//! in which the two differ. The result is in canonical form, and is one of the two itself if it is equal to it.

use super::node::{Node, Pair, Route, SLOTS};
use super::trie::{End, Trie, find, gather};
use crate::commit::Fase;
use crate::persist::Persistent;

/// What to keep of two tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// What is in either; from the left where it is in both.
    Either,
    /// What is in the left and in the right, from the left.
    Both,
    /// What is in the left only.
    LeftOnly,
}

/// A combination of two nodes.
enum Part<'p, K, V> {
    Nothing,
    /// The left node as it is.
    Left,
    /// The right node as it is.
    Right,
    Made(Node<'p, K, V>),
}

/// A combination under way.
struct Merge<'a, 'p, H> {
    tx: &'a Fase<'p>,
    keep: Keep,
    hash: H,
}

/// Combines two tries whose hashes are the same.
pub(super) fn merge<'p, K, V>(
    tx: &Fase<'p>,
    keep: Keep,
    left: &Trie<'p, K, V>,
    right: &Trie<'p, K, V>,
    hash: impl Fn(&K) -> u64,
) -> Trie<'p, K, V>
where
    K: Persistent<At<'p> = K> + Eq,
    V: Persistent<At<'p> = V>,
{
    let merge = Merge { tx, keep, hash };
    let part = match (&left.root, &right.root) {
        (Some(left), Some(right)) => merge.nodes(left, right, 0),
        (left, right) => merge.alone(left.is_some(), right.is_some()),
    };
    Trie { root: merge.made(part, left.root.as_ref(), right.root.as_ref()) }
}

/// The entries that are to be kept, in a trie that shares what it can with this one.
pub(super) fn filter<'p, K, V>(
    tx: &Fase<'p>,
    trie: &Trie<'p, K, V>,
    mut is_kept: impl FnMut(&Pair<K, V>) -> bool,
) -> Trie<'p, K, V>
where
    K: Persistent<At<'p> = K> + Eq,
    V: Persistent<At<'p> = V>,
{
    let Some(root) = &trie.root else { return Trie::new() };
    let merge = Merge { tx, keep: Keep::LeftOnly, hash: |_: &K| 0 };
    let part = merge.filtered(root, &mut is_kept, 0);
    Trie { root: merge.made(part, Some(root), None) }
}

impl<'p, H> Merge<'_, 'p, H> {
    /// What is kept where at most one side has anything.
    fn alone<K, V>(&self, is_left: bool, is_right: bool) -> Part<'p, K, V> {
        match self.keep {
            Keep::Either | Keep::LeftOnly if is_left => Part::Left,
            Keep::Either if is_right => Part::Right,
            _ => Part::Nothing,
        }
    }

    /// The node that a part stands for.
    fn made<K, V>(
        &self,
        part: Part<'p, K, V>,
        left: Option<&Node<'p, K, V>>,
        right: Option<&Node<'p, K, V>>,
    ) -> Option<Node<'p, K, V>>
    where
        K: Persistent<At<'p> = K>,
        V: Persistent<At<'p> = V>,
    {
        match part {
            Part::Nothing => None,
            Part::Left => left.map(|node| node.share(self.tx)),
            Part::Right => right.map(|node| node.share(self.tx)),
            Part::Made(node) => Some(node),
        }
    }

    /// An inner node with these parts of the children of two others as its children, or what is simpler.
    fn assemble<K, V>(
        &self,
        left: &Node<'p, K, V>,
        right: Option<&Node<'p, K, V>>,
        parts: Vec<(u32, Part<'p, K, V>)>,
    ) -> Part<'p, K, V>
    where
        K: Persistent<At<'p> = K>,
        V: Persistent<At<'p> = V>,
    {
        let is_nothing = |part: &Part<'p, K, V>| matches!(part, Part::Nothing);
        let is_left = |(slot, part): &(u32, Part<'p, K, V>)| {
            matches!(part, Part::Left) || (is_nothing(part) && left.child(*slot).is_none())
        };
        if parts.iter().all(is_left) {
            return Part::Left;
        }
        let right_child = |slot| right.and_then(|node| node.child(slot));
        let is_right = |(slot, part): &(u32, Part<'p, K, V>)| {
            matches!(part, Part::Right) || (is_nothing(part) && right_child(*slot).is_none())
        };
        if right.is_some() && parts.iter().all(is_right) {
            return Part::Right;
        }
        let children: Vec<(u32, Node<'p, K, V>)> = parts
            .into_iter()
            .filter_map(|(slot, part)| Some((slot, self.made(part, left.child(slot), right_child(slot))?)))
            .collect();
        let len: u64 = children.iter().map(|(_, child)| child.len()).sum();
        if len == 0 {
            return Part::Nothing;
        }
        if len <= Node::<K, V>::BUCKET as u64 {
            let pairs = children.into_iter().flat_map(|(_, child)| gather(self.tx, child));
            return Part::Made(Node::leaf(self.tx, pairs.collect::<Vec<_>>()));
        }
        let mut fork = Node::fork(self.tx);
        children.into_iter().for_each(|(slot, child)| fork.adopt(self.tx, slot, child));
        Part::Made(fork)
    }

    /// A leaf with second owners of these entries, of which all stand for the left node.
    fn leaf<'n, K, V>(&self, kept: Vec<&'n Pair<K, V>>, all: u64) -> Part<'p, K, V>
    where
        K: Persistent<At<'p> = K>,
        V: Persistent<At<'p> = V>,
    {
        match kept.len() {
            0 => Part::Nothing,
            len if len as u64 == all => Part::Left,
            _ => Part::Made(Node::leaf(self.tx, kept.into_iter().map(|pair| self.tx.share(pair)))),
        }
    }

    fn filtered<K, V>(
        &self,
        node: &Node<'p, K, V>,
        is_kept: &mut impl FnMut(&Pair<K, V>) -> bool,
        steps: u32,
    ) -> Part<'p, K, V>
    where
        K: Persistent<At<'p> = K>,
        V: Persistent<At<'p> = V>,
    {
        if node.is_leaf() {
            return self.leaf(node.pairs().iter().filter(|pair| is_kept(pair)).collect(), node.len());
        }
        let steps = node.require_enter(steps);
        let children = node.head().slots().zip(node.children());
        let parts = children.map(|(slot, child)| (slot, self.filtered(child, is_kept, steps))).collect();
        self.assemble(node, None, parts)
    }

    fn nodes<K, V>(&self, left: &Node<'p, K, V>, right: &Node<'p, K, V>, steps: u32) -> Part<'p, K, V>
    where
        K: Persistent<At<'p> = K> + Eq,
        V: Persistent<At<'p> = V>,
        H: Fn(&K) -> u64,
    {
        if Node::ptr_eq(left, right) {
            return if self.keep == Keep::LeftOnly { Part::Nothing } else { Part::Left };
        }
        if left.is_leaf() || right.is_leaf() {
            return match self.keep {
                Keep::Either => self.either(left, right, steps),
                Keep::Both if right.is_leaf() && !left.is_leaf() => {
                    let find = |pair: &&Pair<K, V>| self.find(left, &pair.key, steps);
                    let kept = right.pairs().iter().filter_map(|pair| find(&pair));
                    self.leaf(kept.collect(), left.len())
                }
                Keep::LeftOnly if right.is_leaf() && !left.is_leaf() => self.without(left, right, steps),
                Keep::Both | Keep::LeftOnly => {
                    let is_wanted = self.keep == Keep::Both;
                    let is_kept =
                        |pair: &&Pair<K, V>| self.find(right, &pair.key, steps).is_some() == is_wanted;
                    self.leaf(left.pairs().iter().filter(is_kept).collect(), left.len())
                }
            };
        }
        let steps = left.require_enter(steps).max(right.require_enter(steps));
        let parts = SLOTS.filter_map(|slot| {
            let part = match (left.child(slot), right.child(slot)) {
                (None, None) => return None,
                (Some(left), Some(right)) => self.nodes(left, right, steps),
                (left, right) => self.alone(left.is_some(), right.is_some()),
            };
            Some((slot, part))
        });
        self.assemble(left, Some(right), parts.collect())
    }

    fn find<'n, K, V>(&self, node: &'n Node<'p, K, V>, key: &K, steps: u32) -> Option<&'n Pair<K, V>>
    where
        K: Persistent + Eq,
        V: Persistent,
        H: Fn(&K) -> u64,
    {
        find(node, Route::below((self.hash)(key), steps), |known| known == key)
    }

    /// The union of two nodes of which at least one is a leaf.
    fn either<K, V>(&self, left: &Node<'p, K, V>, right: &Node<'p, K, V>, steps: u32) -> Part<'p, K, V>
    where
        K: Persistent<At<'p> = K> + Eq,
        V: Persistent<At<'p> = V>,
        H: Fn(&K) -> u64,
    {
        // The entries of the leaf are added to the other node; those that are in both come from the left.
        let (base, leaf) = if right.is_leaf() { (left, right) } else { (right, left) };
        let mut trie = Trie { root: Some(base.share(self.tx)) };
        let mut is_changed = false;
        for pair in leaf.pairs() {
            let route = Route::below((self.hash)(&pair.key), steps);
            let place = trie.locate(route, |known| *known == pair.key);
            match place.end {
                End::Entry(_) if right.is_leaf() || size_of::<V>() == 0 => continue,
                End::Entry(_) => {
                    if let Some(found) = trie.entry_mut(self.tx, route, place) {
                        found.value = self.tx.share(&pair.value);
                    }
                }
                _ => _ = trie.insert(self.tx, route, place, self.tx.share(pair), &self.hash),
            }
            is_changed = true;
        }
        match trie.root {
            Some(node) if is_changed => Part::Made(node),
            _ if right.is_leaf() => Part::Left,
            _ => Part::Right,
        }
    }

    /// An inner node without what is in a leaf.
    fn without<K, V>(&self, node: &Node<'p, K, V>, leaf: &Node<'p, K, V>, steps: u32) -> Part<'p, K, V>
    where
        K: Persistent<At<'p> = K> + Eq,
        V: Persistent<At<'p> = V>,
        H: Fn(&K) -> u64,
    {
        let mut trie = Trie { root: Some(node.share(self.tx)) };
        let mut is_changed = false;
        for Pair { key, .. } in leaf.pairs() {
            let route = Route::below((self.hash)(key), steps);
            let place = trie.locate(route, |known| known == key);
            is_changed |= trie.remove(self.tx, route, place).is_some();
        }
        match trie.root {
            Some(node) if is_changed => Part::Made(node),
            Some(_) => Part::Left,
            None => Part::Nothing,
        }
    }
}
