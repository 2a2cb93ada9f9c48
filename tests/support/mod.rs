//! What the system tests share: a rich root type, a plain model of it, random operations on both, and judges of a pool.
//!
//! **Words.** A *world* is the persistent root; a [`Model`] is the same thing in ordinary Rust, and says what a world must
//! be. An [`Op`] changes either. A pool is *sound* if marking from its root finds what the heap calls used, and *exact* if
//! besides every refcount is the number of pointers to the node.
#![allow(dead_code, reason = "every test binary compiles this file and uses a part of it")]

pub(crate) mod child;
pub(crate) mod crash;
pub(crate) mod degrees;
pub(crate) mod model;
pub(crate) mod tree;
pub(crate) mod world;

/// SplitMix64: small, seedable, the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// A generator that gives the same numbers for the same seed.
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The generator of a test: `PMEM_TEST_SEED` replays a run. The seed is printed, and shown if the test fails.
    pub(crate) fn for_test(name: &str, default: u64) -> Self {
        let seed = std::env::var("PMEM_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(default);
        println!("{name}: PMEM_TEST_SEED={seed}");
        Random(seed)
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// True once in `times`.
    pub(crate) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// SplitMix64's finaliser.
pub(crate) fn mix(seed: u64) -> u64 {
    let mut state = seed;
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
