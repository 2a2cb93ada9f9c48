//! The laws, on a spread of types.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::NonZero;

use pmem_runtime::Persistent;

use crate::laws::{check, check_equal};
use crate::types::{Cents, Color, Far, Generic, Outer, PADDED, Padded, Shape, Sign, Tie, Unit, Wide};

/// The type itself, and `Option`s of it three deep.
fn with_options<T: Persistent + Copy + PartialEq + Debug>(values: &[T]) {
    check_equal(values.to_vec());
    let one: Vec<Option<T>> = [None].into_iter().chain(values.iter().copied().map(Some)).collect();
    let two: Vec<Option<Option<T>>> = [None].into_iter().chain(one.iter().copied().map(Some)).collect();
    let three: Vec<Option<Option<Option<T>>>> =
        [None].into_iter().chain(two.iter().copied().map(Some)).collect();
    check_equal(one);
    check_equal(two);
    check_equal(three);
}

#[test]
fn numbers_and_their_options_keep_their_bytes() {
    // If wrong: a number or the absence of one is another after a restart.
    with_options(&[0_u8, 1, u8::MAX]);
    with_options(&[0_u16, 1, u16::MAX]);
    with_options(&[0_u32, 1, u32::MAX]);
    with_options(&[0_u64, 1, u64::MAX]);
    with_options(&[0_u128, 1, u128::MAX]);
    with_options(&[0_usize, 1, usize::MAX]);
    with_options(&[0_isize, -1, isize::MIN]);
    with_options(&[i8::MIN, -1, i8::MAX]);
    with_options(&[i16::MIN, -1, i16::MAX]);
    with_options(&[i32::MIN, -1, i32::MAX]);
    with_options(&[i64::MIN, -1, i64::MAX]);
    with_options(&[i128::MIN, -1, i128::MAX]);
    with_options(&[0.0_f32, -1.5, f32::INFINITY]);
    with_options(&[0.0_f64, -1.5, f64::MAX]);
    with_options(&[false, true]);
    with_options(&['\0', 'x', '\u{d7ff}', '\u{e000}', char::MAX]);
    with_options(&[NonZero::<u8>::MIN, NonZero::<u8>::MAX]);
    with_options(&[NonZero::<u16>::MIN, NonZero::<u16>::MAX]);
    with_options(&[NonZero::<u32>::MIN, NonZero::<u32>::MAX]);
    with_options(&[NonZero::<u64>::MIN, NonZero::<u64>::MAX]);
    with_options(&[NonZero::<u128>::MIN, NonZero::<u128>::MAX]);
    with_options(&[NonZero::<usize>::MIN, NonZero::<usize>::MAX]);
    with_options(&[NonZero::<i8>::MIN, NonZero::<i8>::MAX]);
    with_options(&[NonZero::<i64>::MIN, NonZero::<i64>::MAX]);
    with_options(&[NonZero::<i128>::MIN, NonZero::<i128>::MAX]);
}

#[test]
fn types_without_bytes_have_options_with_one() {
    // If wrong: `Some(())` and `None` cannot be told apart after a restart.
    with_options(&[()]);
    with_options(&[PhantomData::<u64>]);
    with_options::<[u32; 0]>(&[[]]);
    with_options(&[Unit]);
    with_options(&[((), ())]);
}

#[test]
fn arrays_and_tuples_keep_their_elements_and_nothing_between() {
    // If wrong: memory of the program leaks into the pool through gaps, or elements are lost.
    with_options(&[[true, false, true]]);
    with_options(&[[1_u8; 3]]);
    with_options(&[[(1_u8, 2_u16), (3, 4)]]);
    with_options(&[(1_u8,)]);
    with_options(&[(1_u8, 2_u64)]);
    with_options(&[(1_u8, 2_u64, true)]);
    with_options(&[(1_u8, true, 2_u64, false)]);
    with_options(&[(1_u8, 2_u16, 3_u32, 4_u64, 5_u128)]);
    with_options(&[(true, 'x', 1_u8, (), 2_u32, 3_u16)]);
    with_options(&[(true, 'x', 1_u8, (), 2_u32, 3_u16, [1_u8; 5])]);
    with_options(&[(1_u8, 2_u16, 3_u8, 4_u32, 5_u8, 6_u64, 7_u8, Some(8_u16))]);
}

#[test]
fn results_keep_their_side() {
    // If wrong: an `Ok` is an `Err` after a restart.
    with_options::<Result<u64, u8>>(&[Ok(u64::MAX), Err(7)]);
    with_options::<Result<u8, u64>>(&[Ok(7), Err(u64::MAX)]);
    with_options::<Result<u32, u32>>(&[Ok(7), Err(7)]);
    with_options::<Result<(), ()>>(&[Ok(()), Err(())]);
    with_options::<Result<(), bool>>(&[Ok(()), Err(false), Err(true)]);
    with_options::<Result<char, ()>>(&[Ok('x'), Err(())]);
    with_options::<Result<NonZero<u64>, ()>>(&[Ok(NonZero::<u64>::MIN), Err(())]);
    with_options::<Result<bool, bool>>(&[Ok(true), Err(true)]);
    with_options::<Result<(u32, bool), u8>>(&[Ok((1, true)), Err(9)]);
    with_options::<Result<u16, (u64, Color)>>(&[Ok(1), Err((9, Color::Blue))]);
    with_options::<Result<Padded, Option<bool>>>(&[Ok(PADDED), Err(None), Err(Some(true))]);
    with_options::<Result<u64, ()>>(&[Ok(1), Err(())]);
    with_options::<Result<[u32; 0], u8>>(&[Ok([]), Err(1)]);
}

#[test]
fn derived_structs_keep_their_fields_and_nothing_between() {
    // If wrong: memory of the program leaks into the pool through gaps, or fields are lost.
    with_options(&[PADDED]);
    with_options(&[Cents(-5)]);
    with_options(&[Tie { a: 1, b: true, c: false, d: 9 }]);
    with_options(&[Generic { head: 1_u8, rest: [2, 3], mark: PhantomData }]);
    with_options(&[Generic { head: Some(PADDED), rest: [None], mark: PhantomData }]);
    with_options(&[
        Outer { inner: PADDED, tuple: (1, 2, true), option: None, small: None, nothing: () },
        Outer {
            inner: PADDED,
            tuple: (1, 2, true),
            option: Some(PADDED),
            small: NonZero::new(5),
            nothing: (),
        },
    ]);
}

#[test]
fn derived_enums_keep_their_variant_and_its_fields() {
    // If wrong: a variant is another one after a restart, or carries bytes of the one before it.
    with_options(&[Color::Red, Color::Green, Color::Blue]);
    with_options(&[Sign::Minus, Sign::Zero, Sign::Plus]);
    with_options(&[
        Shape::Unit,
        Shape::Tuple(1, u64::MAX),
        Shape::Named { letter: 'x', flag: true },
        Shape::Nested(None),
        Shape::Nested(Some(Color::Blue)),
    ]);
    with_options(&[Wide::Named { x: u64::MAX }, Wide::Tuple(255), Wide::Unit]);
    with_options(&[Far::Left(1), Far::Right([1, 2, 3])]);
    check(vec![(Shape::Unit, Sign::Minus), (Shape::Tuple(1, 2), Sign::Plus)]);
}
