//! A reference into the shadow cannot leave the section through a captured variable.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn escape(pool: &Pool<One<'static>>) {
    let mut kept: Option<&u64> = None;
    let _ = persist_fase!(pool, once, |_tx, one| {
        kept = Some(&*one.number);
        Ok(())
    });
}

fn main() {}
