use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Sorted<T: Ord> {
    first: T,
}

fn main() {}
