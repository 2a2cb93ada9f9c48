//! A copy of a payload, beside the pool, to see it with its volatile fields at their defaults.

use super::Judged;
use crate::persist::Reset;

/// Memory for one payload at a time, aligned as payloads are. It grows to the longest one it was used for.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    words: Vec<u128>,
}

impl Scratch {
    /// The node's payload with its volatile fields at their defaults, whose padding is zeroed.
    pub(crate) fn reset_copy(&mut self, node: &Judged<'_>, reset: unsafe fn(*mut u8, u32, Reset)) -> &[u8] {
        let (from, len_bytes) = (node.bytes(), node.node().header.len_bytes);
        self.words.clear();
        self.words.resize(from.len().div_ceil(size_of::<u128>()), 0);
        let copy = self.words.as_mut_ptr().cast::<u8>();
        // SAFETY: the words have room for the payload, and are not in the pool.
        unsafe { copy.copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        // SAFETY: the copy has the bytes of a judged payload (invariant 3 of the room), aligned to 16, and no reference to it
        // exists. It is never dropped as its type, so it owns nothing twice.
        unsafe { reset(copy, len_bytes, Reset::ToDefaults) };
        if let Some(scrub) = node.node().node_type.scrub {
            // SAFETY: as above: `reset` to defaults leaves a valid value. It may have copied a default with its padding, which is
            // initialised hereby.
            unsafe { scrub(copy, len_bytes) };
        }
        // SAFETY: all of these bytes are initialised: fields by the copy or `reset`, padding by the copy or `scrub`.
        unsafe { std::slice::from_raw_parts(copy, from.len()) }
    }
}
