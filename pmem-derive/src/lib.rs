//! The macros of pmem-runtime.
//!
//! # `#[derive(Persistent)]`
//!
//! Makes a struct or enum a type that may live in a pool: it tells the runtime where the value's pointers are, which
//! of its bytes are padding, and how to judge bytes that a file claims to be such a value.
//!
//! ```ignore
//! use pmem_runtime::{P, Persistent};
//!
//! #[derive(Persistent)]
//! #[repr(C)]
//! struct Account<'p> {
//!     cents: i64,
//!     #[persistent(volatile)]
//!     reads_since_open: u64,
//!     previous: Option<P<'p, Account<'p>>>,
//! }
//!
//! #[derive(Persistent)]
//! #[repr(C, u8)]
//! enum Event {
//!     Opened,
//!     #[persistent(rename = "Deposited")]
//!     Paid { cents: i64 },
//! }
//! ```
//!
//! ## What is accepted
//!
//! - Structs with `#[repr(C)]` or `#[repr(transparent)]`.
//! - Enums with an integer `repr` of fixed width, `#[repr(u8)]` to `#[repr(i64)]`, alone or as `#[repr(C, u8)]`, with
//!   variants of all kinds and explicit discriminants. An enum has at least one variant.
//! - Generic types. Each type parameter must be `Persistent`; other bounds stand on the functions that need them, for
//!   the type is used with its parameters under every section's brand. Functions that use `P`'s methods bind them as
//!   `T: Persistent<At<'p> = T>`. At most one lifetime, by convention `'p`: the section that the value's pointers belong
//!   to. Constants.
//! - Recursive types, through `P<'p, Self>`.
//!
//! Every field's type is `Persistent` too: all numbers, `bool`, `char`, `NonZero`, arrays, tuples up to eight,
//! `PhantomData`, `Option` and `Result` of such types, `P`, the runtime's collections, and what derives the trait. `usize` and
//! `isize` are among the numbers: pools exist on 64-bit machines only, where they have one width. (As an enum's `repr` they
//! are refused.)
//!
//! Not accepted, with an error that says what to write instead: unions; `repr(packed)` and alignments above 16; a
//! `Drop` of the type's own; references, raw pointers, functions, trait objects; pointers under another brand than
//! the type's own, also behind an alias; `?Sized` parameters. All errors of one item are reported at once.
//!
//! **`Drop`.** A value in a pool outlives the program, is dropped by the runtime when no version holds it any more, and is copied
//! when two versions do, so code of the user's could not be run once for each value. An `impl Drop` is the compiler's error E0119,
//! which names the trait `PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead`: remove the `impl Drop`, and do what it
//! did in the section that takes the value out, or after it. Nodes need no such code: they are freed with their last owner.
//!
//! ## Other derives on a generic type
//!
//! The standard derives bound each type parameter by the trait that they derive, and by nothing else; but a collection
//! is `Debug`, `PartialEq` and so on only if its elements are also `Persistent`. Write that bound on the item, which the
//! derives then repeat. (`#[functional]` adds it by itself.)
//!
//! ```ignore
//! #[derive(Persistent, PartialEq, Debug)]
//! #[repr(C)]
//! struct Plain<'p, V: Persistent> {
//!     kids: Vector<'p, V>,
//! }
//! ```
//!
//! ## Attributes
//!
//! On the type:
//! - `#[persistent(rename = "Name")]`: the name in the pool's schema, so that the type can be renamed in the program.
//! - `#[persistent(bound = "T: Persistent")]`: bounds in place of the inferred ones.
//! - `#[persistent(crate = path)]`: where the runtime is, if not at `::pmem_runtime`.
//!
//! On a variant:
//! - `#[persistent(rename = "Name")]`.
//!
//! On a field:
//! - `#[persistent(rename = "name")]`.
//! - `#[persistent(volatile)]`, in structs: the field is set to its `Default` at each open. Its type has no pointers. The
//!   `Default` should not panic: the panic would go out of `open`, at each open of a pool that holds such a value.
//!
//! ## Layout
//!
//! A struct's fields lie as `repr(C)` says. An enum's tag is an integer at its start; fields follow as the Reference
//! defines for `repr(u8)` (a union of structs that begin with the tag) and `repr(C, u8)` (the tag, then a union of
//! structs). Offsets and tags are not computed but measured while compiling, on a witness of each variant. Tuples,
//! `Option` and `Result` lie as the compiler likes: their layouts are measured and proved while compiling, and are
//! part of the type's layout hash, so a pool written under another layout is refused.
//!
//! The generated code is meant to be read: `golden/` in the sources has examples.

mod check;
mod emit;
mod errors;
mod functional;
#[cfg(test)]
mod golden;
mod input;
mod nearest;

use proc_macro2::TokenStream;

use errors::Errors;
use input::Container;

/// Derives `Persistent`; the [crate's page](crate) says for what and with which attributes.
#[proc_macro_derive(Persistent, attributes(persistent))]
pub fn derive_persistent(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input.into()).into()
}

/// Recursive types as crash-safe nodes that share structure, without boxes, lifetimes or `unsafe`.
///
/// ```ignore
/// #[functional]
/// #[derive(Debug, Default, PartialEq, Eq)]
/// enum Tree<K, V> {
///     #[default]
///     Leaf,
///     Node { left: Tree<K, V>, key: K, value: V, right: Tree<K, V> },
/// }
///
/// #[functional]
/// impl<K: Ord, V> Tree<K, V> {
///     fn insert(self, tx: &Fase, key: K, value: V) -> Self {
///         match self.take(tx) {
///             TreeParts::Leaf => Tree::node(tx, Tree::leaf(), key, value, Tree::leaf()),
///             TreeParts::Node { left, key: at, value: old, right } if key < at => {
///                 Tree::node(tx, left.insert(tx, key, value), at, old, right)
///             }
///             TreeParts::Node { left, key: at, value: old, right } if key > at => {
///                 Tree::node(tx, left, at, old, right.insert(tx, key, value))
///             }
///             TreeParts::Node { left, right, .. } => Tree::node(tx, left, key, value, right),
///         }
///     }
/// }
/// ```
///
/// # What is accepted
///
/// **An enum or a struct**, generic or not, whose fields may hold the type itself, alone or in an `Option`, an array, a tuple, a
/// `P`, or a collection. It is written without a lifetime: the type, and in its fields its own name, `Self`, and the runtime's `P`,
/// `Map`, `Set`, `OrdMap`, `OrdSet`, `Vector`, `Stack`, `Queue`, `PriorityQueue`, `Text` and `Bytes`, get the brand `'p`. For another
/// type that has a brand write `'_`. A macro sees names, not what they mean: a type of your own that is called `Text` or `Map`, at
/// the end of a path too, gets the brand as well. If it has no lifetime, the compiler says that it takes 0 lifetime arguments: give
/// it another name where `#[functional]` sees it (`use mine::Text as Words;`). Type parameters are `Persistent`; other bounds stand
/// on the impl blocks. Inside its own definition the type keeps its parameters: `Tree<K, V>`, not `Tree<V, K>`.
///
/// **A module**, `#[functional] mod trees { .. }`: its enums and structs, but for those that derive `Persistent` themselves, are a group
/// whose names know each other. Everything else in it stays as it is.
///
/// **An `impl` block** of such a type, and **a method** in a block that has its brands.
///
/// `#[functional(crate = path)]` says where the runtime is, as seen from where the types stand, if not at `::pmem_runtime`.
///
/// # What is made of a type
///
/// | | |
/// |---|---|
/// | `Tree<'p, K, V>` | the handle. One word if at most one variant has no fields, else two. It derives `Persistent`. |
/// | `Tree::leaf()` | for each variant without fields: `const`, and no node |
/// | `Tree::node(tx, left, key, value, right)` | for each other variant, named in snake case (after a keyword follows `_`); `new` for a struct |
/// | `tree.view()` | `TreeView`: a `Copy` enum (or struct) of references, to `match` on |
/// | `tree.take(tx)` | `TreeParts`: the fields; moved out if nobody else owns the node, else shared. `parts.build(tx)` is the way back. |
/// | `tree.make_mut(tx)` | `TreeMut`: `&mut` fields, in place if this section made the node and nobody else owns it, else in a copy |
/// | `tree.share(tx)` | a second owner: how an old version is kept |
/// | `Tree::ptr_eq(&one, &two)`, `tree.is_leaf()` | |
/// | `tree.with_key(tx, key)` | for a field that all variants with fields have; a variant without fields stays what it is |
/// | `pair.first()` | the same field by reference, if there is no variant without fields |
///
/// All have the visibility and carry the documentation of the item; lint attributes are put on all that is made. Each operation costs
/// O(size of one node). The node takes 16 bytes of header and its fields, rounded up to 64.
///
/// `Debug`, `Default` (of a variant without fields), `PartialEq`, `Eq`, `PartialOrd`, `Ord` and `Hash` are implemented if the item derives
/// them (below `#[functional]`), with the results that the standard derives give on the plain type. They do not recurse over values
/// of the group, in whatever of options, arrays, tuples and `P` these lie; through collections they go as deep as collections are nested in each
/// other. Where the type is `Eq` (for the order: `Ord`) one node is equal to itself without being looked into, so that comparing
/// two versions costs what differs. `Debug` prints `..` for what lies in 64 other values. The implementations require of each type
/// parameter the trait and `Persistent`, so that they go through collections; of a parameter in the key of a `Map` or the element of
/// a `Set`, `PartialEq` and `Eq` require `Hash` and `Eq` as well.
///
/// # What is made of methods
///
/// In an `impl` block the type, its `TreeParts`, `Fase` and the runtime's types get the brand `'p`, and each type parameter of the
/// type the bound `K: Persistent<At<'p> = K>`. `'p` may be written where another type needs it.
///
/// A method that takes `&Fase` and `self` or `&self` makes a new version. It must return one: `Self`, the type, or a tuple, an `Option`, a
/// `Result` with it. `&mut self` is an error, since no old version would be left. The other form is made too: from `insert(self, tx, ..)`,
/// which gives the old version up and may use its nodes, comes `insert_shared(&self, tx, ..)`, which keeps it; from `insert(&self, tx, ..)` comes
/// `insert_owned(self, tx, ..)`, which gives it up. A form that the block has already is not made. All other methods, and
/// blocks that implement a trait, get the brand and the bounds only.
///
/// On a method in a block that has its brands already, `#[functional]` checks the same and makes the other form.
///
/// # Errors
///
/// All of an item are reported at once, with what to write instead: a lifetime, a `repr`, bounds, a `cfg` inside; boxes around the type; references
/// and whatever else a pool cannot keep; variants with braces and nothing in them, or with numbers; types without a node, or without an
/// end; `Clone`, `Copy` and other derives; names of methods that would be there twice. A method of the same name in an impl block of the user's is
/// the compiler's error.
///
/// The generated code is meant to be read: `golden/functional_*` in the sources has examples.
#[proc_macro_attribute]
pub fn functional(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    functional::expand(arguments.into(), item.into()).into()
}

/// Parse, check, emit.
fn expand(input: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let errors = Errors::new();
    let container = Container::parse(&input, &errors);
    check::check(&container, &errors);
    match errors.finish() {
        Some(errors) => emit::fallback(&container, errors),
        None => emit::persistent(&container),
    }
}
