//! An ordered map: a B-tree in which an edit copies the path that it changes.
//!
//! **Problem.** Keys in order, lookups in logarithmic time, and edits that leave old versions as they are. What an edit costs is
//! the lines of the nodes from the root to the place; what a lookup costs is their cache misses.
//!
//! **Structure.** A B-tree (Bayer and McCreight, "Organization and Maintenance of Large Ordered Indexes", Acta Informatica 1,
//! 1972; entries in inner nodes too, as in the standard library's `BTreeMap`), each node an array of just as many lines as its
//! entries and children need: up to four for leaves, three for inner nodes. Full nodes are split, nodes with less than a third of the most items are merged with a
//! neighbour or filled from it. Each node knows the number of entries below it, so that splitting off and merging whole
//! subtrees need not count them. Everything that works on whole trees is made of two operations, joining and splitting
//! (Blelloch, Ferizovic and Sun, "Just Join for Parallel Ordered Sets", SPAA 2016).
//!
//! | operation | time | lines written |
//! |---|---|---|
//! | `get`, `first_key_value`, `get_le` .. | O(log n) | |
//! | `insert`, `remove`, `get_mut`, `entry` | O(log n) | O(log n), of each node once in a section |
//! | `range`, `iter` | O(log n) to start, then O(1) on average | |
//! | `split_off` | O(log n) | O(log n) |
//! | `append`, `union`, `intersection`, `difference` | O(m log(n/m + 1)), m the smaller | the same, shared subtrees free |
//! | `from_iter` | O(n) if sorted, else O(n log n) | n entries in full nodes |
//! | `diff`, `same` | O(changes · log n) between versions that share | |
//! | `==`, `cmp`, `hash`, `check`, `retain` | O(n) | of `retain`, the nodes of which something is removed, and the paths to them |
//! | `len`, `share`, `clear`, `ptr_eq` | O(1) | |
//!
//! **Node sizes**, measured with 1,000,000 random `u64` keys and values: an insertion in a section of its own (lines and nodes
//! besides the root's and the record's, counted), one of 1,000 in a section, a lookup. The counts are exact. The times are the
//! best of five runs (of one run for 8, 4) on two busy processors, and varied several times over: they decide nothing.
//!
//! | lines of a leaf, of an inner node | lines written | nodes | bytes an entry | get | insert alone | insert in 1,000 | next of `iter` |
//! |---|---|---|---|---|---|---|---|
//! | 2, 2 | 21.2 | 11.3 | 34.5 | 1070 ns | 7.3 us | 4.1 us | 64 ns |
//! | 3, 3 | 21.1 | 9.2 | 25.6 | 1305 ns | 12.0 us | 4.7 us | 72 ns |
//! | 4, 2 | 20.9 | 10.1 | 24.6 | | | | |
//! | **4, 3** | 21.3 | 8.1 | 23.7 | 1491 ns | 14.0 us | 5.4 us | 57 ns |
//! | 4, 4 | 23.1 | 7.1 | 23.4 | 1523 ns | 12.5 us | 3.6 us | 45 ns |
//! | 8, 4 | 25.1 | 7.1 | 19.5 | 1043 ns | 6.8 us | 2.8 us | 31 ns |
//!
//! Chosen, by the counts alone, is what writes the fewest lines, within two in a hundred, with the fewest nodes on the way. Entries that come in order
//! take 20.4 bytes each, built by `from_iter` 19.2. A value of more than a line or two is better kept behind a
//! [`P`](crate::P): it lies in the node, and a node is copied whole.
//!
//! **Crashes.** A map is changed by its section and is durable with it: a crash leaves the map as a committed section left it, with
//! all its entries or with none of that section's.
//!
//! **Panics of `Ord`.** A section in which a comparison panics is undone. If its body catches that and goes on:
//! `get`, `insert`, `remove`, `entry`, `split_off` and what takes one key have changed nothing, since they compare before they change;
//! `append` leaves both maps empty; `union`, `intersection`, `difference` and `symmetric_difference` have lost what they were given by
//! value, and not what they were given by reference; `from_iter` has lost what it took from the iterator, and `extend` keeps what it
//! had inserted, which into an empty map is nothing. No map is left between two states, and the nodes are given back. An `Ord` that is
//! no total order puts entries where they are not found; `from_iter` and `extend` into an empty map may panic, as a sort does.
//!
//! **Invariants** (of a tree; [`OrdMap::check`]).
//! 1. Keys ascend strictly, in order of the tree.
//! 2. Leaves are at level 0, a node's children one level below it; it has one child more than items.
//! 3. A node but the root has from a third of the most items to the most; the root has one at least.
//! 4. A node's size is the number of its items and of all below it.

mod build;
mod check;
mod cursor;
mod diff;
mod edit;
mod entry;
mod gap;
mod iter;
mod iter_mut;
mod join;
mod node;
mod path;
mod range;
mod read;
mod sets;
#[cfg(test)]
mod tests;
mod traits;
mod whole;

use std::mem;

pub use cursor::Cursor;
pub use diff::{Change, Diff};
pub use entry::{Entry, OccupiedEntry, VacantEntry};
use equivalent::Comparable;
pub use iter::{Iter, Keys, Values};
pub use iter_mut::{IterMut, ValuesMut};
use node::{Node, Pair};
use path::Path;
use pmem_derive::Persistent;
pub use range::{Range, RangeMut};

use crate::commit::Fase;
use crate::persist::Persistent;

/// A map from keys to values, in the order of the keys. One word; an empty map has no node.
///
/// Keys are compared by `Ord`, which must not change while they are in the map.
///
/// ```
/// use pmem_runtime::collections::OrdMap;
/// use pmem_runtime::{Pool, persist_fase};
///
/// let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, map| {
///     map.insert(tx, 2, 20);
///     map.insert(tx, 1, 10);
///     Ok(())
/// })?;
/// let now = pool.snapshot();
/// assert_eq!(now.get(&2), Some(&20));
/// assert!(now.iter().eq([(&1, &10), (&2, &20)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(C)]
pub struct OrdMap<'p, K, V> {
    root: Option<Node<'p, K, V>>,
}

impl<K, V> OrdMap<'_, K, V> {
    /// An empty map. It has no node.
    ///
    /// ```
    /// use pmem_runtime::OrdMap;
    ///
    /// assert_eq!(OrdMap::<u64, u64>::new().len(), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        OrdMap { root: None }
    }

    /// Whether the map has no entries.
    ///
    /// ```
    /// use pmem_runtime::OrdMap;
    ///
    /// assert!(OrdMap::<u64, u64>::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Whether both are the same tree: equal without looking.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// let before = map.share(tx);
    /// assert!(before.ptr_eq(map));
    /// map.insert(tx, 1, 10);
    /// assert!(!before.ptr_eq(map) && before == *map);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(left), Some(right)) => Node::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        }
    }
}

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// A second owner of the same entries: a version to keep.
    ///
    /// Complexity: O(1). What later changes in either is copied then.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<(OrdMap<u64, u64>, OrdMap<u64, u64>)>::options().volatile()?;
    /// persist_fase!(pool, |tx, root| {
    ///     root.0.insert(tx, 1, 10);
    ///     root.1 = root.0.share(tx);
    ///     root.0.insert(tx, 1, 11);
    ///     assert_eq!((root.0[&1], root.1[&1]), (11, 10));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        OrdMap { root: self.root.as_ref().map(|root| root.share(tx)) }
    }

    /// A version with the entry; this one stays as it is. The two share all but the path to it.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{OrdMap, Pool, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, root| {
    ///     let newer = root.update(tx, 1, 10);
    ///     assert!(root.is_empty() && newer.get(&1) == Some(&10));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, key: K, value: V) -> Self
    where
        K: Ord,
    {
        let mut newer = self.share(tx);
        newer.insert(tx, key, value);
        newer
    }

    /// Removes all entries.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// map.clear(tx);
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, _tx: &Fase<'p>) {
        self.root = None;
    }

    /// The value of the key, for writing.
    ///
    /// Complexity: O(log n); the nodes on the way are copied the first time in a section. Without such a key nothing is.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// if let Some(value) = map.get_mut(tx, &1) {
    ///     *value += 1;
    /// }
    /// assert_eq!(map[&1], 11);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_mut<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Option<&mut V>
    where
        Q: ?Sized + Comparable<K>,
    {
        let root = self.root.as_mut()?;
        let path = Path::to(root, key);
        path.is_found.then(|| &mut path.pair_mut(tx, root).value)
    }

    /// Takes the key's entry out and gives its value.
    ///
    /// Complexity: O(log n). Without such a key nothing is copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!((map.remove(tx, &2), map.remove(tx, &2)), (Some(20), None));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Option<V>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.remove_entry(tx, key).map(|(_, value)| value)
    }

    /// Takes the key's entry out.
    ///
    /// Complexity: O(log n). Without such a key nothing is copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.insert(tx, 1, 10);
    /// assert_eq!(map.remove_entry(tx, &1), Some((1, 10)));
    /// assert!(map.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_entry<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Option<(K, V)>
    where
        Q: ?Sized + Comparable<K>,
    {
        let path = Path::to(self.root.as_ref()?, key);
        if !path.is_found {
            return None;
        }
        self.remove_at(tx, &path)
    }

    fn remove_at(&mut self, tx: &Fase<'p>, path: &Path) -> Option<(K, V)> {
        edit::remove_from(tx, &mut self.root, path).map(|pair| (pair.key, pair.value))
    }

    /// Takes out the entry with the least key.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!(map.pop_first(tx), Some((1, 10)));
    /// assert!(map.keys().eq(&[2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop_first(&mut self, tx: &Fase<'p>) -> Option<(K, V)> {
        let path = Path::to_first(self.root.as_ref()?);
        self.remove_at(tx, &path)
    }

    /// Takes out the entry with the greatest key.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert_eq!(map.pop_last(tx), Some((3, 30)));
    /// assert_eq!(map.pop_first(tx), Some((1, 10)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop_last(&mut self, tx: &Fase<'p>) -> Option<(K, V)> {
        let path = Path::to_last(self.root.as_ref()?);
        self.remove_at(tx, &path)
    }

    /// The entry with the least key, its value for writing.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// if let Some((_, value)) = map.first_mut(tx) {
    ///     *value = 11;
    /// }
    /// assert_eq!(map[&1], 11);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_mut(&mut self, tx: &Fase<'p>) -> Option<(&K, &mut V)> {
        let root = self.root.as_mut()?;
        Some(Path::to_first(root).pair_mut(tx, root).as_mut())
    }

    /// The entry with the greatest key, its value for writing.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// if let Some((_, value)) = map.last_mut(tx) {
    ///     *value = 31;
    /// }
    /// assert_eq!(map[&3], 31);
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn last_mut(&mut self, tx: &Fase<'p>) -> Option<(&K, &mut V)> {
        let root = self.root.as_mut()?;
        Some(Path::to_last(root).pair_mut(tx, root).as_mut())
    }
}

impl<'p, K, V> OrdMap<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    /// Gives the key a value; returns the one that it had. A key that is there already stays, as in the standard library.
    ///
    /// Complexity: O(log n). Memory: 16 bytes of header, 8 of counts, and 8 per child in a node, rounded up to lines of 64.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// assert_eq!(map.insert(tx, 1, 10), None);
    /// assert_eq!(map.insert(tx, 1, 11), Some(10));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, tx: &Fase<'p>, key: K, value: V) -> Option<V> {
        let pair = Pair { key, value };
        let Some(root) = &mut self.root else {
            self.root = Some(Node::single(tx, pair));
            return None;
        };
        let mut path = Path::to(root, &pair.key);
        if path.is_found {
            return Some(mem::replace(&mut path.pair_mut(tx, root).value, pair.value));
        }
        edit::insert(tx, root, &mut path, pair);
        None
    }

    /// Gives every key of the iterator its value.
    ///
    /// Complexity: that of as many insertions; into an empty map that of [`OrdMap::from_iter`]. If `Ord` panics and the section
    /// goes on, the map has what was inserted before, which into an empty map is nothing.
    ///
    /// # Panics
    /// As [`OrdMap::from_iter`], into an empty map.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// map.extend(tx, [(3, 31), (4, 40)]);
    /// assert!(map.values().eq(&[10, 20, 31, 40]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend<I>(&mut self, tx: &Fase<'p>, entries: I)
    where
        I: IntoIterator<Item = (K, V)>,
    {
        if self.is_empty() {
            *self = OrdMap::from_iter(tx, entries);
            return;
        }
        for (key, value) in entries {
            self.insert(tx, key, value);
        }
    }
}
