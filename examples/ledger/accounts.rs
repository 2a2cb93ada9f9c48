//! The accounts, by number: a trie with four branches at each account.
//!
//! An account lies at the end of the path that its number's digits to base four spell, lowest digit first, or earlier
//! if a place on that path is still free. Accounts are never removed, so the first one met stays where it is.

use pmem_runtime::{Fase, P, Persistent};

const BRANCHES: usize = 4;

/// One account.
#[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Account {
    pub number: u32,
    /// Transfers it took part in.
    pub transfers: u32,
    pub cents: i64,
}

/// An account and the branches below it. With the header of 16 bytes that makes exactly one line of 64.
#[derive(Persistent)]
#[repr(C)]
struct Place<'p> {
    account: Account,
    below: [Option<P<'p, Place<'p>>>; BRANCHES],
}

/// All accounts.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Accounts<'p> {
    top: Option<P<'p, Place<'p>>>,
    len: u32,
}

impl<'p> Accounts<'p> {
    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// The account with this number.
    pub(crate) fn get(&self, number: u32) -> Option<&Account> {
        let mut place = self.top.as_ref()?;
        let mut digits = number as usize;
        while place.account.number != number {
            place = place.below[digits % BRANCHES].as_ref()?;
            digits /= BRANCHES;
        }
        Some(&place.account)
    }

    /// The account with this number, for writing. Copies the path to it, once in a section.
    pub(crate) fn get_mut(&mut self, tx: &Fase<'p>, number: u32) -> Option<&mut Account> {
        self.get(number)?;
        let mut place = self.top.as_mut()?.make_mut(tx);
        let mut digits = number as usize;
        while place.account.number != number {
            place = place.below[digits % BRANCHES].as_mut()?.make_mut(tx);
            digits /= BRANCHES;
        }
        Some(&mut place.account)
    }

    /// Adds an account, or replaces the one that has its number.
    pub(crate) fn insert(&mut self, tx: &Fase<'p>, account: Account) {
        let mut slot = &mut self.top;
        let mut digits = account.number as usize;
        while let Some(there) = slot {
            let place = there.make_mut(tx);
            if place.account.number == account.number {
                place.account = account;
                return;
            }
            slot = &mut place.below[digits % BRANCHES];
            digits /= BRANCHES;
        }
        *slot = Some(P::new(tx, Place { account, below: [None, None, None, None] }));
        self.len += 1;
    }

    /// All accounts, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Account> {
        let mut waiting: Vec<&Place<'p>> = self.top.as_deref().into_iter().collect();
        std::iter::from_fn(move || {
            let place = waiting.pop()?;
            waiting.extend(place.below.iter().flatten().map(|below| &**below));
            Some(&place.account)
        })
    }
}
