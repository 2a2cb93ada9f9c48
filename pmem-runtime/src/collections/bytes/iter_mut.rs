//! Iteration over a byte string that lends bytes for writing.

use std::fmt;
use std::iter::FusedIterator;
use std::slice;

use super::Bytes;
use crate::collections::rope;
use crate::commit::Fase;

/// The pieces of a byte string, for writing: [`Bytes::chunks_mut`].
pub struct ChunksMut<'a, 'p> {
    chunks: rope::ChunksMut<'a, 'p>,
    left: usize,
}

/// The bytes of a byte string, for writing: [`Bytes::iter_mut`].
pub struct IterMut<'a, 'p> {
    chunks: ChunksMut<'a, 'p>,
    bytes: slice::IterMut<'a, u8>,
}

impl<'p> Bytes<'p> {
    /// All bytes in order, in pieces as they lie in the pool, for writing.
    ///
    /// Complexity: O(1) each; the nodes of what is reached are copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.resize(tx, 10_000, 1);
    ///     bytes.chunks_mut(tx).for_each(|chunk| chunk.fill(2));
    ///     assert!(bytes.iter().all(|byte| *byte == 2));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chunks_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> ChunksMut<'a, 'p> {
        let left = self.len();
        ChunksMut { chunks: self.rope.chunks_mut(tx), left }
    }

    /// All bytes in order, for writing.
    ///
    /// Complexity: O(1) each; the nodes of what is reached are copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 1..=3);
    ///     bytes.iter_mut(tx).for_each(|byte| *byte *= 10);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [10, 20, 30]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> IterMut<'a, 'p> {
        IterMut { chunks: self.chunks_mut(tx), bytes: [].iter_mut() }
    }
}

impl<'a> Iterator for ChunksMut<'a, '_> {
    type Item = &'a mut [u8];

    fn next(&mut self) -> Option<&'a mut [u8]> {
        let chunk = self.chunks.next()?;
        self.left = self.left.saturating_sub(chunk.len());
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(self.left > 0), Some(self.left))
    }
}

impl FusedIterator for ChunksMut<'_, '_> {}

impl fmt::Debug for ChunksMut<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunksMut").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'a> Iterator for IterMut<'a, '_> {
    type Item = &'a mut u8;

    fn next(&mut self) -> Option<&'a mut u8> {
        loop {
            if let Some(byte) = self.bytes.next() {
                return Some(byte);
            }
            self.bytes = self.chunks.next()?.iter_mut();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.bytes.len() + self.chunks.left;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IterMut<'_, '_> {}

impl FusedIterator for IterMut<'_, '_> {}

impl fmt::Debug for IterMut<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("left", &self.len()).finish_non_exhaustive()
    }
}
