//! The iterators over a byte string.

use std::fmt;
use std::iter::{FlatMap, FusedIterator};
use std::slice;

use super::Bytes;
use crate::collections::rope::Pieces;
use crate::persist::Lens;

/// The pieces of a byte string: [`Bytes::chunks`].
#[derive(Clone)]
pub struct Chunks<'a, 'p>(pub(super) Pieces<'a, 'p, Lens>);

impl fmt::Debug for Chunks<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a> Iterator for Chunks<'a, '_> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Chunks<'_, '_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl FusedIterator for Chunks<'_, '_> {}

type Flat<'a, 'p> = FlatMap<Chunks<'a, 'p>, slice::Iter<'a, u8>, fn(&'a [u8]) -> slice::Iter<'a, u8>>;

/// The bytes of a byte string: [`Bytes::iter`].
#[derive(Clone, Debug)]
pub struct Iter<'a, 'p> {
    bytes: Flat<'a, 'p>,
    left: usize,
}

impl<'a, 'p> Iter<'a, 'p> {
    pub(super) fn new(chunks: Chunks<'a, 'p>) -> Self {
        let left = chunks.0.len_bytes();
        Iter { bytes: chunks.flat_map(<[u8]>::iter), left }
    }
}

impl<'a> Iterator for Iter<'a, '_> {
    type Item = &'a u8;

    fn next(&mut self) -> Option<&'a u8> {
        let byte = self.bytes.next()?;
        self.left -= 1;
        Some(byte)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn fold<B, F: FnMut(B, &'a u8) -> B>(self, init: B, f: F) -> B {
        self.bytes.fold(init, f)
    }
}

impl DoubleEndedIterator for Iter<'_, '_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let byte = self.bytes.next_back()?;
        self.left -= 1;
        Some(byte)
    }
}

impl ExactSizeIterator for Iter<'_, '_> {}

impl FusedIterator for Iter<'_, '_> {}

impl<'a, 'p> IntoIterator for &'a Bytes<'p> {
    type Item = &'a u8;
    type IntoIter = Iter<'a, 'p>;

    fn into_iter(self) -> Iter<'a, 'p> {
        self.iter()
    }
}
