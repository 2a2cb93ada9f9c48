use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(u8)]
enum Event {}

fn main() {}
