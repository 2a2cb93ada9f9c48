//! A bank that lives in a pool: accounts, a journal of every transfer, and the rules between them.
//!
//! Shared by the examples `bank` and `crash_and_return`. Nothing here is special to them: these are the types and
//! functions that a user of the library would write.

mod accounts;
mod journal;
mod random;

use std::error::Error;
use std::fmt;

use pmem_runtime::{Fase, Persistent, Pool, persist_fase};

pub(crate) use accounts::{Account, Accounts};
pub(crate) use journal::{Journal, Transfer};
pub(crate) use random::Random;

/// What each account holds at first: 1,000.00.
const FIRST_CENTS: i64 = 100_000;
/// Accounts opened in one section.
const OPENED_AT_ONCE: u32 = 1_000;

/// The root of the pool.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Bank<'p> {
    pub accounts: Accounts<'p>,
    pub journal: Journal<'p>,
}

/// A pool with a bank in it.
pub(crate) type BankPool = Pool<Bank<'static>>;

/// Why a transfer is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    NoAccount(u32),
    TooPoor { account: u32, cents: i64, wanted: i64 },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NoAccount(number) => write!(f, "there is no account {number}"),
            Refused::TooPoor { account, cents, wanted } => {
                write!(f, "account {account} holds {cents} cents, which is less than {wanted}")
            }
        }
    }
}

impl Error for Refused {}

impl<'p> Bank<'p> {
    /// Moves money and writes it into the journal. Returns the transfer as written.
    ///
    /// On an error the bank is left half changed; the section that called this is expected to end with the error, and
    /// then nothing of it has happened.
    pub(crate) fn transfer(
        &mut self,
        tx: &Fase<'p>,
        from: u32,
        to: u32,
        cents: i64,
    ) -> Result<Transfer, Refused> {
        let payer = self.accounts.get_mut(tx, from).ok_or(Refused::NoAccount(from))?;
        if payer.cents < cents {
            return Err(Refused::TooPoor { account: from, cents: payer.cents, wanted: cents });
        }
        payer.cents -= cents;
        payer.transfers += 1;
        let payee = self.accounts.get_mut(tx, to).ok_or(Refused::NoAccount(to))?;
        payee.cents += cents;
        payee.transfers += 1;
        Ok(self.journal.push(tx, from, to, cents))
    }

    /// Whether no money was made or lost, and every balance is what the journal says.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let first = i64::from(self.accounts.len()) * FIRST_CENTS;
        let sum: i64 = self.accounts.iter().map(|account| account.cents).sum();
        if sum != first {
            return Err(format!("the accounts hold {sum} cents together, {first} were paid in"));
        }
        let mut expected = vec![FIRST_CENTS; self.accounts.len() as usize];
        let mut number = self.journal.len();
        for transfer in self.journal.newest_first() {
            if transfer.number != number {
                return Err(format!("the journal has transfer {} where {number} belongs", transfer.number));
            }
            expected[transfer.from as usize] -= transfer.cents;
            expected[transfer.to as usize] += transfer.cents;
            number -= 1;
        }
        if number != 0 {
            return Err(format!("the journal ends at transfer {}, not at the first", number + 1));
        }
        for account in self.accounts.iter() {
            let wanted = expected[account.number as usize];
            if account.cents != wanted {
                let Account { number, cents, .. } = account;
                return Err(format!("account {number} holds {cents} cents, its transfers make {wanted}"));
            }
        }
        Ok(())
    }
}

/// Opens accounts with the numbers from zero on until there are `wanted`.
pub(crate) fn open_accounts(pool: &BankPool, wanted: u32) -> Result<(), Box<dyn Error>> {
    loop {
        let there = pool.snapshot().accounts.len();
        if there >= wanted {
            return Ok(());
        }
        persist_fase!(pool, |tx, bank| {
            for number in there..wanted.min(there + OPENED_AT_ONCE) {
                bank.accounts.insert(tx, Account { number, transfers: 0, cents: FIRST_CENTS });
            }
            Ok(())
        })?;
    }
}

/// A transfer between two different accounts, chosen at random.
pub(crate) fn choose_transfer(random: &mut Random, accounts: u32) -> (u32, u32, i64) {
    let from = random.below(u64::from(accounts)) as u32;
    let step = 1 + random.below(u64::from(accounts) - 1) as u32;
    (from, (from + step) % accounts, 1 + random.below(10_000) as i64)
}
