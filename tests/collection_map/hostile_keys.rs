//! Keys whose `Hash` and `Eq` panic or lie: memory stays safe, and a section that ends by a panic leaves no trace.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pmem_runtime::{FaseError, Map, P, Persistent, Pool, persist_fase};

use crate::support::Random;

thread_local! {
    /// Calls until the next panic.
    static FUSE: Cell<u64> = const { Cell::new(u64::MAX) };
    /// What a lying key's `Hash` and `Eq` draw from.
    static LIES: Cell<u64> = const { Cell::new(0) };
}

fn burn() {
    FUSE.set(FUSE.get() - 1);
    assert!(FUSE.get() > 0, "the fuse has burnt down");
}

/// Panics when the fuse has burnt down.
#[derive(Persistent, Debug, Eq)]
#[repr(C)]
struct Explosive(u64);

impl Hash for Explosive {
    fn hash<H: Hasher>(&self, state: &mut H) {
        burn();
        (self.0 / 40).hash(state);
    }
}

impl PartialEq for Explosive {
    fn eq(&self, other: &Self) -> bool {
        burn();
        self.0 == other.0
    }
}

/// If this failed, a key's panic would leave a part of an operation behind.
#[test]
fn a_panic_anywhere_undoes_the_section() {
    let pool = Pool::<Map<Explosive, u64>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, map| {
        map.extend(tx, (0..60).map(|key| (Explosive(key * 7), key)));
        Ok(())
    })
    .unwrap();
    let observe = || -> Vec<(u64, u64)> {
        let mut all: Vec<_> = pool.snapshot().iter().map(|(key, value)| (key.0, *value)).collect();
        all.sort_unstable();
        all
    };
    let before = observe();
    let report = pool.check().unwrap();
    let (mut burnt, mut calls) = (0, 1);
    loop {
        FUSE.set(calls);
        let result = catch_unwind(AssertUnwindSafe(|| {
            persist_fase!(pool, |tx, map| -> Result<(), FaseError> {
                let mut other = map.share(tx);
                (100..115).for_each(|key| _ = other.insert(tx, Explosive(key), 0));
                (0..20).for_each(|key| _ = other.remove(tx, &Explosive(key * 7)));
                *map = map.union(tx, &other).intersection(tx, &other);
                *map.entry(tx, Explosive(3)).or_insert(0) += 1;
                Err(FaseError::message("undone".to_owned()))
            })
        }));
        FUSE.set(u64::MAX);
        pool.snapshot().check().unwrap();
        assert_eq!(observe(), before);
        if result.is_ok() {
            break;
        }
        burnt += 1;
        calls += 1 + calls / 40;
    }
    assert!(burnt > 40, "{burnt}");
    assert_eq!(pool.check().unwrap(), report);
}

/// If this failed, a caught panic would leave a map with wrong counts or half a split.
#[test]
fn a_caught_panic_leaves_the_map_whole() {
    let pool = Pool::<Map<Explosive, u64>>::options().volatile().unwrap();
    for calls in 1..120 {
        persist_fase!(pool, |tx, map| {
            FUSE.set(calls);
            let result = catch_unwind(AssertUnwindSafe(|| {
                for key in 0..100 {
                    map.insert(tx, Explosive(key * calls), key);
                }
            }));
            FUSE.set(u64::MAX);
            assert!(result.is_err(), "the fuse is shorter than the loop");
            map.check()?;
            assert_eq!(map.iter().count(), map.len());
            Ok(())
        })
        .unwrap();
    }
    pool.snapshot().check().unwrap();
}

/// Calls of the keys' `Hash` and `Eq` that an operation makes.
fn calls<O>(operation: impl FnOnce() -> O) -> (O, u64) {
    let fuse = u64::MAX;
    FUSE.set(fuse);
    let output = operation();
    (output, fuse - FUSE.replace(fuse))
}

/// If this failed, comparing or combining two versions would look at all that they share.
#[test]
fn what_two_versions_share_is_not_looked_at() {
    let pool = Pool::<Map<Explosive, u64>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, map| {
        // Keys whose hashes differ.
        map.extend(tx, (0..5000).map(|key| (Explosive(key * 40), 0)));
        let mut other = map.share(tx);
        other.insert(tx, Explosive(40 * 6000), 0);
        other.remove(tx, &Explosive(40 * 70));
        other.insert(tx, Explosive(40 * 80), 1);
        let (changes, used) = calls(|| map.diff(&other).count());
        assert!(changes == 3 && used < 400, "{used} calls for a diff");
        let (is_same, used) = calls(|| map.same(&other));
        assert!(!is_same && used < 400, "{used} calls for an equality");
        let kept = map.share(tx);
        let (is_same, used) = calls(|| map.same(&kept));
        assert!(is_same && used == 0, "{used} calls for the same tree");
        for (name, expected, (found, used)) in [
            ("union", 5001, calls(|| map.union(tx, &other))),
            ("intersection", 4999, calls(|| map.intersection(tx, &other))),
            ("difference", 1, calls(|| map.difference(tx, &other))),
            ("symmetric difference", 2, calls(|| map.symmetric_difference(tx, &other))),
        ] {
            assert!(found.len() == expected && used < 1000, "{used} calls for a {name}");
            found.check()?;
        }
        Ok(())
    })
    .unwrap();
}

/// Equal to whatever comes, hashed to whatever comes.
#[derive(Persistent, Debug, Eq)]
#[repr(C)]
struct Liar(u64);

fn lie(bound: u64) -> u64 {
    let mut random = Random::new(LIES.get());
    let drawn = random.next();
    LIES.set(drawn);
    drawn % bound
}

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        lie(50).hash(state);
    }
}

impl PartialEq for Liar {
    fn eq(&self, _other: &Self) -> bool {
        lie(10) == 0
    }
}

/// If this failed, keys that lie would break more than the map that they are in: counts of nodes, or of entries.
#[test]
fn lies_cost_entries_and_nothing_else() {
    let pool = Pool::<Map<Liar, P<u64>>>::options().volatile().unwrap();
    let mut random = Random::new(3);
    for round in 0..300 {
        let keys: Vec<u64> = (0..20).map(|_| random.below(100)).collect();
        persist_fase!(pool, |tx, map| {
            let mut other = map.share(tx);
            for key in &keys {
                map.insert(tx, Liar(*key), P::new(tx, *key));
                other.remove(tx, &Liar(*key));
                _ = other.get_mut(tx, &Liar(*key));
                other.entry(tx, Liar(*key)).or_insert_with(|| P::new(tx, 1));
            }
            match round % 4 {
                0 => *map = map.union(tx, &other),
                1 => *map = map.difference(tx, &other),
                2 => *map = map.intersection(tx, &other),
                _ => map.append(tx, other),
            }
            let _ = map.check();
            assert_eq!(map.iter().count(), map.len());
            Ok(())
        })
        .unwrap();
        let now = pool.snapshot();
        assert!(now.diff(&now).count() <= 2 * now.len());
    }
    persist_fase!(pool, |tx, map| {
        map.clear(tx);
        Ok(())
    })
    .unwrap();
    assert_eq!(pool.check().unwrap().nodes, 1);
}
