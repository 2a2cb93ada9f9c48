use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    #[persistent(volatil)]
    hits: u64,
}

fn main() {}
