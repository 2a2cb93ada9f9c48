//! Reading values straight into a pool.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::collections::{Bytes, Map, OrdMap, OrdSet, PriorityQueue, Queue, Set, Stack, Text, Vector};
use crate::commit::Fase;
use crate::persist::{P, Persistent};

/// A value that can be read from a serde format into a section's pool.
///
/// Everything that is `DeserializeOwned` is one (numbers, enums and structs without pool pointers), and so are the collections,
/// [`Text`], [`Bytes`] and [`P`] of such values. A type of your own with collections in it implements `load` by hand, with a
/// `Visitor` that reads its fields by [`LoadSeed`].
///
/// ```
/// use pmem_runtime::collections::serde::Load;
/// use pmem_runtime::{Map, Pool, Text, Vector, persist_fase};
///
/// type Words = Map<'static, Text<'static>, Vector<'static, u32>>;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let pool = Pool::<Words>::options().volatile()?;
/// let json = r#"{"pool": [1, 5], "fence": [2]}"#;
/// persist_fase!(pool, |tx, words| {
///     *words = Load::load(tx, &mut serde_json::Deserializer::from_str(json))?;
///     Ok(())
/// })?;
/// assert_eq!(pool.snapshot().get("pool").unwrap(), &[1, 5]);
/// assert_eq!(serde_json::to_string(&pool.snapshot()["fence"])?, "[2]");
/// # Ok(())
/// # }
/// ```
pub trait Load<'p>: Sized {
    /// Reads one value.
    ///
    /// # Errors
    /// The format's own, for input that is no such value.
    fn load<'de, D>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error>
    where
        D: Deserializer<'de>;
}

impl<'p, T: DeserializeOwned> Load<'p> for T {
    fn load<'de, D>(_tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error>
    where
        D: Deserializer<'de>,
    {
        T::deserialize(deserializer)
    }
}

/// Carries a section to where serde wants a seed: `sequence.next_element_seed(LoadSeed::new(tx))`.
pub struct LoadSeed<'t, 'p, T> {
    tx: &'t Fase<'p>,
    value: PhantomData<T>,
}

impl<'t, 'p, T: Load<'p>> LoadSeed<'t, 'p, T> {
    /// A seed for one value.
    #[must_use]
    pub fn new(tx: &'t Fase<'p>) -> Self {
        LoadSeed { tx, value: PhantomData }
    }
}

impl<T> fmt::Debug for LoadSeed<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoadSeed")
    }
}

impl<'de, 'p, T: Load<'p>> DeserializeSeed<'de> for LoadSeed<'_, 'p, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::load(self.tx, deserializer)
    }
}

impl<'p, T> Load<'p> for P<'p, T>
where
    T: Load<'p> + Persistent<At<'p> = T>,
{
    fn load<'de, D: Deserializer<'de>>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error> {
        Ok(P::new(tx, T::load(tx, deserializer)?))
    }
}

/// Reads a sequence, handing each element to `add`.
struct Elements<'t, 'p, T, C, F> {
    tx: &'t Fase<'p>,
    collection: C,
    add: F,
    element: PhantomData<T>,
}

impl<'de, 'p, T, C, F> Visitor<'de> for Elements<'_, 'p, T, C, F>
where
    T: Load<'p>,
    F: FnMut(&Fase<'p>, &mut C, T),
{
    type Value = C;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut sequence: A) -> Result<C, A::Error> {
        while let Some(element) = sequence.next_element_seed(LoadSeed::new(self.tx))? {
            (self.add)(self.tx, &mut self.collection, element);
        }
        Ok(self.collection)
    }
}

/// Reads a map, handing each entry to `add`.
struct Entries<'t, 'p, K, V, C, F> {
    tx: &'t Fase<'p>,
    collection: C,
    add: F,
    entry: PhantomData<(K, V)>,
}

impl<'de, 'p, K, V, C, F> Visitor<'de> for Entries<'_, 'p, K, V, C, F>
where
    K: Load<'p>,
    V: Load<'p>,
    F: FnMut(&Fase<'p>, &mut C, K, V),
{
    type Value = C;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<C, A::Error> {
        while let Some(key) = map.next_key_seed(LoadSeed::new(self.tx))? {
            let value = map.next_value_seed(LoadSeed::new(self.tx))?;
            (self.add)(self.tx, &mut self.collection, key, value);
        }
        Ok(self.collection)
    }
}

/// Implements `Load` for collections that are sequences to serde.
macro_rules! load_sequences {
    ($($collection:ident ($($bound:path),*) |$tx:ident, $into:ident, $element:ident| $add:expr;)*) => {$(
        impl<'p, T> Load<'p> for $collection<'p, T>
        where
            T: Load<'p> + Persistent<At<'p> = T> $(+ $bound)*,
        {
            fn load<'de, D: Deserializer<'de>>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error> {
                let add = |$tx: &Fase<'p>, $into: &mut Self, $element: T| {
                    $add;
                };
                deserializer.deserialize_seq(Elements { tx, collection: Self::new(), add, element: PhantomData })
            }
        }
    )*};
}

load_sequences! {
    Vector() |tx, vector, element| vector.push_back(tx, element);
    Queue() |tx, queue, element| queue.push_back(tx, element);
    Set(Hash, Eq) |tx, set, element| set.insert(tx, element);
    OrdSet(Ord) |tx, set, element| set.insert(tx, element);
    PriorityQueue(Ord) |tx, queue, element| queue.push(tx, element);
}

impl<'p, T> Load<'p> for Stack<'p, T>
where
    T: Load<'p> + Persistent<At<'p> = T>,
{
    /// The top comes first, as in iteration.
    fn load<'de, D: Deserializer<'de>>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error> {
        let add = |tx: &Fase<'p>, stack: &mut Self, element: T| stack.push(tx, element);
        let elements = Elements { tx, collection: Self::new(), add, element: PhantomData };
        let mut stack = deserializer.deserialize_seq(elements)?;
        stack.reverse(tx);
        Ok(stack)
    }
}

impl<'p, K, V> Load<'p> for Map<'p, K, V>
where
    K: Load<'p> + Persistent<At<'p> = K> + Hash + Eq,
    V: Load<'p> + Persistent<At<'p> = V>,
{
    fn load<'de, D: Deserializer<'de>>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error> {
        let add = |tx: &Fase<'p>, map: &mut Self, key: K, value: V| drop(map.insert(tx, key, value));
        deserializer.deserialize_map(Entries { tx, collection: Self::new(), add, entry: PhantomData })
    }
}

impl<'p, K, V> Load<'p> for OrdMap<'p, K, V>
where
    K: Load<'p> + Persistent<At<'p> = K> + Ord,
    V: Load<'p> + Persistent<At<'p> = V>,
{
    fn load<'de, D: Deserializer<'de>>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error> {
        let add = |tx: &Fase<'p>, map: &mut Self, key: K, value: V| drop(map.insert(tx, key, value));
        deserializer.deserialize_map(Entries { tx, collection: Self::new(), add, entry: PhantomData })
    }
}

/// Reads a string into the pool.
struct Characters<'t, 'p>(&'t Fase<'p>);

impl<'p> Visitor<'_> for Characters<'_, 'p> {
    type Value = Text<'p>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<'p>, E> {
        Ok(Text::of(self.0, text))
    }
}

impl<'p> Load<'p> for Text<'p> {
    fn load<'de, D: Deserializer<'de>>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Characters(tx))
    }
}

/// Reads bytes, or a sequence of them, into the pool.
struct Octets<'t, 'p>(&'t Fase<'p>);

impl<'de, 'p> Visitor<'de> for Octets<'_, 'p> {
    type Value = Bytes<'p>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes<'p>, E> {
        Ok(Bytes::of(self.0, bytes))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes<'p>, E> {
        self.visit_bytes(text.as_bytes())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Bytes<'p>, A::Error> {
        let mut bytes = Bytes::new();
        while let Some(byte) = sequence.next_element::<u8>()? {
            bytes.push(self.0, byte);
        }
        Ok(bytes)
    }
}

impl<'p> Load<'p> for Bytes<'p> {
    fn load<'de, D: Deserializer<'de>>(tx: &Fase<'p>, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Octets(tx))
    }
}
