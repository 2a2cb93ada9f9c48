use pmem_runtime::Persistent;

#[derive(Persistent)]
#[persistent(pool = "bank")]
#[repr(C)]
struct Account {
    id: u64,
}

fn main() {}
