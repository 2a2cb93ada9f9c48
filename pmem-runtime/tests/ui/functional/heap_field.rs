use pmem_runtime::functional;

#[functional]
enum List {
    End,
    Link { head: Vec<u8>, tail: List },
}

fn main() {}
