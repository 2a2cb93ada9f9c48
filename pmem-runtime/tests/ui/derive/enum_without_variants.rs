use pmem_runtime::Persistent;

#[derive(Persistent)]
enum Event {}

fn main() {}
