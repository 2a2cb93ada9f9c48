//! The heap against a plain vector of owners, and the laws of the room one by one.

use std::sync::Mutex;
use std::thread;

use proptest::prelude::{Just, Strategy, any};
use proptest::{collection, prop_assert, prop_assert_eq, prop_oneof, proptest};

use super::marking::{BitmapLength, MarkError};
use super::{BLOCK_BYTES, Effort, Heap, LINE_BYTES, Line, Stream, Streams, Usage};

/// Where the heaps under test begin: a whole number of pages, but not of blocks.
const START: u64 = 3 * 4096;
const CAPACITY: u64 = START + 64 * BLOCK_BYTES;

fn heap(blocks: u64) -> Heap {
    Heap::new(START, START + blocks * BLOCK_BYTES, CAPACITY)
}

fn alloc(heap: &Heap, streams: &mut Streams, lines: u32) -> Option<Line> {
    heap.alloc(streams, Stream::Leaf, lines, Effort::Normal)
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

#[derive(Clone, Debug)]
enum Step {
    Alloc {
        writer: usize,
        stream: Stream,
        lines: u32,
        effort: Effort,
    },
    /// Frees the run whose place among the live ones this chooses.
    Free(usize),
    Release(usize),
    Extend,
}

fn step() -> impl Strategy<Value = Step> {
    let lines = prop_oneof![12 => 1_u32..=4, 4 => 1_u32..=40, 1 => 1_u32..=600, 1 => 500_u32..=1700];
    let stream = prop_oneof![Just(Stream::Leaf), Just(Stream::Inner)];
    let effort = prop_oneof![3 => Just(Effort::Normal), 1 => Just(Effort::Desperate)];
    prop_oneof![
        100 => (0_usize..3, stream, lines, effort)
            .prop_map(|(writer, stream, lines, effort)| Step::Alloc { writer, stream, lines, effort }),
        80 => any::<usize>().prop_map(Step::Free),
        4 => (0_usize..3).prop_map(Step::Release),
        1 => Just(Step::Extend),
    ]
}

/// A plain account of the heap: the owner of each line, zero for nobody.
struct Model {
    owners: Vec<u32>,
    live: Vec<(Line, u32)>,
    names: u32,
}

impl Model {
    fn index(line: Line) -> usize {
        usize::try_from(line.0 - START / LINE_BYTES).expect("a small heap")
    }

    fn run(&mut self, line: Line, lines: u32) -> &mut [u32] {
        let start = Self::index(line);
        &mut self.owners[start..start + lines as usize]
    }

    fn used(&self) -> u64 {
        self.owners.iter().filter(|owner| **owner != 0).count() as u64
    }

    fn has_free_run(&self, lines: u32) -> bool {
        self.owners
            .chunk_by(|a, b| (*a == 0) == (*b == 0))
            .any(|run| run[0] == 0 && run.len() >= lines as usize)
    }
}

proptest! {
    #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..proptest::test_runner::Config::with_cases(64) })]

    /// If this fails, a line is given to two owners, or lost, or counted wrongly.
    #[test]
    fn the_heap_agrees_with_a_vector_of_owners(steps in collection::vec(step(), 300..900)) {
        let heap = heap(6);
        let mut writers: [Streams; 3] = Default::default();
        let mut blocks = 6;
        let mut model = Model { owners: vec![0; 6 * 512], live: Vec::new(), names: 0 };
        for step in steps {
            match step {
                Step::Alloc { writer, stream, lines, effort } => {
                    let Some(line) = heap.alloc(&mut writers[writer], stream, lines, effort) else { continue };
                    prop_assert!(Model::index(line) + lines as usize <= model.owners.len(), "beyond the end");
                    model.names += 1;
                    let name = model.names;
                    prop_assert!(model.run(line, lines).iter().all(|owner| *owner == 0), "{line:?} has an owner");
                    model.run(line, lines).fill(name);
                    model.live.push((line, lines));
                    prop_assert!(heap.is_allocated(line));
                }
                Step::Free(which) => {
                    if model.live.is_empty() { continue }
                    let (line, lines) = model.live.swap_remove(which % model.live.len());
                    model.run(line, lines).fill(0);
                    heap.free(line, lines);
                    prop_assert!(!heap.is_allocated(line));
                }
                Step::Release(writer) => heap.release(&mut writers[writer]),
                Step::Extend => {
                    blocks = (blocks + 1).min(10);
                    heap.extend(START + blocks * BLOCK_BYTES);
                    model.owners.resize(blocks as usize * 512, 0);
                }
            }
            prop_assert_eq!(heap.used_lines(), model.used());
        }
        for (at, owner) in model.owners.iter().enumerate() {
            prop_assert_eq!(heap.is_allocated(Line(START / LINE_BYTES + at as u64)), *owner != 0);
        }
        writers.iter_mut().for_each(|streams| heap.release(streams));
        for lines in [1, 2, 64, 65, 512, 513, 1024] {
            prop_assert_eq!(heap.find_free_run(lines).is_some(), model.has_free_run(lines), "{} lines", lines);
        }
        // With all blocks given back, the last resort finds whatever there is.
        let longest = heap.largest_free_run();
        if longest != 0 {
            let line = heap.alloc(&mut writers[0], Stream::Leaf, longest, Effort::Desperate);
            prop_assert!(line.is_some(), "a run of {} lines is there and was not found", longest);
            model.live.extend(line.map(|line| (line, longest)));
            heap.release(&mut writers[0]);
        }
        for (line, lines) in model.live.drain(..) {
            heap.free(line, lines);
        }
        let lines = blocks * 512;
        let all_empty = Usage { total_lines: lines, empty_blocks: blocks, ..Usage::default() };
        prop_assert_eq!(heap.usage(), all_empty);
        prop_assert_eq!(alloc(&heap, &mut writers[0], lines as u32), Some(Line(START / LINE_BYTES)));
    }

    /// If this fails, the fast search for a hole misses one or invents one.
    #[test]
    fn a_hole_is_found_where_a_slow_search_finds_it(
        words in collection::vec(prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), (0_u32..64).prop_map(|n| u64::MAX << n), (0_u32..64).prop_map(|n| u64::MAX >> n)], 8),
        from in 0_u32..=512,
        lines in prop_oneof![1_u32..6, 1_u32..=512],
    ) {
        let mut bitmap = super::block::Bitmap::default();
        bitmap.overwrite(words.clone().try_into().expect("eight words"));
        let is_free = |line: u32| words[line as usize / 64] >> (line % 64) & 1 == 0;
        let slow = (from..=512).find(|start| start + lines <= 512 && (*start..start + lines).all(is_free));
        prop_assert_eq!(bitmap.find_hole(from, lines), slow);
    }
}

/// If this fails, nodes of one section are scattered, and each costs a write-back of its own.
#[test]
fn nodes_allocated_in_a_row_lie_in_a_row() {
    let heap = heap(4);
    let mut streams = Streams::default();
    let first = alloc(&heap, &mut streams, 2).expect("an empty heap");
    assert_eq!(alloc(&heap, &mut streams, 1), Some(Line(first.0 + 2)));
    assert_eq!(alloc(&heap, &mut streams, 3), Some(Line(first.0 + 3)));
    let inner = heap.alloc(&mut streams, Stream::Inner, 1, Effort::Normal).expect("an empty heap");
    assert!(inner.0 / 512 != first.0 / 512, "leaves and inner nodes share a block");
}

/// If this fails, a block freed by half is not filled again, and the pool grows for ever.
#[test]
fn a_block_is_reused_when_half_of_it_is_free_and_not_before() {
    let heap = heap(2);
    let mut streams = Streams::default();
    let lines: Vec<Line> = (0..1024).map(|_| alloc(&heap, &mut streams, 1).expect("two blocks")).collect();
    heap.release(&mut streams);
    for line in lines.iter().step_by(2).take(255) {
        heap.free(*line, 1);
    }
    assert_eq!(alloc(&heap, &mut streams, 1), None, "a block was reopened for too little");
    heap.free(lines[510], 1);
    assert_eq!(alloc(&heap, &mut streams, 1), Some(lines[0]));
    assert_eq!(alloc(&heap, &mut streams, 1), Some(lines[2]), "the next hole");
    assert_eq!(alloc(&heap, &mut streams, 2), None, "there is no hole of two");
}

/// If this fails, a full disk wastes space that is free: the last line must be found, whoever it was last with.
#[test]
fn a_tiny_heap_is_used_to_the_last_line() {
    let heap = heap(5);
    let (mut one, mut two) = (Streams::default(), Streams::default());
    let mut all = Vec::new();
    for round in 0..3 {
        heap.release(&mut two);
        while let Some(line) = heap.alloc(&mut one, Stream::Inner, 1, Effort::Desperate) {
            all.push(line);
            if let Some(line) = heap.alloc(&mut two, Stream::Leaf, 1, Effort::Desperate) {
                all.push(line);
            }
        }
        heap.release(&mut two);
        all.extend(std::iter::from_fn(|| heap.alloc(&mut one, Stream::Leaf, 1, Effort::Desperate)));
        assert_eq!(all.len(), 5 * 512, "round {round}");
        assert_eq!(heap.used_lines(), heap.total_lines());
        let mut dice = Dice(round);
        all.retain(|line| {
            let keep = dice.below(3) != 0;
            if !keep {
                heap.free(*line, 1);
            }
            keep
        });
    }
}

/// If this fails, long-running programs of constant size need ever more space.
#[test]
fn churn_at_constant_size_stays_within_twice_the_live_lines() {
    let heap = Heap::new(START, START + 40 * BLOCK_BYTES, CAPACITY);
    let mut streams = Streams::default();
    let mut dice = Dice(1);
    let mut live = Vec::new();
    let mut live_lines = 0;
    for step in 0..200_000 {
        let lines = 1 + dice.below(4) as u32;
        let stream = if dice.below(3) == 0 { Stream::Inner } else { Stream::Leaf };
        let line = heap.alloc(&mut streams, stream, lines, Effort::Normal);
        live.push((line.unwrap_or_else(|| panic!("no space at step {step}")), lines));
        live_lines += lines;
        while live_lines > 16 * 512 {
            let at = dice.below(live.len() as u64) as usize;
            let (line, lines) = live.swap_remove(at);
            heap.free(line, lines);
            live_lines -= lines;
        }
    }
    let usage = heap.usage();
    let touched = usage.full_blocks + usage.reusable_blocks + usage.open_blocks;
    assert!(touched <= 2 * 16 + 2, "{touched} blocks hold what fits into 16: {usage:?}");
}

/// If this fails, objects larger than a block overlap others, or keep the rest of their last block from everybody.
#[test]
fn a_large_object_takes_whole_blocks_and_leaves_the_rest_of_the_last() {
    let heap = heap(8);
    let mut streams = Streams::default();
    let small = alloc(&heap, &mut streams, 1).expect("an empty heap");
    let large = alloc(&heap, &mut streams, 3 * 512 + 10).expect("seven empty blocks");
    assert_eq!(large.0, small.0 + 512, "first fit");
    assert_eq!(alloc(&heap, &mut streams, 4 * 512), None, "only three blocks are left");
    heap.release(&mut streams);
    heap.free(small, 1);
    assert_eq!(heap.usage().empty_blocks, 4);
    let rest: Vec<Line> =
        (0..502).map(|_| alloc(&heap, &mut streams, 1).expect("the rest of a block")).collect();
    assert_eq!(
        rest[0],
        Line(large.0 + 3 * 512 + 10),
        "the last block's rest is reused before an empty block"
    );
    heap.free(large, 3 * 512 + 10);
    rest.into_iter().for_each(|line| heap.free(line, 1));
    heap.release(&mut streams);
    assert_eq!(heap.usage().empty_blocks, 8);
    assert!(alloc(&heap, &mut streams, 8 * 512).is_some());
}

/// If this fails, a writer of medium nodes gives up a block that is nearly empty.
#[test]
fn a_stream_keeps_the_roomier_of_two_blocks() {
    let heap = heap(3);
    let mut streams = Streams::default();
    let first = alloc(&heap, &mut streams, 300).expect("an empty heap");
    let second = alloc(&heap, &mut streams, 400).expect("two empty blocks");
    assert_eq!(second.0, first.0 + 512);
    assert_eq!(alloc(&heap, &mut streams, 200), Some(Line(first.0 + 300)));
}

/// If this fails, the file grows, or is full, although the writer's own block has been freed behind its cursor.
#[test]
fn a_writers_own_block_is_looked_through_again_before_it_gives_up() {
    let heap = heap(1);
    let mut streams = Streams::default();
    for _ in 0..3 {
        let lines: Vec<Line> = std::iter::from_fn(|| alloc(&heap, &mut streams, 1)).collect();
        assert_eq!(lines.len(), 512);
        lines.into_iter().for_each(|line| heap.free(line, 1));
    }
}

/// If this fails, a runtime that frees a node twice hands one line to two owners instead of stopping.
#[test]
fn freeing_what_is_not_allocated_panics_and_frees_nothing() {
    let heap = heap(3);
    let mut streams = Streams::default();
    let line = alloc(&heap, &mut streams, 700).expect("two blocks");
    let foreign = [
        (Line(line.0 + 690), 11),
        (Line(START / LINE_BYTES - 1), 1),
        (Line(0), 1),
        (Line(START / LINE_BYTES + 3 * 512), 1),
        (Line(u64::MAX), 2),
    ];
    for (line, lines) in foreign {
        let freed = std::panic::catch_unwind(|| heap.free(line, lines));
        assert!(freed.is_err(), "{line:?}");
    }
    assert_eq!(heap.used_lines(), 700);
    heap.free(Line(line.0 + 100), 600);
    heap.free(line, 100);
    assert!(std::panic::catch_unwind(|| heap.free(line, 1)).is_err(), "a double free");
    assert_eq!(heap.usage().empty_blocks, 3);
}

/// If this fails, recovery or a clean reopening loses nodes or leaks lines.
#[test]
fn what_was_marked_or_loaded_is_what_was_allocated() {
    let original = heap(9);
    let mut streams = Streams::default();
    let mut dice = Dice(9);
    let mut live: Vec<(Line, u32)> = [1, 5, 700, 64, 1300]
        .into_iter()
        .cycle()
        .map_while(|lines| Some((alloc(&original, &mut streams, lines)?, lines)))
        .collect();
    live.retain(|(line, lines)| {
        let keep = dice.below(2) == 0;
        if !keep {
            original.free(*line, *lines);
        }
        keep
    });
    original.release(&mut streams);
    let saved = original.save();
    assert_eq!(saved.len(), 9 * 64);

    let mut marked = heap(9);
    let marking = marked.begin_marking();
    thread::scope(|scope| {
        for half in live.chunks(live.len().div_ceil(2)) {
            let marking = &marking;
            scope.spawn(move || {
                half.iter().for_each(|(line, lines)| marking.mark(*line, *lines).expect("no overlap"))
            });
        }
    });
    marking.finish();
    let mut loaded = heap(9);
    loaded.load(&saved).expect("the length is right");
    for copy in [&marked, &loaded] {
        assert_eq!(copy.save(), saved);
        assert_eq!(copy.usage(), original.usage());
        live.iter().for_each(|(line, lines)| copy.free(*line, *lines));
        assert_eq!(copy.usage().empty_blocks, 9);
    }

    let mut shorter = heap(8);
    let refused = shorter.load(&saved);
    assert_eq!(refused, Err(BitmapLength { expected_bytes: 8 * 64, found_bytes: 9 * 64 }));
    assert!(shorter.load(&saved[..8 * 64 - 1]).is_err());
    assert_eq!(shorter.usage().empty_blocks, 8, "a refused bitmap has changed the heap");
}

/// If this fails, a pool whose nodes overlap is opened as if nothing were wrong.
#[test]
fn marking_a_line_twice_or_outside_is_an_error() {
    let mut heap = heap(2);
    let first = START / LINE_BYTES;
    let marking = heap.begin_marking();
    marking.mark(Line(first + 100), 500).expect("nothing is marked");
    let overlap = marking.mark(Line(first + 90), 11);
    assert_eq!(
        overlap,
        Err(MarkError::Overlap { offset_bytes: START + 90 * 64, lines: 11, taken_bytes: START + 100 * 64 })
    );
    for (line, lines) in [(0, 1), (first + 1023, 2), (first - 1, 1), (u64::MAX, 1), (u64::MAX, u32::MAX)] {
        assert!(matches!(marking.mark(Line(line), lines), Err(MarkError::Outside { .. })), "{line}");
    }
    // Of threads that meet at one node exactly one is the first.
    let firsts = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for line in (700..1000).step_by(3) {
                    if marking.mark(Line(first + line), 3).is_ok() {
                        *firsts.lock().expect("no panic") += 1;
                    }
                }
            });
        }
    });
    assert_eq!(firsts.into_inner().expect("no panic"), 100);
    marking.finish();
}

/// If this fails, threads that allocate and free beside each other lose lines or share them.
#[test]
fn threads_that_free_each_others_lines_lose_none() {
    const THREADS: usize = 4;
    let heap = heap(24);
    let names: Vec<std::sync::atomic::AtomicU32> = (0..24 * 512).map(|_| 0.into()).collect();
    let exchange: Mutex<Vec<(Line, u32)>> = Mutex::default();
    thread::scope(|scope| {
        for name in 1..=THREADS as u32 {
            let (heap, names, exchange) = (&heap, &names, &exchange);
            scope.spawn(move || {
                let mut streams = Streams::default();
                let mut dice = Dice(u64::from(name));
                let claim = |line: Line, lines: u32, from: u32, to: u32| {
                    for cell in &names[Model::index(line)..][..lines as usize] {
                        assert_eq!(cell.swap(to, std::sync::atomic::Ordering::Relaxed), from, "two owners");
                    }
                };
                for _ in 0..40_000 {
                    let lines = if dice.below(500) == 0 { 600 } else { 1 + dice.below(6) as u32 };
                    let stream = if dice.below(2) == 0 { Stream::Leaf } else { Stream::Inner };
                    let effort = if dice.below(4) == 0 { Effort::Desperate } else { Effort::Normal };
                    if let Some(line) = heap.alloc(&mut streams, stream, lines, effort) {
                        claim(line, lines, 0, name);
                        claim(line, lines, name, u32::MAX);
                        exchange.lock().expect("no panic").push((line, lines));
                    }
                    let other = {
                        let mut exchange = exchange.lock().expect("no panic");
                        let at = dice.below(exchange.len().max(1) as u64) as usize;
                        (exchange.len() > 900).then(|| exchange.swap_remove(at))
                    };
                    if let Some((line, lines)) = other {
                        claim(line, lines, u32::MAX, 0);
                        heap.free(line, lines);
                    }
                }
                heap.release(&mut streams);
            });
        }
    });
    let rest = exchange.into_inner().expect("no panic");
    assert_eq!(heap.used_lines(), rest.iter().map(|(_, lines)| u64::from(*lines)).sum::<u64>());
    rest.into_iter().for_each(|(line, lines)| heap.free(line, lines));
    assert_eq!(heap.usage(), Usage { total_lines: 24 * 512, empty_blocks: 24, ..Usage::default() });
}

/// If this fails, a large reservation costs DRAM before it is used, or the tables end before the reservation does.
#[test]
fn the_heap_grows_to_its_reservation() {
    let end = START + (64 << 30);
    let heap = Heap::new(START, START + BLOCK_BYTES + 1, end);
    assert_eq!(heap.total_lines(), 512, "the part of a block is not used");
    let mut streams = Streams::default();
    assert!(alloc(&heap, &mut streams, 513).is_none());
    heap.extend(START + 4000 * BLOCK_BYTES);
    let line = alloc(&heap, &mut streams, 3999 * 512).expect("an extended heap");
    assert!(heap.is_allocated(Line(line.0 + 3999 * 512 - 1)));
    assert_eq!(heap.used_lines(), 3999 * 512);
    heap.extend(end);
    assert_eq!(heap.total_lines(), (64 << 30) / LINE_BYTES);
    assert!(std::panic::catch_unwind(|| heap.extend(end + BLOCK_BYTES)).is_err());
}
