//! A node does not go to a thread that may outlive its section.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn send(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, one| {
        let number = one.number.share(tx);
        std::thread::spawn(move || println!("{number}"));
        Ok(())
    });
}

fn main() {}
