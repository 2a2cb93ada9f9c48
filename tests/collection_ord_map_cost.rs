//! `OrdMap`: what operations cost in nodes and lines, borrowed keys, entries of all sizes, and ten million of them.

mod support;

#[path = "collection_ordered/judge.rs"]
mod judge;

use std::cmp::Ordering;

use judge::{cost, ignore, section};
use pmem_runtime::collections::OrdMap;
use pmem_runtime::{Fase, Persistent, Pool};
use support::Random;

type Map<'p> = OrdMap<'p, u64, u64>;

fn filled(count: u64) -> Pool<Map<'static>> {
    let pool = Pool::<Map>::options().volatile().unwrap();
    let mut random = Random::new(1);
    for _ in 0..count / 1000 {
        let keys: Vec<u64> = (0..1000).map(|_| random.next()).collect();
        section(&pool, |tx, map: &mut Map<'_>| map.extend(tx, keys.iter().map(|key| (*key, 0))));
    }
    pool
}

/// If this failed, an insertion would copy more than the way to its place.
#[test]
fn an_insertion_writes_its_path() {
    let pool = filled(100_000);
    let mut random = Random::new(2);
    let (mut lines, mut most) = (0, 0);
    for _ in 0..1000 {
        let key = random.next();
        let cost = cost(&pool, || section(&pool, |tx, map: &mut Map<'_>| ignore(map.insert(tx, key, 1))));
        lines += cost.lines - 1;
        most = most.max(cost.nodes - 1);
    }
    let mean = lines as f64 / 1000.0;
    println!("{mean:.1} lines for each of 1,000 insertions into 100,000 entries, {most} nodes at most");
    assert!(mean < 24.0 && most <= 20);
    let overwrite = section(&pool, |_, map: &mut Map<'_>| *map.keys().nth(5000).unwrap());
    let cost = cost(&pool, || section(&pool, |tx, map: &mut Map<'_>| ignore(map.insert(tx, overwrite, 2))));
    println!("{cost:?} for an overwrite");
    assert!(cost.nodes <= 10, "an overwrite copies one node of each level: {cost:?}");
}

/// If this failed, a section would copy a node again for each entry that it inserts.
#[test]
fn a_section_copies_each_node_once() {
    let pool = filled(100_000);
    let nodes = pool.check().unwrap().nodes;
    let mut random = Random::new(3);
    let keys: Vec<u64> = (0..1000).map(|_| random.next()).collect();
    let scattered = cost(&pool, || {
        section(&pool, |tx, map: &mut Map<'_>| map.extend(tx, keys.iter().map(|key| (*key, 1))))
    });
    println!("{scattered:?} for 1,000 scattered insertions into {nodes} nodes");
    assert!(scattered.nodes < 4 * 1000);
    let near =
        cost(&pool, || section(&pool, |tx, map: &mut Map<'_>| map.extend(tx, (0..1000).map(|key| (key, 1)))));
    println!("{near:?} for 1,000 neighbours");
    assert!(near.nodes < 300, "neighbours lie in few nodes: {near:?}");
    let nothing =
        cost(&pool, || section(&pool, |tx, map: &mut Map<'_>| assert_eq!(map.remove(tx, &5000), None)));
    assert_eq!(nothing.nodes, 1, "what is not there is not removed by copying");
}

/// If this failed, keys that come in order would leave nodes half empty.
#[test]
fn ascending_keys_fill_nodes() {
    let pool = Pool::<Map>::options().volatile().unwrap();
    section(&pool, |tx, map: &mut Map<'_>| (0..100_000).for_each(|key| ignore(map.insert(tx, key, key))));
    let inserted = pool.check().unwrap().bytes as f64 / 100_000.0;
    section(&pool, |tx, map: &mut Map<'_>| *map = OrdMap::from_iter(tx, (0..100_000).map(|key| (key, key))));
    let built = pool.check().unwrap().bytes as f64 / 100_000.0;
    println!("{inserted:.1} bytes for each entry inserted in order, {built:.1} built");
    assert!(inserted < 25.0 && built < 21.0);
}

/// If this failed, splitting or joining would look at every entry.
#[test]
fn splitting_and_joining_touch_the_height() {
    let pool = filled(100_000);
    let split = cost(&pool, || {
        section(&pool, |tx, map: &mut Map<'_>| {
            let upper = map.split_off(tx, &(u64::MAX / 3));
            assert!(upper.len() > 60_000 && map.len() > 30_000);
            map.append(tx, upper);
        });
    });
    println!("{split:?} for a split and a join");
    assert!(split.nodes < 60);
    pool.snapshot().check().unwrap();
}

/// If this failed, merging two versions of a map would go through all that they share.
#[test]
fn merging_versions_costs_what_differs() {
    let pool = filled(100_000);
    let mut random = Random::new(4);
    let keys: Vec<u64> = (0..10).map(|_| random.next()).collect();
    let merged = |combine: &dyn for<'p> Fn(&Fase<'p>, Map<'p>, Map<'p>) -> Map<'p>, len: usize| {
        let cost = cost(&pool, || {
            section(&pool, |tx, map: &mut Map<'_>| {
                let (mut first, mut second) = (map.share(tx), map.share(tx));
                keys.iter().for_each(|key| ignore(first.insert(tx, *key, 1)));
                keys.iter().for_each(|key| ignore(second.insert(tx, key / 2, 2)));
                let merged = combine(tx, first, second);
                merged.check().unwrap();
                assert_eq!(merged.len(), len);
                *map = merged;
                // What is kept of it is the map as it was, so that the next one begins with the same.
                keys.iter().for_each(|key| {
                    map.remove(tx, key);
                    map.remove(tx, &(key / 2));
                });
            });
        });
        println!("{cost:?}");
        assert!(cost.nodes < 400, "{cost:?}");
    };
    merged(&|tx, first, second| first.union(tx, &second), 100_020);
    merged(&|tx, first, second| first.intersection(tx, &second), 100_000);
}

/// A name of up to 16 bytes, found by `str`.
#[derive(Persistent, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
struct Name {
    len: u8,
    bytes: [u8; 15],
}

impl Name {
    fn new(text: &str) -> Self {
        let mut bytes = [0; 15];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Name { len: text.len() as u8, bytes }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap()
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text().cmp(other.text())
    }
}

impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self.text()
    }
}

/// If this failed, a key could not be looked up by what it is made of.
#[test]
fn keys_are_found_by_their_borrowed_form() {
    let pool = Pool::<OrdMap<Name, u64>>::options().volatile().unwrap();
    section(&pool, |tx, map: &mut OrdMap<'_, Name, u64>| {
        for (index, name) in ["carol", "alice", "bob", "dave"].iter().enumerate() {
            map.insert(tx, Name::new(name), index as u64);
        }
        *map.get_mut(tx, "bob").unwrap() += 10;
        assert_eq!(map.remove(tx, "dave"), Some(3));
    });
    let map = pool.snapshot();
    assert_eq!((map.get("alice"), map["bob"], map.contains_key("erin")), (Some(&1), 12, false));
    let from_b = map.range::<str, _>((std::ops::Bound::Included("b"), std::ops::Bound::Unbounded));
    assert!(from_b.map(|(name, _)| name.text()).eq(["bob", "carol"]));
}

/// If this failed, entries of some size or alignment would be stored wrongly.
#[test]
fn entries_of_any_size_are_kept() {
    #[derive(Persistent, Default)]
    #[repr(C)]
    struct Sizes<'p> {
        bytes: OrdMap<'p, u8, ()>,
        wide: OrdMap<'p, u128, u8>,
        large: OrdMap<'p, u32, [u64; 512]>,
        nested: OrdMap<'p, u16, OrdMap<'p, u8, u64>>,
        nothing: OrdMap<'p, (), ()>,
    }
    let pool = Pool::<Sizes>::options().volatile().unwrap();
    section(&pool, |tx, sizes: &mut Sizes<'_>| {
        for key in 0..=255_u8 {
            sizes.bytes.insert(tx, key.wrapping_mul(77), ());
            sizes.wide.insert(tx, u128::from(key.wrapping_mul(31)), key);
            sizes.large.insert(tx, key.into(), [key.into(); 512]);
            let inner = OrdMap::from_iter(tx, (0..key).map(|inner| (inner, u64::from(key))));
            sizes.nested.insert(tx, key.into(), inner);
            sizes.nothing.insert(tx, (), ());
        }
    });
    section(&pool, |tx, sizes: &mut Sizes<'_>| {
        let inner = sizes.nested.get_mut(tx, &200).unwrap();
        *inner.get_mut(tx, &7).unwrap() = 1;
    });
    let sizes = pool.snapshot();
    sizes.bytes.check().unwrap();
    sizes.wide.check().unwrap();
    sizes.large.check().unwrap();
    sizes.nested.check().unwrap();
    assert!(sizes.bytes.keys().copied().eq(0..=255) && sizes.nothing.len() == 1);
    assert!(sizes.wide.iter().all(|(key, value)| value.wrapping_mul(31) as u128 == *key));
    assert!(sizes.large.iter().all(|(key, value)| value[511] == u64::from(*key)));
    assert!(sizes.nested.values().map(OrdMap::len).eq(0..256));
    assert_eq!((sizes.nested[&200][&7], sizes.nested[&200][&8]), (1, 200));
}

/// If this failed, a large map would overflow the machine's stack somewhere, or not be built in one go.
#[test]
fn ten_million_entries_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = Pool::<OrdMap<u32, u32>>::options().volatile().unwrap();
            section(&pool, |tx, map: &mut OrdMap<'_, u32, u32>| {
                *map = OrdMap::from_iter(tx, (0..10_000_000).map(|key| (key, !key)));
            });
            let map = pool.snapshot();
            map.check().unwrap();
            assert!(map.iter().map(|(key, _)| *key).eq(0..10_000_000));
            section(&pool, |tx, map: &mut OrdMap<'_, u32, u32>| {
                map.retain(tx, |key, _| key % 1000 != 0);
                assert_eq!(map.len(), 9_990_000);
                map.clear(tx);
            });
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}
