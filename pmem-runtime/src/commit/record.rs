//! The commit record: the bytes that make a section true, written into a ring in one piece.
//!
//! | offset | bytes | field | meaning |
//! |---|---|---|---|
//! | 0 | 1 | `magic` | `0xA7` |
//! | 1 | 1 | `kind` | 1 hashed, 2 fenced |
//! | 2 | 2 | `cells` | cell entries that follow |
//! | 4 | 2 | `runs` | run entries that follow the cells |
//! | 6 | 2 | `unsettled` | every ticket up to `ticket - unsettled` was durable when this was written; 65535 claims nothing |
//! | 8 | 8 | `ticket` | the section's place in the order of commits |
//! | 16 | 8 | `nodes_hash` | over address, type, length and checksum of every node in the runs |
//! | 24 | 8 | `record_hash` | XXH3-64, seeded with the pool's salt, over the record with this field zero |
//! | 32 | 16 each | cells | offset of the cell, offset of its new node |
//! | | 8 each | runs | first line (low 40 bits), lines (high 24 bits) |
//!
//! A record starts on a line and ends with zeros up to a line's end. One cell and two runs make it exactly one line.

use twox_hash::XxHash3_64;

use crate::heap::LINE_BYTES;
use crate::mutants::{Mutant, planted};
use crate::persist::combine;
use crate::section::Timestamp;

const MAGIC: u8 = 0xA7;
const HEAD_BYTES: usize = 32;
const CELL_BYTES: usize = 16;
const RUN_BYTES: usize = 8;
const RUN_LINE_BITS: u32 = 40;
/// `unsettled` value that makes no claim.
const NO_CLAIM: u16 = u16::MAX;

/// How recovery may convince itself that a section's nodes are all there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// By the hash over the nodes in the record's runs: one fence for nodes and record together.
    Hashed,
    /// By the record's own existence: the nodes were fenced before it was written. For sections too large to hash.
    Fenced,
}

/// One cell's change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellChange {
    /// Offset of the cell; zero is the root.
    pub(crate) cell: u64,
    /// Offset of the node that it now holds.
    pub(crate) node: u64,
}

/// Lines side by side that one section wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The first line, counted from the pool's start.
    pub(crate) first_line: u64,
    /// How many.
    pub(crate) lines: u32,
}

impl Run {
    /// Longest run that one entry can name.
    pub(crate) const MAX_LINES: u32 = (1 << (64 - RUN_LINE_BITS)) - 1;

    fn pack(self) -> u64 {
        self.first_line | u64::from(self.lines) << RUN_LINE_BITS
    }

    fn unpack(word: u64) -> Self {
        Run { first_line: word & ((1 << RUN_LINE_BITS) - 1), lines: (word >> RUN_LINE_BITS) as u32 }
    }
}

/// A section's commit, in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) kind: RecordKind,
    pub(crate) ticket: Timestamp,
    /// Every ticket up to this one was durable when the record was written; zero claims nothing.
    pub(crate) settled: Timestamp,
    pub(crate) nodes_hash: u64,
    pub(crate) cells: Vec<CellChange>,
    pub(crate) runs: Vec<Run>,
}

/// Lines that a record with so many entries takes.
pub(crate) const fn record_lines(cells: usize, runs: usize) -> usize {
    (HEAD_BYTES + cells * CELL_BYTES + runs * RUN_BYTES).div_ceil(LINE_BYTES as usize)
}

impl Record {
    /// The record's bytes, a whole number of lines.
    ///
    /// # Panics
    /// If there are more entries than the counts can hold; the commit chooses its path so that there are not.
    pub(crate) fn encode(&self, salt: u64) -> Vec<u8> {
        let mut bytes = vec![0_u8; record_lines(self.cells.len(), self.runs.len()) * LINE_BYTES as usize];
        let count =
            |len: usize| u16::try_from(len).expect("entries are bounded by the ring's size").to_le_bytes();
        bytes[0] = MAGIC;
        bytes[1] = match self.kind {
            RecordKind::Hashed => 1,
            RecordKind::Fenced => 2,
        };
        bytes[2..4].copy_from_slice(&count(self.cells.len()));
        bytes[4..6].copy_from_slice(&count(self.runs.len()));
        let unsettled = u16::try_from(self.ticket.0 - self.settled.0).unwrap_or(NO_CLAIM);
        bytes[6..8].copy_from_slice(&unsettled.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.ticket.0.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.nodes_hash.to_le_bytes());
        let cells = self.cells.iter().flat_map(|change| [change.cell, change.node]);
        let runs = self.runs.iter().map(|run| run.pack());
        for (place, word) in bytes[HEAD_BYTES..].chunks_exact_mut(8).zip(cells.chain(runs)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let hash = XxHash3_64::oneshot_with_seed(salt, &bytes);
        bytes[24..32].copy_from_slice(&hash.to_le_bytes());
        bytes
    }

    /// Lines of the record that starts at `bytes`, if one does and they hold it wholly: that its hash is right is not said.
    pub(crate) fn extent(bytes: &[u8]) -> Option<usize> {
        let head = bytes.first_chunk::<HEAD_BYTES>()?;
        let lines = record_lines(usize::from(half(head, 2)), usize::from(half(head, 4)));
        let is_whole =
            head[0] == MAGIC && matches!(head[1], 1 | 2) && lines <= bytes.len() / LINE_BYTES as usize;
        is_whole.then_some(lines)
    }

    /// The record that starts at `bytes`, which may hold anything and extend to the end of the ring. `None` if there is
    /// none whose hash is right, or if it is `Fenced` and has runs, which only a `Hashed` one proves.
    pub(crate) fn decode(bytes: &[u8], salt: u64) -> Option<Record> {
        let whole = &bytes[..Record::extent(bytes)? * LINE_BYTES as usize];
        let head = whole.first_chunk::<HEAD_BYTES>()?;
        let kind = match head[1] {
            1 => RecordKind::Hashed,
            2 => RecordKind::Fenced,
            _ => return None,
        };
        let [cells, runs, unsettled] = [2, 4, 6].map(|at| half(head, at));
        let (cells, runs) = (usize::from(cells), usize::from(runs));
        if kind == RecordKind::Fenced && runs != 0 {
            // Nobody would look at what they name.
            return None;
        }
        let mut unhashed = whole.to_vec();
        unhashed[24..32].fill(0);
        let is_hashed = XxHash3_64::oneshot_with_seed(salt, &unhashed) == word(head, 24);
        if !is_hashed && !planted(Mutant::TornRecordAccepted) {
            return None;
        }
        let ticket = word(head, 8);
        let settled = match unsettled {
            NO_CLAIM => 0,
            unsettled => ticket.checked_sub(u64::from(unsettled))?,
        };
        let entries = &whole[HEAD_BYTES..];
        let change = |index: usize| CellChange {
            cell: word(entries, index * CELL_BYTES),
            node: word(entries, index * CELL_BYTES + 8),
        };
        let run = |index: usize| Run::unpack(word(entries, cells * CELL_BYTES + index * RUN_BYTES));
        Some(Record {
            kind,
            ticket: Timestamp(ticket),
            settled: Timestamp(settled),
            nodes_hash: word(head, 16),
            cells: (0..cells).map(change).collect(),
            runs: (0..runs).map(run).collect(),
        })
    }

    /// Lines that the record takes in its ring.
    pub(crate) fn lines(&self) -> usize {
        record_lines(self.cells.len(), self.runs.len())
    }
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// The hash over a section's nodes, fed in the order of their addresses.
///
/// It names addresses as well as contents: an old node of the same contents elsewhere, or an older node at the same
/// place, is not taken for the new one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodesHash(u64);

impl NodesHash {
    pub(crate) fn new(salt: u64) -> Self {
        NodesHash(salt)
    }

    pub(crate) fn node(&mut self, offset: u64, type_id: u32, len_bytes: u32, crc32c: u32) {
        let offset = if planted(Mutant::HashWithoutAddresses) { 0 } else { offset };
        let crc32c = if planted(Mutant::HashWithoutContents) { 0 } else { crc32c };
        let shape = u64::from(type_id) << 32 | u64::from(len_bytes);
        self.0 = combine(combine(combine(self.0, offset), shape), u64::from(crc32c));
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(cells: usize, runs: usize) -> Record {
        Record {
            kind: RecordKind::Hashed,
            ticket: Timestamp(1000),
            settled: Timestamp(998),
            nodes_hash: 0x1234_5678_9abc_def0,
            cells: (0..cells as u64)
                .map(|index| CellChange { cell: index * 64, node: 4096 + index * 64 })
                .collect(),
            runs: (0..runs as u64)
                .map(|index| Run { first_line: 100 + index * 50, lines: 3 + index as u32 })
                .collect(),
        }
    }

    /// If this failed, recovery would read another commit than the one that was written.
    #[test]
    fn a_record_reads_back_as_written() {
        for (cells, runs) in [(1, 1), (1, 2), (0, 0), (64, 0), (3, 500)] {
            let record = sample(cells, runs);
            let mut bytes = record.encode(7);
            assert_eq!(bytes.len(), record.lines() * LINE_BYTES as usize);
            bytes.extend([0xEE; 256]);
            assert_eq!(Record::decode(&bytes, 7), Some(record));
        }
        assert_eq!(record_lines(1, 2), 1);
    }

    /// If this failed, a record torn by a crash, or one of another pool, would be believed.
    #[test]
    fn a_damaged_or_foreign_record_is_no_record() {
        let record = sample(2, 5);
        let bytes = record.encode(7);
        assert_eq!(Record::decode(&bytes, 8), None);
        for index in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[index] ^= 1 << bit;
                assert_eq!(Record::decode(&damaged, 7), None, "byte {index} bit {bit}");
            }
        }
        for len in 0..bytes.len() {
            assert_eq!(Record::decode(&bytes[..len], 7), None);
        }
    }

    /// If this failed, a claim that does not fit its field would be taken for a stronger one.
    #[test]
    fn a_claim_too_far_back_claims_nothing() {
        let mut record = sample(1, 1);
        record.ticket = Timestamp(1_000_000);
        let read = Record::decode(&record.encode(7), 7).unwrap();
        assert_eq!(read.settled, Timestamp(0));
    }

    /// If this failed, an older node of the same contents, or one at another place, would be taken for the section's own, and
    /// a section that never reached the medium would be believed.
    #[test]
    fn the_hash_of_nodes_tells_place_type_length_contents_and_order() {
        let hash = |nodes: &[(u64, u32, u32, u32)]| {
            let mut hash = NodesHash::new(7);
            nodes.iter().for_each(|&(offset, type_id, len_bytes, crc32c)| {
                hash.node(offset, type_id, len_bytes, crc32c)
            });
            hash.finish()
        };
        let node = (4096, 1, 2, 3);
        let other = (8192, 4, 5, 6);
        let hashes = [
            hash(&[]),
            hash(&[node]),
            hash(&[(4160, 1, 2, 3)]),
            hash(&[(4096, 9, 2, 3)]),
            hash(&[(4096, 1, 9, 3)]),
            hash(&[(4096, 1, 2, 9)]),
            hash(&[node, other]),
            hash(&[other, node]),
            NodesHash::new(8).finish(),
        ];
        let distinct: std::collections::BTreeSet<_> = hashes.iter().collect();
        assert_eq!(distinct.len(), hashes.len(), "{hashes:x?}");
    }
}
