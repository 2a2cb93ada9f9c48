#[functional]
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Trie<K, V> {
    #[default]
    Empty,
    Node { value: Option<V>, kids: OrdMap<K, Trie<K, V>> },
}
#[functional]
#[derive(PartialEq)]
enum Rose<V> {
    Node { value: V, kids: Vector<Rose<V>> },
}
#[functional]
#[derive(Debug, PartialEq, Eq)]
enum Graph<K, V> {
    Node { value: V, edges: Map<K, Graph<K, V>> },
}
