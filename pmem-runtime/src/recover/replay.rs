//! Which version the medium holds: the newest checkpoint, and the commit records after it that may be believed.
//!
//! **Rule.** Records count in the order of their tickets, without a gap. A record is believed without looking if some
//! record claims that everything up to its ticket was durable when it was written (the claim was made after the fence);
//! else it must prove itself: a `Hashed` one by the hash over the nodes that it names, a `Fenced` one by being there.
//! The first record that is missing or cannot prove itself ends the version; those after it were never acknowledged.
//!
//! **The unclaimed.** What is read is not for that reason durable: a process that was killed leaves its stores in caches, and
//! only the next loss of power takes them. So recovery writes back the nodes of records that proved themselves before
//! it acts on them; a claimed record's are durable, as the claim says, and a `Fenced` one's, as its kind says.
//!
//! **The rejected.** The watermark that recovery writes passes every ticket seen, so that a record rejected now is not
//! taken for a member of the next run's sequence.
//!
//! **Time.** Any line may be the beginning of a record, of any length, so an enemy's ring could be read as many times as it
//! has lines; and records may name the same lines over and over. Neither happens in what writers leave: beginnings that
//! are none are rare, and above the durable horizon no line is reused. So both are bounded (`FALSE_READS_MAX`,
//! `Unproved`), and replay is linear in the pool whatever it holds.
//!
//! Everything here reads a byte slice and trusts nothing in it.

use crate::commit::{
    CHECKPOINT_SLOT_BYTES, CheckpointSlot, MASTER_SLOTS, NodesHash, Record, RecordKind, Run,
};
use crate::heap::LINE_BYTES;
use crate::mutants::{Mutant, planted};
use crate::persist::{Registry, Space};
use crate::section::Timestamp;

use super::Image;

/// How often a ring's length may be read in beginnings of records that prove to be none.
const FALSE_READS_MAX: usize = 64;

/// Where the pool keeps what replay reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplayLayout {
    pub(crate) checkpoint_offset: u64,
    pub(crate) rings_offset: u64,
    pub(crate) ring_count: u64,
    pub(crate) ring_bytes: u64,
    pub(crate) salt: u64,
}

impl ReplayLayout {
    /// Where a checkpoint's slot is.
    fn slot_offset(&self, slot: u64) -> u64 {
        self.checkpoint_offset + slot * CHECKPOINT_SLOT_BYTES as u64
    }
}

/// The version that the medium holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replayed {
    /// Offset of the root node.
    pub(crate) root: u64,
    /// The watermark of the checkpoint found.
    pub(crate) checkpointed: Timestamp,
    /// The largest ticket seen, believed or not: the watermark to go on from.
    pub(crate) watermark: Timestamp,
    /// The checkpoint slot that holds the newest checkpoint.
    pub(crate) slot: u64,
    /// Records believed.
    pub(crate) replayed: u64,
    /// Records whose sections never happened.
    pub(crate) rejected: u64,
    /// Lines of the records that were believed by their hash: they are readable, and perhaps not durable.
    pub(crate) unclaimed: Vec<Run>,
}

/// Why no version can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Neither checkpoint slot holds a checkpoint.
    #[error("offset {offset:#x}: both checkpoint slots are damaged; restore the pool from a backup")]
    NoCheckpoint {
        /// Where the first slot is.
        offset: u64,
    },
    /// A commit that was durable has left no record, so the newest version cannot be told from an older one.
    #[error(
        "the record of ticket {ticket} is missing although later records say that it was durable (checkpoint at \
         {checkpointed}); the medium lost data after it was synced, restore the pool from a backup"
    )]
    MissingRecord {
        /// The missing one.
        ticket: u64,
        /// The newest checkpoint's watermark.
        checkpointed: u64,
    },
    /// A checkpoint or a record bears a ticket that no pool lives long enough to reach.
    #[error("offset {offset:#x}: ticket {ticket}, expected at most {limit}; restore the pool from a backup")]
    ExcessiveTicket {
        /// Where the checkpoint's slot or the record is.
        offset: u64,
        /// Its watermark or ticket.
        ticket: u64,
        /// The largest that can be gone on from.
        limit: u64,
    },
    /// A ring is full of what begins as a record and is none: writers leave hardly any of it.
    #[error(
        "offset {offset:#x}: the ring holds {false_records} damaged records before this one; restore the pool from a backup"
    )]
    DamagedRing {
        /// Where the last of them is.
        offset: u64,
        /// How many there are up to it.
        false_records: u64,
    },
    /// A whole record begins within another one: no writer leaves that, and which of the two was written is not known.
    #[error("offset {offset:#x}: a record begins within another one; restore the pool from a backup")]
    OverlappingRecords {
        /// Where the inner one is.
        offset: u64,
    },
    /// A record names a cell or a node that cannot be.
    #[error(
        "the record of ticket {ticket} names cell {cell:#x} and node {node:#x}, which this pool cannot hold"
    )]
    BadRecord {
        /// Whose record.
        ticket: u64,
        /// The cell's offset.
        cell: u64,
        /// The node's offset.
        node: u64,
    },
}

/// Finds the version that a pool holds: `front` are its bytes up to the heap, `image` is the whole.
///
/// Complexity: linear in the rings' length and in the bytes of the sections that must prove themselves, which are at most
/// the heap's.
pub(crate) fn replay(
    front: &[u8],
    image: &Image<'_>,
    layout: &ReplayLayout,
    registry: &Registry,
) -> Result<Replayed, ReplayError> {
    let (slot, checkpoint) = newest_checkpoint(front, layout)?;
    judge_ticket(layout.slot_offset(slot), checkpoint.watermark)?;
    let mut records = records_after(front, layout, checkpoint.watermark)?;
    records.sort_by_key(|record| record.ticket);
    let mut durable = records.iter().map(|record| record.settled).max().unwrap_or(checkpoint.watermark);
    if planted(Mutant::FollowerVouches) {
        durable = records.last().map_or(durable, |record| Timestamp(record.ticket.0 - 1));
    }

    let mut unproved = Unproved::new(image, layout.salt, registry);
    let mut root = checkpoint.root;
    let mut last = checkpoint.watermark;
    let mut replayed = 0;
    let mut unclaimed = Vec::new();
    for record in &records {
        let is_next = record.ticket.0 == last.0 + 1;
        let is_claimed = record.ticket <= durable;
        if !is_next || !(is_claimed || unproved.proves_itself(record)) {
            break;
        }
        if !is_claimed {
            unclaimed.extend_from_slice(&record.runs);
        }
        root = root_of(record, image.space())?.unwrap_or(root);
        last = record.ticket;
        replayed += 1;
    }
    if last < durable && !planted(Mutant::MissingRecordServed) {
        return Err(ReplayError::MissingRecord { ticket: last.0 + 1, checkpointed: checkpoint.watermark.0 });
    }
    Ok(Replayed {
        root,
        checkpointed: checkpoint.watermark,
        watermark: passed(&records).max(last),
        slot,
        replayed,
        rejected: records.len() as u64 - replayed,
        unclaimed,
    })
}

/// The largest ticket of the records, rejected ones included.
fn passed(records: &[Record]) -> Timestamp {
    let last = records.last().filter(|_| !planted(Mutant::RejectedNotPassed));
    last.map_or(Timestamp(0), |record| record.ticket)
}

fn newest_checkpoint(front: &[u8], layout: &ReplayLayout) -> Result<(u64, CheckpointSlot), ReplayError> {
    let slots = (0..MASTER_SLOTS).filter_map(|slot| {
        let bytes = front.get(layout.slot_offset(slot) as usize..)?.first_chunk()?;
        Some((slot, CheckpointSlot::decode(bytes, layout.salt)?))
    });
    slots
        .max_by_key(|(_, checkpoint)| checkpoint.watermark)
        .ok_or(ReplayError::NoCheckpoint { offset: layout.checkpoint_offset })
}

fn judge_ticket(offset: u64, ticket: Timestamp) -> Result<(), ReplayError> {
    let limit = Timestamp::LAST_START;
    if ticket <= limit {
        return Ok(());
    }
    Err(ReplayError::ExcessiveTicket { offset, ticket: ticket.0, limit: limit.0 })
}

/// The whole records of all rings with tickets above `watermark`.
fn records_after(
    front: &[u8],
    layout: &ReplayLayout,
    watermark: Timestamp,
) -> Result<Vec<Record>, ReplayError> {
    let mut records = Vec::new();
    for ring in 0..layout.ring_count {
        let start = (layout.rings_offset + ring * layout.ring_bytes) as usize;
        let Some(bytes) = front.get(start..start + layout.ring_bytes as usize) else { continue };
        // Where the last record ends. What begins before is looked at too: a forged record could span others, and hide their
        // tickets until its own lines are reused.
        let mut end = 0;
        let (mut false_records, mut false_lines) = (0, 0);
        for at in (0..bytes.len()).step_by(LINE_BYTES as usize) {
            let offset = (start + at) as u64;
            let Some(record) = Record::decode(&bytes[at..], layout.salt) else {
                if let Some(lines) = Record::extent(&bytes[at..]) {
                    false_records += 1;
                    false_lines += lines;
                }
                if false_lines > FALSE_READS_MAX * (bytes.len() / LINE_BYTES as usize) {
                    return Err(ReplayError::DamagedRing { offset, false_records });
                }
                continue;
            };
            if at < end {
                return Err(ReplayError::OverlappingRecords { offset });
            }
            judge_ticket(offset, record.ticket)?;
            end = at + record.lines() * LINE_BYTES as usize;
            if record.ticket > watermark {
                records.push(record);
            }
        }
    }
    Ok(records)
}

/// The root that the record sets, if it sets one.
fn root_of(record: &Record, space: &Space) -> Result<Option<u64>, ReplayError> {
    let mut root = None;
    for change in &record.cells {
        let is_node = space.resolve(space.bases[0].wrapping_add(change.node)).is_some();
        if change.cell != 0 || !is_node {
            let (cell, node) = (change.cell, change.node);
            return Err(ReplayError::BadRecord { ticket: record.ticket.0, cell, node });
        }
        root = Some(change.node);
    }
    Ok(root)
}

/// What the records that must prove themselves have not named yet.
struct Unproved<'r> {
    image: &'r Image<'r>,
    salt: u64,
    registry: &'r Registry,
    /// Lines of the heap, less those that were named: a line is named once, since it is not reused before the watermark
    /// has passed the record that names it.
    lines: u64,
}

impl<'r> Unproved<'r> {
    fn new(image: &'r Image<'r>, salt: u64, registry: &'r Registry) -> Self {
        let (start, end) = image.space().heap;
        Unproved { image, salt, registry, lines: end.saturating_sub(start) / LINE_BYTES }
    }

    fn proves_itself(&mut self, record: &Record) -> bool {
        match record.kind {
            RecordKind::Fenced => true,
            RecordKind::Hashed if planted(Mutant::NodesUnproved) => true,
            RecordKind::Hashed => {
                let mut hash = NodesHash::new(self.salt);
                let whole = record.runs.iter().all(|run| self.names(*run, &mut hash).is_some());
                whole && hash.finish() == record.nodes_hash
            }
        }
    }

    fn names(&mut self, run: Run, hash: &mut NodesHash) -> Option<()> {
        self.lines = self.lines.checked_sub(u64::from(run.lines))?;
        hash_run(self.image, self.registry, run, hash)
    }
}

/// Feeds the nodes of a run to `hash`; `None` if the run does not consist of whole, valid nodes of known types. An empty
/// run, which may lie anywhere, consists of none.
fn hash_run(image: &Image<'_>, registry: &Registry, run: Run, hash: &mut NodesHash) -> Option<()> {
    let mut offset = run.first_line.checked_mul(LINE_BYTES)?;
    let end = offset.checked_add(u64::from(run.lines) * LINE_BYTES)?;
    if run.lines == 0 {
        return None;
    }
    let mut edges = Vec::new();
    while offset < end {
        let header = image.header(offset)?;
        let node = image.candidate(offset, header, registry.get(header.type_id)?)?;
        edges.clear();
        let node = node.judge(&mut edges).ok()?;
        let checksum = if planted(Mutant::TornNodeAccepted) { header.crc32c } else { node.checksum() };
        // The stored checksum shares no eight bytes with what the hash covers: it may be lost where all else is there.
        if checksum != header.crc32c {
            return None;
        }
        hash.node(offset, header.type_id.0, header.len_bytes, checksum);
        offset += u64::from(node.node().lines()) * LINE_BYTES;
    }
    (offset == end).then_some(())
}
