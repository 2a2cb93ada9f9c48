//! No byte of a committed node is ever stored to, its refcount aside (law 1), and an abort leaves no trace (law 6).

mod support;

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

use pmem_runtime::{FaseError, Snapshot, abort, persist_fase};
use support::Random;
use support::degrees::{assert_exact, assert_sound};
use support::model::{Model, Op};
use support::world::{World, WorldPool};

const SECTIONS: u64 = 10_000;

/// Bytes of every node of a version, refcounts aside.
type Bytes = BTreeMap<u64, Vec<u8>>;

/// How a section ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Commit,
    CommitBuffered,
    Error,
    Abort,
    Unwind,
}

impl End {
    fn random(random: &mut Random) -> Self {
        match random.below(10) {
            0 => End::Error,
            1 => End::Abort,
            2 => End::Unwind,
            3..=5 => End::CommitBuffered,
            _ => End::Commit,
        }
    }

    fn commits(self) -> bool {
        matches!(self, End::Commit | End::CommitBuffered)
    }
}

#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("refused")
    }
}

impl std::error::Error for Refused {}

/// Runs one section that ends as told.
fn run(pool: &WorldPool, ops: &[Op], end: End) {
    let section = || -> Result<(), FaseError> {
        if end == End::CommitBuffered {
            return persist_fase!(pool, durability = Buffered, |tx, world| {
                ops.iter().for_each(|op| world.apply(tx, op));
                Ok(())
            });
        }
        persist_fase!(pool, |tx, world| {
            ops.iter().for_each(|op| world.apply(tx, op));
            match end {
                End::Commit | End::CommitBuffered => {}
                End::Error => Err(Refused)?,
                End::Abort => abort!("{} operations too many", ops.len()),
                // Unwinds as a panic does, and prints nothing.
                End::Unwind => panic::resume_unwind(Box::new("unwound")),
            }
            Ok(())
        })
    };
    match (end, panic::catch_unwind(AssertUnwindSafe(section))) {
        (End::Commit | End::CommitBuffered, Ok(Ok(()))) => {}
        (End::Error, Ok(Err(error))) => assert!(error.downcast_ref::<Refused>().is_some(), "{error}"),
        (End::Abort, Ok(Err(error))) => assert!(error.to_string().ends_with("too many"), "{error}"),
        (End::Unwind, Err(payload)) => assert_eq!(*payload.downcast_ref::<&str>().unwrap(), "unwound"),
        (end, other) => panic!("a section that was to end with {end:?} ended with {other:?}"),
    }
}

fn assert_unchanged(pool: &WorldPool, bytes: &Bytes, what: &str) {
    for (offset, before) in bytes {
        let after = pool.node_bytes(*offset).unwrap();
        assert!(
            after == *before,
            "{what}: the committed node at {offset:#x} was {before:x?} and is {after:x?}"
        );
    }
}

/// The newest version's bytes; those of nodes that the version before had are taken from there.
fn bytes_of(pool: &WorldPool, before: &mut Bytes) -> Bytes {
    let mut bytes = |offset| before.remove(&offset).unwrap_or_else(|| pool.node_bytes(offset).unwrap());
    pool.nodes().unwrap().into_iter().map(|node| (node.offset, bytes(node.offset))).collect()
}

fn refcounts(pool: &WorldPool) -> Vec<(u64, u32)> {
    let mut counts: Vec<_> = pool.nodes().unwrap().iter().map(|node| (node.offset, node.refcount)).collect();
    counts.sort_unstable();
    counts
}

/// A version kept alive by a snapshot, with what it was.
struct Held<'s> {
    pin: Snapshot<'s, World<'static>>,
    bytes: Bytes,
    model: Model,
}

/// If this failed, an old version could change under its reader, and a crash could leave a mixture.
#[test]
fn ten_thousand_sections_store_to_no_committed_node() {
    let mut random = Random::for_test("ten_thousand_sections_store_to_no_committed_node", 1);
    let pool = WorldPool::options().volatile().unwrap();
    let mut model = Model::default();
    let mut newest = bytes_of(&pool, &mut Bytes::new());
    let mut held: Vec<Held<'_>> = Vec::new();
    let (mut compared, mut aborted) = (0, 0);
    for section in 0..SECTIONS {
        let end = End::random(&mut random);
        let ops: Vec<Op> = (0..=random.below(6)).map(|_| Op::random(&mut random, 80, &model)).collect();
        // What a buffered section made is visible and not yet durable: only a snapshot of the newest version pins it.
        let pin = pool.latest();
        let counts = refcounts(&pool);
        let (live, reclaimed) = (pool.used_bytes(), pool.counters().reclaimed);
        run(&pool, &ops, end);
        assert_unchanged(&pool, &newest, &format!("section {section}, {end:?}, {ops:?}"));
        compared += newest.len();
        if end.commits() {
            model = model.after(&ops);
            newest = bytes_of(&pool, &mut newest);
        } else {
            aborted += 1;
            if pool.counters().reclaimed == reclaimed {
                assert_eq!(pool.used_bytes(), live, "section {section} was undone and left memory in use");
                assert_eq!(refcounts(&pool), counts, "section {section} was undone and left counts behind");
            }
        }
        assert_eq!(pool.latest().observe(), model, "section {section}, {end:?}, {ops:?}");
        drop(pin);
        if section % 400 == 0 {
            let durable = pool.sync().map(|()| pool.snapshot()).unwrap();
            held.push(Held { pin: durable, bytes: newest.clone(), model: model.clone() });
        }
        if held.len() > 5 {
            let oldest = held.remove(0);
            assert_unchanged(&pool, &oldest.bytes, "a version held for 2,000 sections");
            assert_eq!(oldest.pin.observe(), oldest.model);
        }
        if section % 500 == 0 {
            assert_sound(&pool);
        }
    }
    println!("{SECTIONS} sections, {aborted} of them undone, {compared} nodes compared");
    assert!(aborted > SECTIONS / 5);
}

/// If this failed, an aborted section would leak memory or leave a count that keeps a node alive for ever.
#[test]
fn a_pool_with_undone_sections_is_the_same_file_as_one_without() {
    let mut random = Random::for_test("a_pool_with_undone_sections_is_the_same_file_as_one_without", 2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("undone.pool");
    let pool = WorldPool::options().force_dax(true).create(&path).unwrap();
    let mut model = Model::default();
    for _ in 0..1000 {
        let end = End::random(&mut random);
        let ops: Vec<Op> = (0..=random.below(6)).map(|_| Op::random(&mut random, 80, &model)).collect();
        run(&pool, &ops, end);
        if end.commits() {
            model = model.after(&ops);
        }
    }
    for section in 0..200 {
        let before = (pool.used_bytes(), refcounts(&pool), pool.counters().reclaimed);
        let ops: Vec<Op> = (0..20).map(|_| Op::random(&mut random, 80, &model)).collect();
        run(&pool, &ops, [End::Error, End::Abort, End::Unwind][section % 3]);
        let after = (pool.used_bytes(), refcounts(&pool), pool.counters().reclaimed);
        assert_eq!(after, before, "{ops:?}");
    }
    assert_sound(&pool);
    assert_eq!(pool.latest().observe(), model);
    pool.close().unwrap();
    let pool = WorldPool::options().force_dax(true).open(&path).unwrap();
    assert_exact(&pool);
    assert_eq!(pool.snapshot().observe(), model);
}
