//! Where a leaf may be cut.

use crate::persist::{Head, Lens, Persistent, Utf8};

/// The head of a sequence's nodes: plain counts, and a rule where a run of `T` may be divided.
pub(crate) trait Piece<T>: Head + for<'q> Persistent<At<'q> = Self> {
    /// How far before the place that was asked for the next permitted one may lie.
    const SLACK: usize;

    /// The head with these counts.
    fn of(lens: Lens) -> Self;

    /// The counts.
    fn lens(&self) -> Lens;

    /// The last permitted cut at or before `at`, which is at most the length.
    fn floor(items: &[T], at: usize) -> usize;
}

impl<T> Piece<T> for Lens {
    const SLACK: usize = 0;

    fn of(lens: Lens) -> Self {
        lens
    }

    fn lens(&self) -> Lens {
        *self
    }

    fn floor(_items: &[T], at: usize) -> usize {
        at
    }
}

/// Text is cut between characters.
impl Piece<u8> for Utf8 {
    const SLACK: usize = 3;

    fn of(lens: Lens) -> Self {
        Utf8(lens)
    }

    fn lens(&self) -> Lens {
        self.0
    }

    fn floor(items: &[u8], at: usize) -> usize {
        let is_boundary = |at: usize| items.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
        (at.saturating_sub(3)..=at).rev().find(|at| is_boundary(*at)).unwrap_or(at)
    }
}
