//! The program in the README: a bank of two accounts.

use pmem_runtime::{Map, Persistent, Pool, Text, Vector, abort, persist_fase};

#[derive(Persistent, Debug)]
#[repr(C)]
struct Account<'p> {
    owner: Text<'p>,
    cents: i64,
}

#[derive(Persistent, Debug)]
#[repr(C)]
struct Transfer {
    from: u64,
    to: u64,
    cents: i64,
}

#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Bank<'p> {
    accounts: Map<'p, u64, Account<'p>>,
    journal: Vector<'p, Transfer>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = Pool::<Bank>::options().open_or_create("bank.pool")?;

    persist_fase!(pool, |tx, bank| {
        for (number, owner) in [(1, "Alice"), (2, "Bob")] {
            bank.accounts
                .entry(tx, number)
                .or_insert_with(|| Account { owner: Text::of(tx, owner), cents: 10_000 });
        }
        Ok(())
    })?;

    let before = pool.snapshot();
    let (from, to, cents) = (1, 2, 100);
    persist_fase!(pool, |tx, bank| {
        let Some(payer) = bank.accounts.get_mut(tx, &from) else { abort!("no account {from}") };
        payer.cents -= cents;
        let Some(payee) = bank.accounts.get_mut(tx, &to) else { abort!("no account {to}") };
        payee.cents += cents;
        bank.journal.push(tx, Transfer { from, to, cents });
        Ok(())
    })?; // durable here; after an error nothing of the section has happened

    println!("before: {:?}", before.accounts.get(&from)); // a reader keeps its version as long as it likes
    println!("now:    {:?}", pool.snapshot().accounts.get(&from));
    Ok(())
}
