//! The hash that decides where a key lies: frozen, keyed, the same on every machine.

use std::hash::{Hash, Hasher};

use siphasher::sip::SipHasher13;

/// The second half of the key; the first is the pool's seed.
const SECOND_KEY: u64 = u64::from_le_bytes(*b"pmem map");

/// SipHash-1-3 over bytes that do not depend on the machine: integers little-endian, `usize` and `isize` (lengths and
/// discriminants among them) as 64 bits.
#[derive(Debug)]
struct KeyHasher(SipHasher13);

impl Hasher for KeyHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0.finish()
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    // The wrapped hasher takes these as little-endian bytes, faster than `write` does.
    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.0.write_u8(value);
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.0.write_u16(value);
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.0.write_u32(value);
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0.write_u64(value);
    }

    #[inline]
    fn write_u128(&mut self, value: u128) {
        self.0.write(&value.to_le_bytes());
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.0.write_u64(value as u64);
    }

    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.0.write_u64(value as i64 as u64);
    }
}

/// The hash of a key in pools with this seed.
pub(super) fn hash_of<Q: Hash + ?Sized>(seed: u64, key: &Q) -> u64 {
    let mut hasher = KeyHasher(SipHasher13::new_with_keys(seed, SECOND_KEY));
    key.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::hash_of;

    /// Computed by another implementation of SipHash-1-3, from the bytes written out by hand.
    const HASHES: [u64; 5] = [
        0xc356_d3e8_f90a_5594,
        0x3823_9d7c_6083_c39b,
        0x3b97_2e23_8c15_6b22,
        0x0a2b_5925_93ba_b7bb,
        0x60cd_eebe_f4f9_9762,
    ];

    /// If this failed, no key of any existing pool would be found any more.
    #[test]
    fn hashes_are_frozen() {
        assert_eq!(hash_of(0, &0_u64), HASHES[0]);
        assert_eq!(hash_of(7, &(1_u8, -2_i16, 3_u32, 'x', true)), HASHES[1]);
        assert_eq!(hash_of(7, "alice"), HASHES[2]);
        assert_eq!(hash_of(7, &[1_u8, 2, 3][..]), HASHES[3]);
        assert_eq!(hash_of(7, &Some(1_u128 << 100)), HASHES[4]);
    }

    /// If this failed, a pool written on a machine with words of 32 bits would not be readable on one with 64.
    #[test]
    fn lengths_and_discriminants_are_hashed_as_64_bits() {
        assert_eq!(hash_of(3, &5_usize), hash_of(3, &5_u64));
        assert_eq!(hash_of(3, &-5_isize), hash_of(3, &-5_i64));
        assert_eq!(hash_of(3, &Some(9_u64)), hash_of(3, &(1_u64, 9_u64)));
    }

    /// If this failed, who knows one pool's seed could choose keys that collide in every pool.
    #[test]
    fn seeds_change_every_hash() {
        assert!((0..100_u64).all(|key| hash_of(1, &key) != hash_of(2, &key)));
    }
}
