//! Bytes of values by offset: little-endian tags, and the gaps between fields.
//!
//! The functions are `const` where layouts are measured at compile time. There, reading a byte that the compiler left
//! uninitialised is a compile error; that turns a wrong guess about a layout into a message, never into a wrong read.

use super::{Fault, combine, hash_str};

/// Bytes that belong to a field or a tag: its offset, and how many.
pub type Extent = (usize, usize);

/// Where the compiler puts one variant of an enum.
#[derive(Debug)]
pub struct VariantLayout<const FIELDS: usize> {
    /// The tag's value.
    pub tag: u64,
    /// Offsets of its fields from the start of the enum, in order of declaration.
    pub offsets: [usize; FIELDS],
}

/// The `width` bytes at `at`, little-endian. At most 16.
///
/// # Safety
/// That many bytes at `at` are initialised and readable.
#[must_use]
pub const unsafe fn read_tag(at: *const u8, width: usize) -> u128 {
    let mut value = 0;
    let mut index = width;
    while index > 0 {
        index -= 1;
        // SAFETY: the caller's promise: the byte is one of the `width`.
        let byte = unsafe { at.wrapping_add(index).read() };
        value = value << 8 | byte as u128;
    }
    value
}

/// Writes the lowest `width` bytes of `value` to `at`, little-endian.
///
/// # Safety
/// That many bytes at `at` are writable.
pub const unsafe fn write_tag(at: *mut u8, width: usize, value: u128) {
    let mut index = 0;
    while index < width {
        // SAFETY: the caller's promise: the byte is one of the `width`.
        unsafe { at.wrapping_add(index).write((value >> (8 * index)) as u8) };
        index += 1;
    }
}

/// How far a field lies behind the start of its value.
///
/// # Safety
/// `field` lies in the allocation of `value`, at or behind its start.
#[must_use]
pub const unsafe fn offset_within<T, F>(value: *const T, field: &F) -> usize {
    // SAFETY: the caller's promise.
    unsafe { (&raw const *field).byte_offset_from(value) as usize }
}

/// The extents in order of offset.
#[must_use]
pub const fn sorted<const N: usize>(mut extents: [Extent; N]) -> [Extent; N] {
    let mut done = 1;
    while done < N {
        let mut index = done;
        while index > 0 && extents[index - 1].0 > extents[index].0 {
            let lower = extents[index];
            extents[index] = extents[index - 1];
            extents[index - 1] = lower;
            index -= 1;
        }
        done += 1;
    }
    extents
}

/// Whether a value of `size` bytes has bytes that belong to none of these disjoint extents.
#[must_use]
pub const fn has_gap(size: usize, extents: &[Extent]) -> bool {
    let mut covered = 0;
    let mut index = 0;
    while index < extents.len() {
        covered += extents[index].1;
        index += 1;
    }
    covered != size
}

/// Zeroes each of the `size` bytes at `at` that lies in none of the extents, which are sorted by offset.
///
/// # Safety
/// `size` bytes at `at` are writable, and the extents lie within them.
pub unsafe fn zero_gaps(at: *mut u8, size: usize, extents: &[Extent]) {
    let mut end = 0;
    for &(start, len_bytes) in extents {
        // Several fields of size zero may share an offset with others: a gap is never negative.
        let gap_bytes = start.saturating_sub(end);
        // SAFETY: the caller's promise; `end` and `start` are at most `size`.
        unsafe { at.wrapping_add(end).write_bytes(0, gap_bytes) };
        end = if start + len_bytes > end { start + len_bytes } else { end };
    }
    // SAFETY: the caller's promise; `end` is at most `size`.
    unsafe { at.wrapping_add(end).write_bytes(0, size - end) };
}

/// A field's share in the layout hash of its owner.
#[must_use]
pub const fn hash_field(hash: u64, name: &str, offset_bytes: usize, is_volatile: bool, layout_hash: u64) -> u64 {
    let place = combine(hash_str(name), (offset_bytes as u64) << 1 | is_volatile as u64);
    combine(combine(hash, place), layout_hash)
}

/// A variant's share in the layout hash of its owner; its fields follow.
#[must_use]
pub const fn hash_variant(hash: u64, name: &str, tag: u64) -> u64 {
    combine(combine(hash, hash_str(name)), tag)
}

/// The finding that a tag is none of those its type knows.
#[must_use]
pub fn unknown_tag(at: *const u8, expected: &'static str, found: u128) -> Fault {
    Fault { at: at.addr() as u64, expected, found: found as u64 }
}
