//! A snapshot does not go to a thread that may outlive its pool.
use pmem_runtime::{P, Persistent, Pool};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn send(pool: Pool<One<'static>>) {
    let now = pool.snapshot();
    std::thread::spawn(move || println!("{}", now.number));
}

fn main() {}
