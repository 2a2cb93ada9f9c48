//! The program of the README.
#![allow(elided_lifetimes_in_paths, reason = "`Pool::<Bank>` reads better than `Pool::<Bank<'_>>`")]

use pmem_runtime::{Fase, P, Persistent, Pool, abort, persist_fase};

#[derive(Persistent, Debug)]
#[repr(C)]
struct Account<'p> {
    number: u64,
    cents: i64,
    next: Option<P<'p, Account<'p>>>,
}

#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Bank<'p> {
    accounts: Option<P<'p, Account<'p>>>,
    transfers: u64,
}

impl<'p> Bank<'p> {
    /// The account for writing: the path to it is copied, what a snapshot sees stays as it is.
    fn account(&mut self, tx: &Fase<'p>, number: u64) -> Option<&mut Account<'p>> {
        let mut account = self.accounts.as_mut()?.make_mut(tx);
        while account.number != number {
            account = account.next.as_mut()?.make_mut(tx);
        }
        Some(account)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = Pool::<Bank>::options().open_or_create("bank.pool")?;

    persist_fase!(pool, |tx, bank| {
        if bank.accounts.is_none() {
            let second = P::new(tx, Account { number: 2, cents: 0, next: None });
            bank.accounts = Some(P::new(tx, Account { number: 1, cents: 10_000, next: Some(second) }));
        }
        Ok(())
    })?;

    let before = pool.snapshot();
    persist_fase!(pool, |tx, bank| {
        let Some(payer) = bank.account(tx, 1) else { abort!("no account 1") };
        payer.cents -= 100;
        let Some(payee) = bank.account(tx, 2) else { abort!("no account 2") };
        payee.cents += 100;
        bank.transfers += 1;
        Ok(())
    })?; // durable here; after an error nothing of the section has happened

    println!("before: {:?}", *before); // a reader keeps its version as long as it likes
    println!("now:    {:?}", *pool.snapshot());
    Ok(())
}
