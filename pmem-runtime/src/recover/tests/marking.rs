//! Marking graphs that are good.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::{Strategy, any, prop};
use proptest::{prop_assert_eq, proptest};

use super::*;

const SMALL_STACK_BYTES: usize = 256 << 10;

#[test]
fn a_million_node_list_overflows_the_stack() {
    // If this fails, a long list kills the process that opens its pool, each time anew.
    const NODES: u64 = 1_000_000;
    let work = || {
        let mut pool = Pool::new();
        let root = pool.list(NODES);
        for how in [ALONE, TOGETHER] {
            let marked = mark(&mut pool, root, &LIST, how).unwrap();
            assert_eq!((marked.nodes, marked.bytes, marked.lines), (NODES, NODES * 32, NODES));
            assert_eq!(marked.refcount_fixes, []);
        }
    };
    std::thread::Builder::new().stack_size(SMALL_STACK_BYTES).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_shared_child_is_counted_once() {
    // If this fails, dropping one parent of a shared node frees it under the other one.
    let mut pool = Pool::new();
    let root = pool.tree();
    let (left, right, shared, bytes) = (pool.tree(), pool.tree(), pool.tree(), pool.node(&BYTES, b"text"));
    pool.point(root, 0, left);
    pool.point(root, 1, right);
    for index in 0..2 {
        pool.point(left, index, shared);
    }
    pool.point(right, 0, shared);
    pool.point(right, 2, bytes);
    let marked = mark(&mut pool, root, &TREE, ALONE).unwrap();
    assert_eq!(marked.nodes, 5);
    assert_eq!(marked.refcount_fixes, [(shared, 3)]);
}

#[test]
fn a_stored_refcount_is_believed() {
    // If this fails, what a crash left in a refcount (a count too many, the mark of a running section, anything) stays.
    let mut pool = Pool::new();
    let root = pool.tree();
    let (twice, once, right) = (pool.tree(), pool.tree(), pool.tree());
    pool.point(root, 0, twice);
    pool.point(root, 1, once);
    pool.point(once, 0, twice);
    pool.point(once, 1, right);
    pool.put(root, 0, NodeHeader::FRESH | 1);
    pool.put(twice, 0, 2);
    pool.put(once, 0, 0);
    pool.put(right, 0, u32::MAX);
    let fixes = mark(&mut pool, root, &TREE, ALONE).unwrap().refcount_fixes;
    assert_eq!(fixes, [(root, 1), (once, 1), (right, 1)]);
    // SAFETY: the fixes are of this image.
    unsafe { super::super::fix_refcounts(&pool.image([BASE; 2]), &fixes) };
    assert_eq!([root, twice, once, right].map(|node| pool.get(node, 0)), [1, 2, 1, 1]);
    assert_eq!(mark(&mut pool, root, &TREE, ALONE).unwrap().refcount_fixes, []);
}

#[test]
fn threads_change_the_result() {
    // If this fails, a pool recovered with more threads is another pool: lost nodes, or nodes counted twice.
    let mut pool = Pool::new();
    let mut random = Random(42);
    let mut trees = vec![pool.tree()];
    for index in 1..200_000 {
        let node = pool.tree();
        pool.point(trees[(index - 1) / 2], (index - 1) % 2, node);
        trees.push(node);
        if random.below(4) == 0 {
            let bytes = pool.node(&BYTES, &vec![index as u8; random.below(300) as usize]);
            pool.point(node, 2, bytes);
        }
    }
    for leaf in trees.len() / 2 + 1..trees.len() {
        let target = trees[leaf / 2 + random.below(leaf as u64 / 2) as usize];
        pool.point(trees[leaf], 0, target);
    }
    let alone = mark(&mut pool, trees[0], &TREE, ALONE).unwrap();
    assert!(alone.refcount_fixes.len() > 10_000);
    for threads in [2, 3, 8] {
        let together = mark(&mut pool, trees[0], &TREE, How { threads, ..ALONE }).unwrap();
        assert_eq!((together.nodes, together.bytes, together.lines), (alone.nodes, alone.bytes, alone.lines));
        assert_eq!(together.refcount_fixes, alone.refcount_fixes);
        assert!(together.starts.iter().eq(alone.starts.iter()));
    }
}

/// A line map that gives other threads time to begin, and knows which threads have marked.
struct Patient {
    lines: Bitmap,
    marked: AtomicU64,
    threads: Mutex<BTreeSet<String>>,
}

impl LineMap for Patient {
    fn mark(&self, first_line: u64, lines: u32) -> bool {
        if self.marked.fetch_add(1, Ordering::Relaxed).is_multiple_of(64) {
            let mut threads = self.threads.lock().unwrap();
            threads.insert(format!("{:?}", std::thread::current().id()));
            let is_alone = threads.len() < 2;
            drop(threads);
            if is_alone {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        self.lines.mark(first_line, lines)
    }
}

#[test]
fn one_thread_keeps_all_the_work() {
    // If this fails, the other threads only watch, and a large pool takes as long to open as with one.
    let mut pool = Pool::new();
    let nodes: Vec<u64> = (0..200_000).map(|_| pool.tree()).collect();
    for (index, node) in nodes.iter().enumerate().skip(1) {
        pool.point(nodes[(index - 1) / 2], (index - 1) % 2, *node);
    }
    let registry = Registry::new(&TREE).unwrap();
    let lines = Patient { lines: Bitmap::new(&pool), marked: AtomicU64::new(0), threads: Mutex::default() };
    let marker = Marker {
        image: &pool.image([BASE; 2]),
        registry: &registry,
        lines: &lines,
        checksums: Checksums::Verify,
        threads: NonZeroUsize::new(2).unwrap(),
    };
    let marked = marker.mark(nodes[0], &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(marked.nodes, 200_000);
    assert_eq!(lines.threads.into_inner().unwrap().len(), 2);
}

#[test]
fn a_wide_node_is_lost_in_part() {
    // If this fails, some of a large vector's children are freed at open, or one is visited as often as it is named.
    const CHILDREN: u64 = 100_000;
    let mut pool = Pool::new();
    let child = pool.node(&FAN, &[]);
    let mut pointers = Vec::new();
    for _ in 0..CHILDREN {
        let other = pool.node(&FAN, &[]);
        pointers.extend((BASE + other).to_le_bytes());
        pointers.extend((BASE + child).to_le_bytes());
    }
    let root = pool.node(&FAN, &pointers);
    for how in [ALONE, TOGETHER] {
        let marked = mark(&mut pool, root, &FAN, how).unwrap();
        assert_eq!(marked.nodes, CHILDREN + 2);
        assert_eq!(marked.refcount_fixes, [(child, CHILDREN as u32)]);
    }
}

#[test]
fn a_stopped_opening_goes_on() {
    // If this fails, a user who gives up waiting for a large pool waits nevertheless.
    let mut pool = Pool::new();
    let root = pool.list(300_000);
    for how in [ALONE, TOGETHER] {
        for allowed in 0..2 {
            let mut calls = 0;
            let result = mark_with(&mut pool, root, &LIST, how, &mut |seen| {
                assert_eq!(seen.bytes, seen.nodes * 32);
                calls += 1;
                if calls > allowed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(result.unwrap_err(), MarkError::Aborted);
            assert_eq!(calls, allowed + 1);
        }
    }
}

#[test]
fn progress_never_reaches_the_end() {
    // If this fails, a progress bar shows a pool as half open that is open.
    let mut pool = Pool::new();
    let root = pool.list(100_000);
    let mut reports = Vec::new();
    let report = &mut |seen: Seen| {
        reports.push(seen.nodes);
        ControlFlow::Continue(())
    };
    mark_with(&mut pool, root, &LIST, TOGETHER, report).unwrap();
    assert_eq!((reports.first(), reports.last()), (Some(&0), Some(&100_000)));
    assert!(reports.is_sorted());
}

/// A node of a random graph: its children, as indices, its text's length, and the refcount it starts with.
type Plan = Vec<(Vec<prop::sample::Index>, Option<usize>, u32)>;

fn plans() -> impl Strategy<Value = Plan> {
    let children = prop::collection::vec(any::<prop::sample::Index>(), 0..=2);
    let node = (children, prop::option::of(0_usize..200), prop::sample::select(vec![0, 1, 1, 1, 2, 1 << 31]));
    prop::collection::vec(node, 1..60)
}

proptest! {
    #[test]
    fn marking_is_reachability_and_in_degree(plan in plans(), threads in 1_usize..4) {
        // If this fails, recovery frees what is used, keeps what is not, or counts owners wrongly: law 5.
        let mut pool = Pool::new();
        let nodes: Vec<u64> = plan.iter().map(|_| pool.tree()).collect();
        let mut children = BTreeMap::<u64, Vec<u64>>::new();
        for ((targets, text, refcount), node) in plan.iter().zip(&nodes) {
            let own = children.entry(*node).or_default();
            for (index, target) in targets.iter().enumerate() {
                let target = *target.get(&nodes);
                own.push(target);
                pool.point(*node, index, target);
            }
            if let Some(len_bytes) = text {
                let text = pool.node(&BYTES, &vec![9; *len_bytes]);
                own.push(text);
                pool.point(*node, 2, text);
            }
            pool.put(*node, 0, *refcount);
        }
        let mut in_degrees = BTreeMap::from([(nodes[0], 1_u32)]);
        let mut waiting = vec![nodes[0]];
        let mut seen = BTreeSet::from([nodes[0]]);
        while let Some(next) = waiting.pop() {
            for child in children.get(&next).into_iter().flatten() {
                *in_degrees.entry(*child).or_default() += 1;
                if seen.insert(*child) {
                    waiting.push(*child);
                }
            }
        }
        let marked = mark(&mut pool, nodes[0], &TREE, How { threads, ..ALONE });
        let owners = u64::from(in_degrees[&nodes[0]] - 1);
        if owners > 0 {
            prop_assert_eq!(marked.unwrap_err(), MarkError::OwnedRoot { offset: nodes[0], found: owners });
            return Ok(());
        }
        let marked = marked.unwrap();
        prop_assert_eq!(marked.starts.iter().collect::<Vec<_>>(), seen.into_iter().collect::<Vec<_>>());
        let wrong: Vec<_> = in_degrees.into_iter().filter(|(node, degree)| pool.get(*node, 0) != *degree).collect();
        prop_assert_eq!(marked.refcount_fixes, wrong);
    }
}
