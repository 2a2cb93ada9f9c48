//! The first bytes of an array node: how many elements it has, and of which kind.

use std::fmt::Debug;

use pmem_derive::Persistent;

use crate::persist::Persistent;

/// How many elements of each kind an array node has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) items: usize,
    pub(crate) children: usize,
    pub(crate) extras: usize,
}

impl Counts {
    /// The sum, kind by kind.
    pub(crate) fn plus(self, more: Counts) -> Counts {
        Counts {
            items: self.items + more.items,
            children: self.children + more.children,
            extras: self.extras + more.extras,
        }
    }

    /// The difference, kind by kind.
    ///
    /// # Panics
    /// If there are fewer.
    pub(crate) fn minus(self, fewer: Counts) -> Counts {
        let minus = |left: usize, right: usize| left.checked_sub(right).expect("so many elements there are");
        Counts {
            items: minus(self.items, fewer.items),
            children: minus(self.children, fewer.children),
            extras: minus(self.extras, fewer.extras),
        }
    }
}

/// What an array node begins with.
///
/// # Safety
/// - The type has no padding, no pointers, and any bytes are a valid value of it.
/// - `counts` is a pure function of the value.
/// - `EMPTY.counts()` is all zeros.
/// - If `JUDGES_ITEMS` is false, `judge` does not depend on `bytes`; if it is true, it depends on nothing else, two sequences of
///   bytes that it accepts are accepted one behind the other, and `allows` tells no lie.
pub(crate) unsafe trait Head: Persistent + Copy + Eq + Debug + 'static {
    /// The head of a node without elements.
    const EMPTY: Self;

    /// Whether not all single bytes may be items.
    const JUDGES_ITEMS: bool = false;

    /// How many elements there are.
    fn counts(&self) -> Counts;

    /// Judges what the head says, and the items if they are single bytes (else `bytes` is empty), of a node that a file claims
    /// to be valid.
    ///
    /// # Errors
    /// What would have been right.
    fn judge(&self, bytes: &[u8]) -> Result<(), &'static str>;

    /// Whether `bytes`, which are accepted, still are if those in `from..to`, which there are, are replaced by `new`; then those
    /// before `from` and those behind `to` are accepted by themselves too.
    fn allows(bytes: &[u8], from: usize, to: usize, new: &[u8]) -> bool {
        let _ = (bytes, from, to, new);
        true
    }
}

/// Plain counts, and two bytes that the structure uses as it likes.
#[derive(Persistent, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Lens {
    pub(crate) items: u16,
    pub(crate) children: u16,
    pub(crate) extras: u16,
    /// The structure's own: a level, a flag.
    pub(crate) mark: u16,
}

impl Lens {
    /// The same mark with other counts.
    ///
    /// # Panics
    /// If a count does not fit 16 bits.
    pub(crate) fn with(self, counts: Counts) -> Self {
        let narrow = |count: usize| u16::try_from(count).expect("a node has fewer than 65,536 elements");
        Lens {
            items: narrow(counts.items),
            children: narrow(counts.children),
            extras: narrow(counts.extras),
            mark: self.mark,
        }
    }
}

// SAFETY: four integers without gaps; the counts are three of them.
unsafe impl Head for Lens {
    const EMPTY: Self = Lens { items: 0, children: 0, extras: 0, mark: 0 };

    fn counts(&self) -> Counts {
        Counts { items: self.items.into(), children: self.children.into(), extras: self.extras.into() }
    }

    fn judge(&self, _bytes: &[u8]) -> Result<(), &'static str> {
        Ok(())
    }
}

/// As [`Lens`], for items that are the bytes of a piece of UTF-8 text.
#[derive(Persistent, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Utf8(pub(crate) Lens);

/// Whether UTF-8 text may be cut here: at its end, or before a byte that begins a character.
fn is_char_boundary(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| (*byte as i8) >= -64)
}

// SAFETY: as for `Lens`, which it is. Text is cut where a character ends and one begins, and text behind text is text.
unsafe impl Head for Utf8 {
    const EMPTY: Self = Utf8(Lens::EMPTY);
    const JUDGES_ITEMS: bool = true;

    fn counts(&self) -> Counts {
        self.0.counts()
    }

    fn judge(&self, bytes: &[u8]) -> Result<(), &'static str> {
        std::str::from_utf8(bytes).map(|_| ()).map_err(|_| "UTF-8 text")
    }

    fn allows(bytes: &[u8], from: usize, to: usize, new: &[u8]) -> bool {
        is_char_boundary(bytes, from) && is_char_boundary(bytes, to) && std::str::from_utf8(new).is_ok()
    }
}

/// What a hash trie's node begins with: it has either items or up to 16 children, and says how many items lie in it or
/// under it.
///
/// The upper 16 bits say which slots hold a child, the lower 48 count items.
#[derive(Persistent, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Slots(u64);

impl Slots {
    const COUNT_BITS: u32 = 48;

    /// The head of a node that holds so many items.
    ///
    /// # Panics
    /// If they are more than a node may have.
    pub(crate) fn of_items(count: usize) -> Self {
        assert!(u32::try_from(count).is_ok(), "items of a node fit 32 bits");
        Slots(count as u64)
    }

    /// The head of a node with children in these slots, under which lie so many items.
    ///
    /// # Panics
    /// If the count does not fit 48 bits.
    pub(crate) fn of_children(slots: u16, len: u64) -> Self {
        assert!(len >> Self::COUNT_BITS == 0, "{len} items are more than a trie can count");
        Slots(u64::from(slots) << Self::COUNT_BITS | len)
    }

    /// Which slots hold a child; none in a node of items.
    #[inline]
    pub(crate) fn children(self) -> u16 {
        (self.0 >> Self::COUNT_BITS) as u16
    }

    /// How many items there are, in the node or under it.
    #[inline]
    pub(crate) fn len(self) -> u64 {
        self.0 & ((1 << Self::COUNT_BITS) - 1)
    }
}

// SAFETY: an integer, of which the counts are a function. A node of items has at most as many as fit 32 bits.
unsafe impl Head for Slots {
    const EMPTY: Self = Slots(0);

    #[inline]
    fn counts(&self) -> Counts {
        let children = self.children().count_ones() as usize;
        let items = if children == 0 { self.len().min(u32::MAX.into()) as usize } else { 0 };
        Counts { items, children, extras: 0 }
    }

    fn judge(&self, _bytes: &[u8]) -> Result<(), &'static str> {
        if self.children() != 0 || u32::try_from(self.len()).is_ok() {
            return Ok(());
        }
        Err("a number of items that fits 32 bits")
    }
}
