//! Every collection: elements put in and taken out, one by one and in batches.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::marker::PhantomData;

use pmem_runtime::crash::{At, Model, Random};
use pmem_runtime::{
    Bytes, Fase, FaseError, Map, OrdMap, OrdSet, Persistent, Pool, PriorityQueue, Queue, Set, Stack, Text,
    Vector, abort, persist_fase,
};

/// Keys and positions: few, so that elements meet.
const KEYS: u64 = 40;

/// A collection, and what it is in ordinary memory.
pub(crate) trait Shelf: 'static {
    type Root: Persistent;
    type Plain: Clone + Debug + Default + PartialEq;

    fn empty<'f>() -> <Self::Root as Persistent>::At<'f>;
    fn put<'f>(tx: &Fase<'f>, root: &mut <Self::Root as Persistent>::At<'f>, key: u64);
    fn put_plain(plain: &mut Self::Plain, key: u64);
    fn take<'f>(tx: &Fase<'f>, root: &mut <Self::Root as Persistent>::At<'f>, key: u64);
    fn take_plain(plain: &mut Self::Plain, key: u64);
    /// What the collection holds; a panic if its own check finds a defect.
    fn observe(root: &<Self::Root as Persistent>::At<'_>) -> Self::Plain;
}

pub(crate) struct Twin<S: Shelf> {
    plain: S::Plain,
    shelf: PhantomData<S>,
}

impl<S: Shelf> Clone for Twin<S> {
    fn clone(&self) -> Self {
        Twin { plain: self.plain.clone(), shelf: PhantomData }
    }
}

impl<S: Shelf> Debug for Twin<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.plain.fmt(f)
    }
}

impl<S: Shelf> PartialEq for Twin<S> {
    fn eq(&self, other: &Self) -> bool {
        self.plain == other.plain
    }
}

/// Keys put in and taken out by one section, in this order.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    put: Vec<u64>,
    take: Vec<u64>,
    is_undone: bool,
}

impl<S: Shelf> Model for Twin<S> {
    type Root = S::Root;
    type Op = Section;

    fn create<'f>(_tx: &'f Fase<'f>) -> At<'f, Self> {
        S::empty()
    }

    fn run(pool: &Pool<S::Root>, op: &Section) -> Result<(), FaseError> {
        persist_fase!(pool, |tx, root| {
            op.put.iter().for_each(|key| S::put(tx, root, *key));
            op.take.iter().for_each(|key| S::take(tx, root, *key));
            if op.is_undone {
                abort!("as planned");
            }
            Ok(())
        })
    }

    fn apply(&mut self, op: &Section) {
        if !op.is_undone {
            op.put.iter().for_each(|key| S::put_plain(&mut self.plain, *key));
            op.take.iter().for_each(|key| S::take_plain(&mut self.plain, *key));
        }
    }

    fn observe(root: &At<'_, Self>) -> Self {
        Twin { plain: S::observe(root), shelf: PhantomData }
    }

    fn ops() -> Vec<Section> {
        let section =
            |put: &[u64], take: &[u64]| Section { put: put.into(), take: take.into(), is_undone: false };
        let many: Vec<u64> = (0..30).collect();
        vec![section(&[1], &[]), section(&many, &[3]), section(&[7], &[1, 2]), section(&[], &many)]
    }

    fn random(&self, random: &mut Random) -> Section {
        let most = if random.below(6) == 0 { 60 } else { 3 };
        let mut keys = |most: u64| (0..random.below(most)).map(|_| random.below(KEYS)).collect();
        Section { put: keys(most + 1), take: keys(most), is_undone: keys(20).is_empty() }
    }
}

/// Declares the shelf of a collection.
macro_rules! shelf {
    (
        $name:ident, $root:ident<$($argument:ty),*>, $plain:ty,
        put: |$put_tx:ident, $put_root:ident, $put_key:ident| $put:expr,
        |$put_plain:ident| $put_twin:expr,
        take: |$take_tx:ident, $take_root:ident, $take_key:ident| $take:expr,
        |$take_plain:ident| $take_twin:expr,
        observe: |$observed:ident| $observe:expr
    ) => {
        pub(crate) struct $name;

        impl Shelf for $name {
            type Root = $root<'static $(, $argument)*>;
            type Plain = $plain;

            fn empty<'f>() -> $root<'f $(, $argument)*> {
                $root::new()
            }

            fn put<'f>($put_tx: &Fase<'f>, $put_root: &mut $root<'f $(, $argument)*>, $put_key: u64) {
                let _ = $put;
            }

            fn put_plain($put_plain: &mut $plain, $put_key: u64) {
                let _ = $put_twin;
            }

            fn take<'f>($take_tx: &Fase<'f>, $take_root: &mut $root<'f $(, $argument)*>, $take_key: u64) {
                let _ = $take;
            }

            fn take_plain($take_plain: &mut $plain, $take_key: u64) {
                let _ = $take_twin;
            }

            fn observe($observed: &$root<'_ $(, $argument)*>) -> $plain {
                $observed.check().expect("the collection is sound");
                $observe
            }
        }
    };
}

shelf!(MapShelf, Map<u64, u64>, BTreeMap<u64, u64>,
    put: |tx, map, key| *map.entry(tx, key).or_insert(0) += 1, |plain| *plain.entry(key).or_insert(0) += 1,
    take: |tx, map, key| map.remove(tx, &key), |plain| plain.remove(&key),
    observe: |map| map.iter().map(|(key, value)| (*key, *value)).collect());

shelf!(SetShelf, Set<u64>, BTreeSet<u64>,
    put: |tx, set, key| set.insert(tx, key), |plain| plain.insert(key),
    take: |tx, set, key| set.remove(tx, &key), |plain| plain.remove(&key),
    observe: |set| set.iter().copied().collect());

shelf!(OrdMapShelf, OrdMap<u64, u64>, BTreeMap<u64, u64>,
    put: |tx, map, key| *map.entry(tx, key).or_insert(0) += 1, |plain| *plain.entry(key).or_insert(0) += 1,
    take: |tx, map, key| map.remove(tx, &key), |plain| plain.remove(&key),
    observe: |map| map.iter().map(|(key, value)| (*key, *value)).collect());

shelf!(OrdSetShelf, OrdSet<u64>, BTreeSet<u64>,
    put: |tx, set, key| set.insert(tx, key), |plain| plain.insert(key),
    take: |tx, set, key| set.remove(tx, &key), |plain| plain.remove(&key),
    observe: |set| set.iter().copied().collect());

/// A key is also a position: elements are put into the middle and taken from it.
fn position(key: u64, len: usize) -> usize {
    key as usize * 7 % (len + 1)
}

shelf!(VectorShelf, Vector<u64>, Vec<u64>,
    put: |tx, vector, key| vector.insert(tx, position(key, vector.len()), key),
    |plain| plain.insert(position(key, plain.len()), key),
    take: |tx, vector, key| {
        (!vector.is_empty()).then(|| vector.remove(tx, position(key, vector.len() - 1)))
    },
    |plain| (!plain.is_empty()).then(|| plain.remove(position(key, plain.len() - 1))),
    observe: |vector| vector.iter().copied().collect());

shelf!(QueueShelf, Queue<u64>, VecDeque<u64>,
    put: |tx, queue, key| queue.push_back(tx, key), |plain| plain.push_back(key),
    take: |tx, queue, key| (key.is_multiple_of(2)).then(|| queue.pop_front(tx)),
    |plain| (key.is_multiple_of(2)).then(|| plain.pop_front()),
    observe: |queue| queue.iter().copied().collect());

shelf!(StackShelf, Stack<u64>, Vec<u64>,
    put: |tx, stack, key| stack.push(tx, key), |plain| plain.insert(0, key),
    take: |tx, stack, key| (key.is_multiple_of(2)).then(|| stack.pop(tx)),
    |plain| (key.is_multiple_of(2) && !plain.is_empty()).then(|| plain.remove(0)),
    observe: |stack| stack.iter().copied().collect());

shelf!(PriorityQueueShelf, PriorityQueue<u64>, Vec<u64>,
put: |tx, queue, key| queue.push(tx, key), |plain| {
    plain.push(key);
    plain.sort_unstable();
},
take: |tx, queue, key| (key.is_multiple_of(2)).then(|| queue.pop(tx)), |plain| (key.is_multiple_of(2)).then(|| plain.pop()),
observe: |queue| {
    let mut all: Vec<u64> = queue.iter().copied().collect();
    all.sort_unstable();
    all
});

/// A piece of text for a key: of one to four bytes a character.
fn piece(key: u64) -> String {
    ["a", "ß", "€", "𝄞"][key as usize % 4].repeat(key as usize)
}

fn boundary(text: &str, key: u64) -> usize {
    let mut at = position(key, text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

shelf!(TextShelf, Text<>, String,
    put: |tx, text, key| text.insert_str(tx, boundary(&text.to_string(), key), &piece(key)),
    |plain| plain.insert_str(boundary(plain, key), &piece(key)),
    take: |tx, text, key| text.truncate(tx, boundary(&text.to_string(), key)),
    |plain| plain.truncate(boundary(plain, key)),
    observe: |text| text.to_string());

shelf!(BytesShelf, Bytes<>, Vec<u8>,
    put: |tx, bytes, key| {
        bytes.insert_slice(tx, position(key, bytes.len()), &vec![key as u8; key as usize]);
    },
    |plain| {
        let at = position(key, plain.len());
        plain.splice(at..at, vec![key as u8; key as usize]).count()
    },
    take: |tx, bytes, key| bytes.truncate(tx, position(key, bytes.len())),
    |plain| plain.truncate(position(key, plain.len())),
    observe: |bytes| bytes.to_vec());
