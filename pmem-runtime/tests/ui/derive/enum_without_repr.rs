use pmem_runtime::Persistent;

#[derive(Persistent)]
enum Event {
    Opened,
    Paid(u64),
}

fn main() {}
