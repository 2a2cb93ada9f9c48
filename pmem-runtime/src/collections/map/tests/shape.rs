//! The canonical form, and what `check` says when something is wrong.

use super::{HASHINGS, Random, build, check, entries, in_a_section, insert, remove, shape};
use crate::collections::Defect;
use crate::collections::map::node::Node;
use crate::collections::map::trie::Trie;

/// If this failed, equality and diff, which compare shapes, would call equal maps different.
#[test]
fn the_shape_depends_on_the_contents_alone() {
    for (name, hash) in HASHINGS {
        in_a_section(|tx, _| {
            let mut random = Random(3);
            for round in 0..40 {
                let count = random.below(150);
                let kept: Vec<(u64, u64)> = (0..count).map(|_| (random.below(500), round)).collect();
                let once = build(tx, hash, kept.iter().copied());
                let mut detour = build(tx, hash, (0..300).map(|key| (1000 + key * 7, 0)));
                for (key, value) in kept.iter().rev() {
                    insert(tx, &mut detour, hash, *key, *value);
                }
                for key in 0..300 {
                    assert_eq!(remove(tx, &mut detour, hash, 1000 + key * 7), Some(0));
                }
                check(&detour, hash);
                assert_eq!(shape(&once), shape(&detour), "{name}");
                assert_eq!(entries(&once), entries(&detour), "{name}");
            }
        });
    }
}

/// If this failed, leaves would be split too early, or merged too late: shapes would depend on history.
#[test]
fn a_leaf_is_split_when_it_has_one_too_many_and_merged_when_it_has_not() {
    const BUCKET: u64 = Node::<'static, u64, u64>::BUCKET as u64;
    in_a_section(|tx, trie| {
        // Hashes that part at the twentieth digit only: a chain of nodes with one child.
        let hash = |key: &u64| key << 17;
        (0..BUCKET).for_each(|key| _ = insert(tx, trie, hash, key, 0));
        assert_eq!(shape(trie).len(), 1);
        insert(tx, trie, hash, BUCKET, 0);
        assert!(shape(trie).len() > 15);
        check(trie, hash);
        remove(tx, trie, hash, 3);
        assert_eq!(shape(trie).len(), 1);
        check(trie, hash);
    });
}

/// If this failed, entries of some size would make leaves of no entry, or of more than three lines.
#[test]
fn leaves_fit_entries_of_any_size() {
    assert_eq!(Node::<'static, u64, u64>::BUCKET, 10);
    assert_eq!(Node::<'static, u64, ()>::BUCKET, 16);
    assert_eq!(Node::<'static, (), ()>::BUCKET, 16);
    assert_eq!(Node::<'static, [u64; 3], u64>::BUCKET, 5);
    assert_eq!(Node::<'static, u128, u128>::BUCKET, 5);
    assert_eq!(Node::<'static, u64, [u64; 20]>::BUCKET, 1);
    assert_eq!(Node::<'static, u64, [u64; 512]>::BUCKET, 1);
}

/// If this failed, `check` would be content with anything.
#[test]
fn check_finds_what_is_wrong() {
    in_a_section(|tx, trie| {
        let hash = |key: &u64| key << 58;
        let found = |trie: &Trie<'_, u64, u64>, hash: fn(&u64) -> u64| -> Defect {
            trie.check("Map", hash, |left, right| left == right).unwrap_err()
        };
        *trie = build(tx, hash, (0..50).map(|key| (key, 0)));
        check(trie, hash);

        let elsewhere = found(trie, |key| !(key << 58));
        assert!(elsewhere.found.contains("leads elsewhere"), "{elsewhere}");
        assert!(!elsewhere.path.is_empty());
        let twice = trie.check("Map", hash, |_, _| true).unwrap_err();
        assert!(twice.found.contains("equal keys"), "{twice}");

        trie.root.as_mut().unwrap().set_len(tx, 49);
        let miscounted = found(trie, hash);
        assert_eq!(
            (miscounted.expected.as_str(), miscounted.found.as_str()),
            ("a count of the 50 entries under the node", "49")
        );

        let empty = Trie { root: Some(Node::empty_leaf(tx, 1)) };
        assert_eq!(found(&empty, hash).expected, "a leaf with entries");
        let few = build(tx, hash, (0..3).map(|key| (key, 0))).root.unwrap();
        let mut fork = Node::fork(tx);
        fork.adopt(tx, 0, few);
        assert!(found(&Trie { root: Some(fork) }, hash).expected.starts_with("more than 10 entries"));
        let pairs = (0..50).map(|key| crate::collections::map::node::Pair { key, value: 0 });
        let many = Node::leaf(tx, pairs.collect::<Vec<_>>());
        assert_eq!(found(&Trie { root: Some(many) }, hash).expected, "at most 10 entries in a leaf");
        let far = build(tx, hash, (0..50).map(|key| (key, 0))).root.unwrap();
        let mut fork = Node::fork(tx);
        fork.adopt(tx, 9, far);
        assert_eq!(found(&Trie { root: Some(fork) }, hash).expected, "slots below 5");
    });
}
