//! The derive's output in crates that forbid, shadow and rename what it might lean on.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused, nonstandard_style, unused_qualifications, unreachable_pub)]
#![deny(
    clippy::all,
    clippy::pedantic,
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block
)]
#![allow(dead_code, reason = "the types are derived on, and hardly used")]

use pmem_runtime as renamed;

/// Names that the expansion must not resolve.
mod shadowed {
    #![no_implicit_prelude]
    #![allow(non_camel_case_types, clippy::upper_case_acronyms)]

    pub(super) struct Option;
    pub(super) struct Result;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) struct Vec;
    pub(super) struct PhantomData;
    pub(super) struct Send;
    pub(super) struct Persistent;
    pub(super) struct u64;
    pub(super) struct bool;
    pub(super) struct at;
    pub(super) struct tag;
    pub(super) struct to;

    /// Fields with the names of the methods' parameters.
    #[derive(::pmem_runtime::Persistent)]
    #[repr(C)]
    pub(super) struct Record<'q, T, const N: ::core::primitive::usize> {
        pub(super) at: ::core::primitive::u64,
        pub(super) visit: T,
        pub(super) this: [T; N],
        pub(super) r#type: ::core::option::Option<::pmem_runtime::P<'q, Self>>,
    }

    /// Variants with the names of the trait's items.
    #[derive(::pmem_runtime::Persistent)]
    #[repr(C, u8)]
    pub(super) enum Choice<'__q, T> {
        At { to: T, tag: ::core::primitive::u8 },
        WITNESS(::pmem_runtime::P<'__q, T>),
        NAME,
        r#match,
    }
}

/// The runtime under another path.
mod elsewhere {
    /// Made with the renamed runtime.
    #[derive(super::renamed::Persistent)]
    #[persistent(crate = super::renamed)]
    #[repr(C)]
    pub(super) struct Pair(pub(super) u8, pub(super) u64);

    /// One variant only.
    #[derive(super::renamed::Persistent)]
    #[persistent(crate = super::renamed)]
    #[repr(u8)]
    pub(super) enum Only {
        It(u32),
    }

    /// No fields.
    #[derive(super::renamed::Persistent)]
    #[persistent(crate = super::renamed)]
    #[repr(C)]
    pub(super) struct Unit;
}

/// Public, with every attribute.
#[derive(renamed::Persistent)]
#[persistent(rename = "Entry", bound = "T: renamed::Persistent")]
#[repr(C)]
pub struct Everything<T> {
    /// Renamed.
    #[persistent(rename = "value")]
    pub amount: T,
    /// Volatile.
    #[persistent(volatile)]
    pub hits: u32,
}

#[test]
fn a_persistent_type_does_not_depend_on_names_in_scope() {
    // If wrong: deriving works only in crates that look like ours.
    fn persistent<T: renamed::Persistent>() -> &'static str {
        T::NAME
    }
    assert_eq!(persistent::<shadowed::Record<'_, u32, 3>>(), "Record");
    assert_eq!(persistent::<shadowed::Choice<'_, u64>>(), "Choice");
    assert_eq!(persistent::<elsewhere::Pair>(), "Pair");
    assert_eq!(persistent::<elsewhere::Only>(), "Only");
    assert_eq!(persistent::<elsewhere::Unit>(), "Unit");
    assert_eq!(persistent::<Everything<u8>>(), "Entry");
}
