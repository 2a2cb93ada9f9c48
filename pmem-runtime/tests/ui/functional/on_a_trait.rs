use pmem_runtime::functional;

#[functional]
trait Shape {
    fn area(&self) -> u64;
}

fn main() {}
