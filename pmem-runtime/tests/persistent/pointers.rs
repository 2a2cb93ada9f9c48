//! Types that own nodes.

use std::mem::ManuallyDrop;

use pmem_runtime::{P, Persistent};

use crate::laws::{Buffer, check, store_into, trace, validate};
use crate::types::{List, Tree};

/// A pointer that is never followed and must not be dropped.
fn pointer<T>(address: u64) -> P<'static, T> {
    // SAFETY: a pointer is one word that is not zero; it is stored and compared, never followed.
    unsafe { std::mem::transmute::<u64, P<'static, T>>(address) }
}

#[test]
fn every_pointer_of_a_value_is_reported_once_and_in_order() {
    // If wrong: recovery frees a node that is in use, or keeps one that is not.
    check(vec![List { value: 1, next: None }, List { value: 2, next: Some(pointer(64)) }]);
    check::<Tree<'_, u8>>(vec![
        Tree::Leaf,
        Tree::Node { left: pointer(128), key: 1, right: pointer(64) },
        Tree::Many([None, Some(pointer(192))], Err(1)),
        Tree::Many([Some(pointer(64)), None], Ok(pointer(256))),
    ]);
    let node: Tree<'_, u8> = Tree::Node { left: pointer(128), key: 1, right: pointer(64) };
    let tree = ManuallyDrop::new(node);
    assert_eq!(trace(&*tree), [128, 64]);
}

#[test]
fn options_of_pointing_types_are_told_apart_from_them() {
    // If wrong: an absent value is read as one with wild pointers.
    let list = |address| List { value: 1, next: Some(pointer(address)) };
    check::<Option<List<'_>>>(vec![None, Some(list(64)), Some(List { value: 2, next: None })]);
    check::<Option<Option<P<'_, u8>>>>(vec![None, Some(None), Some(Some(pointer(64)))]);
    check::<Option<(u32, P<'_, u8>)>>(vec![None, Some((1, pointer(64)))]);
    check::<Option<Tree<'_, u8>>>(vec![None, Some(Tree::Leaf), Some(Tree::Many([None, None], Err(2)))]);
    check::<Result<P<'_, u8>, ()>>(vec![Ok(pointer(64)), Err(())]);
}

#[test]
fn a_pointer_to_no_line_of_the_heap_is_refused() {
    // If wrong: a damaged pool makes the program read arbitrary memory.
    let list = ManuallyDrop::new(List { value: 1, next: Some(pointer(64)) });
    let good = store_into(&*list, Buffer::filled::<List<'_>>(0));
    for bad in [1_u64, 63, 65, 1 << 40, u64::MAX] {
        let mut buffer = good.clone();
        buffer.bytes_mut()[8..16].copy_from_slice(&bad.to_le_bytes());
        let fault = validate::<List<'_>>(&buffer).expect_err("it is no node");
        assert_eq!((fault.at, fault.found), (buffer.at() as u64 + 8, bad));
    }
}

#[test]
fn another_brand_changes_no_layout() {
    // If wrong: a value is read through a type of another shape (invariant 3 of `persist`).
    fn same_layout<T: Persistent>() {
        assert_eq!(size_of::<T>(), size_of::<T::At<'static>>());
        assert_eq!(align_of::<T>(), align_of::<T::At<'static>>());
        assert_eq!(T::LAYOUT_HASH, <T::At<'static> as Persistent>::LAYOUT_HASH);
    }
    same_layout::<List<'_>>();
    same_layout::<Tree<'_, u64>>();
    same_layout::<Option<Tree<'_, List<'_>>>>();
    same_layout::<Result<(P<'_, u8>, bool), [List<'_>; 2]>>();
}
