//! A node cannot leave its section as its error.
use pmem_runtime::{FaseFault, P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

struct Failed<'p>(Option<P<'p, u64>>);

impl From<FaseFault> for Failed<'_> {
    fn from(_: FaseFault) -> Self {
        Failed(None)
    }
}

fn escape<'a>(pool: &Pool<One<'static>>) -> Result<(), Failed<'a>> {
    persist_fase!(pool, |tx, one| -> Result<(), Failed<'a>> { Err(Failed(Some(one.number.share(tx)))) })
}

fn main() {}
