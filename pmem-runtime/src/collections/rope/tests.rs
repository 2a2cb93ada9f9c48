use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use equivalent::{Comparable, Equivalent};

use super::node::Node;
use super::{LEAF, Rope};
use crate::persist::{Array, Counts, Head, Lens, Utf8};
use crate::{Bytes, Fase, Pool, Text, persist_fase};

type TextPool = Pool<[Text<'static>; 2]>;

fn pool() -> TextPool {
    Pool::options().volatile().unwrap()
}

fn tree<'p>(root: Node<'p, Lens>) -> Rope<'p, Lens> {
    Rope::Tree(super::Tree { len: root.len(), root })
}

/// If this failed, a checker would pass what a damaged file or a wrong edit left.
#[test]
fn the_checker_finds_what_is_wrong() {
    persist_fase!(pool(), |tx, _texts| {
        let found = |rope: &Rope<'_, Lens>| rope.check("Bytes").unwrap_err().to_string();
        let leaf = |len: usize| Node::leaf(tx, &vec![7; len]);
        assert!(found(&tree(leaf(9))).contains("more bytes than fit the owner"));
        assert!(found(&tree(leaf(LEAF + 1))).contains("a width of 1 to 488 at level 0"));
        let thin = Node::inner(tx, 1, [leaf(300), leaf(5)]);
        assert!(found(&tree(thin)).contains("at child 1, expected a width of 122 to 488"));
        assert!(found(&tree(Node::inner(tx, 1, [leaf(300)]))).contains("a width of 2 to 14 at level 1"));
        let uneven = Node::inner(tx, 2, [Node::inner(tx, 1, [leaf(200), leaf(200), leaf(200)]), leaf(300)]);
        assert!(found(&tree(uneven)).contains("a node of level 1"));
        let mut shifted = Node::inner(tx, 1, [leaf(300), leaf(300)]);
        shifted.shift(tx, 0, 1, 0);
        assert!(found(&tree(shifted)).contains("child 0 to end at 300, found 301"));
        let mut short = tree(Node::inner(tx, 1, [leaf(300), leaf(300)]));
        if let Rope::Tree(tree) = &mut short {
            tree.len = 599;
        }
        assert!(found(&short).contains("expected 599 bytes, found 600"));
        Ok(())
    })
    .unwrap();
}

/// If this failed, safe code in the crate could make a `str` of bytes that are none.
#[test]
fn a_node_of_text_stays_text_whatever_is_done_to_it() {
    type Leaf<'p> = Array<'p, Utf8, u8>;
    fn head(items: usize) -> Utf8 {
        Utf8(Lens::EMPTY.with(Counts { items, ..Counts::default() }))
    }
    let refused = |edit: &dyn for<'f> Fn(&Fase<'f>, &mut Leaf<'f>)| {
        let section = || {
            persist_fase!(pool(), |tx, _texts| {
                let mut leaf = Leaf::with_room(tx, Utf8::EMPTY, Counts::default());
                leaf.splice_items(tx, 0, 0, "aéb".as_bytes(), head(4));
                assert_eq!(leaf.as_str(), "aéb");
                edit(tx, &mut leaf);
                Ok(())
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(section)).is_err(), "the edit is refused");
    };
    refused(&|tx, leaf| leaf.splice_items(tx, 2, 2, b"x", head(5)));
    refused(&|tx, leaf| leaf.splice_items(tx, 0, 2, b"", head(2)));
    refused(&|tx, leaf| leaf.splice_items(tx, 0, 0, b"\xC3", head(5)));
    refused(&|tx, leaf| leaf.insert_item(tx, 2, b'x', head(5)));
    refused(&|tx, leaf| leaf.insert_item(tx, 0, 0x80, head(5)));
    refused(&|tx, leaf| _ = leaf.remove_item(tx, 1, head(3)));
    refused(&|tx, leaf| drop(leaf.split_off(tx, Counts { items: 2, ..Counts::default() }, head(2), head(2))));
    persist_fase!(pool(), |tx, _texts| {
        let mut leaf = Leaf::with_room(tx, Utf8::EMPTY, Counts::default());
        leaf.splice_items(tx, 0, 0, "aéb".as_bytes(), head(4));
        assert!(leaf.edit(tx).items.is_empty(), "bytes of text are not lent for writing");
        let tail = leaf.split_off(tx, Counts { items: 3, ..Counts::default() }, head(3), head(1));
        leaf.insert_item(tx, 0, b'x', head(4));
        leaf.append(tx, tail, head(5));
        assert_eq!(leaf.as_str(), "xaéb");
        assert_eq!(leaf.remove_item(tx, 0, head(4)), b'x');
        Ok(())
    })
    .unwrap();
}

/// If this failed, a map with texts as keys could not be asked by the `str` it was given, or would look in another place.
#[test]
fn a_str_stands_for_a_text() {
    let pool = Pool::<(Text<'static>, Bytes<'static>)>::options().volatile().unwrap();
    let long = "é€".repeat(300);
    persist_fase!(pool, |tx, pair| {
        pair.0.push_str(tx, &long);
        pair.1.extend_from_slice(tx, long.as_bytes());
        Ok(())
    })
    .unwrap();
    let now = pool.snapshot();
    let (text, bytes) = &*now;
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    assert_eq!(hasher.hash_one(text), hasher.hash_one(long.as_str()));
    assert_eq!(hasher.hash_one(bytes), hasher.hash_one(long.as_bytes()));
    assert!(Equivalent::equivalent(&*long, text) && Equivalent::equivalent(&long, text));
    assert!(!Equivalent::equivalent("x", text) && Comparable::compare("x", text).is_lt());
    assert!(Comparable::compare(&&*long, text).is_eq() && Comparable::compare("ę", text).is_gt());
    assert!(Equivalent::equivalent(long.as_bytes(), bytes) && Comparable::compare(&b"x"[..], bytes).is_lt());
    assert!(Equivalent::equivalent(text, text), "and a text for itself");
}

/// If this failed, two versions would be compared in time that grows with what they share, or what lies under a shared node would
/// be visited.
#[test]
fn a_diff_visits_what_is_not_shared() {
    const EDITS: usize = 10;
    let pool = Pool::<[Bytes<'static>; 1]>::options().volatile().unwrap();
    persist_fase!(pool, |tx, bytes| {
        let mut rope = Rope::<Lens>::EMPTY;
        rope.splice(tx, 0, 0, &vec![7; 4 << 20]);
        let mut visits = Vec::new();
        let before = tx.share(&rope);
        for edit in 0..=EDITS {
            let mut visited = 0;
            let shared = super::diff::shared(&before, &rope, &mut |_| visited += 1);
            visits.push(visited);
            assert!(shared.len() <= visited);
            assert_eq!(before.diff(&rope).count(), edit);
            // Everything behind is moved, by one byte more each time.
            rope.splice(tx, edit * 400_000, edit * 400_000, b"x");
        }
        println!("{visits:?} of {} nodes each", (4 << 20) / LEAF);
        assert_eq!(visits[0], 2, "the root, of both");
        for (edits, visited) in visits.iter().enumerate() {
            // Both have a path of four nodes for each edit, and the siblings on it.
            assert!(*visited <= 2 + edits * 2 * 5 * super::FANOUT, "{visited} for {edits} edits");
        }
        bytes[0].push(tx, 1);
        Ok(())
    })
    .unwrap();
}
