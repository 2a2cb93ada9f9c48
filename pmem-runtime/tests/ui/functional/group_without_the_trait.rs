use pmem_runtime::functional;

#[functional]
mod family {
    #[derive(PartialEq)]
    pub struct Person {
        children: Children,
    }

    pub enum Children {
        None,
        Some { first: Person, rest: Children },
    }
}

fn main() {}
