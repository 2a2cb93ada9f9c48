use pmem_runtime::functional;

#[functional]
enum Color {
    Red,
    Black,
}

#[functional]
struct Nothing;

fn main() {}
