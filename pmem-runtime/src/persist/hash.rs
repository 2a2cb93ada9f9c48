//! Compile-time hashing of names and layouts: FNV-1a with a final mix. Frozen: its values are in every pool.

/// Hash of a name.
#[must_use]
pub const fn hash_str(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        index += 1;
    }
    mix(hash)
}

/// Hash of a pair, not commutative: folds a sequence from the left.
#[must_use]
pub const fn combine(left: u64, right: u64) -> u64 {
    mix(left.rotate_left(23) ^ right.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

const fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^= hash >> 32;
    hash
}
