//! The head of an ordered tree's node: besides its own elements, how many there are below it.

use pmem_derive::Persistent;

use super::{Counts, Head};

/// Counts up to 255, the node's level, and the number of items in the whole subtree.
#[derive(Persistent, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Ranked {
    items: u8,
    children: u8,
    level: u8,
    /// The upper 8 of the subtree's 40 bits.
    size_high: u8,
    size_low: u32,
}

impl Ranked {
    /// A head with these counts, at this level, over so many items in all.
    ///
    /// # Panics
    /// If a count does not fit 8 bits, if there are extras, or if `size` does not fit 40 bits.
    pub(crate) fn new(counts: Counts, level: u8, size: usize) -> Self {
        let narrow =
            |count: usize| u8::try_from(count).expect("a node of an ordered tree has at most 255 elements");
        assert_eq!(counts.extras, 0, "an ordered tree's node has no extras");
        Ranked {
            items: narrow(counts.items),
            children: narrow(counts.children),
            level,
            size_high: u8::try_from(size >> 32).expect("an ordered tree has fewer than 2^40 elements"),
            size_low: size as u32,
        }
    }

    /// How far the node is from the leaves.
    pub(crate) fn level(&self) -> u8 {
        self.level
    }

    /// Items of the node and of all below it.
    pub(crate) fn size(&self) -> usize {
        usize::from(self.size_high) << 32 | self.size_low as usize
    }
}

const _: () = assert!(size_of::<Ranked>() == 8);

// SAFETY: five integers without gaps; the counts are two of them.
unsafe impl Head for Ranked {
    const EMPTY: Self = Ranked { items: 0, children: 0, level: 0, size_high: 0, size_low: 0 };

    fn counts(&self) -> Counts {
        Counts { items: self.items.into(), children: self.children.into(), extras: 0 }
    }

    fn judge(&self, _bytes: &[u8]) -> Result<(), &'static str> {
        Ok(())
    }
}
