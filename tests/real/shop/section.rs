//! What the n-th section of a seed's shop does.

use pmem_runtime::Durability;
use pmem_runtime::crash::Random;

use super::ACCOUNTS;

/// Goods and prices have keys below this: few enough that things are replaced and removed.
const KEYS: u64 = 300;
/// A photo has at most so many bytes: of several chunks, and a good part of a new pool.
const PHOTO_BYTES_MAX: u64 = 60_000;
/// Deeds of a delivery, which is a section of more nodes than the pool's ring has room for in one record's runs.
const DELIVERY_DEEDS: u64 = 250;

/// One thing that a section does besides moving money.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Stock(u64, String),
    Unstock(u64),
    Price(u64, i64),
    Unprice(u64),
    Sell(u64),
    Refund,
    Post(u64),
    Deliver,
    /// Makes the photo so long: its first half, as far as it goes, stays, the rest is this byte.
    Photo(usize, u8),
}

/// One section.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// From, to, cents; not made if the payer has less.
    pub(crate) transfer: (u32, u32, i64),
    pub(crate) deeds: Vec<Deed>,
    pub(crate) durability: Durability,
    /// Whether the same is begun, and undone, before.
    pub(crate) is_undone_first: bool,
    /// Whether the pool is synced afterwards.
    pub(crate) is_synced: bool,
}

impl Section {
    /// The section after the `done`-th.
    pub(crate) fn of(seed: u64, done: u64) -> Self {
        let mut random = Random::new(seed ^ done.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let from = random.below(ACCOUNTS.into()) as u32;
        let step = 1 + random.below(u64::from(ACCOUNTS) - 1) as u32;
        let transfer = (from, (from + step) % ACCOUNTS, 1 + random.below(30_000) as i64);
        let deeds = match random.below(40) {
            0 => (0..DELIVERY_DEEDS).map(|_| Deed::random(&mut random)).collect(),
            1 => vec![Deed::Photo(random.below(PHOTO_BYTES_MAX) as usize, random.bits() as u8)],
            _ => (0..random.below(4)).map(|_| Deed::random(&mut random)).collect(),
        };
        // Runs of one kind: 8 sections or so are buffered, and then as many immediate.
        let is_buffered = Random::new(seed ^ (done / 8)).one_in(2);
        Section {
            transfer,
            deeds,
            durability: if is_buffered { Durability::Buffered } else { Durability::Immediate },
            is_undone_first: random.one_in(12),
            is_synced: is_buffered && random.one_in(6),
        }
    }
}

impl Deed {
    fn random(random: &mut Random) -> Self {
        let key = random.below(KEYS);
        match random.below(10) {
            0 | 1 => Deed::Stock(key, format!("number {key}, ").repeat(1 + random.below(12) as usize)),
            2 => Deed::Unstock(key),
            3 | 4 => Deed::Price(key, random.bits() as i64),
            5 => Deed::Unprice(key),
            6 => Deed::Sell(key),
            7 => Deed::Refund,
            8 => Deed::Post(key),
            _ => Deed::Deliver,
        }
    }
}
