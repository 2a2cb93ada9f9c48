//! The bit patterns that a type does not use, in which the compiler may keep the other alternative of an enum around it.
//!
//! Rust promises this for few types, so the runtime guesses and has each guess proved: a candidate is put over the
//! bytes of a witness at compile time, and the compiler is asked what it then sees.

use std::mem::{MaybeUninit, size_of};

use super::Persistent;
use super::layout::write_tag;

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

/// Which pattern of the niche the compiler takes for `None` of an `Option<T>`, if it is in this niche at all.
pub(super) const fn pattern_of_none<T: Persistent>(niche: Niche) -> Option<u128> {
    if niche.offset_bytes + niche.width_bytes > size_of::<Option<T>>() {
        return None;
    }
    let mut index = 0;
    while index < 2 {
        let pattern = niche.ends()[index];
        // SAFETY: a witness is a valid value; here it is only looked at.
        let mut option = MaybeUninit::new(Some(unsafe { T::WITNESS.assume_init() }));
        let at = option.as_mut_ptr().cast::<u8>().wrapping_add(niche.offset_bytes);
        // SAFETY: within the option, as asked above; it is not used as a value of its type but for its discriminant.
        unsafe { write_tag(at, niche.width_bytes, pattern) };
        // SAFETY: all bytes of the witness are there, so the discriminant's are; only it is read.
        let is_none = unsafe { &*option.as_ptr() }.is_none();
        if is_none {
            return Some(pattern);
        }
        index += 1;
    }
    None
}

/// The field's niche, given with the field's offset, that the compiler has chosen for `Option<T>`; none if it adds a tag, or if it is none of these.
#[must_use]
pub const fn niche_among<T: Persistent>(candidates: &[(usize, Option<Niche>)]) -> Option<Niche> {
    if size_of::<Option<T>>() > size_of::<T>() {
        return None;
    }
    let mut index = 0;
    while index < candidates.len() {
        if let (offset_bytes, Some(niche)) = candidates[index]
            && pattern_of_none::<T>(niche.shifted(offset_bytes)).is_some()
        {
            return Some(niche.shifted(offset_bytes));
        }
        index += 1;
    }
    None
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
    let span = Niche::outside(width_bytes, first as u128, last as u128);
    niche_among::<T>(&[(0, span), (0, widest_gap(width_bytes, tags))])
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
