//! The standard library's and imbl's collections, in ordinary memory.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hint::black_box;

use crate::ALLOCATOR;
use crate::measure::{Row, scattered, timed};

/// Measures a collection that `insert` fills, one element a call.
fn measure<C: Default>(
    name: &'static str,
    elements: usize,
    insert: impl Fn(&mut C, usize),
    get: Option<fn(&C, usize) -> bool>,
    iterate: impl Fn(&C) -> u64,
) -> Row {
    let before = ALLOCATOR.allocated();
    let mut collection = C::default();
    let (insert_ns, ()) = timed(elements, || (0..elements).for_each(|index| insert(&mut collection, index)));
    let bytes = (ALLOCATOR.allocated() - before) as f64 / elements as f64;
    let get_ns = get.map(|get| {
        let (ns, found) = timed(elements, || (0..elements).filter(|index| get(&collection, *index)).count());
        assert_eq!(found, elements, "{name} has what was put there");
        ns
    });
    let (iterate_ns, sum) = timed(elements, || iterate(&collection));
    black_box(sum);
    Row { name, bytes, bulk_ns: insert_ns, get_ns, iterate_ns: Some(iterate_ns), ..Row::default() }
}

pub(crate) fn std_hash_map(elements: usize) -> Row {
    measure::<HashMap<u64, u64>>(
        "  std HashMap",
        elements,
        |map, index| {
            map.insert(scattered(index), 1);
        },
        Some(|map, index| map.contains_key(&scattered(index))),
        |map| map.values().sum(),
    )
}

pub(crate) fn imbl_hash_map(elements: usize) -> Row {
    measure::<imbl::HashMap<u64, u64>>(
        "  imbl HashMap",
        elements,
        |map, index| {
            map.insert(scattered(index), 1);
        },
        Some(|map, index| map.contains_key(&scattered(index))),
        |map| map.values().sum(),
    )
}

pub(crate) fn std_hash_set(elements: usize) -> Row {
    measure::<HashSet<u64>>(
        "  std HashSet",
        elements,
        |set, index| {
            set.insert(scattered(index));
        },
        Some(|set, index| set.contains(&scattered(index))),
        |set| set.iter().fold(0, |sum, value| sum ^ value),
    )
}

pub(crate) fn imbl_hash_set(elements: usize) -> Row {
    measure::<imbl::HashSet<u64>>(
        "  imbl HashSet",
        elements,
        |set, index| {
            set.insert(scattered(index));
        },
        Some(|set, index| set.contains(&scattered(index))),
        |set| set.iter().fold(0, |sum, value| sum ^ value),
    )
}

pub(crate) fn std_btree_map(elements: usize) -> Row {
    measure::<BTreeMap<u64, u64>>(
        "  std BTreeMap",
        elements,
        |map, index| {
            map.insert(scattered(index), 1);
        },
        Some(|map, index| map.contains_key(&scattered(index))),
        |map| map.values().sum(),
    )
}

pub(crate) fn imbl_ord_map(elements: usize) -> Row {
    measure::<imbl::OrdMap<u64, u64>>(
        "  imbl OrdMap",
        elements,
        |map, index| {
            map.insert(scattered(index), 1);
        },
        Some(|map, index| map.contains_key(&scattered(index))),
        |map| map.values().sum(),
    )
}

pub(crate) fn std_btree_set(elements: usize) -> Row {
    measure::<BTreeSet<u64>>(
        "  std BTreeSet",
        elements,
        |set, index| {
            set.insert(scattered(index));
        },
        Some(|set, index| set.contains(&scattered(index))),
        |set| set.iter().fold(0, |sum, value| sum ^ value),
    )
}

pub(crate) fn imbl_ord_set(elements: usize) -> Row {
    measure::<imbl::OrdSet<u64>>(
        "  imbl OrdSet",
        elements,
        |set, index| {
            set.insert(scattered(index));
        },
        Some(|set, index| set.contains(&scattered(index))),
        |set| set.iter().fold(0, |sum, value| sum ^ value),
    )
}

pub(crate) fn std_vec(elements: usize) -> Row {
    measure::<Vec<u64>>(
        "  std Vec",
        elements,
        |vector, index| vector.push(index as u64),
        Some(|vector, index| vector[scattered(index) as usize % vector.len()] < u64::MAX),
        |vector| vector.iter().sum(),
    )
}

pub(crate) fn imbl_vector(elements: usize) -> Row {
    measure::<imbl::Vector<u64>>(
        "  imbl Vector",
        elements,
        |vector, index| vector.push_back(index as u64),
        Some(|vector, index| vector[scattered(index) as usize % vector.len()] < u64::MAX),
        |vector| vector.iter().sum(),
    )
}

pub(crate) fn std_vec_deque(elements: usize) -> Row {
    measure::<VecDeque<u64>>(
        "  std VecDeque",
        elements,
        |queue, index| queue.push_back(index as u64),
        None,
        |queue| queue.iter().sum(),
    )
}

pub(crate) fn std_binary_heap(elements: usize) -> Row {
    measure::<BinaryHeap<u64>>(
        "  std BinaryHeap",
        elements,
        |heap, index| heap.push(scattered(index)),
        None,
        |heap| heap.iter().fold(0, |sum, value| sum ^ value),
    )
}

pub(crate) fn std_string(elements: usize) -> Row {
    measure::<String>(
        "  std String",
        elements,
        |text, index| text.push(char::from(b'a' + (index % 26) as u8)),
        None,
        |text| text.chars().map(u64::from).sum(),
    )
}

pub(crate) fn std_bytes(elements: usize) -> Row {
    measure::<Vec<u8>>(
        "  std Vec<u8>",
        elements,
        |bytes, index| bytes.push(index as u8),
        None,
        |bytes| bytes.iter().map(|byte| u64::from(*byte)).sum(),
    )
}
