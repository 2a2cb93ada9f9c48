//! `Bytes`: a byte string that lives in a pool, in its owner while it is short.
//!
//! **Problem.** A `Vector<u8>` could hold bytes, but a key of sixteen of them should cost its owner nothing but itself, and bytes come
//! and go in slices, not one at a time.
//!
//! **Structure.** As [`Text`](super::Text): up to 22 bytes lie in the owner's 24, more are a rope, a tree whose leaves have up to 488
//! bytes each (Boehm, Atkinson and Plass, "Ropes: an Alternative to Strings", 1995).
//!
//! | operation | time | lines written, of 1 MiB |
//! |---|---|---|
//! | `len`, `is_empty`, `share`, `as_slice` | O(1) | none |
//! | `get`, indexing | O(log n) | none |
//! | `get_mut` | O(log n) | about 20 |
//! | `iter_mut`, `chunks_mut` | O(1) each | all that is reached |
//! | `insert_slice`, `replace_range`, `extend_from_slice`, `remove_range` | O(log n + bytes put in) | about 20 |
//! | `split_off`, `append`, `slice`, `truncate` | O(log n) | about 40 |
//! | `==`, `cmp`, `diff` with a version that shares most of it | O(what is not shared, times log n) | none |
//! | `find`, `hash` | O(n) | none |
//!
//! **Memory.** 24 bytes, and beyond 22 bytes one node of 24 bytes and the content, rounded up to 64, up to 488 bytes; beyond that 512
//! bytes for each leaf, which has 122 to 488 bytes (all of them when written in order), and 3 % of that for inner nodes.
//!
//! **Crashes.** An edit changes the section's own copies of a path. After a crash the bytes are those of the last section that
//! committed; no state between is ever seen.

mod compare;
mod diff;
mod edit;
mod io;
mod iter;
mod iter_mut;
mod read;

use pmem_derive::Persistent;

use super::Defect;
use super::rope::Rope;
use crate::commit::Fase;
use crate::persist::Lens;

pub use self::diff::{Diff, Splice};
pub use self::io::{Reader, Writer};
pub use self::iter::{Chunks, Iter};
pub use self::iter_mut::{ChunksMut, IterMut};

/// A growable byte string.
///
/// It is read like a `[u8]`, but in pieces ([`Bytes::chunks`]), unless it is in one ([`Bytes::as_slice`]). It compares, orders and
/// hashes as a `[u8]`, whatever its pieces, so that a map with byte strings as keys is asked by `&[u8]`.
///
/// ```
/// use pmem_runtime::collections::Bytes;
/// use pmem_runtime::{Pool, persist_fase};
///
/// let pool = Pool::<Bytes<'static>>::options().volatile()?;
/// persist_fase!(pool, |tx, bytes| {
///     bytes.extend_from_slice(tx, &[1, 2, 4]);
///     bytes.insert(tx, 2, 3);
///     *bytes.get_mut(tx, 0).expect("it is there") = 9;
///     Ok(())
/// })?;
/// assert_eq!(*pool.snapshot(), [9, 2, 3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(transparent)]
pub struct Bytes<'p> {
    rope: Rope<'p, Lens>,
}

impl Bytes<'_> {
    /// No bytes, and no node.
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// const NOTHING: Bytes<'_> = Bytes::new();
    /// assert_eq!(NOTHING, []);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Bytes { rope: Rope::EMPTY }
    }

    /// Whether both are the same tree: equal without looking. Short byte strings have none.
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// let bytes = Bytes::new();
    /// assert!(!bytes.ptr_eq(&bytes));
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.rope.ptr_eq(&other.rope)
    }

    /// Verifies the tree: what each node says of those below it, and that none is too empty or too full.
    ///
    /// Complexity: O(nodes).
    ///
    /// # Errors
    /// What is wrong, and where.
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert_eq!(Bytes::new().check(), Ok(()));
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        self.rope.check("Bytes")
    }
}

impl Default for Bytes<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> Bytes<'p> {
    /// A copy of `bytes`.
    ///
    /// Complexity: O(bytes). Up to 22 take no node.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, key| {
    ///     *key = Bytes::of(tx, b"key");
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), *b"key");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(tx: &Fase<'p>, bytes: &[u8]) -> Self {
        Bytes { rope: Rope::of(tx, bytes) }
    }

    /// The bytes that an iterator gives.
    ///
    /// Complexity: O(bytes).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     *bytes = Bytes::from_iter(tx, 1..=3);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_iter(tx: &Fase<'p>, bytes: impl IntoIterator<Item = u8>) -> Self {
        let mut new = Bytes::new();
        new.extend(tx, bytes);
        new
    }

    /// A second owner of the same bytes: an old version kept this way costs what later changes.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<[Bytes<'static>; 2]>::options().volatile()?;
    /// persist_fase!(pool, |tx, versions| {
    ///     versions[0].push(tx, 1);
    ///     versions[1] = versions[0].share(tx);
    ///     versions[0].push(tx, 2);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot()[1], [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

    assert_eq_size!(Bytes<'static>, [u64; 3]);
    assert_impl_all!(Bytes<'static>: Send, Sync, Eq, Ord, std::hash::Hash, std::fmt::Debug);
    assert_not_impl_any!(Bytes<'static>: Clone, Copy);
};
