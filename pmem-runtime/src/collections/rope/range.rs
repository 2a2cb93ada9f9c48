//! Ranges as users write them.

use std::ops::{Bound, Range, RangeBounds};

/// The bytes that a range means.
///
/// # Panics
/// If it begins behind its end, or ends behind the last of `len` bytes.
pub(in crate::collections) fn resolve(range: &impl RangeBounds<usize>, len: usize) -> Range<usize> {
    let Some(found) = within(range, len) else {
        panic!("{:?}..{:?} is no range of {len} bytes", range.start_bound(), range.end_bound())
    };
    found
}

/// The bytes that a range means, if there are such.
pub(in crate::collections) fn within(range: &impl RangeBounds<usize>, len: usize) -> Option<Range<usize>> {
    let from = match range.start_bound() {
        Bound::Included(from) => *from,
        Bound::Excluded(before) => before.checked_add(1)?,
        Bound::Unbounded => 0,
    };
    let to = match range.end_bound() {
        Bound::Included(last) => last.checked_add(1)?,
        Bound::Excluded(to) => *to,
        Bound::Unbounded => len,
    };
    (from <= to && to <= len).then_some(from..to)
}
