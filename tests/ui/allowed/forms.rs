//! The nearest programs that are meant to compile: were they refused too, the refusals beside would prove nothing.
use std::thread;

use pmem_runtime::{Fase, FaseFault, P, Persistent, Pool, abort, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

#[derive(Debug)]
struct Failed;

impl From<FaseFault> for Failed {
    fn from(_: FaseFault) -> Self {
        Failed
    }
}

fn set<'f>(tx: &Fase<'f>, one: &mut One<'f>, value: u64) {
    one.number = P::new(tx, value);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = Pool::<One>::options().volatile_with(|tx| One { number: P::new(tx, 1) })?;
    let other = Pool::<One>::options().volatile_with(|tx| One { number: P::new(tx, 2) })?;

    // A captured variable is changed in a section that runs once, and read in any.
    let mut runs = 0;
    persist_fase!(pool, once, |tx, one| {
        runs += 1;
        set(tx, one, runs);
        Ok(())
    })?;

    // Sections of two pools, each with its own nodes; plain values pass between them.
    let sum = persist_fase!(pool, |_tx, one| {
        let theirs = persist_fase!(other, durability = Buffered, |tx, two| {
            *two.number.make_mut(tx) += *one.number;
            Ok(*two.number)
        });
        match theirs {
            Ok(theirs) => Ok(*one.number + theirs),
            Err(error) => abort!("the other pool refused: {error}"),
        }
    })?;
    assert_eq!(sum, 4);

    // A typed error.
    let failed = persist_fase!(pool, |_tx, one| -> Result<(), Failed> {
        if *one.number == 1 {
            return Err(Failed);
        }
        Ok(())
    });
    assert!(failed.is_err());

    // A snapshot is read by scoped threads, and so is the shadow.
    let now = pool.snapshot();
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(*now.number, 1));
    });
    persist_fase!(pool, |_tx, one| {
        thread::scope(|scope| {
            scope.spawn(|| assert_eq!(*one.number, 1));
        });
        Ok(())
    })?;
    Ok(())
}
