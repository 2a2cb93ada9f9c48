//! The trie: finding, inserting and removing, with hashes that the caller computes.
//!
//! A change is prepared by reading alone ([`Trie::locate`] calls the keys' `Eq`, [`Trie::insert`] their `Hash` where a leaf is
//! split) and then done without calling the user's code, so whatever that does, a node is whole.

use std::mem;

use pmem_derive::Persistent;

use super::node::{Node, Pair, Route, STEPS_MAX};
use crate::commit::Fase;
use crate::persist::Persistent;

/// A tree of nodes, or none.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "MapTrie")]
pub(super) struct Trie<'p, K, V> {
    pub(super) root: Option<Node<'p, K, V>>,
}

/// Where a route ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// How many inner nodes lie above, counted from the trie's root.
    pub(super) above: u32,
    pub(super) end: End,
}

/// What is at the end of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The trie is empty.
    Nothing,
    /// The last inner node has no child in the next slot.
    Gap,
    /// A leaf without the key.
    Leaf,
    /// The key, with this index in its leaf.
    Entry(usize),
}

impl<K, V> Trie<'_, K, V> {
    /// A trie without entries.
    pub(super) const fn new() -> Self {
        Trie { root: None }
    }
}

impl<'p, K: Persistent, V: Persistent> Trie<'p, K, V> {
    /// How many entries there are.
    pub(super) fn len(&self) -> u64 {
        self.root.as_ref().map_or(0, Node::len)
    }

    /// The entry at the end of the route whose key is the one sought.
    pub(super) fn find(&self, route: Route, is_sought: impl Fn(&K) -> bool) -> Option<&Pair<K, V>> {
        find(self.root.as_ref()?, route, is_sought)
    }

    /// Where the key sought is, or would be.
    pub(super) fn locate(&self, mut route: Route, is_sought: impl Fn(&K) -> bool) -> Place {
        let Some(mut node) = self.root.as_ref() else { return Place { above: 0, end: End::Nothing } };
        let mut above = 0;
        while !node.is_leaf() {
            above += 1;
            let Some(child) = node.child(route.step()) else { return Place { above, end: End::Gap } };
            node = child;
        }
        let index = node.pairs().iter().position(|pair| is_sought(&pair.key));
        Place { above, end: index.map_or(End::Leaf, End::Entry) }
    }

    /// The entry at a place that was found in this trie by this route.
    pub(super) fn entry(&self, route: Route, place: Place) -> Option<&Pair<K, V>> {
        let End::Entry(index) = place.end else { return None };
        self.node(route, place.above)?.pairs().get(index)
    }

    /// The node so many steps down the route.
    fn node(&self, mut route: Route, above: u32) -> Option<&Node<'p, K, V>> {
        let mut node = self.root.as_ref()?;
        for _ in 0..above {
            node = node.child(route.step())?;
        }
        Some(node)
    }
}

impl<'p, K, V> Trie<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// The node so many steps down the route, with all nodes above it the section's own. `change` is added to what they count.
    fn descend(&mut self, tx: &Fase<'p>, mut route: Route, above: u32, change: i64) -> &mut Node<'p, K, V> {
        let mut node = self.root.as_mut().expect("a place is looked for in a trie that has it");
        for _ in 0..above {
            if change != 0 {
                let len = node.len().wrapping_add_signed(change);
                node.set_len(tx, len);
            }
            let index = node.head().child_at(route.step()).expect("a place is looked for where it was found");
            node = &mut node.children_mut(tx)[index];
        }
        node
    }

    /// Access for writing to the entry at a place that was found in this trie by this route.
    pub(super) fn entry_mut(&mut self, tx: &Fase<'p>, route: Route, place: Place) -> Option<&mut Pair<K, V>> {
        let End::Entry(index) = place.end else { return None };
        Some(&mut self.descend(tx, route, place.above, 0).pairs_mut(tx)[index])
    }

    /// Adds an entry at a place where its key is not. Returns where it is then.
    pub(super) fn insert(
        &mut self,
        tx: &Fase<'p>,
        route: Route,
        place: Place,
        pair: Pair<K, V>,
        hash: impl Fn(&K) -> u64,
    ) -> Place {
        let Place { above, end } = place;
        match end {
            End::Nothing => {
                self.root = Some(Node::leaf(tx, [pair]));
                Place { above, end: End::Entry(0) }
            }
            End::Gap => {
                let leaf = Node::leaf(tx, [pair]);
                let mut last = route;
                let slot = (0..above).map(|_| last.step()).last().expect("a gap is in an inner node");
                self.descend(tx, route, above - 1, 1).adopt(tx, slot, leaf);
                Place { above, end: End::Entry(0) }
            }
            End::Leaf | End::Entry(_) => self.insert_in_leaf(tx, route, above, pair, hash),
        }
    }

    fn insert_in_leaf(
        &mut self,
        tx: &Fase<'p>,
        route: Route,
        above: u32,
        pair: Pair<K, V>,
        hash: impl Fn(&K) -> u64,
    ) -> Place {
        let leaf = self.node(route, above).expect("a place is looked for where it was found");
        let (count, steps) = (leaf.pairs().len(), route.steps() + above);
        if count < Node::<K, V>::BUCKET || steps >= STEPS_MAX {
            self.descend(tx, route, above, 1).push(tx, pair);
            return Place { above, end: End::Entry(count) };
        }
        // All the user's code runs before the first change.
        let mut routes: Vec<Route> =
            leaf.pairs().iter().map(|pair| Route::below(hash(&pair.key), steps)).collect();
        let mut own = route;
        (0..above).for_each(|_| _ = own.step());
        routes.push(own);
        let fork = Node::fork(tx);
        let node = self.descend(tx, route, above, 1);
        let (_, mut pairs) = mem::replace(node, fork).take(tx);
        pairs.push(pair);
        split(tx, node, routes.into_iter().zip(pairs).collect());
        let mut place = self.locate(route, |_| false);
        if let Some(leaf) = self.node(route, place.above) {
            // Splitting keeps the order, so that the newest entry is the last one of its leaf.
            place.end = End::Entry(leaf.pairs().len() - 1);
        }
        place
    }

    /// Takes out the entry at a place that was found in this trie by this route.
    pub(super) fn remove(&mut self, tx: &Fase<'p>, route: Route, place: Place) -> Option<Pair<K, V>> {
        let End::Entry(index) = place.end else { return None };
        let shrinking = self.shrinking(route, place.above);
        let leaf = self.node(route, place.above)?;
        let removed = if leaf.pairs().len() > 1 {
            self.descend(tx, route, place.above, -1).remove(tx, index)
        } else if place.above == 0 {
            self.root.take()?.take(tx).1.pop()?
        } else {
            let mut last = route;
            let slot = (0..place.above).map(|_| last.step()).last()?;
            self.descend(tx, route, place.above - 1, -1).disown(tx, slot).take(tx).1.pop()?
        };
        if let Some(above) = shrinking {
            self.collapse(tx, route, above);
        }
        Some(removed)
    }

    /// How far down the route the first inner node is that will have no more entries under it than a leaf holds, if one
    /// entry is taken out.
    fn shrinking(&self, mut route: Route, above: u32) -> Option<u32> {
        let mut node = self.root.as_ref()?;
        for steps in 0..above {
            if node.len() <= Node::<K, V>::BUCKET as u64 + 1 {
                return Some(steps);
            }
            node = node.child(route.step())?;
        }
        None
    }

    /// Makes the inner node so far down the route a leaf.
    fn collapse(&mut self, tx: &Fase<'p>, route: Route, above: u32) {
        let leaf = Node::empty_leaf(tx, Node::<K, V>::BUCKET);
        let node = self.descend(tx, route, above, 0);
        let pairs = gather(tx, mem::replace(node, leaf));
        pairs.into_iter().for_each(|pair| node.push(tx, pair));
    }
}

/// The entry at the end of the route, which starts at `node`, whose key is the one sought.
pub(super) fn find<'n, 'p, K, V>(
    mut node: &'n Node<'p, K, V>,
    mut route: Route,
    is_sought: impl Fn(&K) -> bool,
) -> Option<&'n Pair<K, V>>
where
    K: Persistent,
    V: Persistent,
{
    while !node.is_leaf() {
        node = node.child(route.try_step()?)?;
    }
    node.pairs().iter().find(|pair| is_sought(&pair.key))
}

/// Distributes entries over the children of an empty inner node, in their order. They are more than a leaf holds.
fn split<'p, K, V>(tx: &Fase<'p>, node: &mut Node<'p, K, V>, pairs: Vec<(Route, Pair<K, V>)>)
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let mut parts: Vec<(u32, Vec<_>)> = Vec::new();
    for (mut route, pair) in pairs {
        let slot = route.step();
        match parts.iter_mut().find(|(known, _)| *known == slot) {
            Some((_, part)) => part.push((route, pair)),
            None => parts.push((slot, vec![(route, pair)])),
        }
    }
    for (slot, part) in parts {
        let child = if part.len() <= Node::<K, V>::BUCKET || part[0].0.steps() >= STEPS_MAX {
            let pairs: Vec<Pair<K, V>> = part.into_iter().map(|(_, pair)| pair).collect();
            Node::leaf(tx, pairs)
        } else {
            let mut child = Node::fork(tx);
            split(tx, &mut child, part);
            child
        };
        node.adopt(tx, slot, child);
    }
}

/// Moves all entries under a node out of it, in order.
pub(super) fn gather<'p, K, V>(tx: &Fase<'p>, node: Node<'p, K, V>) -> Vec<Pair<K, V>>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let mut gathered = Vec::new();
    let mut nodes = vec![(node, 0)];
    while let Some((node, steps)) = nodes.pop() {
        let steps = if node.is_leaf() { steps } else { node.require_enter(steps) };
        let (children, pairs) = node.take(tx);
        nodes.extend(children.into_iter().rev().map(|child| (child, steps)));
        gathered.extend(pairs);
    }
    gathered
}
