//! The shim's functions, and the peer as a contestant.

use std::ffi::{CString, c_char, c_int};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

use crate::contestant::{Contestant, Cost, sorted_rows};
use crate::operation::{Action, Op, Turn, Way};
use crate::ours::fresh_path;
use crate::workload::{self, Graph, Structure, Workload};

/// The shim's state.
#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

/// A graph as the shim reads it; it lives as long as the program.
#[repr(C)]
struct GraphView {
    vertices: u32,
    first: *const u32,
    next: *const u32,
}

unsafe extern "C" {
    fn peer_open(
        path: *const c_char,
        bytes: usize,
        structure: Structure,
        elements: u64,
        graph: *const GraphView,
    ) -> *mut Handle;
    fn peer_close(peer: *mut Handle);
    fn peer_cost(peer: *const Handle, out: *mut u64) -> c_int;
    fn peer_run(
        peer: *mut Handle,
        structure: Structure,
        action: Action,
        roots: u64,
        way: Way,
        ops: *const Op,
        count: usize,
        batch: usize,
    ) -> u64;
    fn peer_content(peer: *const Handle, structure: Structure, out: *mut u64, room: usize) -> usize;
}

/// A structure in a pool of libpmemobj.
///
/// # Invariants
/// 1. `handle` came from `peer_open`, is closed by `drop`, and is used by nobody else.
pub(super) struct Peer {
    handle: NonNull<Handle>,
    structure: Structure,
    path: PathBuf,
}

impl Peer {
    pub(super) fn open(workload: &dyn Workload, folder: &Path) -> Peer {
        let path = fresh_path(folder, "pmdk");
        let name = CString::new(path.as_os_str().as_bytes()).expect("a path has no zero byte");
        let (structure, elements) = workload.structure();
        let Graph { first, next } = workload::debian();
        let vertices = workload::debian().vertices() as u32;
        let graph = GraphView { vertices, first: first.as_ptr(), next: next.as_ptr() };
        let bytes = workload.peer_bytes() as usize;
        // SAFETY: name and view live until the call returns, and the graph for ever; failure ends the process.
        let handle = unsafe { peer_open(name.as_ptr(), bytes, structure, elements, &raw const graph) };
        let handle = NonNull::new(handle).expect("the shim ends the process when it fails");
        Peer { handle, structure, path }
    }

    fn run_ops(&mut self, turn: &Turn<'_>, action: Action, ops: &[Op]) -> u64 {
        let (roots, way, batch) = (turn.roots as u64, turn.way, turn.batch);
        // SAFETY: invariant 1; the operations are lent for the call, and `Op` has the layout of the shim's `struct op`.
        unsafe {
            peer_run(self.handle.as_ptr(), self.structure, action, roots, way, ops.as_ptr(), ops.len(), batch)
        }
    }
}

impl Contestant for Peer {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        if self.structure != Structure::KeyValue {
            return self.run_ops(turn, turn.action, turn.ops);
        }
        let (sets, gets) = workload::sets_of(turn);
        let added = self.run_ops(turn, turn.action, sets);
        added.wrapping_add(self.run_ops(turn, Action::Lookup, gets))
    }

    fn content(&self) -> Vec<u64> {
        // SAFETY: invariant 1; without room nothing is written.
        let len =
            unsafe { peer_content(self.handle.as_ptr(), self.structure, NonNull::dangling().as_ptr(), 0) };
        let mut words = vec![0; len];
        // SAFETY: invariant 1; at most `len` words are written, and there is room for them.
        let again = unsafe { peer_content(self.handle.as_ptr(), self.structure, words.as_mut_ptr(), len) };
        assert_eq!(again, len, "nobody changed the structure");
        match workload::row_words(self.structure) {
            Some((row_words, parts)) => sorted_rows(&words, row_words, parts),
            None => words,
        }
    }

    fn cost(&self) -> Option<Cost> {
        let mut out = [0; 4];
        // SAFETY: invariant 1; four words are written, or none.
        let counts = unsafe { peer_cost(self.handle.as_ptr(), out.as_mut_ptr()) };
        let [lines, fences, written_bytes, allocated_bytes] = out.map(|count| count as f64);
        (counts != 0).then_some(Cost { lines, fences, written_bytes, allocated_bytes })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // SAFETY: invariant 1, and this is the last use.
        unsafe { peer_close(self.handle.as_ptr()) };
        // Nobody misses the file.
        let _ = fs::remove_file(&self.path);
    }
}
