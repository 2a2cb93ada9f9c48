//! The output of `#[functional]` in crates that forbid, shadow and rename what it might lean on.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused, nonstandard_style, unused_qualifications, unreachable_pub)]
#![deny(clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks)]

use pmem_runtime as renamed;

/// Names that the expansion must not resolve.
mod shadowed {
    #![no_implicit_prelude]
    #![allow(non_camel_case_types, dead_code, reason = "the names are there to be in the way")]

    pub(super) struct Option;
    pub(super) struct Result;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) struct Vec;
    pub(super) struct Persistent;
    pub(super) struct Fase;
    pub(super) struct P;
    pub(super) struct Clone;
    pub(super) struct Debug;
    pub(super) struct Ordering;
    pub(super) struct bool;
    pub(super) struct u8;
    pub(super) struct isize;

    /// Fields with the names of what the methods call their own.
    #[::pmem_runtime::functional]
    #[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(super) enum Record<T, const N: ::core::primitive::usize> {
        #[default]
        Node,
        Some {
            tx: T,
            left: Record<T, N>,
            right: ::core::option::Option<Record<T, N>>,
            r#type: [T; N],
            value: (T, Record<T, N>),
            node: [::core::option::Option<Record<T, N>>; 2],
        },
        r#Match(T),
    }

    #[::pmem_runtime::functional]
    impl<T, const N: ::core::primitive::usize> Record<T, N> {
        /// A version around it.
        pub(super) fn wrap(
            self,
            section: &::pmem_runtime::Fase,
            r#type: [T; N],
            (tx, value): (T, T),
        ) -> Self {
            let value = (value, Record::node());
            let node = [const { ::core::option::Option::None }; 2];
            Record::some(section, tx, self, ::core::option::Option::None, r#type, value, node)
        }
    }
}

/// The runtime under another path.
mod elsewhere {
    /// Made with the renamed runtime.
    #[super::renamed::functional(crate = super::renamed)]
    #[derive(Debug, PartialEq, Eq, Hash)]
    pub(super) enum Tree {
        Leaf,
        Empty,
        Node(Tree, u64),
    }

    #[super::renamed::functional(crate = super::renamed)]
    impl Tree {
        pub(super) fn up(self, tx: &super::renamed::Fase) -> Self {
            Tree::node(tx, self, 1)
        }
    }

    /// A part of a part.
    #[super::renamed::functional(crate = super::super::renamed)]
    pub(super) mod deeper {
        pub(in super::super) struct Pair(pub(crate) u8, u64);
    }
}

/// Nothing of the list is used.
#[renamed::functional]
enum Unused {
    End,
    Link { value: u64, rest: Unused },
}

#[derive(renamed::Persistent, Default)]
#[repr(C)]
struct Root<'p> {
    record: shadowed::Record<'p, u32, 2>,
    tree: Option<elsewhere::Tree<'p>>,
    pair: Option<elsewhere::deeper::Pair<'p>>,
}

#[test]
fn a_functional_type_does_not_depend_on_names_in_scope() {
    // If wrong: the attribute works only in crates that look like ours.
    let pool = renamed::Pool::<Root<'_>>::options().volatile().unwrap();
    renamed::persist_fase!(pool, |tx, root| {
        let record = std::mem::take(&mut root.record).wrap(tx, [1, 2], (3, 4));
        assert_eq!(record.share(tx).take(tx).build(tx), record);
        root.record = record.wrap_shared(tx, [5, 6], (7, 8));
        root.tree = Some(elsewhere::Tree::leaf().up(tx).up_shared(tx));
        root.pair = Some(elsewhere::deeper::Pair::new(tx, 1, 2));
        Ok(())
    })
    .unwrap();
    let now = pool.snapshot();
    assert_eq!(format!("{:?}", now.tree), "Some(Node(Node(Leaf, 1), 1))");
    assert!(
        format!("{:?}", now.record).starts_with("Some { tx: 7, left: Some { tx: 3, left: Node, right: None,")
    );
    assert!(now.pair.is_some());
}
