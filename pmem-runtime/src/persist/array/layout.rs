//! Where the elements of an array node lie.

use std::mem::{align_of, size_of};

use super::{Counts, Head};
use crate::persist::NodeHeader;

/// Offsets in the payload of an array node, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) children: usize,
    pub(crate) extras: usize,
    pub(crate) items: usize,
    /// Behind the last item.
    pub(crate) end: usize,
}

impl Places {
    /// The places of so many elements. The sums cannot overflow: 64 bits hold any count of the heads (32 bits) times any
    /// size (31 bits).
    pub(crate) const fn of<H: Head, A, B, C>(counts: Counts) -> Self {
        let children = size_of::<H>().next_multiple_of(align_of::<B>());
        let extras = (children + counts.children * size_of::<B>()).next_multiple_of(align_of::<C>());
        let items = (extras + counts.extras * size_of::<C>()).next_multiple_of(align_of::<A>());
        Places { children, extras, items, end: items + counts.items * size_of::<A>() }
    }

    /// Payload bytes of a node with at least `end` bytes that fills its lines.
    ///
    /// # Panics
    /// If they are more than a node may have.
    pub(crate) fn whole_lines(end: usize) -> u32 {
        let whole = (NodeHeader::SIZE + end).next_multiple_of(64) - NodeHeader::SIZE;
        assert!(whole <= MAX_BYTES, "a node of {whole} bytes is too long; {MAX_BYTES} is the limit");
        whole as u32
    }
}

/// The longest payload.
const MAX_BYTES: usize = (u32::MAX / 2) as usize;
