//! What a running section has made and given up: its private shadow of the pool.
//!
//! # Invariants
//! 1. While `fresh[i]` is alive, it is a node allocated by this section, whose header carries `FRESH` and, in `crc32c`,
//!    the index `i`.
//! 2. No other section, and no version, refers to a fresh node.
//! 3. `moved` nodes were owned once, by this section's shadow; their owners have been bitwise copied to a fresh node or
//!    out to the section, so the nodes are dead shells if the section commits.
//! 4. No user code runs while `state` is borrowed.

use std::cell::{RefCell, RefMut};
use std::panic;
#[cfg(feature = "crash-test")]
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Core, Writer};
use crate::fase_error::FaseFault;
use crate::heap::{Effort, LINE_BYTES, Stream};
#[cfg(feature = "crash-test")]
use crate::hw::sim::Note;
use crate::mutants::{Mutant, planted};
use crate::persist::current::Owner;
use crate::persist::{NodeHeader, NodeType, Tracer};

/// Dropped fresh nodes are freed in batches of this size while the section runs, so that a section which makes and drops
/// nodes in a loop stays small.
const DEAD_BATCH: usize = 1024;

/// Owners that one node can have. Far above what memory can hold, far below the `FRESH` bit.
const MAX_OWNERS: u32 = 1 << 30;

/// A node made by the section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fresh {
    pub(crate) address: u64,
    pub(crate) node_type: &'static NodeType,
    /// False once it was given up; its lines are free again.
    pub(crate) is_alive: bool,
}

pub(crate) struct Shadow {
    core: Arc<Core>,
    state: RefCell<State>,
}

/// What a section leaves to its commit or abort.
pub(crate) struct State {
    pub(crate) writer: Box<Writer>,
    pub(crate) fresh: Vec<Fresh>,
    /// Entries of `fresh` whose nodes are gone, for the next ones: the list is as long as the section's peak.
    vacant: Vec<u32>,
    /// Indices of fresh nodes without an owner, whose children have not been given back yet.
    dead: Vec<u32>,
    /// Committed nodes of which the section gave back one count each.
    pub(crate) released: Vec<u64>,
    /// Committed nodes whose contents live on in a fresh node.
    pub(crate) moved: Vec<u64>,
    /// Committed nodes to which the section added one count each, at once.
    shared: Vec<u64>,
    /// Why the section cannot commit, whatever its body returns.
    pub(crate) doomed: Option<FaseFault>,
}

/// Thrown through a section's body when the section is doomed; caught by the section.
pub(crate) struct Doomed;

impl Shadow {
    pub(crate) fn new(core: Arc<Core>, writer: Box<Writer>) -> Self {
        let state = State {
            writer,
            fresh: Vec::new(),
            vacant: Vec::new(),
            dead: Vec::new(),
            released: Vec::new(),
            moved: Vec::new(),
            shared: Vec::new(),
            doomed: None,
        };
        Shadow { core, state: RefCell::new(state) }
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// Ends the section: what it did, to be committed or undone.
    pub(crate) fn into_state(self) -> State {
        let Shadow { core, state } = self;
        let mut state = state.into_inner();
        state.settle_dead(&core);
        state
    }

    /// A fresh node with one owner. Its payload is the caller's to write at once; where the type has padding, it is all zeros.
    ///
    /// Out of space, it unwinds: the section's body ends and the section fails.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub(crate) fn allocate(&self, node_type: &'static NodeType, len_bytes: u32) -> u64 {
        let stream = if node_type.is_leaf { Stream::Leaf } else { Stream::Inner };
        let unwritten = if node_type.scrub.is_some() { 0 } else { len_bytes };
        self.allocate_in(stream, node_type, len_bytes, unwritten)
    }

    /// As [`Shadow::allocate`], in the given stream; zeroed are only the bytes of the node from `unwritten` of its payload on.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub(crate) fn allocate_in(
        &self,
        stream: Stream,
        node_type: &'static NodeType,
        len_bytes: u32,
        unwritten: u32,
    ) -> u64 {
        let mut state = self.state.borrow_mut();
        if state.dead.len() >= DEAD_BATCH {
            state.settle_dead(&self.core);
        }
        let lines = NodeHeader::lines(len_bytes);
        let line = match self.core.heap.alloc(&mut state.writer.streams, stream, lines, Effort::Normal) {
            Some(line) => line,
            None => match state.writer.make_room(&self.core, stream, lines) {
                Ok(line) => line,
                Err(fault) => doom(state, fault),
            },
        };
        let address = self.core.base + line.offset_bytes();
        #[cfg(feature = "crash-test")]
        self.core.file.medium().note(Note::Allocated { at: address, lines, by: Location::caller() });
        let index = state.vacant.pop().unwrap_or(state.fresh.len() as u32);
        // SAFETY: the lines were free, so nobody refers to them (invariant 2 of `commit`), and they lie in the mapping.
        unsafe { start_node(address, lines, node_type, len_bytes, index, unwritten) };
        let fresh = Fresh { address, node_type, is_alive: true };
        match state.fresh.get_mut(index as usize) {
            Some(entry) => *entry = fresh,
            None => state.fresh.push(fresh),
        }
        address
    }

    /// A fresh node with the payload of the newest root, which becomes a shell: it has no owner but the root cell. Sections
    /// cannot give it one, and a pool in which it has one is refused (`MarkError::OwnedRoot`).
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub(crate) fn copy_root(&self) -> u64 {
        let old = self.core.newest_root();
        // SAFETY: the newest root is alive: it is retired by the next commit, and this section holds the writer.
        let len_bytes = unsafe { NodeHeader::at(old) }.len_bytes;
        let copy = self.allocate(self.core.root_type, len_bytes);
        let (from, to) = (NodeHeader::payload(old), NodeHeader::payload(copy));
        // SAFETY: both payloads have the length; a fresh node is apart from all others.
        unsafe { to.copy_from_nonoverlapping(from, len_bytes as usize) };
        self.note_moved(old);
        copy
    }

    /// Counts one more owner of the node at `address`.
    pub(crate) fn retain(&self, address: u64) {
        // SAFETY: the caller holds a pointer to the node, and `P`'s invariant 1.
        let header = unsafe { NodeHeader::at(address) };
        // Relaxed: a count orders nothing; reclamation is ordered by the horizon and the pins.
        let more = u32::from(!planted(Mutant::ShareNotCounted));
        let before = header.refcount.fetch_add(more, Ordering::Relaxed);
        if before & !NodeHeader::FRESH >= MAX_OWNERS {
            // Taken back first: a program may catch the panic and try again, until the count would run into the flag
            // and then to zero.
            header.refcount.fetch_sub(1, Ordering::Relaxed);
            panic!("a node has at most {MAX_OWNERS} owners");
        }
        if before & NodeHeader::FRESH == 0 {
            self.state.borrow_mut().shared.push(address);
        }
    }

    /// Notes that the committed node at `address` lives on in a fresh one.
    pub(crate) fn note_moved(&self, address: u64) {
        if !planted(Mutant::MovedNotNoted) {
            self.state.borrow_mut().moved.push(address);
        }
    }

    /// Frees a fresh node whose contents were moved out.
    pub(crate) fn free_shell(&self, address: u64) {
        self.state.borrow_mut().free_fresh(&self.core, address);
    }

    /// Makes room for so many bytes of nodes, or says why there is none.
    pub(crate) fn reserve(&self, len_bytes: u64) -> Result<(), FaseFault> {
        let mut state = self.state.borrow_mut();
        state.writer.reserve(&self.core, len_bytes)
    }
}

impl Owner for Shadow {
    fn release(&self, address: u64) {
        self.state.borrow_mut().release(address);
    }
}

/// Ends the section's body.
fn doom(mut state: RefMut<'_, State>, fault: FaseFault) -> ! {
    state.doomed = Some(fault);
    drop(state);
    // Not a panic: no hook runs, nothing is printed.
    panic::resume_unwind(Box::new(Doomed))
}

impl State {
    /// Takes back one count of the node at `address`.
    fn release(&mut self, address: u64) {
        // SAFETY: the count that is given back proves that the node is alive.
        let header = unsafe { NodeHeader::at(address) };
        // Relaxed: a fresh node is this thread's alone; of a committed one only the flag is used, which nobody changes.
        let count = header.refcount.load(Ordering::Relaxed);
        if count & NodeHeader::FRESH == 0 {
            self.released.push(address);
            return;
        }
        header.refcount.store(count - 1, Ordering::Relaxed);
        if count - 1 == NodeHeader::FRESH {
            self.dead.push(header.crc32c.load(Ordering::Relaxed));
        }
    }

    /// Frees the fresh nodes without owners, and gives back what they owned.
    fn settle_dead(&mut self, core: &Core) {
        let mut children = Vec::new();
        while let Some(index) = self.dead.pop() {
            let Fresh { address, node_type, .. } = self.fresh[index as usize];
            // SAFETY: a live fresh node, whose payload its type wrote; `release` frees nothing.
            let len_bytes = unsafe { NodeHeader::at(address) }.len_bytes;
            let payload = NodeHeader::payload(address);
            // SAFETY: as above; no reference to the payload is left, since its last owner is gone.
            unsafe { (node_type.trace)(payload, len_bytes, &mut Tracer::new(&mut children)) };
            for (child, _) in children.drain(..) {
                self.release(child);
            }
            self.free_fresh(core, address);
        }
    }

    fn free_fresh(&mut self, core: &Core, address: u64) {
        // SAFETY: a live fresh node (the callers' promise).
        let header = unsafe { NodeHeader::at(address) };
        // Relaxed: a fresh node is this thread's alone.
        let index = header.crc32c.load(Ordering::Relaxed);
        self.fresh[index as usize].is_alive = false;
        self.vacant.push(index);
        core.heap.free(core.line(address), NodeHeader::lines(header.len_bytes));
    }

    /// Undoes the section: its nodes' lines are free, the counts it added are gone.
    pub(crate) fn abort(self, core: &Core) -> Box<Writer> {
        for &address in &self.shared {
            // SAFETY: the section kept the node alive: nothing it could reach has been reclaimed while it was pinned.
            let header = unsafe { NodeHeader::at(address) };
            if planted(Mutant::AbortKeepsCounts) {
                continue;
            }
            // Relaxed: a count orders nothing.
            header.refcount.fetch_sub(1, Ordering::Relaxed);
        }
        // The higher counts may have reached the medium meanwhile.
        core.note_recounted(&self.shared);
        for fresh in self.fresh.iter().filter(|fresh| fresh.is_alive) {
            // SAFETY: invariant 1.
            let len_bytes = unsafe { NodeHeader::at(fresh.address) }.len_bytes;
            if !planted(Mutant::AbortLeaksNodes) {
                core.heap.free(core.line(fresh.address), NodeHeader::lines(len_bytes));
            }
        }
        self.writer
    }

    /// Committed nodes whose counts were changed, which a clean close must write back.
    pub(crate) fn shared(&self) -> &[u64] {
        &self.shared
    }
}

/// Writes the header of a fresh node, and zeros from `unwritten` of its payload on.
///
/// # Safety
/// `address` is the start of `lines` free lines of the mapping, to which nobody refers.
unsafe fn start_node(
    address: u64,
    lines: u32,
    node_type: &NodeType,
    len_bytes: u32,
    index: u32,
    unwritten: u32,
) {
    let start = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
    let header = NodeHeader {
        refcount: (NodeHeader::FRESH | 1).into(),
        crc32c: index.into(),
        type_id: node_type.id,
        len_bytes,
    };
    // SAFETY: the caller's promise; a line is aligned to 64.
    unsafe { start.cast::<NodeHeader>().write(header) };
    let end = lines as usize * LINE_BYTES as usize;
    let unwritten = NodeHeader::SIZE + unwritten as usize;
    // SAFETY: from within the node to the end of its last line.
    let rest = unsafe { start.add(unwritten) };
    // SAFETY: as above.
    unsafe { rest.write_bytes(0, end - unwritten) };
}

#[cfg(test)]
mod tests {
    use super::MAX_OWNERS;
    use crate::persist::NodeHeader;
    use crate::{FaseError, P, Pool, persist_fase};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::Ordering;

    /// If this failed, a program that goes on sharing after it was refused would make a count wrap around: the node would
    /// be freed, or edited in place, beside its other owners.
    #[test]
    fn a_refused_owner_is_not_counted() {
        let pool = Pool::<P<'static, u64>>::options().volatile_with(|tx| P::new(tx, 5)).unwrap();
        let counted = persist_fase!(pool, |tx, root| -> Result<[u32; 2], FaseError> {
            let fresh = P::new(tx, 6);
            Ok([root, &fresh].map(|node| {
                // SAFETY: the node is alive.
                let header = unsafe { NodeHeader::at(node.address()) };
                let before = header.refcount.fetch_add(MAX_OWNERS - 1, Ordering::Relaxed);
                for _ in 0..3 {
                    assert!(catch_unwind(AssertUnwindSafe(|| node.share(tx))).is_err());
                }
                header.refcount.swap(before, Ordering::Relaxed) & !NodeHeader::FRESH
            }))
        });
        assert_eq!(counted.unwrap(), [MAX_OWNERS; 2]);
        assert_eq!(pool.check().unwrap().refcounts_off, 0);
    }

    /// If this failed, a count that an undone section had raised, and that reached the medium while it was high, would stay
    /// high on it through a clean close.
    #[test]
    fn counts_of_undone_sections_are_written_back_at_close() {
        let pool = Pool::<P<'static, u64>>::options().volatile_with(|tx| P::new(tx, 5)).unwrap();
        let undone = persist_fase!(pool, |tx, root| -> Result<(), FaseError> {
            std::mem::forget(root.share(tx));
            Err(FaseError::message("undone".to_owned()))
        });
        undone.unwrap_err();
        assert_eq!(pool.core().recounted_blocks().len(), 1);
        assert_eq!(pool.check().unwrap().refcounts_off, 0);
    }
}
