/// A search tree.
#[functional]
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tree<K, V> {
    /// Nothing.
    #[default]
    Leaf,
    /// A key between smaller and larger ones.
    Node { left: Tree<K, V>, key: K, value: V, right: Tree<K, V> },
}
