//! Iteration that lends values for writing. A node becomes the section's own when its first entry is reached.

use std::collections::VecDeque;
use std::fmt;
use std::iter::FusedIterator;
use std::slice;

use super::OrdMap;
use super::node::{Node, Pair};
use crate::commit::Fase;
use crate::persist::Persistent;

/// A part of what is still to come.
pub(super) enum Piece<'a, 'p, K, V> {
    Pairs(slice::IterMut<'a, Pair<K, V>>),
    Tree(&'a mut Node<'p, K, V>),
}

/// What is still to come, in order. Trees are opened when they are reached from either end.
pub(super) struct Pieces<'a, 'p, K, V> {
    tx: &'a Fase<'p>,
    pieces: VecDeque<Piece<'a, 'p, K, V>>,
}

impl<'a, 'p, K, V> Pieces<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    pub(super) fn new(tx: &'a Fase<'p>, root: Option<&'a mut Node<'p, K, V>>) -> Self {
        Pieces { tx, pieces: root.into_iter().map(Piece::Tree).collect() }
    }

    /// What lies between two places of a tree, given by the ways to them; `None` is its end.
    pub(super) fn between(
        tx: &'a Fase<'p>,
        root: &'a mut Node<'p, K, V>,
        low: &[usize],
        high: &[usize],
    ) -> Self {
        let mut pieces = Pieces { tx, pieces: VecDeque::new() };
        pieces.add(root, Some(low), Some(high));
        pieces
    }

    fn add(&mut self, node: &'a mut Node<'p, K, V>, low: Option<&[usize]>, high: Option<&[usize]>) {
        if low.is_none() && high.is_none() {
            self.pieces.push_back(Piece::Tree(node));
            return;
        }
        let (pairs, children) = node.edit(self.tx);
        let from = low.map_or(0, |low| low[0]);
        let to = high.map_or(pairs.len(), |high| high[0]);
        if from > to {
            // An order that is none.
            return;
        }
        if children.is_empty() {
            self.pieces.push_back(Piece::Pairs(pairs[from..to].iter_mut()));
            return;
        }
        let mut pairs = pairs[from..to].iter_mut();
        for (index, child) in children.iter_mut().enumerate().take(to + 1).skip(from) {
            let low = low.map(|low| &low[1..]).filter(|_| index == from);
            let high = high.map(|high| &high[1..]).filter(|_| index == to);
            self.add(child, low, high);
            self.pieces.extend(pairs.next().map(|pair| Piece::Pairs(slice::from_mut(pair).iter_mut())));
        }
    }

    fn open(&mut self, node: &'a mut Node<'p, K, V>) -> Vec<Piece<'a, 'p, K, V>> {
        node.require_children();
        let (pairs, children) = node.edit(self.tx);
        if children.is_empty() {
            return vec![Piece::Pairs(pairs.iter_mut())];
        }
        let mut pairs = pairs.iter_mut();
        let with_next = |child| {
            let pair = pairs.next().map(|pair| Piece::Pairs(slice::from_mut(pair).iter_mut()));
            [Some(Piece::Tree(child)), pair]
        };
        children.iter_mut().flat_map(with_next).flatten().collect()
    }

    pub(super) fn next(&mut self) -> Option<(&'a K, &'a mut V)> {
        loop {
            match self.pieces.pop_front()? {
                Piece::Pairs(mut pairs) => {
                    if let Some(pair) = pairs.next() {
                        self.pieces.push_front(Piece::Pairs(pairs));
                        return Some(pair.as_mut());
                    }
                }
                Piece::Tree(node) => {
                    let pieces = self.open(node);
                    pieces.into_iter().rev().for_each(|piece| self.pieces.push_front(piece));
                }
            }
        }
    }

    pub(super) fn next_back(&mut self) -> Option<(&'a K, &'a mut V)> {
        loop {
            match self.pieces.pop_back()? {
                Piece::Pairs(mut pairs) => {
                    if let Some(pair) = pairs.next_back() {
                        self.pieces.push_back(Piece::Pairs(pairs));
                        return Some(pair.as_mut());
                    }
                }
                Piece::Tree(node) => {
                    let pieces = self.open(node);
                    self.pieces.extend(pieces);
                }
            }
        }
    }
}

/// The entries of a map in order, their values for writing: [`OrdMap::iter_mut`].
pub struct IterMut<'a, 'p, K, V> {
    pieces: Pieces<'a, 'p, K, V>,
    remaining: usize,
}

/// The values of a map in the order of their keys, for writing: [`OrdMap::values_mut`].
pub struct ValuesMut<'a, 'p, K, V>(IterMut<'a, 'p, K, V>);

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// All entries in the order of their keys, their values for writing.
    ///
    /// Complexity: O(1) each on average. The nodes of what is reached are copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20)]);
    /// for (key, value) in map.iter_mut(tx) {
    ///     *value += key;
    /// }
    /// assert!(map.values().eq(&[11, 22]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> IterMut<'a, 'p, K, V> {
        let remaining = self.len();
        IterMut { pieces: Pieces::new(tx, self.root.as_mut()), remaining }
    }

    /// All values in the order of their keys, for writing.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// map.values_mut(tx).for_each(|value| *value += 1);
    /// assert!(map.values().eq(&[11, 21, 31]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn values_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> ValuesMut<'a, 'p, K, V> {
        ValuesMut(self.iter_mut(tx))
    }
}

impl<'a, 'p, K, V> Iterator for IterMut<'a, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    type Item = (&'a K, &'a mut V);

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        self.pieces.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<'p, K, V> DoubleEndedIterator for IterMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        self.pieces.next_back()
    }
}

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

impl<'p, K, V> DoubleEndedIterator for ValuesMut<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(_, value)| value)
    }
}

macro_rules! exact {
    ($name:ident) => {
        impl<'p, K, V> ExactSizeIterator for $name<'_, 'p, K, V>
        where
            K: Persistent<At<'p> = K>,
            V: Persistent<At<'p> = V>,
        {
        }

        impl<'p, K, V> FusedIterator for $name<'_, 'p, K, V>
        where
            K: Persistent<At<'p> = K>,
            V: Persistent<At<'p> = V>,
        {
        }

        impl<K, V> fmt::Debug for $name<'_, '_, K, V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

exact!(IterMut);
exact!(ValuesMut);
