//! What real processes do to real pools before they are killed: a shop with a bank account for everybody.
//!
//! **Problem.** Whoever judges a pool after a crash must know what every version of it holds, though the process that made
//! it is dead. So everything follows from a seed: the n-th section of the shop with that seed always does the same, and
//! a pool that says that n sections are done must hold exactly what they do together.
//!
//! **Words.** A [`Section`] is what one section does; the [`Books`] are the shop in ordinary Rust. A pool is *true* if it equals
//! the books at the number of sections that it says are done. A [`Life`] is what one process does between opening a pool and
//! closing it; what it says meanwhile, [`Word`] by word, is all that is known of it once it is dead.

mod books;
mod judge;
mod life;
mod section;

#[path = "../../../examples/ledger/mod.rs"]
#[allow(dead_code, reason = "the examples use the rest")]
mod ledger;

use pmem_runtime::{Bytes, Fase, FaseError, Map, OrdMap, Persistent, Pool, Queue, Text, Vector, abort};

pub(crate) use books::Books;
pub(crate) use judge::judge;
pub(crate) use life::{Life, Word, live};
pub(crate) use section::{Deed, Section};

use ledger::{Account, Bank};

/// Accounts of the bank.
const ACCOUNTS: u32 = 40;
/// What each holds at first: what the bank's own audit expects.
const FIRST_CENTS: i64 = 100_000;

/// The root.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Shop<'p> {
    pub(crate) seed: u64,
    /// Sections done.
    pub(crate) done: u64,
    bank: Bank<'p>,
    goods: Map<'p, u64, Text<'p>>,
    prices: OrdMap<'p, u64, i64>,
    sales: Vector<'p, u64>,
    parcels: Queue<'p, u64>,
    photo: Bytes<'p>,
}

/// A pool with a shop in it.
pub(crate) type ShopPool = Pool<Shop<'static>>;

impl<'p> Shop<'p> {
    /// A shop that has not done anything yet.
    pub(crate) fn open(tx: &Fase<'p>, seed: u64) -> Self {
        let mut shop = Shop { seed, ..Shop::default() };
        for number in 0..ACCOUNTS {
            shop.bank.accounts.insert(tx, Account { number, transfers: 0, cents: FIRST_CENTS });
        }
        shop
    }

    /// Does what [`Books::apply`] does.
    fn apply(&mut self, tx: &Fase<'p>, section: &Section) -> Result<(), FaseError> {
        let (from, to, cents) = section.transfer;
        if self.bank.accounts.get(from).is_some_and(|payer| payer.cents >= cents) {
            self.bank.transfer(tx, from, to, cents)?;
        }
        section.deeds.iter().for_each(|deed| self.do_deed(tx, deed));
        self.done += 1;
        Ok(())
    }

    fn do_deed(&mut self, tx: &Fase<'p>, deed: &Deed) {
        match deed {
            Deed::Stock(key, text) => {
                let text = Text::of(tx, text);
                self.goods.insert(tx, *key, text);
            }
            Deed::Unstock(key) => {
                self.goods.remove(tx, key);
            }
            Deed::Price(key, cents) => {
                self.prices.insert(tx, *key, *cents);
            }
            Deed::Unprice(key) => {
                self.prices.remove(tx, key);
            }
            Deed::Sell(key) => self.sales.push(tx, *key),
            Deed::Refund => {
                self.sales.pop(tx);
            }
            Deed::Post(key) => self.parcels.push_back(tx, *key),
            Deed::Deliver => {
                self.parcels.pop_front(tx);
            }
            Deed::Photo(len, byte) => {
                self.photo.truncate(tx, len / 2);
                self.photo.resize(tx, *len, *byte);
            }
        }
    }
}

/// Runs the section after the `done`-th, and before it one that is undone, if there is to be one.
pub(crate) fn run(pool: &ShopPool, seed: u64, done: u64) -> Result<(), FaseError> {
    let section = Section::of(seed, done);
    if section.is_undone_first {
        let undone: Result<(), FaseError> = pool.fase(section.durability, |tx, shop| {
            shop.apply(tx, &section)?;
            abort!("as planned");
        });
        if undone.is_ok() {
            abort!("a section that was to be undone was committed");
        }
    }
    pool.fase(section.durability, |tx, shop| shop.apply(tx, &section))
}
