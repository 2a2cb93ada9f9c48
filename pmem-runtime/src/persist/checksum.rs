//! The checksum in a node's header: CRC-32C of the payload, with its volatile fields zero.

use super::{NodeType, Reset};

/// The checksum of the payload at `payload`.
///
/// Complexity: linear in its length; types with volatile fields are copied.
///
/// # Safety
/// `len_bytes` bytes at `payload` are a payload of the type that is valid but for its volatile fields, all of it initialised,
/// aligned to 16, and nobody writes them meanwhile.
pub(crate) unsafe fn payload_checksum(node_type: &NodeType, payload: *const u8, len_bytes: u32) -> u32 {
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(payload, len_bytes as usize) };
    let Some(reset) = node_type.reset else { return crc32c::crc32c(bytes) };

    let mut words = vec![0_u128; bytes.len().div_ceil(size_of::<u128>())];
    let copy = words.as_mut_ptr().cast::<u8>();
    // SAFETY: the words have room for the payload.
    unsafe { copy.copy_from_nonoverlapping(payload, bytes.len()) };
    // SAFETY: the copy is such a value, aligned to 16, that nobody refers to; it is never dropped as its type.
    unsafe { reset(copy, len_bytes, Reset::ToZeros) };
    // SAFETY: initialised by the copy or `reset`.
    crc32c::crc32c(unsafe { std::slice::from_raw_parts(copy, bytes.len()) })
}
