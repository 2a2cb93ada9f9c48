//! `OrdMap` against the standard library's `BTreeMap`, on every kind of operation, across aborted sections, shares and reopening.

mod support;

#[path = "collection_ordered/judge.rs"]
mod judge;

use std::collections::BTreeMap;

use judge::run_beside_model;
use pmem_runtime::collections::OrdMap;
use pmem_runtime::collections::ord_map::Entry;
use pmem_runtime::{Fase, Persistent};
use support::Random;

#[derive(Persistent, Default)]
#[repr(C)]
struct World<'p> {
    map: OrdMap<'p, u64, u64>,
    kept: [OrdMap<'p, u64, u64>; 3],
    /// Nodes of which each holds few of these.
    large: OrdMap<'p, [u64; 5], [u64; 6]>,
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Model {
    map: BTreeMap<u64, u64>,
    kept: [BTreeMap<u64, u64>; 3],
}

const KEYS: u64 = 600;

#[derive(Clone, Debug)]
enum Op {
    Insert(u64, u64),
    Remove(u64),
    AddTo(u64, u64),
    RemoveEntry(u64),
    SetIfThere(u64, u64),
    PopFirst,
    PopLast,
    SplitAndDrop(u64),
    SplitAndJoin(u64, u64),
    Extend(Vec<(u64, u64)>),
    Rebuild(Vec<(u64, u64)>),
    Retain(u64),
    Keep(usize),
    Restore(usize),
    Union(usize),
    AppendKept(usize),
    Intersect(usize),
    Subtract(usize),
    Toggle(usize),
    IterMut(usize, usize),
    RangeMut(u64, u64),
    Clear,
}

impl Op {
    fn random(random: &mut Random) -> Self {
        let mut key = || random.below(KEYS);
        let (a, b) = (key(), key());
        let value = random.below(1000);
        let place = random.below(3) as usize;
        match random.below(120) {
            0..40 => Op::Insert(a, value),
            40..60 => Op::Remove(a),
            60..66 => Op::AddTo(a, value),
            66..70 => Op::RemoveEntry(a),
            70..74 => Op::SetIfThere(a, value),
            74 => Op::PopFirst,
            75 => Op::PopLast,
            76..78 => Op::SplitAndDrop(a),
            78..82 => Op::SplitAndJoin(a, b),
            82..85 => Op::Extend((0..random.below(40)).map(|index| (b + index, index)).collect()),
            85 => Op::Rebuild((0..random.below(400)).map(|index| (random.below(KEYS), index)).collect()),
            86 => Op::Rebuild((0..random.below(KEYS)).map(|index| (index, index)).collect()),
            87..89 => Op::Retain(2 + random.below(20)),
            89..94 => Op::Keep(place),
            94..96 => Op::Restore(place),
            96..98 => Op::Union(place),
            98..100 => Op::AppendKept(place),
            100..102 => Op::Intersect(place),
            102..104 => Op::Subtract(place),
            104..106 => Op::Toggle(place),
            106..112 => Op::IterMut(random.below(60) as usize, random.below(60) as usize),
            112..119 => Op::RangeMut(a.min(b), a.max(b)),
            _ => Op::Clear,
        }
    }

    /// Does the same to both, and compares what they answer.
    fn apply<'p>(&self, tx: &Fase<'p>, world: &mut World<'p>, model: &mut Model) {
        let (map, twin) = (&mut world.map, &mut model.map);
        match self {
            Op::Insert(key, value) => assert_eq!(map.insert(tx, *key, *value), twin.insert(*key, *value)),
            Op::Remove(key) => assert_eq!(map.remove(tx, key), twin.remove(key)),
            Op::AddTo(key, value) => {
                let new = map.entry(tx, *key).and_modify(|old| *old += value).or_insert(*value);
                *new += 1;
                *twin.entry(*key).and_modify(|old| *old += value).or_insert(*value) += 1;
                assert_eq!(map[key], twin[key]);
            }
            Op::RemoveEntry(key) => match map.entry(tx, *key) {
                Entry::Occupied(entry) => assert_eq!(Some(entry.remove_entry()), twin.remove_entry(key)),
                Entry::Vacant(entry) => assert!(entry.into_key() == *key && !twin.contains_key(key)),
            },
            Op::SetIfThere(key, value) => {
                let found = map.get_mut(tx, key).map(|old| std::mem::replace(old, *value));
                assert_eq!(found, twin.get_mut(key).map(|old| std::mem::replace(old, *value)));
            }
            Op::PopFirst => assert_eq!(map.pop_first(tx), twin.pop_first()),
            Op::PopLast => assert_eq!(map.pop_last(tx), twin.pop_last()),
            Op::SplitAndDrop(key) => {
                let (upper, twins) = (map.split_off(tx, key), twin.split_off(key));
                upper.check().unwrap();
                assert!(upper.iter().eq(&twins) && upper.len() == twins.len());
                if *key < KEYS / 4 {
                    (*map, *twin) = (upper, twins);
                }
            }
            Op::SplitAndJoin(a, b) => {
                let (first, mut second) = (map.split_off(tx, a), map.split_off(tx, b));
                assert_eq!(first.len() + second.len() + map.len(), twin.len());
                map.append(tx, first);
                second.append(tx, std::mem::take(map));
                *map = second;
            }
            Op::Extend(entries) => {
                map.extend(tx, entries.iter().copied());
                twin.extend(entries.iter().copied());
            }
            Op::Rebuild(entries) => {
                *map = OrdMap::from_iter(tx, entries.iter().copied());
                *twin = entries.iter().copied().collect();
            }
            Op::Retain(modulus) => {
                map.retain(tx, |key, value| (key + value) % modulus != 0);
                twin.retain(|key, value| (*key + *value) % modulus != 0);
            }
            Op::Keep(place) => {
                world.kept[*place] = map.share(tx);
                model.kept[*place] = twin.clone();
            }
            Op::Restore(place) => {
                *map = world.kept[*place].share(tx);
                *twin = model.kept[*place].clone();
            }
            Op::Union(place) => {
                *map = map.union(tx, &world.kept[*place]);
                for (key, value) in &model.kept[*place] {
                    twin.entry(*key).or_insert(*value);
                }
            }
            Op::AppendKept(place) => {
                map.append(tx, world.kept[*place].share(tx));
                twin.append(&mut model.kept[*place].clone());
            }
            Op::Intersect(place) => {
                *map = map.intersection(tx, &world.kept[*place]);
                twin.retain(|key, _| model.kept[*place].contains_key(key));
            }
            Op::Subtract(place) => {
                *map = map.difference(tx, &world.kept[*place]);
                twin.retain(|key, _| !model.kept[*place].contains_key(key));
            }
            Op::Toggle(place) => {
                *map = map.symmetric_difference(tx, &world.kept[*place]);
                for (key, value) in &model.kept[*place] {
                    if twin.remove(key).is_none() {
                        twin.insert(*key, *value);
                    }
                }
            }
            Op::IterMut(front, back) => {
                let (mut values, mut twins) = (map.iter_mut(tx), twin.iter_mut());
                assert_eq!(values.len(), twins.len());
                for step in 0..front + back {
                    let (left, right) = if step % 3 == 0 || step >= 2 * front {
                        (values.next_back(), twins.next_back())
                    } else {
                        (values.next(), twins.next())
                    };
                    assert_eq!(left, right);
                    left.into_iter().chain(right).for_each(|(_, value)| *value += 1);
                }
            }
            Op::RangeMut(from, to) => {
                let mut values = map.range_mut(tx, *from..*to);
                let mut twins = twin.range_mut(*from..*to);
                for step in 0.. {
                    let (left, right) = if step % 3 == 0 {
                        (values.next_back(), twins.next_back())
                    } else {
                        (values.next(), twins.next())
                    };
                    assert_eq!(left, right);
                    if left.is_none() {
                        break;
                    }
                    left.into_iter().chain(right).for_each(|(_, value)| *value += 1);
                }
            }
            Op::Clear => {
                map.clear(tx);
                twin.clear();
            }
        }
        map.check().unwrap();
        assert_eq!(map.len(), twin.len());
    }
}

fn assert_same(world: &World<'_>, model: &Model) {
    assert!(world.map.iter().eq(&model.map), "{:?}\n{:?}", world.map, model.map);
    for (kept, twin) in world.kept.iter().zip(&model.kept) {
        kept.check().unwrap();
        assert!(kept.iter().eq(twin));
    }
}

/// If this failed, some sequence of operations would leave a map that is not the ordered map of the same operations.
#[test]
fn a_map_is_its_model_through_all_operations() {
    for seed in 0..4 {
        run_beside_model::<World, Model, _>("ord_map", seed, Op::random, Op::apply, assert_same);
    }
}
