//! Pools that open, and doors that stay shut.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use super::{Mount, READ_ONLY, READ_WRITE, SCHEMA, Shelf, spec};
use crate::error::{GrowError, OpenError};
use crate::hw::Survives;
use crate::pool::format::FLAG_CLEAN;
use crate::pool::{Access, CreateSpec, Draft, OpenSpec, PoolFile};

/// If this failed, what was stored, recorded and described would not be there at the next open, or elsewhere.
#[test]
fn a_pool_opens_as_it_was_left_and_where_it_was() {
    let shelf = Shelf::new();
    let (before, base) = {
        let pool = shelf.open().unwrap();
        let heap = pool.superblock().heap_offset;
        // SAFETY: the bytes lie in the heap, and no one else has the pool.
        unsafe { pool.medium().store(pool.region().at(heap), b"stored") };
        // SAFETY: as above.
        unsafe { pool.medium().write_back(pool.region().at(heap), 6) };
        pool.medium().fence().unwrap();
        pool.update_superblock(|superblock| superblock.flags |= FLAG_CLEAN).unwrap();
        pool.update_superblock(|superblock| superblock.hash_seed = 99).unwrap();
        (pool.superblock(), pool.region().base())
    };
    for spec in [READ_WRITE, READ_ONLY] {
        let pool = PoolFile::open(&shelf.path, &spec).unwrap();
        assert_eq!(pool.superblock().sequence, before.sequence);
        assert_eq!(pool.superblock().hash_seed, 99);
        assert_eq!((pool.region().base(), pool.needs_relocation()), (base, false));
        assert_eq!(pool.schema_text(), SCHEMA);
        pool.check_schema(SCHEMA, 7).unwrap();
        let mut stored = [0; 6];
        // SAFETY: no one writes the pool.
        unsafe { pool.region().read_bytes(before.heap_offset, &mut stored) }.unwrap();
        assert_eq!(&stored, b"stored");
        assert_eq!(
            pool.region().is_writable(),
            spec.access == Access::ReadWrite,
            "a clean pool needs no store"
        );
    }
}

/// If this failed, a reader could fault, or be given bytes of no pool, by asking for too much.
#[test]
fn bytes_behind_the_recorded_length_are_not_read() {
    let shelf = Shelf::new();
    let pool = shelf.open().unwrap();
    let mut byte = [0];
    for offset in [pool.len_bytes(), pool.region().reserve_bytes() - 1, u64::MAX] {
        // SAFETY: no one writes the pool.
        let read = unsafe { pool.region().read_bytes(offset, &mut byte) };
        assert_eq!(read.unwrap_err().offset, offset);
    }
}

/// If this failed, the loss of either superblock would be the loss of the pool.
#[test]
fn one_damaged_superblock_is_replaced_by_the_other() {
    for damaged in [0, 4096] {
        let shelf = Shelf::new();
        shelf.edit(|bytes| bytes[damaged + 100] ^= 1);
        let pool = shelf.open().unwrap();
        assert_eq!(pool.superblock().sequence, if damaged == 0 { 1 } else { 2 });
        // The next update repairs the damaged one and leaves the good one alone.
        pool.update_superblock(|superblock| superblock.hash_seed = 5).unwrap();
        drop(pool);
        shelf.edit(|bytes| bytes[4096 - damaged + 100] ^= 1);
        assert_eq!(shelf.open().unwrap().superblock().hash_seed, 5);
    }
}

/// If this failed, two writers would destroy each other's sections.
#[test]
fn a_pool_is_opened_by_one_writer_or_by_readers() {
    let shelf = Shelf::new();
    let writer = shelf.open().unwrap();
    for spec in [READ_WRITE, READ_ONLY] {
        assert!(matches!(PoolFile::open(&shelf.path, &spec), Err(OpenError::Locked { .. })));
    }
    drop(writer);
    let readers =
        [PoolFile::open(&shelf.path, &READ_ONLY).unwrap(), PoolFile::open(&shelf.path, &READ_ONLY).unwrap()];
    assert!(matches!(shelf.open(), Err(OpenError::Locked { .. })));
    drop(readers);
    shelf.open().unwrap();
}

/// If this failed, a medium that outlives its pool could sync a file that another writer has.
#[test]
fn a_pool_stays_locked_while_its_medium_is_in_use() {
    let shelf = Shelf::new();
    let pool = shelf.open().unwrap();
    let medium = std::sync::Arc::clone(pool.medium());
    drop(pool);
    assert!(matches!(shelf.open(), Err(OpenError::Locked { .. })));
    drop(medium);
    shelf.open().unwrap();
}

/// If this failed, the lock would hold within one process only.
#[test]
fn another_process_locks_too() {
    let shelf = Shelf::new();
    let script = "exec 9<>\"$0\"; flock -n 9 && echo locked && read line";
    let child = Command::new("sh")
        .args(["-c", script])
        .arg(&shelf.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.expect("there is a shell");
    let mut said = [0; 7];
    let read = std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut said);
    if read.is_err() {
        eprintln!("skipped: there is no flock(1)");
        child.wait().unwrap();
        return;
    }
    let while_locked = shelf.open();
    drop(child.stdin.take());
    child.wait().unwrap();
    assert!(matches!(while_locked, Err(OpenError::Locked { .. })), "{while_locked:?}");
    shelf.open().unwrap();
}

/// If this failed, a copy could not be opened beside its original, or its pointers would lead into the original.
#[test]
fn a_copy_of_an_open_pool_opens_at_another_base_apart_from_the_recorded_one() {
    let shelf = Shelf::new();
    let original = shelf.open().unwrap();
    let copy = shelf.folder.path().join("copy.pool");
    fs::copy(&shelf.path, &copy).unwrap();
    for spec in [READ_WRITE, READ_ONLY] {
        let pool = PoolFile::open(&copy, &spec).unwrap();
        assert!(pool.needs_relocation());
        let recorded = pool.superblock().base;
        assert_eq!(recorded, original.region().base());
        assert!(pool.region().base().abs_diff(recorded) >= pool.region().reserve_bytes());
        assert!(pool.region().is_writable(), "pointers must be rewritten");
    }
}

/// If this failed, an interrupted relocation could not be finished.
#[test]
fn an_interrupted_relocation_opens_at_one_of_its_two_bases_or_not_at_all() {
    let shelf = Shelf::new();
    let (old, new) = {
        let pool = shelf.open().unwrap();
        let old = pool.superblock().base;
        let new = if old == 0x2000_0000_0000 { 0x2100_0000_0000 } else { 0x2000_0000_0000 };
        pool.update_superblock(|superblock| {
            superblock.pending_base = new;
            superblock.flags |= crate::pool::format::FLAG_RELOCATING;
        })
        .unwrap();
        (old, new)
    };
    let copies = ["b.pool", "c.pool"].map(|name| shelf.folder.path().join(name));
    for copy in &copies {
        fs::copy(&shelf.path, copy).unwrap();
    }
    let first = shelf.open().unwrap();
    assert_eq!((first.region().base(), first.needs_relocation()), (new, true));
    let second = PoolFile::open(&copies[0], &READ_WRITE).unwrap();
    assert_eq!((second.region().base(), second.needs_relocation()), (old, true));
    let third = PoolFile::open(&copies[1], &READ_WRITE);
    assert!(matches!(third, Err(OpenError::AddressSpace { .. })), "{third:?}");
}

/// If this failed, reading a pool would change it.
#[test]
fn stores_to_a_pool_opened_read_only_stay_in_the_process() {
    let shelf = Shelf::new();
    let before = fs::read(&shelf.path).unwrap();
    let pool = PoolFile::open(&shelf.path, &READ_ONLY).unwrap();
    assert!(pool.region().is_writable(), "the pool was not closed clean, so recovery may have to write");
    assert_eq!(pool.medium().durability(), Survives::Nothing);
    // SAFETY: the bytes lie in the pool, and no one else has this mapping.
    unsafe { pool.medium().store(pool.region().at(pool.superblock().heap_offset), b"private") };
    pool.update_superblock(|superblock| superblock.hash_seed = 1).unwrap();
    assert_eq!(pool.superblock().hash_seed, 1);
    pool.medium().fence().unwrap();
    assert!(matches!(pool.grow(1 << 20), Err(GrowError::ReadOnly { .. })));
    drop(pool);
    assert!(fs::read(&shelf.path).unwrap() == before);
}

/// If this failed, names that are no pools would be opened, waited for, or explained wrongly.
#[test]
fn what_is_not_a_file_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &std::path::Path, spec| PoolFile::open(path, spec).unwrap_err();
    for spec in [&READ_WRITE, &READ_ONLY] {
        assert!(matches!(open(&folder.path().join("none"), spec), OpenError::NotFound { .. }));
        assert!(matches!(open(folder.path(), spec), OpenError::IsDirectory { .. }));
        let found = open("/dev/null".as_ref(), spec);
        assert!(matches!(found, OpenError::WrongFileType { .. }), "{found:?}");
    }
    let pipe = folder.path().join("pipe");
    if Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        let found = open(&pipe, &READ_ONLY);
        assert!(matches!(found, OpenError::WrongFileType { found: "pipe", .. }), "{found:?}");
    }
}

/// If this failed, a missing permission would be reported as a damaged pool.
#[test]
fn a_forbidden_file_is_reported_as_forbidden() {
    let shelf = Shelf::new();
    fs::set_permissions(&shelf.path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&shelf.path).is_ok() {
        eprintln!("skipped: this user may open everything");
        return;
    }
    assert!(matches!(shelf.open(), Err(OpenError::PermissionDenied { .. })));
}

/// If this failed, a pool on read-only media could not even be read, or the user would not learn that it can be.
#[test]
fn a_read_only_file_system_allows_reading_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mount) = Mount::tmpfs(&folder.path().join("mount"), "size=4m") else { return };
    let path = mount.0.join("a.pool");
    Draft::create(&path, &spec()).unwrap().publish().unwrap();
    mount.remount("ro");
    let error = PoolFile::open(&path, &READ_WRITE).unwrap_err();
    assert!(matches!(error, OpenError::ReadOnlyFileSystem { .. }), "{error:?}");
    assert!(error.to_string().contains("read-only"), "{error}");
    PoolFile::open(&path, &READ_ONLY).unwrap();
    let created = Draft::create(&mount.0.join("b.pool"), &spec()).unwrap_err();
    assert!(matches!(created, crate::error::CreateError::ReadOnlyFileSystem { .. }), "{created:?}");
}

/// If this failed, a program with other types would read the pool's bytes as its own.
#[test]
fn another_root_type_is_refused_with_the_difference() {
    let shelf = Shelf::new();
    let pool = shelf.open().unwrap();
    let ours = SCHEMA.replace("u64", "i64");
    let error = pool.check_schema(&ours, 7).unwrap_err();
    assert!(error.to_string().contains("`Root.count`: @0 u64 in the pool, @0 i64 in the program"), "{error}");
    let error = pool.check_schema(SCHEMA, 8).unwrap_err();
    assert!(error.to_string().contains("00000007 in the pool, 00000008 in the program"), "{error}");
}

/// If this failed, a pool could not become longer, or would forget that it did.
#[test]
fn a_grown_pool_keeps_its_new_length_and_never_exceeds_its_reservation() {
    let shelf = Shelf::new();
    let pool = shelf.open().unwrap();
    let base = pool.region().base();
    assert_eq!(pool.grow((1 << 20) - 5).unwrap(), 1 << 20);
    assert_eq!(pool.grow(1).unwrap(), 1 << 20, "it never shrinks");
    // SAFETY: the last byte of the new length, which no one else uses.
    unsafe { pool.medium().store(pool.region().at((1 << 20) - 1), b"x") };
    let beyond = pool.grow(pool.region().reserve_bytes() + 1);
    assert!(matches!(beyond, Err(GrowError::BeyondReservation { .. })), "{beyond:?}");
    assert!(matches!(pool.grow(u64::MAX), Err(GrowError::BeyondReservation { .. })));
    drop(pool);
    let pool = shelf.open().unwrap();
    assert_eq!((pool.len_bytes(), pool.region().base()), (1 << 20, base));
    assert_eq!(fs::metadata(&shelf.path).unwrap().len(), 1 << 20);
}

/// If this failed, a full disk would damage the pool, or kill the process at a later store.
#[test]
fn a_full_disk_leaves_a_growing_pool_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mount) = Mount::tmpfs(&folder.path().join("mount"), "size=1m") else { return };
    let path = mount.0.join("a.pool");
    let pool = Draft::create(&path, &spec()).unwrap().publish().unwrap();
    let error = pool.grow(2 << 20).unwrap_err();
    assert!(matches!(error, GrowError::NoSpace { needed, .. } if needed == 2 << 20), "{error:?}");
    assert_eq!(pool.len_bytes(), 256 << 10);
    assert_eq!(pool.grow(512 << 10).unwrap(), 512 << 10, "what fits is still possible");
    drop(pool);
    assert_eq!(PoolFile::open(&path, &READ_WRITE).unwrap().len_bytes(), 512 << 10);
}

/// If this failed, the user would be told that emulated or volatile pools survive more than they do.
#[test]
fn durability_is_the_mediums() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pool");
    let emulated =
        Draft::create(&path, &CreateSpec { force_dax_emulation: true, ..spec() }).unwrap().publish().unwrap();
    assert_eq!(emulated.medium().durability(), Survives::ProcessDeath);
    drop(emulated);
    let spec_emulated = OpenSpec { force_dax_emulation: true, ..READ_WRITE };
    assert_eq!(PoolFile::open(&path, &spec_emulated).unwrap().medium().durability(), Survives::ProcessDeath);
    let volatile = Draft::volatile(&spec()).unwrap().publish().unwrap();
    assert_eq!(volatile.medium().durability(), Survives::Nothing);
    assert_eq!(volatile.grow(1 << 20).unwrap(), 1 << 20);
    // SAFETY: the last byte of the new length, which no one else uses.
    unsafe { volatile.medium().store(volatile.region().at((1 << 20) - 1), b"x") };
}
