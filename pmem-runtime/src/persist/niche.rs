//! The bit patterns that a type does not use, in which the compiler may keep the other alternative of an enum around it.
//!
//! Rust promises this for few types, and compilers differ, so the runtime looks: it reads at compile time what `None` of a
//! type is made of, and has the compiler prove that this is what it takes for `None`.

use std::mem::{MaybeUninit, size_of};

use super::Persistent;
use super::layout::read_tag;

/// A place inside the bytes of `T` with a cyclic range of patterns that no `T` has.
///
/// # Invariants
/// 1. The patterns `value`, `value + 1`, ..., `value + available - 1`, modulo the width, are those that no `T` has;
///    `available` is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Niche {
    /// Where the pattern's bytes are.
    pub offset_bytes: usize,
    /// How many: 1, 2, 4, 8 or 16.
    pub width_bytes: usize,
    /// The first unused pattern, little-endian: the one after the greatest that is used.
    pub value: u128,
    /// How many unused patterns there are: each `Option` around uses one up.
    pub available: u128,
}

impl Niche {
    /// The niche of types that are never zero.
    #[must_use]
    pub const fn zero(width_bytes: usize) -> Self {
        Niche { offset_bytes: 0, width_bytes, value: 0, available: 1 }
    }

    /// The niche, at offset zero, of a type whose patterns are `first..=last`, which may wrap around.
    pub const fn outside(width_bytes: usize, first: u128, last: u128) -> Option<Self> {
        let mask = mask(width_bytes);
        let value = last.wrapping_add(1) & mask;
        let available = first.wrapping_sub(value) & mask;
        if available == 0 {
            return None;
        }
        Some(Niche { offset_bytes: 0, width_bytes, value, available })
    }

    /// The same niche of a type that has the field at `offset_bytes`.
    #[must_use]
    pub const fn shifted(self, offset_bytes: usize) -> Self {
        Niche { offset_bytes: self.offset_bytes + offset_bytes, ..self }
    }

    /// What is left when `taken`, one of [`Niche::ends`], has got a meaning.
    #[must_use]
    pub const fn without(self, taken: u128) -> Option<Self> {
        if self.available == 1 {
            return None;
        }
        let value =
            if taken == self.value { taken.wrapping_add(1) & mask(self.width_bytes) } else { self.value };
        Some(Niche { value, available: self.available - 1, ..self })
    }

    /// The patterns that the compiler may take for one more alternative: those next to the used ones.
    #[must_use]
    pub const fn ends(self) -> [u128; 2] {
        [self.value, self.value.wrapping_add(self.available - 1) & mask(self.width_bytes)]
    }
}

const fn mask(width_bytes: usize) -> u128 {
    u128::MAX >> (128 - 8 * width_bytes)
}

/// Which pattern of the niche the compiler takes for `None` of an `Option<T>`: the one that it writes there. None if that is
/// not next to the used ones, so the niche is another one than was thought.
///
/// Asking what the compiler makes of a guess would be no way: reading a pattern that no `Option<T>` has is an error.
/// So is reading a byte that `None` leaves uninitialised, which says that it is kept in another place.
pub(super) const fn pattern_of_none<T: Persistent>(niche: Niche) -> Option<u128> {
    if niche.offset_bytes + niche.width_bytes > size_of::<Option<T>>() {
        return None;
    }
    let none = MaybeUninit::new(None::<T>);
    let at = none.as_ptr().cast::<u8>().wrapping_add(niche.offset_bytes);
    // SAFETY: within the option, as asked above; an uninitialised byte would be a compile error.
    let pattern = unsafe { read_tag(at, niche.width_bytes) };
    let [first, last] = niche.ends();
    if pattern == first || pattern == last { Some(pattern) } else { None }
}

/// The field's niche, given with the field's offset, that the compiler has chosen for `Option<T>`: the one with the most
/// patterns, and of several the one at the lowest offset. None if the compiler adds a tag, or if it is none of these.
#[must_use]
pub const fn niche_among<T: Persistent>(candidates: &[(usize, Option<Niche>)]) -> Option<Niche> {
    if size_of::<Option<T>>() > size_of::<T>() {
        return None;
    }
    let mut largest: Option<Niche> = None;
    let mut index = 0;
    while index < candidates.len() {
        if let (offset_bytes, Some(niche)) = candidates[index] {
            let niche = niche.shifted(offset_bytes);
            let is_larger = match largest {
                None => true,
                Some(known) => {
                    niche.available > known.available
                        || (niche.available == known.available && niche.offset_bytes < known.offset_bytes)
                }
            };
            largest = if is_larger { Some(niche) } else { largest };
        }
        index += 1;
    }
    match largest {
        Some(niche) if pattern_of_none::<T>(niche).is_some() => largest,
        _ => None,
    }
}

/// The niche of an enum in its own tag, of which `tags` are used: outside the span of the tags, or in the widest gap.
#[must_use]
pub const fn niche_of_tags<T: Persistent>(
    width_bytes: usize,
    is_signed: bool,
    tags: &[u64],
) -> Option<Niche> {
    // Flipping the sign bit maps the signed order to the unsigned one.
    let flip = if is_signed { 1_u64 << (8 * width_bytes - 1) } else { 0 };
    let (mut first, mut last) = (tags[0], tags[0]);
    let mut index = 1;
    while index < tags.len() {
        first = if tags[index] ^ flip < first ^ flip { tags[index] } else { first };
        last = if tags[index] ^ flip > last ^ flip { tags[index] } else { last };
        index += 1;
    }
    match niche_among::<T>(&[(0, Niche::outside(width_bytes, first as u128, last as u128))]) {
        Some(span) => Some(span),
        None => niche_among::<T>(&[(0, widest_gap(width_bytes, tags))]),
    }
}

/// The longest run of values, modulo the width, that are no tags.
const fn widest_gap(width_bytes: usize, tags: &[u64]) -> Option<Niche> {
    let mut widest: Option<Niche> = None;
    let mut index = 0;
    while index < tags.len() {
        let gap = gap_behind(width_bytes, tags, tags[index]);
        let is_wider = match (gap, widest) {
            (Some(gap), Some(known)) => gap.available > known.available,
            (Some(_), None) => true,
            (None, _) => false,
        };
        widest = if is_wider { gap } else { widest };
        index += 1;
    }
    widest
}

/// The values between a tag and the next one above it, modulo the width.
const fn gap_behind(width_bytes: usize, tags: &[u64], tag: u64) -> Option<Niche> {
    let mut next = tag;
    let mut nearest = u128::MAX;
    let mut index = 0;
    while index < tags.len() {
        let distance = (tags[index] as u128).wrapping_sub(tag as u128 + 1) & mask(width_bytes);
        if distance < nearest {
            nearest = distance;
            next = tags[index];
        }
        index += 1;
    }
    Niche::outside(width_bytes, next as u128, tag as u128)
}
