use pmem_runtime::{P, Persistent};

#[derive(Persistent)]
#[repr(C)]
struct Bank {
    first: P<'static, u64>,
}

fn main() {}
