use pmem_runtime::{P, Persistent};

#[derive(Persistent)]
#[repr(C)]
struct Bank<'p, 'q> {
    first: P<'p, u64>,
    second: P<'q, u64>,
}

fn main() {}
