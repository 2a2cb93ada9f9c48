//! Ordinary Rust values that survive a crash at any instruction, at the price of one fence.
//!
//! A *pool* is a memory-mapped file, on persistent memory or on an ordinary disk, that holds one *root* value and all that
//! it reaches. A reader holds plain references into it. A writer edits a private shadow of the root inside a
//! *failure-atomic section* ([`persist_fase!`]): all of the section happens, durably, or nothing does. What was committed
//! is only ever lent as `&`, so old versions have no writer, and a [`Snapshot`] never waits and is never waited for.
//!
//! ```
//! use pmem_runtime::{P, Persistent, Pool, abort, persist_fase};
//!
//! #[derive(Persistent)]
//! #[repr(C)]
//! struct Entry<'p> {
//!     cents: i64,
//!     earlier: Option<P<'p, Entry<'p>>>,
//! }
//!
//! #[derive(Persistent, Default)]
//! #[repr(C)]
//! struct Account<'p> {
//!     balance: i64,
//!     newest: Option<P<'p, Entry<'p>>>,
//! }
//!
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path().join("account.pool");
//! let pool = Pool::<Account>::options().open_or_create(&path)?;
//! let withdraw = |cents: i64| {
//!     persist_fase!(pool, |tx, account| {
//!         if account.balance < cents {
//!             abort!("only {} cents are left", account.balance);
//!         }
//!         account.balance -= cents;
//!         let earlier = account.newest.take();
//!         account.newest = Some(P::new(tx, Entry { cents: -cents, earlier }));
//!         Ok(account.balance)
//!     })
//! };
//! assert_eq!(withdraw(5).unwrap_err().to_string(), "only 0 cents are left");
//!
//! persist_fase!(pool, |_tx, account| {
//!     account.balance = 100;
//!     Ok(())
//! })?;
//! assert_eq!(withdraw(30)?, 70); // durable here
//!
//! let now = pool.snapshot();
//! assert_eq!(now.newest.as_ref().map(|entry| entry.cents), Some(-30));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a type needs
//! `#[derive(Persistent)]` and a fixed layout (`#[repr(C)]`; `#[repr(u8)]` or `#[repr(C, u8)]` for enums). A type with pool
//! pointers has one lifetime, its *brand*: it is the section or snapshot that the pointers belong to, so that nothing made
//! in a section leaves it, enters another section, or enters another pool. Fields are numbers, arrays, tuples, `Option`,
//! `Result`, other derived types, and [`P`], which owns a node of the pool's heap. [`functional`](macro@functional) makes
//! such types, and their nodes, of plain recursive ones.
//!
//! # What is promised
//! See [`Durability`] for when a section is durable and [`Survives`] for what a medium protects from; [`Pool::durability`]
//! tells what holds for a pool. The repository's `docs/` has the design, the format, the fault model, and the rules for
//! unsafe code. A program built with `panic = "abort"` keeps every promise except one: a section that runs out of space ends
//! by unwinding, so there it ends the process; [`Fase::reserve`] reports it as an error before.
//!
//! # Features
//! `serde`: [`collections`] are `Serialize`, and `collections::serde::Load` reads them straight into a pool.
//! `crash-test`: the crash simulator ([`hw`]'s `sim`), on which the library tests itself, and the room `crash` with
//! `crash_test!`, by which a program attacks its own types.

// Lifetimes carry the safety argument here, so they are always visible in types.
#![deny(elided_lifetimes_in_paths)]

pub mod collections;
#[cfg(feature = "crash-test")]
pub mod crash;
pub mod hw;
pub mod persist;

mod commit;
mod error;
mod fase_error;
#[cfg(test)]
mod format_test;
mod functional;
mod heap;
#[doc(hidden)]
pub mod mutants;
mod pool;
mod recover;
mod section;
mod store;
mod sync;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

// The derive names the runtime by its own name, also inside it.
extern crate self as pmem_runtime;

pub use collections::{Bytes, Map, OrdMap, OrdSet, PriorityQueue, Queue, Set, Stack, Text, Vector};
pub use commit::{Counters, Durability, Fase};
pub use error::{CreateError, Limits, OpenError, SlotFault};
pub use fase_error::{FaseError, FaseFault};
pub use hw::Survives;
pub use persist::{P, Persistent, RegistryError, TypeId32};
/// A standard derive on a generic type with a collection needs `Persistent` written on the type's parameters:
///
/// ```
/// use pmem_runtime::{Persistent, Pool, Vector, persist_fase};
///
/// #[derive(Persistent, Default, PartialEq, Debug)]
/// #[repr(C)]
/// struct Plain<'p, V: Persistent> {
///     kids: Vector<'p, V>,
/// }
///
/// let pool = Pool::<Plain<u64>>::options().volatile()?;
/// let before = pool.snapshot();
/// persist_fase!(pool, |tx, root| {
///     root.kids.push(tx, 7);
///     Ok(())
/// })?;
/// let now = pool.snapshot();
/// assert_ne!(*now, *before);
/// assert_eq!(format!("{:?}", *now), "Plain { kids: [7] }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use pmem_derive::Persistent;
/// A handle, nodes and methods made of a plain recursive type.
///
/// ```
/// use pmem_runtime::{Fase, Persistent, Pool, functional, persist_fase};
///
/// #[functional]
/// #[derive(Debug, Default, PartialEq, Eq)]
/// enum List<T> {
///     #[default]
///     End,
///     Link { head: T, tail: List<T> },
/// }
///
/// #[functional]
/// impl<T: PartialEq> List<T> {
///     fn push(self, tx: &Fase, head: T) -> Self {
///         List::link(tx, head, self)
///     }
///
///     /// Without the first one that is equal; what follows it is shared with the old version.
///     fn without(self, tx: &Fase, gone: &T) -> Self {
///         match self.take(tx) {
///             ListParts::Link { head, tail } if head == *gone => tail,
///             ListParts::Link { head, tail } => List::link(tx, head, tail.without(tx, gone)),
///             end => end.build(tx),
///         }
///     }
/// }
///
/// #[derive(Persistent, Default)]
/// #[repr(C)]
/// struct Root<'p> {
///     now: List<'p, u32>,
///     before: List<'p, u32>,
/// }
///
/// let pool = Pool::<Root>::options().volatile()?;
/// persist_fase!(pool, |tx, root| {
///     root.before = List::end().push(tx, 1).push(tx, 2).push(tx, 3);
///     root.now = root.before.without_shared(tx, &3);
///     Ok(())
/// })?;
/// let root = pool.snapshot();
/// let ListView::Link { head: 3, tail } = root.before.view() else { panic!("the old version is kept") };
/// assert!(List::ptr_eq(tail, &root.now), "nothing was copied");
/// assert_eq!(format!("{:?}", root.now), "Link { head: 2, tail: Link { head: 1, tail: End } }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use pmem_derive::functional;
pub use recover::{LastClose, MarkError, Moved, Phase, Progress, Recovery, Referrer, ReplayError};
pub use section::Snapshot;
pub use store::{CheckReport, CreateFault, NodeInfo, OpenFault, Options, Pool};

// What the types' users and the proofs in this crate rely on, whatever a field of them becomes.
const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

    assert_impl_all!(Pool<u64>: Send, Sync);
    assert_impl_all!(Snapshot<'static, u64>: Send, Sync);
    assert_impl_all!(P<'static, u64>: Send, Sync, Persistent);
    assert_not_impl_any!(P<'static, u64>: Clone, Copy, Default);
    assert_not_impl_any!(Fase<'static>: Send, Sync, Clone);
    assert_eq_size!(P<'static, [u8; 1000]>, u64);
    assert_eq_size!(Option<P<'static, u64>>, u64);
};
