//! Nothing is allocated without a section.
use pmem_runtime::P;


fn allocate() {
    let _number = P::new(7_u64);
}

fn main() {}
