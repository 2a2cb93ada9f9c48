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
//! Every field's type is `Persistent` too: numbers of fixed width, `bool`, `char`, `NonZero`, arrays, tuples up to
//! eight, `PhantomData`, `Option` and `Result` of such types, `P`, and what derives the trait.
//!
//! Not accepted, with an error that says what to write instead: unions; `repr(packed)` and alignments above 16; a
//! `Drop` of the type's own; references, raw pointers, functions, trait objects; pointers under another brand than
//! the type's own, also behind an alias; `?Sized` parameters. All errors of one item are reported at once.
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
//! - `#[persistent(volatile)]`, in structs: the field is set to its `Default` at each open. Its type has no pointers.
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

/// Turns recursive types into crash-safe nodes with shared structure.
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
