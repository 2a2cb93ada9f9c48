use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C, packed)]
struct Account {
    id: u64,
    open: bool,
}

fn main() {}
