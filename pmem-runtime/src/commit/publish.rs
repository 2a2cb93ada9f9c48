//! The commit of a section, step by step, and its undoing.

use super::buffer::{WAITING_LINES_MAX, write_back};
use super::record::{CellChange, record_lines};
use super::shadow::{Fresh, State};
use super::{Core, Durability, NodesHash, Record, RecordKind, Run, Writer};
use crate::fase_error::FaseFault;
use crate::heap::LINE_BYTES;
use crate::mutants::{Mutant, planted};
use crate::persist::{NodeHeader, NodeType, payload_checksum};

use std::sync::atomic::Ordering;

/// Largest section that recovery verifies by its hash: 4 MiB, some milliseconds of checksumming after a crash.
const HASHED_LINES_MAX: u64 = 1 << 16;

/// Commits the section: the node at `root` becomes the newest root. Gives the writer back whether or not that succeeds.
pub(crate) fn commit(
    core: &Core,
    mut state: State,
    root: u64,
    durability: Durability,
) -> (Box<Writer>, Result<(), FaseFault>) {
    let finished = finish_nodes(core, &state);
    let cells = [CellChange { cell: 0, node: core.offset(root) }];
    let kind = choose_kind(&finished, state.writer.ring.max_record_lines(), cells.len());
    let runs = if kind == RecordKind::Hashed { finished.runs.as_slice() } else { &[] };
    let lines = record_lines(cells.len(), runs.len());
    if !state.writer.ring.fits(lines)
        && let Err(fault) = state.writer.checkpoint(core)
    {
        return (state.abort(core), Err(fault));
    }

    let ticket = core.clock.ticket();
    let record = Record {
        kind,
        ticket,
        settled: if planted(Mutant::ClaimVisible) { core.clock.visible() } else { core.clock.durable() },
        nodes_hash: finished.hash,
        cells: cells.to_vec(),
        runs: runs.to_vec(),
    };
    let place = state.writer.ring.reserve(ticket, lines);
    let record_run = Run { first_line: place / LINE_BYTES, lines: lines as u32 };
    let result = persist(core, &finished.runs, &record, record_run, durability);
    if let Err(fault) = result {
        core.clock.fail(ticket);
        // What is durable is unknown: the section's nodes may be reachable after a crash, so none is freed.
        return (state.writer, Err(fault));
    }

    core.tally.record_lines.add(lines as u64);
    core.tally.nodes.add(finished.nodes);
    core.tally.bytes.add(finished.bytes);
    core.tally.fases.add(1);
    core.note_recounted(state.shared());
    state.writer.retire(core, ticket, &state.moved, &state.released);
    let mut writer = state.writer;
    // The section is true by now. If upkeep fails, the pool is poisoned, and the next section says so.
    let _ = writer.upkeep(core);
    (writer, Ok(()))
}

/// Steps 1 to 4 of the protocol.
fn persist(
    core: &Core,
    runs: &[Run],
    record: &Record,
    record_run: Run,
    durability: Durability,
) -> Result<(), FaseFault> {
    if record.kind == RecordKind::Fenced {
        write_back(core, runs);
        core.tally.fenced_twice.add(1);
        // The fence that lets the record's existence vouch for the nodes.
        if !planted(Mutant::RecordWithoutProof) && !planted(Mutant::LargeSectionOneFence) {
            core.fence()?;
        }
    }
    if planted(Mutant::FlushBeforeStore) {
        write_back(core, &[record_run]);
    }
    let bytes = record.encode(core.salt);
    // SAFETY: the ring handed out these lines for this record alone (invariant 3 of `commit`).
    unsafe { core.file.medium().store(core.at(record_run.first_line * LINE_BYTES), &bytes) };
    let ticket = record.ticket;
    let root = core.base + record.cells[0].node;

    if durability == Durability::Buffered {
        core.root.push(ticket, root);
        let mut waiting_runs = if record.kind == RecordKind::Fenced { Vec::new() } else { runs.to_vec() };
        waiting_runs.push(record_run);
        if core.buffer.add(core, ticket, &waiting_runs)? > WAITING_LINES_MAX {
            core.buffer.flush(core)?;
        }
        return Ok(());
    }

    if record.kind == RecordKind::Hashed {
        write_back(core, runs);
        if planted(Mutant::LinesWrittenBackTwice) {
            write_back(core, runs);
        }
    }
    if !planted(Mutant::FlushBeforeStore) && !planted(Mutant::RecordNotFlushed) {
        write_back(core, &[record_run]);
    }
    // Sections that wait for a group flush come before this one: they become durable with it, by the same fence.
    let mut waiting = core.buffer.waiting();
    if let Some(waiting) = &waiting
        && !planted(Mutant::WaitingNotFlushed)
    {
        waiting.write_back(core);
    }
    if planted(Mutant::StampBeforeDurable) {
        core.root.push(ticket, root);
        core.clock.complete_through(ticket).map_err(|_| core.poisoned())?;
    }
    // The fence that makes the section true.
    core.fence()?;
    if planted(Mutant::ExtraFence) {
        core.fence()?;
    }
    if !planted(Mutant::StampBeforeDurable) {
        core.root.push(ticket, root);
    }
    if let Some(waiting) = &mut waiting {
        core.buffer.settle(core, waiting)?;
    }
    core.clock.complete(ticket).map_err(|_| core.poisoned())
}

/// The fresh nodes as they will be on the medium.
struct Finished {
    runs: Vec<Run>,
    hash: u64,
    lines: u64,
    nodes: u64,
    bytes: u64,
}

/// Zeroes padding, computes checksums, ends the nodes' freshness, and finds the runs of lines they lie in.
fn finish_nodes(core: &Core, state: &State) -> Finished {
    let mut alive = lasting(core, state);
    alive.sort_unstable_by_key(|fresh| fresh.address);
    let mut hash = NodesHash::new(core.salt);
    let mut runs: Vec<Run> = Vec::new();
    let (mut total, mut bytes) = (0, 0);
    for fresh in &alive {
        // SAFETY: invariant 1 of `shadow`.
        let header = unsafe { NodeHeader::at(fresh.address) };
        let payload = NodeHeader::payload(fresh.address);
        if let Some(scrub) = fresh.node_type.scrub
            && !planted(Mutant::ScrubOmitted)
        {
            // SAFETY: the section's body is over, so no reference to a fresh node is left; its type wrote the payload.
            unsafe { scrub(payload, header.len_bytes) };
        }
        // SAFETY: the payload is initialised: its fields by its type, its padding by `scrub`.
        let crc32c = unsafe { payload_checksum(fresh.node_type, payload, header.len_bytes) };
        // Relaxed: the node is not published yet; publishing orders these stores.
        let owners = header.refcount.load(Ordering::Relaxed) & !NodeHeader::FRESH;
        header.refcount.store(owners, Ordering::Relaxed);
        header.crc32c.store(crc32c, Ordering::Relaxed);
        let offset = core.offset(fresh.address);
        let (first_line, lines) = (offset / LINE_BYTES, NodeHeader::lines(header.len_bytes));
        if planted(Mutant::RootNotHashed) && std::ptr::eq(fresh.node_type, core.root_type) {
            write_back(core, &[Run { first_line, lines }]);
            continue;
        }
        hash.node(offset, header.type_id.0, header.len_bytes, crc32c);
        total += u64::from(lines);
        bytes += NodeHeader::SIZE as u64 + u64::from(header.len_bytes);
        extend_runs(&mut runs, first_line, lines);
    }
    for run in &runs {
        let from = core.at(run.first_line * LINE_BYTES);
        // SAFETY: the nodes' lines are initialised to their ends, and the section's body is over.
        unsafe { core.file.medium().written(from, run.lines as usize * LINE_BYTES as usize) };
    }
    Finished { runs, hash: hash.finish(), lines: total, nodes: alive.len() as u64, bytes }
}

/// The fresh nodes that the section leaves. One whose type the root does not lead to was forgotten by the program, since
/// nothing in the pool can point to it. Recovery does not know its type, so a record that named it would never be believed:
/// it stays where it is until the next open, like all that is forgotten.
fn lasting<'s>(core: &Core, state: &'s State) -> Vec<&'s Fresh> {
    let mut alive: Vec<&Fresh> = state.fresh.iter().filter(|fresh| fresh.is_alive).collect();
    // Neighbours are often of one type: it is looked up once for all of them.
    let mut last: Option<(&NodeType, bool)> = None;
    alive.retain(|fresh| match last {
        Some((node_type, is_known)) if std::ptr::eq(node_type, fresh.node_type) => is_known,
        _ => {
            let is_known = core.registry.get(fresh.node_type.id).is_some();
            last = Some((fresh.node_type, is_known));
            is_known
        }
    });
    alive
}

fn extend_runs(runs: &mut Vec<Run>, first_line: u64, lines: u32) {
    if let Some(last) = runs.last_mut()
        && last.first_line + u64::from(last.lines) == first_line
        && last.lines + lines <= Run::MAX_LINES
    {
        last.lines += lines - u32::from(planted(Mutant::MergedRunDropsLine));
        return;
    }
    runs.push(Run { first_line, lines });
}

fn choose_kind(finished: &Finished, max_record_lines: usize, cells: usize) -> RecordKind {
    let fits = record_lines(cells, finished.runs.len()) <= max_record_lines
        && finished.runs.len() <= usize::from(u16::MAX)
        && finished.lines <= HASHED_LINES_MAX;
    if fits && !planted(Mutant::RecordWithoutProof) { RecordKind::Hashed } else { RecordKind::Fenced }
}

#[cfg(test)]
mod tests {
    use crate::{FaseError, P, Persistent, Pool, persist_fase};

    /// Three bytes of padding at offset 1, and seven at 17.
    #[derive(Persistent)]
    #[repr(C)]
    struct Padded {
        first: u8,
        second: u32,
        third: u64,
        fourth: u8,
    }

    /// If this failed, what a program left in the padding of a value that it edited in place would be on the medium.
    #[test]
    fn padding_that_a_section_dirtied_in_place_is_zero_when_it_has_committed() {
        let value = || Padded { first: 1, second: 2, third: 3, fourth: 4 };
        let pool = Pool::<P<'static, Padded>>::options().volatile_with(|tx| P::new(tx, value())).unwrap();
        persist_fase!(pool, |tx, root| -> Result<(), FaseError> {
            let bytes = (&raw mut *root.make_mut(tx)).cast::<u8>();
            for offset in (1..4).chain(17..24) {
                // SAFETY: a padding byte of the value, which is borrowed mutably.
                unsafe { bytes.wrapping_add(offset).write(0xAA) };
            }
            Ok(())
        })
        .unwrap();
        let nodes = pool.nodes().unwrap();
        let node = nodes.iter().find(|node| node.type_name == "Padded").unwrap();
        let bytes = pool.node_bytes(node.offset).unwrap();
        let payload = [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(bytes[12..], payload);
        pool.check().unwrap();
    }
}
