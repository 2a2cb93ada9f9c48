//! Tests of the tester: a simulator that guarantees too much hides mistakes, one that allows too much invents them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use super::{Action, Chooser, Note, Replay, SimMedium};
use crate::hw::Medium;

/// Memory that a medium is attached to: 16 lines.
struct Bench {
    memory: Box<[Line; 16]>,
    sim: Arc<SimMedium>,
}

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[expect(dead_code, reason = "reached by address")] [u8; 64]);

impl Bench {
    fn new() -> Self {
        let mut memory = Box::new([Line([0; 64]); 16]);
        let sim = Arc::new(SimMedium::from_image(vec![0; 1024]));
        // SAFETY: the memory is as long as the image, zero as it is, and lives as long as the bench.
        unsafe { sim.attach(memory.as_mut_ptr().cast()) };
        Bench { memory, sim }
    }

    fn at(&mut self, offset: usize) -> *mut u8 {
        self.memory.as_mut_ptr().cast::<u8>().wrapping_add(offset)
    }

    fn store(&mut self, offset: usize, value: u64) {
        let to = self.at(offset).cast();
        // SAFETY: the word lies in the memory, and no one else has its address.
        unsafe { self.sim.store_word(to, value) };
    }

    fn write_back(&mut self, offset: usize, len_bytes: usize) {
        let from = self.at(offset);
        // SAFETY: the bytes lie in the memory.
        unsafe { self.sim.write_back(from, len_bytes) };
    }

    fn now(&self, chooser: Chooser) -> Vec<u8> {
        self.sim.crash_image(self.sim.event_count(), chooser)
    }
}

fn word(image: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(image[offset..offset + 8].try_into().unwrap())
}

/// If this failed, a missing fence would not be found.
#[test]
fn a_write_back_without_a_fence_guarantees_nothing() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    bench.write_back(64, 8);
    assert_eq!(word(&bench.now(Chooser::None), 64), 0);
    assert_eq!(word(&bench.now(Chooser::All), 64), 1);
    bench.sim.fence().unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 64), 1);
}

/// If this failed, a missing write-back would not be found.
#[test]
fn a_fence_without_a_write_back_guarantees_nothing() {
    let mut bench = Bench::new();
    bench.store(0, 1);
    bench.write_back(64, 8);
    bench.sim.fence().unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 0), 0, "another line's write-back covered it");
}

/// If this failed, a store that came too late for its write-back would be taken for durable.
#[test]
fn a_store_after_the_write_back_is_not_covered_by_the_fence() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    bench.write_back(64, 8);
    bench.store(64, 2);
    bench.sim.fence().unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 64), 1);
    assert_eq!(word(&bench.now(Chooser::All), 64), 2);
}

/// If this failed, group commits that fence on the wrong thread would pass.
#[test]
fn a_fence_by_another_thread_does_not_cover_my_write_back() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    bench.write_back(64, 8);
    let sim = Arc::clone(&bench.sim);
    thread::spawn(move || sim.fence().unwrap()).join().unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 64), 0);
    bench.sim.fence().unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 64), 1);
}

/// If this failed, a flusher thread that writes back for others would be reported as broken.
#[test]
fn a_write_back_and_fence_by_another_thread_cover_a_store_that_it_saw() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    let sim = Arc::clone(&bench.sim);
    let line = bench.at(64).expose_provenance();
    thread::spawn(move || {
        // SAFETY: the line lies in the bench's memory, which outlives the thread.
        unsafe { sim.write_back(std::ptr::with_exposed_provenance(line), 8) };
        sim.fence().unwrap();
    })
    .join()
    .unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 64), 1);
}

/// If this failed, an older fence could take a newer guarantee back.
#[test]
fn a_late_fence_over_an_older_version_leaves_the_newer_guarantee() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    let sim = Arc::clone(&bench.sim);
    let line = bench.at(64).expose_provenance();
    let (sent, received) = std::sync::mpsc::channel::<()>();
    let (acknowledge, acknowledged) = std::sync::mpsc::channel::<()>();
    let late = thread::spawn(move || {
        // SAFETY: the line lies in the bench's memory, which outlives the thread.
        unsafe { sim.write_back(std::ptr::with_exposed_provenance(line), 8) };
        acknowledge.send(()).unwrap();
        received.recv().unwrap();
        sim.fence().unwrap();
    });
    acknowledged.recv().unwrap();
    bench.store(64, 2);
    bench.write_back(64, 8);
    bench.sim.fence().unwrap();
    bench.store(64, 3);
    sent.send(()).unwrap();
    late.join().unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 64), 2);
    assert_eq!(word(&bench.now(Chooser::All), 64), 3);
}

/// If this failed, only the newest of several unguaranteed stores would ever be tried.
#[test]
fn every_version_of_a_chunk_is_reached_by_some_seed_and_nothing_else_is() {
    let mut bench = Bench::new();
    for value in 1..=3 {
        bench.store(64, value);
    }
    let mut seen: Vec<u64> = (0..200).map(|seed| word(&bench.now(Chooser::Seeded(seed)), 64)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3]);
}

/// If this failed, the chunks of one line would persist together, and torn lines would not be found.
#[test]
fn chunks_of_one_line_are_independent() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    bench.store(72, 1);
    let pair = |seed| {
        let image = bench.now(Chooser::Seeded(seed));
        (word(&image, 64), word(&image, 72))
    };
    let mut seen: Vec<_> = (0..400).map(pair).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [(0, 0), (0, 1), (1, 0), (1, 1)]);
}

/// If this failed, one lost line among many would never be tried.
#[test]
fn one_line_can_be_left_out_or_be_the_only_one() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    bench.store(128, 2);
    let without = bench.now(Chooser::AllButLine(1));
    assert_eq!((word(&without, 64), word(&without, 128)), (0, 2));
    let only = bench.now(Chooser::OnlyLine(1));
    assert_eq!((word(&only, 64), word(&only, 128)), (1, 0));
    let mut replay = Replay::new(bench.sim.initial_image());
    bench.sim.events().iter().for_each(|event| replay.apply(event));
    assert_eq!(replay.uncertain_lines().into_iter().collect::<Vec<_>>(), [1, 2]);
}

/// If this failed, nodes edited through plain references, and refcounts, would be missing from the images.
#[test]
fn plain_stores_are_found_by_comparing() {
    let mut bench = Bench::new();
    let payload = bench.at(64 + 16);
    // SAFETY: the byte lies in the memory, and no one else has its address.
    unsafe { payload.write(9) };
    // SAFETY: the bytes lie in the memory, and no one writes them now.
    unsafe { bench.sim.written(payload, 16) };
    let logged = bench.sim.events();
    assert_eq!(logged.len(), 1, "one changed chunk, one store: {logged:?}");
    assert!(
        matches!(&logged[0].action, Action::Store { offset: 80, bytes } if **bytes == [9, 0, 0, 0, 0, 0, 0, 0])
    );
    // SAFETY: the word lies in the memory and is aligned; no one else has its address.
    let refcount = unsafe { AtomicU32::from_ptr(bench.at(64).cast()) };
    refcount.store(5, Ordering::Relaxed);
    bench.write_back(80, 16);
    bench.sim.fence().unwrap();
    let image = bench.now(Chooser::None);
    assert_eq!((word(&image, 64), word(&image, 80)), (5, 9), "the whole line was written back");
}

/// If this failed, refcounts would never reach the medium in any state, though a processor may evict them at any time.
#[test]
fn refcounts_that_nobody_writes_back_are_stores_too() {
    let here = std::panic::Location::caller();
    let mut bench = Bench::new();
    let address = bench.at(64).expose_provenance() as u64;
    bench.sim.note(Note::Allocated { at: address, lines: 2, by: here });
    // SAFETY: the word lies in the memory and is aligned; no one else has its address.
    let refcount = unsafe { AtomicU32::from_ptr(bench.at(64).cast()) };
    refcount.store(5, Ordering::Relaxed);
    assert_eq!(bench.sim.event_count(), 0);
    bench.sim.note(Note::SectionStarted { by: here });
    assert_eq!((word(&bench.now(Chooser::All), 64), word(&bench.now(Chooser::None), 64)), (5, 0));
    refcount.store(6, Ordering::Relaxed);
    bench.sim.fence().unwrap();
    assert_eq!((word(&bench.now(Chooser::All), 64), word(&bench.now(Chooser::None), 64)), (6, 0));
    // Handed out again as the second line of a node, it is no refcount any more.
    bench.sim.note(Note::Allocated { at: address - 64, lines: 2, by: here });
    refcount.store(7, Ordering::Relaxed);
    bench.sim.note(Note::SectionStarted { by: here });
    assert_eq!(word(&bench.now(Chooser::All), 64), 6);
}

/// If this failed, what a killed process stored would be taken for durable as soon as the next one has read it.
#[test]
fn what_a_dead_process_left_in_caches_can_still_be_lost() {
    let mut bench = Bench::new();
    bench.store(64, 1);
    bench.write_back(64, 8);
    bench.sim.fence().unwrap();
    bench.store(128, 1);
    bench.write_back(128, 8);
    let left = bench.sim.events();
    let next = SimMedium::after_death(vec![0; 1024], left.clone(), Vec::new());
    assert_eq!(word(&next.opened(), 128), 1, "the next process reads it");
    // SAFETY: as in `Bench::new`; the memory holds what the next process reads.
    unsafe { next.attach(bench.memory.as_mut_ptr().cast()) };
    next.fence().unwrap();
    let now = |chooser| next.crash_image(next.event_count(), chooser);
    assert_eq!(word(&now(Chooser::None), 128), 0, "the next one's fence completed the dead one's write-back");
    assert_eq!((word(&now(Chooser::All), 128), word(&now(Chooser::None), 64)), (1, 1));
    // SAFETY: the line lies in the memory.
    unsafe { next.write_back(bench.at(128), 8) };
    next.fence().unwrap();
    assert_eq!(word(&next.crash_image(next.event_count(), Chooser::None), 128), 1);
}

/// If this failed, a pool that goes on after a failed sync would pass the crash tests.
#[test]
fn a_fence_after_a_failed_fence_does_not_cover_what_was_lost() {
    let mut bench = Bench::new();
    bench.sim.fail_fence(2);
    bench.sim.fence().unwrap();
    bench.store(64, 1);
    bench.write_back(64, 8);
    assert_eq!(bench.sim.fence().unwrap_err().raw_os_error(), Some(5), "EIO");
    bench.sim.fence().unwrap();
    assert_eq!(word(&bench.now(Chooser::None), 64), 0);
}

/// If this failed, the middle of a growth would not be tried, and a full disk not at all.
#[test]
fn a_growth_may_have_happened_or_not_until_it_returned() {
    let bench = Bench::new();
    bench.sim.fail_allocate();
    assert_eq!(bench.sim.allocate(1024, 2048).unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(bench.sim.event_count(), 0);
    bench.sim.allocate(1024, 2048).unwrap();
    let length = |events, chooser| bench.sim.crash_image(events, chooser).len();
    assert_eq!(
        [length(0, Chooser::All), length(1, Chooser::None), length(1, Chooser::All)],
        [1024, 1024, 2048]
    );
    assert_eq!(length(2, Chooser::None), 2048);
}

/// If this failed, advancing a replay event by event would see other crashes than the log itself does.
#[test]
fn a_replay_equals_the_crash_image_at_every_event() {
    let mut bench = Bench::new();
    for round in 0..20_u64 {
        let offset = (round as usize * 40) % 960 / 8 * 8;
        bench.store(offset, round + 1);
        if round % 3 == 0 {
            bench.write_back(offset, 8);
        }
        if round % 5 == 0 {
            bench.sim.fence().unwrap();
        }
    }
    let mut replay = Replay::new(bench.sim.initial_image());
    for (index, event) in bench.sim.events().iter().enumerate() {
        replay.apply(event);
        assert_eq!(replay.event_count(), index + 1);
        for chooser in [Chooser::None, Chooser::All, Chooser::Seeded(7)] {
            assert_eq!(replay.image(chooser), bench.sim.crash_image(index + 1, chooser));
        }
    }
}
