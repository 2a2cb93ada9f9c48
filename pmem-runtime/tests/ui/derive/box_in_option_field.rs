use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owners: [Option<Box<u64>>; 2],
}

fn main() {}
