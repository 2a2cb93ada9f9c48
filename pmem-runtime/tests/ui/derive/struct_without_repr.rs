use pmem_runtime::Persistent;

#[derive(Persistent)]
struct Account {
    id: u64,
}

fn main() {}
