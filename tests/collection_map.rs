//! `Map` against the standard library's, across aborted sections, kept versions, reopened pools and crashes.

mod support;

#[path = "collection_map/behaviour.rs"]
mod behaviour;
#[path = "collection_map/costs.rs"]
mod costs;
#[path = "collection_map/crash.rs"]
mod crash;
#[path = "collection_map/hostile_keys.rs"]
mod hostile_keys;
#[path = "collection_map/json.rs"]
mod json;
#[path = "support/versions.rs"]
mod versions;

use std::collections::HashMap;
use std::path::Path;

use pmem_runtime::{Fase, Map, P, Persistent, Pool, abort, persist_fase};
use support::Random;

/// A value with padding and a pointer.
#[derive(Persistent, Debug)]
#[repr(C)]
struct Goods<'p> {
    kind: u8,
    price: u64,
    note: Option<P<'p, u64>>,
}

const KEPT: usize = 2;

#[derive(Persistent, Default)]
#[repr(C)]
struct World<'p> {
    map: Map<'p, u64, Goods<'p>>,
    kept: [Map<'p, u64, Goods<'p>>; KEPT],
}

type Plain = HashMap<u64, (u8, u64, Option<u64>)>;

#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    map: Plain,
    kept: [Plain; KEPT],
}

#[derive(Clone, Debug)]
enum Op {
    Insert(u64, u64),
    Remove(u64),
    Raise(u64),
    Visit(u64),
    Alter(u64),
    RaiseAll,
    Retain(u64),
    Extend(Vec<u64>),
    Keep(usize),
    Restore(usize),
    Unite(usize),
    Intersect(usize),
    Subtract(usize),
    Differ(usize),
    Append(usize),
    Clear,
    Drain(usize),
}

impl Op {
    fn random(random: &mut Random) -> Self {
        let key = |random: &mut Random| random.below(120);
        let kept = random.below(KEPT as u64) as usize;
        match random.below(240) {
            0..80 => Op::Insert(key(random), random.below(100)),
            80..140 => Op::Remove(key(random)),
            140..160 => Op::Raise(key(random)),
            160..180 => Op::Visit(key(random)),
            180..200 => Op::Alter(key(random)),
            200..202 => Op::RaiseAll,
            202..206 => Op::Retain(2 + random.below(8)),
            206..214 => Op::Extend((0..random.below(30)).map(|_| random.below(200)).collect()),
            214..220 => Op::Keep(kept),
            220..222 => Op::Restore(kept),
            222..226 => Op::Unite(kept),
            226..228 => Op::Intersect(kept),
            228..230 => Op::Subtract(kept),
            230..232 => Op::Differ(kept),
            232..236 => Op::Append(kept),
            236 => Op::Clear,
            _ => Op::Drain(random.below(5) as usize),
        }
    }
}

fn goods<'p>(tx: &Fase<'p>, price: u64) -> Goods<'p> {
    let note = price.is_multiple_of(3).then(|| P::new(tx, price * 7));
    Goods { kind: price as u8, price, note }
}

fn plain_goods(price: u64) -> (u8, u64, Option<u64>) {
    (price as u8, price, price.is_multiple_of(3).then_some(price * 7))
}

impl<'p> World<'p> {
    fn apply(&mut self, tx: &Fase<'p>, op: &Op) {
        let World { map, kept } = self;
        match op {
            Op::Insert(key, price) => _ = map.insert(tx, *key, goods(tx, *price)),
            Op::Remove(key) => _ = map.remove(tx, key),
            Op::Raise(key) => {
                if let Some(goods) = map.get_mut(tx, key) {
                    goods.price += 1;
                }
            }
            Op::Visit(key) => {
                map.entry(tx, *key)
                    .and_modify(|goods| goods.price += 10)
                    .or_insert_with_key(|key| goods(tx, *key))
                    .kind = 9;
            }
            Op::Alter(key) => {
                map.alter(tx, *key, |old| match old {
                    Some(old) if old.price % 2 == 0 => None,
                    Some(old) => Some(Goods { price: old.price + 1, ..old }),
                    None => Some(goods(tx, 1)),
                });
            }
            Op::RaiseAll => map.iter_mut(tx).for_each(|(key, goods)| goods.price += key % 2),
            Op::Retain(times) => map.retain(tx, |key, _| key % times != 0),
            Op::Extend(keys) => map.extend(tx, keys.iter().map(|key| (*key, goods(tx, *key)))),
            Op::Keep(place) => kept[*place] = map.share(tx),
            Op::Restore(place) => *map = kept[*place].share(tx),
            Op::Unite(place) => *map = map.union(tx, &kept[*place]),
            Op::Intersect(place) => *map = map.intersection(tx, &kept[*place]),
            Op::Subtract(place) => *map = map.difference(tx, &kept[*place]),
            Op::Differ(place) => *map = map.symmetric_difference(tx, &kept[*place]),
            Op::Append(place) => map.append(tx, kept[*place].share(tx)),
            Op::Clear => map.clear(tx),
            Op::Drain(count) => {
                // The rest of what was drained is given up, the first few are put back.
                let taken: Vec<_> = {
                    let mut drained: Vec<_> = map.drain(tx).collect();
                    drained.sort_by_key(|(key, _)| *key);
                    drained.truncate(*count);
                    drained
                };
                map.extend(tx, taken);
            }
        }
    }
}

impl Model {
    fn apply(&mut self, op: &Op) {
        let Model { map, kept } = self;
        match op {
            Op::Insert(key, price) => _ = map.insert(*key, plain_goods(*price)),
            Op::Remove(key) => _ = map.remove(key),
            Op::Raise(key) => {
                if let Some(goods) = map.get_mut(key) {
                    goods.1 += 1;
                }
            }
            Op::Visit(key) => {
                map.entry(*key).and_modify(|goods| goods.1 += 10).or_insert(plain_goods(*key)).0 = 9;
            }
            Op::Alter(key) => match map.remove(key) {
                Some(old) if old.1 % 2 == 0 => {}
                Some(old) => _ = map.insert(*key, (old.0, old.1 + 1, old.2)),
                None => _ = map.insert(*key, plain_goods(1)),
            },
            Op::RaiseAll => map.iter_mut().for_each(|(key, goods)| goods.1 += key % 2),
            Op::Retain(times) => map.retain(|key, _| key % times != 0),
            Op::Extend(keys) => map.extend(keys.iter().map(|key| (*key, plain_goods(*key)))),
            Op::Keep(place) => kept[*place] = map.clone(),
            Op::Restore(place) => *map = kept[*place].clone(),
            Op::Unite(place) => {
                let own = std::mem::replace(map, kept[*place].clone());
                map.extend(own);
            }
            Op::Intersect(place) => map.retain(|key, _| kept[*place].contains_key(key)),
            Op::Subtract(place) => map.retain(|key, _| !kept[*place].contains_key(key)),
            Op::Differ(place) => {
                let mut other = kept[*place].clone();
                other.retain(|key, _| !map.contains_key(key));
                map.retain(|key, _| !kept[*place].contains_key(key));
                map.extend(other);
            }
            Op::Append(place) => map.extend(kept[*place].clone()),
            Op::Clear => map.clear(),
            Op::Drain(count) => {
                let mut keys: Vec<u64> = map.keys().copied().collect();
                keys.sort_unstable();
                keys.truncate(*count);
                map.retain(|key, _| keys.contains(key));
            }
        }
    }
}

fn observe(world: &World<'_>) -> Model {
    let plain = |map: &Map<'_, u64, Goods<'_>>| {
        map.check().unwrap();
        let plain: Plain = map
            .iter()
            .map(|(key, goods)| (*key, (goods.kind, goods.price, goods.note.as_deref().copied())))
            .collect();
        assert_eq!(plain.len(), map.len());
        plain
    };
    Model { map: plain(&world.map), kept: std::array::from_fn(|place| plain(&world.kept[place])) }
}

fn open(path: &Path) -> Pool<World<'static>> {
    Pool::<World>::options().force_dax(true).threads(1).verify_checksums(true).open(path).unwrap()
}

fn compare_with_the_model(seed: u64) {
    let mut random = Random::for_test("a_map_is_its_model", seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.pool");
    let mut pool = Pool::<World>::options().force_dax(true).create(&path).unwrap();
    let mut model = Model::default();
    let (mut steps, mut reopened) = (0, 0);
    while steps < 10_000 {
        let ops: Vec<Op> = (0..=random.below(12)).map(|_| Op::random(&mut random)).collect();
        steps += ops.len();
        if random.one_in(10) {
            let aborted = persist_fase!(pool, |tx, world| -> Result<(), pmem_runtime::FaseError> {
                ops.iter().for_each(|op| world.apply(tx, op));
                abort!("as planned")
            });
            assert_eq!(aborted.unwrap_err().to_string(), "as planned");
        } else {
            let start = &model;
            persist_fase!(pool, |tx, world| {
                let mut model = start.clone();
                for op in &ops {
                    world.apply(tx, op);
                    model.apply(op);
                    world.map.check()?;
                    assert_eq!(world.map.len(), model.map.len(), "{op:?}");
                }
                Ok(())
            })
            .unwrap();
            ops.iter().for_each(|op| model.apply(op));
        }
        assert_eq!(observe(&pool.snapshot()), model);
        if random.one_in(60) {
            drop(pool);
            pool = open(&path);
            reopened += 1;
            let report = pool.check().unwrap();
            assert_eq!((report.refcounts_off, report.unreachable_lines, report.unallocated_lines), (0, 0, 0));
            assert_eq!(observe(&pool.snapshot()), model, "reopened after {steps} steps");
        }
    }
    println!("{steps} steps, reopened {reopened} times");
    assert!(reopened > 5);
}

/// If this failed, a map would not hold what was put into it.
#[test]
fn a_map_is_its_model_across_reopens() {
    compare_with_the_model(1);
}

/// If this failed, another sequence of operations would lose what the first kept.
#[test]
fn a_map_is_its_model_with_another_seed() {
    compare_with_the_model(2);
}

/// If this failed, a third sequence of operations would lose what the others kept.
#[test]
fn a_map_is_its_model_with_a_third_seed() {
    compare_with_the_model(3);
}
