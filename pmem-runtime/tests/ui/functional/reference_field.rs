use pmem_runtime::functional;

#[functional]
enum List {
    End,
    Link { head: &'static str, tail: List },
}

fn main() {}
