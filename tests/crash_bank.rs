//! The worked example of docs/crash_testing.md: a bank, its twin, and all the tests that one line makes of them.

use pmem_runtime::crash::{At, Model};
use pmem_runtime::{Fase, FaseError, P, Persistent, Pool, abort, crash_test, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct Account {
    cents: u64,
}

#[derive(Persistent)]
#[repr(C)]
struct Bank<'p> {
    accounts: [P<'p, Account>; 3],
    transfers: u64,
}

fn transfer(pool: &Pool<Bank<'static>>, from: usize, to: usize, cents: u64) -> Result<(), FaseError> {
    persist_fase!(pool, |tx, bank| {
        if bank.accounts[from].cents < cents {
            abort!("account {from} holds less than {cents} cents");
        }
        bank.accounts[from].make_mut(tx).cents -= cents;
        bank.accounts[to].make_mut(tx).cents += cents;
        bank.transfers += 1;
        Ok(())
    })
}

/// What a bank is, in ordinary Rust.
#[derive(Clone, Debug, PartialEq)]
struct Books {
    cents: [u64; 3],
    transfers: u64,
}

#[derive(Clone, Debug)]
struct Transfer {
    from: usize,
    to: usize,
    cents: u64,
}

impl Model for Books {
    type Root = Bank<'static>;
    type Op = Transfer;

    fn create<'f>(tx: &'f Fase<'f>) -> Bank<'f> {
        Bank { accounts: [100, 100, 100].map(|cents| P::new(tx, Account { cents })), transfers: 0 }
    }

    fn run(pool: &Pool<Bank<'static>>, op: &Transfer) -> Result<(), FaseError> {
        transfer(pool, op.from, op.to, op.cents)
    }

    fn apply(&mut self, op: &Transfer) {
        if self.cents[op.from] >= op.cents {
            self.cents[op.from] -= op.cents;
            self.cents[op.to] += op.cents;
            self.transfers += 1;
        }
    }

    fn observe(bank: &At<'_, Self>) -> Self {
        Books { cents: [0, 1, 2].map(|number| bank.accounts[number].cents), transfers: bank.transfers }
    }

    fn ops() -> Vec<Transfer> {
        let transfer = |from, to, cents| Transfer { from, to, cents };
        vec![transfer(0, 1, 60), transfer(1, 2, 160), transfer(2, 0, 1)]
    }
}

crash_test!(bank, Books);
