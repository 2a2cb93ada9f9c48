use pmem_runtime::functional;

#[functional]
mod family {
    pub fn nobody() {}
}

fn main() {}
