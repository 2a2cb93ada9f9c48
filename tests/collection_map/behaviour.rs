//! What the standard library's map does, category by category.

use std::collections::{HashMap, HashSet};

use pmem_runtime::collections::map::{Change, Entry};
use pmem_runtime::{FaseError, Map, Pool, persist_fase};

use crate::support::Random;

type Small<'p> = Map<'p, u64, u64>;

/// Runs a section on a volatile pool of its own.
fn in_a_section(body: impl for<'f> Fn(&'f pmem_runtime::Fase<'f>, &mut Small<'f>)) {
    let pool = Pool::<Small>::options().volatile().unwrap();
    persist_fase!(pool, |tx, map| -> Result<(), FaseError> {
        body(tx, map);
        Ok(())
    })
    .unwrap();
}

/// If this failed, walking from both ends would meet too early or too late, or yield an entry twice.
#[test]
fn iteration_from_both_ends_meets_in_the_middle() {
    in_a_section(|tx, map| {
        let mut random = Random::new(1);
        for len in [0, 1, 2, 9, 10, 11, 57, 500] {
            *map = Map::from_iter(tx, (0..len).map(|key| (key, key + 1)));
            let forward: Vec<u64> = map.keys().copied().collect();
            let mut backward: Vec<u64> = map.keys().rev().copied().collect();
            backward.reverse();
            assert_eq!(forward, backward);
            let mut iter = map.iter();
            let (mut front, mut back) = (Vec::new(), Vec::new());
            loop {
                let left = (len as usize) - front.len() - back.len();
                assert_eq!((iter.len(), iter.size_hint()), (left, (left, Some(left))));
                let copy = iter.clone();
                assert_eq!(copy.count(), left);
                let next = if random.one_in(2) { iter.next() } else { iter.next_back() };
                let Some((key, value)) = next else { break };
                assert_eq!(*value, key + 1);
                if front.last() == Some(key) || back.last() == Some(key) {
                    panic!("{key} twice");
                }
                if iter.len() + 1 == left && forward.get(front.len()) == Some(key) {
                    front.push(*key);
                } else {
                    back.push(*key);
                }
            }
            assert_eq!((iter.next(), iter.next_back(), iter.next()), (None, None, None));
            back.reverse();
            front.extend(back);
            assert_eq!(front, forward);
        }
    });
}

/// If this failed, iterators would say how much is left wrongly.
#[test]
fn all_iterators_tell_their_length() {
    in_a_section(|tx, map| {
        map.extend(tx, (0..100).map(|key| (key, 2 * key)));
        assert_eq!((map.iter().len(), map.keys().len(), map.values().len()), (100, 100, 100));
        assert_eq!(map.values().sum::<u64>(), 9900);
        let mut iter = map.iter_mut(tx);
        assert_eq!(iter.len(), 100);
        iter.next();
        assert_eq!(iter.len(), 99);
        let kept = map.share(tx);
        let mut values = map.values_mut(tx);
        assert!(values.next().is_some() && values.len() == 99);
        values.for_each(|value| *value += 1);
        assert_eq!((map.values().sum::<u64>(), kept.values().sum::<u64>()), (9900 + 99, 9900));
        *map = kept.share(tx);
        let mut drain = map.drain(tx);
        assert_eq!(drain.len(), 100);
        let first = drain.next().unwrap();
        assert_eq!((drain.len(), first.1), (99, 2 * first.0));
        let rest: HashSet<(u64, u64)> = drain.collect();
        assert!(!rest.contains(&first) && rest.len() == 99);
        assert!(map.is_empty() && map.iter().next().is_none());
        assert_eq!(kept.len(), 100, "a share keeps what is drained elsewhere");
    });
}

/// If this failed, an entry would not be what the map has at its key.
#[test]
fn entries_in_every_state() {
    in_a_section(|tx, map| {
        for round in 0..3_u64 {
            for key in 0..50 {
                match map.entry(tx, key) {
                    Entry::Vacant(entry) => {
                        assert_eq!((round, *entry.key()), (0, key));
                        assert_eq!(*entry.insert(key), key);
                    }
                    Entry::Occupied(mut entry) => {
                        assert_eq!((*entry.key(), *entry.get()), (key, key + round - 1));
                        assert_eq!(entry.insert(key + round), key + round - 1);
                        *entry.get_mut() += 0;
                        assert_eq!(*entry.into_mut(), key + round);
                    }
                }
                map.check().unwrap();
            }
        }
        let Entry::Occupied(entry) = map.entry(tx, 7) else { panic!("7 is there") };
        assert_eq!(entry.remove_entry(), (7, 9));
        let Entry::Vacant(entry) = map.entry(tx, 7) else { panic!("7 is gone") };
        assert_eq!(entry.into_key(), 7);
        assert_eq!(map.entry(tx, 7).insert_entry(1).remove(), 1);
        assert_eq!(map.entry(tx, 8).insert_entry(1).get(), &1);
        assert_eq!(*map.entry(tx, 100).or_default(), 0);
        assert_eq!(map.entry(tx, 100).and_modify(|value| *value = 5).key(), &100);
        assert_eq!(format!("{:?}", map.entry(tx, 100)), "Entry(OccupiedEntry { key: 100, value: 5 })");
        assert_eq!(format!("{:?}", map.entry(tx, 101)), "Entry(VacantEntry(101))");
        assert_eq!(map.len(), 50);
    });
}

/// If this failed, asking for what is not there would copy nodes.
#[test]
fn what_changes_nothing_copies_nothing() {
    let pool = Pool::<Small>::options().volatile().unwrap();
    persist_fase!(pool, |tx, map| {
        map.extend(tx, (0..1000).map(|key| (key, 0)));
        Ok(())
    })
    .unwrap();
    let before = pool.counters().nodes;
    persist_fase!(pool, |tx, map| {
        assert_eq!(map.get_mut(tx, &5000), None);
        assert_eq!(map.remove(tx, &5000), None);
        assert!(matches!(map.entry(tx, 5), Entry::Occupied(_)));
        assert!(matches!(map.entry(tx, 5000), Entry::Vacant(_)));
        map.retain(tx, |_, _| true);
        Ok(())
    })
    .unwrap();
    assert_eq!(pool.counters().nodes - before, 1, "the pool's root and nothing else");
}

/// If this failed, two maps with the same entries would differ, or two with different ones not.
#[test]
fn equality_debug_and_index() {
    in_a_section(|tx, map| {
        map.extend(tx, (0..300).map(|key| (key, key)));
        let other = Map::from_iter(tx, (0..300).rev().map(|key| (key, key)));
        assert_eq!(*map, other);
        assert!(map.same(&other) && !map.ptr_eq(&other));
        assert!(map.same(&map.share(tx)) && map.ptr_eq(&map.share(tx)));
        map.insert(tx, 5, 0);
        assert_ne!(*map, other);
        map.remove(tx, &5);
        assert_ne!(*map, other);
        assert_eq!(map[&6], 6);
        assert_eq!(map.get_key_value(&6), Some((&6, &6)));
        assert!(!map.contains_key(&5) && map.get(&5).is_none());
        let small = Map::from_iter(tx, [(1_u64, 2_u64)]);
        assert_eq!(
            format!("{small:?} {:?} {:?} {:?}", small.iter(), small.keys(), small.values()),
            "{1: 2} [(1, 2)] [1] [2]"
        );
        assert_eq!(Small::new(), Small::default());
        assert!(Small::new().same(&Map::from_iter(tx, [])));
    });
}

/// If this failed, a missing key would not be noticed.
#[test]
#[should_panic(expected = "the map has an entry for the key")]
fn indexing_by_a_missing_key_panics() {
    _ = Small::new()[&1];
}

/// If this failed, maps of different pools, whose seeds differ, would never be equal, and differ in everything.
#[test]
fn maps_of_different_pools_are_compared_by_their_entries() {
    let pools = [1, 2].map(|seed| {
        let pool = Pool::<Small>::options().seed(seed).volatile().unwrap();
        persist_fase!(pool, |tx, map| {
            map.extend(tx, (0..200).map(|key| (key, key)));
            Ok(())
        })
        .unwrap();
        pool
    });
    let [left, right] = [pools[0].snapshot(), pools[1].snapshot()];
    let orders = [&left, &right].map(|map| map.keys().copied().collect::<Vec<u64>>());
    assert_ne!(orders[0], orders[1], "the seeds differ");
    assert_eq!(*left, *right);
    assert_eq!(left.diff(&right).count(), 0);
    persist_fase!(pools[1], |tx, map| {
        map.insert(tx, 3, 0);
        map.remove(tx, &4);
        map.insert(tx, 500, 500);
        Ok(())
    })
    .unwrap();
    let right = pools[1].snapshot();
    assert!(*left != *right && !left.same(&right));
    let changes: Vec<Change<'_, u64, u64>> = left.diff(&right).collect();
    let expected = [
        Change::Added { key: &500, value: &500 },
        Change::Removed { key: &4, value: &4 },
        Change::Changed { key: &3, old: &3, new: &0 },
    ];
    assert!(changes.len() == 3 && expected.iter().all(|change| changes.contains(change)), "{changes:?}");
}

/// If this failed, a diff would miss what lies beside a shared subtree, or report what is in it.
#[test]
fn diffs_between_many_versions_are_exact() {
    let pool = Pool::<Small>::options().volatile().unwrap();
    let mut random = Random::new(8);
    let mut versions = vec![(pool.snapshot(), HashMap::new())];
    for _ in 0..25 {
        let edits: Vec<(u64, Option<u64>)> = (0..random.below(60))
            .map(|_| (random.below(300), (!random.one_in(3)).then(|| random.below(2))))
            .collect();
        persist_fase!(pool, |tx, map| {
            for (key, value) in &edits {
                match value {
                    Some(value) => _ = map.insert(tx, *key, *value),
                    None => _ = map.remove(tx, key),
                }
            }
            Ok(())
        })
        .unwrap();
        let now = pool.snapshot();
        let plain: HashMap<u64, u64> = now.iter().map(|(key, value)| (*key, *value)).collect();
        versions.push((now, plain));
    }
    for (old, old_plain) in &versions {
        for (new, new_plain) in &versions {
            let mut patched = old_plain.clone();
            let mut seen = HashSet::new();
            for change in old.diff(new) {
                let key = match change {
                    Change::Added { key, value } => {
                        assert_eq!(patched.insert(*key, *value), None);
                        key
                    }
                    Change::Removed { key, value } => {
                        assert_eq!(patched.remove(key), Some(*value));
                        key
                    }
                    Change::Changed { key, old, new } => {
                        assert_ne!(old, new);
                        assert_eq!(patched.insert(*key, *new), Some(*old));
                        key
                    }
                };
                assert!(seen.insert(*key), "{key} is reported once");
            }
            assert_eq!(&patched, new_plain);
            assert_eq!(**old == **new, old_plain == new_plain);
        }
    }
}
