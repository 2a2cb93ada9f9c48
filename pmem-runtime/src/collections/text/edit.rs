//! What a section can do to a text.

use std::ops::{Range, RangeBounds};

use super::{Text, Writer};
use crate::collections::rope::resolve;
use crate::commit::Fase;

/// Parts are collected up to so many bytes before they are put into the tree.
const BATCH_BYTES: usize = 1 << 14;

impl<'p> Text<'p> {
    /// The range, if it lies between characters.
    pub(super) fn cut(&self, range: &impl RangeBounds<usize>) -> Range<usize> {
        let range = resolve(range, self.len());
        self.require(range.start);
        self.require(range.end);
        range
    }

    fn require(&self, at: usize) {
        assert!(
            self.is_char_boundary(at),
            "byte index {at} is not a char boundary of this text of {} bytes",
            self.len()
        );
    }

    /// Puts `text` behind the last character.
    ///
    /// Complexity: O(log n + bytes).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "abc")) })?;
    /// assert_eq!(*pool.snapshot(), "abc");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_str(&mut self, tx: &Fase<'p>, text: &str) {
        let len = self.len();
        self.rope.splice(tx, len, len, text.as_bytes());
    }

    /// Puts a character behind the last one.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push(tx, 'é')) })?;
    /// assert_eq!(pool.snapshot().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, tx: &Fase<'p>, character: char) {
        self.push_str(tx, character.encode_utf8(&mut [0; 4]));
    }

    /// Takes the last character off.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "aé");
    ///     assert_eq!(text.pop(tx), Some('é'));
    ///     assert_eq!(text.pop(tx), Some('a'));
    ///     assert_eq!(text.pop(tx), None);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop(&mut self, tx: &Fase<'p>) -> Option<char> {
        let last = self.chars().next_back()?;
        self.truncate(tx, self.len() - last.len_utf8());
        Some(last)
    }

    /// Puts `text` before the byte at `at`.
    ///
    /// Complexity: O(log n + bytes).
    ///
    /// # Panics
    /// If `at` is behind the end or inside a character.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "ac");
    ///     text.insert_str(tx, 1, "b");
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "abc");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_str(&mut self, tx: &Fase<'p>, at: usize, text: &str) {
        self.replace_range(tx, at..at, text);
    }

    /// Puts a character before the byte at `at`.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `at` is behind the end or inside a character.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.insert(tx, 0, 'x')) })?;
    /// assert_eq!(*pool.snapshot(), "x");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, tx: &Fase<'p>, at: usize, character: char) {
        self.insert_str(tx, at, character.encode_utf8(&mut [0; 4]));
    }

    /// Takes the character at `at` out.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If no character begins at `at`.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "aéb");
    ///     assert_eq!(text.remove(tx, 1), 'é');
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "ab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, tx: &Fase<'p>, at: usize) -> char {
        self.require(at);
        let found = self.chunks_in(at..).next().and_then(|piece| piece.chars().next());
        let found = found.expect("cannot remove a character from the end of a text");
        self.remove_range(tx, at..at + found.len_utf8());
        found
    }

    /// Takes the bytes in `range` out.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range is not one of the text's, or does not lie between characters.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "abcdef");
    ///     text.remove_range(tx, 1..=3);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "aef");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_range(&mut self, tx: &Fase<'p>, range: impl RangeBounds<usize>) {
        self.replace_range(tx, range, "");
    }

    /// Replaces the bytes in `range`.
    ///
    /// Complexity: O(log n + bytes put in).
    ///
    /// # Panics
    /// If the range is not one of the text's, or does not lie between characters.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "Hello, world");
    ///     text.replace_range(tx, 7.., "pool");
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "Hello, pool");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace_range(&mut self, tx: &Fase<'p>, range: impl RangeBounds<usize>, text: &str) {
        let range = self.cut(&range);
        self.rope.splice(tx, range.start, range.end, text.as_bytes());
    }

    /// A version with the bytes in `range` replaced; this one stays as it is. The two share all but the path to it.
    ///
    /// Complexity: O(log n + bytes put in).
    ///
    /// # Panics
    /// If the range is not one of the text's, or does not lie between characters.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "Hello, world");
    ///     let newer = text.update(tx, 7.., "pool");
    ///     assert!(*text == "Hello, world" && newer == "Hello, pool");
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, range: impl RangeBounds<usize>, text: &str) -> Self {
        let mut newer = self.share(tx);
        newer.replace_range(tx, range, text);
        newer
    }

    /// Takes off what is behind the first `len` bytes, if anything.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `len` is inside a character.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "abc");
    ///     text.truncate(tx, 9);
    ///     text.truncate(tx, 1);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn truncate(&mut self, tx: &Fase<'p>, len: usize) {
        if len < self.len() {
            self.remove_range(tx, len..);
        }
    }

    /// Empties the text.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "abc");
    ///     text.clear(tx);
    ///     Ok(())
    /// })?;
    /// assert!(pool.snapshot().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, _tx: &Fase<'p>) {
        *self = Text::new();
    }

    /// Moves the bytes from `at` on into a text of their own.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `at` is behind the end or inside a character.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "head tail");
    ///     assert_eq!(text.split_off(tx, 5), "tail");
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "head ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split_off(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        self.require(at);
        Text { rope: self.rope.split_off(tx, at) }
    }

    /// Moves another text behind this one.
    ///
    /// Complexity: O(log n): what is long is not copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     let tail = Text::of(tx, "tail");
    ///     text.push_str(tx, "head ");
    ///     text.append(tx, tail);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "head tail");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: Self) {
        self.rope.append(tx, other.rope);
    }

    /// Puts these parts behind the last character, one behind the other.
    ///
    /// Complexity: O(log n) for each 16 KiB, and O(bytes).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.extend(tx, ["a", "b"])) })?;
    /// assert_eq!(*pool.snapshot(), "ab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(&mut self, tx: &Fase<'p>, parts: impl IntoIterator<Item = impl AsRef<str>>) {
        let mut batch = String::new();
        for part in parts {
            batch.push_str(part.as_ref());
            if batch.len() >= BATCH_BYTES {
                self.push_str(tx, &batch);
                batch.clear();
            }
        }
        self.push_str(tx, &batch);
    }

    /// Keeps the characters for which `keep` says so.
    ///
    /// Complexity: O(n). A text of which everything is kept is not touched.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| {
    ///     text.push_str(tx, "a1b2");
    ///     text.retain(tx, char::is_alphabetic);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "ab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut keep: impl FnMut(char) -> bool) {
        let kept: String = self.chars().filter(|character| keep(*character)).collect();
        if kept.len() < self.len() {
            *self = Text::of(tx, &kept);
        }
    }

    /// An adapter for `write!`, which puts what is written behind the last character.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// use std::fmt::Write as _;
    ///
    /// persist_fase!(pool, |tx, text| { Ok(write!(text.writer(tx), "{} + {}", 1, 2)?) })?;
    /// assert_eq!(*pool.snapshot(), "1 + 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn writer<'w>(&'w mut self, tx: &'w Fase<'p>) -> Writer<'w, 'p> {
        Writer { text: self, tx }
    }
}
