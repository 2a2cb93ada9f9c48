//! `Vector`: a growable sequence whose versions share what they have in common.
//!
//! **Problem.** MOD's vector (ASPLOS 2020, section 6) was 2.2 times slower than logging in place when single words were
//! overwritten: its tree is 32 wide, so an overwrite copies about twenty lines to change one. What an overwrite costs here
//! is the lines of one path, so paths are narrow; what reading costs is the nodes of one path, so they are not too narrow.
//!
//! **Structure.** A relaxed radix balanced tree of nodes of two lines (13 children) over dense leaves of three or four lines (21
//! words; at least one element), and two leaves outside the tree, at the front and the back. See `collections/sequence` for the tree
//! and its sources: Bagwell and Rompf, "RRB-Trees: Efficient Immutable Vectors", 2011; Stucki et al., ICFP 2015.
//!
//! | operation | time | lines written, 1,000,000 `u64` |
//! |---|---|---|
//! | `get`, `first`, `last`, `chunk_at` | O(log n) | 0 |
//! | `get_mut`, `set`, `swap` | O(log n) | 13 (a path; twice for `swap`) |
//! | `push`, `pop`, `push_front`, `pop_front` | O(1), O(log n) once per leaf | 3.5 on average |
//! | `insert`, `remove` anywhere | O(log n) | 24 |
//! | `append`, `split_off`, `slice`, `insert_all`, `remove_range`, `truncate`, `rotate_left` | O(log n) | two to four paths |
//! | `iter`, `chunks`, `range`, `iter_mut` | O(1) per element | `iter_mut`: all that it visits |
//! | `extend`, `from_iter` | O(m) | as many as the elements fill |
//! | `retain`, `sort_by` | O(n), O(n log n) | what changes; all if much does |
//! | `share` | O(1) | 0 |
//! | `diff`, `same` | O(changes log n) | 0 |
//!
//! Memory: 9.7 bytes per `u64` in a vector built at once; leaves that insertions in the middle have split are half full at least. The
//! vector itself is four words.
//!
//! **Why these numbers.** Measured on an EPYC (Zen 3) with `Options::force_dax` on a file in memory; 1,000,000 `u64`, one change
//! per section, at random; lines include the root's one and the commit record's 1.2 to 1.8.
//!
//! | children | leaf | lines per overwrite | ns | lines per push | ns | bytes per element | ns per `get` | ns per element iterated |
//! |---|---|---|---|---|---|---|---|---|
//! | 5 (1 line) | 13 (2 lines) | 12.0 | 3640 | 4.3 | 1320 | 11.1 | 240 | 7 |
//! | 13 (2 lines) | 5 (1 line) | 14.0 | 3880 | 4.8 | 1640 | 14.9 | 260 | 17 |
//! | 13 | 13 (2 lines) | 13.9 | 2860 | 4.2 | 1220 | 10.7 | 144 | 5 |
//! | **13** | **21 (3 lines)** | **14.9** | **2790** | **4.6** | **1200** | **9.7** | **140** | **3** |
//! | 13 | 37 (5 lines) | 15.8 | 2520 | 5.4 | 1160 | 8.9 | 136 | 3 |
//! | 16 (3 lines) | 21 (3 lines) | 16.8 | 2380 | 4.6 | 1200 | 9.8 | 130 | 3 |
//! | 29 (4 lines) | 29 (4 lines) | 19.0 | 2340 | 5.0 | 1180 | 9.1 | 146 | 3 |
//!
//! A node on the path costs as much as four to eight lines (it must be found, allocated, checksummed, and its old copy
//! retired), so the narrowest tree writes least and is slowest; past 13 children each 100 ns saved cost a line or more. Leaves of one
//! line more than the least are denser and twice as fast to walk.
//!
//! **After a crash** a vector is what it was after some section, like everything in a pool: a section's copies are reachable only
//! when its record is whole. Nothing is repaired, nothing is rebuilt.

use std::ops::{Bound, Range, RangeBounds};

use pmem_derive::Persistent;

use super::Defect;
use super::sequence::Sequence;
use crate::persist::Persistent;

mod diff;
mod edit;
mod iter;
mod order;
mod traits;
mod whole;

pub use self::diff::{Change, Diff};
pub use self::iter::{Chunks, Iter, IterMut};

/// A growable sequence.
///
/// # Examples
/// ```
/// use pmem_runtime::collections::Vector;
/// use pmem_runtime::{Pool, persist_fase};
///
/// let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
/// persist_fase!(pool, |tx, primes| {
///     primes.extend(tx, [2, 3, 5, 7]);
///     primes.push_front(tx, 1);
///     *primes.get_mut(tx, 4).expect("it is there") = 11;
///     Ok(())
/// })?;
/// assert_eq!(*pool.snapshot(), [1, 2, 3, 5, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(transparent)]
pub struct Vector<'p, T> {
    elements: Sequence<'p, T>,
}

impl<T> Vector<'_, T> {
    /// An empty vector, which has no node.
    ///
    /// # Examples
    /// ```
    /// use pmem_runtime::collections::Vector;
    ///
    /// assert!(Vector::<'_, u64>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Vector { elements: Sequence::new() }
    }
}

impl<T> Default for Vector<'_, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p, T> Vector<'p, T>
where
    T: Persistent,
{
    /// The number of elements.
    ///
    /// Complexity: O(1).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, [7, 8]); Ok(()) })?;
    /// assert_eq!(pool.snapshot().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are no elements.
    ///
    /// Complexity: O(1).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// assert!(pool.snapshot().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element at `index`.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, [7, 8]); Ok(()) })?;
    /// assert_eq!(pool.snapshot().get(1), Some(&8));
    /// assert_eq!(pool.snapshot().get(2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.elements.get(index)
    }

    /// The first element.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, [7, 8]); Ok(()) })?;
    /// assert_eq!(pool.snapshot().first(), Some(&7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last element.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, [7, 8]); Ok(()) })?;
    /// assert_eq!(pool.snapshot().last(), Some(&8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Whether some element is equal to `item`.
    ///
    /// Complexity: O(n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, [7, 8]); Ok(()) })?;
    /// assert!(pool.snapshot().contains(&8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains(&self, item: &T) -> bool
    where
        T: PartialEq,
    {
        self.chunks().any(|chunk| chunk.contains(item))
    }

    /// The elements in order.
    ///
    /// Complexity: O(1) per element.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, [7, 8, 9]); Ok(()) })?;
    /// let now = pool.snapshot();
    /// assert!(now.iter().rev().eq(&[9, 8, 7]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, T> {
        self.range(..)
    }

    /// The elements at the indices of a range, in order.
    ///
    /// Complexity: O(log n), and O(1) per element.
    ///
    /// # Panics
    /// If the range begins behind its end, or ends behind the last element.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, [7, 8, 9]); Ok(()) })?;
    /// assert!(pool.snapshot().range(1..).eq(&[8, 9]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn range(&self, range: impl RangeBounds<usize>) -> Iter<'_, 'p, T> {
        Iter(self.elements.range(indices(&range, self.len())))
    }

    /// The elements by leaves: the longest runs that lie side by side. None is empty; how long they are depends on the
    /// element's size and on how the vector was made.
    ///
    /// Complexity: O(1) per run.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, 0..100); Ok(()) })?;
    /// let sum: u64 = pool.snapshot().chunks().map(|run| run.iter().sum::<u64>()).sum();
    /// assert_eq!(sum, 4950);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chunks(&self) -> Chunks<'_, 'p, T> {
        Chunks(self.elements.chunks(0..self.len()))
    }

    /// The run in which the element at `index` lies, and its place there: for access to neighbours without looking each of
    /// them up.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, 0..100); Ok(()) })?;
    /// let now = pool.snapshot();
    /// let (run, at) = now.chunk_at(60).expect("it is there");
    /// assert_eq!(run[at], 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chunk_at(&self, index: usize) -> Option<(&[T], usize)> {
        self.elements.chunk_at(index)
    }

    /// Whether both are the same version of one vector: equal without looking at the elements. Two that are equal need not be.
    ///
    /// Complexity: O(1).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     let kept = vector.share(tx);
    ///     assert!(kept.ptr_eq(vector));
    ///     vector.push(tx, 9);
    ///     assert!(!kept.ptr_eq(vector));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.elements.ptr_eq(&other.elements)
    }

    /// Verifies the tree's own invariants: what a file that was damaged, or written by something else, may violate.
    ///
    /// Complexity: O(n).
    ///
    /// # Errors
    /// The first [`Defect`].
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| { vector.extend(tx, 0..100); Ok(()) })?;
    /// pool.snapshot().check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        self.elements.check("Vector")
    }
}

/// The indices that a range means.
fn indices(range: &impl RangeBounds<usize>, len: usize) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before.checked_add(1).expect("a range begins at an index"),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last.checked_add(1).expect("a range ends at an index"),
        Bound::Excluded(end) => *end,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "{start}..{end} is no range of {len} elements");
    start..end
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all};

    assert_eq_size!(Vector<'static, [u8; 1000]>, [u64; 4]);
    assert_impl_all!(Vector<'static, u64>: Send, Sync, Persistent);
    assert_impl_all!(Iter<'static, 'static, u64>: Send, Sync, ExactSizeIterator, DoubleEndedIterator, Clone);
    assert_impl_all!(Chunks<'static, 'static, u64>: Send, Sync, DoubleEndedIterator, Clone);
};
