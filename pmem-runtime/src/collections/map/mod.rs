//! draft

mod hash;
mod node;
mod trie;

use std::hash::Hash;
use std::mem;

use equivalent::Equivalent;
use pmem_derive::Persistent;

use crate::commit::Fase;
use crate::persist::Persistent;
use hash::hash_of;
use node::{Pair, Route};
use trie::Trie;

/// A hash map in a pool.
#[derive(Persistent)]
#[repr(C)]
pub struct Map<'p, K, V> {
    trie: Trie<'p, K, V>,
    seed: u64,
}

impl<K, V> Default for Map<'_, K, V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<K, V> Map<'_, K, V> {
    /// new
    pub const fn new() -> Self {
        Map { trie: Trie::new(), seed: 0 }
    }
}

impl<K, V> Map<'_, K, V>
where
    K: Persistent + Hash + Eq,
    V: Persistent,
{
    /// len
    pub fn len(&self) -> usize {
        self.trie.len() as usize
    }

    /// get
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        Q: ?Sized + Hash + Equivalent<K>,
    {
        self.trie.find(Route::new(hash_of(self.seed, key)), |known| key.equivalent(known)).map(|pair| &pair.value)
    }
}

impl<'p, K, V> Map<'p, K, V>
where
    K: Persistent<At<'p> = K> + Hash + Eq,
    V: Persistent<At<'p> = V>,
{
    /// insert
    pub fn insert(&mut self, tx: &Fase<'p>, key: K, value: V) -> Option<V> {
        if self.trie.root.is_none() {
            self.seed = tx.hash_seed();
        }
        let seed = self.seed;
        let route = Route::new(hash_of(seed, &key));
        let place = self.trie.locate(route, |known| *known == key);
        if let Some(pair) = self.trie.entry_mut(tx, route, place) {
            return Some(mem::replace(&mut pair.value, value));
        }
        self.trie.insert(tx, route, place, Pair { key, value }, |key| hash_of(seed, key));
        None
    }

    /// remove
    pub fn remove<Q>(&mut self, tx: &Fase<'p>, key: &Q) -> Option<V>
    where
        Q: ?Sized + Hash + Equivalent<K>,
    {
        let route = Route::new(hash_of(self.seed, key));
        let place = self.trie.locate(route, |known| key.equivalent(known));
        let pair = self.trie.remove(tx, route, place)?;
        Some(pair.value)
    }
}
