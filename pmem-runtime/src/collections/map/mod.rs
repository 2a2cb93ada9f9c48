//! [`Map`]: a hash map as a compressed trie.
//!
//! **Problem.** A map's version must cost what changed: an insertion copies the path from the root to one leaf, and each
//! copied line is written back to the medium. So the lines of a path are the price of every update, then the cache misses of
//! a lookup.
//!
//! **Structure.** A trie over the digits of the keys' hashes, of the CHAMP family (Steindorfer and Vinju, *Optimizing
//! Hash-Array Mapped Tries for Fast and Lean Immutable JVM Collections*, OOPSLA 2015): nodes hold what is there and no more,
//! a bitmap says where, and the shape depends on the contents alone. It departs from CHAMP in two ways, for the sake of lines:
//! - An inner node has **five ways** and no entries: with its 16-byte header, 8-byte head and five children it is one line
//!   exactly. The slot at each step is a digit of the hash as a fraction in base five (`hash * 5 / 2^64`), so the ways need
//!   not be a power of two.
//! - Entries are in **leaves** of up to three lines (ten entries of 16 bytes). A leaf is split exactly when it has more, and
//!   merged back when the subtree has no more: the *canonical form*. Each inner node counts the entries under it, so that a
//!   removal sees at once what must be merged, and `len` needs no field.
//!
//! **Hash.** SipHash-1-3, frozen, keyed by the pool's random seed (which a map keeps, so that reading takes no context).
//! Integers are hashed as little-endian bytes, `usize` and `isize` as 64 bits, so the hash of a key does not depend on the
//! machine, as far as its `Hash` writes the same. (The standard library hashes slices and arrays of integers as their memory;
//! that is little-endian wherever pools are opened.) A key's `Hash` is therefore part of the pool's format: do not change it
//! for a type that keys of an existing pool have. Keys whose whole hashes are equal share a leaf of any length, searched one
//! by one.
//!
//! **Crashes.** A map changes only with its section: after a crash it is as some committed section left it, whole. A section
//! that aborts, or whose `Hash`, `Eq` or closure panics, leaves it as it was.
//!
//! | operation | time | lines written, 1,000,000 `u64` to `u64`, one section each |
//! |---|---|---|
//! | `get`, `contains_key` | O(log n): 8 nodes and at most 10 keys | none |
//! | `insert`, `remove`, `get_mut`, `entry` | O(log n) | 10.2: 7 inner nodes and a leaf of 2 or 3, more if it is split |
//! | the same in one section with many others | O(log n) | each touched node once |
//! | `iter` and the like, `check`, `==`, `retain` | O(n) | none; of `retain`, the nodes of which something is removed |
//! | `diff`, `same`, `union`, `intersection`, `difference` | O(nodes in which the two differ) | those that neither has |
//! | `share`, `len`, `ptr_eq`, `clear` | O(1) | none |
//!
//! A section writes one line more for the pool's root and two for its record. Memory: 25 to 37 bytes per entry of 16 bytes,
//! depending on how full leaves are (37 at 1,000,000).
//!
//! **Shapes measured** at 1,000,000, each insertion a section of its own, root and record counted:
//!
//! | ways | leaf | lines per insertion | overwrite | removal | nodes made | bytes per entry |
//! |---|---|---|---|---|---|---|
//! | 5 | two lines | 12.9 | 12.8 | 12.7 | 10.2 | 42 |
//! | **5** | **three lines** | **13.2** | **12.9** | **12.9** | **10.1** | **37** |
//! | 5 | four lines | 13.9 | 13.3 | 13.4 | 9.9 | 28 |
//! | 8 | two lines | 17.6 | 17.1 | 16.9 | 8.7 | 42 |
//! | 13 (fills two lines) | three lines | 14.9 | 14.9 | 14.8 | 7.0 | 39 |
//! | 16 | three lines | 18.6 | 18.4 | 18.0 | 7.2 | 53 |
//!
//! From 300,000 to 1,500,000 entries the chosen shape stays between 12.5 and 13.4 lines. Thirteen ways read somewhat faster (up
//! to a third less time in a lookup on a loaded machine), as paths have five inner nodes instead of seven.
//!
//! # Invariants
//! 1. An inner node has more entries under it than a leaf may hold (`Node::BUCKET`), and counts them; a leaf holds more only
//!    where hashes are used up.
//! 2. A key lies in the leaf to which the digits of its hash lead, once.
//! 3. A map with entries has the seed with which their hashes were made.

mod check;
mod combine;
mod diff;
mod edit;
mod entry;
mod hash;
mod iter;
mod merge;
mod node;
mod read;
mod subset;
#[cfg(test)]
mod tests;
mod trie;

pub use diff::{Change, Diff};
pub use entry::{Entry, OccupiedEntry, VacantEntry};
pub use iter::{Drain, Iter, IterMut, Keys, Values, ValuesMut};

use pmem_derive::Persistent;

use crate::persist::Persistent;
use trie::Trie;

/// A hash map that lives in a pool: 16 bytes, and a tree of nodes.
///
/// It is used like [`std::collections::HashMap`]; what makes nodes takes the section, `tx`, first. Leaves are in the order of
/// their keys' hashes; within one, entries are in the order of insertion. If a key's `Hash` or `Eq` change or lie, the map loses
/// sight of entries, and nothing worse.
///
/// # Examples
/// ```
/// use pmem_runtime::{Map, Persistent, Pool, persist_fase};
///
/// #[derive(Persistent, Default)]
/// #[repr(C)]
/// struct Stock<'p> {
///     pieces: Map<'p, u32, u64>,
/// }
///
/// let pool = Pool::<Stock>::options().volatile()?;
/// persist_fase!(pool, |tx, stock| {
///     stock.pieces.insert(tx, 7, 100);
///     *stock.pieces.entry(tx, 8).or_insert(0) += 3;
///     Ok(())
/// })?;
/// let before = pool.snapshot();
/// persist_fase!(pool, |tx, stock| {
///     stock.pieces.remove(tx, &7);
///     Ok(())
/// })?;
/// assert_eq!(before.pieces.get(&7), Some(&100));
/// assert_eq!(pool.snapshot().pieces.get(&7), None);
/// assert_eq!(before.pieces.diff(&pool.snapshot().pieces).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(C)]
pub struct Map<'p, K, V> {
    trie: Trie<'p, K, V>,
    /// That of the pool, once there has been an entry.
    seed: u64,
}

impl<K, V> Map<'_, K, V> {
    /// An empty map. It has no node.
    ///
    /// ```
    /// use pmem_runtime::Map;
    ///
    /// assert!(Map::<u64, u64>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Map { trie: Trie::new(), seed: 0 }
    }
}

impl<K, V> Default for Map<'_, K, V> {
    fn default() -> Self {
        Map::new()
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

    assert_impl_all!(Map<'static, u64, u64>: Send, Sync, Persistent, Eq);
    assert_not_impl_any!(Map<'static, u64, u64>: Clone, Copy);
    assert_eq_size!(Map<'static, u64, [u64; 99]>, [u64; 2]);
};
