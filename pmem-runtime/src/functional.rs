//! What the output of `#[functional]` calls: comparisons in one walk, and `Debug` with a bound.
//!
//! **Problem.** A user's list of a million nodes is compared, hashed and printed like the plain type that it stands for, but the
//! standard derives recurse. The generated code walks with a list of what is still to do; the three comparisons differ only
//! in what they ask of fields, and are operators on the same walk.
//!
//! **Words.** An *operator* says how plain fields are compared. A *walk* ends with the first fields that are not equal.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt::{self, Formatter};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// How values differ: their order if they have one.
pub type Unequal = Option<Ordering>;

/// An operator.
pub trait Comparison {
    /// Whether a node equals itself, so that it need not be looked into. It does if all that is in it is `Eq`.
    const SAME_NODE_IS_EQUAL: bool;
}

/// An operator on values of a type.
pub trait Compare<T: ?Sized>: Comparison {
    /// `Ok` if they are equal.
    fn compare(left: &T, right: &T) -> Result<(), Unequal>;
}

/// A comparison that does not recurse.
pub trait Walk<'a, O> {
    /// `Ok` if they are equal, else how the first fields differ that do.
    fn walk(left: &'a Self, right: &'a Self) -> Result<(), Unequal>;
}

/// `PartialEq`; whether the values are `Eq`.
#[derive(Debug)]
pub enum ByEq<const IS_EQ: bool> {}

/// `PartialOrd`; whether the values are `Ord`.
#[derive(Debug)]
pub enum ByPartialOrd<const IS_ORD: bool> {}

/// `Ord`.
#[derive(Debug)]
pub enum ByOrd {}

impl<const IS_EQ: bool> Comparison for ByEq<IS_EQ> {
    const SAME_NODE_IS_EQUAL: bool = IS_EQ;
}

impl<const IS_ORD: bool> Comparison for ByPartialOrd<IS_ORD> {
    const SAME_NODE_IS_EQUAL: bool = IS_ORD;
}

impl Comparison for ByOrd {
    const SAME_NODE_IS_EQUAL: bool = true;
}

impl<const IS_EQ: bool, T: PartialEq> Compare<T> for ByEq<IS_EQ> {
    fn compare(left: &T, right: &T) -> Result<(), Unequal> {
        if left == right { Ok(()) } else { Err(None) }
    }
}

impl<const IS_ORD: bool, T: PartialOrd> Compare<T> for ByPartialOrd<IS_ORD> {
    fn compare(left: &T, right: &T) -> Result<(), Unequal> {
        equal_if(left.partial_cmp(right))
    }
}

impl<T: Ord> Compare<T> for ByOrd {
    fn compare(left: &T, right: &T) -> Result<(), Unequal> {
        equal_if(Some(left.cmp(right)))
    }
}

fn equal_if(order: Unequal) -> Result<(), Unequal> {
    if order == Some(Ordering::Equal) { Ok(()) } else { Err(order) }
}

/// The order of two variants.
pub fn in_order(left: isize, right: isize) -> Result<(), Unequal> {
    equal_if(Some(left.cmp(&right)))
}

/// The order that a walk has found.
#[must_use]
pub fn ordering(walked: Result<(), Unequal>) -> Option<Ordering> {
    match walked {
        Ok(()) => Some(Ordering::Equal),
        Err(order) => order,
    }
}

/// The order that a walk by `Ord` has found, which is always one.
#[must_use]
pub fn total(walked: Result<(), Unequal>) -> Ordering {
    ordering(walked).expect("`Ord` orders all values")
}

/// Names a type that must be `Eq`.
#[derive(Debug)]
pub struct AssertEq<T: Eq>(PhantomData<T>);

/// Hashes the length of an array as its own `Hash` does, before its elements.
pub fn hash_length<T, H: Hasher, const N: usize>(_: &[T; N], state: &mut H) {
    // A slice of units is its length and nothing.
    [(); N].hash(state);
}

/// Values of functional types inside each other that are printed; what is deeper is shown as `..`. A balanced tree of
/// any size fits; a list, which is as deep as it is long, would overflow the stack.
const DEBUG_DEPTH_MAX: u32 = 64;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Prints one value, or `..` if it lies too deep in others.
///
/// # Errors
/// Those of the formatter.
pub fn debug_within(
    f: &mut Formatter<'_>,
    print: impl FnOnce(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    struct Leave(u32);
    impl Drop for Leave {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let depth = DEPTH.get();
    if depth >= DEBUG_DEPTH_MAX {
        return f.write_str("..");
    }
    let _leave = Leave(depth);
    DEPTH.set(depth + 1);
    print(f)
}
