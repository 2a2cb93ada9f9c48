//! A copy of a payload, beside the pool, to see it with its volatile fields at their defaults.

use super::Judged;
use crate::persist::Reset;

/// Memory for one payload at a time, aligned as payloads are. It grows to the longest one it was used for.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    wanted: Vec<u128>,
    /// The payload, and what is wanted, both without their volatile fields.
    kept: [Vec<u128>; 2],
}

impl Scratch {
    /// The node's payload with its volatile fields at their defaults, whose padding is zeroed.
    ///
    /// Every other byte is the payload's own: checksums see them, and in a forged pool padding may be anything.
    pub(crate) fn reset_copy(&mut self, node: &Judged<'_>, reset: unsafe fn(*mut u8, u32, Reset)) -> &[u8] {
        let (from, len_bytes) = (node.bytes(), node.node().header.len_bytes);
        let wanted = copied(&mut self.wanted, from);
        // SAFETY: the copy has the bytes of a judged payload (invariant 3 of the room), aligned to 16, and no reference to it
        // exists. It is never dropped as its type, so it owns nothing twice.
        unsafe { reset(wanted, len_bytes, Reset::ToDefaults) };
        if let Some(scrub) = node.node().node_type.scrub {
            // SAFETY: as above: `reset` to defaults leaves a valid value. It may have copied a default with its padding, which is
            // initialised hereby.
            unsafe { scrub(wanted, len_bytes) };
        }
        // SAFETY: all of these bytes are initialised: fields by the copy or `reset`, padding by the copy or `scrub`.
        let wanted = unsafe { std::slice::from_raw_parts_mut(wanted, from.len()) };
        let [found, left] = &mut self.kept;
        let (found, left) = (copied(found, from), copied(left, wanted));
        // SAFETY: as for the copy above.
        unsafe { reset(found, len_bytes, Reset::ToZeros) };
        // SAFETY: a copy of a valid value, as above.
        unsafe { reset(left, len_bytes, Reset::ToZeros) };
        // SAFETY: initialised by the copy or `reset`.
        let found = unsafe { std::slice::from_raw_parts(found, from.len()) };
        // SAFETY: as above.
        let left = unsafe { std::slice::from_raw_parts(left, from.len()) };
        if found != left {
            let scrubbed = (0..from.len()).filter(|at| found[*at] != left[*at]);
            scrubbed.for_each(|at| wanted[at] = from[at]);
        }
        wanted
    }
}

/// Copies the bytes to the beginning of the words, and gives their address.
fn copied(words: &mut Vec<u128>, from: &[u8]) -> *mut u8 {
    words.clear();
    words.resize(from.len().div_ceil(size_of::<u128>()), 0);
    let copy = words.as_mut_ptr().cast::<u8>();
    // SAFETY: the words have room for the bytes, and are not in the pool.
    unsafe { copy.copy_from_nonoverlapping(from.as_ptr(), from.len()) };
    copy
}
