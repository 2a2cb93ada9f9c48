//! A full disk is an error of one section, never a signal and never a loss.

mod support;

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use pmem_runtime::{FaseFault, OpenError, OpenFault, persist_fase};
use support::degrees::{assert_exact, assert_sound};
use support::world::{WorldPool, pop, push, values};

/// A small tmpfs of the test's own, unmounted at the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None`, with a word on the terminal, where mounting is not permitted.
    fn mount(at: &Path, size: &str) -> Option<Self> {
        let options = format!("size={size},mode=0700");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "pmem-test"]).arg(at).output();
        match mounted {
            Ok(output) if output.status.success() => Some(SmallDisk(at.to_owned())),
            Ok(output) => {
                println!(
                    "SKIPPED: mounting a tmpfs is refused: {}",
                    String::from_utf8_lossy(&output.stderr).trim()
                );
                None
            }
            Err(error) => {
                println!("SKIPPED: there is no mount command: {error}");
                None
            }
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(&self.0).status();
        if !unmounted.is_ok_and(|status| status.success()) {
            println!("the tmpfs at {} stays mounted", self.0.display());
        }
    }
}

/// Pushes until the disk is full; returns how many values are in the list.
fn fill(pool: &WorldPool, mut pushed: u64) -> u64 {
    loop {
        let result = persist_fase!(pool, |tx, world| {
            (0..1000).for_each(|index| push(tx, &mut world.list, pushed + index));
            world.ticks = pushed + 1000;
            Ok(())
        });
        match result {
            Ok(()) => pushed += 1000,
            Err(error) => {
                let Some(FaseFault::OutOfSpace { disk, .. }) = error.fault() else { panic!("{error:?}") };
                assert!(disk.is_some() || pool.len_bytes() > 0, "{error}");
                println!("full at {pushed} values and {} bytes: {error}", pool.len_bytes());
                return pushed;
            }
        }
    }
}

fn assert_listed(pool: &WorldPool, count: u64) {
    let world = pool.snapshot();
    assert!(values(&world.list).eq((0..count).rev()), "values are missing");
    assert_eq!(world.ticks, count);
}

fn fills_and_goes_on(folder: &Path, force_dax: bool) {
    let disk = folder.join("disk");
    std::fs::create_dir(&disk).unwrap();
    let Some(_disk) = SmallDisk::mount(&disk, "8m") else { return };
    let path = disk.join("full.pool");
    let pool = WorldPool::options().size_bytes(1 << 20).force_dax(force_dax).create(&path).unwrap();
    let pushed = fill(&pool, 0);
    assert!(pushed > 20_000, "only {pushed} values fit into 8 MiB");
    assert_listed(&pool, pushed);
    assert_sound(&pool);

    // The pool is full, and what is in it can be deleted.
    persist_fase!(pool, |tx, world| {
        (0..pushed / 2).for_each(|_| {
            pop(tx, &mut world.list);
        });
        world.ticks = pushed - pushed / 2;
        Ok(())
    })
    .unwrap();
    assert_listed(&pool, pushed - pushed / 2);
    let again = fill(&pool, pushed - pushed / 2);
    assert!(again > pushed * 3 / 4, "only {again} values fit where {pushed} did");
    assert_listed(&pool, again);
    pool.close().unwrap();

    let pool = WorldPool::options().force_dax(force_dax).open(&path).unwrap();
    assert_listed(&pool, again);
    assert_exact(&pool);
    persist_fase!(pool, |_tx, world| {
        world.list = None;
        world.ticks = 0;
        Ok(())
    })
    .unwrap();
    assert!(fill(&pool, 0) > pushed * 3 / 4);
}

/// If this failed, a full disk would kill the program, or cost what was stored before.
#[test]
fn a_full_tmpfs_fails_the_section_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    fills_and_goes_on(folder.path(), false);
}

/// If this failed, the DAX path would meet the full disk at a store.
#[test]
fn a_full_tmpfs_fails_the_section_on_the_dax_path_too() {
    let folder = tempfile::tempdir().unwrap();
    fills_and_goes_on(folder.path(), true);
}

/// If this failed, a creation that ran out of space would leave half a pool in the way.
#[test]
fn a_creation_that_does_not_fit_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let Some(_disk) = SmallDisk::mount(&disk, "1m") else { return };
    let path = disk.join("large.pool");
    let error = WorldPool::options().size_bytes(4 << 20).create(&path).map(|_| ()).unwrap_err();
    println!("{error}");
    assert_eq!(std::fs::read_dir(&disk).unwrap().count(), 0, "something was left behind");
    let pool = WorldPool::options().size_bytes(WorldPool::MIN_BYTES).create(&path).unwrap();
    assert_listed(&pool, 0);
}

/// If this failed, a section of a pool that was copied without its zeros would be ended by a signal where the disk is full.
#[test]
fn a_pool_with_holes_that_do_not_fit_is_refused_and_others_are_filled() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, path) = (folder.path().join("disk"), folder.path().join("whole.pool"));
    std::fs::create_dir(&disk).unwrap();
    let Some(_disk) = SmallDisk::mount(&disk, "3m") else { return };
    for (size_bytes, fits) in [(8 << 20, false), (2 << 20, true)] {
        WorldPool::options().size_bytes(size_bytes).create(&path).unwrap().close().unwrap();
        let copy = disk.join("sparse.pool");
        let copied = Command::new("cp").arg("--sparse=always").args([&path, &copy]).status().unwrap();
        assert!(copied.success());
        std::fs::remove_file(&path).unwrap();
        let blocks = std::fs::metadata(&copy).unwrap().blocks();
        assert!(blocks < 1 << 10, "the copy has no holes, so the test tests nothing");
        match WorldPool::options().limit_bytes(size_bytes).open(&copy) {
            Ok(pool) => {
                assert!(fits && std::fs::metadata(&copy).unwrap().blocks() * 512 >= size_bytes);
                fill(&pool, 0);
            }
            Err(fault) => {
                let is_right = matches!(fault, OpenFault::File(OpenError::NoSpace { needed, .. }) if needed == size_bytes);
                assert!(!fits && is_right, "{fault:?}");
                // The superblocks were read, which on a tmpfs may fill a hole or two.
                assert!(std::fs::metadata(&copy).unwrap().blocks() < 1 << 11);
                assert_listed(&WorldPool::options().open_read_only(&copy).unwrap(), 0);
            }
        }
    }
}
