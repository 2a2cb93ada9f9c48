//! Derived traits against the standard derives on the plain recursive types.

use std::hash::{DefaultHasher, Hash, Hasher};

use pmem_runtime::{Fase, Persistent, Pool, functional, persist_fase};

/// One variant in each place that the walk goes through: tuples, arrays, options, in the middle and at the end.
#[functional]
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Tree<T> {
    Leaf,
    Node { left: Tree<T>, key: T, right: Tree<T> },
    Many(u8, [Option<Tree<T>>; 3], (T, Tree<T>, Option<(Tree<T>, u16)>), u32),
    Nested([[(Tree<T>, T); 2]; 2]),
    Other,
    Some,
}

/// The plain twin.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Plain<T> {
    Leaf,
    Node { left: Box<Plain<T>>, key: T, right: Box<Plain<T>> },
    Many(u8, [Option<Box<Plain<T>>>; 3], (T, Box<Plain<T>>, Option<(Box<Plain<T>>, u16)>), u32),
    Nested([[(Box<Plain<T>>, T); 2]; 2]),
    Other,
    Some,
}

/// Without `Eq`: a node need not equal itself.
#[functional]
#[derive(PartialEq, PartialOrd)]
enum Float {
    None,
    One { value: f64, next: Option<Float> },
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Root {
    nothing: u8,
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}

/// The same random value in both worlds. Few different keys, so that values are often equal far into them.
fn make<'p>(tx: &Fase<'p>, random: &mut Random, depth: u32) -> (Tree<'p, u8>, Plain<u8>) {
    let kind = if depth == 0 { [0, 4, 5][random.below(3) as usize] } else { random.below(8) };
    let key = (random.below(8) == 0) as u8;
    let mut below = || {
        let (tree, plain) = make(tx, random, depth.saturating_sub(1));
        (tree, Box::new(plain))
    };
    match kind {
        0 => (Tree::leaf(), Plain::Leaf),
        4 => (Tree::other(), Plain::Other),
        5 => (Tree::some(), Plain::Some),
        1 => {
            let [a, b, c, d] = std::array::from_fn(|_| below());
            (
                Tree::many(tx, key, [Some(a.0), None, Some(b.0)], (key, c.0, Some((d.0, 7))), 1),
                Plain::Many(key, [Some(a.1), None, Some(b.1)], (key, c.1, Some((d.1, 7))), 1),
            )
        }
        2 => {
            let (a, b) = (below(), below());
            (
                Tree::many(tx, 0, [None, Some(a.0), None], (0, b.0, None), key.into()),
                Plain::Many(0, [None, Some(a.1), None], (0, b.1, None), key.into()),
            )
        }
        3 => {
            let [a, b, c, d] = std::array::from_fn(|_| below());
            (
                Tree::nested(tx, [[(a.0, key), (b.0, 0)], [(c.0, 0), (d.0, key)]]),
                Plain::Nested([[(a.1, key), (b.1, 0)], [(c.1, 0), (d.1, key)]]),
            )
        }
        _ => {
            let (a, b) = (below(), below());
            (Tree::node(tx, a.0, key, b.0), Plain::Node { left: a.1, key, right: b.1 })
        }
    }
}

/// Notes what it is fed.
#[derive(Default)]
struct Recorder(Vec<u8>);

impl Hasher for Recorder {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
        self.0.push(0xff);
    }

    fn finish(&self) -> u64 {
        0
    }
}

fn fed(value: &impl Hash) -> Vec<u8> {
    let mut recorder = Recorder::default();
    value.hash(&mut recorder);
    recorder.0
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn derived_traits_give_what_the_standard_ones_give_on_the_plain_type() {
    // If wrong: sorting, searching or hashing persistent values disagrees with the same values in memory.
    let pool = Pool::<Root>::options().volatile().unwrap();
    persist_fase!(pool, |tx, _root| {
        let mut random = Random(1);
        let made: Vec<_> = (0..300).map(|index| make(tx, &mut random, index % 4)).collect();
        let mut equal = 0;
        for (left, left_plain) in &made {
            assert_eq!(format!("{left:?}"), format!("{left_plain:?}"));
            assert_eq!(format!("{left:#?}"), format!("{left_plain:#?}"));
            assert_eq!(fed(left), fed(left_plain));
            assert_eq!(hash(left), hash(left_plain));
            for (right, right_plain) in &made {
                assert_eq!(left == right, left_plain == right_plain);
                assert_eq!(left.cmp(right), left_plain.cmp(right_plain), "{left:?} {right:?}");
                assert_eq!(left.partial_cmp(right), left_plain.partial_cmp(right_plain));
                equal += usize::from(left == right);
            }
        }
        assert!((1000..60_000).contains(&equal), "{equal} of the pairs are equal");
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_node_with_not_a_number_is_not_equal_to_itself() {
    // If wrong: sharing is taken for equality where the fields say otherwise.
    let pool = Pool::<Root>::options().volatile().unwrap();
    persist_fase!(pool, |tx, _root| {
        let float = Float::one(tx, f64::NAN, None);
        let same = float.share(tx);
        assert!(Float::ptr_eq(&float, &same));
        assert!(float != same && float.partial_cmp(&same).is_none());
        let deep = Float::one(tx, 1.0, Some(float));
        assert!(deep != deep.share(tx));
        let (less, more) = (Float::one(tx, 1.0, Some(Float::none())), Float::one(tx, 1.5, None));
        assert!(less < more && Float::none() < less && less == less.share(tx));
        Ok(())
    })
    .unwrap();
}
