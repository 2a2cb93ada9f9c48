//! Pools that come to be, or leave no trace.

use std::fs;
use std::sync::Barrier;
use std::thread;

use super::{Mount, READ_WRITE, names, spec};
use crate::error::CreateError;
use crate::pool::publish::Place;
use crate::pool::{CreateSpec, Draft, PoolFile};

/// If this failed, a crash or an error while creating would leave a file that is no pool under the pool's name.
#[test]
fn a_dropped_draft_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pool");
    let draft = Draft::create(&path, &spec()).unwrap();
    assert!(!path.exists(), "the name appears when the pool is published");
    drop(draft);
    assert!(names(folder.path()).is_empty());
}

/// If this failed, creating would destroy what has the name already.
#[test]
fn an_existing_name_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pool");
    fs::write(&path, "precious").unwrap();
    let dangling = folder.path().join("dangling");
    std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
    for name in [path.as_path(), folder.path(), dangling.as_path(), "/dev/null".as_ref()] {
        let error = Draft::create(name, &spec()).unwrap_err();
        assert!(matches!(error, CreateError::AlreadyExists { .. }), "{error:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(names(folder.path()), ["a.pool", "dangling"]);
}

/// If this failed, of two programs that create the same pool one would lose what it was told is there.
#[test]
fn of_two_creators_exactly_one_wins() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pool");
        let start = Barrier::new(2);
        let create = |root_type_id| {
            let draft = Draft::create(&path, &CreateSpec { root_type_id, ..spec() }).unwrap();
            // Both drafts exist before either is published.
            start.wait();
            draft.publish().map(|pool| pool.superblock())
        };
        let results = thread::scope(|scope| {
            [1, 2].map(|id| scope.spawn(move || create(id))).map(|each| each.join().unwrap())
        });
        let winners: Vec<_> = results.iter().flatten().collect();
        assert_eq!(winners.len(), 1, "{results:?}");
        assert!(
            results.iter().any(|result| matches!(result, Err(CreateError::AlreadyExists { .. }))),
            "{results:?}"
        );
        assert_eq!(PoolFile::open(&path, &READ_WRITE).unwrap().superblock(), *winners[0]);
        assert_eq!(names(folder.path()), ["a.pool"]);
    }
}

/// If this failed, a pool under creation could be opened by whoever finds its name first.
#[test]
fn a_published_pool_is_locked_from_its_first_moment() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pool");
    let pool = Draft::create(&path, &spec()).unwrap().publish().unwrap();
    assert!(matches!(PoolFile::open(&path, &READ_WRITE), Err(crate::error::OpenError::Locked { .. })));
    drop(pool);
    PoolFile::open(&path, &READ_WRITE).unwrap();
}

/// If this failed, file systems without nameless files would replace a file, or keep unfinished ones.
#[test]
fn a_draft_beside_its_future_name_is_renamed_or_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pool");
    let (file, place) = Place::make_beside(&path).unwrap();
    assert_eq!(names(folder.path()).len(), 1);
    drop((file, place));
    assert!(names(folder.path()).is_empty(), "an abandoned draft is removed");
    let (file, place) = Place::make_beside(&path).unwrap();
    place.publish(&file, &path).unwrap();
    assert_eq!(names(folder.path()), ["a.pool"]);
    let (file, place) = Place::make_beside(&path).unwrap();
    let error = place.publish(&file, &path).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(names(folder.path()), ["a.pool"], "the loser is removed, the winner stays");
}

/// If this failed, a full disk would leave a file behind, or a pool that kills its process at a store.
#[test]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mount) = Mount::tmpfs(&folder.path().join("mount"), "size=128k") else { return };
    let error = Draft::create(&mount.0.join("a.pool"), &spec()).unwrap_err();
    assert!(matches!(error, CreateError::NoSpace { needed, .. } if needed == 256 << 10), "{error:?}");
    assert!(names(&mount.0).is_empty());
}

/// If this failed, options that no pool can have would be taken, or refused without saying what would do.
#[test]
fn options_out_of_bounds_are_refused_with_their_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pool");
    let refuse = |spec: CreateSpec<'_>| Draft::create(&path, &spec).unwrap_err();
    let CreateError::TooSmall { minimum, .. } = refuse(CreateSpec { len_bytes: 1, ..spec() }) else {
        panic!("one byte is no pool");
    };
    assert!(minimum <= 256 << 10, "{minimum}");
    let smallest = Draft::create(&path, &CreateSpec { len_bytes: minimum, ..spec() }).unwrap();
    assert_eq!(smallest.superblock().len_bytes, minimum);
    let long_schema = "x".repeat((1 << 20) + 1);
    for (spec, expected) in [
        (CreateSpec { reserve_bytes: 1 << 10, ..spec() }, "reserve_bytes"),
        (CreateSpec { reserve_bytes: u64::MAX, ..spec() }, "reserve_bytes"),
        (CreateSpec { len_bytes: u64::MAX, ..spec() }, "size_bytes"),
        (CreateSpec { ring_count: Some(0), ..spec() }, "ring_count"),
        (CreateSpec { ring_bytes: Some(u64::MAX), ..spec() }, "ring_bytes"),
        (CreateSpec { schema_text: &long_schema, ..spec() }, "schema"),
    ] {
        let error = refuse(spec);
        assert!(matches!(error, CreateError::WrongOption { option, .. } if option == expected), "{error:?}");
    }
    let nowhere = Draft::create(&folder.path().join("none/a.pool"), &spec()).unwrap_err();
    assert!(matches!(nowhere, CreateError::NotFound { .. }), "{nowhere:?}");
    assert!(names(folder.path()).is_empty());
}

/// If this failed, crash tests could not be repeated from their seed.
#[test]
fn a_seed_fixes_identity_and_place_and_no_seed_fixes_none() {
    let make = |seed| Draft::volatile(&CreateSpec { seed, ..spec() }).unwrap().superblock();
    let (first, second) = (make(Some(1)), make(Some(1)));
    assert_eq!((first.uuid, first.hash_seed), (second.uuid, second.hash_seed));
    assert_ne!(first.uuid, make(Some(2)).uuid);
    assert_ne!(make(None).uuid, make(None).uuid);
    assert_ne!(make(None).hash_seed, make(None).hash_seed);
}

/// If this failed, small pools would be all rings.
#[test]
fn rings_fit_the_pools_size_and_the_options() {
    let rings = |spec: CreateSpec<'_>| {
        let superblock = Draft::volatile(&spec).unwrap().superblock();
        (superblock.ring_count, superblock.ring_bytes)
    };
    assert_eq!(rings(spec()), (4, 16 << 10));
    assert_eq!(rings(CreateSpec { len_bytes: 1 << 20, ..spec() }), (8, 64 << 10));
    assert_eq!(rings(CreateSpec { ring_count: Some(2), ring_bytes: Some(5000), ..spec() }), (2, 8192));
}
