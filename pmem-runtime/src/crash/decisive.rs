//! The states that recovery tells apart, tried before all others.
//!
//! Of the many chunks that a crash may leave old or new, recovery asks little: which superblock and which checkpoint is whole,
//! which records are, and whether the nodes of the first record that nobody vouches for are all there. What a hash judges is
//! right or wrong as a whole, so of each such thing three states stand for all: there, not there, torn. And what is not read
//! need not be varied: behind the first record that is not believed no other is looked at, and nodes that no record names are
//! reached by nobody. So branching only on what recovery reads, and there once for each answer (Gorjiara et al., "Jaaru",
//! ASPLOS 2021), is a number of states linear in the records that wait, where the chunks make an exponential one.
//!
//! What is read is told from the log and not from the reads: each superblock, checkpoint and record is one store.

use std::collections::{BTreeMap, BTreeSet};

use super::Random;
use super::geometry::{Geometry, Place};
use crate::commit::Record;
use crate::heap::LINE_BYTES;
use crate::hw::sim::{Action, CHUNK_BYTES, Choices, Event, Replay};

const CHUNKS_PER_LINE: u64 = LINE_BYTES / CHUNK_BYTES as u64;

/// States of the front (superblocks and checkpoints) at one point that are combined with those of the records.
const FRONTS_MAX: usize = 9;

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

/// The states of a point that recovery tells apart, as [`Choices`] of the replay.
pub(super) fn decisive(replay: &Replay, events: &[Event], geometry: &Geometry, random: &mut Random) -> Vec<Choices> {
    let stores = replay.pending_stores();
    let mut fronts = Vec::new();
    let mut records: Vec<Waiting> = Vec::new();
    for event in stores {
        let Action::Store { offset, bytes } = &events[event - 1].action else { continue };
        match geometry.place(*offset) {
            Place::Front | Place::Checkpoint => fronts.push(event),
            Place::Heap => {}
            Place::Ring => {
                let Some(record) = Record::decode(bytes, geometry.salt) else { continue };
                let lines = record.runs.iter().map(|run| run.first_line..run.first_line + u64::from(run.lines));
                let chunks = lines.map(|lines| lines.start * CHUNKS_PER_LINE..lines.end * CHUNKS_PER_LINE);
                let nodes = chunks.flat_map(|chunks| replay.pending_among(chunks)).collect();
                records.push(Waiting { event, ticket: record.ticket.0, nodes });
            }
        }
    }
    records.sort_by_key(|record| record.ticket);
    let mut all = Vec::new();
    for front in front_states(&fronts) {
        let states = record_states(&records).into_iter();
        all.extend(states.map(|records_left| assemble(replay, &front, &records, &records_left, random)));
    }
    all
}

/// Each store to the front there, missing or torn: all combinations of the last two.
fn front_states(fronts: &[usize]) -> Vec<BTreeMap<usize, Left>> {
    let mut states = vec![BTreeMap::new()];
    for event in fronts.iter().rev().take(2) {
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
    states.truncate(FRONTS_MAX);
    states
}

/// What is left of each record and of its nodes.
type RecordsLeft = Vec<(Left, Left)>;

/// For each record the first that is not believed, in each way; those behind it there, or not.
fn record_states(records: &[Waiting]) -> Vec<RecordsLeft> {
    let mut states = vec![vec![(Left::All, Left::All); records.len()]];
    for (index, record) in records.iter().enumerate() {
        let mut ways = vec![(Left::Nothing, Left::All), (Left::Torn, Left::All), (Left::Nothing, Left::Nothing)];
        if !record.nodes.is_empty() {
            ways.extend([(Left::All, Left::Torn), (Left::All, Left::Nothing)]);
        }
        let behind: &[Left] = if index + 1 == records.len() { &[Left::All] } else { &[Left::All, Left::Nothing] };
        for way in ways {
            for behind in behind {
                let mut state = vec![(Left::All, Left::All); index];
                state.push(way);
                state.resize(records.len(), (*behind, *behind));
                states.push(state);
            }
        }
    }
    states
}

fn assemble(
    replay: &Replay,
    front: &BTreeMap<usize, Left>,
    records: &[Waiting],
    records_left: &RecordsLeft,
    random: &mut Random,
) -> Choices {
    let mut lost_events: BTreeMap<usize, Left> =
        front.iter().filter(|(_, left)| **left != Left::All).map(|(event, left)| (*event, *left)).collect();
    let mut lost_chunks: BTreeSet<u64> = BTreeSet::new();
    for (record, (record_left, nodes_left)) in records.iter().zip(records_left) {
        if *record_left != Left::All {
            lost_events.insert(record.event, *record_left);
        }
        match nodes_left {
            Left::All => {}
            Left::Nothing => lost_chunks.extend(&record.nodes),
            Left::Torn => {
                let which = random.below(record.nodes.len() as u64) as usize;
                lost_chunks.extend(record.nodes.iter().nth(which));
            }
        }
    }
    let is_torn = |event: &usize| lost_events.get(event) == Some(&Left::Torn);
    let mut seed = random.bits();
    replay.without(|chunk, event| {
        seed = super::random::mix(seed + 1);
        lost_chunks.contains(&chunk) || (lost_events.contains_key(&event) && (!is_torn(&event) || seed & 1 == 0))
    })
}
