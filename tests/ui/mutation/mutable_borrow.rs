//! A node's pointer lends no `&mut` without the section's permission.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn write(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |_tx, one| {
        let number: &mut u64 = &mut one.number;
        *number = 3;
        Ok(())
    });
}

fn main() {}
