//! The trie by itself, with hashes that no hash function would give.

mod lookup;
mod merging;
mod shape;

use std::collections::HashMap;

use super::node::{Node, Pair, Route};
use super::trie::{End, Trie};
use crate::commit::Fase;
use crate::{FaseError, Pool, persist_fase};

type Small<'p> = Trie<'p, u64, u64>;

/// A hash function, and its name for messages.
type Hashing = (&'static str, fn(&u64) -> u64);

/// Hashes from good to worst.
const HASHINGS: [Hashing; 5] = [
    ("spread", |key| super::hash::hash_of(5, key)),
    ("the key itself", |key| *key),
    ("three different", |key| (*key % 3) << 62),
    ("60 bits equal", |key| 0x5555_5555_5555_5550 | (*key & 15)),
    ("all equal", |_| 42),
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let state = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (state ^ (state >> 31)) % end
    }
}

fn pool() -> Pool<Small<'static>> {
    Pool::<Small<'static>>::options().volatile_with(|_| Trie::new()).unwrap()
}

/// Runs a section on a pool of its own.
fn in_a_section(body: impl for<'f> Fn(&'f Fase<'f>, &mut Small<'f>)) {
    let pool = pool();
    persist_fase!(pool, |tx, trie| -> Result<(), FaseError> {
        body(tx, trie);
        Ok(())
    })
    .unwrap();
    assert_eq!(pool.check().unwrap().refcounts_off, 0);
}

fn insert<'p>(
    tx: &Fase<'p>,
    trie: &mut Small<'p>,
    hash: fn(&u64) -> u64,
    key: u64,
    value: u64,
) -> Option<u64> {
    let route = Route::new(hash(&key));
    let place = trie.locate(route, |known| *known == key);
    if let Some(pair) = trie.entry_mut(tx, route, place) {
        return Some(std::mem::replace(&mut pair.value, value));
    }
    let place = trie.insert(tx, route, place, Pair { key, value }, hash);
    assert_eq!(trie.entry(route, place).unwrap().key, key, "an insertion tells where the entry is");
    None
}

fn remove<'p>(tx: &Fase<'p>, trie: &mut Small<'p>, hash: fn(&u64) -> u64, key: u64) -> Option<u64> {
    let route = Route::new(hash(&key));
    let place = trie.locate(route, |known| *known == key);
    trie.remove(tx, route, place).map(|pair| pair.value)
}

fn build<'p>(
    tx: &Fase<'p>,
    hash: fn(&u64) -> u64,
    entries: impl IntoIterator<Item = (u64, u64)>,
) -> Small<'p> {
    let mut trie = Trie::new();
    entries.into_iter().for_each(|(key, value)| _ = insert(tx, &mut trie, hash, key, value));
    trie
}

fn check(trie: &Small<'_>, hash: fn(&u64) -> u64) {
    trie.check("Map", hash, |left, right| left == right).unwrap();
}

/// The trie's entries.
fn entries(trie: &Small<'_>) -> HashMap<u64, u64> {
    let pairs = super::iter::Pairs::new(trie.root.as_ref());
    let entries: HashMap<u64, u64> = pairs.map(|pair| (pair.key, pair.value)).collect();
    assert_eq!(entries.len() as u64, trie.len());
    entries
}

/// The heads of all nodes in order, and the keys of each leaf in ascending order.
fn shape(trie: &Small<'_>) -> Vec<(u16, u64, Vec<u64>)> {
    let mut shape = Vec::new();
    let mut nodes: Vec<&Node<'_, u64, u64>> = trie.root.iter().collect();
    while let Some(node) = nodes.pop() {
        let mut keys: Vec<u64> = node.pairs().iter().map(|pair| pair.key).collect();
        keys.sort_unstable();
        shape.push((node.head().children(), node.len(), keys));
        nodes.extend(node.children().iter().rev());
    }
    shape
}

/// If this failed, some sequence of insertions and removals would lose an entry, or keep one, with some hashes.
#[test]
fn a_trie_is_its_model_whatever_the_hashes() {
    for (name, hash) in HASHINGS {
        for (seed, keys) in [(1, 60), (2, 400)] {
            let pool = pool();
            let mut model = HashMap::new();
            let mut random = Random(seed);
            for _ in 0..30 {
                let ops: Vec<(u64, u64, u64)> =
                    (0..50).map(|_| (random.below(3), random.below(keys), random.below(1000))).collect();
                let found = persist_fase!(pool, |tx, trie| -> Result<Vec<Option<u64>>, FaseError> {
                    let mut found = Vec::new();
                    for &(kind, key, value) in &ops {
                        found.push(match kind {
                            0 => remove(tx, trie, hash, key),
                            _ => insert(tx, trie, hash, key, value),
                        });
                        check(trie, hash);
                    }
                    Ok(found)
                });
                let expected: Vec<Option<u64>> = ops
                    .iter()
                    .map(|&(kind, key, value)| match kind {
                        0 => model.remove(&key),
                        _ => model.insert(key, value),
                    })
                    .collect();
                assert_eq!(found.unwrap(), expected, "{name}");
                let now = pool.snapshot();
                check(&now, hash);
                assert_eq!(entries(&now), model, "{name}");
                for key in 0..keys {
                    let found = now.find(Route::new(hash(&key)), |known| *known == key);
                    assert_eq!(found.map(|pair| pair.value), model.get(&key).copied(), "{name}");
                }
            }
            assert_eq!(pool.check().unwrap().refcounts_off, 0);
        }
    }
}

/// If this failed, keys whose whole hashes are equal could be no more than a leaf holds.
#[test]
fn hundreds_of_collisions() {
    in_a_section(|tx, trie| {
        let hash = |key: &u64| key / 700;
        for key in 0..1400 {
            insert(tx, trie, hash, key, key);
        }
        check(trie, hash);
        assert!(shape(trie).iter().any(|(_, _, keys)| keys.len() == 700));
        for key in (0..1400).filter(|key| key % 3 != 0) {
            assert_eq!(remove(tx, trie, hash, key), Some(key));
        }
        check(trie, hash);
        assert_eq!(trie.len(), 467);
        for key in (0..1400).filter(|key| key % 3 == 0) {
            assert_eq!(remove(tx, trie, hash, key), Some(key));
        }
        assert!(trie.root.is_none());
    });
}

/// If this failed, keys of different hashes could end up in a leaf that is never split.
#[test]
fn different_hashes_part_before_they_are_used_up() {
    let mut random = Random(9);
    for _ in 0..10_000 {
        let hash = random.below(u64::MAX);
        let other = hash + 1;
        let (mut left, mut right) = (Route::new(hash), Route::new(other));
        let steps = (1..=super::node::STEPS_MAX).find(|_| left.step() != right.step());
        assert!(steps.is_some(), "{hash:x} and {other:x} go the same way");
    }
}

/// If this failed, a subtree would be searched by other slots than the ones it was built by.
#[test]
fn a_route_from_below_goes_on_like_the_one_from_the_root() {
    let mut random = Random(10);
    for _ in 0..1000 {
        let hash = random.below(u64::MAX);
        let mut route = Route::new(hash);
        for steps in 0..super::node::STEPS_MAX {
            let mut below = Route::below(hash, steps);
            let slot = route.step();
            assert!(u64::from(slot) < super::node::WAYS);
            assert_eq!(below.step(), slot);
            assert_eq!(below.steps(), route.steps());
        }
    }
}

/// If this failed, a place found in one state of a trie would be used in another.
#[test]
fn places_say_what_is_there() {
    in_a_section(|tx, trie| {
        let hash = |key: &u64| *key << 32;
        let place =
            |trie: &Small<'_>, key: u64| trie.locate(Route::new(hash(&key)), |known| *known == key).end;
        assert_eq!(place(trie, 0), End::Nothing);
        insert(tx, trie, hash, 0, 0);
        assert_eq!((place(trie, 0), place(trie, 1)), (End::Entry(0), End::Leaf));
        (0..40).for_each(|key| _ = insert(tx, trie, hash, key << 20, 0));
        assert_eq!(place(trie, u64::MAX >> 33), End::Gap);
    });
}
