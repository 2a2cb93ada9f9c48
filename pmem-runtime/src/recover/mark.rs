//! Marking: every node that the root reaches, each judged once, by as many threads as one likes.
//!
//! Each worker goes depth first over a stack of its own. A node that is popped was not in the cache, most likely; so
//! popped edges wait in a short queue, their targets prefetched, until the ones before them are done (Cher, Hosking
//! and Vitek, "Software prefetching for mark-sweep garbage collection", ASPLOS 2004).
//!
//! Refcounts are compared, not written. A node that is met once and has a refcount of 1 leaves no note behind: notes
//! are for the first visits of others, and for every visit after the first.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::injector::{Injector, Taken};
use super::{Candidate, Header, Image, MarkError, Referrer, Starts};
use crate::mutants::{Mutant, planted};
use crate::persist::{Edge, Fault, NodeHeader, NodeType, Registry};
use crate::sync::Mutex;

/// Edges whose targets are being prefetched. Measured on a tree of 512 MiB: nodes in random places are marked in two
/// thirds of the time that they take without, nodes in order in up to a third more; the former is what hurts.
const PREFETCH_DEPTH: usize = 16;
/// A worker looks up from its work after so many edges or bytes: to share it, to report, to stop.
const BATCH_EDGES: usize = 1024;
const BATCH_BYTES: u64 = 4 << 20;
/// How often the progress callback is called, at most.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// Stack of a worker. Nothing here recurses over nodes, so it does not depend on the pool.
const WORKER_STACK_BYTES: usize = 256 << 10;
/// Threads worth starting; more would only wait for memory.
const MAX_THREADS: usize = 64;

/// The heap's lines, used or free. Lines are counted from the start of the pool.
pub(crate) trait LineMap: Sync {
    /// Marks lines as used, and says whether none of them was.
    fn mark(&self, first_line: u64, lines: u32) -> bool;
}

/// Whether payloads are compared with the checksums in their headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checksums {
    /// They are.
    Verify,
    /// They are not: for speed, or because a relocation was interrupted.
    Trust,
}

/// How far marking has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Nodes marked.
    pub(crate) nodes: u64,
    /// Bytes of their headers and payloads.
    pub(crate) bytes: u64,
}

/// The graph that was found.
#[derive(Debug)]
pub(crate) struct Marked {
    /// How many nodes.
    pub(crate) nodes: u64,
    /// Bytes of their headers and payloads.
    pub(crate) bytes: u64,
    /// Lines that they occupy.
    pub(crate) lines: u64,
    /// Nodes whose stored refcount is not their in-degree: offset and in-degree, ascending by offset.
    pub(crate) refcount_fixes: Vec<(u64, u32)>,
    /// Nodes with several owners, in no order.
    pub(crate) shared: Vec<u64>,
    /// Where nodes start.
    pub(crate) starts: Starts,
}

/// Everything that marking needs to know.
#[derive(Debug)]
pub(crate) struct Marker<'m, M> {
    /// The pool.
    pub(crate) image: &'m Image<'m>,
    /// Its root's types.
    pub(crate) registry: &'m Registry,
    /// The map to mark lines in: all free at first.
    pub(crate) lines: &'m M,
    /// Whether to verify checksums.
    pub(crate) checksums: Checksums,
    /// How many threads work, the calling one included.
    pub(crate) threads: NonZeroUsize,
}

impl<M: LineMap> Marker<'_, M> {
    /// Marks all that the root node reaches, and leaves the pool unwritten.
    ///
    /// `progress` is called on this thread, at the beginning, then every 50 ms or less often, and at the end. Linear in
    /// the bytes reached; memory is some hundredths of the pool's, or three times it if the pool is all pointers.
    ///
    /// # Errors
    /// The first damage met, [`MarkError::OwnedRoot`] if there is no other, [`MarkError::Aborted`] if `progress` asked for it. Lines may have been marked then.
    pub(crate) fn mark(
        &self,
        root: u64,
        progress: &mut dyn FnMut(Seen) -> ControlFlow<()>,
    ) -> Result<Marked, MarkError> {
        let threads = self.threads.get().min(MAX_THREADS);
        let first = Edge { slot: ROOT_SLOT, target: root, target_type: self.registry.root() };
        let run = Run {
            marker: self,
            starts: Starts::new(self.image.space().heap),
            injector: Injector::new(threads, vec![first]),
            seen: Mutex::new(Seen::default()),
            fault: Mutex::new(None),
        };
        if progress(Seen::default()).is_break() {
            return Err(MarkError::Aborted);
        }
        let mut found = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .filter_map(|_| {
                    let builder = std::thread::Builder::new().stack_size(WORKER_STACK_BYTES);
                    let helper =
                        builder.spawn_scoped(scope, || Worker::new(&run).work(|| ControlFlow::Continue(())));
                    // Fewer helpers than asked for are slower and nothing worse.
                    helper.inspect_err(|_| run.injector.leave()).ok()
                })
                .collect();
            let mut reported = Instant::now();
            let mut found = Worker::new(&run).work(|| {
                if reported.elapsed() < PROGRESS_INTERVAL {
                    return ControlFlow::Continue(());
                }
                reported = Instant::now();
                progress(run.seen())
            });
            for helper in helpers {
                match helper.join() {
                    Ok(more) => found.merge(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            found
        });
        let seen = run.seen();
        if let Some(fault) = run.fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(fault);
        }
        if progress(seen).is_break() {
            return Err(MarkError::Aborted);
        }
        if let Some(&owners) = found.more.get(&root) {
            return Err(MarkError::OwnedRoot { offset: root, found: owners });
        }
        let shared = found.more.keys().copied().collect();
        let refcount_fixes = found.take_fixes()?;
        Ok(Marked {
            nodes: seen.nodes,
            bytes: seen.bytes,
            lines: found.lines,
            refcount_fixes,
            shared,
            starts: run.starts,
        })
    }
}

/// The slot of the one edge that comes from no node: no slot of an image has this address.
const ROOT_SLOT: u64 = 0;

/// What the workers of one marking share.
struct Run<'r, M> {
    marker: &'r Marker<'r, M>,
    starts: Starts,
    injector: Injector<Edge>,
    seen: Mutex<Seen>,
    fault: Mutex<Option<MarkError>>,
}

impl<M> Run<'_, M> {
    fn seen(&self) -> Seen {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run. The first fault is the one reported.
    fn fail(&self, fault: MarkError) {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
        self.injector.stop();
    }

    fn referrer(&self, edge: &Edge) -> Referrer {
        let image = self.marker.image;
        let Some(offset) = image.offset_of(edge.slot).filter(|_| edge.slot != ROOT_SLOT) else {
            return Referrer::Root;
        };
        let node = self.starts.preceding(offset).unwrap_or(offset);
        let node_type = image.header(node).and_then(|header| self.marker.registry.get(header.type_id));
        let type_name = node_type.map_or_else(|| "node".to_owned(), NodeType::name);
        Referrer::Slot { offset, node, type_name }
    }

    #[cold]
    fn outside(&self, edge: &Edge) -> MarkError {
        let (heap_start, heap_end) = self.marker.image.space().heap;
        MarkError::Outside { offset: edge.target, referrer: self.referrer(edge), heap_start, heap_end }
    }

    #[cold]
    fn wrong_type(&self, edge: &Edge, header: &Header) -> MarkError {
        MarkError::WrongType {
            offset: edge.target,
            referrer: self.referrer(edge),
            expected: edge.target_type.name(),
            found: header.type_id,
            found_name: self.marker.registry.get(header.type_id).map(NodeType::name),
        }
    }

    #[cold]
    fn bad_length(&self, edge: &Edge, header: &Header) -> MarkError {
        MarkError::BadLength {
            offset: edge.target,
            type_name: edge.target_type.name(),
            found: header.len_bytes,
            min_bytes: edge.target_type.len_min_bytes,
            step_bytes: edge.target_type.len_step_bytes,
            room_bytes: self.marker.image.room_bytes(edge.target),
        }
    }

    #[cold]
    fn overlap(&self, edge: &Edge, node: &Candidate<'_>) -> MarkError {
        MarkError::Overlap {
            offset: node.offset,
            type_name: node.node_type.name(),
            lines: node.lines(),
            referrer: self.referrer(edge),
        }
    }
}

/// The error for a payload that its type does not allow.
#[cold]
pub(super) fn damaged(image: &Image<'_>, node: &Candidate<'_>, fault: &Fault) -> MarkError {
    MarkError::Damaged {
        offset: image.offset_of(fault.at).unwrap_or(node.offset),
        node: node.offset,
        type_name: node.node_type.name(),
        expected: fault.expected,
        found: fault.found,
    }
}

/// What one worker noted, in the end what all did.
#[derive(Debug, Default)]
struct Found {
    lines: u64,
    /// Nodes whose first visit found another refcount than 1, and which.
    unusual: Vec<(u64, u32)>,
    /// Visits after the first.
    more: HashMap<u64, u64>,
}

impl Found {
    fn merge(&mut self, mut other: Found) {
        self.lines += other.lines;
        self.unusual.append(&mut other.unusual);
        if self.more.len() < other.more.len() {
            std::mem::swap(&mut self.more, &mut other.more);
        }
        for (offset, visits) in other.more {
            *self.more.entry(offset).or_default() += visits;
        }
    }

    fn take_fixes(&mut self) -> Result<Vec<(u64, u32)>, MarkError> {
        const LIMIT: u32 = NodeHeader::FRESH - 1;
        let unusual = std::mem::take(&mut self.unusual);
        let mut fixes = Vec::new();
        let mut compare = |offset: u64, stored: u32, more: u64| {
            let found = 1 + more;
            let Ok(in_degree @ ..=LIMIT) = u32::try_from(found) else {
                return Err(MarkError::TooManyOwners { offset, found, limit: LIMIT });
            };
            if in_degree != stored {
                fixes.push((offset, in_degree));
            }
            Ok(())
        };
        for (offset, stored) in unusual {
            compare(offset, stored, self.more.remove(&offset).unwrap_or(0))?;
        }
        for (offset, more) in self.more.drain() {
            compare(offset, 1, more)?;
        }
        fixes.sort_unstable();
        Ok(fixes)
    }
}

struct Worker<'r, M> {
    run: &'r Run<'r, M>,
    stack: Vec<Edge>,
    /// Edges off the stack, their targets on the way to the cache.
    coming: VecDeque<Edge>,
    seen: Seen,
    found: Found,
}

impl<'r, M: LineMap> Worker<'r, M> {
    fn new(run: &'r Run<'r, M>) -> Self {
        Worker {
            run,
            stack: Vec::new(),
            coming: VecDeque::with_capacity(PREFETCH_DEPTH),
            seen: Seen::default(),
            found: Found::default(),
        }
    }

    /// Works until nobody has work, looking up between batches.
    fn work(mut self, mut look_up: impl FnMut() -> ControlFlow<()>) -> Found {
        let stop_on_panic = StopOnPanic(&self.run.injector);
        while !self.run.injector.is_over() {
            if look_up().is_break() {
                self.run.fail(MarkError::Aborted);
                break;
            }
            if let Err(fault) = self.batch() {
                self.run.fail(fault);
                break;
            }
            if !self.stack.is_empty() || !self.coming.is_empty() {
                self.share();
                continue;
            }
            if let Taken::Batch(edges) = self.run.injector.take(PROGRESS_INTERVAL) {
                self.stack = edges;
            }
        }
        drop(stop_on_panic);
        self.found
    }

    /// Gives the older half of the stack away, which has the larger subgraphs, if somebody waits for it.
    fn share(&mut self) {
        if self.stack.len() >= 2 && self.run.injector.is_hungry() {
            let younger = self.stack.split_off(self.stack.len() / 2);
            self.run.injector.give(std::mem::replace(&mut self.stack, younger));
        }
    }

    fn batch(&mut self) -> Result<(), MarkError> {
        for _ in 0..BATCH_EDGES {
            let Some(edge) = self.next() else { break };
            self.visit(edge)?;
            if self.seen.bytes >= BATCH_BYTES {
                break;
            }
        }
        let mine = std::mem::take(&mut self.seen);
        let mut seen = self.run.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.nodes += mine.nodes;
        seen.bytes += mine.bytes;
        Ok(())
    }

    fn next(&mut self) -> Option<Edge> {
        while self.coming.len() < PREFETCH_DEPTH {
            let Some(edge) = self.stack.pop() else { break };
            prefetch(self.run.marker.image.at(edge.target));
            self.coming.push_back(edge);
        }
        self.coming.pop_front()
    }

    fn visit(&mut self, edge: Edge) -> Result<(), MarkError> {
        let (run, marker) = (self.run, self.run.marker);
        let Some(header) = marker.image.header(edge.target) else {
            return Err(run.outside(&edge));
        };
        if header.type_id != edge.target_type.id && !planted(Mutant::NodeTypeIgnored) {
            return Err(run.wrong_type(&edge, &header));
        }
        let Some(node) = marker.image.candidate(edge.target, header, edge.target_type) else {
            return Err(run.bad_length(&edge, &header));
        };
        if !run.starts.insert(node.offset) {
            *self.found.more.entry(node.offset).or_default() +=
                u64::from(!planted(Mutant::SharedChildCountedOnce));
            return Ok(());
        }
        if !marker.lines.mark(node.first_line(), node.lines()) && !planted(Mutant::OverlapIgnored) {
            return Err(run.overlap(&edge, &node));
        }
        let judged = node.judge(&mut self.stack).map_err(|fault| damaged(marker.image, &node, &fault))?;
        if marker.checksums == Checksums::Verify && !planted(Mutant::NodeChecksumIgnored) {
            let computed = judged.checksum();
            if computed != header.crc32c {
                let type_name = node.node_type.name();
                return Err(MarkError::Checksum {
                    offset: node.offset,
                    type_name,
                    stored: header.crc32c,
                    computed,
                });
            }
        }
        let refcount = node.refcount();
        if refcount != 1 {
            self.found.unusual.push((node.offset, refcount));
        }
        self.found.lines += u64::from(node.lines());
        self.seen.nodes += 1;
        self.seen.bytes += node.len_bytes();
        Ok(())
    }
}

/// Lets the other workers end if this one dies, so that the panic is seen and not waited for.
struct StopOnPanic<'s>(&'s Injector<Edge>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn prefetch(at: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint; the processor ignores it for addresses that are not mapped.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
}

/// Stable Rust has no prefetch for other processors.
#[cfg(not(target_arch = "x86_64"))]
fn prefetch(_at: *const u8) {}
