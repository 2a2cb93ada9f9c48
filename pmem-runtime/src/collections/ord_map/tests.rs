//! The algebra of trees, on all small shapes.

use super::join::{Tree, concat, join, split};
use super::node::{Node, Pair};
use super::path::Path;
use super::{OrdMap, sets};
use crate::{Fase, FaseError, Pool, persist_fase};

type Map<'p> = OrdMap<'p, u64, u64>;

fn in_a_section(body: impl for<'p> Fn(&Fase<'p>)) {
    let pool = Pool::<Map<'static>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, _map| -> Result<(), FaseError> {
        body(tx);
        Ok(())
    })
    .unwrap();
}

fn tree<'p>(tx: &Fase<'p>, keys: std::ops::Range<u64>) -> Tree<'p, u64, u64> {
    OrdMap::from_iter(tx, keys.map(|key| (key, key))).root
}

#[track_caller]
fn assert_is<'p>(tree: Tree<'p, u64, u64>, keys: std::ops::Range<u64>) -> Tree<'p, u64, u64> {
    let map = OrdMap { root: tree };
    map.check().unwrap();
    assert!(map.keys().copied().eq(keys));
    map.root
}

/// Lengths around which the height changes, and some between.
const LENGTHS: [u64; 14] = [0, 1, 2, 5, 13, 14, 15, 16, 60, 104, 105, 106, 400, 3000];

/// If this failed, trees of some two heights would be joined into something that is no tree.
#[test]
fn joining_trees_of_any_two_heights() {
    in_a_section(|tx| {
        for left in LENGTHS {
            for right in LENGTHS {
                let end = left + 1 + right;
                let pair = Pair { key: left, value: 0 };
                let joined = join(tx, tree(tx, 0..left), pair, tree(tx, left + 1..end));
                assert_is(Some(joined), 0..end);
                assert_is(concat(tx, tree(tx, 0..left), tree(tx, left..left + right)), 0..left + right);
            }
        }
    });
}

/// If this failed, some place to split at would leave a tree with too small a node, or in the wrong half.
#[test]
fn splitting_at_every_place_and_joining_again() {
    in_a_section(|tx| {
        for length in [1, 14, 106, 700] {
            let whole = tree(tx, 0..length);
            for at in 0..length {
                let root = whole.as_ref().map(|root| root.share(tx)).unwrap();
                let path = Path::to(&root, &at);
                let (left, found, right) = split(tx, root, &path);
                let (left, right) = (assert_is(left, 0..at), assert_is(right, at + 1..length));
                assert_is(Some(join(tx, left, found.unwrap(), right)), 0..length);
            }
            // Nothing of the tree that was shared has changed.
            assert_is(whole, 0..length);
        }
    });
}

/// If this failed, a subtree that two trees share would be copied by their union.
#[test]
fn a_union_keeps_what_is_shared() {
    in_a_section(|tx| {
        let first = tree(tx, 0..5000).unwrap();
        let (second, third) = (first.share(tx), first.share(tx));
        let union = sets::union(tx, Some(first), Some(second)).unwrap();
        assert!(Node::ptr_eq(&union, &third), "the union of a tree with itself is the tree");
        assert!(sets::symmetric_difference(tx, Some(union), Some(third)).is_none());
    });
}

/// If this failed, the nodes would not fill their lines, or a structure of large entries would have no nodes.
#[test]
fn capacities_fill_lines() {
    assert_eq!((Node::<u64, u64>::MAX_LEAF, Node::<u64, u64>::MAX_INNER), (14, 6));
    assert_eq!((Node::<u64, ()>::MAX_LEAF, Node::<u64, ()>::MAX_INNER), (29, 10));
    assert_eq!((Node::<u8, ()>::MAX_LEAF, Node::<(), ()>::MAX_INNER), (120, 20));
    assert_eq!((Node::<u64, [u64; 512]>::MAX_LEAF, Node::<u64, [u64; 512]>::MAX_INNER), (3, 3));
    assert_eq!(Node::<u128, u8>::MAX_LEAF, 7);
}
