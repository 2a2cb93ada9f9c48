use pmem_runtime::functional;

#[functional]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum List {
    End,
    Link { head: f64, tail: List },
}

fn main() {}
