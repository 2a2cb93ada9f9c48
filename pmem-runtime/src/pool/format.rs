//! Where everything in a pool is, and the superblock's bytes. The tables are in `docs/format.md`.
//!
//! Frozen in all versions: the magic, the byte-order mark, the version and the checksum of a superblock stay where they
//! are, so that every version can tell a newer one from a damaged one.

use std::mem::{offset_of, size_of};

use twox_hash::XxHash3_64;

use crate::error::{Limits, SlotFault};
use crate::mutants::{Mutant, planted};

/// The unit of everything outside the heap.
pub(crate) const PAGE_BYTES: u64 = 4096;
/// The unit of the heap and of growth.
pub(crate) const BLOCK_BYTES: u64 = 32 * 1024;

/// Superblock A, on a page of its own: a torn write to one cannot reach the other.
pub(crate) const SUPERBLOCK_A_OFFSET: u64 = 0;
/// Superblock B.
pub(crate) const SUPERBLOCK_B_OFFSET: u64 = PAGE_BYTES;
/// Words that processes share; never trusted by recovery.
pub(crate) const HEADER_OFFSET: u64 = 2 * PAGE_BYTES;
/// The checkpoint's two slots.
pub(crate) const CHECKPOINT_OFFSET: u64 = 3 * PAGE_BYTES;
/// The schema's text; rings follow on the next page, and the heap on the next block.
pub(crate) const SCHEMA_OFFSET: u64 = 4 * PAGE_BYTES;

/// The durable horizon, alone on its line.
pub(crate) const HORIZON_OFFSET: u64 = HEADER_OFFSET;
/// Where other processes and remote readers say what they still read, a line each.
pub(crate) const READER_SLOTS_OFFSET: u64 = HEADER_OFFSET + READER_SLOT_BYTES;
/// One line: readers do not share one.
pub(crate) const READER_SLOT_BYTES: u64 = 64;
/// How many foreign readers can announce themselves.
pub(crate) const READER_SLOT_COUNT: u64 = 32;
/// One line: written and checksummed as a whole.
pub(crate) const CHECKPOINT_SLOT_BYTES: u64 = 64;

/// The first eight bytes. The last of them are what a text mode or a stripped eighth bit would spoil.
pub(crate) const MAGIC: [u8; 8] = *b"PMEMPL\x8b\n";
/// Reads as itself in the right byte order only.
pub(crate) const BYTE_ORDER_MARK: u32 = 0x0102_0304;
/// The format's version.
pub(crate) const VERSION: u32 = 1;

/// Set in `flags` while no one has the pool open for writing: the saved bitmap may be believed.
pub(crate) const FLAG_CLEAN: u64 = 1;
/// Set in `flags` while pointers are rewritten from `base` to `pending_base`: either may be met.
pub(crate) const FLAG_RELOCATING: u64 = 1 << 1;

/// More would make the longest reservation collide with the end of the user's addresses.
pub(crate) const MAX_RESERVE_BYTES: u64 = 1 << 44;
/// A description of thousands of types; more is not a description.
pub(crate) const MAX_SCHEMA_BYTES: u64 = 1 << 20;
/// As many as writers that commit at once on the largest machines.
pub(crate) const MAX_RINGS: u64 = 256;
/// Smaller ones hold too few records to amortise a checkpoint.
pub(crate) const MIN_RING_BYTES: u64 = PAGE_BYTES;
/// Larger ones would make recovery long.
pub(crate) const MAX_RING_BYTES: u64 = 1 << 30;
/// Leaves and inner nodes are in different blocks, so a heap has at least two.
pub(crate) const MIN_HEAP_BYTES: u64 = 2 * BLOCK_BYTES;

/// Bases lie from here ...
pub(crate) const LOWEST_BASE: u64 = 0x1000_0000_0000;
/// ... to here: between the heap of C's allocator and the kernel's own choices.
pub(crate) const HIGHEST_BASE: u64 = 0x6000_0000_0000;
/// A multiple of every page size, so that no kind of page is ruled out.
pub(crate) const BASE_ALIGN: u64 = 1 << 30;

/// The last sequence number that a pool is opened with: more updates can follow than any session makes.
pub(crate) const MAX_FOUND_SEQUENCE: u64 = 1 << 63;

/// Bytes of a superblock.
pub(crate) const SUPERBLOCK_BYTES: usize = 512;

/// A superblock. Every integer is little-endian; no byte is padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Superblock {
    pub(crate) magic: [u8; 8],
    pub(crate) byte_order_mark: u32,
    pub(crate) version: u32,
    /// [`FLAG_CLEAN`], [`FLAG_RELOCATING`].
    pub(crate) flags: u64,
    /// The pool's identity.
    pub(crate) uuid: [u8; 16],
    /// Grows with each update; the valid superblock with the higher one counts.
    pub(crate) sequence: u64,
    /// Where the pool was mapped when its pointers were written.
    pub(crate) base: u64,
    /// Where pointers are being moved to; zero if they are not.
    pub(crate) pending_base: u64,
    /// How long the pool can become.
    pub(crate) reserve_bytes: u64,
    /// How long it is.
    pub(crate) len_bytes: u64,
    /// 64.
    pub(crate) line_bytes: u32,
    /// 32,768.
    pub(crate) block_bytes: u32,
    /// Where the first ring starts.
    pub(crate) rings_offset: u64,
    /// How many rings there are, side by side.
    pub(crate) ring_count: u32,
    /// The type of the root.
    pub(crate) root_type_id: u32,
    /// Bytes of each ring.
    pub(crate) ring_bytes: u64,
    /// Where the schema's text starts.
    pub(crate) schema_offset: u64,
    /// Bytes of text.
    pub(crate) schema_len_bytes: u64,
    /// XXH3-64 of the text.
    pub(crate) schema_fingerprint: u64,
    /// Where the first block starts.
    pub(crate) heap_offset: u64,
    /// Random, for the hashes of collections.
    pub(crate) hash_seed: u64,
    /// Where a clean close saved the bitmap of lines; zero if nowhere.
    pub(crate) bitmap_offset: u64,
    /// Bytes of saved bitmap.
    pub(crate) bitmap_len_bytes: u64,
    /// XXH3-64 of the saved bitmap.
    pub(crate) bitmap_hash: u64,
    pub(crate) reserved: [u8; 328],
    /// XXH3-64 of all bytes before it; computed by `encode`, zero in memory.
    pub(crate) hash: u64,
}

const _: () = {
    assert!(size_of::<Superblock>() == SUPERBLOCK_BYTES);
    assert!(offset_of!(Superblock, byte_order_mark) == 8);
    assert!(offset_of!(Superblock, version) == 12);
    assert!(offset_of!(Superblock, flags) == 16);
    assert!(offset_of!(Superblock, uuid) == 24);
    assert!(offset_of!(Superblock, sequence) == 40);
    assert!(offset_of!(Superblock, base) == 48);
    assert!(offset_of!(Superblock, pending_base) == 56);
    assert!(offset_of!(Superblock, reserve_bytes) == 64);
    assert!(offset_of!(Superblock, len_bytes) == 72);
    assert!(offset_of!(Superblock, line_bytes) == 80);
    assert!(offset_of!(Superblock, block_bytes) == 84);
    assert!(offset_of!(Superblock, rings_offset) == 88);
    assert!(offset_of!(Superblock, ring_count) == 96);
    assert!(offset_of!(Superblock, root_type_id) == 100);
    assert!(offset_of!(Superblock, ring_bytes) == 104);
    assert!(offset_of!(Superblock, schema_offset) == 112);
    assert!(offset_of!(Superblock, schema_len_bytes) == 120);
    assert!(offset_of!(Superblock, schema_fingerprint) == 128);
    assert!(offset_of!(Superblock, heap_offset) == 136);
    assert!(offset_of!(Superblock, hash_seed) == 144);
    assert!(offset_of!(Superblock, bitmap_offset) == 152);
    assert!(offset_of!(Superblock, bitmap_len_bytes) == 160);
    assert!(offset_of!(Superblock, bitmap_hash) == 168);
    assert!(offset_of!(Superblock, reserved) == 176);
    assert!(offset_of!(Superblock, hash) == 504);
    assert!(READER_SLOTS_OFFSET + READER_SLOT_COUNT * READER_SLOT_BYTES <= CHECKPOINT_OFFSET);
    assert!(CHECKPOINT_OFFSET + 2 * CHECKPOINT_SLOT_BYTES <= SCHEMA_OFFSET);
};

/// A number of the superblock that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GeometryFault {
    pub(crate) field: &'static str,
    pub(crate) found: u64,
    pub(crate) limits: Limits,
}

impl Superblock {
    /// A superblock of this version in which every other field is zero.
    pub(crate) fn blank() -> Self {
        Superblock {
            magic: MAGIC,
            byte_order_mark: BYTE_ORDER_MARK,
            version: VERSION,
            flags: 0,
            uuid: [0; 16],
            sequence: 0,
            base: 0,
            pending_base: 0,
            reserve_bytes: 0,
            len_bytes: 0,
            line_bytes: crate::hw::LINE_BYTES as u32,
            block_bytes: BLOCK_BYTES as u32,
            rings_offset: 0,
            ring_count: 0,
            root_type_id: 0,
            ring_bytes: 0,
            schema_offset: SCHEMA_OFFSET,
            schema_len_bytes: 0,
            schema_fingerprint: 0,
            heap_offset: 0,
            hash_seed: 0,
            bitmap_offset: 0,
            bitmap_len_bytes: 0,
            bitmap_hash: 0,
            reserved: [0; 328],
            hash: 0,
        }
    }

    /// Its bytes, with a checksum that holds.
    pub(crate) fn encode(&self) -> [u8; SUPERBLOCK_BYTES] {
        let mut out = Encoder { bytes: [0; SUPERBLOCK_BYTES], at: 0 };
        out.put(&self.magic);
        out.put(&self.byte_order_mark.to_le_bytes());
        out.put(&self.version.to_le_bytes());
        out.put(&self.flags.to_le_bytes());
        out.put(&self.uuid);
        for word in [self.sequence, self.base, self.pending_base, self.reserve_bytes, self.len_bytes] {
            out.put(&word.to_le_bytes());
        }
        out.put(&self.line_bytes.to_le_bytes());
        out.put(&self.block_bytes.to_le_bytes());
        out.put(&self.rings_offset.to_le_bytes());
        out.put(&self.ring_count.to_le_bytes());
        out.put(&self.root_type_id.to_le_bytes());
        for word in [
            self.ring_bytes,
            self.schema_offset,
            self.schema_len_bytes,
            self.schema_fingerprint,
            self.heap_offset,
            self.hash_seed,
            self.bitmap_offset,
            self.bitmap_len_bytes,
            self.bitmap_hash,
        ] {
            out.put(&word.to_le_bytes());
        }
        out.put(&self.reserved);
        let hash = XxHash3_64::oneshot(&out.bytes[..HASH_AT]);
        out.put(&hash.to_le_bytes());
        out.bytes
    }

    /// Judges bytes that may be anything.
    pub(crate) fn decode(bytes: &[u8; SUPERBLOCK_BYTES]) -> Result<Self, SlotFault> {
        let magic = array(bytes, offset_of!(Superblock, magic));
        if magic != MAGIC {
            return Err(SlotFault::NoMagic { found: magic });
        }
        let word = |at| u64::from_le_bytes(array(bytes, at));
        let half = |at| u32::from_le_bytes(array(bytes, at));
        let byte_order_mark = half(offset_of!(Superblock, byte_order_mark));
        if byte_order_mark == BYTE_ORDER_MARK.swap_bytes() {
            return Err(SlotFault::ForeignEndianness);
        }
        if byte_order_mark != BYTE_ORDER_MARK {
            return Err(SlotFault::WrongMark { found: byte_order_mark });
        }
        let (expected, found) = (XxHash3_64::oneshot(&bytes[..HASH_AT]), word(HASH_AT));
        if expected != found && !planted(Mutant::TornSuperblockAccepted) {
            return Err(SlotFault::WrongChecksum { expected, found });
        }
        let version = half(offset_of!(Superblock, version));
        if version != VERSION {
            return Err(SlotFault::WrongVersion { found: version });
        }
        Ok(Superblock {
            magic,
            byte_order_mark,
            version,
            flags: word(offset_of!(Superblock, flags)),
            uuid: array(bytes, offset_of!(Superblock, uuid)),
            sequence: word(offset_of!(Superblock, sequence)),
            base: word(offset_of!(Superblock, base)),
            pending_base: word(offset_of!(Superblock, pending_base)),
            reserve_bytes: word(offset_of!(Superblock, reserve_bytes)),
            len_bytes: word(offset_of!(Superblock, len_bytes)),
            line_bytes: half(offset_of!(Superblock, line_bytes)),
            block_bytes: half(offset_of!(Superblock, block_bytes)),
            rings_offset: word(offset_of!(Superblock, rings_offset)),
            ring_count: half(offset_of!(Superblock, ring_count)),
            root_type_id: half(offset_of!(Superblock, root_type_id)),
            ring_bytes: word(offset_of!(Superblock, ring_bytes)),
            schema_offset: word(offset_of!(Superblock, schema_offset)),
            schema_len_bytes: word(offset_of!(Superblock, schema_len_bytes)),
            schema_fingerprint: word(offset_of!(Superblock, schema_fingerprint)),
            heap_offset: word(offset_of!(Superblock, heap_offset)),
            hash_seed: word(offset_of!(Superblock, hash_seed)),
            bitmap_offset: word(offset_of!(Superblock, bitmap_offset)),
            bitmap_len_bytes: word(offset_of!(Superblock, bitmap_len_bytes)),
            bitmap_hash: word(offset_of!(Superblock, bitmap_hash)),
            reserved: array(bytes, offset_of!(Superblock, reserved)),
            hash: 0,
        })
    }

    /// Judges the numbers against each other. After `Ok` no sum of an offset and a length of this superblock overflows,
    /// and everything lies within `len_bytes`, which is at most `reserve_bytes`.
    pub(crate) fn check(&self) -> Result<(), GeometryFault> {
        let most = |at_least, at_most, multiple_of| Limits { at_least, at_most, multiple_of };
        within("flags", self.flags, most(0, FLAG_CLEAN | FLAG_RELOCATING, 1))?;
        within("line_bytes", self.line_bytes.into(), exactly(crate::hw::LINE_BYTES as u64))?;
        within("block_bytes", self.block_bytes.into(), exactly(BLOCK_BYTES))?;
        within("reserve_bytes", self.reserve_bytes, most(BLOCK_BYTES, MAX_RESERVE_BYTES, BLOCK_BYTES))?;
        within("len_bytes", self.len_bytes, most(BLOCK_BYTES, self.reserve_bytes, BLOCK_BYTES))?;
        within("schema_offset", self.schema_offset, exactly(SCHEMA_OFFSET))?;
        within("schema_len_bytes", self.schema_len_bytes, most(0, MAX_SCHEMA_BYTES, 1))?;
        within("rings_offset", self.rings_offset, exactly(rings_offset(self.schema_len_bytes)))?;
        within("ring_count", self.ring_count.into(), most(1, MAX_RINGS, 1))?;
        within("ring_bytes", self.ring_bytes, most(MIN_RING_BYTES, MAX_RING_BYTES, PAGE_BYTES))?;
        let heap_offset = heap_offset(self.rings_offset, self.ring_count.into(), self.ring_bytes);
        within("heap_offset", self.heap_offset, exactly(heap_offset))?;
        within(
            "len_bytes",
            self.len_bytes,
            most(heap_offset + MIN_HEAP_BYTES, self.reserve_bytes, BLOCK_BYTES),
        )?;
        let bases = most(LOWEST_BASE, HIGHEST_BASE, BASE_ALIGN);
        within("base", self.base, bases)?;
        if self.is_relocating() {
            within("pending_base", self.pending_base, bases)?;
            // A pointer means one offset only if the ranges are disjoint.
            let apart = most(self.reserve_bytes, u64::MAX, 1);
            within("distance of pending_base from base", self.base.abs_diff(self.pending_base), apart)?;
        } else {
            within("pending_base", self.pending_base, exactly(0))?;
        }
        if self.bitmap_len_bytes == 0 {
            return within("bitmap_offset", self.bitmap_offset, exactly(0));
        }
        within("bitmap_len_bytes", self.bitmap_len_bytes, most(1, self.len_bytes - self.heap_offset, 1))?;
        let last = self.len_bytes - self.bitmap_len_bytes;
        within(
            "bitmap_offset",
            self.bitmap_offset,
            most(self.heap_offset, last, crate::hw::LINE_BYTES as u64),
        )
    }

    /// Judges one that was found, as [`Superblock::check`] does, and whether its sequence number can be counted on from.
    pub(crate) fn check_found(&self) -> Result<(), GeometryFault> {
        within(
            "sequence",
            self.sequence,
            Limits { at_least: 0, at_most: MAX_FOUND_SEQUENCE, multiple_of: 1 },
        )?;
        self.check()
    }

    /// Whether it was closed properly.
    pub(crate) fn is_clean(&self) -> bool {
        self.flags & FLAG_CLEAN != 0
    }

    /// Whether its pointers are being rewritten.
    pub(crate) fn is_relocating(&self) -> bool {
        self.flags & FLAG_RELOCATING != 0
    }
}

const HASH_AT: usize = offset_of!(Superblock, hash);

/// Where the rings start behind a schema of this length.
pub(crate) const fn rings_offset(schema_len_bytes: u64) -> u64 {
    (SCHEMA_OFFSET + schema_len_bytes).next_multiple_of(PAGE_BYTES)
}

/// Where the heap starts behind these rings.
pub(crate) const fn heap_offset(rings_offset: u64, ring_count: u64, ring_bytes: u64) -> u64 {
    (rings_offset + ring_count * ring_bytes).next_multiple_of(BLOCK_BYTES)
}

const fn exactly(value: u64) -> Limits {
    Limits { at_least: value, at_most: value, multiple_of: 1 }
}

fn within(field: &'static str, found: u64, limits: Limits) -> Result<(), GeometryFault> {
    let fits =
        (limits.at_least..=limits.at_most).contains(&found) && found.is_multiple_of(limits.multiple_of);
    if fits { Ok(()) } else { Err(GeometryFault { field, found, limits }) }
}

fn array<const N: usize>(bytes: &[u8; SUPERBLOCK_BYTES], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[at..at + N]);
    out
}

struct Encoder {
    bytes: [u8; SUPERBLOCK_BYTES],
    at: usize,
}

impl Encoder {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }
}
