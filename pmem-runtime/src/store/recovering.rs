//! The steps of opening: finding the version and its live nodes, then repairing what the crash left.

use std::ops::ControlFlow;
use std::time::Instant;

use super::fault::OpenFault;
use super::settings::Settings;
use crate::commit::{CheckpointSlot, Core, Run, write_back};
use crate::heap::{Heap, Line, Marking};
use crate::mutants::{Mutant, planted};
use crate::persist::{Registry, Space};
use crate::pool::{Access, PoolFile};
use crate::recover::{
    self, Checksums, Image, LineMap, MarkError, Marked, Marker, Moved, Phase, Progress, Recovery,
    ReplayLayout, Replayed, Seen, replay,
};

/// What was found before anything was written.
pub(super) struct Found {
    pub(super) replayed: Replayed,
    /// `None` if a clean close was trusted instead.
    marked: Option<Marked>,
}

impl LineMap for Marking<'_> {
    fn mark(&self, first_line: u64, lines: u32) -> bool {
        Marking::mark(self, Line(first_line), lines).is_ok()
    }
}

/// Finds the version that the file holds, and which of its lines are in use. Writes nothing.
pub(super) fn find(
    file: &PoolFile,
    registry: &Registry,
    settings: &mut Settings,
    report: &mut Recovery,
) -> Result<(Heap, Found), OpenFault> {
    let image = image(file, file.stored_bases());
    let started = Instant::now();
    let superblock = file.superblock();
    let layout = ReplayLayout {
        checkpoint_offset: file.checkpoint_offset(),
        rings_offset: superblock.rings_offset,
        ring_count: superblock.ring_count.into(),
        ring_bytes: superblock.ring_bytes,
        salt: file.salt(),
    };
    // SAFETY: the bytes before the heap are mapped, and nobody writes them before the pool is open.
    let front = unsafe { std::slice::from_raw_parts(file.region().at(0), file.heap_offset() as usize) };
    let replayed = replay(front, &image, &layout, registry)
        .map_err(|error| OpenFault::Replay { path: file.path().to_owned(), error })?;
    report.records_replayed = replayed.replayed;
    report.records_rejected = replayed.rejected;
    report.watermark = replayed.watermark.0;
    report.phases.push((Phase::Replay, started.elapsed()));
    let read = replayed.replayed + replayed.rejected;
    if (settings.progress)(Progress::new(Phase::Replay, read, read)).is_break() {
        return Err(damaged(file, MarkError::Aborted));
    }

    let mut heap = Heap::new(file.heap_offset(), file.len_bytes(), file.region().reserve_bytes());
    // Volatile fields are found, and reset, by marking only.
    let may_trust = settings.trust_clean_close && !file.needs_relocation() && !registry.has_volatile();
    if may_trust
        && let Some(bitmap) = file.saved_bitmap()
        && heap.load(&bitmap).is_ok()
    {
        return Ok((heap, Found { replayed, marked: None }));
    }

    let started = Instant::now();
    let marking = heap.begin_marking();
    let marker = Marker {
        image: &image,
        registry,
        lines: &marking,
        // An interrupted relocation leaves checksums of other pointers.
        checksums: if file.is_relocating() { Checksums::Trust } else { settings.checksums },
        threads: settings.threads,
    };
    let total = file.len_bytes() - file.heap_offset();
    let progress = &mut settings.progress;
    let mut forward =
        |seen: Seen| -> ControlFlow<()> { progress(Progress::new(Phase::Mark, seen.bytes, total)) };
    let marked = marker.mark(replayed.root, &mut forward).map_err(|error| damaged(file, error))?;
    if settings.checksums == Checksums::Verify {
        recover::refuse_cycles(&image, registry, &marked).map_err(|error| damaged(file, error))?;
    }
    marking.finish();
    debug_assert_eq!(heap.used_lines(), marked.lines, "reachable is allocated");
    report.nodes = marked.nodes;
    report.live_bytes = marked.bytes;
    report.phases.push((Phase::Mark, started.elapsed()));
    Ok((heap, Found { replayed, marked: Some(marked) }))
}

/// Writes what the crash left to be written. May be interrupted anywhere, and run again.
pub(super) fn repair(core: &Core, found: &Found, report: &mut Recovery) -> Result<(), OpenFault> {
    let file = &core.file;
    let is_ours = file.access() == Access::ReadWrite;
    if is_ours && !planted(Mutant::FoundNotMadeDurable) {
        make_durable(core, &found.replayed.unclaimed)?;
    }
    if is_ours && file.was_closed_cleanly() && !planted(Mutant::CleanMarkLeft) {
        core.note_in_superblock(PoolFile::clear_clean_close)?;
    }
    let started = Instant::now();
    if let Some(marked) = &found.marked
        && file.region().is_writable()
    {
        let image = image(file, file.stored_bases());
        let fixes: &[_] = if planted(Mutant::CountsNotRebuilt) { &[] } else { &marked.refcount_fixes };
        // SAFETY: the mapping is writable, nobody else has the pool yet, and marking this image found the fixes.
        unsafe { recover::fix_refcounts(&image, fixes) };
        report.refcounts_corrected = marked.refcount_fixes.len() as u64;
        core.note_recounted(&marked.refcount_fixes.iter().map(|fix| core.base + fix.0).collect::<Vec<_>>());
        // SAFETY: as above.
        unsafe { recover::reset_volatile(&image, &core.registry, &marked.starts, &**file.medium()) }
            .map_err(|error| damaged(file, error))?;
    }
    let is_behind = found.replayed.watermark > found.replayed.checkpointed;
    if is_ours && is_behind && !planted(Mutant::RecoveryWithoutCheckpoint) {
        let checkpoint = CheckpointSlot { watermark: found.replayed.watermark, root: found.replayed.root };
        core.with_writer(|writer| writer.write_checkpoint(core, checkpoint))??;
    }
    report.phases.push((Phase::Repair, started.elapsed()));
    if let Some(marked) = &found.marked {
        relocate(core, marked, report)?;
    }
    Ok(())
}

/// Makes durable what the version was found by. A process that was killed leaves its stores to be read, and a loss of power
/// still takes them: a checkpoint would name nodes that are gone, lines would be reused on the word of a checkpoint that
/// is gone, and a superblock or a checkpoint would overwrite, torn, the only one that the medium has.
fn make_durable(core: &Core, unclaimed: &[Run]) -> Result<(), OpenFault> {
    core.file.write_back_front();
    write_back(core, unclaimed);
    // The fence before anything is written on the word of what was read.
    Ok(core.background_fence()?)
}

/// Brings every pointer to the base at which the pool is mapped. An interrupted relocation is first brought to its end.
fn relocate(core: &Core, marked: &Marked, report: &mut Recovery) -> Result<(), OpenFault> {
    let file = &core.file;
    let started = Instant::now();
    let [recorded, pending] = file.stored_bases();
    if pending != recorded {
        rewrite(core, marked, [recorded, pending], pending)?;
        core.note_in_superblock(|file| file.finish_relocation(pending))?;
    }
    if pending != core.base {
        if !planted(Mutant::RelocationUnannounced) {
            core.note_in_superblock(|file| file.begin_relocation(core.base))?;
        }
        rewrite(core, marked, [pending, core.base], core.base)?;
        core.note_in_superblock(|file| file.finish_relocation(core.base))?;
    }
    if recorded != core.base || pending != core.base {
        report.moved = Some(Moved { from: recorded, to: core.base });
        report.phases.push((Phase::Relocate, started.elapsed()));
    }
    Ok(())
}

fn rewrite(core: &Core, marked: &Marked, bases: [u64; 2], to: u64) -> Result<(), OpenFault> {
    let image = image(&core.file, bases);
    // SAFETY: a pool that must move is mapped writable, nobody else has it yet, and marking it found the starts.
    unsafe { recover::relocate(&image, &core.registry, &marked.starts, &**core.file.medium(), to) }
        .map_err(|error| damaged(&core.file, error))?;
    if planted(Mutant::RelocationUnfenced) {
        return Ok(());
    }
    // The fence that puts every rewritten pointer on the medium before the superblock calls the old base obsolete.
    Ok(core.background_fence()?)
}

fn damaged(file: &PoolFile, error: MarkError) -> OpenFault {
    OpenFault::Damaged { path: file.path().to_owned(), error: Box::new(error) }
}

fn image(file: &PoolFile, bases: [u64; 2]) -> Image<'_> {
    let space = Space { bases, heap: (file.heap_offset(), file.len_bytes()) };
    // SAFETY: the file is mapped up to its length while it is borrowed; nobody else has the pool before it is open.
    let image = unsafe { Image::new(file.region().at(0), file.len_bytes(), space) };
    // Where they can be written, `repair` resets all volatile fields before anyone has the pool.
    if file.region().is_writable() { image.ignoring_volatile() } else { image }
}
