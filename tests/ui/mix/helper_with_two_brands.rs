//! A function that takes a section and a root must say that they belong together.
use pmem_runtime::{Fase, P, Persistent};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn set(tx: &Fase<'_>, one: &mut One<'_>) {
    one.number = P::new(tx, 7);
}

fn main() {}
