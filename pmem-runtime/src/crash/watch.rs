//! What can be decided of a log for all its crash states at once.
//!
//! Trying states finds mistakes by luck; some mistakes can be told from the log itself, whichever state a crash would leave.
//! What a crash can make recovery start from is a *version*: the root of the newest durable checkpoint, or of a record with a later
//! ticket. What matters is therefore what these versions reach, and when (PSan, Gorjiara et al., PLDI 2022, asks the same of
//! every read after a crash; here marking says what will be read).
//!
//! **Invariants of a log.**
//! 1. *Nothing else is stored to.* In the heap a store changes a line that was handed out to the section that runs, or the
//!    refcount of a line. (Superblocks, the header page, rings and checkpoints are stored to under rules 4 and 5.)
//! 2. *Publication.* When a record is stored, every line that its version reaches is durable, or named by this record or an
//!    earlier one that is not durable either, so that a hash will judge it. When the record is durable, so is every such line.
//! 3. *Reuse.* When a line is handed out, no version that a crash may still go back to reaches it.
//! 4. *Rings.* A record overwrites only records that the durable watermark has passed.
//! 5. *Checkpoints.* A checkpoint names a version whose record is durable.
//! 6. *Write-backs.* Between two of its fences a thread writes no line back twice.
//! 7. *Acknowledgement.* When an operation that promises durability returns, every record is durable.
//!
//! A durable line is one of which nothing but a refcount is uncertain. What a pinned snapshot reads is not in the log: runs
//! hold some and read them again at their end.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::geometry::{Geometry, Place};
use super::run::Run;
use super::{Evidence, Model};
use crate::commit::{CHECKPOINT_SLOT_BYTES, CheckpointSlot, Record, RecordKind};
use crate::heap::LINE_BYTES;
use crate::hw::sim::{Action, CHUNK_BYTES, Event, Note, Noted, Replay, SimThread};
use crate::persist::{Node, Registry};
use crate::recover::reachable_lines;
use crate::section::Timestamp;

const CHUNKS_PER_LINE: u64 = LINE_BYTES / CHUNK_BYTES as u64;

/// What a root reaches, and what says so.
struct Version {
    /// Indices of its lines.
    lines: Vec<u64>,
    /// Lines of its record; empty once that is durable.
    record: Range<u64>,
    /// Lines that its record's hash judges.
    hashed: HashSet<u64>,
}

struct Watch<'r> {
    geometry: &'r Geometry,
    registry: Registry,
    replay: Replay,
    /// Lines handed out to the section that runs.
    fresh: HashSet<u64>,
    versions: BTreeMap<u64, Version>,
    /// The newest version that reaches a line.
    reached_by: HashMap<u64, u64>,
    /// Whose record lies in a line of a ring.
    ring: HashMap<u64, u64>,
    /// The ticket of the newest durable checkpoint.
    watermark: u64,
    written_back: HashMap<SimThread, HashSet<u64>>,
    evidence: Evidence,
}

/// Watches the log of a run from the end of the creation to the beginning of the close.
///
/// # Errors
/// The first invariant that does not hold.
pub(super) fn watch<M: Model>(run: &Run<M>) -> Result<Evidence, String> {
    let registry = Registry::new(<M::Root as Node>::TYPE).map_err(|error| error.to_string())?;
    let mut replay = Replay::new(Vec::new());
    run.events[..run.created_at()].iter().for_each(|event| replay.apply(event));
    let mut watch = Watch {
        geometry: &run.geometry,
        registry,
        replay,
        fresh: HashSet::new(),
        versions: BTreeMap::new(),
        reached_by: HashMap::new(),
        ring: HashMap::new(),
        watermark: 0,
        written_back: HashMap::new(),
        evidence: Evidence::default(),
    };
    watch.start()?;
    let returns: BTreeMap<usize, &str> = run
        .steps
        .iter()
        .filter(|step| step.is_durable)
        .filter_map(|step| Some((step.until?, &*step.name)))
        .collect();
    let mut notes = run.notes.iter().filter(|noted| noted.events >= run.created_at()).peekable();
    for (index, event) in run.events.iter().enumerate().take(run.closing_from).skip(run.created_at()) {
        while let Some(noted) = notes.next_if(|noted| noted.events <= index) {
            watch.note(noted)?;
        }
        watch.event(event).map_err(|wrong| {
            let (line, section) = (event.source.line, event.source.section);
            format!("{wrong} (event {}, by {line}, in section {section})", index + 1)
        })?;
        if let Some(name) = returns.get(&(index + 1)) {
            watch.returned(name)?;
        }
    }
    Ok(watch.evidence)
}

fn lines_of(offset: u64, len_bytes: u64) -> Range<u64> {
    offset / LINE_BYTES..(offset + len_bytes).div_ceil(LINE_BYTES)
}

impl Watch<'_> {
    /// The version that the creation left.
    fn start(&mut self) -> Result<(), String> {
        let checkpoint = self.durable_checkpoint().ok_or("a new pool has no checkpoint")?;
        self.watermark = checkpoint.watermark.0;
        let lines = self.reach(checkpoint.root)?;
        self.add_version(self.watermark, Version { lines, record: 0..0, hashed: HashSet::new() });
        Ok(())
    }

    fn note(&mut self, noted: &Noted) -> Result<(), String> {
        match noted.note {
            // One section at a time writes; what an aborted one was handed is free again.
            Note::SectionStarted { .. } => self.fresh.clear(),
            Note::Allocated { at, lines, by } => {
                for line in lines_of(at, u64::from(lines) * LINE_BYTES) {
                    let version = self.reached_by.get(&line).filter(|version| **version >= self.watermark);
                    if let Some(version) = version {
                        return Err(format!(
                            "early reuse: the line at {:#x} is handed out to {by} (section {}), and version {version} \
                             reaches it, to which a crash may go back: the durable watermark is {}",
                            line * LINE_BYTES,
                            noted.section,
                            self.watermark
                        ));
                    }
                    self.fresh.insert(line);
                    self.evidence.reuses += 1;
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        match &event.action {
            Action::Store { offset, bytes } => {
                let place = self.geometry.place(*offset);
                if place == Place::Heap {
                    self.heap_store(*offset, bytes)?;
                }
                self.replay.apply(event);
                match place {
                    Place::Ring => self.record_stored(*offset, bytes)?,
                    Place::Checkpoint => self.checkpoint_stored(bytes)?,
                    Place::Heap | Place::Front => {}
                }
            }
            Action::WriteBack { offset, len_bytes } => {
                let written = self.written_back.entry(event.thread).or_default();
                for line in lines_of(*offset, *len_bytes) {
                    if !written.insert(line) {
                        let at = line * LINE_BYTES;
                        return Err(format!("the line at {at:#x} is written back twice before one fence"));
                    }
                }
                self.replay.apply(event);
            }
            Action::Fence => {
                self.written_back.remove(&event.thread);
                self.replay.apply(event);
                self.fenced()?;
            }
            Action::FenceFailed | Action::GrowStarted { .. } | Action::Grown { .. } => {
                self.written_back.remove(&event.thread);
                self.replay.apply(event);
            }
        }
        Ok(())
    }

    /// Invariant 7.
    fn returned(&self, name: &str) -> Result<(), String> {
        match self.versions.iter().find(|(_, version)| !version.record.is_empty()) {
            None => Ok(()),
            Some((ticket, _)) => {
                Err(format!("{name} has returned, and the record of ticket {ticket} is not durable"))
            }
        }
    }

    /// Invariant 1.
    fn heap_store(&self, offset: u64, bytes: &[u8]) -> Result<(), String> {
        for (index, byte) in bytes.iter().enumerate() {
            let at = offset + index as u64;
            let is_refcount = at % LINE_BYTES < 4;
            if is_refcount || self.fresh.contains(&(at / LINE_BYTES)) {
                continue;
            }
            let was = self.replay.latest(at / CHUNK_BYTES as u64)[at as usize % CHUNK_BYTES];
            if was != *byte {
                return Err(format!(
                    "a store to the byte at {at:#x}, which is neither of a node of the running section nor of a refcount"
                ));
            }
        }
        Ok(())
    }

    /// Invariants 2, first half, and 4.
    fn record_stored(&mut self, offset: u64, bytes: &[u8]) -> Result<(), String> {
        let Some(record) = Record::decode(bytes, self.geometry.salt) else {
            return Err(format!("what is stored into the ring at {offset:#x} is no record"));
        };
        let ticket = record.ticket.0;
        let place = lines_of(offset, bytes.len() as u64);
        for line in place.clone() {
            if let Some(older) = self.ring.insert(line, ticket).filter(|older| *older > self.watermark) {
                return Err(format!(
                    "the record of ticket {ticket} overwrites that of ticket {older}, which the durable watermark {} has \
                     not passed",
                    self.watermark
                ));
            }
        }
        let Some(change) = record.cells.iter().find(|change| change.cell == 0) else { return Ok(()) };
        let runs = record.runs.iter();
        let hashed: HashSet<u64> =
            runs.flat_map(|run| run.first_line..run.first_line + u64::from(run.lines)).collect();
        if record.kind == RecordKind::Fenced && !hashed.is_empty() {
            return Err(format!("the record of ticket {ticket} is fenced and names runs"));
        }
        let lines = self.reach(change.node)?;
        self.fresh.clear();
        let is_judged = |line: &u64| {
            let waits = |version: &Version| !version.record.is_empty() && version.hashed.contains(line);
            hashed.contains(line) || self.versions.values().any(waits)
        };
        if let Some(line) = lines.iter().find(|line| !self.is_durable(**line) && !is_judged(line)) {
            return Err(format!(
                "publication: the record of ticket {ticket} is stored while the line at {:#x}, which its version reaches, \
                 is neither durable nor named by a record",
                line * LINE_BYTES
            ));
        }
        self.add_version(ticket, Version { lines, record: place, hashed });
        Ok(())
    }

    /// Invariant 5.
    fn checkpoint_stored(&self, bytes: &[u8]) -> Result<(), String> {
        let slot = bytes.first_chunk().and_then(|slot| CheckpointSlot::decode(slot, self.geometry.salt));
        let Some(slot) = slot else { return Err("what is stored as a checkpoint is none".to_owned()) };
        match self.versions.get(&slot.watermark.0) {
            None => Err(format!("a checkpoint at ticket {}, of which there is no record", slot.watermark.0)),
            Some(version) if !version.record.is_empty() => {
                Err(format!("a checkpoint at ticket {}, whose record is not durable yet", slot.watermark.0))
            }
            Some(_) => Ok(()),
        }
    }

    /// Invariant 2, second half; then the checkpoints that the fence made durable.
    fn fenced(&mut self) -> Result<(), String> {
        let now_durable = |version: &Version| {
            !version.record.is_empty() && version.record.clone().all(|line| self.is_durable(line))
        };
        let done: Vec<u64> = self
            .versions
            .iter()
            .filter(|(_, version)| now_durable(version))
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in done {
            let version = &self.versions[&ticket];
            if let Some(line) = version.lines.iter().find(|line| !self.is_durable(**line)) {
                return Err(format!(
                    "publication: the record of ticket {ticket} is durable, and the line at {:#x}, which its version \
                     reaches, is not",
                    line * LINE_BYTES
                ));
            }
            self.evidence.publications += 1;
            self.versions.get_mut(&ticket).expect("just found").record = 0..0;
        }
        if let Some(checkpoint) = self.durable_checkpoint() {
            self.watermark = self.watermark.max(checkpoint.watermark.0);
            self.versions = self.versions.split_off(&self.watermark);
        }
        Ok(())
    }

    fn durable_checkpoint(&self) -> Option<CheckpointSlot> {
        let bytes = &self.replay.durable()
            [self.geometry.checkpoint.start as usize..self.geometry.checkpoint.end as usize];
        let slots = bytes.chunks_exact(CHECKPOINT_SLOT_BYTES).filter_map(|slot| slot.first_chunk());
        let whole = slots.filter_map(|slot| CheckpointSlot::decode(slot, self.geometry.salt));
        whole.max_by_key(|slot: &CheckpointSlot| slot.watermark.0)
    }

    fn add_version(&mut self, ticket: u64, version: Version) {
        for line in &version.lines {
            self.reached_by.insert(*line, ticket);
        }
        self.versions.insert(Timestamp(ticket).0, version);
    }

    /// Whether nothing but a refcount is uncertain in a line.
    fn is_durable(&self, line: u64) -> bool {
        let first = line * CHUNKS_PER_LINE;
        self.replay.pending_among(first..first + CHUNKS_PER_LINE).all(|chunk| {
            let is_header = chunk == first && line * LINE_BYTES >= self.geometry.heap_offset;
            is_header && self.replay.latest(chunk)[4..] == self.replay.durable_chunk(chunk)[4..]
        })
    }

    /// The lines of the nodes that a root reaches, as they are stored now.
    fn reach(&self, root: u64) -> Result<Vec<u64>, String> {
        let image = self.replay.image(crate::hw::sim::Chooser::All);
        reachable_lines(&image, self.geometry.base, self.geometry.heap_offset, &self.registry, root)
            .map_err(|error| format!("publication: the version at {root:#x} is damaged: {error}"))
    }
}
