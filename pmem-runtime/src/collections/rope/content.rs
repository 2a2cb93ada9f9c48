//! What a rope's bytes are: anything, or text.

use std::ops::Range;

use super::node::Node;
use crate::persist::{Array, Head, Lens, Persistent, Short, Utf8};

/// The head of a rope's nodes: counts, and what the bytes behind it are lent as.
pub(in crate::collections) trait Content:
    Head + for<'q> Persistent<At<'q> = Self>
{
    /// What a piece is lent as.
    type View: ?Sized + AsRef<[u8]> + 'static;

    /// How far before a wanted place the nearest one where bytes may be divided can be.
    const SLACK: usize;

    fn of(lens: Lens) -> Self;

    fn lens(&self) -> Lens;

    /// The last place at or before `at` where these bytes may be divided.
    fn floor(bytes: &[u8], at: usize) -> usize;

    fn short<const N: usize>(short: &Short<Self, N>) -> &Self::View;

    fn leaf<'a>(leaf: &'a Array<'_, Self, u8, Node<'_, Self>, u64>) -> &'a Self::View;

    /// A part of a view.
    ///
    /// # Panics
    /// If it cannot be divided there.
    fn part(view: &Self::View, range: Range<usize>) -> &Self::View;
}

impl Content for Lens {
    type View = [u8];

    const SLACK: usize = 0;

    fn of(lens: Lens) -> Self {
        lens
    }

    fn lens(&self) -> Lens {
        *self
    }

    fn floor(_bytes: &[u8], at: usize) -> usize {
        at
    }

    fn short<const N: usize>(short: &Short<Self, N>) -> &[u8] {
        short.bytes()
    }

    fn leaf<'a>(leaf: &'a Array<'_, Self, u8, Node<'_, Self>, u64>) -> &'a [u8] {
        leaf.items()
    }

    fn part(view: &[u8], range: Range<usize>) -> &[u8] {
        &view[range]
    }
}

impl Content for Utf8 {
    type View = str;

    // A character has at most four bytes.
    const SLACK: usize = 3;

    fn of(lens: Lens) -> Self {
        Utf8(lens)
    }

    fn lens(&self) -> Lens {
        self.0
    }

    fn floor(bytes: &[u8], at: usize) -> usize {
        let is_inside = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
        (at.saturating_sub(Self::SLACK)..=at).rev().find(|at| !is_inside(at)).unwrap_or(at)
    }

    fn short<const N: usize>(short: &Short<Self, N>) -> &str {
        short.as_str()
    }

    fn leaf<'a>(leaf: &'a Array<'_, Self, u8, Node<'_, Self>, u64>) -> &'a str {
        leaf.as_str()
    }

    fn part(view: &str, range: Range<usize>) -> &str {
        &view[range]
    }
}
