//! The workloads of the paper's table, and `unrelated`.
//!
//! A workload is a structure, a sequence of phases that each do one thing to it many times, and a plain twin made of the standard
//! library's collections. Phases are ordered so that the structure ends about as large as it was loaded. Every contestant
//! does the same operations, and is compared with the twin: the sums of what was read after each turn, the whole content at
//! the end.

mod graph;
mod key_value;
mod map;
mod queue;
mod set;
mod stack;
mod unrelated;
mod vacation;
mod vector;

use std::ops::Range;
use std::path::Path;

use pmem_runtime::CreateFault;

#[cfg(feature = "pmdk")]
pub(crate) use graph::{Graph, debian};
#[cfg(feature = "pmdk")]
pub(crate) use key_value::sets_of;

use crate::contestant::Contestant;
use crate::operation::{Action, Op};
use crate::ours::Medium;

/// Operations in a section of a batched phase.
pub(crate) const BATCH: usize = 100;
/// Operations in a section while loading.
const LOAD_BATCH: usize = 1_000;

/// What a phase's ratio is averaged with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Filling the structure; not measured.
    Load,
    /// Changes of map, set, stack and queue, one a section.
    Basic,
    /// Reading, without sections.
    Lookup,
    /// Vectors, one change a section.
    Vector,
    /// Applications, one step a section.
    Application,
    /// Several roots in one section.
    Unrelated,
    /// Anything, 100 changes a section.
    Batched,
}

impl Group {
    pub(crate) const MEASURED: [Group; 6] =
        [Group::Basic, Group::Vector, Group::Application, Group::Batched, Group::Unrelated, Group::Lookup];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Group::Load => "load",
            Group::Basic => "map, set, stack, queue",
            Group::Lookup => "lookups",
            Group::Vector => "vector, vec-swap",
            Group::Application => "bfs, vacation, kv",
            Group::Unrelated => "unrelated roots",
            Group::Batched => "batched by 100",
        }
    }
}

/// One thing done many times.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) name: String,
    pub(crate) action: Action,
    pub(crate) group: Group,
    pub(crate) batch: usize,
    pub(crate) roots: usize,
    /// Whether the peer has a way by hand that is not the transaction's.
    pub(crate) has_hand: bool,
    /// The first of the numbers from which the operations are made.
    pub(crate) first: u64,
    /// How many operations.
    pub(crate) count: u64,
}

impl Phase {
    fn new(name: &str, action: Action, group: Group) -> Phase {
        let (name, batch) = (name.to_owned(), if group == Group::Load { LOAD_BATCH } else { 1 });
        Phase { name, action, group, batch, roots: 1, has_hand: false, first: 0, count: 0 }
    }

    /// Fills the structure with `count` elements.
    fn load(action: Action, count: u64) -> Phase {
        Phase::new("load", action, Group::Load).over(0, count)
    }

    fn over(self, first: u64, count: u64) -> Phase {
        Phase { first, count, ..self }
    }

    fn by_hand_too(self) -> Phase {
        Phase { has_hand: true, ..self }
    }

    /// The same, many in a section.
    fn batched(&self) -> Phase {
        let name = format!("{} x{BATCH}", self.name);
        Phase { name, batch: BATCH, group: Group::Batched, has_hand: false, ..self.clone() }
    }
}

/// How large.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Elements of the structure before it is measured.
    pub(crate) elements: u64,
    /// Operations of each phase.
    pub(crate) ops: u64,
}

/// Which of the shim's structures the peer uses. The shim has the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) enum Structure {
    Map,
    Set,
    Stack,
    Queue,
    Vector,
    Graph,
    Vacation,
    KeyValue,
    Unrelated,
}

/// Words of a row, and of how many parts the content consists, of structures that keep an order of their own.
#[cfg(feature = "pmdk")]
pub(crate) fn row_words(structure: Structure) -> Option<(usize, usize)> {
    match structure {
        Structure::Map => Some((map::ROW_WORDS, 1)),
        Structure::Set | Structure::Graph => Some((1, 1)),
        Structure::Vacation => Some((vacation::ROW_WORDS, 1)),
        Structure::KeyValue => Some((key_value::ROW_WORDS, 1)),
        Structure::Unrelated => Some((unrelated::ROW_WORDS, unrelated::ROOTS)),
        Structure::Stack | Structure::Queue | Structure::Vector => None,
    }
}

/// See the room.
pub(crate) trait Workload {
    fn name(&self) -> &'static str;

    /// What the peer keeps it in, and how many elements that is made for.
    fn structure(&self) -> (Structure, u64);

    /// In their order.
    fn phases(&self) -> Vec<Phase>;

    /// The operations of a phase with these numbers.
    fn ops(&self, phase: &Phase, numbers: Range<u64>) -> Vec<Op>;

    /// A pool that is large enough for the workload's structure, and all that is superseded before it is reused.
    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault>;

    fn twin(&self) -> Box<dyn Contestant>;

    /// Bytes of the peer's pool.
    fn peer_bytes(&self) -> u64;
}

/// All of them, in the order of the table.
pub(crate) fn all(scale: Scale) -> Vec<Box<dyn Workload>> {
    vec![
        Box::new(map::Mapping { scale }),
        Box::new(set::Sets { scale }),
        Box::new(stack::Stacks { scale }),
        Box::new(queue::Queues { scale }),
        Box::new(vector::Vectors { scale }),
        Box::new(vector::Swaps { scale }),
        Box::new(graph::Search { scale }),
        Box::new(vacation::Vacation { scale }),
        Box::new(key_value::KeyValue { scale }),
        Box::new(unrelated::Unrelated { scale }),
    ]
}

/// An order of the numbers below `count` that is not the order in which they were made: multiplication with a prime.
fn shuffled(number: u64, count: u64) -> u64 {
    const PRIME: u64 = 2_147_483_647;
    (u128::from(number) * u128::from(PRIME) % u128::from(count)) as u64
}

/// A length of a pool: some for the library's own books, and so much for each element.
fn pool_bytes(elements: u64, element_bytes: u64) -> u64 {
    (64 << 20) + elements * element_bytes
}
