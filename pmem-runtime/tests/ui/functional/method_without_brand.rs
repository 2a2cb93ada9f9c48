use pmem_runtime::{Fase, functional};

#[functional]
enum List {
    End,
    Link { head: u64, tail: List },
}

impl<'p> List<'p> {
    #[functional]
    fn push(self, tx: &Fase, head: u64) -> Self {
        let _ = (tx, head);
        self
    }

    #[functional]
    fn len(&self) -> u64 {
        0
    }
}

fn main() {}
