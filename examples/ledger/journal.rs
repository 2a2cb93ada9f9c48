//! The journal: every transfer since the bank was founded, newest first.

use pmem_runtime::{Fase, P, Persistent};

/// Money that went from one account to another.
#[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Transfer {
    /// Counted from one.
    pub number: u64,
    pub from: u32,
    pub to: u32,
    pub cents: i64,
}

#[derive(Persistent)]
#[repr(C)]
struct Entry<'p> {
    transfer: Transfer,
    older: Option<P<'p, Entry<'p>>>,
}

/// The list of transfers.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Journal<'p> {
    newest: Option<P<'p, Entry<'p>>>,
    len: u64,
}

impl<'p> Journal<'p> {
    /// How many transfers there are; also the number of the newest.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Adds a transfer under the next number.
    pub(crate) fn push(&mut self, tx: &Fase<'p>, from: u32, to: u32, cents: i64) -> Transfer {
        self.len += 1;
        let transfer = Transfer { number: self.len, from, to, cents };
        let older = self.newest.take();
        self.newest = Some(P::new(tx, Entry { transfer, older }));
        transfer
    }

    /// All transfers, from the newest to the first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Transfer> {
        let mut next = self.newest.as_deref();
        std::iter::from_fn(move || {
            let entry = next?;
            next = entry.older.as_deref();
            Some(&entry.transfer)
        })
    }
}
