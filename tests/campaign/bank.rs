//! The bank of the examples: transfers, each a section, some of them refused.

#[path = "../../examples/ledger/mod.rs"]
#[allow(dead_code, reason = "the examples use the rest")]
mod ledger;

use pmem_runtime::crash::{At, Model, Random};
use pmem_runtime::{Fase, FaseError, Pool, persist_fase};

use ledger::{Account, Accounts, Bank, Journal};

const ACCOUNTS: u32 = 6;
const FIRST_CENTS: i64 = 100;

/// What each account holds, and the transfers made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BankTwin {
    cents: Vec<i64>,
    transfers: Vec<Transfer>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Transfer {
    from: u32,
    to: u32,
    cents: i64,
}

impl Model for BankTwin {
    type Root = Bank<'static>;
    type Op = Transfer;

    fn create<'f>(tx: &'f Fase<'f>) -> Bank<'f> {
        let mut accounts = Accounts::default();
        for number in 0..ACCOUNTS {
            accounts.insert(tx, Account { number, transfers: 0, cents: FIRST_CENTS });
        }
        Bank { accounts, journal: Journal::default() }
    }

    fn run(pool: &Pool<Bank<'static>>, op: &Transfer) -> Result<(), FaseError> {
        persist_fase!(pool, |tx, bank| {
            bank.transfer(tx, op.from, op.to, op.cents)?;
            Ok(())
        })
    }

    fn apply(&mut self, op: &Transfer) {
        let [from, to] = [op.from, op.to].map(|number| number as usize);
        if from < self.cents.len() && to < self.cents.len() && self.cents[from] >= op.cents {
            self.cents[from] -= op.cents;
            self.cents[to] += op.cents;
            self.transfers.push(op.clone());
        }
    }

    fn observe(root: &At<'_, Self>) -> Self {
        let cents = (0..ACCOUNTS).map(|number| root.accounts.get(number).expect("accounts stay").cents);
        let transfer = |transfer: &ledger::Transfer| Transfer {
            from: transfer.from,
            to: transfer.to,
            cents: transfer.cents,
        };
        let mut transfers: Vec<Transfer> = root.journal.newest_first().map(transfer).collect();
        transfers.reverse();
        let twin = BankTwin { cents: cents.collect(), transfers };
        assert_eq!(
            twin.cents.iter().sum::<i64>(),
            i64::from(ACCOUNTS) * FIRST_CENTS,
            "money is made or lost"
        );
        twin
    }

    fn ops() -> Vec<Transfer> {
        let transfer = |from, to, cents| Transfer { from, to, cents };
        vec![transfer(0, 5, 60), transfer(5, 1, 160), transfer(0, 1, 41), transfer(0, 9, 1)]
    }

    fn random(&self, random: &mut Random) -> Transfer {
        let from = random.below(ACCOUNTS.into()) as u32;
        let to = if random.one_in(20) { ACCOUNTS } else { (from + 1) % ACCOUNTS };
        Transfer { from, to, cents: random.below(120) as i64 }
    }
}
