//! A writer: its ring, its allocation streams, and the nodes that wait to be reused.
//!
//! A node that a section made unreachable is retired, not freed: older versions still reach it. When both the watermark
//! and every pinned section have reached its ticket, no version that anyone can read or recover does, and its count is
//! given back; a node without counts gives back those of its children, one after the other, without recursion.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use super::{Core, Ring};
use crate::error::GrowError;
use crate::fase_error::FaseFault;
use crate::heap::{BLOCK_BYTES, Effort, LINE_BYTES, Line, Stream, Streams};
use crate::hw::Pace;
use crate::mutants::{Mutant, planted};
use crate::persist::{NodeHeader, NodeType, Tracer};
use crate::section::Timestamp;

/// Nodes retired before a commit runs a checkpoint: amortises its fence over about as many sections' garbage.
const RETIRED_MAX: usize = 4096;
/// Nodes that one commit reclaims at most, so that dropping a large structure does not stall the section that did it.
const RECLAIM_BATCH: usize = 8192;
/// How soon a writer tidies up on a medium that has no wish of its own.
const PACE: Pace = Pace { retired_nodes: RETIRED_MAX, reclaimed_nodes: RECLAIM_BATCH };
/// The pool grows by its own length, within these bounds.
const GROWTH_MIN_BYTES: u64 = 256 << 10;
const GROWTH_MAX_BYTES: u64 = 64 << 20;
/// Retained nodes at which a warning is given, and again at each doubling.
const WARN_RETAINED: usize = 1 << 20;

/// A node that waits for a ticket to be settled everywhere.
#[derive(Clone, Copy, Debug)]
struct Retired {
    ticket: Timestamp,
    address: u64,
    /// Whether the node's contents live on elsewhere, so that only its lines are given back.
    is_shell: bool,
}

#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) ring: Ring,
    pub(crate) streams: Streams,
    /// The checkpoint slot that does not hold the newest checkpoint.
    pub(crate) next_slot: u64,
    pub(crate) retired_since_checkpoint: usize,
    /// In the order of tickets.
    retired: VecDeque<Retired>,
    /// Nodes without counts, reachable by nobody, still to be freed.
    unreachable: Vec<u64>,
    warned_at: usize,
}

impl Writer {
    pub(crate) fn new(ring: Ring, streams: Streams, next_slot: u64) -> Self {
        Writer {
            ring,
            streams,
            next_slot,
            retired_since_checkpoint: 0,
            retired: VecDeque::new(),
            unreachable: Vec::new(),
            warned_at: WARN_RETAINED,
        }
    }

    /// Nodes that wait to be reused.
    pub(crate) fn retained(&self) -> usize {
        self.retired.len() + self.unreachable.len()
    }

    /// Queues what a committed section moved out of and gave back.
    pub(crate) fn retire(&mut self, core: &Core, ticket: Timestamp, moved: &[u64], released: &[u64]) {
        let shells = moved.iter().map(|&address| Retired { ticket, address, is_shell: true });
        let counts = released.iter().map(|&address| Retired { ticket, address, is_shell: false });
        self.retired.extend(shells.chain(counts));
        self.retired_since_checkpoint += moved.len() + released.len();
        core.tally.retired.add((moved.len() + released.len()) as u64);
    }

    /// What is due after a commit: a checkpoint when enough waits for one, and a bounded share of reclamation.
    pub(crate) fn upkeep(&mut self, core: &Core) -> Result<(), FaseFault> {
        let pace = core.file.medium().pace().unwrap_or(PACE);
        if self.ring.is_half_full() || self.retired_since_checkpoint >= pace.retired_nodes {
            self.checkpoint(core)?;
            self.reclaim(core, pace.reclaimed_nodes);
            self.warn_if_held_back(core);
        } else if !self.unreachable.is_empty()
            || planted(Mutant::ReuseAtOnce)
            || planted(Mutant::ReuseBeforeCheckpoint)
        {
            self.reclaim(core, pace.reclaimed_nodes);
        }
        Ok(())
    }

    /// Frees up to `batch` nodes that no version anyone can read or recover reaches.
    pub(crate) fn reclaim(&mut self, core: &Core, batch: usize) {
        let watermark = core.watermark();
        // The watermark was durable before this look at the pins: a pin that comes later is not below it.
        let settled = core.pins.bound(watermark);
        // SAFETY: `bound` gives such a bound, and the holder of the writer is the only one to trim.
        unsafe { core.root.trim(settled) };
        let settled = reusable(core, settled);
        let mut freed = 0;
        let mut children = Vec::new();
        while freed < batch {
            if let Some(address) = self.unreachable.pop() {
                self.free_unreachable(core, address, &mut children);
                freed += 1;
                continue;
            }
            let Some(next) = self.retired.front().copied().filter(|retired| retired.ticket <= settled) else {
                break;
            };
            self.retired.pop_front();
            if next.is_shell {
                free_lines(core, next.address);
                freed += 1;
            } else {
                self.give_back(core, next.address);
            }
        }
        core.tally.reclaimed.add(freed as u64);
    }

    /// Gives back one count of the node at `address`, which no version reaches through the owner that had it.
    fn give_back(&mut self, core: &Core, address: u64) {
        // SAFETY: the count that is given back kept the node allocated.
        let header = unsafe { NodeHeader::at(address) };
        // Relaxed: the watermark and the pins have ordered every use through this owner before.
        let owners = header.refcount.fetch_sub(1, Ordering::Relaxed);
        if owners == 1 || (owners == 2 && planted(Mutant::FreedWhileReferenced)) {
            self.unreachable.push(address);
        } else {
            core.note_recounted(&[address]);
        }
    }

    fn free_unreachable(&mut self, core: &Core, address: u64, children: &mut Vec<(u64, &'static NodeType)>) {
        // SAFETY: the node has no owner any more and is freed below, once.
        let header = unsafe { NodeHeader::at(address) };
        let node_type =
            core.registry.get(header.type_id).expect("committed nodes are of types reachable from the root");
        let payload = NodeHeader::payload(address);
        // SAFETY: a committed node's payload is valid for the type in its header, and nobody writes it.
        unsafe { (node_type.trace)(payload, header.len_bytes, &mut Tracer::new(children)) };
        free_lines(core, address);
        for (child, _) in children.drain(..) {
            self.give_back(core, child);
        }
    }

    /// Lines for a node when the heap has none: reclaims, else grows the pool, else searches every hole.
    pub(crate) fn make_room(&mut self, core: &Core, stream: Stream, lines: u32) -> Result<Line, FaseFault> {
        if self.retained() > 0 {
            // One retired node may stand for a structure as large as the pool: only reclaiming tells. It costs a fence
            // where growing costs two, and where it yields little the pool grows, so that it is not soon due again.
            self.checkpoint(core)?;
            self.reclaim(core, usize::MAX);
            let free_lines = core.heap.total_lines() - core.heap.used_lines();
            if free_lines * 8 >= core.heap.total_lines()
                && let Some(line) = core.heap.alloc(&mut self.streams, stream, lines, Effort::Normal)
            {
                return Ok(line);
            }
        }
        let needed = u64::from(lines) * LINE_BYTES;
        let grown = self.grow(core, needed);
        if grown.is_ok()
            && let Some(line) = core.heap.alloc(&mut self.streams, stream, lines, Effort::Normal)
        {
            return Ok(line);
        }
        if core.poison().is_some() {
            return Err(core.poisoned());
        }
        self.checkpoint(core)?;
        self.reclaim(core, usize::MAX);
        match core.heap.alloc(&mut self.streams, stream, lines, Effort::Desperate) {
            Some(line) => Ok(line),
            None => Err(grown.err().unwrap_or_else(|| core.out_of_space(needed, None))),
        }
    }

    /// Grows the pool until so many bytes of lines can be had, however the heap is fragmented.
    pub(crate) fn reserve(&mut self, core: &Core, len_bytes: u64) -> Result<(), FaseFault> {
        // Lines of blocks in use may lie in holes that are too short.
        let free = core.heap.usage().empty_blocks * BLOCK_BYTES;
        match len_bytes.checked_sub(free) {
            None | Some(0) => Ok(()),
            Some(missing) => self.grow(core, missing),
        }
    }

    /// Grows the pool by at least `needed` bytes: by a generous step, else up to the limit, else by what is needed.
    fn grow(&mut self, core: &Core, needed: u64) -> Result<(), FaseFault> {
        let len = core.file.len_bytes();
        let limit = core.limit_bytes / BLOCK_BYTES * BLOCK_BYTES;
        // Whole blocks, side by side, at the heap's end: room for a node of so many bytes, whatever its length.
        let least = needed.checked_next_multiple_of(BLOCK_BYTES).and_then(|needed| len.checked_add(needed));
        let Some(least) = least.filter(|least| *least <= limit) else {
            return Err(core.out_of_space(needed, None));
        };
        let step = len.clamp(GROWTH_MIN_BYTES, GROWTH_MAX_BYTES) / BLOCK_BYTES * BLOCK_BYTES;
        let generous = (len + step).min(limit).max(least);
        let mut reason = None;
        for target in [Some(generous), (least < generous).then_some(least)].into_iter().flatten() {
            core.tally.background_fences.add(2);
            match core.file.grow(target) {
                Ok(len_bytes) => {
                    core.heap.extend(len_bytes);
                    core.tally.growths.add(1);
                    return Ok(());
                }
                Err(GrowError::Io { source, .. }) => return Err(core.fail(&source)),
                Err(other) => reason = Some(other.to_string()),
            }
        }
        Err(core.out_of_space(needed, reason))
    }

    fn warn_if_held_back(&mut self, core: &Core) {
        if self.retained() < self.warned_at {
            return;
        }
        self.warned_at = self.retained() * 2;
        tracing::warn!(
            retained_nodes = self.retained(),
            versions = core.root.len(),
            pins = ?core.pins.report(),
            "a long-lived snapshot holds back the reuse of memory"
        );
    }
}

/// Up to which ticket what was retired may be reused: up to the bound that no version is below.
fn reusable(core: &Core, bound: Timestamp) -> Timestamp {
    if planted(Mutant::ReuseAtOnce) {
        return core.clock.visible();
    }
    if planted(Mutant::ReuseBeforeCheckpoint) || planted(Mutant::SharesBeforeCheckpoint) {
        return core.pins.bound(core.clock.durable());
    }
    if planted(Mutant::ReuseUnderPin) { core.watermark() } else { bound }
}

fn free_lines(core: &Core, address: u64) {
    // SAFETY: a committed node that no version reaches: its header is still whole.
    let len_bytes = unsafe { NodeHeader::at(address) }.len_bytes;
    core.heap.free(core.line(address), NodeHeader::lines(len_bytes));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{RECLAIM_BATCH, RETIRED_MAX};
    use crate::{FaseError, P, Persistent, Pool, persist_fase};

    #[derive(Persistent)]
    #[repr(C)]
    struct Link<'p> {
        value: u64,
        next: Option<P<'p, Link<'p>>>,
    }

    #[derive(Persistent, Default)]
    #[repr(C)]
    struct Root<'p> {
        list: Option<P<'p, Link<'p>>>,
        ticks: u64,
    }

    /// If this failed, a node would be reused while the watermark, and so perhaps the master that recovery starts from, is
    /// still behind the section that retired it: law 4.
    #[test]
    fn nothing_retired_above_the_watermark_leaves_the_queue() {
        let pool = Pool::<Root<'static>>::options().volatile().unwrap();
        persist_fase!(pool, |tx, root| -> Result<(), FaseError> {
            for value in 0..3 * RECLAIM_BATCH as u64 {
                let next = root.list.take();
                root.list = Some(P::new(tx, Link { value, next }));
            }
            Ok(())
        })
        .unwrap();
        let (mut above, mut in_shares) = (0, 0);
        for round in 0..2 * RETIRED_MAX {
            persist_fase!(pool, |_tx, root| -> Result<(), FaseError> {
                root.ticks += 1;
                if root.ticks == 1 {
                    root.list = None;
                }
                Ok(())
            })
            .unwrap();
            let core = pool.core();
            let ticket = core.clock.durable();
            if core.watermark() == ticket {
                continue;
            }
            above += 1;
            // Each section retires a root at least.
            let waiting = core.with_writer(|writer| {
                in_shares += usize::from(!writer.unreachable.is_empty());
                let above = writer.retired.iter().filter(|retired| retired.ticket > core.watermark());
                above.map(|retired| retired.ticket).collect::<BTreeSet<_>>().len() as u64
            });
            assert_eq!(waiting.unwrap(), ticket.0 - core.watermark().0, "after section {round}");
        }
        assert!(
            above > RETIRED_MAX && in_shares > 0,
            "{above} sections above, {in_shares} with shares to come"
        );
    }
}
