//! `Option` and `Result`: types whose layout Rust guarantees only in part.

/// The bit pattern in which `None` of an `Option<T>` is kept, inside the bytes of `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Niche {
    /// Where the pattern's bytes are.
    pub offset_bytes: usize,
    /// How many: 1, 2, 4, 8 or 16.
    pub width_bytes: usize,
    /// The pattern of the first unused value, little-endian.
    pub value: u128,
    /// How many unused values there are: each `Option` around uses one up.
    pub available: u128,
}

impl Niche {
    /// The niche of types that are never zero.
    #[must_use]
    pub const fn zero(width_bytes: usize) -> Self {
        Niche { offset_bytes: 0, width_bytes, value: 0, available: 1 }
    }
}
