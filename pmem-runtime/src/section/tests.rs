//! Sections on real threads, and the room's parts one by one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::{Clock, PinReport, Pins, Stopped, Timestamp, Versions};

fn stamps(versions: &Versions, upto: u64) -> Vec<Option<u64>> {
    (0..=upto).map(|at| versions.at(Timestamp(at))).collect()
}

/// If this fails, a section sees a version that is too new, or too old, or trimming takes one that is needed.
#[test]
fn a_section_sees_the_newest_version_not_after_it() {
    let versions = Versions::new(Timestamp(2), 20);
    versions.push(Timestamp(4), 40);
    versions.push(Timestamp(5), 50);
    let seen = [None, None, Some(20), Some(20), Some(40), Some(50), Some(50)];
    assert_eq!(stamps(&versions, 6), seen);
    assert_eq!((versions.newest(), versions.len()), ((Timestamp(5), 50), 3));
    // SAFETY: no other thread; afterwards only timestamps past the bound are asked for.
    let mut trim = |bound| unsafe { versions.trim(Timestamp(bound)) };
    assert_eq!(trim(1), 0, "nothing is visible at 1");
    assert_eq!(trim(3), 0, "2 is seen at 3");
    assert_eq!(trim(4), 1);
    assert_eq!((versions.at(Timestamp(4)), versions.at(Timestamp(9))), (Some(40), Some(50)));
    assert_eq!(trim(100), 1);
    assert_eq!(trim(100), 0);
    assert_eq!((versions.newest(), versions.len()), ((Timestamp(5), 50), 1));
}

/// If this fails, a writer without the cell's lock silently reorders history.
#[test]
#[should_panic(expected = "cannot follow")]
fn a_version_that_is_not_newer_is_refused() {
    let versions = Versions::new(Timestamp(2), 20);
    versions.push(Timestamp(2), 21);
}

/// If this fails, the oldest snapshot does not count, or one that has ended does.
#[test]
fn the_oldest_pin_is_the_bound_whoever_holds_it() {
    let pins = Pins::new();
    assert_eq!((pins.oldest(), pins.bound(Timestamp(9))), (None, Timestamp(9)));
    let old = pins.pin(|| Timestamp(3));
    let new = pins.pin(|| Timestamp(7));
    assert_eq!((old.timestamp(), new.timestamp()), (Timestamp(3), Timestamp(7)));
    assert_eq!(pins.oldest(), Some(Timestamp(3)));
    thread::scope(|scope| {
        scope.spawn(|| drop(old));
    });
    assert_eq!(pins.oldest(), Some(Timestamp(7)), "ended by another thread");
    assert_eq!(pins.bound(Timestamp(5)), Timestamp(5), "the horizon that was read before counts too");
    let entering = pins.pin(|| {
        assert_eq!(pins.oldest(), Some(Timestamp(0)), "a pin that is entering may see anything");
        Timestamp(8)
    });
    drop((new, entering));
    assert_eq!(pins.oldest(), None);
}

/// If this fails, a program with many snapshots open at once is stopped by a bound that nobody told it of.
#[test]
fn there_is_no_limit_to_pins() {
    let pins = Pins::new();
    for _ in 0..2 {
        let held: Vec<_> = (1..=1000).map(|at| pins.pin(|| Timestamp(at))).collect();
        let report = pins.report();
        assert_eq!((report.pins, report.oldest), (1000, Some(Timestamp(1))));
        let mut slots: Vec<_> = held.iter().map(|pin| std::ptr::from_ref(pin).addr()).collect();
        slots.dedup();
        assert_eq!(slots.len(), 1000);
        for (ended, pin) in held.into_iter().enumerate() {
            assert_eq!(pins.oldest(), Some(Timestamp(ended as u64 + 1)));
            drop(pin);
        }
    }
    assert_eq!(pins.report(), PinReport { pins: 0, oldest: None, age: Duration::ZERO });
}

/// If this fails, the warning about an old snapshot never comes, or names the wrong age.
#[test]
fn the_age_of_the_oldest_pin_grows_until_it_ends() {
    let pins = Pins::new();
    let old = pins.pin(|| Timestamp(3));
    assert!(pins.report().age < Duration::from_secs(3600));
    let first = pins.report().age;
    let _new = pins.pin(|| Timestamp(4));
    thread::sleep(Duration::from_millis(2));
    let second = pins.report().age;
    assert!(second >= first + Duration::from_millis(2), "{first:?} {second:?}");
    drop(old);
    assert_eq!(pins.report().oldest, Some(Timestamp(4)));
}

/// If this fails, an I/O error hangs other writers, or commits after it pass for durable.
#[test]
fn a_failed_commit_stops_those_after_it_alone() {
    let clock = Clock::new(Timestamp(10));
    let [first, second, third] = std::array::from_fn(|_| clock.ticket());
    assert_eq!((first, third), (Timestamp(11), Timestamp(13)));
    thread::scope(|scope| {
        let waiting = scope.spawn(|| clock.complete(third));
        let published = scope.spawn(|| clock.publish_visible(third));
        let durable = scope.spawn(|| clock.wait_durable(third));
        clock.fail(second);
        let stopped = Err(Stopped { ticket: third, failed: second });
        assert_eq!(waiting.join().expect("no panic"), stopped);
        assert_eq!(published.join().expect("no panic"), stopped);
        assert_eq!(durable.join().expect("no panic"), stopped);
    });
    assert_eq!(clock.complete(first), Ok(()), "what came before the failure is not touched by it");
    assert_eq!(clock.complete(second), Err(Stopped { ticket: second, failed: second }));
    assert!(clock.complete_through(third).is_err());
    assert_eq!((clock.durable(), clock.visible(), clock.failed()), (first, first, Some(second)));
}

/// If this fails, buffered commits are not visible before they are durable, or durable before they are visible.
#[test]
fn the_visible_horizon_runs_ahead_and_never_behind() {
    let mut clock = Clock::new(Timestamp(0));
    let (one, two, three) = (clock.ticket(), clock.ticket(), clock.ticket());
    clock.publish_visible(one).expect("in turn");
    clock.publish_visible(two).expect("in turn");
    assert_eq!((clock.durable(), clock.visible()), (Timestamp(0), two));
    clock.complete_through(two).expect("nothing fails");
    assert_eq!((clock.durable(), clock.visible()), (two, two));
    clock.complete(three).expect("in turn");
    assert_eq!((clock.durable(), clock.visible()), (three, three));
    clock.complete_through(one).expect("nothing fails");
    assert_eq!(clock.durable(), three, "a horizon went back");
    clock.restart_at(Timestamp(100));
    assert_eq!(
        (clock.durable(), clock.visible(), clock.ticket()),
        (Timestamp(100), Timestamp(100), Timestamp(101))
    );
}

/// If this fails, readers see half a commit, a freed node, or time going back, while writers and a reclaimer work.
#[test]
fn readers_see_whole_commits_and_living_nodes_under_stress() {
    const WRITERS: u64 = 3;
    const COMMITS: u64 = 6_000;
    const FREED: u64 = u64::MAX;

    let clock = Clock::new(Timestamp(0));
    let pins = Pins::new();
    // Two cells that change together; the versions name nodes, which hold the ticket that made them.
    let cells = [Versions::new(Timestamp(0), 0), Versions::new(Timestamp(0), 0)];
    let nodes: Vec<AtomicU64> = (0..=WRITERS * COMMITS).map(|_| AtomicU64::new(0)).collect();
    let lock = Mutex::new(());
    let retired: Mutex<Vec<(Timestamp, u64)>> = Mutex::default();
    let is_over = AtomicBool::new(false);

    thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|_| {
                scope.spawn(|| {
                    for _ in 0..COMMITS {
                        let guard = lock.lock().expect("no panic");
                        let ticket = clock.ticket();
                        let (_, old) = cells[0].newest();
                        nodes[ticket.0 as usize].store(ticket.0, Ordering::Relaxed);
                        for cell in &cells {
                            cell.push(ticket, ticket.0);
                        }
                        // Unlocked before completion, so that committers meet at the horizon.
                        drop(guard);
                        clock.complete(ticket).expect("nothing fails");
                        retired.lock().expect("no panic").push((ticket, old));
                    }
                })
            })
            .collect();
        for _ in 0..2 {
            scope.spawn(|| {
                let mut last = Timestamp(0);
                while !is_over.load(Ordering::Acquire) {
                    let pin = pins.pin(|| clock.durable());
                    let at = pin.timestamp();
                    assert!(at >= last, "time went back");
                    last = at;
                    for cell in &cells {
                        let node = cell.at(at).expect("the cells are as old as the clock");
                        assert_eq!(node, at.0, "half a commit, or another one's");
                        assert_eq!(nodes[node as usize].load(Ordering::Relaxed), at.0, "a freed node");
                    }
                }
            });
        }
        let reclaimer = scope.spawn(|| {
            let mut trimmed = 0;
            while !is_over.load(Ordering::Acquire) {
                let horizon = clock.durable();
                let bound = pins.bound(horizon);
                for cell in &cells {
                    // SAFETY: the bound is the pins'; readers call `at` under pins, writers `newest` under the lock; this
                    // is the only thread that trims.
                    trimmed += unsafe { cell.trim(bound) };
                }
                retired.lock().expect("no panic").retain(|(ticket, node)| {
                    let is_needed = *ticket > bound;
                    if !is_needed {
                        nodes[*node as usize].store(FREED, Ordering::Relaxed);
                    }
                    is_needed
                });
                thread::yield_now();
            }
            trimmed
        });
        for writer in writers {
            writer.join().expect("no panic");
        }
        is_over.store(true, Ordering::Release);
        assert!(reclaimer.join().expect("no panic") > 0, "nothing was reclaimed");
    });
    assert_eq!(clock.durable(), Timestamp(WRITERS * COMMITS));
    assert_eq!(pins.oldest(), None);
    // SAFETY: no thread is left.
    unsafe { cells[0].trim(clock.durable()) };
    assert_eq!(cells[0].len(), 1);
}
