//! A spread of derived types.

use std::marker::PhantomData;
use std::num::NonZero;

use pmem_runtime::{P, Persistent};

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Padded {
    pub(crate) a: u8,
    pub(crate) b: u32,
    pub(crate) c: bool,
    pub(crate) d: u64,
}

pub(crate) const PADDED: Padded = Padded { a: 1, b: 0x0203_0405, c: true, d: u64::MAX };

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Outer {
    pub(crate) inner: Padded,
    pub(crate) tuple: (u8, u32, bool),
    pub(crate) option: Option<Padded>,
    pub(crate) small: Option<NonZero<u16>>,
    pub(crate) nothing: (),
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum Color {
    Red = 1,
    Green = 2,
    Blue = 4,
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(i8)]
pub(crate) enum Sign {
    Minus = -1,
    Zero,
    Plus,
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C, u8)]
pub(crate) enum Shape {
    Unit,
    Tuple(u8, u64),
    Named { letter: char, flag: bool },
    Nested(Option<Color>),
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(u16)]
pub(crate) enum Wide {
    Named { x: u64 } = 3,
    Tuple(u8) = 300,
    Unit = 65535,
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(i64)]
pub(crate) enum Far {
    Left(u8) = i64::MIN,
    Right([u16; 3]) = i64::MAX,
}

/// Two niches as good as each other, neither at an end.
#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Tie {
    pub(crate) a: u16,
    pub(crate) b: bool,
    pub(crate) c: bool,
    pub(crate) d: u8,
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Generic<T: Sized, const N: usize>
where
    T: Persistent + Sync,
{
    pub(crate) head: T,
    pub(crate) rest: [T; N],
    pub(crate) mark: PhantomData<T>,
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub(crate) struct Cents(pub(crate) i64);

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub(crate) struct Unit;

#[derive(Persistent)]
#[repr(C)]
pub(crate) struct List<'p> {
    pub(crate) value: u8,
    pub(crate) next: Option<P<'p, Self>>,
}

#[derive(Persistent)]
#[repr(C, u8)]
pub(crate) enum Tree<'p, K> {
    Leaf,
    Node { left: P<'p, Tree<'p, K>>, key: K, right: P<'p, Tree<'p, K>> },
    Many([Option<P<'p, Self>>; 2], Result<P<'p, K>, u8>),
}
