//! What a section can do to a byte string.

use std::ops::RangeBounds;

use super::{Bytes, Writer};
use crate::collections::rope::resolve;
use crate::commit::Fase;

/// Bytes that come one by one are collected up to so many before they are put into the tree.
const BATCH_BYTES: usize = 1 << 14;

impl<'p> Bytes<'p> {
    /// Access to the byte at `index`.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend_from_slice(tx, &[1, 2]);
    ///     *bytes.get_mut(tx, 1).expect("it is there") = 7;
    ///     assert_eq!(bytes.get_mut(tx, 2), None);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [1, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_mut(&mut self, tx: &Fase<'p>, index: usize) -> Option<&mut u8> {
        self.rope.byte_mut(tx, index)
    }

    /// Puts a byte behind the last one.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.push(tx, 1)) })?;
    /// assert_eq!(*pool.snapshot(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, tx: &Fase<'p>, byte: u8) {
        self.extend_from_slice(tx, &[byte]);
    }

    /// Takes the last byte off.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.push(tx, 1);
    ///     assert_eq!(bytes.pop(tx), Some(1));
    ///     assert_eq!(bytes.pop(tx), None);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop(&mut self, tx: &Fase<'p>) -> Option<u8> {
        let last = *self.last()?;
        self.truncate(tx, self.len() - 1);
        Some(last)
    }

    /// Puts these bytes behind the last one.
    ///
    /// Complexity: O(log n + bytes).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend_from_slice(tx, &[1, 2])) })?;
    /// assert_eq!(*pool.snapshot(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend_from_slice(&mut self, tx: &Fase<'p>, bytes: &[u8]) {
        let len = self.len();
        self.rope.splice(tx, len, len, bytes);
    }

    /// Puts the bytes that an iterator gives behind the last one.
    ///
    /// Complexity: O(log n) for each 16 KiB, and O(bytes).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.extend(tx, 0..4)) })?;
    /// assert_eq!(*pool.snapshot(), [0, 1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(&mut self, tx: &Fase<'p>, bytes: impl IntoIterator<Item = u8>) {
        let mut batch = Vec::new();
        for byte in bytes {
            batch.push(byte);
            if batch.len() == BATCH_BYTES {
                self.extend_from_slice(tx, &batch);
                batch.clear();
            }
        }
        self.extend_from_slice(tx, &batch);
    }

    /// Puts a byte before the one at `index`.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `index` is behind the end.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.insert(tx, 0, 2);
    ///     bytes.insert(tx, 0, 1);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, tx: &Fase<'p>, index: usize, byte: u8) {
        self.replace_range(tx, index..index, &[byte]);
    }

    /// Puts these bytes before the one at `index`.
    ///
    /// Complexity: O(log n + bytes).
    ///
    /// # Panics
    /// If `index` is behind the end.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.push(tx, 3);
    ///     bytes.insert_slice(tx, 0, &[1, 2]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_slice(&mut self, tx: &Fase<'p>, index: usize, bytes: &[u8]) {
        self.replace_range(tx, index..index, bytes);
    }

    /// Takes the byte at `index` out.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there is none.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 1..=3);
    ///     assert_eq!(bytes.remove(tx, 1), 2);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, tx: &Fase<'p>, index: usize) -> u8 {
        let byte = self[index];
        self.remove_range(tx, index..=index);
        byte
    }

    /// Takes the bytes in `range` out.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range is not one of the bytes'.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 0..6);
    ///     bytes.remove_range(tx, 1..=3);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [0, 4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_range(&mut self, tx: &Fase<'p>, range: impl RangeBounds<usize>) {
        self.replace_range(tx, range, &[]);
    }

    /// Replaces the bytes in `range`.
    ///
    /// Complexity: O(log n + bytes put in).
    ///
    /// # Panics
    /// If the range is not one of the bytes'.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 0..6);
    ///     bytes.replace_range(tx, 2.., b"!");
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [0, 1, b'!']);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace_range(&mut self, tx: &Fase<'p>, range: impl RangeBounds<usize>, bytes: &[u8]) {
        let range = resolve(&range, self.len());
        self.rope.splice(tx, range.start, range.end, bytes);
    }

    /// A version with the bytes in `range` replaced; this one stays as it is. The two share all but the path to it.
    ///
    /// Complexity: O(log n + bytes put in).
    ///
    /// # Panics
    /// If the range is not one of the bytes'.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 0..3);
    ///     let newer = bytes.update(tx, 1..2, &[7, 8]);
    ///     assert!(*bytes == [0, 1, 2] && newer == [0, 7, 8, 2]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, range: impl RangeBounds<usize>, bytes: &[u8]) -> Self {
        let mut newer = self.share(tx);
        newer.replace_range(tx, range, bytes);
        newer
    }

    /// Takes off what is behind the first `len` bytes, if anything.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 0..6);
    ///     bytes.truncate(tx, 9);
    ///     bytes.truncate(tx, 2);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn truncate(&mut self, tx: &Fase<'p>, len: usize) {
        if len < self.len() {
            self.remove_range(tx, len..);
        }
    }

    /// Makes it `len` bytes, by taking bytes off or putting copies of `byte` behind the last one.
    ///
    /// Complexity: O(log n + bytes put in).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(bytes.resize(tx, 3, 7)) })?;
    /// assert_eq!(*pool.snapshot(), [7, 7, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resize(&mut self, tx: &Fase<'p>, len: usize, byte: u8) {
        match len.checked_sub(self.len()) {
            Some(more) => self.extend(tx, std::iter::repeat_n(byte, more)),
            None => self.truncate(tx, len),
        }
    }

    /// Keeps the bytes for which `keep` says so.
    ///
    /// Complexity: O(n). If everything is kept, nothing is touched.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 0..6);
    ///     bytes.retain(tx, |byte| byte % 2 == 0);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [0, 2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut keep: impl FnMut(&u8) -> bool) {
        let kept: Vec<u8> = self.iter().filter(|byte| keep(byte)).copied().collect();
        if kept.len() < self.len() {
            *self = Bytes::of(tx, &kept);
        }
    }

    /// Takes all bytes out.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.push(tx, 1);
    ///     bytes.clear(tx);
    ///     Ok(())
    /// })?;
    /// assert!(pool.snapshot().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, _tx: &Fase<'p>) {
        *self = Bytes::new();
    }

    /// Moves the bytes from `at` on into a byte string of their own.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `at` is behind the end.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     bytes.extend(tx, 0..4);
    ///     assert_eq!(bytes.split_off(tx, 1), [1, 2, 3]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split_off(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        Bytes { rope: self.rope.split_off(tx, at) }
    }

    /// Moves other bytes behind these.
    ///
    /// Complexity: O(log n): what is long is not copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| {
    ///     let other = Bytes::of(tx, &[2, 3]);
    ///     bytes.push(tx, 1);
    ///     bytes.append(tx, other);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: Self) {
        self.rope.append(tx, other.rope);
    }

    /// A byte string of its own of the bytes in `range`, which shares all but the leaves at its ends.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range is not one of the bytes'.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<[Bytes<'static>; 2]>::options().volatile()?;
    /// persist_fase!(pool, |tx, both| {
    ///     both[0].extend(tx, 0..6);
    ///     both[1] = both[0].slice(tx, 2..4);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot()[1], [2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn slice(&self, tx: &Fase<'p>, range: impl RangeBounds<usize>) -> Self {
        let range = resolve(&range, self.len());
        Bytes { rope: self.rope.slice(tx, range.start, range.end) }
    }

    /// An adapter for [`std::io::Write`], which puts what is written behind the last byte.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Bytes};
    /// # let pool = Pool::<Bytes<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, bytes| { Ok(std::io::copy(&mut &b"a file"[..], &mut bytes.writer(tx))?) })?;
    /// assert_eq!(*pool.snapshot(), *b"a file");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn writer<'w>(&'w mut self, tx: &'w Fase<'p>) -> Writer<'w, 'p> {
        Writer { bytes: self, tx }
    }
}
