//! A pool's bytes in the hands of somebody who knows the format (`docs/format.md`), and wants no good.

use pmem_runtime::__private::combine;
use twox_hash::XxHash3_64;

const SUPERBLOCKS: [usize; 2] = [0, 4096];
const CHECKPOINTS: [usize; 2] = [12288, 12352];
const LINE_BYTES: usize = 64;
const RECORD_MAGIC: u8 = 0xa7;

/// Offsets of numbers in a superblock.
const SEQUENCE: usize = 40;
pub(crate) const BASE: usize = 48;
pub(crate) const LEN_BYTES: usize = 72;
pub(crate) const RINGS_OFFSET: usize = 88;
pub(crate) const RING_COUNT: usize = 96;
pub(crate) const RING_BYTES: usize = 104;
pub(crate) const HEAP_OFFSET: usize = 136;
pub(crate) const BITMAP_OFFSET: usize = 152;
pub(crate) const BITMAP_LEN_BYTES: usize = 160;

/// Offsets of numbers in a checkpoint's slot.
pub(crate) const WATERMARK: usize = 8;
pub(crate) const ROOT: usize = 16;

/// A pool's bytes. What lies behind their end reads as zero and is not written.
#[derive(Clone)]
pub(crate) struct Forge {
    pub(crate) bytes: Vec<u8>,
}

impl Forge {
    pub(crate) fn word(&self, at: usize) -> u64 {
        self.bytes.get(at..at + 8).map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
    }

    pub(crate) fn half(&self, at: usize) -> u32 {
        self.word(at) as u32
    }

    pub(crate) fn put(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    pub(crate) fn put_word(&mut self, at: usize, word: u64) {
        self.put(at, &word.to_le_bytes());
    }

    /// A number of the superblock that counts.
    pub(crate) fn field(&self, field: usize) -> u64 {
        let [first, second] = SUPERBLOCKS;
        let is_second = self.word(second + SEQUENCE) > self.word(first + SEQUENCE);
        self.word(field + if is_second { second } else { first })
    }

    /// Overwrites a number in both superblocks.
    pub(crate) fn put_field(&mut self, field: usize, bytes: &[u8]) {
        SUPERBLOCKS.iter().for_each(|start| self.put(start + field, bytes));
        self.seal_superblocks();
    }

    /// Overwrites a number in both checkpoint slots.
    pub(crate) fn put_checkpoint(&mut self, field: usize, word: u64) {
        CHECKPOINTS.iter().for_each(|start| self.put_word(start + field, word));
        self.seal_checkpoints();
    }

    /// The newest checkpoint's root and watermark.
    pub(crate) fn checkpoint(&self) -> (u64, u64) {
        let newest = CHECKPOINTS.into_iter().max_by_key(|start| self.word(start + WATERMARK)).unwrap();
        (self.word(newest + ROOT), self.word(newest + WATERMARK))
    }

    pub(crate) fn seal_superblocks(&mut self) {
        for start in SUPERBLOCKS {
            self.seal(start, 504, 0);
        }
    }

    pub(crate) fn seal_checkpoints(&mut self) {
        let salt = self.salt();
        for start in CHECKPOINTS {
            self.seal(start, 56, salt);
        }
    }

    /// Makes the checksum right that follows `len_bytes` bytes.
    fn seal(&mut self, start: usize, len_bytes: usize, seed: u64) {
        let Some(bytes) = self.bytes.get(start..start + len_bytes) else { return };
        let hash = XxHash3_64::oneshot_with_seed(seed, bytes);
        self.put_word(start + len_bytes, hash);
    }

    /// Makes a node's checksum right. Types with volatile fields are not provided for.
    pub(crate) fn seal_node(&mut self, node: usize) {
        let len_bytes = self.half(node + 12) as usize;
        let Some(payload) = self.bytes.get(node + 16..node + 16 + len_bytes) else { return };
        let checksum = crc32c::crc32c(payload);
        self.put(node + 4, &checksum.to_le_bytes());
    }

    fn salt(&self) -> u64 {
        let uuid = [self.field(24), self.field(32)].map(u64::to_le_bytes).concat();
        XxHash3_64::oneshot(&uuid)
    }

    /// Where lines of the rings begin as records do, and end within the rings.
    pub(crate) fn records(&self) -> Vec<usize> {
        let (start, end) = (self.field(RINGS_OFFSET) as usize, self.field(HEAP_OFFSET) as usize);
        let end = end.min(self.bytes.len());
        let starts = (start..end).step_by(LINE_BYTES);
        starts
            .filter(|at| self.bytes[*at] == RECORD_MAGIC && matches!(self.bytes[at + 1], 1 | 2))
            .filter(|at| at + self.record_len_bytes(*at) <= end)
            .collect()
    }

    fn record_len_bytes(&self, at: usize) -> usize {
        let [_, cells, runs, _] = self.record_halves(at);
        (32 + 16 * cells + 8 * runs).div_ceil(LINE_BYTES) * LINE_BYTES
    }

    /// The first eight bytes: magic and kind, cells, runs, unsettled.
    fn record_halves(&self, at: usize) -> [usize; 4] {
        let word = self.word(at);
        [0, 16, 32, 48].map(|shift| usize::from((word >> shift) as u16))
    }

    /// Makes a record's hashes right; that over the nodes only if asked to.
    pub(crate) fn seal_record(&mut self, at: usize, with_nodes: bool) {
        let (salt, len_bytes) = (self.salt(), self.record_len_bytes(at));
        if with_nodes {
            self.put_word(at + 16, self.nodes_hash(at, salt));
        }
        self.put_word(at + 24, 0);
        let Some(bytes) = self.bytes.get(at..at + len_bytes) else { return };
        let hash = XxHash3_64::oneshot_with_seed(salt, bytes);
        self.put_word(at + 24, hash);
    }

    fn nodes_hash(&self, at: usize, salt: u64) -> u64 {
        let [_, cells, runs, _] = self.record_halves(at);
        let mut hash = salt;
        for run in 0..runs {
            let word = self.word(at + 32 + 16 * cells + 8 * run);
            let mut node = (word & ((1 << 40) - 1)) as usize * LINE_BYTES;
            let end = (node + (word >> 40) as usize * LINE_BYTES).min(self.bytes.len());
            while node < end {
                let (type_id, len_bytes) = (self.half(node + 8), self.half(node + 12));
                let shape = u64::from(type_id) << 32 | u64::from(len_bytes);
                hash = combine(combine(combine(hash, node as u64), shape), u64::from(self.half(node + 4)));
                node += (16 + len_bytes as usize).div_ceil(LINE_BYTES) * LINE_BYTES;
            }
        }
        hash
    }

    /// Writes a hashed record of one cell, the root, into the first ring's lines from `line` on. Says where.
    pub(crate) fn put_record(&mut self, line: usize, ticket: u64, root: u64, runs: &[(u64, u64)]) -> usize {
        let at = self.field(RINGS_OFFSET) as usize + line * LINE_BYTES;
        let halves = [u16::from_le_bytes([RECORD_MAGIC, 1]), 1, runs.len() as u16, u16::MAX];
        self.put(at, &halves.map(u16::to_le_bytes).concat());
        for (index, word) in [ticket, 0, 0, 0, root].into_iter().enumerate() {
            self.put_word(at + 8 + 8 * index, word);
        }
        for (index, (first_line, lines)) in runs.iter().enumerate() {
            self.put_word(at + 48 + 8 * index, first_line | lines << 40);
        }
        self.seal_record(at, true);
        at
    }
}
