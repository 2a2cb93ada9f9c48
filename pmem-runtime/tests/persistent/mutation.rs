//! Bytes that nobody stored: accepted if and only if a plain description of the type accepts them.

use std::fmt::Debug;
use std::num::NonZero;

use pmem_runtime::Persistent;
use proptest::prelude::{ProptestConfig, any, proptest};

use crate::laws::{Buffer, store_into, validate};
use crate::types::{Color, PADDED, Padded, Shape, Sign, Wide};

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn is_char(word: u32) -> bool {
    word < 0xd800 || (0xe000..0x11_0000).contains(&word)
}

// Written from the Reference's rules for `repr`, by hand.
fn padded(bytes: &[u8]) -> bool {
    bytes[8] <= 1
}

fn color(bytes: &[u8]) -> bool {
    matches!(bytes[0], 1 | 2 | 4)
}

fn optional_color(bytes: &[u8]) -> bool {
    matches!(bytes[0], 0 | 1 | 2 | 4)
}

fn sign(bytes: &[u8]) -> bool {
    matches!(bytes[0], 0 | 1 | 255)
}

fn shape(bytes: &[u8]) -> bool {
    match bytes[0] {
        0 | 1 => true,
        2 => is_char(word(bytes, 8)) && bytes[12] <= 1,
        3 => optional_color(&bytes[8..]),
        _ => false,
    }
}

fn wide(bytes: &[u8]) -> bool {
    matches!(u16::from_le_bytes([bytes[0], bytes[1]]), 3 | 300 | 65535)
}

fn option_bool(bytes: &[u8]) -> bool {
    bytes[0] <= 2
}

fn option_u64(bytes: &[u8]) -> bool {
    matches!(&bytes[..8], [0 | 1, 0, 0, 0, 0, 0, 0, 0])
}

fn nonzero(bytes: &[u8]) -> bool {
    bytes[..4] != [0; 4]
}

fn mixed(bytes: &[u8]) -> bool {
    is_char(word(bytes, 0)) && nonzero(&bytes[4..]) && option_bool(&bytes[8..]) && color(&bytes[9..])
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Mixed {
    letter: char,
    count: NonZero<u32>,
    maybe: Option<bool>,
    color: Color,
}

const MIXED: Mixed = Mixed { letter: 'x', count: NonZero::<u32>::MIN, maybe: None, color: Color::Red };

/// The verdict is the oracle's, and accepted bytes are a value that stores as itself.
fn judge<T: Persistent + Debug>(buffer: &Buffer, oracle: fn(&[u8]) -> bool) {
    let verdict = validate::<T>(buffer);
    assert_eq!(verdict.is_ok(), oracle(buffer.bytes()), "{} {:?}: {verdict:?}", T::NAME, buffer.bytes());
    if let Err(fault) = verdict {
        let offset = fault.at.checked_sub(buffer.at() as u64).expect("a fault lies in the value");
        assert!(offset < buffer.bytes().len() as u64);
        return;
    }
    // SAFETY: just accepted.
    let value: &T = unsafe { buffer.value() };
    assert!(!format!("{value:?}").is_empty());
    let stored = store_into(value, Buffer::filled::<T>(0));
    let kept = store_into(value, buffer.clone());
    assert_eq!(kept.bytes(), buffer.bytes(), "storing a value over itself changes it");
    assert!(validate::<T>(&stored).is_ok());
}

/// Every value of every single byte.
fn every_byte<T: Persistent + Debug>(value: T, oracle: fn(&[u8]) -> bool) {
    let stored = store_into(&value, Buffer::filled::<T>(0));
    for index in 0..size_of::<T>() {
        for byte in 0..=255 {
            let mut buffer = stored.clone();
            buffer.bytes_mut()[index] = byte;
            judge::<T>(&buffer, oracle);
        }
    }
}

#[test]
fn one_wrong_byte_is_refused_or_another_valid_value() {
    // If wrong: opening a damaged pool is undefined behaviour, or a good one is refused.
    every_byte(true, |bytes| bytes[0] <= 1);
    every_byte('x', |bytes| is_char(word(bytes, 0)));
    every_byte(NonZero::<u32>::MIN, nonzero);
    every_byte(Some(NonZero::<u32>::MIN), |_| true);
    every_byte(Some(true), option_bool);
    every_byte(Some(Some(true)), |bytes| bytes[0] <= 3);
    every_byte(Some(7_u64), option_u64);
    every_byte(None::<u64>, option_u64);
    every_byte(Ok::<u8, bool>(1), |bytes| bytes[0] == 0 || bytes[0] == 1 && bytes[1] <= 1);
    every_byte(PADDED, padded);
    every_byte(Some(PADDED), |bytes| bytes[8] <= 2);
    every_byte(Color::Green, color);
    every_byte(Some(Color::Green), optional_color);
    every_byte(Sign::Minus, sign);
    every_byte(Shape::Named { letter: 'x', flag: true }, shape);
    every_byte(Shape::Nested(None), shape);
    every_byte(Wide::Tuple(1), wide);
    every_byte(MIXED, mixed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// If wrong: as above, for damage of any extent.
    #[test]
    fn any_bytes_are_refused_or_a_valid_value(
        random in any::<[u8; 24]>(),
        small in any::<[bool; 24]>(),
    ) {
        // Half of the bytes are made small, so that tags are often right.
        let fill = |buffer: &mut Buffer| {
            for (index, byte) in buffer.bytes_mut().iter_mut().enumerate() {
                *byte = if small[index] { random[index] % 5 } else { random[index] };
            }
        };
        let mut buffer = Buffer::filled::<Mixed>(0);
        fill(&mut buffer);
        judge::<Mixed>(&buffer, mixed);
        let mut buffer = Buffer::filled::<Shape>(0);
        fill(&mut buffer);
        judge::<Shape>(&buffer, shape);
        let mut buffer = Buffer::filled::<Padded>(0);
        fill(&mut buffer);
        judge::<Padded>(&buffer, padded);
        let mut buffer = Buffer::filled::<Wide>(0);
        fill(&mut buffer);
        judge::<Wide>(&buffer, wide);
    }
}
