use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
enum Event {
    Opened,
    Paid(u64),
}

fn main() {}
