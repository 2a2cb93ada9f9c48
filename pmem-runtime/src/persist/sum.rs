//! Where the compiler keeps which of two alternatives an `Option` or `Result` is.
//!
//! **Problem.** Rust promises the layout of these types for a few payloads only, but every payload must be storable.
//! **Approach.** Guess by rules of our own, prove the guess while compiling, and refuse to compile otherwise. There are
//! two shapes: *tagged*, an integer before the payload, when the sum is larger than its payloads; *niche*, one
//! alternative's mark in a pattern that the other's payload never has, when it is not.
//!
//! **Invariants.**
//! 1. A sum's tag bytes are initialised in each of its values.
//! 2. The tag bytes alone decide which alternative a value is, and each alternative's mark is the one proved.

use super::layout::{Extent, read_tag, unknown_tag, write_tag, zero_gaps};
use super::{EnumRepr, Fault, Niche, combine};

/// A proved layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) tag: Extent,
    pub(super) alternatives: [Alternative; 2],
    /// What a sum around this one may use.
    pub(super) niche: Option<Niche>,
}

/// One of the two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alternative {
    /// The tag's value, or nothing for the one that has every value that is not the other's.
    pub(super) mark: Option<u128>,
    pub(super) payload: Extent,
}

/// How many bytes the tag has before payloads given as offset, size and alignment: it fills the space before the nearer
/// one. A payload that has neither bytes nor an alignment counts for nothing, and two such leave one byte to the tag.
pub(super) const fn tag_width(payloads: [(usize, usize, usize); 2]) -> usize {
    let mut width = usize::MAX;
    let mut index = 0;
    while index < 2 {
        let (offset, len_bytes, align) = payloads[index];
        let counts = len_bytes != 0 || align > 1;
        width = if counts && offset < width { offset } else { width };
        index += 1;
    }
    if width == usize::MAX { 1 } else { width }
}

impl Sum {
    /// A tag of 0 or 1 at the start.
    pub(super) const fn tagged(width_bytes: usize, payloads: [Extent; 2]) -> Self {
        Sum {
            tag: (0, width_bytes),
            alternatives: [
                Alternative { mark: Some(0), payload: payloads[0] },
                Alternative { mark: Some(1), payload: payloads[1] },
            ],
            niche: Niche::outside(width_bytes, 0, 1),
        }
    }

    /// The alternative `marked` is known by a pattern in a niche of the other's payload.
    pub(super) const fn in_niche(niche: Niche, pattern: u128, marked: usize, payloads: [Extent; 2]) -> Self {
        let marks = if marked == 0 { [Some(pattern), None] } else { [None, Some(pattern)] };
        Sum {
            tag: (niche.offset_bytes, niche.width_bytes),
            alternatives: [
                Alternative { mark: marks[0], payload: payloads[0] },
                Alternative { mark: marks[1], payload: payloads[1] },
            ],
            niche: niche.without(pattern),
        }
    }

    /// Which alternative the bytes at `at` are.
    ///
    /// # Safety
    /// The tag's bytes at `at` are initialised and readable.
    pub(super) unsafe fn which(&self, at: *const u8) -> Result<usize, Fault> {
        let place = at.wrapping_add(self.tag.0);
        // SAFETY: the caller's promise.
        let tag = unsafe { read_tag(place, self.tag.1) };
        match self.alternatives.iter().position(|each| each.mark == Some(tag)) {
            Some(index) => Ok(index),
            None => match self.alternatives.iter().position(|each| each.mark.is_none()) {
                Some(index) => Ok(index),
                None => Err(unknown_tag(place, "a tag of 0 or 1", tag as u64)),
            },
        }
    }

    /// Which alternative a valid value is.
    ///
    /// # Safety
    /// A valid value is at `at`.
    pub(super) unsafe fn which_of_valid(&self, at: *const u8) -> usize {
        // SAFETY: invariant 1.
        match unsafe { self.which(at) } {
            Ok(index) => index,
            Err(fault) => panic!("a valid value has a known tag by invariant 2, but at {fault}"),
        }
    }

    /// Writes the alternative's mark into the value at `to`. The payload comes after it.
    ///
    /// # Safety
    /// The value's bytes at `to` are writable.
    pub(super) unsafe fn store_mark(&self, to: *mut u8, index: usize) {
        if let Some(mark) = self.alternatives[index].mark {
            // SAFETY: the caller's promise; the tag lies within the value.
            unsafe { write_tag(to.wrapping_add(self.tag.0), self.tag.1, mark) };
        }
    }

    /// Zeroes what belongs neither to the alternative's mark nor to its payload.
    ///
    /// # Safety
    /// The value's `size` bytes at `at` are writable.
    pub(super) unsafe fn scrub_gaps(&self, at: *mut u8, size: usize, index: usize) {
        let (extents, count) = self.extents(index);
        // SAFETY: the caller's promise; tag and payload lie within the value.
        unsafe { zero_gaps(at, 0, size, &extents[..count]) };
    }

    pub(super) const fn has_gap(&self, size: usize) -> bool {
        self.covered(0) != size || self.covered(1) != size
    }

    const fn covered(&self, index: usize) -> usize {
        let alternative = self.alternatives[index];
        let mark_bytes = if alternative.mark.is_some() { self.tag.1 } else { 0 };
        mark_bytes + alternative.payload.1
    }

    /// The bytes that mean something in an alternative, in order of offset.
    fn extents(&self, index: usize) -> ([Extent; 2], usize) {
        let Alternative { mark, payload } = self.alternatives[index];
        match mark {
            None => ([payload, (0, 0)], 1),
            Some(_) if payload.1 == 0 => ([self.tag, (0, 0)], 1),
            Some(_) if payload.0 < self.tag.0 => ([payload, self.tag], 2),
            Some(_) => ([self.tag, payload], 2),
        }
    }

    pub(super) const fn is_tagged(&self) -> bool {
        self.alternatives[0].mark.is_some() && self.alternatives[1].mark.is_some()
    }

    pub(super) const fn repr(&self) -> EnumRepr {
        let (offset_bytes, width_bytes) = self.tag;
        if self.is_tagged() {
            EnumRepr::Tag { width_bytes }
        } else {
            EnumRepr::Niche { offset_bytes, width_bytes }
        }
    }

    /// The tag that the schema shows for an alternative: zero for the one that has no pattern of its own.
    pub(super) const fn shown_tag(&self, index: usize) -> u64 {
        match self.alternatives[index].mark {
            Some(mark) => mark as u64,
            None => 0,
        }
    }

    /// The layout's share in the hash of the type.
    pub(super) const fn hash(&self, seed: u64) -> u64 {
        let shape = combine(self.tag.0 as u64, (self.tag.1 as u64) << 1 | self.is_tagged() as u64);
        let marks = combine(self.shown_tag(0), self.shown_tag(1));
        let payloads = combine(self.alternatives[0].payload.0 as u64, self.alternatives[1].payload.0 as u64);
        combine(combine(seed, shape), combine(marks, payloads))
    }
}
