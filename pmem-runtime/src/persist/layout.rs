//! Bytes of values by offset: little-endian tags, and the gaps between fields.
//!
//! The functions are `const` where layouts are measured at compile time. There, reading a byte that the compiler left
//! uninitialised is a compile error; that turns a wrong guess about a layout into a message, never into a wrong read.

use std::mem::{align_of, size_of};

use super::{Fault, Persistent, Reset, combine, hash_str};

/// Bytes that belong to a field or a tag: its offset, and how many.
pub type Extent = (usize, usize);

/// Where the compiler puts one variant of an enum.
#[derive(Debug)]
pub struct VariantLayout<const FIELDS: usize> {
    /// The tag's value.
    pub tag: u64,
    /// Its fields, by distance from the start of the enum, in order of declaration.
    pub fields: [Extent; FIELDS],
}

/// The `width` bytes at `at`, little-endian. At most 16.
///
/// # Safety
/// That many bytes at `at` are initialised and readable.
#[must_use]
pub(crate) const unsafe fn read_tag(at: *const u8, width: usize) -> u128 {
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
pub(crate) const unsafe fn write_tag(at: *mut u8, width: usize, value: u128) {
    let mut index = 0;
    while index < width {
        // SAFETY: the caller's promise: the byte is one of the `width`.
        unsafe { at.wrapping_add(index).write((value >> (8 * index)) as u8) };
        index += 1;
    }
}

/// The tag of an enum that keeps it in the `width` bytes at its start, at most 8.
///
/// # Safety
/// That many bytes at `at` are initialised and readable.
#[must_use]
pub const unsafe fn tag_of(at: *const u8, width: usize) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { read_tag(at, width) as u64 }
}

/// Copies the tag of a valid value, the `width` bytes at its start.
///
/// # Safety
/// That many bytes are initialised at `from` and writable at `to`, and the two do not overlap.
pub unsafe fn copy_tag(from: *const u8, to: *mut u8, width: usize) {
    // SAFETY: the caller's promise.
    unsafe { from.copy_to_nonoverlapping(to, width) };
}

/// How far a field lies behind the start of its value.
///
/// # Safety
/// `field` lies in the allocation of `value`, at or behind its start.
#[must_use]
pub(crate) const unsafe fn offset_within<T, F>(value: *const T, field: &F) -> usize {
    // SAFETY: the caller's promise.
    unsafe { (&raw const *field).byte_offset_from(value) as usize }
}

/// A field's extent in its value.
///
/// # Safety
/// `value` points to a value of `T`, and `field` is a part of it.
#[must_use]
pub const unsafe fn extent_within<T, F>(value: *const T, field: &F) -> Extent {
    // SAFETY: the caller's promise.
    (unsafe { offset_within(value, field) }, size_of::<F>())
}

/// Which of the tags this is.
#[must_use]
pub fn position(tags: &[u64], tag: u64) -> Option<usize> {
    tags.iter().position(|each| *each == tag)
}

/// The extents in order of offset.
#[must_use]
pub(crate) const fn sorted<const N: usize>(mut extents: [Extent; N]) -> [Extent; N] {
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

/// Whether a value has bytes in `from..size` that belong to none of these disjoint extents.
#[must_use]
pub const fn has_gap(from: usize, size: usize, extents: &[Extent]) -> bool {
    let mut covered = from;
    let mut index = 0;
    while index < extents.len() {
        covered += extents[index].1;
        index += 1;
    }
    covered != size
}

/// Zeroes each of the bytes `from..size` at `at` that lies in none of the extents. Those that are not empty are sorted.
///
/// # Safety
/// `size` bytes at `at` are writable, and `from` and the extents lie within them.
pub unsafe fn zero_gaps(at: *mut u8, from: usize, size: usize, extents: &[Extent]) {
    let mut end = from;
    for &(start, len_bytes) in extents.iter().filter(|extent| extent.1 != 0) {
        // SAFETY: the caller's promise; extents are disjoint and sorted, so `start` is at least `end`.
        unsafe { at.wrapping_add(end).write_bytes(0, start - end) };
        end = start + len_bytes;
    }
    // SAFETY: the caller's promise; `end` is at most `size`.
    unsafe { at.wrapping_add(end).write_bytes(0, size - end) };
}

/// A field's share in the layout hash of its owner.
#[must_use]
pub const fn hash_field(
    hash: u64,
    name: &str,
    offset_bytes: usize,
    is_volatile: bool,
    layout_hash: u64,
) -> u64 {
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
pub fn unknown_tag(at: *const u8, expected: &'static str, found: u64) -> Fault {
    Fault { at: at.addr() as u64, expected, found }
}

/// Overwrites the volatile field at `at`.
///
/// # Safety
/// `at` is aligned for `F`, and its bytes are writable and nobody else's. After [`Reset::ToZeros`] it is no value any more.
pub unsafe fn reset_volatile<F: Persistent + Default>(at: *mut u8, to: Reset) {
    if to == Reset::ToZeros {
        // SAFETY: the caller's promise. What is overwritten needs no drop: it owns no pointers.
        return unsafe { at.write_bytes(0, size_of::<F>()) };
    }
    // SAFETY: the caller's promise. What is overwritten needs no drop: it owns no pointers.
    unsafe { at.cast::<F>().write(F::default()) };
    // SAFETY: a valid value has just been written.
    unsafe { F::scrub(at) };
}

/// Refuses a volatile field that may own pointers: overwriting it would lose their nodes.
///
/// # Panics
/// While compiling, if the field's type has pointers.
#[track_caller]
pub const fn require_volatile(has_pointers: bool) {
    assert!(
        !has_pointers,
        "a volatile field cannot own pointers: at open it is overwritten, and their nodes would leak"
    );
}

/// Evaluates what can be wrong with a type's layout where the type is defined rather than where it is used.
///
/// # Panics
/// While compiling, if the layout cannot be kept or cannot be proved.
pub const fn check_layout<T: Persistent>() {
    assert!(
        align_of::<T>() <= 16,
        "a payload starts 16 bytes into a line: alignments above 16 cannot be kept"
    );
    let _ = (T::LAYOUT_HASH, T::HAS_VOLATILE, T::HAS_PADDING);
}

/// The arm of a match over a witness that is known to be another variant.
///
/// # Panics
/// While compiling, always.
pub const fn other_variant() -> ! {
    panic!("a witness is of the variant that it was made of")
}
