//! What can be decided of a log for all its crash states at once.
//!
//! Trying states finds mistakes by luck; some mistakes can be told from the log itself, whichever state a crash would leave.
//! What a crash can make recovery start from is a *version*: the root of the newest durable checkpoint, or of a record with a later
//! ticket. What matters is therefore what these versions reach, and when (PSan, Gorjiara et al., PLDI 2022, asks the same of
//! every read after a crash; here marking says what will be read).
//!
//! **Which versions those are** is told from what each chunk of the checkpoint slots may hold after a crash now
//! ([`oldest_master`]), and from the records in the log; not from what the library takes for durable. The *floor* is the ticket of
//! the oldest checkpoint that a crash may go back to: versions at or above it may be started from, or be on the way from there.
//!
//! **Invariants of a log.**
//! 1. *Nothing else is stored to.* In the heap a store changes a line that was handed out to the section that runs, or the
//!    refcount of a line. (Superblocks, the header page, rings and checkpoints are stored to under rules 4 and 5.)
//! 2. *Publication.* When a record is stored, every line that its version reaches is durable, or named by this record or an
//!    earlier one that is not durable either, so that a hash will judge it. When the record is durable, so is every such line.
//! 3. *Reuse.* When a line is handed out, no version at or above the floor reaches it. The floor never falls, and some checkpoint is
//!    always whole.
//! 4. *Rings.* A record overwrites only records that the floor has passed.
//! 5. *Checkpoints.* A checkpoint names a version of which every line is durable: that of its own ticket, whose record is durable
//!    too; or, while recovering, the one that was found, under a ticket that passes all that recovery saw.
//! 6. *Write-backs.* Between two of its fences a thread writes no line back twice.
//! 7. *Acknowledgement.* When an operation that promises durability returns, or a pool is opened, the record of every section up to
//!    there is durable.
//! 8. *Pins.* When a line is handed out, no snapshot that is held reaches it.
//!
//! A durable line is one of which nothing but a refcount is uncertain. A process that dies has nothing more that it wrote back;
//! what it had stored is no more durable for having been read by the next one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::geometry::{Geometry, Place};
use super::masters::oldest_master;
use super::run::Run;
use super::{Evidence, Model};
use crate::commit::{CheckpointSlot, Record, RecordKind};
use crate::heap::LINE_BYTES;
use crate::hw::sim::{Action, CHUNK_BYTES, Event, Note, Noted, Replay, SimThread};
use crate::persist::{Node, Registry};
use crate::recover::PoolCopy;

const CHUNKS_PER_LINE: u64 = LINE_BYTES / CHUNK_BYTES as u64;

/// What a root reaches, and what says so.
#[derive(Clone)]
struct Version {
    /// Offset of the root node.
    root: u64,
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
    /// The bytes as they are stored now.
    copy: PoolCopy,
    /// Lines handed out to the section that runs.
    fresh: HashSet<u64>,
    versions: BTreeMap<u64, Version>,
    /// By line, the newest version that reaches it.
    reached_by: Vec<Option<u64>>,
    /// Whose record lies in a line of a ring.
    ring: HashMap<u64, u64>,
    /// The ticket of the oldest checkpoint that a crash may go back to.
    floor: u64,
    written_back: HashMap<SimThread, HashSet<u64>>,
    /// The versions that snapshots hold, and their lines.
    pinned: Vec<(u64, HashSet<u64>)>,
    /// Which ticket a section's record bore.
    tickets: BTreeMap<u32, u64>,
    is_recovering: bool,
    evidence: Evidence,
}

/// Watches the log of a run from the end of the creation to the beginning of the close, or to what it has no eyes for.
///
/// # Errors
/// The first invariant that does not hold.
pub(super) fn watch<M: Model>(run: &Run<M>) -> Result<Evidence, String> {
    let registry = Registry::new(<M::Root as Node>::TYPE).map_err(|error| error.to_string())?;
    let until = run.watched_until(registry.has_volatile());
    let mut watch = Watch {
        geometry: &run.geometry,
        registry,
        replay: Replay::new(Vec::new()),
        copy: PoolCopy::default(),
        fresh: HashSet::new(),
        versions: BTreeMap::new(),
        reached_by: Vec::new(),
        ring: HashMap::new(),
        floor: 0,
        written_back: HashMap::new(),
        pinned: Vec::new(),
        tickets: BTreeMap::new(),
        is_recovering: false,
        evidence: Evidence::default(),
    };
    run.events[..run.created_at()].iter().for_each(|event| watch.apply(event));
    watch.start()?;
    let mut latest = None;
    let returns: BTreeMap<usize, (&str, Option<u32>)> = run
        .steps
        .iter()
        .filter_map(|step| {
            latest = latest.max(step.section);
            step.is_durable.then_some((step.until?, (&*step.name, latest)))
        })
        .collect();
    let mut notes = run.notes.iter().filter(|noted| noted.events >= run.created_at()).peekable();
    for (index, event) in run.events.iter().enumerate().take(until).skip(run.created_at()) {
        if run.deaths.iter().any(|death| death.at == index) {
            watch.died();
        }
        while let Some(noted) = notes.next_if(|noted| noted.events <= index) {
            watch.note(noted)?;
        }
        watch.event(event).map_err(|wrong| {
            let (line, section) = (event.source.line, event.source.section);
            format!("{wrong} (event {}, by {line}, in section {section})", index + 1)
        })?;
        if let Some((name, section)) = returns.get(&(index + 1)) {
            watch.returned(name, *section)?;
        }
        if run.deaths.iter().any(|death| death.recovered == index + 1) {
            watch.is_recovering = false;
        }
    }
    Ok(watch.evidence)
}

fn lines_of(offset: u64, len_bytes: u64) -> Range<u64> {
    offset / LINE_BYTES..(offset + len_bytes).div_ceil(LINE_BYTES)
}

impl Watch<'_> {
    fn apply(&mut self, event: &Event) {
        self.replay.apply(event);
        match &event.action {
            Action::Store { offset, bytes } => self.copy.store(*offset, bytes),
            Action::Grown { new_len_bytes } => {
                self.copy.resize(*new_len_bytes);
                self.reached_by.resize((*new_len_bytes).div_ceil(LINE_BYTES) as usize, None);
            }
            _ => {}
        }
    }

    /// The version that the creation left.
    fn start(&mut self) -> Result<(), String> {
        let master = oldest_master(&self.replay, self.geometry)?;
        self.floor = master.watermark.0;
        let lines = self.reach(master.root)?;
        let hashed = HashSet::new();
        self.add_version(self.floor, Version { root: master.root, lines, record: 0..0, hashed });
        Ok(())
    }

    /// The process is gone, with its sections, its write-backs and its snapshots. The next one recovers.
    fn died(&mut self) {
        self.fresh.clear();
        self.written_back.clear();
        self.pinned.clear();
        self.is_recovering = true;
    }

    fn note(&mut self, noted: &Noted) -> Result<(), String> {
        match noted.note {
            // One section at a time writes; what an aborted one was handed is free again.
            Note::SectionStarted { .. } => self.fresh.clear(),
            Note::Allocated { at, lines, by } => {
                for line in lines_of(at, u64::from(lines) * LINE_BYTES) {
                    let wrong = self.handed_out(line);
                    wrong.map_err(|wrong| {
                        let (at, section) = (line * LINE_BYTES, noted.section);
                        format!("early reuse: the line at {at:#x} is handed out to {by} (section {section}), and {wrong}")
                    })?;
                }
            }
            Note::Pinned { version } => {
                let newest = self.versions.range(..=version).next_back();
                let (_, pinned) = newest.ok_or("a snapshot of a version that a crash cannot go back to")?;
                self.pinned.push((version, pinned.lines.iter().copied().collect()));
            }
            Note::Unpinned { version } => {
                let held = self.pinned.iter().position(|(pinned, _)| *pinned == version);
                held.map(|held| self.pinned.swap_remove(held));
            }
        }
        Ok(())
    }

    /// Invariants 3 and 8.
    fn handed_out(&mut self, line: u64) -> Result<(), String> {
        let reached_by = self.reached_by[line as usize];
        if let Some(version) = reached_by.filter(|version| *version >= self.floor) {
            let floor = self.floor;
            return Err(format!(
                "version {version} reaches it, to which a crash may go back: the oldest checkpoint that may be left is {floor}"
            ));
        }
        if let Some((version, _)) = self.pinned.iter().find(|(_, lines)| lines.contains(&line)) {
            return Err(format!("a snapshot of version {version} that is held reaches it"));
        }
        self.evidence.handed_out += 1;
        self.evidence.reuses += u64::from(reached_by.is_some());
        self.evidence.pinned_reuses += u64::from(reached_by.is_some() && !self.pinned.is_empty());
        self.fresh.insert(line);
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        match &event.action {
            Action::Store { offset, bytes } => {
                let place = self.geometry.place(*offset);
                if place == Place::Heap {
                    self.heap_store(*offset, bytes)?;
                }
                self.apply(event);
                match place {
                    Place::Ring => self.record_stored(*offset, bytes, event.source.section)?,
                    Place::Checkpoint => {
                        self.checkpoint_stored(bytes)?;
                        self.raise_floor()?;
                    }
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
                self.apply(event);
            }
            Action::Fence => {
                self.written_back.remove(&event.thread);
                self.apply(event);
                self.fenced()?;
            }
            Action::FenceFailed | Action::GrowStarted { .. } | Action::Grown { .. } => {
                self.written_back.remove(&event.thread);
                self.apply(event);
            }
        }
        Ok(())
    }

    /// Invariant 7, for the records of the sections up to this one, which may have left none itself: another thread's
    /// later ones need not be durable.
    fn returned(&self, name: &str, section: Option<u32>) -> Result<(), String> {
        let last =
            section.and_then(|section| self.tickets.range(..=section).map(|(_, ticket)| *ticket).max());
        let last = last.unwrap_or(0);
        match self.versions.iter().find(|(ticket, version)| **ticket <= last && !version.record.is_empty()) {
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
            if is_refcount || self.copy.byte(at) == *byte || self.fresh.contains(&(at / LINE_BYTES)) {
                continue;
            }
            return Err(format!(
                "a store to the byte at {at:#x}, which is neither of a node of the running section nor of a refcount"
            ));
        }
        Ok(())
    }

    /// Invariants 2, first half, and 4.
    fn record_stored(&mut self, offset: u64, bytes: &[u8], section: u32) -> Result<(), String> {
        let Some(record) = Record::decode(bytes, self.geometry.salt) else {
            return Err(format!("what is stored into the ring at {offset:#x} is no record"));
        };
        let ticket = record.ticket.0;
        self.tickets.insert(section, ticket);
        let place = lines_of(offset, bytes.len() as u64);
        for line in place.clone() {
            if let Some(older) = self.ring.insert(line, ticket).filter(|older| *older > self.floor) {
                return Err(format!(
                    "the record of ticket {ticket} overwrites that of ticket {older}, which the oldest checkpoint that a \
                     crash may leave, {}, has not passed",
                    self.floor
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
        self.add_version(ticket, Version { root: change.node, lines, record: place, hashed });
        Ok(())
    }

    /// Invariant 5.
    fn checkpoint_stored(&mut self, bytes: &[u8]) -> Result<(), String> {
        let slot = bytes.first_chunk().and_then(|slot| CheckpointSlot::decode(slot, self.geometry.salt));
        let Some(slot) = slot else { return Err("what is stored as a checkpoint is none".to_owned()) };
        let ticket = slot.watermark.0;
        let mut named = self.versions.get(&ticket).filter(|version| version.root == slot.root);
        if named.is_none() && self.is_recovering {
            let older = self.versions.range(..ticket).rev().map(|(_, version)| version);
            named = older.into_iter().find(|version| version.root == slot.root);
        }
        let Some(version) = named else {
            return Err(format!("a checkpoint at ticket {ticket}, of which there is no record"));
        };
        if !version.record.is_empty() && !self.is_recovering {
            return Err(format!("a checkpoint at ticket {ticket}, whose record is not durable yet"));
        }
        if let Some(line) = version.lines.iter().find(|line| !self.is_durable(**line)) {
            let at = line * LINE_BYTES;
            return Err(format!(
                "a checkpoint at ticket {ticket}, whose version reaches the line at {at:#x}, which is not durable"
            ));
        }
        // From here on the checkpoint may be what a crash goes back to, without any record.
        let version = Version { record: 0..0, hashed: HashSet::new(), ..version.clone() };
        if self.is_recovering {
            self.add_version(ticket, version);
        }
        Ok(())
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
        self.raise_floor()
    }

    /// Invariant 3, second half.
    fn raise_floor(&mut self) -> Result<(), String> {
        let master = oldest_master(&self.replay, self.geometry)?;
        let (floor, was) = (master.watermark.0, self.floor);
        if floor < was {
            return Err(format!(
                "a crash now may go back to the checkpoint at ticket {floor}, and what the one at {was} settled may be reused"
            ));
        }
        if floor > was {
            self.floor = floor;
            self.versions = self.versions.split_off(&floor);
        }
        Ok(())
    }

    fn add_version(&mut self, ticket: u64, version: Version) {
        for line in &version.lines {
            self.reached_by[*line as usize] = Some(ticket);
        }
        self.versions.insert(ticket, version);
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
    fn reach(&mut self, root: u64) -> Result<Vec<u64>, String> {
        let Geometry { base, heap_offset, .. } = *self.geometry;
        self.copy
            .reachable_lines(base, heap_offset, &self.registry, root)
            .map_err(|error| format!("publication: the version at {root:#x} is damaged: {error}"))
    }
}
