//! Files that are not what they should be: a typed error each, and the file is left as it was (law 8).

use std::fs;

use proptest::prelude::{ProptestConfig, any, prop, proptest};
use twox_hash::XxHash3_64;

use super::{READ_ONLY, SCHEMA, Shelf};
use crate::error::{OpenError, SlotFault};
use crate::pool::PoolFile;

/// Recomputes the checksums, as a program that writes nonsense would.
fn seal(bytes: &mut [u8]) {
    for start in [0, 4096] {
        let hash = XxHash3_64::oneshot(&bytes[start..start + 504]);
        bytes[start + 504..start + 512].copy_from_slice(&hash.to_le_bytes());
    }
}

/// Changes both superblocks and makes their checksums hold.
fn with_field(at: usize, field: &[u8]) -> Shelf {
    let shelf = Shelf::new();
    shelf.edit(|bytes| {
        for start in [0, 4096] {
            bytes[start + at..start + at + field.len()].copy_from_slice(field);
        }
        seal(bytes);
    });
    shelf
}

/// If this failed, any file could be taken for a pool and overwritten.
#[test]
fn something_else_is_not_a_pool_and_its_first_bytes_are_shown() {
    let shelf = Shelf::new();
    for contents in [b"".as_slice(), b"PK", b"#!/bin/sh\n", &[0; 70_000]] {
        fs::write(&shelf.path, contents).unwrap();
        let error = shelf.open_fails();
        let OpenError::NotAPool { found, len_bytes, .. } = &error else { panic!("{error:?}") };
        assert_eq!(
            (found.as_slice(), *len_bytes),
            (&contents[..contents.len().min(8)], contents.len() as u64)
        );
    }
}

/// If this failed, a pool of another version, byte order or library would be misread instead of refused.
#[test]
fn other_versions_and_byte_orders_are_refused_as_what_they_are() {
    let newer = with_field(12, &2_u32.to_le_bytes()).open_fails();
    assert!(matches!(newer, OpenError::WrongVersion { found: 2, supported: 1, .. }), "{newer:?}");
    let foreign = with_field(8, &0x0403_0201_u32.to_le_bytes()).open_fails();
    assert!(matches!(foreign, OpenError::ForeignEndianness { .. }), "{foreign:?}");
    let neither = with_field(8, &5_u32.to_le_bytes()).open_fails();
    let OpenError::CorruptSuperblock { first, .. } = neither else { panic!("{neither:?}") };
    assert_eq!(first, SlotFault::WrongMark { found: 5 });
    // A newer version's superblock is not passed over for an older one of ours.
    let shelf = Shelf::new();
    shelf.edit(|bytes| {
        bytes[12] = 2;
        seal(bytes);
    });
    assert!(matches!(shelf.open_fails(), OpenError::WrongVersion { found: 2, .. }));
}

/// If this failed, a pool would be opened by a superblock that no one wrote.
#[test]
fn two_damaged_superblocks_are_reported_each_with_its_reason() {
    let shelf = Shelf::new();
    shelf.edit(|bytes| {
        bytes[72] ^= 1;
        bytes[4096] = b'?';
    });
    let error = shelf.open_fails();
    let OpenError::CorruptSuperblock { first, second, .. } = &error else { panic!("{error:?}") };
    assert!(matches!(first, SlotFault::WrongChecksum { .. }), "{first:?}");
    assert!(matches!(second, SlotFault::NoMagic { .. }), "{second:?}");
}

/// If this failed, a store to the missing part would kill the process.
#[test]
fn a_truncated_file_is_refused_at_every_length() {
    for len in [1, 8, 511, 512, 4095, 4608, 20_000, (256 << 10) - 1] {
        let shelf = Shelf::new();
        shelf.edit(|bytes| bytes.truncate(len));
        let error = shelf.open_fails();
        let is_right = match &error {
            OpenError::NotAPool { .. } => len < 8,
            OpenError::CorruptSuperblock { .. } => (8..512).contains(&len),
            OpenError::Truncated { recorded, found, .. } => {
                len >= 512 && (*recorded, *found) == (256 << 10, len as u64)
            }
            _ => false,
        };
        assert!(is_right, "{len}: {error:?}");
    }
}

/// If this failed, an interrupted growth would make a pool unusable, or foreign bytes would be taken into its heap.
#[test]
fn a_longer_file_is_a_pool_only_if_the_tail_is_zero_and_within_the_reservation() {
    let shelf = Shelf::new();
    shelf.edit(|bytes| bytes.extend([0; 100_000]));
    let pool = shelf.open().unwrap();
    assert_eq!(pool.len_bytes(), 256 << 10);
    assert_eq!(pool.grow(512 << 10).unwrap(), 512 << 10);
    drop(pool);
    shelf.edit(|bytes| bytes.extend([vec![0; 70_000], vec![1]].concat()));
    let error = shelf.open_fails();
    let OpenError::LargerThanRecorded { recorded, found, .. } = error else { panic!("{error:?}") };
    assert_eq!((recorded, found), (512 << 10, (512 << 10) + 70_001));
    // A sparse file of absurd length is judged without reading it.
    let shelf = Shelf::new();
    let file = fs::OpenOptions::new().write(true).open(&shelf.path).unwrap();
    file.set_len(64 << 20).unwrap();
    drop(shelf.open().unwrap());
    file.set_len(1 << 40).unwrap();
    assert!(matches!(shelf.open(), Err(OpenError::LargerThanRecorded { .. })));
}

/// If this failed, a number of the superblock could lead outside the pool, or make the program ask for absurd memory.
#[test]
fn every_number_out_of_bounds_is_refused_by_name() {
    let word = |value: u64| value.to_le_bytes().to_vec();
    let half = |value: u32| value.to_le_bytes().to_vec();
    for (at, value, name) in [
        (16, word(4), "flags"),
        (40, word(u64::MAX), "sequence"),
        (40, word((1 << 63) + 1), "sequence"),
        (48, word(0), "base"),
        (48, word(0x1000_0000_1000), "base"),
        (48, word(u64::MAX), "base"),
        (56, word(1), "pending_base"),
        (64, word(u64::MAX), "reserve_bytes"),
        (64, word(0), "reserve_bytes"),
        (72, word(u64::MAX), "len_bytes"),
        (72, word(32 << 10), "len_bytes"),
        (72, word((256 << 10) + 1), "len_bytes"),
        (80, half(32), "line_bytes"),
        (84, half(0), "block_bytes"),
        (88, word(u64::MAX - 4095), "rings_offset"),
        (96, half(0), "ring_count"),
        (96, half(u32::MAX), "ring_count"),
        (104, word(u64::MAX), "ring_bytes"),
        (104, word(8192), "heap_offset"),
        (112, word(0), "schema_offset"),
        (120, word(u64::MAX), "schema_len_bytes"),
        (136, word(u64::MAX), "heap_offset"),
        (152, word(1), "bitmap_offset"),
        (160, word(u64::MAX), "bitmap_len_bytes"),
        (160, word(64), "bitmap_offset"),
    ] {
        let error = with_field(at, &value).open_fails();
        assert!(
            matches!(error, OpenError::WrongGeometry { field, .. } if field == name),
            "offset {at}, value {value:02x?}, expected {name}: {error:?}"
        );
    }
    // The largest that is accepted can be counted on from.
    let last = with_field(40, &word(1 << 63)).open().unwrap();
    last.grow(512 << 10).unwrap();
    assert_eq!(last.superblock().sequence, (1 << 63) + 1);
    let mut relocating = 2_u64.to_le_bytes().to_vec();
    relocating.resize(8, 0);
    let error = with_field(16, &relocating).open_fails();
    assert!(matches!(error, OpenError::WrongGeometry { field: "pending_base", .. }), "{error:?}");
}

/// If this failed, a damaged description would be compared, printed or trusted.
#[test]
fn a_damaged_schema_is_refused() {
    let shelf = Shelf::new();
    shelf.edit(|bytes| bytes[16384 + 3] ^= 1);
    assert!(matches!(shelf.open_fails(), OpenError::DamagedSchema { offset: 16384, .. }));
    let mut text = SCHEMA.as_bytes().to_vec();
    text[3] = 0xff;
    let shelf = with_field(128, &XxHash3_64::oneshot(&text).to_le_bytes());
    shelf.edit(|bytes| bytes[16384..16384 + text.len()].copy_from_slice(&text));
    let error = shelf.open_fails();
    assert!(
        matches!(&error, OpenError::DamagedSchema { reason, .. } if reason.contains("UTF-8")),
        "{error:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// If this failed, some file would crash, hang or mislead the program that opens it.
    #[test]
    fn no_mutation_of_the_superblocks_does_more_than_fail_to_open(
        edits in prop::collection::vec((0_usize..2, 0_usize..176, any::<u8>()), 1..6),
        words in prop::collection::vec((0_usize..22, any::<u64>(), 0_u32..64), 0..3),
        is_sealed in any::<bool>(),
        cut in prop::option::weighted(0.2, 0_usize..300_000),
    ) {
        thread_local! {
            static SHELF: (Shelf, Vec<u8>) = {
                let shelf = Shelf::new();
                let bytes = fs::read(&shelf.path).unwrap();
                (shelf, bytes)
            };
        }
        SHELF.with(|(shelf, original)| {
            let mut bytes = original.clone();
            for (slot, at, value) in &edits {
                bytes[slot * 4096 + at] ^= value;
            }
            for (index, value, shift) in &words {
                let at = index * 8;
                bytes[at..at + 8].copy_from_slice(&(value >> shift).to_le_bytes());
                bytes.copy_within(at..at + 8, 4096 + at);
            }
            if is_sealed {
                seal(&mut bytes);
            }
            if let Some(cut) = cut {
                bytes.resize(cut, 0);
            }
            fs::write(&shelf.path, &bytes).unwrap();
            for opened in [PoolFile::open(&shelf.path, &READ_ONLY), shelf.open()] {
                let Ok(pool) = opened else { continue };
                let superblock = pool.superblock();
                assert_eq!(superblock.check(), Ok(()));
                let mut last = [0];
                // SAFETY: no one writes the pool.
                unsafe { pool.region().read_bytes(superblock.len_bytes - 1, &mut last) }.unwrap();
            }
            assert!(fs::read(&shelf.path).unwrap() == bytes, "opening changed the file");
        });
    }
}
