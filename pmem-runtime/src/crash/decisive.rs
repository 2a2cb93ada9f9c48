//! The states that recovery tells apart, tried before all others.
//!
//! Of the many chunks that a crash may leave old or new, recovery asks little: which superblock and which checkpoint is whole,
//! which records are, and whether the nodes of the first record that nobody vouches for are all there. What a hash judges is
//! right or wrong as a whole, so of each such thing three states stand for all: there, not there, torn. And what is not read
//! need not be varied: behind the first record that is not believed no other is looked at, and nodes that no record names are
//! reached by nobody. So branching only on what recovery reads, and there once for each answer (Gorjiara et al., "Jaaru",
//! ASPLOS 2021), is a number of states quadratic in the records that wait, where the chunks make an exponential one.
//!
//! What is read is told from the log and not from the reads: each superblock, checkpoint and record is one store.

use std::collections::{BTreeMap, BTreeSet};

use super::Random;
use super::geometry::{Geometry, Place};
use crate::commit::Record;
use crate::heap::LINE_BYTES;
use crate::hw::sim::{Action, CHUNK_BYTES, Choices, Event, Replay};

const CHUNKS_PER_LINE: u64 = LINE_BYTES / CHUNK_BYTES as u64;

/// Stores to superblocks and checkpoints that are varied, the newest: all combinations are combined with those of the records.
const FRONTS_MAX: usize = 2;

/// How much of something a crash leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    All,
    Torn,
    Nothing,
}

/// A record that is not durable, and what its hash judges.
struct Waiting {
    /// The event that stored it, counted from 1.
    event: usize,
    ticket: u64,
    /// Chunks of its nodes that are not durable.
    nodes: BTreeSet<u64>,
}

/// The first record that is not believed, and those behind it that are there all the same.
#[derive(Clone, Copy)]
struct Broken {
    index: usize,
    record: Left,
    nodes: Left,
    /// Records behind it are there up to this index, exclusive.
    there_until: usize,
}

/// The states of a point that recovery tells apart: so many that they are spelled out one by one.
pub(super) struct Decisive {
    fronts: Vec<BTreeMap<usize, Left>>,
    records: Vec<Waiting>,
    ways: Vec<Option<Broken>>,
}

impl Decisive {
    /// What can be left after these events.
    pub(super) fn of(replay: &Replay, events: &[Event], geometry: &Geometry) -> Self {
        let mut fronts = Vec::new();
        let mut records: Vec<Waiting> = Vec::new();
        for event in replay.pending_stores() {
            let Action::Store { offset, bytes } = &events[event - 1].action else { continue };
            match geometry.place(*offset) {
                Place::Front | Place::Checkpoint => fronts.push(event),
                Place::Heap => {}
                Place::Ring => {
                    let Some(record) = Record::decode(bytes, geometry.salt) else { continue };
                    let lines =
                        record.runs.iter().map(|run| run.first_line..run.first_line + u64::from(run.lines));
                    let chunks =
                        lines.map(|lines| lines.start * CHUNKS_PER_LINE..lines.end * CHUNKS_PER_LINE);
                    let nodes = chunks.flat_map(|chunks| replay.pending_among(chunks)).collect();
                    records.push(Waiting { event, ticket: record.ticket.0, nodes });
                }
            }
        }
        records.sort_by_key(|record| record.ticket);
        Decisive { fronts: front_states(&fronts), ways: ways(&records), records }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.fronts.len() * self.ways.len()
    }

    /// One of them, as [`Choices`] of the replay that they are of.
    pub(super) fn state(&self, replay: &Replay, index: usize, random: &mut Random) -> Choices {
        let front = &self.fronts[index % self.fronts.len()];
        let mut lost_events: BTreeMap<usize, Left> = front
            .iter()
            .filter(|(_, left)| **left != Left::All)
            .map(|(event, left)| (*event, *left))
            .collect();
        let mut lost_chunks: BTreeSet<u64> = BTreeSet::new();
        if let Some(broken) = self.ways[index / self.fronts.len()] {
            let record = &self.records[broken.index];
            if broken.record != Left::All {
                lost_events.insert(record.event, broken.record);
            }
            match broken.nodes {
                Left::All => {}
                Left::Nothing => lost_chunks.extend(&record.nodes),
                Left::Torn => {
                    let which = random.below(record.nodes.len() as u64) as usize;
                    lost_chunks.extend(record.nodes.iter().nth(which));
                }
            }
            for behind in &self.records[broken.there_until.max(broken.index + 1)..] {
                lost_events.insert(behind.event, Left::Nothing);
            }
        }
        let mut seed = random.bits();
        replay.without(|chunk, event| {
            seed = super::random::mix(seed.wrapping_add(1));
            let left = lost_events.get(&event);
            lost_chunks.contains(&chunk) || left.is_some_and(|left| *left == Left::Nothing || seed & 1 == 0)
        })
    }
}

/// Each store to the front there, missing or torn.
fn front_states(fronts: &[usize]) -> Vec<BTreeMap<usize, Left>> {
    let mut states = vec![BTreeMap::new()];
    for event in fronts.iter().rev().take(FRONTS_MAX) {
        let with = |left: Left, state: &BTreeMap<usize, Left>| {
            let mut state = state.clone();
            state.insert(*event, left);
            state
        };
        states = states
            .iter()
            .flat_map(|state| [Left::All, Left::Torn, Left::Nothing].map(|left| with(left, state)))
            .collect();
    }
    states
}

/// For each record that it is the first that is not believed, in each way, with some of those behind it there, or none.
fn ways(records: &[Waiting]) -> Vec<Option<Broken>> {
    let mut all = vec![None];
    for (index, waiting) in records.iter().enumerate() {
        let mut ways = vec![(Left::Nothing, Left::All), (Left::Torn, Left::All)];
        if !waiting.nodes.is_empty() {
            ways.extend([(Left::All, Left::Torn), (Left::All, Left::Nothing)]);
        }
        for (record, nodes) in ways {
            let untils = index + 1..=records.len();
            all.extend(untils.map(|there_until| Some(Broken { index, record, nodes, there_until })));
        }
    }
    all
}
