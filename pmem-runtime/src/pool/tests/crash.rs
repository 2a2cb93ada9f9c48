//! Crashes of creation, of superblock updates and of growth, at every event.
#![cfg(feature = "crash-test")]

use std::collections::BTreeSet;
use std::sync::Arc;

use super::spec;
use crate::error::{CreateError, GrowError, OpenError};
use crate::hw::Medium;
use crate::hw::sim::{Action, Chooser, Replay, SimMedium};
use crate::pool::{CreateSpec, Draft, PoolFile};

/// Small, so that thousands of images are cheap.
fn small() -> CreateSpec<'static> {
    CreateSpec { len_bytes: 160 << 10, reserve_bytes: 1 << 20, seed: Some(1), ..spec() }
}

/// Visits crash images: after each event from `from` on, the extremes, each uncertain line alone and missing, and some
/// mixtures.
fn for_each_crash(sim: &SimMedium, from: usize, mut visit: impl FnMut(usize, Chooser, Vec<u8>)) {
    let mut replay = Replay::new(sim.initial_image());
    let events = sim.events();
    for index in 0..=events.len() {
        if index > 0 {
            replay.apply(&events[index - 1]);
        }
        if index < from {
            continue;
        }
        let lines = replay.uncertain_lines().into_iter();
        let by_line = lines.flat_map(|line| [Chooser::AllButLine(line), Chooser::OnlyLine(line)]);
        let seeded = (0..24).map(Chooser::Seeded);
        for chooser in [Chooser::None, Chooser::All].into_iter().chain(by_line).chain(seeded) {
            visit(index, chooser, replay.image(chooser));
        }
    }
}

fn reopen(image: Vec<u8>) -> Result<PoolFile, OpenError> {
    PoolFile::open_simulated(&Arc::new(SimMedium::from_image(image)))
}

/// If this failed, a crash while creating would leave a pool that opens and is not whole, or that is called damaged.
#[test]
fn a_crash_during_creation_leaves_no_magic_or_a_whole_pool() {
    let sim = Arc::new(SimMedium::new());
    let draft = Draft::simulated(&small(), &sim).unwrap();
    let heap = draft.region().at(draft.superblock().heap_offset);
    // SAFETY: the bytes lie in the heap of a draft that no one else knows.
    unsafe { draft.medium().store(heap, b"the root") };
    // SAFETY: as above.
    unsafe { draft.medium().write_back(heap, 8) };
    let pool = draft.publish().unwrap();
    let (heap_offset, published) = (pool.superblock().heap_offset as usize, sim.event_count());
    drop(pool);
    let (mut opened, mut unfinished) = (0, 0);
    for_each_crash(&sim, 0, |index, chooser, image| {
        let is_root_there = image.get(heap_offset..heap_offset + 8) == Some(b"the root");
        match reopen(image) {
            Ok(pool) => {
                opened += 1;
                assert!(is_root_there, "event {index}, {chooser:?}: a pool without its contents");
                assert_eq!(pool.len_bytes(), 160 << 10);
            }
            Err(OpenError::UnfinishedCreation { .. } | OpenError::NotAPool { len_bytes: 0, .. }) => {
                unfinished += 1;
                assert!(index < published, "{chooser:?}: a published pool is lost");
            }
            Err(other) => panic!("event {index}, {chooser:?}: {other:?}"),
        }
    });
    assert!(
        opened > 10 && unfinished > 10,
        "{opened} opened, {unfinished} did not: the crashes were not varied"
    );
}

/// If this failed, an update of the superblock could lose the pool, or what the update was to record.
#[test]
fn a_crash_during_a_superblock_update_leaves_the_old_or_the_new_one() {
    let sim = Arc::new(SimMedium::new());
    let pool = Draft::simulated(&small(), &sim).unwrap().publish().unwrap();
    let before = sim.event_count();
    let mut done = Vec::new();
    for seed in 1..=4 {
        pool.update_superblock(|superblock| superblock.hash_seed = seed).unwrap();
        done.push((sim.event_count(), seed));
    }
    let original = {
        drop(pool);
        reopen(sim.crash_image(before, Chooser::All)).unwrap().superblock().hash_seed
    };
    for_each_crash(&sim, before, |index, chooser, image| {
        let found = reopen(image).unwrap_or_else(|error| panic!("event {index}, {chooser:?}: {error}"));
        let finished = done.iter().rev().find(|(end, _)| *end <= index).map_or(original, |(_, seed)| *seed);
        let next = if finished == original { 1 } else { finished + 1 };
        let found = found.superblock().hash_seed;
        assert!(found == finished || found == next, "event {index}, {chooser:?}: {found} after {finished}");
    });
}

/// If this failed, a pool could be recorded longer than its file is after a crash, and a store would kill the process.
#[test]
fn a_crash_during_growth_never_records_more_than_is_there() {
    let sim = Arc::new(SimMedium::new());
    let pool = Draft::simulated(&small(), &sim).unwrap().publish().unwrap();
    let before = sim.event_count();
    pool.grow(256 << 10).unwrap();
    let middle = sim.event_count();
    pool.grow(512 << 10).unwrap();
    drop(pool);
    let end = sim.event_count();
    let mut lengths = Vec::new();
    for_each_crash(&sim, before, |index, chooser, image| {
        let found = image.len() as u64;
        let pool = reopen(image).unwrap_or_else(|error| panic!("event {index}, {chooser:?}: {error}"));
        assert!(pool.len_bytes() <= found, "event {index}, {chooser:?}");
        let acknowledged = [(end, 512 << 10), (middle, 256 << 10), (before, 160 << 10)];
        let least = acknowledged.iter().find(|(event, _)| *event <= index).unwrap().1;
        assert!(pool.len_bytes() >= least, "event {index}, {chooser:?}: {} recorded", pool.len_bytes());
        lengths.push(pool.len_bytes());
    });
    lengths.sort_unstable();
    lengths.dedup();
    assert_eq!(lengths, [160 << 10, 256 << 10, 512 << 10]);
}

/// If this failed, the second of two crashes could take what the first left.
#[test]
fn a_pool_reopened_after_a_crash_can_be_grown_and_crash_again() {
    let sim = Arc::new(SimMedium::new());
    let pool = Draft::simulated(&small(), &sim).unwrap().publish().unwrap();
    let before = sim.event_count();
    pool.grow(256 << 10).unwrap();
    drop(pool);
    let mut images = BTreeSet::new();
    for_each_crash(&sim, before, |_, _, image| {
        images.insert(image);
    });
    // Each has hundreds of second crashes, so a spread of first ones must do.
    let stride = images.len().div_ceil(12);
    for image in images.into_iter().step_by(stride) {
        let again = Arc::new(SimMedium::from_image(image));
        let pool = PoolFile::open_simulated(&again).unwrap();
        pool.grow(320 << 10).unwrap();
        drop(pool);
        for_each_crash(&again, 0, |index, chooser, image| {
            let found = image.len() as u64;
            let pool = reopen(image).unwrap_or_else(|error| panic!("event {index}, {chooser:?}: {error}"));
            assert!(pool.len_bytes() <= found);
        });
    }
}

/// If this failed, an error of the medium would be swallowed and the pool be called created, updated or grown.
#[test]
fn every_fault_of_the_medium_comes_out_as_an_error() {
    let fences =
        |sim: &SimMedium| sim.events().iter().filter(|event| event.action == Action::Fence).count() as u64;
    let sim = Arc::new(SimMedium::new());
    drop(Draft::simulated(&small(), &sim).unwrap().publish().unwrap());
    let in_creation = fences(&sim);
    assert_eq!(in_creation, 3, "contents, superblocks, magic");
    for nth in 1..=in_creation {
        let sim = Arc::new(SimMedium::new());
        let draft = Draft::simulated(&small(), &sim).unwrap();
        sim.fail_fence(nth);
        let error = draft.publish().unwrap_err();
        assert!(matches!(error, CreateError::Io { .. }), "fence {nth}: {error:?}");
    }
    let full = Arc::new(SimMedium::new());
    full.fail_allocate();
    let error = Draft::simulated(&small(), &full).unwrap_err();
    assert!(matches!(error, CreateError::NoSpace { needed, .. } if needed == 160 << 10), "{error:?}");

    let sim = Arc::new(SimMedium::new());
    let pool = Draft::simulated(&small(), &sim).unwrap().publish().unwrap();
    let before = pool.superblock();
    sim.fail_fence(1);
    pool.update_superblock(|superblock| superblock.hash_seed = 3).unwrap_err();
    assert_eq!(pool.superblock(), before);
    sim.fail_allocate();
    assert!(matches!(pool.grow(256 << 10), Err(GrowError::NoSpace { .. })));
    sim.fail_fence(1);
    assert!(matches!(pool.grow(256 << 10), Err(GrowError::Io { .. })));
    assert_eq!(pool.len_bytes(), 160 << 10);
    assert_eq!(sim.durability(), pool.medium().durability());
}
