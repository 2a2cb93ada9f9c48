//! `Vector`.
use std::ops::{Bound, Range, RangeBounds};

use pmem_derive::Persistent;

use super::Defect;
use super::sequence::Sequence;
use crate::persist::{Lens, Persistent};

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
    elements: Sequence<'p, Lens, T>,
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
