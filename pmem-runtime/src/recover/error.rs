//! What marking can find wrong with a pool.

use std::fmt;

use crate::persist::TypeId32;

const ADVICE: &str = "the pool is damaged: restore it from a backup";

/// Where the pointer lies that led to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Referrer {
    /// In the pool's root cell.
    Root,
    /// In a node.
    Slot {
        /// Offset of the eight bytes that hold the pointer.
        offset: u64,
        /// Offset of the node that they belong to.
        node: u64,
        /// That node's type.
        type_name: String,
    },
}

impl fmt::Display for Referrer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Referrer::Root => f.write_str("the root cell"),
            Referrer::Slot { offset, node, type_name } => {
                write!(f, "the pointer at offset {offset:#x} in the {type_name} at {node:#x}")
            }
        }
    }
}

/// Why a pool's graph of nodes cannot be used. Offsets are in bytes from the start of the pool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkError {
    /// A pointer leads out of the heap, or between two lines.
    #[error(
        "{referrer} leads to offset {offset:#x}: expected a line's start from {heap_start:#x} up to {heap_end:#x}; {ADVICE}"
    )]
    Outside {
        /// Where the pointer leads.
        offset: u64,
        /// Who refers to it.
        referrer: Referrer,
        /// The heap's first offset.
        heap_start: u64,
        /// The offset behind the heap.
        heap_end: u64,
    },
    /// A node does not have the type that the pointer to it has.
    #[error(
        "offset {offset:#x}: {referrer} expects a {expected}, found type {:08x} ({}); {ADVICE}",
        found.0,
        found_name.as_deref().unwrap_or("unknown")
    )]
    WrongType {
        /// Where the node starts.
        offset: u64,
        /// Who refers to it.
        referrer: Referrer,
        /// The type that the pointer has.
        expected: String,
        /// The identity in the node's header.
        found: TypeId32,
        /// The name that belongs to it, if a pool of this root can hold such a type.
        found_name: Option<String>,
    },
    /// A node's length is none that its type allows, or leads out of the heap.
    #[error(
        "offset {offset:#x}: a {type_name} has {} payload bytes and at most {room_bytes} up to the heap's end, found {found}; {ADVICE}",
        Lengths(*min_bytes, *step_bytes)
    )]
    BadLength {
        /// Where the node starts.
        offset: u64,
        /// Its type.
        type_name: String,
        /// The length in its header, in bytes.
        found: u32,
        /// The type's shortest length, in bytes.
        min_bytes: u32,
        /// What longer ones are a multiple of; zero if there are none.
        step_bytes: u32,
        /// How many bytes there are up to the heap's end.
        room_bytes: u64,
    },
    /// Bytes of a node's payload are not what its type allows.
    #[error(
        "offset {offset:#x}, in the {type_name} at {node:#x}: expected {expected}, found {found:#x}; {ADVICE}"
    )]
    Damaged {
        /// Where the bytes lie.
        offset: u64,
        /// Where the node starts.
        node: u64,
        /// Its type.
        type_name: String,
        /// What would have been right.
        expected: &'static str,
        /// What was there, as far as eight bytes show it.
        found: u64,
    },
    /// Two nodes share a line.
    #[error(
        "offset {offset:#x}: {referrer} leads to a {type_name} of {lines} lines, of which some belong to another node; {ADVICE}"
    )]
    Overlap {
        /// Where the node starts that was met second.
        offset: u64,
        /// Its type.
        type_name: String,
        /// Its lines.
        lines: u32,
        /// Who refers to it.
        referrer: Referrer,
    },
    /// A payload is not the one that its checksum was made of.
    #[error(
        "offset {offset:#x}: the {type_name}'s checksum is {stored:08x}, its bytes give {computed:08x}; {ADVICE}"
    )]
    Checksum {
        /// Where the node starts.
        offset: u64,
        /// Its type.
        type_name: String,
        /// The checksum in its header.
        stored: u32,
        /// The checksum of its payload.
        computed: u32,
    },
    /// A node has more owners than a refcount can hold.
    #[error("offset {offset:#x}: {found} pointers lead to the node, expected at most {limit}; {ADVICE}")]
    TooManyOwners {
        /// Where the node starts.
        offset: u64,
        /// How many were counted.
        found: u64,
        /// How many there may be.
        limit: u32,
    },
    /// Nodes point to the root node, which only the root cell owns. A section moves its contents out, so they would be
    /// left with a node that is reused.
    #[error("offset {offset:#x}: {found} pointers of nodes lead to the root node, expected none; {ADVICE}")]
    OwnedRoot {
        /// Where the root node starts.
        offset: u64,
        /// How many there are.
        found: u64,
    },
    /// A node lies below itself: whoever followed its pointers would not come back.
    #[error(
        "offset {offset:#x}: the node lies below itself, expected nodes that only lead to older ones; {ADVICE}"
    )]
    Cycle {
        /// Where the node starts.
        offset: u64,
    },
    /// A node that was marked is not there any more.
    #[error(
        "offset {offset:#x}: the node that was found here has gone, found type {:08x}; let no other program write to the pool",
        found.0
    )]
    Changed {
        /// Where the node started.
        offset: u64,
        /// The identity in its header, zero if there can be none.
        found: TypeId32,
    },
    /// The progress callback asked to stop. The pool is as it was.
    #[error("opening was aborted by the progress callback; the pool is unchanged and can be opened again")]
    Aborted,
}

struct Lengths(u32, u32);

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            0 => write!(f, "{}", self.0),
            step => write!(f, "{} + a multiple of {step}", self.0),
        }
    }
}
