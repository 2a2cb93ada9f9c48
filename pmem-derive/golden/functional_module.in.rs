#[functional]
mod trees {
    use super::Name;

    #[derive(PartialEq)]
    pub enum Tree {
        Leaf,
        Node { name: Name, children: Forest },
    }

    #[derive(PartialEq)]
    pub struct Forest {
        pub first: Tree,
        pub rest: Option<Forest>,
    }
}
