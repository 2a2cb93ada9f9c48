//! What the user says of a type to be attacked.

use std::fmt;

use super::Random;
use crate::commit::Fase;
use crate::fase_error::FaseError;
use crate::persist::Persistent;
use crate::store::{Options, Pool};

/// The root of a model's pool, branded.
pub type At<'p, M> = <<M as Model>::Root as Persistent>::At<'p>;

/// A twin in ordinary Rust of a pool's root, and the operations on both.
///
/// Two twins are equal exactly if a user could not tell the roots apart.
///
/// # Examples
/// ```
/// use pmem_runtime::crash::{At, Model, Plan};
/// use pmem_runtime::{Fase, FaseError, Persistent, Pool, persist_fase};
///
/// #[derive(Persistent, Default)]
/// #[repr(C)]
/// struct Counter { value: u64 }
///
/// #[derive(Clone, Debug, PartialEq)]
/// struct Twin(u64);
///
/// impl Model for Twin {
///     type Root = Counter;
///     type Op = u64;
///
///     fn create<'f>(_tx: &'f Fase<'f>) -> Counter {
///         Counter::default()
///     }
///     fn run(pool: &Pool<Counter>, add: &u64) -> Result<(), FaseError> {
///         persist_fase!(pool, |_tx, counter| {
///             counter.value += *add;
///             Ok(())
///         })
///     }
///     fn apply(&mut self, add: &u64) {
///         self.0 += add;
///     }
///     fn observe(root: &At<'_, Self>) -> Self {
///         Twin(root.value)
///     }
///     fn ops() -> Vec<u64> {
///         vec![1, 10]
///     }
/// }
///
/// let evidence = Plan::new("counter").states(300).short_sequences::<Twin>()?;
/// assert_eq!(evidence.points_hit, evidence.points);
/// # Ok::<(), pmem_runtime::crash::Failure>(())
/// ```
pub trait Model: Clone + fmt::Debug + PartialEq {
    /// The root of the pool.
    type Root: Persistent;
    /// An operation, with its arguments. Some runs have two threads.
    type Op: Clone + fmt::Debug + Send + Sync;

    /// The root of a new pool.
    fn create<'f>(tx: &'f Fase<'f>) -> At<'f, Self>;

    /// Does the operation, as the program does it: with as many sections as it takes there.
    ///
    /// # Errors
    /// The operation refuses, and then nothing of it has happened; or the pool fails. A refusal for want of space
    /// ([`FaseFault::OutOfSpace`](crate::FaseFault::OutOfSpace)) is the one that the twin need not foresee.
    fn run(pool: &Pool<Self::Root>, op: &Self::Op) -> Result<(), FaseError>;

    /// Does to the twin what the operation is to do: nothing, if it is to refuse.
    fn apply(&mut self, op: &Self::Op);

    /// The twin of a root. What it finds broken it may say by a panic.
    fn observe(root: &At<'_, Self>) -> Self;

    /// A few operations: short sequences are made of these, all of them.
    fn ops() -> Vec<Self::Op>;

    /// The next operation of a long run. By default one of [`Model::ops`].
    fn random(&self, random: &mut Random) -> Self::Op {
        random.pick(&Self::ops()).clone()
    }

    /// What kind of operation it is: the evidence counts, for each kind, the places of a crash within it.
    fn kind(_op: &Self::Op) -> &'static str {
        "operation"
    }

    /// How the pools are created, beyond what the plan sets (size, limit, seed, durability): as they come by default.
    fn options(options: Options<Self::Root>) -> Options<Self::Root> {
        options
    }

    /// Whether what the operation did is durable when it has returned, on a pool whose sections are Immediate by
    /// default. It is not if its last section says `durability = Buffered`.
    fn is_durable(_op: &Self::Op) -> bool {
        true
    }
}
