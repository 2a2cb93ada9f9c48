use pmem_runtime::functional;

#[functional]
enum Choice {
    View,
    Take { from: u32 },
}

#[functional]
struct Pair {
    new: u32,
    share: u32,
}

fn main() {}
