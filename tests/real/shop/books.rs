//! The shop in ordinary Rust.

use std::collections::{BTreeMap, VecDeque};

use super::{ACCOUNTS, Deed, FIRST_CENTS, Section, Shop};

/// What a shop must be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Books {
    pub(crate) seed: u64,
    pub(crate) done: u64,
    cents: Vec<i64>,
    transfers: Vec<(u32, u32, i64)>,
    goods: BTreeMap<u64, String>,
    prices: BTreeMap<u64, i64>,
    sales: Vec<u64>,
    parcels: VecDeque<u64>,
    photo: Vec<u8>,
}

impl Books {
    /// A shop that has not done anything yet.
    pub(crate) fn new(seed: u64) -> Self {
        Books {
            seed,
            done: 0,
            cents: vec![FIRST_CENTS; ACCOUNTS as usize],
            transfers: Vec::new(),
            goods: BTreeMap::new(),
            prices: BTreeMap::new(),
            sales: Vec::new(),
            parcels: VecDeque::new(),
            photo: Vec::new(),
        }
    }

    /// Runs sections until so many are done.
    ///
    /// # Panics
    /// If more are done already: sections cannot be taken back.
    pub(crate) fn advance(&mut self, done: u64) {
        assert!(self.done <= done, "the books are at {} and cannot go back to {done}", self.done);
        while self.done < done {
            self.apply(&Section::of(self.seed, self.done));
        }
    }

    fn apply(&mut self, section: &Section) {
        let (from, to, cents) = section.transfer;
        if self.cents[from as usize] >= cents {
            self.cents[from as usize] -= cents;
            self.cents[to as usize] += cents;
            self.transfers.push(section.transfer);
        }
        section.deeds.iter().for_each(|deed| self.do_deed(deed));
        self.done += 1;
    }

    fn do_deed(&mut self, deed: &Deed) {
        match deed {
            Deed::Stock(key, text) => drop(self.goods.insert(*key, text.clone())),
            Deed::Unstock(key) => drop(self.goods.remove(key)),
            Deed::Price(key, cents) => drop(self.prices.insert(*key, *cents)),
            Deed::Unprice(key) => drop(self.prices.remove(key)),
            Deed::Sell(key) => self.sales.push(*key),
            Deed::Refund => drop(self.sales.pop()),
            Deed::Post(key) => self.parcels.push_back(*key),
            Deed::Deliver => drop(self.parcels.pop_front()),
            Deed::Photo(len, byte) => {
                self.photo.truncate(len / 2);
                self.photo.resize(*len, *byte);
            }
        }
    }

    /// What a pool's shop is, or what its own checks say is wrong with it.
    pub(crate) fn read(shop: &Shop<'_>) -> Result<Self, String> {
        shop.bank.audit()?;
        shop.goods.check().map_err(|defect| format!("goods: {defect}"))?;
        shop.prices.check().map_err(|defect| format!("prices: {defect}"))?;
        shop.sales.check().map_err(|defect| format!("sales: {defect}"))?;
        shop.parcels.check().map_err(|defect| format!("parcels: {defect}"))?;
        shop.photo.check().map_err(|defect| format!("photo: {defect}"))?;
        let cents = |number| shop.bank.accounts.get(number).map_or(0, |account| account.cents);
        let newest_first = shop.bank.journal.newest_first();
        let mut transfers: Vec<_> = newest_first.map(|each| (each.from, each.to, each.cents)).collect();
        transfers.reverse();
        Ok(Books {
            seed: shop.seed,
            done: shop.done,
            cents: (0..ACCOUNTS).map(cents).collect(),
            transfers,
            goods: shop.goods.iter().map(|(key, text)| (*key, text.to_string())).collect(),
            prices: shop.prices.iter().map(|(key, cents)| (*key, *cents)).collect(),
            sales: shop.sales.iter().copied().collect(),
            parcels: shop.parcels.iter().copied().collect(),
            photo: shop.photo.to_vec(),
        })
    }

    /// The first thing in which two shops differ.
    pub(crate) fn difference(&self, other: &Self) -> Option<&'static str> {
        let differences = [
            ("seed", self.seed != other.seed),
            ("number of sections", self.done != other.done),
            ("balances", self.cents != other.cents),
            ("transfers", self.transfers != other.transfers),
            ("goods", self.goods != other.goods),
            ("prices", self.prices != other.prices),
            ("sales", self.sales != other.sales),
            ("parcels", self.parcels != other.parcels),
            ("photo", self.photo != other.photo),
        ];
        differences.iter().find(|(_, differ)| *differ).map(|(what, _)| *what)
    }
}
