//! A section's permission does not go to another thread.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn send(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, _one| {
        std::thread::spawn(move || P::new(tx, 7_u64));
        Ok(())
    });
}

fn main() {}
