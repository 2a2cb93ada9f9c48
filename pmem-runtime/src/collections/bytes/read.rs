//! What can be read without a section.

use std::ops::{Index, RangeBounds};

use super::{Bytes, Chunks, Iter, Reader};
use crate::collections::rope::resolve;

impl<'p> Bytes<'p> {
    /// How many bytes there are.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert_eq!(Bytes::new().len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.rope.len()
    }

    /// Whether there are none.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert!(Bytes::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The byte at `index`.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.push(tx, 7)) })?;
    /// assert_eq!(pool.snapshot().get(0), Some(&7));
    /// assert_eq!(pool.snapshot().get(1), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&u8> {
        self.rope.byte(index)
    }

    /// The first byte.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert_eq!(Bytes::new().first(), None);
    /// ```
    #[must_use]
    pub fn first(&self) -> Option<&u8> {
        self.get(0)
    }

    /// The last byte.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert_eq!(Bytes::new().last(), None);
    /// ```
    #[must_use]
    pub fn last(&self) -> Option<&u8> {
        self.get(self.len().checked_sub(1)?)
    }

    /// All bytes, if they are in one piece: up to 488 are.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert_eq!(Bytes::new().as_slice(), Some(&[][..]));
    /// ```
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> Option<&[u8]> {
        self.rope.as_view()
    }

    /// Copies of all bytes.
    ///
    /// Complexity: O(n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend(tx, 0..3)) })?;
    /// assert_eq!(pool.snapshot().to_vec(), [0, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        self.chunks().collect::<Vec<_>>().concat()
    }

    /// Copies bytes from `at` on into `to`, as many as there are and fit. Returns how many.
    ///
    /// Complexity: O(log n + bytes).
    ///
    /// # Panics
    /// If `at` is behind the end.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend(tx, 0..5)) })?;
    /// let mut block = [9; 4];
    /// assert_eq!(pool.snapshot().read_at(3, &mut block), 2);
    /// assert_eq!(block, [3, 4, 9, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_at(&self, at: usize, to: &mut [u8]) -> usize {
        let end = self.len().min(at.saturating_add(to.len()));
        let mut done = 0;
        for piece in self.chunks_in(at..end.max(at)) {
            to[done..done + piece.len()].copy_from_slice(piece);
            done += piece.len();
        }
        done
    }

    /// The pieces, in order. None of them is empty.
    ///
    /// Complexity: O(log n) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.resize(tx, 1000, 0)) })?;
    /// assert_eq!(pool.snapshot().chunks().map(<[u8]>::len).sum::<usize>(), 1000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chunks(&self) -> Chunks<'_, 'p> {
        self.chunks_in(..)
    }

    /// The pieces of the bytes in `range`, in order.
    ///
    /// Complexity: O(log n) each.
    ///
    /// # Panics
    /// If the range is not one of the bytes'.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend(tx, 0..5)) })?;
    /// assert!(pool.snapshot().chunks_in(1..3).eq([[1, 2]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chunks_in(&self, range: impl RangeBounds<usize>) -> Chunks<'_, 'p> {
        let range = resolve(&range, self.len());
        Chunks(self.rope.pieces(range.start, range.end))
    }

    /// The bytes, from both ends.
    ///
    /// Complexity: O(1) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend(tx, 0..3)) })?;
    /// assert!(pool.snapshot().iter().rev().eq(&[2, 1, 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p> {
        Iter::new(self.chunks())
    }

    /// The bytes in `range`, from both ends.
    ///
    /// Complexity: O(log n), and O(1) each.
    ///
    /// # Panics
    /// If the range is not one of the bytes'.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend(tx, 0..9)) })?;
    /// assert!(pool.snapshot().range(7..).eq(&[7, 8]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn range(&self, range: impl RangeBounds<usize>) -> Iter<'_, 'p> {
        Iter::new(self.chunks_in(range))
    }

    /// Whether these bytes are the first ones.
    ///
    /// Complexity: O(bytes asked for).
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert!(Bytes::new().starts_with(b""));
    /// ```
    #[must_use]
    pub fn starts_with(&self, bytes: &[u8]) -> bool {
        self.rope.has_at(0, bytes)
    }

    /// Whether these bytes are the last ones.
    ///
    /// Complexity: O(bytes asked for).
    ///
    /// ```
    /// # use pmem_runtime::collections::Bytes;
    /// assert!(!Bytes::new().ends_with(b"a"));
    /// ```
    #[must_use]
    pub fn ends_with(&self, bytes: &[u8]) -> bool {
        self.len().checked_sub(bytes.len()).is_some_and(|at| self.rope.has_at(at, bytes))
    }

    /// Where these bytes occur first.
    ///
    /// Complexity: O(n + bytes asked for).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend(tx, 0..9)) })?;
    /// assert_eq!(pool.snapshot().find(&[3, 4]), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<usize> {
        self.rope.find(bytes)
    }

    /// Reads the bytes from the first on, as [`std::io::Read`] and [`std::io::BufRead`].
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// use std::io::BufRead as _;
    ///
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend_from_slice(tx, b"one\ntwo\n")) })?;
    /// let now = pool.snapshot();
    /// let lines: Vec<String> = now.reader().lines().collect::<Result<_, _>>()?;
    /// assert_eq!(lines, ["one", "two"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reader(&self) -> Reader<'_, 'p> {
        Reader::new(self)
    }
}

/// # Panics
/// If there is no byte at the index.
impl Index<usize> for Bytes<'_> {
    type Output = u8;

    fn index(&self, index: usize) -> &u8 {
        let missing = || panic!("index {index} is not one of the {} bytes", self.len());
        self.get(index).unwrap_or_else(missing)
    }
}
