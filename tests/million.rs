//! Structures as deep as memory allows, on a small stack: nothing in the runtime recurses over the user's data.

mod support;

use std::path::Path;
use std::thread;

use pmem_runtime::{P, Persistent, Pool, persist_fase};
use support::child;
use support::degrees::assert_exact;
use support::world::{WorldPool, push, values};

const MILLION: u64 = 1_000_000;
const STACK_BYTES: usize = 256 << 10;

/// Runs `work` on a small stack.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap().join().unwrap();
}

/// Pushes `count` values in each of `sections` sections.
fn build(pool: &WorldPool, sections: u64, count: u64) {
    for section in 0..sections {
        persist_fase!(pool, |tx, world| {
            (0..count).for_each(|index| push(tx, &mut world.list, section * count + index));
            world.ticks += 1;
            Ok(())
        })
        .unwrap();
    }
}

fn assert_million(pool: &WorldPool) {
    assert!(values(&pool.snapshot().list).eq((0..MILLION).rev()), "the list is not what was acknowledged");
}

fn drop_list(pool: &WorldPool) {
    persist_fase!(pool, |_tx, world| {
        world.list = None;
        Ok(())
    })
    .unwrap();
}

/// The child's half: builds the list and dies without closing.
fn build_and_die(path: &str) -> ! {
    let path = path.to_owned();
    on_a_small_stack(move || {
        let pool = WorldPool::options().force_dax(true).create(path).unwrap();
        build(&pool, 20, MILLION / 20);
        assert_million(&pool);
        println!("built");
        child::kill_self();
    });
    unreachable!("the child is dead")
}

/// If this failed, a long list would overflow the stack of recovery, of a drop, or of a reader.
#[test]
fn a_million_nodes_survive_a_crash_and_are_dropped_on_a_small_stack() {
    if let Some(path) = child::argument() {
        build_and_die(&path);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("million.pool");
    let name = "a_million_nodes_survive_a_crash_and_are_dropped_on_a_small_stack";
    let output = child::run(name, path.to_str().unwrap());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("built"), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "the child was to be killed");
    on_a_small_stack(move || recover_drop_and_reopen(&path));
}

fn recover_drop_and_reopen(path: &Path) {
    let open = || WorldPool::options().force_dax(true).threads(2).open(path).unwrap();
    let pool = open();
    println!("{}", pool.recovery());
    assert_million(&pool);
    assert_eq!(pool.check().unwrap().nodes, MILLION + 1);
    let full = pool.used_bytes();
    drop_list(&pool);
    assert_eq!(pool.check().unwrap().nodes, 1);
    // Reclamation is spread over the sections that follow: the whole list's memory is used again.
    let len = pool.len_bytes();
    build(&pool, 20, MILLION / 20);
    drop_list(&pool);
    build(&pool, 20, MILLION / 20);
    assert_million(&pool);
    assert!(
        pool.len_bytes() <= len * 5 / 2,
        "three million nodes after each other took {} bytes",
        pool.len_bytes()
    );
    drop_list(&pool);
    pool.close().unwrap();
    let pool = open();
    assert_eq!(pool.snapshot().ticks, 60);
    assert_exact(&pool);
    assert!(pool.used_bytes() < full / 1000, "{} bytes are in use by nothing", pool.used_bytes());
}

/// If this failed, giving up what a section has just made would overflow the stack, or leak.
#[test]
fn a_million_fresh_nodes_are_dropped_within_their_section() {
    on_a_small_stack(|| {
        let pool = WorldPool::options().volatile().unwrap();
        let live = pool.used_bytes();
        let before = pool.counters();
        persist_fase!(pool, |tx, world| {
            (0..MILLION).for_each(|value| push(tx, &mut world.list, value));
            world.list = None;
            world.ticks = 1;
            Ok(())
        })
        .unwrap();
        let after = pool.counters();
        assert_eq!((after.nodes - before.nodes, after.fences - before.fences), (1, 1));
        assert_eq!(pool.check().unwrap().nodes, 1);
        assert!(pool.used_bytes() <= live + 4096, "{} bytes live", pool.used_bytes());
    });
}

/// If this failed, undoing a large section would overflow the stack, or leak.
#[test]
fn a_million_fresh_nodes_are_undone() {
    on_a_small_stack(|| {
        let pool = WorldPool::options().volatile().unwrap();
        build(&pool, 1, 10);
        let live = pool.used_bytes();
        for _ in 0..2 {
            let failed = persist_fase!(pool, |tx, world| -> Result<(), pmem_runtime::FaseError> {
                (0..MILLION).for_each(|value| push(tx, &mut world.list, value));
                pmem_runtime::abort!("after a million")
            });
            failed.unwrap_err();
            // Less, if the section made room by reclaiming what earlier ones had retired.
            assert!(pool.used_bytes() <= live, "{} bytes are used, {live} were before", pool.used_bytes());
        }
        let len = pool.len_bytes();
        build(&pool, 1, MILLION / 2);
        assert_eq!(pool.len_bytes(), len, "the undone section's room is used again");
        assert_eq!(values(&pool.snapshot().list).count() as u64, 10 + MILLION / 2);
    });
}

/// A node with up to two children.
#[derive(Persistent, Debug)]
#[repr(C)]
struct Knot<'p> {
    left: Option<P<'p, Knot<'p>>>,
    right: Option<P<'p, Knot<'p>>>,
    value: u64,
}

/// Two ways into one structure.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Net<'p> {
    one: Option<P<'p, Knot<'p>>>,
    two: Option<P<'p, Knot<'p>>>,
}

type NetPool = Pool<Net<'static>>;

/// Depth of the net in which each knot has the next one as both of its children: 2^64 paths, 64 nodes.
const DEPTH: u64 = 64;

fn counts(pool: &NetPool) -> Vec<u32> {
    let mut counts: Vec<u32> = pool.nodes().unwrap().iter().map(|node| node.refcount).collect();
    counts.sort_unstable();
    counts
}

fn knit_and_die(path: &str) -> ! {
    let pool = NetPool::options().force_dax(true).create(path).unwrap();
    persist_fase!(pool, |tx, net| {
        let mut knot = P::new(tx, Knot { left: None, right: None, value: 0 });
        for value in 1..DEPTH {
            let twin = knot.share(tx);
            knot = P::new(tx, Knot { left: Some(knot), right: Some(twin), value });
        }
        net.two = Some(knot.share(tx));
        net.one = Some(knot);
        Ok(())
    })
    .unwrap();
    println!("knitted");
    child::kill_self()
}

/// If this failed, a subtree with two parents would be freed with the first of them, or marking would take for ever.
#[test]
fn a_node_with_two_parents_in_one_version_comes_out_right_after_a_crash() {
    if let Some(path) = child::argument() {
        knit_and_die(&path);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.pool");
    let name = "a_node_with_two_parents_in_one_version_comes_out_right_after_a_crash";
    let output = child::run(name, path.to_str().unwrap());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("knitted"), "{said}\n{}", String::from_utf8_lossy(&output.stderr));

    let open = || NetPool::options().force_dax(true).open(&path).unwrap();
    let pool = open();
    // The root has one owner, every knot two.
    let mut expected = vec![2; DEPTH as usize + 1];
    expected[0] = 1;
    assert_eq!(counts(&pool), expected);
    persist_fase!(pool, |tx, net| {
        // One way in goes; a change through the other must not touch what it shares with itself.
        net.one = None;
        let top = net.two.as_mut().unwrap().make_mut(tx);
        top.left.as_mut().unwrap().make_mut(tx).value = 1000;
        Ok(())
    })
    .unwrap();
    let check = |pool: &NetPool| {
        let net = pool.snapshot();
        let top = net.two.as_ref().unwrap();
        assert_eq!(top.left.as_ref().unwrap().value, 1000);
        assert_eq!(top.right.as_ref().unwrap().value, DEPTH - 2);
        let mut knot = top.right.as_ref().unwrap();
        for value in (0..DEPTH - 2).rev() {
            assert!(P::ptr_eq(knot.left.as_ref().unwrap(), knot.right.as_ref().unwrap()));
            knot = knot.left.as_ref().unwrap();
            assert_eq!(knot.value, value);
        }
        pool.check().unwrap();
    };
    check(&pool);
    pool.close().unwrap();
    let pool = open();
    check(&pool);
    // Root, top, and the two second knots have one owner, the third has four, the rest two.
    let mut expected = vec![2; DEPTH as usize + 2];
    expected[..4].fill(1);
    *expected.last_mut().unwrap() = 4;
    assert_eq!(counts(&pool), expected);
    assert_eq!(pool.check().unwrap().unreachable_lines, 0);
}
