//! A pointer is not made by hand.
use pmem_runtime::P;


fn forge<'p>() -> P<'p, u64> {
    P { address: std::num::NonZeroU64::MIN, brand: Default::default(), owns: Default::default() }
}

fn main() {}
