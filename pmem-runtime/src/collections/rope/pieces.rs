//! The leaves' bytes, in order.

use std::fmt;
use std::iter::FusedIterator;

use super::{Content, Rope};

/// The pieces of a range of a rope, from both ends.
pub(in crate::collections) struct Pieces<'a, 'p, H> {
    rope: &'a Rope<'p, H>,
    from: usize,
    to: usize,
}

impl<'a, 'p, H: Content> Pieces<'a, 'p, H> {
    /// The pieces of the bytes in `from..to`, which there are.
    pub(super) fn new(rope: &'a Rope<'p, H>, from: usize, to: usize) -> Self {
        Pieces { rope, from, to }
    }

    /// A damaged rope may have fewer bytes than it says, or end within a character: the pieces end there.
    fn break_off<T>(&mut self) -> Option<T> {
        self.to = self.from;
        None
    }

    /// Bytes that are still to come.
    pub(in crate::collections) fn len_bytes(&self) -> usize {
        self.to - self.from
    }
}

impl<'a, H: Content> Iterator for Pieces<'a, '_, H> {
    type Item = &'a H::View;

    fn next(&mut self) -> Option<&'a H::View> {
        if self.from == self.to {
            return None;
        }
        let Some((start, piece)) = self.rope.piece_at(self.from) else { return self.break_off() };
        let end = H::floor(piece.as_ref(), piece.as_ref().len().min(self.to - start));
        if end <= self.from - start {
            return self.break_off();
        }
        let part = H::part(piece, self.from - start..end);
        self.from = start + end;
        Some(part)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let bytes = self.len_bytes();
        (usize::from(bytes > 0), Some(bytes))
    }
}

impl<H: Content> DoubleEndedIterator for Pieces<'_, '_, H> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.from == self.to {
            return None;
        }
        let Some((start, piece)) = self.rope.piece_at(self.to - 1) else { return self.break_off() };
        let first = self.from.saturating_sub(start);
        let end = H::floor(piece.as_ref(), self.to - start);
        if end <= first {
            return self.break_off();
        }
        let part = H::part(piece, first..end);
        self.to = start + first;
        Some(part)
    }
}

impl<H: Content> FusedIterator for Pieces<'_, '_, H> {}

impl<H> Clone for Pieces<'_, '_, H> {
    fn clone(&self) -> Self {
        Pieces { ..*self }
    }
}

impl<H: Content<View: fmt::Debug>> fmt::Debug for Pieces<'_, '_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
