use pmem_runtime::functional;

#[functional]
enum Tree<K: Ord, V>
where
    V: Clone,
{
    Leaf,
    Node { left: Tree<K, V>, key: K, value: V, right: Tree<K, V> },
}

fn main() {}
