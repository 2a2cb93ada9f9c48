//! Every state that a crash may leave.

use std::collections::HashMap;

use pmem_runtime::{Fase, Map, Persistent};

use crate::versions::{Script, crash_everywhere};

/// A map and a version of it that is kept.
#[derive(Persistent, Default)]
#[repr(C)]
struct Root<'p> {
    map: Map<'p, u64, u64>,
    kept: Map<'p, u64, u64>,
}

/// Splits and merges of leaves, overwriting, sharing, combining, clearing.
struct Edits;

const SECTIONS: usize = 16;

impl Script for Edits {
    type Root = Root<'static>;
    type Model = [HashMap<u64, u64>; 2];

    fn sections(&self) -> usize {
        SECTIONS
    }

    fn apply<'f>(&self, tx: &Fase<'f>, Root { map, kept }: &mut Root<'f>, section: usize) {
        let number = section as u64;
        match section {
            // Ten entries are a leaf; the eleventh splits it.
            0 => map.extend(tx, (0..10).map(|key| (key, 0))),
            1..4 => _ = map.insert(tx, 10 * number, number),
            4 => *kept = map.share(tx),
            5 => map.extend(tx, (100..160).map(|key| (key, number))),
            6..9 => _ = map.remove(tx, &(100 + number)),
            9 => *map.entry(tx, 7).or_insert(0) += 5,
            10 => map.retain(tx, |key, _| key % 10 == 0),
            11 => _ = map.remove(tx, &10),
            12 => *map = map.union(tx, kept),
            13 => map.iter_mut(tx).for_each(|(_, value)| *value += 1),
            14 => *kept = map.difference(tx, kept),
            _ => map.clear(tx),
        }
    }

    fn model(&self, sections: usize) -> Self::Model {
        let (mut map, mut kept) = (HashMap::new(), HashMap::new());
        for section in 0..sections {
            let number = section as u64;
            match section {
                0 => map.extend((0..10).map(|key| (key, 0))),
                1..4 => _ = map.insert(10 * number, number),
                4 => kept = map.clone(),
                5 => map.extend((100..160).map(|key| (key, number))),
                6..9 => _ = map.remove(&(100 + number)),
                9 => *map.entry(7).or_insert(0) += 5,
                10 => map.retain(|key, _| key % 10 == 0),
                11 => _ = map.remove(&10),
                12 => kept.iter().for_each(|(key, value)| _ = map.entry(*key).or_insert(*value)),
                13 => map.values_mut().for_each(|value| *value += 1),
                14 => {
                    let old = std::mem::replace(&mut kept, map.clone());
                    kept.retain(|key, _| !old.contains_key(key));
                }
                _ => map.clear(),
            }
        }
        [map, kept]
    }

    fn observe(root: &Root<'static>) -> Self::Model {
        [&root.map, &root.kept].map(|map| {
            map.check().unwrap();
            map.iter().map(|(key, value)| (*key, *value)).collect()
        })
    }
}

/// If this failed, a crash in the middle of an insertion, a split or a merge would leave a map that is neither the old nor
/// the new one.
#[test]
fn a_crash_leaves_a_whole_map() {
    let states = crash_everywhere(&Edits);
    println!("{states} states");
    assert!(states > 500);
}
