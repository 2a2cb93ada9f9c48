//! Derived traits against the standard derives on the plain recursive types.

use pmem_runtime::{Fase, functional};

#[functional]
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Tree<K, V> {
    #[default]
    Leaf,
    Node { left: Tree<K, V>, key: K, value: V, right: Tree<K, V> },
}

#[functional]
impl<K: Ord, V> Tree<K, V> {
    /// Puts a key in.
    pub fn insert(self, tx: &Fase, key: K, value: V) -> Self {
        match self.take(tx) {
            TreeParts::Leaf => Tree::node(tx, Tree::leaf(), key, value, Tree::leaf()),
            TreeParts::Node { left, key: at, value: old, right } => {
                if key < at {
                    Tree::node(tx, left.insert(tx, key, value), at, old, right)
                } else if at < key {
                    Tree::node(tx, left, at, old, right.insert(tx, key, value))
                } else {
                    Tree::node(tx, left, at, value, right)
                }
            }
        }
    }
}
