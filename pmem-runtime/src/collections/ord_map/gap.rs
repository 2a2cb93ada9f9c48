//! A place between two entries, which can move over either. Every place is in exactly one leaf.

use std::ptr;

use equivalent::Comparable;

use super::node::{Node, Pair};
use crate::persist::Persistent;

/// An inner node on the way to the place: it is in, or next to, the child at `at`.
struct Frame<'a, 'p, K, V> {
    pairs: &'a [Pair<K, V>],
    node: &'a Node<'p, K, V>,
    at: usize,
}

/// The place before the item at `at` of a leaf's `pairs`.
pub(super) struct Gap<'a, 'p, K, V> {
    above: Vec<Frame<'a, 'p, K, V>>,
    pairs: &'a [Pair<K, V>],
    at: usize,
}

impl<K, V> Clone for Frame<'_, '_, K, V> {
    fn clone(&self) -> Self {
        Frame { ..*self }
    }
}

impl<K, V> Clone for Gap<'_, '_, K, V> {
    fn clone(&self) -> Self {
        Gap { above: self.above.clone(), ..*self }
    }
}

impl<'a, 'p, K: Persistent, V: Persistent> Gap<'a, 'p, K, V> {
    fn nowhere() -> Self {
        Gap { above: Vec::new(), pairs: &[], at: 0 }
    }

    /// Before the first entry.
    pub(super) fn first(root: Option<&'a Node<'p, K, V>>) -> Self {
        let mut gap = Self::nowhere();
        gap.descend_first(root);
        gap
    }

    /// Behind the last entry.
    pub(super) fn last(root: Option<&'a Node<'p, K, V>>) -> Self {
        let mut gap = Self::nowhere();
        gap.descend_last(root);
        gap
    }

    /// Before the key or where it belongs; or behind it, if it is there.
    pub(super) fn at<Q>(root: Option<&'a Node<'p, K, V>>, key: &Q, is_behind: bool) -> Self
    where
        Q: ?Sized + Comparable<K>,
    {
        let mut gap = Self::nowhere();
        let mut next = root;
        while let Some(node) = next {
            let found = node.search(key);
            let at = match found {
                Ok(at) => at + usize::from(is_behind),
                Err(at) => at,
            };
            if node.children().is_empty() {
                gap.pairs = node.pairs();
                gap.at = at;
                return gap;
            }
            gap.above.push(Frame { pairs: node.pairs(), node, at });
            next = node.child(at);
            if found.is_ok() {
                if is_behind {
                    gap.descend_first(next)
                } else {
                    gap.descend_last(next)
                }
                return gap;
            }
        }
        gap
    }

    fn descend_first(&mut self, mut next: Option<&'a Node<'p, K, V>>) {
        (self.pairs, self.at) = (&[], 0);
        while let Some(node) = next {
            if node.children().is_empty() {
                self.pairs = node.pairs();
                return;
            }
            self.above.push(Frame { pairs: node.pairs(), node, at: 0 });
            next = node.child(0);
        }
    }

    fn descend_last(&mut self, mut next: Option<&'a Node<'p, K, V>>) {
        (self.pairs, self.at) = (&[], 0);
        while let Some(node) = next {
            let pairs = node.pairs();
            if node.children().is_empty() {
                (self.pairs, self.at) = (pairs, pairs.len());
                return;
            }
            self.above.push(Frame { pairs, node, at: pairs.len() });
            next = node.child(pairs.len());
        }
    }

    /// The entry behind the place.
    pub(super) fn peek_next(&self) -> Option<&'a Pair<K, V>> {
        self.pairs
            .get(self.at)
            .or_else(|| self.above.iter().rev().find_map(|frame| frame.pairs.get(frame.at)))
    }

    /// The entry before the place.
    pub(super) fn peek_prev(&self) -> Option<&'a Pair<K, V>> {
        let before = |pairs: &'a [Pair<K, V>], at: usize| pairs.get(at.checked_sub(1)?);
        before(self.pairs, self.at)
            .or_else(|| self.above.iter().rev().find_map(|frame| before(frame.pairs, frame.at)))
    }

    /// Moves over the entry behind the place.
    pub(super) fn next(&mut self) -> Option<&'a Pair<K, V>> {
        if let Some(pair) = self.pairs.get(self.at) {
            self.at += 1;
            return Some(pair);
        }
        let level = self.above.iter().rposition(|frame| frame.at < frame.pairs.len())?;
        self.above.truncate(level + 1);
        let frame = &mut self.above[level];
        let pair = &frame.pairs[frame.at];
        frame.at += 1;
        let next = frame.node.child(frame.at);
        self.descend_first(next);
        Some(pair)
    }

    /// Moves over the entry before the place.
    pub(super) fn prev(&mut self) -> Option<&'a Pair<K, V>> {
        if let Some(before) = self.at.checked_sub(1) {
            self.at = before;
            return Some(&self.pairs[before]);
        }
        let level = self.above.iter().rposition(|frame| frame.at > 0)?;
        self.above.truncate(level + 1);
        let frame = &mut self.above[level];
        frame.at -= 1;
        let pair = &frame.pairs[frame.at];
        let next = frame.node.child(frame.at);
        self.descend_last(next);
        Some(pair)
    }

    /// Whether both are the same place of one tree.
    pub(super) fn is_at(&self, other: &Self) -> bool {
        ptr::eq(self.pairs.as_ptr(), other.pairs.as_ptr()) && self.at == other.at
    }

    /// The way from the root to the place.
    pub(super) fn steps(&self) -> Vec<usize> {
        self.above.iter().map(|frame| frame.at).chain([self.at]).collect()
    }
}
