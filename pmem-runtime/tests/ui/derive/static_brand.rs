use pmem_runtime::{P, Persistent};

#[derive(Persistent)]
#[repr(C)]
struct Bank<'p> {
    first: P<'p, u64>,
    second: P<'static, u64>,
}

fn main() {}
