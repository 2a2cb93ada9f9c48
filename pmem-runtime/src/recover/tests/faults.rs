//! Marking pools that are damaged: an error that says where, and never anything worse.

use super::*;
use crate::recover::Referrer;

/// A pool of each kind of node, its root and the other nodes: left, right, bytes, gauge.
fn small() -> (Pool, [u64; 5]) {
    let mut pool = Pool::new();
    let (root, left, right) = (pool.tree(), pool.tree(), pool.tree());
    let (bytes, gauge) = (pool.node(&BYTES, &[5; 200]), pool.node(&GAUGE, &[3; 16]));
    pool.point(root, 0, left);
    pool.point(root, 1, right);
    pool.point(left, 2, bytes);
    pool.point(right, 3, gauge);
    (pool, [root, left, right, bytes, gauge])
}

/// The error for a pool that was changed, the same for all numbers of threads, with a text that names the offset.
#[track_caller]
fn error(pool: &mut Pool, root: u64, how: How) -> MarkError {
    let alone = mark(pool, root, &TREE, how).unwrap_err();
    let together = mark(pool, root, &TREE, How { threads: 4, ..how }).unwrap_err();
    assert_eq!(alone, together);
    let text = alone.to_string();
    assert!(text.contains("0x") && text.contains("restore it from a backup"), "{text}");
    alone
}

fn slot(node: u64, index: u64) -> Referrer {
    Referrer::Slot { offset: node + 16 + 8 * index, node, type_name: "Tree".to_owned() }
}

const TRUST: How = How { checksums: Checksums::Trust, ..ALONE };

#[test]
fn a_root_outside_the_heap_is_followed() {
    // If this fails, a damaged root cell makes recovery read beyond the mapping.
    let (mut pool, _) = small();
    let end = pool.len_bytes();
    for offset in [0, 64, HEAP_START + 8, end, end - 8, u64::MAX, u64::MAX - 63] {
        let found = error(&mut pool, offset, TRUST);
        let expected =
            MarkError::Outside { offset, referrer: Referrer::Root, heap_start: HEAP_START, heap_end: end };
        assert_eq!(found, expected);
    }
}

#[test]
fn a_wild_pointer_is_followed() {
    // If this fails, one flipped bit in a pointer makes recovery read where no node is.
    let (pool, [root, left, ..]) = small();
    let end = pool.len_bytes();
    for pointer in [1, BASE, BASE + HEAP_START + 8, BASE + HEAP_START - 64, BASE + end, u64::MAX, 64] {
        let mut pool = pool.clone();
        pool.bytes()[left as usize + 24..][..8].copy_from_slice(&pointer.to_le_bytes());
        let MarkError::Damaged { offset, node, type_name, found, .. } = error(&mut pool, root, TRUST) else {
            panic!("{pointer:#x} is no damage");
        };
        assert_eq!((offset, node, type_name.as_str(), found), (left + 24, left, "Tree", pointer));
    }
}

#[test]
fn a_wrong_type_is_read_as_the_right_one() {
    // If this fails, a pointer into an unrelated node gives the user a value made of its bytes.
    let (mut pool, [root, left, _, bytes, _]) = small();
    pool.point(left, 0, bytes);
    let found = error(&mut pool, root, TRUST);
    let expected = MarkError::WrongType {
        offset: bytes,
        referrer: slot(left, 0),
        expected: "Tree".to_owned(),
        found: BYTES.id,
        found_name: Some("Bytes".to_owned()),
    };
    assert_eq!(found, expected);
    pool.put(bytes, 8, 0xdead_beef);
    let MarkError::WrongType { found_name: None, .. } = error(&mut pool, root, TRUST) else {
        panic!("a type that no one knows has a name");
    };
}

#[test]
fn a_wrong_length_is_believed() {
    // If this fails, a damaged length makes recovery judge bytes of other nodes, or behind the mapping.
    let (pool, [root, left, _, bytes, _]) = small();
    let end = pool.len_bytes();
    for (node, found) in
        [(left, 39), (left, 41), (left, 0), (bytes, (end - bytes) as u32 - 15), (bytes, u32::MAX)]
    {
        let mut pool = pool.clone();
        pool.put(node, 12, found);
        let MarkError::BadLength { offset, found: reported, room_bytes, .. } = error(&mut pool, root, TRUST)
        else {
            panic!("{found} is no bad length");
        };
        assert_eq!((offset, reported, room_bytes), (node, found, end - node - 16));
    }
}

#[test]
fn an_invalid_payload_is_lent() {
    // If this fails, a byte that is no truth value becomes a `bool`: undefined behaviour in safe code.
    let (mut pool, [root, _, right, ..]) = small();
    pool.bytes()[right as usize + 48] = 2;
    let expected = MarkError::Damaged {
        offset: right + 48,
        node: right,
        type_name: "Tree".to_owned(),
        expected: "0 or 1",
        found: 2,
    };
    assert_eq!(error(&mut pool, root, TRUST), expected);
}

#[test]
fn two_nodes_share_a_line() {
    // If this fails, freeing one node makes the other's bytes available, and the heap eats itself.
    let (mut pool, [root, left, _, bytes, _]) = small();
    let inside = bytes + 64;
    pool.put(inside, 8, TREE.id.0);
    pool.put(inside, 12, 40);
    pool.bytes()[inside as usize + 16..][..40].fill(0);
    pool.point(left, 0, inside);
    for threads in [1, 4] {
        let Err(MarkError::Overlap { offset, .. }) = mark(&mut pool, root, &TREE, How { threads, ..TRUST })
        else {
            panic!("an overlap was not noticed");
        };
        assert!(offset == inside || offset == bytes);
    }
}

#[test]
fn a_rotten_byte_passes_the_checksum() {
    // If this fails, a verified pool may hold values that nobody committed.
    let (mut pool, [root, _, _, bytes, gauge]) = small();
    pool.put(gauge, 24, 0xffff);
    mark(&mut pool, root, &TREE, ALONE).expect("volatile fields are no part of the checksum");
    pool.bytes()[bytes as usize + 100] ^= 4;
    mark(&mut pool, root, &TREE, TRUST).expect("without verification a byte is as good as another");
    let MarkError::Checksum { offset, stored, computed, .. } = error(&mut pool, root, ALONE) else {
        panic!("the checksum was not compared");
    };
    assert_eq!((offset, stored), (bytes, pool.get(bytes, 4)));
    assert_ne!(stored, computed);
}

#[test]
fn a_heap_is_longer_than_its_file() {
    // If this fails, a superblock that promises more than the file holds makes recovery read behind the mapping.
    let (mut pool, [root, .., gauge]) = small();
    let space = Space { bases: [BASE; 2], heap: (HEAP_START, u64::MAX) };
    // SAFETY: all but the last line of the pool.
    let image = unsafe { Image::new(pool.lines.as_mut_ptr().cast(), gauge, space) };
    let registry = Registry::new(&TREE).unwrap();
    let (lines, threads) = (Bitmap::new(&pool), NonZeroUsize::MIN);
    let marker =
        Marker { image: &image, registry: &registry, lines: &lines, checksums: Checksums::Trust, threads };
    let result = marker.mark(root, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(result, Err(MarkError::Damaged { found, .. }) if found == BASE + gauge), "{result:?}");
}

#[test]
fn a_cycle_is_followed_for_ever() {
    // If this fails, a pool that no program could have written hangs the one that opens it.
    let (mut pool, [root, left, right, ..]) = small();
    pool.point(left, 0, right);
    pool.point(right, 0, left);
    pool.point(right, 1, right);
    let marked = mark(&mut pool, root, &TREE, TOGETHER).unwrap();
    assert_eq!(marked.refcount_fixes, [(left, 2), (right, 3)]);
}

#[test]
fn a_root_with_owners_is_moved_out_of() {
    // If this fails, a section frees a node that others still point to: it copies the root without looking at its count.
    let (mut pool, [root, left, right, ..]) = small();
    pool.point(left, 0, root);
    pool.point(right, 1, root);
    assert_eq!(error(&mut pool, root, ALONE), MarkError::OwnedRoot { offset: root, found: 2 });
    let (mut pool, [root, ..]) = small();
    pool.point(root, 0, root);
    assert_eq!(error(&mut pool, root, ALONE), MarkError::OwnedRoot { offset: root, found: 1 });
}

#[test]
#[should_panic(expected = "a defect in a type")]
fn a_dying_worker_is_waited_for() {
    // If this fails, a defect in a type's own code is not a panic that one can read, but a pool that never opens.
    static BROKEN: NodeType = NodeType {
        id: TypeId32(6),
        validate: |_, _, _| panic!("a defect in a type"),
        schema: schema!("Broken"),
        ..LEAF
    };
    let mut pool = Pool::new();
    let root = pool.node(&BROKEN, &[]);
    let _ = mark(&mut pool, root, &BROKEN, TOGETHER);
}

#[test]
fn random_damage_is_an_error_or_harmless() {
    // If this fails, some file opens as a pool that it is not, or kills the process that opens it: law 8.
    let mut good = Pool::new();
    let mut random = Random(7);
    let trees: Vec<u64> = (0..40).map(|_| good.tree()).collect();
    for (index, tree) in trees.iter().enumerate().skip(1) {
        good.point(trees[(index - 1) / 2], (index - 1) % 2, *tree);
        let (bytes, gauge) = (good.node(&BYTES, &vec![1; 5 * index]), good.node(&GAUGE, &[2; 16]));
        good.point(*tree, 2, bytes);
        good.point(*tree, 3, gauge);
    }
    let whole = mark(&mut good, trees[0], &TREE, ALONE).unwrap();
    let heap_bytes = good.len_bytes() - HEAP_START;
    let (mut refused, mut unharmed) = (0, 0);
    for round in 0..6_000 {
        let mut pool = good.clone();
        for _ in 0..=random.below(3) {
            let line = HEAP_START + random.below(heap_bytes) / 64 * 64;
            let reach = if random.below(2) == 0 { 16 } else { 64 };
            let place = line + random.below(reach);
            pool.bytes()[place as usize] ^= 1 << random.below(8);
        }
        let threads = 1 + round % 2;
        if let Ok(marked) = mark(&mut pool, trees[0], &TREE, How { threads, ..ALONE }) {
            assert!(
                marked.starts.iter().eq(whole.starts.iter()),
                "round {round}: another graph was verified"
            );
            assert_eq!((marked.nodes, marked.bytes), (whole.nodes, whole.bytes));
            unharmed += 1;
        } else {
            refused += 1;
        }
        if let Ok(marked) = mark(&mut pool, trees[0], &TREE, How { threads, ..TRUST }) {
            // SAFETY: the fixes are of this image.
            unsafe { crate::recover::fix_refcounts(&pool.image([BASE; 2]), &marked.refcount_fixes) };
            let again = mark(&mut pool, trees[0], &TREE, TRUST).unwrap();
            assert_eq!(again.refcount_fixes, [], "round {round}: refcounts were not corrected");
            assert!(again.starts.iter().eq(marked.starts.iter()));
        }
    }
    assert!(
        refused > 1000 && unharmed > 100,
        "{refused} refused, {unharmed} unharmed: the damage is too one-sided"
    );
}
