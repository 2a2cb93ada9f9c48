//! Building a tree from entries that come in order: each node is filled and left alone.

use std::cmp::Ordering;

use super::OrdMap;
use super::join::{Tree, glue};
use super::node::{Node, Pair};
use super::sets::union;
use crate::commit::Fase;
use crate::persist::Persistent;

/// A tree under construction: of each level, from the leaves up, the node that is being filled. An inner one has as many
/// items as children, since the next child is still to come.
struct Builder<'t, 'p, K, V> {
    tx: &'t Fase<'p>,
    open: Vec<Node<'p, K, V>>,
}

impl<'p, K, V> Builder<'_, 'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    fn fresh(&self, level: u8) -> Node<'p, K, V> {
        let items = if level == 0 { Node::<K, V>::MAX_LEAF } else { Node::<K, V>::MAX_INNER };
        Node::with_room(self.tx, level, items)
    }

    /// The entry that came last. It is a leaf's, or the one that closed the leaf.
    fn last(&mut self) -> Option<&mut Pair<K, V>> {
        let tx = self.tx;
        let node = self.open.iter_mut().find(|node| !node.pairs().is_empty())?;
        node.edit(tx).0.last_mut()
    }

    /// Adds an entry behind all others.
    fn push(&mut self, pair: Pair<K, V>) {
        if self.open.is_empty() {
            self.open.push(self.fresh(0));
        }
        let mut level = 0;
        let mut full = None;
        loop {
            if level == self.open.len() {
                self.open.push(self.fresh(level as u8));
            }
            let node = &mut self.open[level];
            if let Some(child) = full.take() {
                node.insert_child(self.tx, node.children().len(), child);
            }
            let items = node.pairs().len();
            if items < node.max() {
                node.insert_pair(self.tx, items, pair);
                return;
            }
            let next = self.fresh(level as u8);
            full = Some(std::mem::replace(&mut self.open[level], next));
            level += 1;
        }
    }

    fn finish(self) -> Tree<'p, K, V> {
        let mut tree: Tree<'p, K, V> = None;
        for mut node in self.open {
            if node.level() == 0 {
                node.fit(self.tx);
                tree = node.into_root(self.tx);
                continue;
            }
            let Some(last) = node.pairs().len().checked_sub(1) else { continue };
            let pair = node.remove_pair(self.tx, last);
            node.fit(self.tx);
            let before = node.into_root(self.tx);
            tree = glue(self.tx, before, Some(pair), tree);
        }
        tree
    }
}

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    /// A map of these entries. Of entries with equal keys the last one's value stays.
    ///
    /// Complexity: O(n) and full nodes as long as the keys ascend; what follows the first key that does not is sorted in memory:
    /// O(n log n).
    ///
    /// # Panics
    /// It may, as the standard library's sort, if `Ord` is no total order. After a panic of `Ord`, what was taken from the iterator
    /// is gone.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// *map = OrdMap::from_iter(tx, (0..1000).map(|key| (key, key + 1)));
    /// assert_eq!((map.len(), map[&999]), (1000, 1000));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_iter<I>(tx: &Fase<'p>, entries: I) -> Self
    where
        I: IntoIterator<Item = (K, V)>,
    {
        let mut pairs = entries.into_iter().map(|(key, value)| Pair { key, value });
        let (sorted, next) = ascending(tx, pairs.by_ref());
        let Some(next) = next else { return OrdMap { root: sorted } };
        let mut rest: Vec<Pair<K, V>> = [next].into_iter().chain(pairs).collect();
        rest.sort_by(|left, right| left.key.cmp(&right.key));
        // An order that is none may leave entries that do not ascend even now.
        let mut rest = rest.into_iter();
        let (mut later, mut next) = ascending(tx, rest.by_ref());
        while let Some(pair) = next {
            let single = Some(Node::single(tx, pair));
            later = union(tx, single, later);
            next = rest.next();
        }
        OrdMap { root: union(tx, later, sorted) }
    }
}

/// A tree of the entries up to the first that does not ascend, and that one.
fn ascending<'p, K, V>(
    tx: &Fase<'p>,
    pairs: impl Iterator<Item = Pair<K, V>>,
) -> (Tree<'p, K, V>, Option<Pair<K, V>>)
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    let mut builder: Builder<'_, 'p, K, V> = Builder { tx, open: Vec::new() };
    for pair in pairs {
        let order = builder.last().map(|last| (last.key.cmp(&pair.key), last));
        match order {
            Some((Ordering::Greater, _)) => return (builder.finish(), Some(pair)),
            Some((Ordering::Equal, last)) => last.value = pair.value,
            _ => builder.push(pair),
        }
    }
    (builder.finish(), None)
}
