//! Walking over all entries.

use std::fmt;
use std::iter::FusedIterator;
use std::slice;

use super::node::{Node, Pair};
use crate::commit::Fase;
use crate::persist::Persistent;

/// One end of a walk: what is left of the nodes on the way down, and of the leaf there.
struct Cursor<'a, 'p, K, V> {
    nodes: Vec<slice::Iter<'a, Node<'p, K, V>>>,
    pairs: slice::Iter<'a, Pair<K, V>>,
}

impl<'a, 'p, K: Persistent, V: Persistent> Cursor<'a, 'p, K, V> {
    fn new(root: Option<&'a Node<'p, K, V>>) -> Self {
        let mut cursor = Cursor { nodes: Vec::new(), pairs: [].iter() };
        if let Some(root) = root {
            cursor.enter(root);
        }
        cursor
    }

    fn enter(&mut self, node: &'a Node<'p, K, V>) {
        if node.is_leaf() {
            self.pairs = node.pairs().iter();
        } else if node.enter(self.nodes.len() as u32).is_some() {
            self.nodes.push(node.children().iter());
        }
    }

    fn next(&mut self) -> Option<&'a Pair<K, V>> {
        loop {
            if let Some(pair) = self.pairs.next() {
                return Some(pair);
            }
            match self.nodes.last_mut()?.next() {
                Some(node) => self.enter(node),
                None => _ = self.nodes.pop(),
            }
        }
    }

    fn next_back(&mut self) -> Option<&'a Pair<K, V>> {
        loop {
            if let Some(pair) = self.pairs.next_back() {
                return Some(pair);
            }
            match self.nodes.last_mut()?.next_back() {
                Some(node) => self.enter(node),
                None => _ = self.nodes.pop(),
            }
        }
    }
}

/// Over all entries under a node.
pub(super) struct Pairs<'a, 'p, K, V> {
    front: Cursor<'a, 'p, K, V>,
    back: Cursor<'a, 'p, K, V>,
    /// Entries between the two ends.
    remaining: usize,
}

impl<'a, 'p, K: Persistent, V: Persistent> Pairs<'a, 'p, K, V> {
    pub(super) fn new(root: Option<&'a Node<'p, K, V>>) -> Self {
        let remaining = root.map_or(0, |node| node.len() as usize);
        Pairs { front: Cursor::new(root), back: Cursor::new(root), remaining }
    }
}

impl<'a, K: Persistent, V: Persistent> Iterator for Pairs<'a, '_, K, V> {
    type Item = &'a Pair<K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        self.front.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<K: Persistent, V: Persistent> DoubleEndedIterator for Pairs<'_, '_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        self.back.next_back()
    }
}

impl<K, V> Clone for Cursor<'_, '_, K, V> {
    fn clone(&self) -> Self {
        Cursor { nodes: self.nodes.clone(), pairs: self.pairs.clone() }
    }
}

impl<K, V> Clone for Pairs<'_, '_, K, V> {
    fn clone(&self) -> Self {
        Pairs { front: self.front.clone(), back: self.back.clone(), remaining: self.remaining }
    }
}

macro_rules! iterator {
    ($(#[$doc:meta])* $name:ident, $item:ty, |$pair:ident| $map:expr, $debug:ident: $($bound:path),*) => {
        $(#[$doc])*
        pub struct $name<'a, 'p, K, V>(pub(super) Pairs<'a, 'p, K, V>);

        impl<'a, K: Persistent, V: Persistent> Iterator for $name<'a, '_, K, V> {
            type Item = $item;

            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map(|$pair| $map)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<K: Persistent, V: Persistent> DoubleEndedIterator for $name<'_, '_, K, V> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map(|$pair| $map)
            }
        }

        impl<K: Persistent, V: Persistent> ExactSizeIterator for $name<'_, '_, K, V> {}
        impl<K: Persistent, V: Persistent> FusedIterator for $name<'_, '_, K, V> {}

        impl<K, V> Clone for $name<'_, '_, K, V> {
            fn clone(&self) -> Self {
                $name(self.0.clone())
            }
        }

        impl<K, V> fmt::Debug for $name<'_, '_, K, V>
        where
            K: Persistent $(+ $bound)*,
            V: Persistent + fmt::Debug,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.clone()).finish()
            }
        }
    };
}

iterator!(
    /// Over a map's entries, made by [`Map::iter`](super::Map::iter).
    Iter, (&'a K, &'a V), |pair| (&pair.key, &pair.value), debug: fmt::Debug
);
iterator!(
    /// Over a map's keys, made by [`Map::keys`](super::Map::keys).
    Keys, &'a K, |pair| &pair.key, debug: fmt::Debug
);
iterator!(
    /// Over a map's values, made by [`Map::values`](super::Map::values).
    Values, &'a V, |pair| &pair.value, debug: fmt::Debug
);

/// Over a map's entries, with their values for writing, made by [`Map::iter_mut`](super::Map::iter_mut).
pub struct IterMut<'a, 'p, K, V> {
    tx: &'a Fase<'p>,
    nodes: Vec<slice::IterMut<'a, Node<'p, K, V>>>,
    pairs: slice::IterMut<'a, Pair<K, V>>,
    remaining: usize,
}

impl<'a, 'p, K, V> IterMut<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    pub(super) fn new(tx: &'a Fase<'p>, root: Option<&'a mut Node<'p, K, V>>) -> Self {
        let remaining = root.as_ref().map_or(0, |node| node.len() as usize);
        let mut iter = IterMut { tx, nodes: Vec::new(), pairs: [].iter_mut(), remaining };
        if let Some(root) = root {
            iter.enter(root);
        }
        iter
    }

    fn enter(&mut self, node: &'a mut Node<'p, K, V>) {
        if !node.is_leaf() {
            node.require_enter(self.nodes.len() as u32);
        }
        let (children, pairs) = node.parts_mut(self.tx);
        self.pairs = pairs.iter_mut();
        if !children.is_empty() {
            self.nodes.push(children.iter_mut());
        }
    }
}

impl<'a, 'p, K, V> Iterator for IterMut<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    type Item = (&'a K, &'a mut V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(pair) = self.pairs.next() {
                self.remaining = self.remaining.saturating_sub(1);
                return Some((&pair.key, &mut pair.value));
            }
            match self.nodes.last_mut()?.next() {
                Some(node) => self.enter(node),
                None => _ = self.nodes.pop(),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<'p, K, V> ExactSizeIterator for IterMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
}

impl<'p, K, V> FusedIterator for IterMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
}

impl<K, V> fmt::Debug for IterMut<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("remaining", &self.remaining).finish_non_exhaustive()
    }
}

/// Over a map's values, for writing, made by [`Map::values_mut`](super::Map::values_mut).
pub struct ValuesMut<'a, 'p, K, V>(pub(super) IterMut<'a, 'p, K, V>);

impl<'a, 'p, K, V> Iterator for ValuesMut<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    type Item = &'a mut V;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(_, value)| value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'p, K, V> ExactSizeIterator for ValuesMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
}

impl<'p, K, V> FusedIterator for ValuesMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
}

impl<K, V> fmt::Debug for ValuesMut<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValuesMut").field("remaining", &self.0.remaining).finish_non_exhaustive()
    }
}

/// Moves a map's entries out, made by [`Map::drain`](super::Map::drain). What is not taken is given up.
pub struct Drain<'a, 'p, K, V> {
    tx: &'a Fase<'p>,
    /// Nodes to come, each with its number of steps.
    nodes: Vec<(Node<'p, K, V>, u32)>,
    pairs: std::vec::IntoIter<Pair<K, V>>,
    remaining: usize,
}

impl<'a, 'p, K: Persistent, V: Persistent> Drain<'a, 'p, K, V> {
    pub(super) fn new(tx: &'a Fase<'p>, root: Option<Node<'p, K, V>>) -> Self {
        let remaining = root.as_ref().map_or(0, |node| node.len() as usize);
        Drain {
            tx,
            nodes: root.map(|root| (root, 0)).into_iter().collect(),
            pairs: Vec::new().into_iter(),
            remaining,
        }
    }
}

impl<'p, K, V> Iterator for Drain<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    type Item = (K, V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(Pair { key, value }) = self.pairs.next() {
                self.remaining = self.remaining.saturating_sub(1);
                return Some((key, value));
            }
            let (node, steps) = self.nodes.pop()?;
            let steps = if node.is_leaf() { steps } else { node.require_enter(steps) };
            let (children, pairs) = node.take(self.tx);
            self.nodes.extend(children.into_iter().rev().map(|child| (child, steps)));
            self.pairs = pairs.into_iter();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<'p, K, V> ExactSizeIterator for Drain<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
}

impl<'p, K, V> FusedIterator for Drain<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
}

impl<K, V> fmt::Debug for Drain<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain").field("remaining", &self.remaining).finish_non_exhaustive()
    }
}
