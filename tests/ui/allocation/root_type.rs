//! A pool's root is a persistent type.
use pmem_runtime::Pool;


fn open() {
    let _ = Pool::<Vec<u64>>::options().open("numbers.pool");
}

fn main() {}
