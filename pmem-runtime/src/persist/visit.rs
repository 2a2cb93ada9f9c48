//! The visitors: over bytes that may hold anything (`Visit`), over valid values (`Tracer`), and over values that get
//! a second owner (`Sharer`).

use std::fmt;

use super::NodeType;

/// Bytes that are not what their type allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where the bytes lie: their address in this process while validating, an offset in the pool once reported.
    pub at: u64,
    /// What would have been right.
    pub expected: &'static str,
    /// What was there, as far as eight bytes show it.
    pub found: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {:#x}: expected {}, found {:#x}", self.at, self.expected, self.found)
    }
}

/// A pointer from one node to another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Address of the word that holds the pointer.
    pub slot: u64,
    /// Offset of the target node in the pool.
    pub target: u64,
    /// The type that the target must have.
    pub target_type: &'static NodeType,
}

/// Which addresses mean which offsets of a pool: its recorded base and, while a relocation is under way, a second one.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// Bases under which stored pointers may have been written. The second repeats the first if there is one only.
    pub bases: [u64; 2],
    /// Where nodes may lie: offsets of the heap's first byte and of the byte behind its last.
    pub heap: (u64, u64),
}

impl Space {
    /// The pool offset that a stored pointer means, if it is the start of a line of the heap.
    #[must_use]
    pub fn resolve(&self, pointer: u64) -> Option<u64> {
        let (start, end) = self.heap;
        self.bases.iter().find_map(|base| {
            let offset = pointer.checked_sub(*base)?;
            (offset >= start && offset < end && offset.is_multiple_of(64)).then_some(offset)
        })
    }
}

/// Judges untrusted bytes, collecting the pointers among them.
#[derive(Debug)]
pub struct Visit<'v> {
    space: &'v Space,
    edges: &'v mut Vec<Edge>,
    judges_volatile: bool,
}

impl<'v> Visit<'v> {
    /// A visitor of one node, appending to `edges`.
    #[must_use]
    pub fn new(space: &'v Space, edges: &'v mut Vec<Edge>) -> Self {
        Visit { space, edges, judges_volatile: true }
    }

    /// The same, but volatile fields may hold anything: they are reset before anyone sees them.
    #[must_use]
    pub fn ignoring_volatile(self) -> Self {
        Visit { judges_volatile: false, ..self }
    }

    /// Whether `#[persistent(volatile)]` fields are to be judged.
    #[must_use]
    pub fn judges_volatile(&self) -> bool {
        self.judges_volatile
    }

    /// Judges the pointer in the eight bytes at `at`.
    ///
    /// # Errors
    /// A [`Fault`] if it is not the start of a line of the pool's heap; zero is not, so an absent pointer must have been
    /// recognised before.
    ///
    /// # Safety
    /// Eight bytes at `at` are initialised, aligned to eight, and not written meanwhile.
    pub unsafe fn pointer(&mut self, at: *const u8, target_type: &'static NodeType) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        let word = unsafe { at.cast::<u64>().read() };
        let Some(target) = self.space.resolve(word) else {
            return Err(Fault {
                at: at.addr() as u64,
                expected: "a pointer to a line of the pool's heap",
                found: word,
            });
        };
        self.edges.push(Edge { slot: at.addr() as u64, target, target_type });
        Ok(())
    }
}

/// Collects the node addresses that valid values own.
#[derive(Debug)]
pub struct Tracer<'t> {
    found: &'t mut Vec<(u64, &'static NodeType)>,
}

impl<'t> Tracer<'t> {
    /// A tracer appending to `found`.
    #[must_use]
    pub fn new(found: &'t mut Vec<(u64, &'static NodeType)>) -> Self {
        Tracer { found }
    }

    /// Reports one owned node by its address.
    pub fn pointer(&mut self, address: u64, target_type: &'static NodeType) {
        self.found.push((address, target_type));
    }
}

/// Takes note of each node that gets one more owner. Only a running section has one.
pub struct Sharer<'s> {
    retain: &'s dyn Fn(u64),
}

impl<'s> Sharer<'s> {
    /// A sharer that calls `retain` with each node's address.
    #[must_use]
    pub fn new(retain: &'s dyn Fn(u64)) -> Self {
        Sharer { retain }
    }

    /// Counts one more owner of the node at `address`.
    pub fn pointer(&self, address: u64) {
        (self.retain)(address);
    }
}

impl fmt::Debug for Sharer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sharer")
    }
}
