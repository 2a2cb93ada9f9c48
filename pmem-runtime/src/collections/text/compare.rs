//! Equality, order and hashes: those of the `str` with the same bytes, however a text is cut.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use equivalent::{Comparable, Equivalent};

use super::Text;

/// Parts that both share are not looked at. Texts of different sections or snapshots can be compared too.
impl<'q> PartialEq<Text<'q>> for Text<'_> {
    fn eq(&self, other: &Text<'q>) -> bool {
        self.rope.equals(&other.rope)
    }
}

impl Eq for Text<'_> {}

impl<'q> PartialOrd<Text<'q>> for Text<'_> {
    fn partial_cmp(&self, other: &Text<'q>) -> Option<Ordering> {
        Some(self.rope.compare(&other.rope))
    }
}

impl Ord for Text<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rope.compare(&other.rope)
    }
}

/// The same bytes as `str` gives to the hasher: the contents, then `0xff`. The contents of a text in several pieces are given piece by
/// piece, which is the same to every hasher that hashes a stream of bytes, as SipHash and the hashers of this crate's and the
/// standard library's maps do.
impl Hash for Text<'_> {
    fn hash<S: Hasher>(&self, state: &mut S) {
        if let Some(all) = self.as_str() {
            return all.hash(state);
        }
        self.rope.hash_bytes(state);
        state.write_u8(0xff);
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.len() == other.len() && self.rope.compare_bytes(other.as_bytes()).is_eq()
    }
}

impl PartialOrd<str> for Text<'_> {
    fn partial_cmp(&self, other: &str) -> Option<Ordering> {
        Some(self.rope.compare_bytes(other.as_bytes()))
    }
}

macro_rules! as_str {
    ($($other:ty),+) => {$(
        impl PartialEq<$other> for Text<'_> {
            fn eq(&self, other: &$other) -> bool {
                PartialEq::<str>::eq(self, other)
            }
        }

        impl PartialOrd<$other> for Text<'_> {
            fn partial_cmp(&self, other: &$other) -> Option<Ordering> {
                PartialOrd::<str>::partial_cmp(self, other)
            }
        }
    )+};
}

macro_rules! compared {
    ($($other:ty),+) => {$(
        impl PartialEq<Text<'_>> for $other {
            fn eq(&self, other: &Text<'_>) -> bool {
                PartialEq::<str>::eq(other, self)
            }
        }

        impl PartialOrd<Text<'_>> for $other {
            fn partial_cmp(&self, other: &Text<'_>) -> Option<Ordering> {
                PartialOrd::<str>::partial_cmp(other, self).map(Ordering::reverse)
            }
        }

        /// Maps with texts as keys can be asked by this type.
        impl Equivalent<Text<'_>> for $other {
            fn equivalent(&self, key: &Text<'_>) -> bool {
                PartialEq::<str>::eq(key, self)
            }
        }

        /// Ordered maps with texts as keys can be asked by this type.
        impl Comparable<Text<'_>> for $other {
            fn compare(&self, key: &Text<'_>) -> Ordering {
                key.rope.compare_bytes(self.as_bytes()).reverse()
            }
        }
    )+};
}

as_str!(&str, String);
compared!(str, &str, String);
