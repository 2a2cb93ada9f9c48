//! A bank with a mistake that only a crash shows, and how the crash tests find it.
//!
//! ```text
//! cargo run --release --example crash_testing
//! ```
//!
//! The hasty transfer takes the money in one section and gives it in another. Without a crash it is right, and no kill of the process is
//! likely to hit the moment between the two. The harness crashes it after every event, finds the moment, and says which
//! lines are to blame. The right transfer is one section and passes. As tests, both would be one line: see
//! `docs/crash_testing.md`.

use std::process::ExitCode;

use pmem_runtime::crash::{At, Exploration, Model, Plan};
use pmem_runtime::{Fase, FaseError, P, Persistent, Pool, abort, persist_fase};

type BankPool = Pool<Bank<'static>>;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    cents: u64,
}

#[derive(Persistent)]
#[repr(C)]
struct Bank<'p> {
    accounts: [P<'p, Account>; 3],
}

/// One section: all of it happens, or nothing.
fn transfer(pool: &BankPool, from: usize, to: usize, cents: u64) -> Result<(), FaseError> {
    persist_fase!(pool, |tx, bank| {
        if bank.accounts[from].cents < cents {
            abort!("account {from} holds less than {cents} cents");
        }
        bank.accounts[from].make_mut(tx).cents -= cents;
        bank.accounts[to].make_mut(tx).cents += cents;
        Ok(())
    })
}

/// Two sections: each of them happens or does not, and the sum is right only after both.
fn hasty_transfer(pool: &BankPool, from: usize, to: usize, cents: u64) -> Result<(), FaseError> {
    persist_fase!(pool, |tx, bank| {
        if bank.accounts[from].cents < cents {
            abort!("account {from} holds less than {cents} cents");
        }
        bank.accounts[from].make_mut(tx).cents -= cents;
        Ok(())
    })?;
    persist_fase!(pool, |tx, bank| {
        bank.accounts[to].make_mut(tx).cents += cents;
        Ok(())
    })
}

/// What a bank is, in ordinary Rust.
#[derive(Clone, Debug, PartialEq)]
struct Books<const HASTY: bool> {
    cents: [u64; 3],
}

#[derive(Clone, Debug)]
struct Transfer {
    from: usize,
    to: usize,
    cents: u64,
}

impl<const HASTY: bool> Model for Books<HASTY> {
    type Root = Bank<'static>;
    type Op = Transfer;

    fn create<'f>(tx: &'f Fase<'f>) -> Bank<'f> {
        Bank { accounts: [100, 100, 100].map(|cents| P::new(tx, Account { cents })) }
    }

    fn run(pool: &BankPool, op: &Transfer) -> Result<(), FaseError> {
        let Transfer { from, to, cents } = *op;
        if HASTY { hasty_transfer(pool, from, to, cents) } else { transfer(pool, from, to, cents) }
    }

    fn apply(&mut self, op: &Transfer) {
        if self.cents[op.from] >= op.cents {
            self.cents[op.from] -= op.cents;
            self.cents[op.to] += op.cents;
        }
    }

    fn observe(bank: &At<'_, Self>) -> Self {
        Books { cents: [0, 1, 2].map(|number| bank.accounts[number].cents) }
    }

    fn ops() -> Vec<Transfer> {
        let transfer = |from, to, cents| Transfer { from, to, cents };
        vec![transfer(0, 1, 60), transfer(1, 2, 160), transfer(2, 0, 1)]
    }
}

fn main() -> ExitCode {
    println!("The hasty transfer, all sequences of at most three:\n");
    let hasty = Plan::from_environment("hasty").explore::<Books<true>>(Exploration::ShortSequences);
    match &hasty {
        Ok(evidence) => println!("nothing was found: {evidence}\n"),
        Err(failure) => println!("{failure}\n"),
    }
    println!("The transfer in one section:\n");
    let mut is_right = true;
    for exploration in Exploration::ALL {
        match Plan::from_environment("right").explore::<Books<false>>(exploration) {
            Ok(evidence) => println!("{exploration:?}: {evidence}\n"),
            Err(failure) => {
                println!("{failure}\n");
                is_right = false;
            }
        }
    }
    if hasty.is_err() && is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
