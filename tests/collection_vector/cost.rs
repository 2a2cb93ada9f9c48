//! What a vector costs, counted in lines: exact, and the same on every machine.

use pmem_runtime::collections::Vector;
use pmem_runtime::{Counters, Pool, persist_fase};

use super::support::Random;

type Words = Pool<Vector<'static, u64>>;

fn words(count: u64) -> Words {
    let pool = Words::options().volatile().unwrap();
    persist_fase!(pool, |tx, words| {
        words.extend(tx, 0..count);
        Ok(())
    })
    .unwrap();
    pool
}

/// Lines of nodes that `work` writes per section. The root's own line is one of them.
fn node_lines(pool: &Words, work: impl FnOnce()) -> f64 {
    let lines = |counters: Counters| counters.lines_written_back - counters.record_lines;
    let before = pool.counters();
    work();
    let after = pool.counters();
    (lines(after) - lines(before)) as f64 / (after.fases - before.fases) as f64
}

fn at_most(what: &str, found: f64, limit: f64) {
    println!("{what}: {found:.2} lines");
    assert!(found <= limit, "{what}: {found:.2} lines are more than {limit}");
}

/// If this failed, small changes of a long vector would write more than the path to them.
#[test]
fn an_overwrite_writes_a_path_and_a_push_a_leaf() {
    const LEN: u64 = 1_000_000;
    let pool = words(LEN);
    let bytes = pool.counters().lines_written_back as f64 * 64.0 / LEN as f64;
    at_most("bytes per element / 64", bytes / 64.0, 10.0 / 64.0);
    let mut random = Random::for_test("an_overwrite_writes_a_path_and_a_push_a_leaf", 5);
    let overwrites = node_lines(&pool, || {
        for _ in 0..3000 {
            let at = random.below(LEN);
            persist_fase!(pool, |tx, words| {
                words.set(tx, at as usize, 7);
                Ok(())
            })
            .unwrap();
        }
    });
    at_most("an overwrite", overwrites, 13.4);
    let pushes = node_lines(&pool, || {
        for value in 0..3000 {
            persist_fase!(pool, |tx, words| {
                words.push(tx, value);
                Ok(())
            })
            .unwrap();
        }
    });
    at_most("a push", pushes, 3.6);
    let pops = node_lines(&pool, || {
        for _ in 0..3000 {
            persist_fase!(pool, |tx, words| {
                words.pop(tx);
                Ok(())
            })
            .unwrap();
        }
    });
    at_most("a pop", pops, 3.6);
    let fronts = node_lines(&pool, || {
        for value in 0..3000 {
            persist_fase!(pool, |tx, words| {
                words.push_front(tx, value);
                Ok(())
            })
            .unwrap();
        }
    });
    at_most("a push at the front", fronts, 4.2);
    let insertions = node_lines(&pool, || {
        for _ in 0..3000 {
            let at = random.below(LEN);
            persist_fase!(pool, |tx, words| {
                words.insert(tx, at as usize, 7);
                Ok(())
            })
            .unwrap();
        }
    });
    at_most("an insertion", insertions, 26.0);
    pool.snapshot().check().unwrap();
}

/// If this failed, a section with many changes would copy a node for each of them.
#[test]
fn a_section_copies_each_node_once() {
    let pool = words(100_000);
    let before = pool.counters().nodes;
    persist_fase!(pool, |tx, words| {
        for at in 0..13_000 {
            words.set(tx, at, 7);
        }
        Ok(())
    })
    .unwrap();
    let nodes = pool.counters().nodes - before;
    println!("{nodes} nodes for 13,000 overwrites side by side");
    assert!(nodes < 1_000 * 14 / 12 + 20, "{nodes} nodes were written for 1,000 leaves");
}

/// If this failed, a comparison of versions would read what they share.
#[test]
fn comparing_versions_looks_at_what_differs() {
    #[derive(pmem_runtime::Persistent, Debug, Clone, Copy)]
    #[repr(transparent)]
    struct Counted(u64);

    thread_local! {
        static COMPARED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted {}

    let pool = Pool::<Vector<'static, Counted>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, vector| {
        vector.extend(tx, (0..200_000).map(Counted));
        let old = vector.share(tx);
        for at in [3, 70_000, 70_001, 199_999] {
            vector.set(tx, at, Counted(7));
        }
        vector.push(tx, Counted(8));
        vector.pop(tx);
        COMPARED.set(0);
        assert_eq!(old.diff(vector).count(), 4);
        assert!(COMPARED.get() < 200, "{} comparisons", COMPARED.get());
        assert!(!old.same(vector));
        Ok(())
    })
    .unwrap();
}
