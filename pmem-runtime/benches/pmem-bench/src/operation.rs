//! What a contestant is asked to do, and the numbers that are the same in all of them.

/// One operation of a workload. What the two words mean depends on the action.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Op {
    pub(crate) key: u64,
    pub(crate) word: u64,
}

/// What an operation does. The peer's shim has the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) enum Action {
    Insert,
    Update,
    Lookup,
    Remove,
    Push,
    Pop,
    Write,
    Append,
    Swap,
    Step,
    Task,
}

/// How the peer does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) enum Way {
    /// A transaction.
    Transaction,
    /// Reserve and publish, or stores and persists in an order that every crash tolerates.
    ByHand,
}

/// What a contestant does between two looks at the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'t> {
    pub(crate) action: Action,
    /// Of the peer; we have one way.
    pub(crate) way: Way,
    /// How many structures each operation changes; one but for `unrelated`.
    pub(crate) roots: usize,
    /// Operations in a section.
    pub(crate) batch: usize,
    pub(crate) ops: &'t [Op],
}

/// Distinct numbers in an order without pattern.
pub(crate) fn scattered(index: u64) -> u64 {
    // Multiplication by an odd number is a permutation of the 64-bit numbers, and so is the xor with a shift.
    let mixed = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

/// The value that belongs to a word.
pub(crate) fn value<const WORDS: usize>(word: u64) -> [u64; WORDS] {
    std::array::from_fn(|index| word ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// What reading a value contributes to the sum by which contestants are compared.
pub(crate) fn seen(value: &[u64]) -> u64 {
    match value {
        [] => 1,
        [first, ..] => first.wrapping_add(value[value.len() - 1]),
    }
}

/// A sequence of numbers (splitmix64, Steele, Lea and Flood 2014).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The number at this place of the sequence that begins with `seed`.
    pub(crate) fn at(seed: u64, index: u64) -> u64 {
        Draws(seed.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15))).draw()
    }
}
