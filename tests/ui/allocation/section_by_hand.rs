//! A section's permission is not made by hand.
use pmem_runtime::Fase;


fn forge<'f>() -> Fase<'f> {
    Fase::default()
}

fn main() {}
