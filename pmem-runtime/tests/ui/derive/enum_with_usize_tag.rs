use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(usize)]
enum Event {
    Opened,
    Closed,
}

fn main() {}
