//! Sections on real threads, and the room's parts one by one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::clock::Stopped;
use super::pins::PinReport;
use super::{Clock, Pins, Timestamp, Versions};

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
    let trim = |bound| unsafe { versions.trim(Timestamp(bound)) };
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
    let clock = Clock::new(Timestamp(0));
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
    let later = Clock::new(Timestamp(100));
    assert_eq!(
        (later.durable(), later.visible(), later.ticket()),
        (Timestamp(100), Timestamp(100), Timestamp(101))
    );
}

/// Two cells that change together. Their versions name nodes, which hold the ticket that made them until they are freed.
struct World {
    clock: Clock,
    pins: Pins,
    cells: [Versions; 2],
    /// The cells' lock.
    lock: Mutex<()>,
    nodes: Vec<AtomicU64>,
    /// Nodes that a ticket has unlinked; its lock is also the right to trim.
    retired: Mutex<Vec<(Timestamp, u64)>>,
}

impl World {
    const FREED: u64 = u64::MAX;

    fn new(commits: u64) -> Self {
        World {
            clock: Clock::new(Timestamp(0)),
            pins: Pins::new(),
            cells: std::array::from_fn(|_| Versions::new(Timestamp(0), 0)),
            lock: Mutex::default(),
            nodes: (0..=commits).map(|_| AtomicU64::new(0)).collect(),
            retired: Mutex::default(),
        }
    }

    fn commit(&self) {
        let guard = self.lock.lock().expect("no panic");
        let ticket = self.clock.ticket();
        let (_, old) = self.cells[0].newest();
        self.nodes[ticket.0 as usize].store(ticket.0, Ordering::Relaxed);
        for cell in &self.cells {
            cell.push(ticket, ticket.0);
        }
        // Unlocked before completion, so that committers meet at the horizon.
        drop(guard);
        self.clock.complete(ticket).expect("nothing fails");
        self.retired.lock().expect("no panic").push((ticket, old));
    }

    fn reclaim(&self) {
        let mut retired = self.retired.lock().expect("no panic");
        let horizon = self.clock.durable();
        let bound = self.pins.bound(horizon);
        for cell in &self.cells {
            // SAFETY: the bound is the pins'; `at` is called under pins, `newest` under the cells' lock, and this under the
            // lock of `retired`.
            unsafe { cell.trim(bound) };
        }
        retired.retain(|(ticket, node)| {
            let is_needed = *ticket > bound;
            if !is_needed {
                self.nodes[*node as usize].store(Self::FREED, Ordering::Relaxed);
            }
            is_needed
        });
    }

    /// Reads both cells in one section; returns its timestamp.
    fn read(&self) -> Timestamp {
        let pin = self.pins.pin(|| self.clock.durable());
        let at = pin.timestamp();
        for cell in &self.cells {
            let node = cell.at(at).expect("the cells are as old as the clock");
            assert_eq!(node, at.0, "half a commit, or another one's");
            assert_eq!(self.nodes[node as usize].load(Ordering::Relaxed), at.0, "a freed node");
        }
        at
    }
}

/// If this fails, readers see half a commit, a freed node, or time going back, while writers commit and reclaim.
#[test]
fn readers_see_whole_commits_and_living_nodes_under_stress() {
    const WRITERS: u64 = 3;
    const COMMITS: u64 = 20_000;
    const READS: u64 = 300_000;

    let world = World::new(WRITERS * COMMITS);
    thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                for commit in 0..COMMITS {
                    world.commit();
                    if commit % 8 == 0 {
                        world.reclaim();
                    }
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                let mut last = Timestamp(0);
                for _ in 0..READS {
                    let at = world.read();
                    assert!(at >= last, "time went back");
                    last = at;
                }
            });
        }
    });
    assert_eq!(world.clock.durable(), Timestamp(WRITERS * COMMITS));
    assert_eq!(world.pins.oldest(), None);
    world.reclaim();
    assert_eq!(world.cells[0].len(), 1, "versions that nobody can see are kept");
    let living = world.nodes.iter().filter(|node| node.load(Ordering::Relaxed) != World::FREED).count();
    assert_eq!(living, 1, "nodes that nobody can see are kept");
}
