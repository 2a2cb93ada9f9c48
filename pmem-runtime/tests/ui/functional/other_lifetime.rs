use pmem_runtime::functional;

#[functional]
enum List {
    End,
    Link { other: Other<'static>, tail: List },
}

struct Other<'p>(&'p u8);

fn main() {}
