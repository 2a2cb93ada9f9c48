use pmem_runtime::{P, Persistent};

type Leaked = P<'static, u64>;

#[derive(Persistent)]
#[repr(C)]
struct Bank<'p> {
    first: P<'p, u64>,
    second: Leaked,
}

fn main() {}
