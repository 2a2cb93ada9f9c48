//! Compares the byte tables of `docs/format.md` with the code. A room of its own, since the bytes are declared in four.

use std::collections::BTreeMap;
use std::mem::offset_of;

use crate::commit::{CheckpointSlot, Record, RecordKind, Run};
use crate::persist::NodeHeader;
use crate::pool::Superblock;
use crate::section::Timestamp;

/// The rows `| offset | type | field |` of the table under a heading, by field.
fn table(heading: &str) -> BTreeMap<String, (usize, String)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/format.md");
    let text = std::fs::read_to_string(path).expect("docs/format.md exists");
    let section =
        text.split("\n## ").find(|section| section.starts_with(heading)).expect("the heading exists");
    let rows = section.lines().filter_map(|line| {
        let mut cells =
            line.strip_prefix('|')?.split('|').map(|cell| cell.trim().trim_matches('`').to_owned());
        let (offset, kind, field) = (cells.next()?.parse().ok()?, cells.next()?, cells.next()?);
        Some((field, (offset, kind)))
    });
    rows.collect()
}

fn check(heading: &str, expected: &[(&str, usize, usize)]) {
    let rows = table(heading);
    for (field, offset, len_bytes) in expected {
        let (documented, kind) =
            rows.get(*field).unwrap_or_else(|| panic!("{heading}: `{field}` is not in the table"));
        assert_eq!(documented, offset, "{heading}: offset of `{field}`");
        let documented_len = match kind.as_str() {
            "u8" => 1,
            "u16" => 2,
            "u32" => 4,
            "u64" => 8,
            other => other
                .split(' ')
                .next()
                .and_then(|bytes| bytes.parse().ok())
                .expect("a type or a number of bytes"),
        };
        assert_eq!(documented_len, *len_bytes, "{heading}: length of `{field}`");
    }
    assert_eq!(rows.len(), expected.len(), "{heading}: the table has other fields than the code");
}

/// If this failed, a reader of the page would misread every pool's superblock.
#[test]
fn superblock_is_as_documented() {
    macro_rules! fields {
        ($($field:ident: $len:expr),+ $(,)?) => {
            &[$((stringify!($field), offset_of!(Superblock, $field), $len)),+]
        };
    }
    check(
        "Superblock",
        fields!(
            magic: 8, byte_order_mark: 4, version: 4, flags: 8, uuid: 16, sequence: 8, base: 8, pending_base: 8,
            reserve_bytes: 8, len_bytes: 8, line_bytes: 4, block_bytes: 4, rings_offset: 8, ring_count: 4,
            root_type_id: 4, ring_bytes: 8, schema_offset: 8, schema_len_bytes: 8, schema_fingerprint: 8,
            heap_offset: 8, hash_seed: 8, bitmap_offset: 8, bitmap_len_bytes: 8, bitmap_hash: 8, reserved: 328,
            hash: 8,
        ),
    );
}

/// If this failed, a reader of the page would misread every node.
#[test]
fn node_header_is_as_documented() {
    let mut rows = table("Node");
    assert_eq!(rows.remove("payload"), Some((NodeHeader::SIZE, "len_bytes".to_owned())));
    let offsets = [
        ("refcount", offset_of!(NodeHeader, refcount)),
        ("crc32c", offset_of!(NodeHeader, crc32c)),
        ("type_id", offset_of!(NodeHeader, type_id)),
        ("len_bytes", offset_of!(NodeHeader, len_bytes)),
    ];
    for (field, offset) in offsets {
        assert_eq!(rows.remove(field), Some((offset, "u32".to_owned())), "{field}");
    }
    assert!(rows.is_empty());
}

/// If this failed, a reader of the page would look for the wrong version.
#[test]
fn checkpoint_slot_is_as_documented() {
    let bytes = CheckpointSlot { watermark: Timestamp(0x11), root: 0x22 }.encode(7);
    let rows = table("Checkpoint slot");
    let word = |field: &str| {
        let at = rows[field].0;
        u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
    };
    assert_eq!(&bytes[rows["magic"].0..][..8], b"PMEMCKPT");
    assert_eq!((word("watermark"), word("root")), (0x11, 0x22));
    assert_eq!(bytes[rows["reserved"].0..rows["hash"].0], [0; 32]);
    assert_eq!(rows["hash"].0 + 8, bytes.len());
}

/// If this failed, a reader of the page would misread the commits after the checkpoint.
#[test]
fn record_is_as_documented() {
    let record = Record {
        kind: RecordKind::Hashed,
        ticket: Timestamp(0x0102_0304),
        settled: Timestamp(0x0102_0304 - 5),
        nodes_hash: 0x1122_3344_5566_7788,
        cells: Vec::new(),
        runs: vec![Run { first_line: 0xAB, lines: 3 }],
    };
    let bytes = record.encode(7);
    let rows = table("Commit record");
    let at = |field: &str| rows[field].0;
    assert_eq!(bytes[at("magic")], 0xA7);
    assert_eq!(bytes[at("kind")], 1);
    assert_eq!(bytes[at("cells")], 0);
    assert_eq!(bytes[at("runs")], 1);
    assert_eq!(bytes[at("unsettled")], 5);
    assert_eq!(bytes[at("ticket")..][..8], 0x0102_0304_u64.to_le_bytes());
    assert_eq!(bytes[at("nodes_hash")..][..8], 0x1122_3344_5566_7788_u64.to_le_bytes());
    assert_eq!(at("record_hash"), 24);
    assert_eq!(bytes[32..40], (0xAB_u64 | 3 << 40).to_le_bytes());
}
