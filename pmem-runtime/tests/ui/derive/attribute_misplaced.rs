use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C, u8)]
enum Event {
    Opened,
    Paid {
        #[persistent(volatile)]
        cents: u64,
    },
}

fn main() {}
