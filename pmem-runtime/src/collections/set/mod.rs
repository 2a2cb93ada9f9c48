//! [`Set`]: a hash set, which is a [map](super::Map) without values.
//!
//! **Problem.** The same as a map's, and the same answer: a value of no size takes no bytes in the map's leaves, so that a
//! set costs what its elements cost. Structure, hash and canonical form are those of [`super::map`].
//!
//! | operation | time | lines written |
//! |---|---|---|
//! | `contains`, `get` | O(log n) | none |
//! | `insert`, `remove`, `take` | O(log n) | as a map's: the path |
//! | `iter`, `check`, `retain` | O(n) | none; of `retain`, the nodes of which something is removed |
//! | `==`, `diff`, `is_subset` | O(nodes in which the two differ) | none |
//! | `union`, `intersection`, `difference` | O(nodes in which the two differ) | those that neither has |
//! | `iter_union`, `iter_intersection`, `iter_difference` | O(log n) for each element asked for | none |
//! | `share`, `len`, `ptr_eq`, `clear` | O(1) | none |
//!
//! **Memory.** 16 bytes in the owner, and 16.0 bytes for each of 1,000,000 `u64`.
//!
//! **Crashes.** A set changes only with its section: after a crash it is as some committed section left it, whole. A section that
//! aborts, or whose `Hash`, `Eq` or closure panics, leaves it as it was.
//!
//! # Invariants
//! 1. Those of the map that it is.

mod edit;
mod iter;
mod lazy;
mod read;

pub use iter::{Change, Diff, Drain, Iter};
pub use lazy::{Difference, Intersection, SymmetricDifference, Union};

use pmem_derive::Persistent;

use super::Map;
use crate::persist::Persistent;

/// A hash set that lives in a pool: 16 bytes, and a tree of nodes.
///
/// It is used like [`std::collections::HashSet`]; what makes nodes takes the section, `tx`, first.
///
/// # Examples
/// ```
/// use pmem_runtime::{Pool, Set, persist_fase};
///
/// let pool = Pool::<Set<u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, seen| {
///     assert!(seen.insert(tx, 7));
///     assert!(!seen.insert(tx, 7));
///     Ok(())
/// })?;
/// assert!(pool.snapshot().contains(&7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(C)]
pub struct Set<'p, T> {
    map: Map<'p, T, ()>,
}

impl<T> Set<'_, T> {
    /// An empty set. It has no node.
    ///
    /// ```
    /// use pmem_runtime::Set;
    ///
    /// assert!(Set::<u64>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Set { map: Map::new() }
    }
}

impl<T> Default for Set<'_, T> {
    fn default() -> Self {
        Set::new()
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

    assert_impl_all!(Set<'static, u64>: Send, Sync, Persistent, Eq);
    assert_not_impl_any!(Set<'static, u64>: Clone, Copy);
    assert_eq_size!(Set<'static, [u64; 99]>, [u64; 2]);
};
