//! A node cannot leave its section in the payload of a panic.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn escape(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, one| {
        if *one.number == 0 {
            std::panic::panic_any(one.number.share(tx));
        }
        Ok(())
    });
}

fn main() {}
