//! How types are named, described and told apart.

use pmem_runtime::persist::describe;
use pmem_runtime::{P, Persistent};

use crate::types::{Generic, Shape, Tree};

/// One struct of the given name and fields, in a module of its own.
macro_rules! version {
    ($module:ident: $($field:ident: $ty:ty),*) => {
        mod $module {
            #[derive(pmem_runtime::Persistent)]
            #[repr(C)]
            pub(super) struct Account { $(pub(super) $field: $ty),* }
        }
    };
}

version!(original: owner: u32, cents: i32);
version!(same: owner: u32, cents: i32);
version!(renamed_field: holder: u32, cents: i32);
version!(reordered: cents: i32, owner: u32);
version!(retyped: owner: u32, cents: u32);
version!(longer: owner: u32, cents: i32, open: bool);

/// A field renamed in the program keeps its name in the pool.
#[derive(Persistent)]
#[persistent(rename = "Account")]
#[repr(C)]
struct Customer {
    #[persistent(rename = "owner")]
    holder: u32,
    cents: i32,
}

#[test]
fn a_changed_layout_has_another_hash_and_an_unchanged_one_has_not() {
    // If wrong: a pool is opened with a type that it was not written with, or refused for none.
    let original = original::Account::LAYOUT_HASH;
    assert_eq!(original, same::Account::LAYOUT_HASH);
    assert_eq!(original, Customer::LAYOUT_HASH);
    let changed = [
        renamed_field::Account::LAYOUT_HASH,
        reordered::Account::LAYOUT_HASH,
        retyped::Account::LAYOUT_HASH,
        longer::Account::LAYOUT_HASH,
    ];
    for hash in changed {
        assert_ne!(original, hash);
    }
    assert_ne!(<Option<u8>>::LAYOUT_HASH, <Option<i8>>::LAYOUT_HASH);
    assert_ne!(<[u8; 2]>::LAYOUT_HASH, <[u8; 3]>::LAYOUT_HASH);
    assert_ne!(<(u8, u16)>::LAYOUT_HASH, <(u16, u8)>::LAYOUT_HASH);
    assert_ne!(<P<'_, Generic<u8, 1>>>::LAYOUT_HASH, <P<'_, Generic<u8, 2>>>::LAYOUT_HASH);
    let customer = Customer { holder: 1, cents: 2 };
    assert_eq!(i64::from(customer.holder) + i64::from(customer.cents), 3);
}

#[test]
fn a_schema_names_every_type_field_and_offset() {
    // If wrong: a pool cannot be read without the program that wrote it.
    assert_eq!(
        describe(Shape::schema),
        "enum Shape size 24 align 8 tag 1\n  Unit = 0\n  Tuple = 1\n    0 @8 u8\n    1 @16 u64\n  Named = 2\n    \
         letter @8 char\n    flag @12 bool\n  Nested = 3\n    0 @8 Option<Color>\nscalar u8 size 1 align 1 Unsigned\n\
         scalar u64 size 8 align 8 Unsigned\nscalar char size 4 align 4 Char\nscalar bool size 1 align 1 Bool\n\
         enum Option<Color> size 1 align 1 niche @0 1\n  None = 0\n  Some = 0\n    0 @0 Color\n\
         enum Color size 1 align 1 tag 1\n  Red = 1\n  Green = 2\n  Blue = 4\n"
    );
}

#[test]
fn a_recursive_schema_ends() {
    // If wrong: describing a tree never comes back.
    let text = describe(<Tree<'_, (u8, u32)>>::schema);
    assert!(text.starts_with(
        "enum Tree<(u8, u32)> size 40 align 8 tag 1\n  Leaf = 0\n  Node = 1\n    left @8 P<Tree<"
    ));
    assert_eq!(text.matches("enum Tree<").count(), 1);
    assert!(
        text.contains("enum Option<P<Tree<(u8, u32)>>> size 8 align 8 niche @0 8\n  None = 0\n  Some = 0\n")
    );
    assert!(text.contains("    1 @24 Result<P<(u8, u32)>, u8>\n"));
}

#[test]
fn the_witness_of_an_enum_is_its_first_variant() {
    // If wrong: layouts are measured on a variant that nobody expects.
    // SAFETY: witnesses are initialised.
    assert_eq!(unsafe { Shape::WITNESS.assume_init() }, Shape::Unit);
    assert!(
        // SAFETY: as above.
        matches!(unsafe { <Tree<'_, u8>>::WITNESS.assume_init_ref() }, Tree::Leaf)
    );
}
