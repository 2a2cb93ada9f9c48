//! What may live in a pool, and what the runtime must know of it.
//!
//! **Problem.** A pool holds ordinary Rust values, in place, without serialisation. The compiler guarantees their
//! validity only for memory that it wrote itself; a file may hold anything. So each type tells the runtime how to
//! judge bytes before anyone holds a reference to them, where its pointers are, and which of its bytes are padding.
//!
//! **Words.** A *value* is a `Persistent` type's instance, lying inline in its owner. A *node* is a heap object: a
//! 16-byte [`NodeHeader`] and a payload, starting on a 64-byte line. [`P`] owns one reference to a node. The *brand*
//! `'p` is the lifetime of the section or snapshot that a pointer belongs to; it is invariant and cannot be chosen by
//! the user, so nothing made in a section can leave it.
//!
//! **Invariants.**
//! 1. A reference to a node's payload exists only if the payload was validated at open ([`Persistent::validate`]) or
//!    was written by this process through its type.
//! 2. Committed nodes are lent only as `&T`; no persistent type has interior mutability.
//! 3. `At<'p>` has the layout of `Self`: they differ in lifetimes alone.
//! 4. Padding bytes of a committed node are zero ([`Persistent::store`], [`Persistent::scrub`]).

use std::mem::MaybeUninit;

mod array;
mod checksum;
pub(crate) mod current;
mod hash;
mod impls;
pub(crate) mod layout;
pub(crate) mod niche;
mod node;
mod pointer;
mod registry;
mod schema;
mod short;
mod sum;
mod visit;

pub(crate) use array::{Array, Counts, Head, Lens, Places, Ranked, Slots, Utf8, single_bytes};
pub(crate) use checksum::payload_checksum;
pub use hash::{combine, hash_str};
pub use niche::Niche;
pub use node::{Node, NodeHeader, NodeType, TypeId32};
pub use pointer::{Brand, P};
pub(crate) use registry::Registry;
pub use registry::RegistryError;
pub use schema::{EnumRepr, Field, Kind, Scalar, Schema, Variant, describe};
pub(crate) use short::Short;
pub use visit::{Edge, Fault, Sharer, Space, Tracer, Visit};

/// What volatile fields are overwritten with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// What their types' `Default` gives: the user's code, which may give something else each time.
    ToDefaults,
    /// Zero bytes, for checksums: the same in each process and each version of the program.
    ToZeros,
}

/// A type that may live in a pool.
///
/// Derive it: `#[derive(Persistent)]` on a `#[repr(C)]` struct or a `#[repr(u8)]` / `#[repr(C, u8)]` enum. The
/// methods are the runtime's private contract with the derive and are not called by users.
///
/// # Safety
/// For the derive only. An implementation promises that
/// - `At<'p>` is `Self` with its brand replaced, so both have one layout;
/// - `WITNESS` is initialised;
/// - `validate` returns `Ok` only if the bytes are a valid `Self`, taking every pointer on trust of the edges it reports,
///   and volatile fields on trust of a later `reset` if the visitor does not judge them; it reads only initialised bytes
///   within `size_of::<Self>()`;
/// - `validate` and `trace` report exactly the pointers that the value owns, and `targets` the types of all that they may;
/// - `store` and `scrub` leave every byte either a field's or zero;
/// - the type has no `Drop` of its own, no interior mutability, no references and no thread affinity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot live in a pool",
    label = "not a persistent type",
    note = "a pool holds only types that derive `Persistent`, and the numbers, arrays, tuples, `Option` and `Result` made of them",
    note = "instead of `Box<T>`, `Rc<T>`, `&T` and raw pointers use `P<'p, T>`; heap types of the standard library (`Vec`, `String`, maps) hold addresses that die with the process",
    note = "cells, locks, atomics, functions, handles and clocks have no meaning after a crash: keep them outside the pool"
)]
pub unsafe trait Persistent: Sized + Send + Sync {
    /// The same type with its pool pointers branded `'p`.
    type At<'p>: Persistent;

    /// The type's name in schemas, without generic arguments.
    #[doc(hidden)]
    const NAME: &'static str;
    /// Hash of the name and of the generic arguments' names: how a pointer's target is named without a const cycle.
    #[doc(hidden)]
    const NAME_HASH: u64;
    /// Hash of the layout: names, offsets and layouts of fields; for pointers the target's `NAME_HASH`.
    #[doc(hidden)]
    const LAYOUT_HASH: u64;
    /// Whether a value may own pointers.
    #[doc(hidden)]
    const HAS_POINTERS: bool;
    /// Whether a value may have padding bytes.
    #[doc(hidden)]
    const HAS_PADDING: bool;
    /// Whether a value has fields that are re-initialised at open.
    #[doc(hidden)]
    const HAS_VOLATILE: bool = false;
    /// The invalid bit pattern in which the compiler keeps `None` of `Option<Self>`, if it keeps it in one.
    #[doc(hidden)]
    const NICHE: Option<Niche>;
    /// Any valid value, for compile-time checks of layouts; never stored, followed or dropped. Initialised; but a pointer in it
    /// points nowhere, so that it takes an `unsafe` to have it as a value.
    #[doc(hidden)]
    const WITNESS: MaybeUninit<Self>;

    /// The type's description, stored in the pool and compared at open.
    #[doc(hidden)]
    fn schema() -> &'static Schema;

    /// Adds the types of the nodes that values own directly, in any order and as often as they occur.
    ///
    /// It never goes on to what those nodes own, so that recursive types are finite.
    #[doc(hidden)]
    fn targets(types: &mut Vec<&'static NodeType>);

    /// Judges `size_of::<Self>()` bytes that may hold anything, and reports the pointers among them.
    ///
    /// # Safety
    /// `at` is aligned for `Self`, and that many bytes from it are initialised and not written meanwhile.
    #[doc(hidden)]
    unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault>;

    /// Reports the pointers that this value owns.
    #[doc(hidden)]
    fn trace(&self, tracer: &mut Tracer<'_>);

    /// A second owner of everything this value owns.
    ///
    /// # Safety
    /// Called by the runtime with the section that the value belongs to; the result must be owned by it.
    #[doc(hidden)]
    unsafe fn share(&self, sharer: &Sharer<'_>) -> Self;

    /// Copies the value's fields, and nothing else, to `to`.
    ///
    /// # Safety
    /// `this` is a valid value; `to` is aligned for `Self`, valid for writes of its size, apart from `this`, and zeroed.
    /// Ownership passes to the copy: the caller forgets one of the two.
    #[doc(hidden)]
    unsafe fn store(this: *const Self, to: *mut u8);

    /// Zeroes the padding of a valid value at `at`.
    ///
    /// # Safety
    /// `at` points to a valid `Self` to which no reference exists.
    #[doc(hidden)]
    unsafe fn scrub(at: *mut u8);

    /// Overwrites `#[persistent(volatile)]` fields of the value at `at`.
    ///
    /// # Safety
    /// `at` points to a `Self` to which no reference exists, valid but for its volatile fields. After [`Reset::ToZeros`] it is
    /// no value any more.
    #[doc(hidden)]
    unsafe fn reset(at: *mut u8, to: Reset) {
        let _ = (at, to);
    }
}
