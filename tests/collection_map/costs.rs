//! What a map costs, counted.

use pmem_runtime::{Counters, Map, Persistent, Pool, persist_fase};

use crate::support::Random;

type MapPool = Pool<Map<'static, u64, u64>>;

/// Lines of nodes written per operation, without those of records and of the root.
fn lines(before: &Counters, after: &Counters, operations: u64) -> f64 {
    let nodes = after.lines_written_back - before.lines_written_back;
    let records = after.record_lines - before.record_lines;
    let roots = after.fases - before.fases;
    (nodes - records - roots) as f64 / operations as f64
}

/// If this failed, an insertion would write more than its path.
#[test]
fn lines_written_by_single_operations() {
    const KEYS: u64 = 100_000;
    let pool = MapPool::options().volatile().unwrap();
    let mut random = Random::new(7);
    let keys: Vec<u64> = (0..KEYS).map(|_| random.next()).collect();
    persist_fase!(pool, |tx, map| {
        map.extend(tx, keys.iter().map(|key| (*key, 0)));
        Ok(())
    })
    .unwrap();
    let report = pool.check().unwrap();
    let bytes = report.bytes as f64 / KEYS as f64;
    let more: Vec<u64> = (0..2000).map(|_| random.next()).collect();
    let start = pool.counters();
    for key in &more {
        persist_fase!(pool, |tx, map| {
            map.insert(tx, *key, 1);
            Ok(())
        })
        .unwrap();
    }
    let inserted = pool.counters();
    for key in &keys[..2000] {
        persist_fase!(pool, |tx, map| {
            *map.get_mut(tx, key).expect("the key is there") += 1;
            Ok(())
        })
        .unwrap();
    }
    let overwritten = pool.counters();
    for key in &more {
        persist_fase!(pool, |tx, map| {
            map.remove(tx, key);
            Ok(())
        })
        .unwrap();
    }
    let removed = pool.counters();
    let insert = lines(&start, &inserted, 2000);
    let overwrite = lines(&inserted, &overwritten, 2000);
    let remove = lines(&overwritten, &removed, 2000);
    println!(
        "{KEYS} keys: {bytes:.1} bytes each; lines per insert {insert:.2}, overwrite {overwrite:.2}, remove {remove:.2}"
    );
    // log5(100,000 / 8) = 5.9 inner nodes of one line, and a leaf of at most three; some nodes are split.
    assert!(insert < 9.5 && overwrite < 9.2 && remove < 9.2, "{insert} {overwrite} {remove}");
    assert!(bytes < 48.0, "{bytes}");
    assert_eq!(pool.check().unwrap().nodes, report.nodes, "the shape depends on the contents alone");
}

/// If this failed, a section with many insertions would copy a node more than once.
#[test]
fn a_batch_copies_each_touched_node_once() {
    let pool = MapPool::options().volatile().unwrap();
    persist_fase!(pool, |tx, map| {
        map.extend(tx, (0..20_000).map(|key| (key, 0)));
        Ok(())
    })
    .unwrap();
    let (before, all) = (pool.counters(), pool.check().unwrap().nodes);
    persist_fase!(pool, |tx, map| {
        for key in 0..1000 {
            map.insert(tx, key, 1);
            map.insert(tx, key, 2);
        }
        Ok(())
    })
    .unwrap();
    let nodes = pool.counters().nodes - before.nodes;
    println!("{nodes} of {all} nodes for 1,000 overwritten keys");
    // A leaf for each key, and inner nodes above: less than two in all, where single sections copy seven each.
    assert!(nodes < 2000, "{nodes}");
    let before = pool.counters();
    persist_fase!(pool, |tx, map| {
        for round in 0..50 {
            map.extend(tx, (0..20_000).map(|key| (key, round)));
        }
        Ok(())
    })
    .unwrap();
    let nodes = pool.counters().nodes - before.nodes;
    assert_eq!(nodes, all, "each node once, the root with them");
}

/// If this failed, values without a size would take room in leaves.
#[test]
fn values_without_size_cost_nothing() {
    let of_units = Pool::<Map<u64, ()>>::options().volatile().unwrap();
    let of_bytes = Pool::<Map<u64, u64>>::options().volatile().unwrap();
    persist_fase!(of_units, |tx, map| {
        map.extend(tx, (0..5).map(|key| (key, ())));
        Ok(())
    })
    .unwrap();
    persist_fase!(of_bytes, |tx, map| {
        map.extend(tx, (0..2).map(|key| (key, 0)));
        Ok(())
    })
    .unwrap();
    // A line holds a head and five keys, or a head, two keys and their values.
    assert_eq!(of_units.check().unwrap().bytes, of_bytes.check().unwrap().bytes);
}

/// A value with padding that takes a page.
#[derive(Persistent, Clone, Copy, PartialEq, Debug)]
#[repr(C, align(16))]
struct Page {
    first: u8,
    rest: [u64; 511],
}

/// If this failed, values larger than a leaf, or aligned more than a word, would not fit.
#[test]
fn large_aligned_and_tiny_values() {
    let pool =
        Pool::<(Map<u8, Page>, Map<bool, u8>, Map<[u16; 3], (u8, u128)>)>::options().volatile().unwrap();
    persist_fase!(pool, |tx, root| {
        let page = |first: u8| Page { first, rest: [u64::from(first); 511] };
        root.0.extend(tx, (0..200).map(|key| (key, page(key))));
        root.1.extend(tx, [(false, 1), (true, 2), (false, 3)]);
        root.2.extend(tx, (0..300).map(|key| ([key, 1, key], (key as u8, u128::from(key) << 100))));
        (0..100).for_each(|key| _ = root.0.remove(tx, &(key * 2)));
        Ok(())
    })
    .unwrap();
    let now = pool.snapshot();
    now.0.check().unwrap();
    now.2.check().unwrap();
    assert_eq!((now.0.len(), now.0[&7].rest[510]), (100, 7));
    assert_eq!((now.1.len(), now.1[&false]), (2, 3));
    assert_eq!(now.2[&[200, 1, 200]], (200, 200 << 100));
    assert_eq!(pool.check().unwrap().unallocated_lines, 0);
}

/// If this failed, a large map would overflow the machine's stack somewhere.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute or two unless optimised: cargo test --release")]
fn ten_million_elements_on_a_small_machine_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let pool = MapPool::options().volatile().unwrap();
            let insert = |range: std::ops::Range<u64>| {
                persist_fase!(pool, |tx, map| {
                    map.extend(tx, range.clone().map(|key| (key, 3 * key)));
                    Ok(())
                })
                .unwrap();
            };
            insert(0..9_000_000);
            insert(8_000_000..10_000_000);
            let map = pool.snapshot();
            assert_eq!((map.len(), map.check()), (10_000_000, Ok(())));
            assert_eq!(map.values().sum::<u64>(), 3 * 49_999_995_000_000);
            assert!((0..10_000_000).step_by(9973).all(|key| map.get(&key) == Some(&(3 * key))));
            assert_eq!(map.get(&10_000_000), None);
            drop(map);
            println!("{:.1} bytes each", pool.used_bytes() as f64 / 1e7);
            persist_fase!(pool, |_tx, map| {
                map.clear();
                Ok(())
            })
            .unwrap();
            assert_eq!(pool.check().unwrap().nodes, 1);
        })
        .unwrap()
        .join()
        .unwrap();
}
