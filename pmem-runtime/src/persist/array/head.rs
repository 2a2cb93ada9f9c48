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
pub(crate) unsafe trait Head: Persistent + Copy + Eq + Debug + 'static {
    /// The head of a node without elements.
    const EMPTY: Self;

    /// How many elements there are.
    fn counts(&self) -> Counts;

    /// Judges what the head says, and the items if they are single bytes (else `bytes` is empty), of a node that a file claims
    /// to be valid.
    ///
    /// # Errors
    /// What would have been right.
    fn judge(&self, bytes: &[u8]) -> Result<(), &'static str>;
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

// SAFETY: as for `Lens`, which it is.
unsafe impl Head for Utf8 {
    const EMPTY: Self = Utf8(Lens::EMPTY);

    fn counts(&self) -> Counts {
        self.0.counts()
    }

    fn judge(&self, bytes: &[u8]) -> Result<(), &'static str> {
        std::str::from_utf8(bytes).map(|_| ()).map_err(|_| "UTF-8 text")
    }
}

/// The bitmaps of a compressed trie's node, up to 32 ways. The two are disjoint, except in a *collision* node, whose `children`
/// is all ones and whose `items` is the number of items.
#[derive(Persistent, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Maps {
    /// Which slots hold an item.
    pub(crate) items: u32,
    /// Which slots hold a child.
    pub(crate) children: u32,
}

impl Maps {
    /// The head of a node that holds so many items whose hashes are equal.
    ///
    /// # Panics
    /// If there is none, or more than can be counted.
    pub(crate) fn collision(items: usize) -> Self {
        assert!(items > 0, "a collision is between items");
        Maps { items: u32::try_from(items).expect("items of a node fit 32 bits"), children: u32::MAX }
    }

    /// Whether this is a collision node's head.
    pub(crate) fn is_collision(&self) -> bool {
        self.children == u32::MAX && self.items != 0
    }
}

// SAFETY: two integers without gaps, of which the counts are a function.
unsafe impl Head for Maps {
    const EMPTY: Self = Maps { items: 0, children: 0 };

    fn counts(&self) -> Counts {
        if self.is_collision() {
            return Counts { items: self.items as usize, children: 0, extras: 0 };
        }
        let ones = |map: u32| map.count_ones() as usize;
        Counts { items: ones(self.items), children: ones(self.children), extras: 0 }
    }

    fn judge(&self, _bytes: &[u8]) -> Result<(), &'static str> {
        if self.is_collision() || self.items & self.children == 0 {
            return Ok(());
        }
        Err("a slot that holds an item or a child, not both")
    }
}
