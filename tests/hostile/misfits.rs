//! Collections whose nodes are each valid and do not fit each other: no section can make one, and `open` does not look for it.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pmem_runtime::{
    Bytes, Durability, FaseError, Map, OrdMap, Pool, Queue, Stack, Text, Vector, persist_fase,
};

use tempfile::TempDir;

use super::cycles::{forged, is_read};
use super::forge::{BASE, Forge};

/// Offsets and payload lengths of nodes.
type Nodes<'n> = &'n [(usize, usize)];

/// Whether the root's payload has a pointer to the node.
fn is_owned(forge: &Forge, node: usize) -> bool {
    let (base, root) = (forge.field(BASE) as usize, forge.checkpoint().0 as usize);
    (root + 16..root + 80).step_by(8).any(|slot| forge.word(slot) as usize == base + node)
}

/// Changes the first word, the head, of the nodes picked.
fn change_heads(
    forge: &mut Forge,
    nodes: Nodes<'_>,
    is_picked: fn(&Forge, usize) -> bool,
    to: fn(u64) -> u64,
) {
    let root = forge.checkpoint().0 as usize;
    let picked: Vec<usize> =
        nodes.iter().map(|each| each.0).filter(|node| *node != root && is_picked(forge, *node)).collect();
    assert!(!picked.is_empty(), "there are such nodes");
    for node in picked {
        forge.put_word(node + 16, to(forge.word(node + 16)));
        forge.seal_node(node);
    }
}

/// Makes the root say that a text of so many bytes has more than any memory.
fn lengthen(forge: &mut Forge, _nodes: Nodes<'_>) {
    let root = forge.checkpoint().0 as usize;
    let mut slots = (root + 16..root + 48).step_by(8);
    let slot = slots.find(|slot| forge.word(*slot) == TEXT_BYTES).expect("the root has the length");
    forge.put_word(slot, 1 << 56);
    forge.seal_node(root);
}

const TEXT_BYTES: u64 = 15_000;

fn text() -> String {
    "aßé".repeat(TEXT_BYTES as usize / 5)
}

/// Makes the children of the topmost node end where they do not.
fn misplace_ends<const TO: u64>(forge: &mut Forge, nodes: Nodes<'_>) {
    let is_top = |node: usize| node != forge.checkpoint().0 as usize && is_owned(forge, node);
    let top = nodes.iter().map(|each| each.0).find(|node| is_top(*node)).expect("the root owns a node");
    let children = (forge.word(top + 16) >> 16 & 0xFFFF) as usize;
    assert!(children > 2, "the topmost node is an inner one");
    forge.put_word(top + 24 + 8 * children + 8, TO);
    forge.seal_node(top);
}

fn empty_leaves(forge: &mut Forge, nodes: Nodes<'_>) {
    // A leaf has bytes, and neither children nor a level.
    change_heads(forge, nodes, |forge, node| forge.word(node + 16) < 1 << 16, |_| 0);
}

/// Makes leaves say that they have an element less than they have.
fn shorten_leaves(forge: &mut Forge, nodes: Nodes<'_>) {
    change_heads(forge, nodes, |forge, node| forge.word(node + 16) < 1 << 16, |head| head - 1);
}

fn add_extras(forge: &mut Forge, nodes: Nodes<'_>) {
    change_heads(forge, nodes, is_owned, |head| head | 0x7F << 32);
}

/// Makes the topmost node of a trie count an entry more.
fn count_one_more(forge: &mut Forge, nodes: Nodes<'_>) {
    change_heads(forge, nodes, is_owned, |head| head + (1 << 16));
}

/// Makes the topmost node of an ordered tree as large as one may be.
fn count_all(forge: &mut Forge, nodes: Nodes<'_>) {
    change_heads(forge, nodes, is_owned, |head| head | !0 << 24);
}

/// All that a text can be asked.
fn read(text: &Text<'_>) {
    let ends = (text.is_char_boundary(0), text.is_char_boundary(text.len()), text.is_char_boundary(7));
    let _ = (text.to_string(), text.chars().count(), text.chars().rev().count(), text.lines().count(), ends);
    let _ = (text.find("ß"), text.find("no"), text.get(5..).is_some(), format!("{text:?}"), text.eq(text));
    let _ = (text == "aß", text.starts_with("aßé"), text.bytes().count());
}

/// If this failed, a file could end the program that reads a text of it: by a panic, or by asking for memory that there is not.
#[test]
fn a_text_that_is_not_as_long_as_it_says_is_read_as_far_as_it_goes() {
    for forgery in [lengthen, misplace_ends::<0>, misplace_ends::<{ u64::MAX }>, empty_leaves] {
        let (pool, _folder) = pool!(Text<'static>, forgery, |tx, filled| filled.push_str(tx, &text()));
        assert!(pool.snapshot().check().is_err(), "the check tells");
        is_read("a text", move || read(&pool.snapshot()));
    }
}

/// If this failed, comparing two byte strings of a file would go on for ever: nothing would be compared of an empty node, again and
/// again.
#[test]
fn comparing_ropes_with_empty_leaves_ends() {
    for forgery in [empty_leaves, shorten_leaves] {
        let (pool, _folder) = pool!((Bytes<'static>, Bytes<'static>), forgery, |tx, both| {
            both.0.extend_from_slice(tx, &[7; 20_000]);
            both.1.extend_from_slice(tx, &[7; 20_000]);
        });
        is_read("comparing", move || {
            let (left, right) = &*pool.snapshot();
            let _ = (left == right, left.cmp(right), left == &[7_u8; 20_000][..], left.diff(right).count());
        });
    }
}

/// If this failed, a file could end the program that goes through a map of it.
#[test]
fn a_map_that_miscounts_is_read_as_far_as_it_goes() {
    let (pool, _folder) = pool!(Map<'static, u64, u64>, count_one_more, |tx, map| {
        map.extend(tx, (0..2000).map(|key| (key, key)));
    });
    assert!(pool.snapshot().check().is_err(), "the check tells");
    is_read("a map", move || {
        let map = pool.snapshot();
        assert_eq!((map.iter().count(), map.iter().rev().count(), map.get(&5)), (0, 0, Some(&5)));
        assert!(*map != *map && map.diff(&map).count() == 0, "there is nothing to compare");
    });
}

/// If this failed, a section would be told that a queue or stack is sound, and panic over it.
#[test]
fn chunks_with_more_than_elements_are_found() {
    let (pool, _folder) = pool!(Queue<'static, u64>, add_extras, |tx, queue| queue.extend(tx, 0..5));
    assert!(pool.snapshot().check().is_err());
    let (pool, _folder) = pool!(Stack<'static, u64>, add_extras, |tx, stack| stack.extend(tx, 0..5));
    assert!(pool.snapshot().check().is_err());
}

/// If this failed, a check would find nothing, and sections would then panic over what it had not looked at.
#[test]
fn a_queue_in_which_no_defect_is_found_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queue.pool");
    let options = || Pool::<Queue<'static, u64>>::options().force_dax(true).threads(1);
    let (mut refused, mut found, mut used) = (0, 0, 0);
    // At some of these lengths the lists between the ends are being rotated.
    for len in [100, 200, 300, 400, 500] {
        let pool = options().size_bytes(1 << 20).reserve_bytes(8 << 20).seed(7).create(&path).unwrap();
        persist_fase!(pool, |tx, queue| -> Result<(), FaseError> {
            queue.extend(tx, 0..len);
            Ok(())
        })
        .unwrap();
        let nodes = pool.nodes().unwrap();
        pool.close().unwrap();
        let sound = Forge { bytes: fs::read(&path).unwrap() };
        let middle = nodes.iter().filter(|node| node.type_name.contains("Middle"));
        for node in middle {
            let start = node.offset as usize;
            let words = (start + 16..start + 16 + node.len_bytes as usize).step_by(8);
            for (word, more) in words.flat_map(|word| [1, u64::MAX, 64, 128].map(|more| (word, more))) {
                let mut forge = Forge { bytes: sound.bytes.clone() };
                forge.put_word(word, forge.word(word).wrapping_add(more));
                forge.seal_node(start);
                fs::write(&path, &forge.bytes).unwrap();
                let Ok(pool) = options().open(&path) else {
                    refused += 1;
                    continue;
                };
                if pool.snapshot().check().is_err() {
                    found += 1;
                    continue;
                }
                used += 1;
                persist_fase!(pool, |tx, queue| -> Result<(), FaseError> {
                    (0..200).for_each(|value| queue.push_back(tx, value));
                    (0..2 * len).for_each(|_| _ = queue.pop_front(tx));
                    Ok(())
                })
                .unwrap();
                pool.snapshot().check().unwrap();
            }
        }
        fs::remove_file(&path).unwrap();
    }
    println!("{refused} refused, {found} with a defect, {used} used");
    assert!(refused > 10 && found > 10, "{refused} refused, {found} with a defect, {used} used");
}

/// If this failed, a section that meets damage would leave it worse, or the pool unusable.
#[test]
fn a_section_that_panics_over_damage_is_undone() {
    let (pool, _folder) =
        pool!(Vector<'static, u64>, shorten_leaves, |tx, vector| vector.extend(tx, 0..5000));
    assert!(pool.snapshot().check().is_err(), "the check tells");
    let before = pool.snapshot();
    let panics = (0..100).filter(|index| {
        let change = || {
            persist_fase!(pool, |tx, vector| -> Result<(), FaseError> {
                vector.insert(tx, index * 49, 1);
                vector.remove(tx, 17);
                Err(FaseError::message("no more than tried".to_owned()))
            })
        };
        catch_unwind(AssertUnwindSafe(change)).is_err()
    });
    println!("{} sections panicked", panics.count());
    assert!(*before == *pool.latest(), "nothing is changed");
    pool.check().unwrap();
    let (pool, _folder) = pool!(OrdMap<'static, u64, u64>, count_all, |tx, map| {
        map.extend(tx, (0..2000).map(|key| (key, key)));
    });
    assert!(pool.snapshot().check().is_err(), "the check tells");
    let change = || pool.fase(Durability::Immediate, |tx, map| Ok::<_, FaseError>(map.insert(tx, 5000, 1)));
    assert!(catch_unwind(AssertUnwindSafe(change)).is_err(), "there is no room to count one more");
    assert_eq!((pool.snapshot().len(), pool.snapshot().get(&5000)), (pool.latest().len(), None));
}
