//! What can be read without a section.

use std::borrow::Cow;
use std::ops::RangeBounds;

use super::{CharIndices, Chars, Chunks, Lines, Text, TextBytes};
use crate::collections::rope::{resolve, within};

impl<'p> Text<'p> {
    /// Bytes.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::collections::Text;
    /// assert_eq!(Text::new().len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.rope.len()
    }

    /// Whether there are no bytes.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::collections::Text;
    /// assert!(Text::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of the text, if it is in one piece: up to 488 bytes are.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "a name")) })?;
    /// assert_eq!(pool.snapshot().as_str(), Some("a name"));
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, &"and more ".repeat(100))) })?;
    /// assert_eq!(pool.snapshot().as_str(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        self.rope.as_view()
    }

    /// The pieces, in order. None of them is empty.
    ///
    /// Complexity: O(log n) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, &"é".repeat(1000))) })?;
    /// let now = pool.snapshot();
    /// assert!(now.chunks().count() > 1);
    /// assert_eq!(now.chunks().collect::<String>(), "é".repeat(1000));
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
    /// If the range is not one of the text's, or does not lie between characters.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "abc")) })?;
    /// assert!(pool.snapshot().chunks_in(1..).eq(["bc"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chunks_in(&self, range: impl RangeBounds<usize>) -> Chunks<'_, 'p> {
        let range = self.cut(&range);
        Chunks(self.rope.pieces(range.start, range.end))
    }

    /// The bytes in `range`, copied only if they are not in one piece; `None` if the range is not one of the text's or does not lie
    /// between characters.
    ///
    /// Complexity: O(log n), and O(bytes) if they are copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "aé")) })?;
    /// let now = pool.snapshot();
    /// assert_eq!(now.get(1..).as_deref(), Some("é"));
    /// assert_eq!(now.get(2..), None);
    /// assert_eq!(now.get(..9), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, range: impl RangeBounds<usize>) -> Option<Cow<'_, str>> {
        let range = within(&range, self.len())?;
        if !self.is_char_boundary(range.start) || !self.is_char_boundary(range.end) {
            return None;
        }
        let mut chunks = Chunks(self.rope.pieces(range.start, range.end));
        let Some(first) = chunks.next() else { return Some(Cow::Borrowed("")) };
        if first.len() == range.len() {
            return Some(Cow::Borrowed(first));
        }
        // A damaged text may count more bytes than there is memory for.
        let mut all = String::new();
        all.try_reserve(range.len()).ok();
        all.push_str(first);
        all.extend(chunks);
        Some(Cow::Owned(all))
    }

    /// All of the text, copied only if it is not in one piece.
    pub(super) fn whole(&self) -> Cow<'_, str> {
        self.get(..).expect("all of a text is a range of it")
    }

    /// The bytes of the UTF-8, from both ends.
    ///
    /// Complexity: O(1) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "ab")) })?;
    /// assert!(pool.snapshot().bytes().rev().eq(*b"ba"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> TextBytes<'_, 'p> {
        TextBytes::new(self.chunks())
    }

    /// The characters, from both ends.
    ///
    /// Complexity: O(1) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "aé")) })?;
    /// assert!(pool.snapshot().chars().rev().eq(['é', 'a']));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chars(&self) -> Chars<'_, 'p> {
        Chars::new(self.chunks())
    }

    /// The characters and where they begin, from both ends.
    ///
    /// Complexity: O(1) each.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "éa")) })?;
    /// assert!(pool.snapshot().char_indices().eq([(0, 'é'), (2, 'a')]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn char_indices(&self) -> CharIndices<'_, 'p> {
        CharIndices::new(self.chars(), self.len())
    }

    /// How many characters there are.
    ///
    /// Complexity: O(n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "éa")) })?;
    /// assert_eq!(pool.snapshot().char_count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn char_count(&self) -> usize {
        self.chunks().map(|piece| piece.chars().count()).sum()
    }

    /// The lines, without their ends `\n` or `\r\n`, as [`str::lines`] gives them. A line is copied only if it is not in one piece.
    ///
    /// Complexity: O(n) for all.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "one\r\n\ntwo\n")) })?;
    /// assert!(pool.snapshot().lines().eq(["one", "", "two"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lines(&self) -> Lines<'_, 'p> {
        Lines::new(self)
    }

    /// Whether a character begins at `at`, or the text ends there.
    ///
    /// Complexity: O(log n).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "é")) })?;
    /// let now = pool.snapshot();
    /// assert_eq!([0, 1, 2, 3].map(|at| now.is_char_boundary(at)), [true, false, true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_char_boundary(&self, at: usize) -> bool {
        self.rope.is_cut(at)
    }

    /// Whether the text begins with `text`.
    ///
    /// Complexity: O(bytes of `text`).
    ///
    /// ```
    /// # use pmem_runtime::collections::Text;
    /// assert!(Text::new().starts_with(""));
    /// ```
    #[must_use]
    pub fn starts_with(&self, text: &str) -> bool {
        self.rope.has_at(0, text.as_bytes())
    }

    /// Whether the text ends with `text`.
    ///
    /// Complexity: O(bytes of `text`).
    ///
    /// ```
    /// # use pmem_runtime::collections::Text;
    /// assert!(!Text::new().ends_with("a"));
    /// ```
    #[must_use]
    pub fn ends_with(&self, text: &str) -> bool {
        self.len().checked_sub(text.len()).is_some_and(|at| self.rope.has_at(at, text.as_bytes()))
    }

    /// Whether `text` occurs.
    ///
    /// Complexity: as [`Text::find`].
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "needle in hay")) })?;
    /// assert!(pool.snapshot().contains("in"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// Where `text` occurs first.
    ///
    /// Complexity: O(n + bytes of `text`).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "needle in hay")) })?;
    /// assert_eq!(pool.snapshot().find("hay"), Some(10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(&self, text: &str) -> Option<usize> {
        match self.as_str() {
            Some(all) => all.find(text),
            None => self.rope.find(text.as_bytes()),
        }
    }

    /// Where `text` occurs first in `range`.
    ///
    /// Complexity: O(bytes of the range and of `text`).
    ///
    /// # Panics
    /// If the range is not one of the text's.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, text| { Ok(text.push_str(tx, "one two one")) })?;
    /// assert_eq!(pool.snapshot().find_in(1.., "one"), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find_in(&self, range: impl RangeBounds<usize>, text: &str) -> Option<usize> {
        let range = resolve(&range, self.len());
        self.rope.find_in(range.start, range.end, text.as_bytes())
    }
}
