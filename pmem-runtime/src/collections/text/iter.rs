//! The iterators over a text.

use std::borrow::Cow;
use std::fmt;
use std::iter::{FlatMap, FusedIterator};
use std::str;

use super::Text;
use crate::collections::rope::Pieces;
use crate::persist::Utf8;

/// The pieces of a text: [`Text::chunks`].
#[derive(Clone)]
pub struct Chunks<'a, 'p>(pub(super) Pieces<'a, 'p, Utf8>);

impl fmt::Debug for Chunks<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a> Iterator for Chunks<'a, '_> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
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

/// The characters of a text: [`Text::chars`].
#[derive(Clone, Debug)]
pub struct Chars<'a, 'p>(FlatMap<Chunks<'a, 'p>, str::Chars<'a>, fn(&'a str) -> str::Chars<'a>>);

impl<'a, 'p> Chars<'a, 'p> {
    pub(super) fn new(chunks: Chunks<'a, 'p>) -> Self {
        Chars(chunks.flat_map(str::chars))
    }
}

impl Iterator for Chars<'_, '_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn fold<B, F: FnMut(B, char) -> B>(self, init: B, f: F) -> B {
        self.0.fold(init, f)
    }
}

impl DoubleEndedIterator for Chars<'_, '_> {
    fn next_back(&mut self) -> Option<char> {
        self.0.next_back()
    }
}

impl FusedIterator for Chars<'_, '_> {}

/// The characters of a text and where they begin: [`Text::char_indices`].
#[derive(Clone, Debug)]
pub struct CharIndices<'a, 'p> {
    chars: Chars<'a, 'p>,
    from: usize,
    to: usize,
}

impl<'a, 'p> CharIndices<'a, 'p> {
    pub(super) fn new(chars: Chars<'a, 'p>, len: usize) -> Self {
        CharIndices { chars, from: 0, to: len }
    }
}

impl Iterator for CharIndices<'_, '_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        let character = self.chars.next()?;
        let at = self.from;
        self.from += character.len_utf8();
        Some((at, character))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chars.size_hint()
    }
}

impl DoubleEndedIterator for CharIndices<'_, '_> {
    fn next_back(&mut self) -> Option<(usize, char)> {
        let character = self.chars.next_back()?;
        self.to -= character.len_utf8();
        Some((self.to, character))
    }
}

impl FusedIterator for CharIndices<'_, '_> {}

/// The bytes of a text: [`Text::bytes`].
#[derive(Clone, Debug)]
pub struct TextBytes<'a, 'p> {
    bytes: FlatMap<Chunks<'a, 'p>, str::Bytes<'a>, fn(&'a str) -> str::Bytes<'a>>,
    left: usize,
}

impl<'a, 'p> TextBytes<'a, 'p> {
    pub(super) fn new(chunks: Chunks<'a, 'p>) -> Self {
        let left = chunks.0.len_bytes();
        TextBytes { bytes: chunks.flat_map(str::bytes), left }
    }
}

impl Iterator for TextBytes<'_, '_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.next()?;
        self.left -= 1;
        Some(byte)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn fold<B, F: FnMut(B, u8) -> B>(self, init: B, f: F) -> B {
        self.bytes.fold(init, f)
    }
}

impl DoubleEndedIterator for TextBytes<'_, '_> {
    fn next_back(&mut self) -> Option<u8> {
        let byte = self.bytes.next_back()?;
        self.left -= 1;
        Some(byte)
    }
}

impl ExactSizeIterator for TextBytes<'_, '_> {}

impl FusedIterator for TextBytes<'_, '_> {}

/// The lines of a text: [`Text::lines`].
#[derive(Clone, Debug)]
pub struct Lines<'a, 'p> {
    text: &'a Text<'p>,
    from: usize,
}

impl<'a, 'p> Lines<'a, 'p> {
    pub(super) fn new(text: &'a Text<'p>) -> Self {
        Lines { text, from: 0 }
    }
}

impl<'a> Iterator for Lines<'a, '_> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Cow<'a, str>> {
        let len = self.text.len();
        if self.from == len {
            return None;
        }
        let from = self.from;
        let found = self.text.rope.find_in(from, len, b"\n");
        self.from = found.map_or(len, |at| at + 1);
        let mut to = found.unwrap_or(len);
        // Only a line that ends may end in two bytes.
        if found.is_some() && to > from && self.text.rope.byte(to - 1) == Some(&b'\r') {
            to -= 1;
        }
        self.text.get(from..to)
    }
}

impl FusedIterator for Lines<'_, '_> {}
