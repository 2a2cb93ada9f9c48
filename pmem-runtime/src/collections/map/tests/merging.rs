//! Combinations and differences of tries, against the same of plain maps.

use std::collections::HashMap;

use super::{HASHINGS, Random, Small, build, check, entries, in_a_section, insert, pool, remove, shape};
use crate::collections::MapChange;
use crate::collections::map::diff::{Diff, Shared, equal};
use crate::collections::map::merge::{Keep, filter, merge};
use crate::collections::map::node::Node;
use crate::{FaseError, persist_fase};

fn combined(keep: Keep, left: &HashMap<u64, u64>, right: &HashMap<u64, u64>) -> HashMap<u64, u64> {
    let mut combined = left.clone();
    match keep {
        Keep::Either => right.iter().for_each(|(key, value)| _ = combined.entry(*key).or_insert(*value)),
        Keep::Both => combined.retain(|key, _| right.contains_key(key)),
        Keep::LeftOnly => combined.retain(|key, _| !right.contains_key(key)),
    }
    combined
}

/// What turns `left` into `right`, by looking at everything.
fn changes_of(left: &HashMap<u64, u64>, right: &HashMap<u64, u64>) -> Vec<(u64, Option<u64>, Option<u64>)> {
    let mut keys: Vec<u64> = left.keys().chain(right.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter()
        .map(|key| (key, left.get(&key).copied(), right.get(&key).copied()))
        .filter(|(_, old, new)| old != new)
        .collect()
}

fn changes_found<'p>(left: &Small<'p>, right: &Small<'p>) -> Vec<(u64, Option<u64>, Option<u64>)> {
    let mut found: Vec<_> = Diff::new(left, right)
        .map(|change| match change {
            MapChange::Added { key, value } => (*key, None, Some(*value)),
            MapChange::Removed { key, value } => (*key, Some(*value), None),
            MapChange::Changed { key, old, new } => (*key, Some(*old), Some(*new)),
        })
        .collect();
    found.sort_unstable();
    found
}

/// If this failed, a combination or a difference would depend on what the two share.
#[test]
fn combinations_and_differences_are_those_of_plain_maps() {
    for (name, hash) in HASHINGS {
        in_a_section(|tx, _| {
            let mut random = Random(4);
            for round in 0..60 {
                let keys = [20, 100, 400][round % 3];
                let mut some = |count: u64| -> Vec<(u64, u64)> {
                    (0..random.below(count)).map(|_| (random.below(keys), random.below(3))).collect()
                };
                let base = build(tx, hash, some(keys));
                let (mut left, mut right) = (tx.share(&base), tx.share(&base));
                // Every third pair shares nothing.
                if round % 3 == 2 {
                    (left, right) = (build(tx, hash, some(keys)), build(tx, hash, some(keys)));
                }
                for trie in [&mut left, &mut right] {
                    some(10).into_iter().for_each(|(key, value)| _ = insert(tx, trie, hash, key, value));
                    some(10).into_iter().for_each(|(key, _)| _ = remove(tx, trie, hash, key));
                }
                let (old, new) = (entries(&left), entries(&right));
                for keep in [Keep::Either, Keep::Both, Keep::LeftOnly] {
                    let merged = merge(tx, keep, &left, &right, hash);
                    let expected = combined(keep, &old, &new);
                    assert_eq!(entries(&merged), expected, "{name}, {keep:?}");
                    check(&merged, hash);
                    assert_eq!(shape(&merged), shape(&build(tx, hash, expected)), "{name}, {keep:?}");
                }
                let kept = filter(tx, &left, |pair| pair.key % 3 != 0);
                check(&kept, hash);
                let expected: HashMap<u64, u64> =
                    old.iter().filter(|(key, _)| *key % 3 != 0).map(|(key, value)| (*key, *value)).collect();
                assert_eq!(entries(&kept), expected, "{name}");
                assert_eq!(changes_found(&left, &right), changes_of(&old, &new), "{name}");
                for shared in [Shared::Skip, Shared::Compare] {
                    assert_eq!(equal(&left, &right, shared), old == new, "{name}");
                    assert!(equal(&left, &build(tx, hash, old.clone()), shared), "{name}");
                }
                assert_eq!((entries(&left), entries(&right)), (old, new), "the two are as they were");
            }
        });
    }
}

/// If this failed, combining two versions of a large map would cost as much as the map.
#[test]
fn combining_versions_makes_nodes_only_where_they_differ() {
    let (_, hash) = HASHINGS[0];
    let pool = pool();
    let nodes_of = |keep: Keep, changed: u64| {
        persist_fase!(pool, |tx, trie| -> Result<(), FaseError> {
            *trie = build(tx, hash, (0..20_000).map(|key| (key, 0)));
            Ok(())
        })
        .unwrap();
        let before = pool.counters().nodes;
        persist_fase!(pool, |tx, trie| -> Result<(), FaseError> {
            let mut other = tx.share(trie);
            (0..changed).for_each(|key| _ = insert(tx, &mut other, hash, 50_000 + key, 0));
            (0..changed).for_each(|key| _ = remove(tx, &mut other, hash, key));
            let merged = merge(tx, keep, trie, &other, hash);
            check(&merged, hash);
            *trie = merged;
            Ok(())
        })
        .unwrap();
        pool.counters().nodes - before
    };
    // The root of the pool is one node.
    assert_eq!(nodes_of(Keep::Either, 0), 1);
    assert_eq!(nodes_of(Keep::Both, 0), 1);
    assert_eq!(nodes_of(Keep::LeftOnly, 0), 1);
    for keep in [Keep::Either, Keep::Both, Keep::LeftOnly] {
        let nodes = nodes_of(keep, 10);
        println!("{keep:?}: {nodes} nodes");
        assert!((2..=150).contains(&nodes), "{keep:?} made {nodes} nodes");
    }
    assert_eq!(pool.check().unwrap().refcounts_off, 0);
}

fn same<'p>(left: Small<'p>, right: &Small<'p>) -> bool {
    Node::ptr_eq(left.root.as_ref().unwrap(), right.root.as_ref().unwrap())
}

/// If this failed, `retain` that keeps everything, or a union with a part of oneself, would copy the map.
#[test]
fn what_does_not_change_is_the_same_node() {
    let (_, hash) = HASHINGS[0];
    in_a_section(|tx, trie| {
        *trie = build(tx, hash, (0..1000).map(|key| (key, 0)));
        let part = build(tx, hash, (0..10).map(|key| (key, 5)));
        assert!(same(filter(tx, trie, |_| true), trie));
        assert!(same(merge(tx, Keep::Either, trie, &part, hash), trie));
        assert!(same(merge(tx, Keep::Both, trie, trie, hash), trie));
        assert!(!same(merge(tx, Keep::Either, &part, trie, hash), trie), "the part's values stay");
        let absent = build(tx, hash, (2000..2010).map(|key| (key, 0)));
        assert!(same(merge(tx, Keep::LeftOnly, trie, &absent, hash), trie));
    });
}
