//! Equality, order and hashes: those of the `[u8]` with the same bytes, however a byte string is cut.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use equivalent::{Comparable, Equivalent};

use super::Bytes;

/// As `[u8]`.
impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// Parts that both share are not looked at. Bytes of different sections or snapshots can be compared too.
impl<'q> PartialEq<Bytes<'q>> for Bytes<'_> {
    fn eq(&self, other: &Bytes<'q>) -> bool {
        self.rope.equals(&other.rope)
    }
}

impl Eq for Bytes<'_> {}

impl<'q> PartialOrd<Bytes<'q>> for Bytes<'_> {
    fn partial_cmp(&self, other: &Bytes<'q>) -> Option<Ordering> {
        Some(self.rope.compare(&other.rope))
    }
}

impl Ord for Bytes<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rope.compare(&other.rope)
    }
}

/// The same as `[u8]` gives to the hasher: the length, then the bytes. Bytes in several pieces are given piece by piece, which is
/// the same to every hasher that hashes a stream of bytes, as SipHash and the hashers of this crate's and the standard library's
/// maps do.
impl Hash for Bytes<'_> {
    fn hash<S: Hasher>(&self, state: &mut S) {
        if let Some(all) = self.as_slice() {
            return all.hash(state);
        }
        state.write_usize(self.len());
        self.rope.hash_bytes(state);
    }
}

impl PartialEq<[u8]> for Bytes<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        self.len() == other.len() && self.rope.compare_bytes(other).is_eq()
    }
}

macro_rules! as_slice {
    ($([$($parameter:tt)*] $other:ty),+) => {$(
        impl<$($parameter)*> PartialEq<$other> for Bytes<'_> {
            fn eq(&self, other: &$other) -> bool {
                PartialEq::<[u8]>::eq(self, other.as_ref())
            }
        }
    )+};
}

macro_rules! compared {
    ($([$($parameter:tt)*] $other:ty),+) => {$(
        impl<$($parameter)*> PartialEq<Bytes<'_>> for $other {
            fn eq(&self, other: &Bytes<'_>) -> bool {
                PartialEq::<[u8]>::eq(other, self.as_ref())
            }
        }

        /// Maps with byte strings as keys can be asked by this type.
        impl<$($parameter)*> Equivalent<Bytes<'_>> for $other {
            fn equivalent(&self, key: &Bytes<'_>) -> bool {
                PartialEq::<[u8]>::eq(key, self.as_ref())
            }
        }

        /// Ordered maps with byte strings as keys can be asked by this type.
        impl<$($parameter)*> Comparable<Bytes<'_>> for $other {
            fn compare(&self, key: &Bytes<'_>) -> Ordering {
                key.rope.compare_bytes(self.as_ref()).reverse()
            }
        }
    )+};
}

as_slice!([] &[u8], [] Vec<u8>, [const N: usize] [u8; N], [const N: usize] &[u8; N]);
compared!([] [u8], [] &[u8], [] Vec<u8>, [const N: usize] [u8; N], [const N: usize] &[u8; N]);
