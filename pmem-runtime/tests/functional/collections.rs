//! Generic types that hold themselves in collections, with derived traits: that it compiles is half of the test.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use pmem_runtime::{Fase, Map, OrdMap, Persistent, Pool, Vector, functional, persist_fase};

#[functional]
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Trie<K, V> {
    #[default]
    Empty,
    Node {
        value: Option<V>,
        kids: OrdMap<K, Trie<K, V>>,
    },
}

/// Without `Debug`, and a number that has no `Eq` will do.
#[functional]
#[derive(PartialEq)]
enum Rose<V> {
    Node { value: V, kids: Vector<Rose<V>> },
}

/// The key's `Hash` is needed to compare, and not derived.
#[functional]
#[derive(Debug, PartialEq, Eq)]
enum Graph<K, V> {
    Node { value: V, edges: Map<K, Graph<K, V>> },
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Root {
    nothing: u8,
}

fn within(body: impl for<'f> Fn(&Fase<'f>)) {
    let pool = Pool::<Root>::options().volatile().unwrap();
    persist_fase!(pool, |tx, _root| {
        body(tx);
        Ok(())
    })
    .unwrap();
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// One node over leaves with these keys and values.
fn trie<'p>(tx: &Fase<'p>, entries: &[(u8, u16)]) -> Trie<'p, u8, u16> {
    let mut kids = OrdMap::new();
    for &(key, value) in entries {
        kids.insert(tx, key, Trie::node(tx, Some(value), OrdMap::new()));
    }
    Trie::node(tx, None, kids)
}

#[test]
fn derived_traits_go_through_an_ordered_map_of_the_type_itself() {
    // If wrong: the documented way to write a generic trie does not compile, or compares something else than its entries.
    within(|tx| {
        let (one, twin) = (trie(tx, &[(1, 10), (2, 20)]), trie(tx, &[(2, 20), (1, 10)]));
        let more = trie(tx, &[(1, 10), (2, 21)]);
        assert_eq!((&one, hash(&one)), (&twin, hash(&twin)));
        assert!(one != more && hash(&one) != hash(&more));
        assert_eq!((one.cmp(&more), more.partial_cmp(&one)), (Ordering::Less, Some(Ordering::Greater)));
        assert!(Trie::default() < one && Trie::<u8, u16>::default() == Trie::empty());
        let leaf = trie(tx, &[(1, 10)]);
        let printed = "Node { value: None, kids: {1: Node { value: Some(10), kids: {} }} }";
        assert_eq!(format!("{leaf:?}"), printed);
        assert_eq!(
            (format!("{:?}", leaf.view()), format!("{:?}", leaf.take(tx))),
            (printed.into(), printed.into())
        );
    });
}

#[test]
fn derived_equality_goes_through_a_vector_of_the_type_itself() {
    // If wrong: a generic type with children in a vector cannot derive `PartialEq`, or says that different ones are equal.
    within(|tx| {
        let rose = |values: &[f64]| {
            let mut kids = Vector::new();
            for &value in values {
                kids.push(tx, Rose::node(tx, value, Vector::new()));
            }
            Rose::node(tx, 0.0, kids)
        };
        assert!(rose(&[1.0, 2.0]) == rose(&[1.0, 2.0]));
        assert!(rose(&[1.0, 2.0]) != rose(&[2.0, 1.0]) && rose(&[1.0]) != rose(&[1.0, 2.0]));
    });
}

#[test]
fn derived_equality_goes_through_a_hash_map_of_the_type_itself() {
    // If wrong: a generic type with children in a map cannot derive `PartialEq`, since nobody says that keys hash.
    within(|tx| {
        let graph = |entries: &[(u8, u16)]| {
            let mut edges = Map::new();
            for &(key, value) in entries {
                edges.insert(tx, key, Graph::node(tx, value, Map::new()));
            }
            Graph::node(tx, 0, edges)
        };
        assert_eq!(graph(&[(1, 10), (2, 20)]), graph(&[(2, 20), (1, 10)]));
        assert_ne!(graph(&[(1, 10)]), graph(&[(1, 11)]));
        assert_ne!(graph(&[(1, 10)]), graph(&[(2, 10)]));
        assert_eq!(
            format!("{:?}", graph(&[(1, 10)])),
            "Node { value: 0, edges: {1: Node { value: 10, edges: {} }} }"
        );
    });
}
