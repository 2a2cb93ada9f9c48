use pmem_runtime::{P, Persistent};

#[derive(Persistent)]
#[repr(C)]
struct Bank<'p> {
    #[persistent(volatile)]
    cache: Option<P<'p, u64>>,
}

fn main() {}
