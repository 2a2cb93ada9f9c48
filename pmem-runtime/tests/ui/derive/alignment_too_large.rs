use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C, align(64))]
struct Account {
    id: u64,
}

fn main() {}
