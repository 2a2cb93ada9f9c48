//! What differs between two maps, passing over what they share.
//!
//! Both trees are walked in order. What is still to come of each is a stack of subtrees and entries, the next on top. If the same
//! subtree is on top of both, it is passed over: all before it has been compared, so it holds the same entries on both sides.
//! Otherwise the higher of two subtrees is opened, or both if they are of one level: so that a subtree shared by trees of
//! different shapes is on top of both at the same time, or is opened on one side no further than along its edge.

use std::cmp::Ordering;
use std::fmt;
use std::iter::FusedIterator;

use super::OrdMap;
use super::node::{Node, Pair};
use crate::persist::Persistent;

/// One difference between two maps: [`OrdMap::diff`].
#[derive(Debug, PartialEq, Eq)]
pub enum Change<'a, K, V> {
    /// The second map has a key that the first has not.
    Added(&'a K, &'a V),
    /// The first map has a key that the second has not.
    Removed(&'a K, &'a V),
    /// Both have the key, with different values.
    Changed {
        /// The key, as the second map has it.
        key: &'a K,
        /// The value in the first map.
        old: &'a V,
        /// The value in the second map.
        new: &'a V,
    },
}

impl<K, V> Clone for Change<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Change<'_, K, V> {}

/// A part of a tree that is still to come.
enum Piece<'a, 'p, K, V> {
    Tree(&'a Node<'p, K, V>),
    Pair(&'a Pair<K, V>),
}

/// What is still to come of one tree, the next on top.
struct Rest<'a, 'p, K, V>(Vec<Piece<'a, 'p, K, V>>);

impl<'a, 'p, K: Persistent, V: Persistent> Rest<'a, 'p, K, V> {
    /// Replaces the subtree on top by what it is made of.
    fn open(&mut self) {
        let Some(Piece::Tree(node)) = self.0.pop() else { return };
        let pairs = node.pairs();
        self.0.extend(node.child(pairs.len()).map(Piece::Tree));
        for (index, pair) in pairs.iter().enumerate().rev() {
            self.0.push(Piece::Pair(pair));
            self.0.extend(node.child(index).map(Piece::Tree));
        }
    }
}

/// Walks two trees side by side.
pub(super) struct Walk<'a, 'p, K, V> {
    left: Rest<'a, 'p, K, V>,
    right: Rest<'a, 'p, K, V>,
}

/// What comes next: entries of either side with a key that the other does not have, or of both.
pub(super) enum Met<'a, K, V> {
    Left(&'a Pair<K, V>),
    Right(&'a Pair<K, V>),
    Both(&'a Pair<K, V>, &'a Pair<K, V>),
}

impl<'a, 'p, K: Persistent + Ord, V: Persistent> Walk<'a, 'p, K, V> {
    pub(super) fn new(left: &'a OrdMap<'p, K, V>, right: &'a OrdMap<'p, K, V>) -> Self {
        let rest = |map: &'a OrdMap<'p, K, V>| Rest(map.root.iter().map(Piece::Tree).collect());
        Walk { left: rest(left), right: rest(right) }
    }

    pub(super) fn next(&mut self) -> Option<Met<'a, K, V>> {
        loop {
            let (left, right) = (&mut self.left, &mut self.right);
            match (left.0.last(), right.0.last()) {
                (Some(Piece::Tree(first)), Some(Piece::Tree(second))) => {
                    if Node::ptr_eq(first, second) {
                        left.0.pop();
                        right.0.pop();
                        continue;
                    }
                    let order = first.level().cmp(&second.level());
                    if order.is_ge() {
                        left.open();
                    }
                    if order.is_le() {
                        right.open();
                    }
                }
                (Some(Piece::Tree(_)), _) => left.open(),
                (_, Some(Piece::Tree(_))) => right.open(),
                (None, None) => return None,
                (Some(Piece::Pair(pair)), None) => {
                    let met = Met::Left(pair);
                    left.0.pop();
                    return Some(met);
                }
                (None, Some(Piece::Pair(pair))) => {
                    let met = Met::Right(pair);
                    right.0.pop();
                    return Some(met);
                }
                (Some(Piece::Pair(first)), Some(Piece::Pair(second))) => {
                    let order = first.key.cmp(&second.key);
                    let met = match order {
                        Ordering::Less => Met::Left(first),
                        Ordering::Greater => Met::Right(second),
                        Ordering::Equal => Met::Both(first, second),
                    };
                    if order.is_le() {
                        left.0.pop();
                    }
                    if order.is_ge() {
                        right.0.pop();
                    }
                    return Some(met);
                }
            }
        }
    }
}

/// The differences between two maps in the order of their keys: [`OrdMap::diff`].
pub struct Diff<'a, 'p, K, V>(Walk<'a, 'p, K, V>);

impl<'p, K: Persistent + Ord, V: Persistent + PartialEq> OrdMap<'p, K, V> {
    /// What must change for this map to become `other`, in the order of the keys. What is in a node that both share is not
    /// compared, so it counts as unchanged.
    ///
    /// Complexity: O(changes · log n) between versions of one map, whatever their shapes; O(n) for maps that share nothing.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase};
    /// use pmem_runtime::collections::OrdMap;
    /// use pmem_runtime::collections::ord_map::Change;
    ///
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20)]);
    /// let before = map.share(tx);
    /// map.insert(tx, 1, 11);
    /// map.insert(tx, 3, 30);
    /// map.remove(tx, &2);
    /// let changes: Vec<_> = before.diff(map).collect();
    /// assert_eq!(changes, [
    ///     Change::Changed { key: &1, old: &10, new: &11 },
    ///     Change::Removed(&2, &20),
    ///     Change::Added(&3, &30),
    /// ]);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diff<'a>(&'a self, other: &'a Self) -> Diff<'a, 'p, K, V> {
        Diff(Walk::new(self, other))
    }

    /// Whether both have equal entries, as `==`, but without looking at what they share: a version is compared with another in
    /// the time that their differences take.
    ///
    /// Complexity: as [`OrdMap::diff`].
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, (0..1000).map(|key| (key, key)));
    /// let before = map.share(tx);
    /// map.insert(tx, 500, 7);
    /// assert!(!before.same(map));
    /// map.insert(tx, 500, 500);
    /// assert!(before.same(map));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn same(&self, other: &Self) -> bool
    where
        V: Eq,
    {
        self.len() == other.len() && self.diff(other).next().is_none()
    }
}

impl<'a, K: Persistent + Ord, V: Persistent + PartialEq> Iterator for Diff<'a, '_, K, V> {
    type Item = Change<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            return Some(match self.0.next()? {
                Met::Left(pair) => Change::Removed(&pair.key, &pair.value),
                Met::Right(pair) => Change::Added(&pair.key, &pair.value),
                Met::Both(old, new) if old.value == new.value => continue,
                Met::Both(old, new) => Change::Changed { key: &new.key, old: &old.value, new: &new.value },
            });
        }
    }
}

impl<K: Persistent + Ord, V: Persistent + PartialEq> FusedIterator for Diff<'_, '_, K, V> {}

impl<K, V> fmt::Debug for Diff<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Diff")
    }
}
