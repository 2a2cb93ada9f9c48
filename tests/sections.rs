//! What a section and a snapshot are: all or nothing, one at a time, never in each other's way.

mod support;

use std::error::Error;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use pmem_runtime::{FaseError, FaseFault, OpenError, OpenFault, Survives, abort, persist_fase};
use support::child;
use support::degrees::{assert_exact, assert_sound};
use support::world::{WorldPool, pop, push, values};

fn volatile() -> WorldPool {
    WorldPool::options().volatile().unwrap()
}

fn push_one(pool: &WorldPool, value: u64) {
    persist_fase!(pool, |tx, world| {
        push(tx, &mut world.list, value);
        world.ticks += 1;
        Ok(())
    })
    .unwrap();
}

fn listed(pool: &WorldPool) -> Vec<u64> {
    values(&pool.latest().list).collect()
}

#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    TooMany(u64),
    Fault(FaseFault),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: {self:?}")
    }
}

impl Error for Refusal {}

impl From<FaseFault> for Refusal {
    fn from(fault: FaseFault) -> Self {
        Refusal::Fault(fault)
    }
}

/// If this failed, an error half-way through a section would leave the first half.
#[test]
fn an_error_leaves_nothing_and_comes_out_unchanged() {
    let pool = volatile();
    push_one(&pool, 1);
    let failed = persist_fase!(pool, |tx, world| {
        push(tx, &mut world.list, 2);
        let parsed: u64 = "x".parse()?;
        push(tx, &mut world.list, parsed);
        Ok(())
    });
    let error = failed.unwrap_err();
    assert!(error.downcast_ref::<std::num::ParseIntError>().is_some(), "{error}");
    assert!(error.aborted().is_some() && error.fault().is_none());
    assert_eq!(listed(&pool), [1]);
    let boxed: Box<dyn Error> = error.into();
    assert!(boxed.downcast_ref::<std::num::ParseIntError>().is_some(), "{boxed}");
    assert_sound(&pool);
}

/// If this failed, `abort!` would be another way of committing.
#[test]
fn an_abort_leaves_nothing_and_says_why() {
    let pool = volatile();
    push_one(&pool, 1);
    let with_text: Result<(), FaseError> = persist_fase!(pool, |tx, world| {
        push(tx, &mut world.list, 2);
        abort!("{} is one too many", values(&world.list).count())
    });
    assert_eq!(with_text.unwrap_err().to_string(), "2 is one too many");
    let with_error: Result<(), FaseError> = persist_fase!(pool, |tx, world| {
        pop(tx, &mut world.list);
        abort!(Refusal::TooMany(3))
    });
    assert_eq!(with_error.unwrap_err().downcast_ref(), Some(&Refusal::TooMany(3)));
    assert_eq!(listed(&pool), [1]);
    assert_eq!(pool.counters().aborts, 2);
    assert_sound(&pool);
}

/// If this failed, a panic in a section would leave half of it, or a pool that no one can use any more.
#[test]
fn a_panic_leaves_nothing_and_the_pool_goes_on() {
    let pool = volatile();
    push_one(&pool, 1);
    let live = pool.used_bytes();
    let panicked = panic::catch_unwind(AssertUnwindSafe(|| {
        persist_fase!(pool, |tx, world| {
            (0..100).for_each(|value| push(tx, &mut world.list, value));
            assert!(world.ticks == 0, "a panic in a section, as this test wants it");
            Ok(())
        })
    }));
    let payload = panicked.unwrap_err();
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap();
    assert!(text.contains("as this test wants it"), "{text}");
    assert_eq!(listed(&pool), [1]);
    assert_eq!(pool.used_bytes(), live);
    push_one(&pool, 2);
    assert_eq!(listed(&pool), [2, 1]);
    assert_sound(&pool);
}

/// If this failed, errors of a program's own type would have to be dug out of ours.
#[test]
fn a_section_may_have_an_error_type_of_its_own() {
    let pool = volatile();
    let refused = persist_fase!(pool, |tx, world| -> Result<u64, Refusal> {
        push(tx, &mut world.list, 1);
        Err(Refusal::TooMany(1))
    });
    assert_eq!(refused, Err(Refusal::TooMany(1)));
    let aborted = persist_fase!(pool, |tx, world| -> Result<u64, Refusal> {
        push(tx, &mut world.list, 1);
        abort!(Refusal::TooMany(2))
    });
    assert_eq!(aborted, Err(Refusal::TooMany(2)));
    let nested = persist_fase!(pool, |_tx, _world| -> Result<(), Refusal> {
        persist_fase!(pool, |_tx, _world| -> Result<(), Refusal> { Ok(()) })
    });
    assert_eq!(nested, Err(Refusal::Fault(FaseFault::Nested)));
    let value = persist_fase!(pool, |tx, world| -> Result<u64, Refusal> {
        push(tx, &mut world.list, 5);
        Ok(7)
    });
    assert_eq!((value, listed(&pool)), (Ok(7), vec![5]));
}

/// If this failed, a section inside a section would wait for itself, or commit half of the outer one.
#[test]
fn a_section_inside_a_section_of_the_same_pool_is_a_typed_error() {
    let pool = volatile();
    persist_fase!(pool, |tx, world| {
        push(tx, &mut world.list, 1);
        let inner = persist_fase!(pool, |tx, world| {
            push(tx, &mut world.list, 2);
            Ok(())
        });
        assert_eq!(inner.unwrap_err().fault(), Some(&FaseFault::Nested));
        push(tx, &mut world.list, 3);
        Ok(())
    })
    .unwrap();
    assert_eq!(listed(&pool), [3, 1]);
}

/// If this failed, two pools could not be used by one program at once.
#[test]
fn a_section_inside_a_section_of_another_pool_works_and_each_drops_its_own() {
    let (left, right) = (volatile(), volatile());
    push_one(&left, 1);
    push_one(&right, 2);
    persist_fase!(left, |tx, world| {
        push(tx, &mut world.list, 10);
        persist_fase!(right, once, |tx2, world2| {
            push(tx2, &mut world2.list, 20);
            // Dropped inside the other pool's section: both must find their way home.
            world.list = None;
            world2.list = None;
            push(tx2, &mut world2.list, 21);
            Ok(())
        })?;
        push(tx, &mut world.list, 11);
        Ok(())
    })
    .unwrap();
    assert_eq!((listed(&left), listed(&right)), (vec![11], vec![21]));
    let inner_failed = persist_fase!(left, |tx, world| {
        push(tx, &mut world.list, 12);
        let failed: Result<(), FaseError> = persist_fase!(right, |tx2, world2| {
            push(tx2, &mut world2.list, 22);
            abort!("only the inner one")
        });
        failed.unwrap_err();
        Ok(())
    });
    inner_failed.unwrap();
    assert_eq!((listed(&left), listed(&right)), (vec![12, 11], vec![21]));
    assert_sound(&left);
    assert_sound(&right);
}

/// If this failed, `once` would be a word without a meaning.
#[test]
fn a_section_that_runs_once_may_change_what_it_captured() {
    let pool = volatile();
    let mut seen = Vec::new();
    let moved = String::from("moved in");
    persist_fase!(pool, once, |tx, world| {
        push(tx, &mut world.list, 1);
        seen.push(values(&world.list).count());
        drop(moved);
        Ok(())
    })
    .unwrap();
    assert_eq!(seen, [1]);
}

/// If this failed, two processes, or two halves of one, could write one pool.
#[test]
fn a_second_open_of_a_pool_is_refused_at_once() {
    if let Some(path) = child::argument() {
        let error = WorldPool::options().open(path).map(|_| ()).unwrap_err();
        assert!(matches!(error, OpenFault::File(OpenError::Locked { .. })), "{error:?}");
        println!("refused in another process");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.pool");
    let pool = WorldPool::options().create(&path).unwrap();
    push_one(&pool, 1);
    let error = WorldPool::options().open(&path).map(|_| ()).unwrap_err();
    assert!(matches!(error, OpenFault::File(OpenError::Locked { .. })), "{error:?}");
    let again = WorldPool::options().create(&path).map(|_| ()).unwrap_err();
    println!("{error}\n{again}");
    let output = child::run("a_second_open_of_a_pool_is_refused_at_once", path.to_str().unwrap());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("refused in another process"), "{said}");
    push_one(&pool, 2);
    drop(pool);
    let pool = WorldPool::options().open(&path).unwrap();
    assert_eq!(listed(&pool), [2, 1]);
}

/// If this failed, looking at a pool could change it.
#[test]
fn a_pool_opened_read_only_shows_and_does_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("read.pool");
    let pool = WorldPool::options().create(&path).unwrap();
    push_one(&pool, 1);
    pool.close().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let pool = WorldPool::options().open_read_only(&path).unwrap();
    assert_eq!(listed(&pool), [1]);
    let error = persist_fase!(pool, |tx, world| {
        push(tx, &mut world.list, 2);
        Ok(())
    })
    .unwrap_err();
    assert_eq!(error.fault(), Some(&FaseFault::ReadOnly));
    assert_eq!(values(&pool.snapshot().list).collect::<Vec<_>>(), [1]);
    drop(pool);
    assert!(std::fs::read(&path).unwrap() == bytes, "a read-only open changed the file");
}

/// If this failed, a reader could see a version change under it, or one that never was.
#[test]
fn snapshots_are_stable_while_a_writer_commits() {
    const SECTIONS: u64 = 4000;
    let pool = volatile();
    let is_done = AtomicBool::new(false);
    let start = Barrier::new(3);
    // In every version the list is ticks, ticks - 1, ... for up to eight elements, and the tree maps each to its square.
    let check = |pool: &WorldPool| {
        let world = pool.snapshot();
        let ticks = world.ticks;
        let list: Vec<u64> = values(&world.list).collect();
        assert_eq!(list, (0..list.len() as u64).map(|back| ticks - back).collect::<Vec<_>>());
        assert_eq!(list.len() as u64, ticks.min(8));
        thread::yield_now();
        assert_eq!(world.ticks, ticks);
        assert_eq!(values(&world.list).collect::<Vec<_>>(), list);
        world.tree.each(|key, value| assert_eq!(key * key, value));
        ticks
    };
    thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    let (mut last, mut reads) = (0, 0_u64);
                    while !is_done.load(Ordering::Acquire) {
                        let ticks = check(&pool);
                        assert!(ticks >= last, "time ran backwards from {last} to {ticks}");
                        last = ticks;
                        reads += 1;
                    }
                    reads
                })
            })
            .collect();
        start.wait();
        for _ in 0..SECTIONS {
            let ticks = persist_fase!(pool, |tx, world| {
                world.ticks += 1;
                push(tx, &mut world.list, world.ticks);
                if world.ticks > 8 {
                    let mut kept: Vec<u64> = (0..8).filter_map(|_| pop(tx, &mut world.list)).collect();
                    world.list = None;
                    while let Some(value) = kept.pop() {
                        push(tx, &mut world.list, value);
                    }
                }
                let key = world.ticks % 50;
                world.tree.insert(tx, key, key * key);
                Ok(world.ticks)
            })
            .unwrap();
            assert_eq!(pool.snapshot().ticks, ticks, "a commit is visible to its writer when it returns");
        }
        is_done.store(true, Ordering::Release);
        let reads: u64 = readers.into_iter().map(|reader| reader.join().unwrap()).sum();
        println!("{SECTIONS} sections, {reads} snapshots");
    });
    assert_sound(&pool);
    let counters = pool.counters();
    assert!(counters.reclaimed > 0, "nothing was reused while readers came and went: {counters:?}");
}

/// If this failed, a reader could act on what a crash then takes away.
#[test]
fn a_snapshot_shows_nothing_undurable_and_latest_does() {
    let pool = volatile();
    push_one(&pool, 0);
    let mut seen_waiting = 0;
    for value in 1..2000 {
        let durable = pool.snapshot();
        persist_fase!(pool, durability = Buffered, |tx, world| {
            assert_eq!(
                values(&world.list).next(),
                Some(value - 1),
                "a section sees the buffered ones before it"
            );
            push(tx, &mut world.list, value);
            pop(tx, &mut world.list);
            world.list = None;
            push(tx, &mut world.list, value);
            Ok(())
        })
        .unwrap();
        let (after, latest) = (pool.snapshot(), pool.latest());
        assert_eq!(values(&latest.list).next(), Some(value));
        // The pool's own flusher may have come between.
        if after.version() == durable.version() {
            seen_waiting += 1;
            assert!(after.version() < latest.version());
            assert!(values(&after.list).eq(values(&durable.list)), "an undurable version shows");
        }
        if value % 7 == 0 {
            pool.sync().unwrap();
            assert_eq!(values(&pool.snapshot().list).collect::<Vec<_>>(), [value]);
            assert_eq!(pool.snapshot().version(), pool.latest().version());
        }
    }
    assert!(seen_waiting > 0, "no section ever waited for its flush");
}

/// If this failed, one forgotten reader would stop the program, or its memory would be reused under it.
#[test]
fn a_long_lived_snapshot_holds_back_reclamation_and_not_writers() {
    let pool = volatile();
    (0..100).for_each(|value| push_one(&pool, value));
    let churn = |rounds: u64| {
        for _ in 0..rounds {
            persist_fase!(pool, |tx, world| {
                let count = values(&world.list).count();
                while pop(tx, &mut world.list).is_some() {}
                (0..count as u64).rev().for_each(|value| push(tx, &mut world.list, count as u64 - 1 - value));
                Ok(())
            })
            .unwrap();
        }
    };
    churn(2000);
    let (unpinned_len, unpinned) = (pool.len_bytes(), pool.counters());
    assert!(unpinned.reclaimed > 100_000, "{unpinned:?}");

    let held = pool.snapshot();
    let before: Vec<u64> = values(&held.list).collect();
    let start = pool.counters();
    churn(1000);
    let pinned = pool.counters();
    let retired = pinned.retired - start.retired;
    let reclaimed = pinned.reclaimed - start.reclaimed;
    assert!(retired >= 100_000, "{pinned:?}");
    assert!(reclaimed < 10_000, "{reclaimed} nodes were reused under a snapshot that can see them");
    assert!(pool.len_bytes() > unpinned_len, "writers went on and needed more room");
    assert_eq!(values(&held.list).collect::<Vec<_>>(), before);
    drop(held);

    churn(2000);
    let freed = pool.counters();
    let waiting = freed.retired - freed.reclaimed;
    assert!(waiting < 20_000, "{waiting} nodes still wait after the snapshot is gone");
    assert_sound(&pool);
}

/// If this failed, what a pool says of its durability would be a guess.
#[test]
fn a_pool_says_what_a_crash_can_take() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(volatile().durability(), Survives::Nothing);
    let dax = WorldPool::options().force_dax(true).create(folder.path().join("dax.pool")).unwrap();
    assert_eq!(dax.durability(), Survives::ProcessDeath, "emulated on {}", dax.medium_name());
}

/// If this failed, two threads could hold the same writer, or one would be refused instead of waiting.
#[test]
fn sections_of_many_threads_take_turns_and_none_is_lost() {
    const THREADS: u64 = 4;
    const EACH: u64 = 1000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("threads.pool");
    let pool = WorldPool::options().force_dax(true).create(&path).unwrap();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let pool = &pool;
            scope.spawn(move || {
                for index in 0..EACH {
                    let work = thread * EACH + index;
                    if index % 3 == 0 {
                        persist_fase!(pool, durability = Buffered, |tx, world| {
                            world.tree.insert(tx, work, thread);
                            world.ticks += 1;
                            Ok(())
                        })
                        .unwrap();
                    } else {
                        persist_fase!(pool, |tx, world| {
                            world.tree.insert(tx, work, thread);
                            world.ticks += 1;
                            Ok(())
                        })
                        .unwrap();
                    }
                }
            });
        }
    });
    pool.close().unwrap();
    let pool = WorldPool::options().force_dax(true).open(&path).unwrap();
    let world = pool.snapshot();
    assert_eq!(world.ticks, THREADS * EACH);
    let mut next = 0;
    world.tree.each(|key, value| {
        assert_eq!((key, value), (next, next / EACH));
        next += 1;
    });
    assert_eq!(next, THREADS * EACH);
    drop(world);
    assert_exact(&pool);
}
