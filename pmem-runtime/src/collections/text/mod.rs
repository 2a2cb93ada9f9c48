//! `Text`: UTF-8 that lives in a pool, in its owner while it is short.
//!
//! **Problem.** A `String` is one run of bytes at an address of its process. Here most texts are names and words, which should cost
//! their owner nothing but itself; and a document of a megabyte must take an edit without being copied.
//!
//! **Structure.** A text takes 24 bytes in its owner. Up to 22 bytes of UTF-8 lie there. A longer text is a rope: a tree whose
//! leaves have up to 488 bytes each and are cut between characters only, so that each is a `&str` by itself, judged when the pool
//! was opened and never again (Boehm, Atkinson and Plass, "Ropes: an Alternative to Strings", 1995; as a B-tree of chunks, as in the
//! editors of today).
//!
//! | operation | time | lines written, in a text of 1 MiB |
//! |---|---|---|
//! | `len`, `is_empty`, `share`, `as_str` | O(1) | none |
//! | `is_char_boundary`, `chunks` up to the first | O(log n) | none |
//! | `insert_str`, `replace_range`, `push_str`, `remove_range` | O(log n + bytes put in) | about 20 |
//! | `split_off`, `append`, `slice`, `truncate` | O(log n) | about 40 |
//! | `==`, `cmp`, `diff` with a version that shares most of it | O(what is not shared, times log n) | none |
//! | `find`, `contains`, `char_count`, `hash` | O(n) | none |
//!
//! **Memory.** 24 bytes, and beyond 22 bytes of text one node of 24 bytes and the text, rounded up to 64, up to 488 bytes; beyond
//! that 512 bytes for each leaf, which has 122 to 488 bytes (all of them when written in order), and 3 % of that for inner nodes.
//!
//! **Crashes.** An edit changes the section's own copies of a path. After a crash the text is that of the last section that
//! committed, byte for byte; no state between is ever seen.

mod compare;
mod diff;
mod edit;
mod format;
mod iter;
mod read;

use pmem_derive::Persistent;

use super::Defect;
use super::rope::Rope;
use crate::commit::Fase;
use crate::persist::Utf8;

pub use self::diff::{Diff, Splice};
pub use self::format::Writer;
pub use self::iter::{CharIndices, Chars, Chunks, Lines, TextBytes};

/// A growable UTF-8 text.
///
/// It is read like a `str`, but in pieces ([`Text::chunks`]), unless it is in one ([`Text::as_str`]). It compares, orders and hashes as
/// a `str`, whatever its pieces, so that a map with texts as keys is asked by `&str`: `map.get("alice")`.
///
/// ```
/// use pmem_runtime::collections::Text;
/// use pmem_runtime::{Persistent, Pool, persist_fase};
///
/// #[derive(Persistent, Default, Debug)]
/// #[repr(C)]
/// struct Account<'p> {
///     owner: Text<'p>,
///     cents: i64,
/// }
///
/// let pool = Pool::<Account<'static>>::options().volatile()?;
/// persist_fase!(pool, |tx, account| {
///     account.owner.push_str(tx, "Ada");
///     account.owner.push_str(tx, " Lovelace");
///     account.cents = 100;
///     Ok(())
/// })?;
/// let now = pool.snapshot();
/// assert_eq!(now.owner, "Ada Lovelace");
/// assert_eq!(format!("{:?}", *now), r#"Account { owner: "Ada Lovelace", cents: 100 }"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Persistent)]
#[repr(transparent)]
pub struct Text<'p> {
    rope: Rope<'p, Utf8>,
}

impl Text<'_> {
    /// An empty text, which has no node.
    ///
    /// ```
    /// # use pmem_runtime::collections::Text;
    /// const NOTHING: Text<'_> = Text::new();
    /// assert_eq!(NOTHING, "");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Text { rope: Rope::EMPTY }
    }
}

impl Default for Text<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> Text<'p> {
    /// A copy of `text`.
    ///
    /// Complexity: O(bytes). Up to 22 bytes take no node.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, name| {
    ///     *name = Text::of(tx, "Grace Hopper");
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "Grace Hopper");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(tx: &Fase<'p>, text: &str) -> Self {
        Text { rope: Rope::of(tx, text.as_bytes()) }
    }

    /// A text of these parts, one behind the other.
    ///
    /// Complexity: O(bytes).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<Text<'static>>::options().volatile()?;
    /// persist_fase!(pool, |tx, line| {
    ///     *line = Text::from_iter(tx, ["a", "b", "c"]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), "abc");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_iter(tx: &Fase<'p>, parts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut text = Text::new();
        text.extend(tx, parts);
        text
    }

    /// A second owner of the same text: an old version kept this way costs what later changes.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<[Text<'static>; 2]>::options().volatile()?;
    /// persist_fase!(pool, |tx, versions| {
    ///     versions[0].push_str(tx, "draft");
    ///     versions[1] = versions[0].share(tx);
    ///     versions[0].push_str(tx, " two");
    ///     Ok(())
    /// })?;
    /// assert_eq!(*pool.snapshot(), ["draft two", "draft"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// A text of its own of the bytes in `range`, which shares all but the leaves at its ends.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range is not one of the text's, or does not lie between characters.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Text};
    /// # let pool = Pool::<[Text<'static>; 2]>::options().volatile()?;
    /// persist_fase!(pool, |tx, texts| {
    ///     texts[0].push_str(tx, "Größe 7");
    ///     texts[1] = texts[0].slice(tx, ..7);
    ///     Ok(())
    /// })?;
    /// assert_eq!(pool.snapshot()[1], "Größe");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn slice(&self, tx: &Fase<'p>, range: impl std::ops::RangeBounds<usize>) -> Self {
        let range = self.cut(&range);
        Text { rope: self.rope.slice(tx, range.start, range.end) }
    }
}

impl Text<'_> {
    /// Whether both are the same tree: equal without looking. Short texts have none.
    ///
    /// ```
    /// # use pmem_runtime::collections::Text;
    /// let text = Text::new();
    /// assert!(!text.ptr_eq(&text));
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.rope.ptr_eq(&other.rope)
    }

    /// Verifies the tree: what each node says of those below it, and that none is too empty or too full. That every piece is UTF-8
    /// was verified when the pool was opened.
    ///
    /// Complexity: O(nodes).
    ///
    /// # Errors
    /// What is wrong, and where.
    ///
    /// ```
    /// # use pmem_runtime::collections::Text;
    /// assert_eq!(Text::new().check(), Ok(()));
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        self.rope.check("Text")
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

    assert_eq_size!(Text<'static>, [u64; 3]);
    assert_impl_all!(Text<'static>: Send, Sync, Eq, Ord, std::hash::Hash, std::fmt::Display);
    assert_not_impl_any!(Text<'static>: Clone, Copy);
};
