//! Byte strings as streams.

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use super::Bytes;
use crate::commit::Fase;

/// What [`Bytes::reader`] gives: reads piece by piece, without a buffer of its own.
#[derive(Clone)]
pub struct Reader<'a, 'p> {
    bytes: &'a Bytes<'p>,
    at: usize,
}

impl<'a, 'p> Reader<'a, 'p> {
    pub(super) fn new(bytes: &'a Bytes<'p>) -> Self {
        Reader { bytes, at: 0 }
    }
}

impl Read for Reader<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.bytes.read_at(self.at, to);
        self.at += len;
        Ok(len)
    }
}

impl BufRead for Reader<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.bytes.chunks_in(self.at..).next().unwrap_or_default())
    }

    fn consume(&mut self, len: usize) {
        self.at = self.bytes.len().min(self.at + len);
    }
}

impl fmt::Debug for Reader<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader(at {} of {} bytes)", self.at, self.bytes.len())
    }
}

/// What [`Bytes::writer`] gives: puts what is written behind the last byte. What is written is durable when the section is.
pub struct Writer<'w, 'p> {
    pub(super) bytes: &'w mut Bytes<'p>,
    pub(super) tx: &'w Fase<'p>,
}

impl Write for Writer<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(self.tx, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for Writer<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Writer(behind {} bytes)", self.bytes.len())
    }
}
