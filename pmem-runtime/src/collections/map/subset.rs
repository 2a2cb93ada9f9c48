//! Whether one map's keys are all in another.

use std::hash::Hash;

use super::Map;
use super::hash::hash_of;
use super::node::{Node, Route};
use super::trie::find;
use crate::persist::Persistent;

impl<K, V> Map<'_, K, V>
where
    K: Persistent + Hash + Eq,
    V: Persistent,
{
    /// Whether all keys of this map are keys of the other.
    ///
    /// Complexity: O(nodes in which the two differ).
    pub(in crate::collections) fn has_keys_within(&self, other: &Self) -> bool {
        if self.len() > other.len() {
            return false;
        }
        if !self.is_hashed_like(other) {
            return self.keys().all(|key| other.contains_key(key));
        }
        let (Some(left), Some(right)) = (&self.trie.root, &other.trie.root) else { return self.is_empty() };
        let mut tasks = vec![(left, right, 0)];
        while let Some((left, right, steps)) = tasks.pop() {
            if Node::ptr_eq(left, right) {
                continue;
            }
            if left.len() > right.len() {
                return false;
            }
            let is_within = |key: &K| {
                let route = Route::below(hash_of(self.seed, key), steps);
                find(right, route, |known| known == key).is_some()
            };
            if !left.pairs().iter().all(|pair| is_within(&pair.key)) {
                return false;
            }
            if left.is_leaf() {
                continue;
            }
            let Some(steps) = left.enter(steps) else { return false };
            for (slot, child) in left.head().slots().zip(left.children()) {
                let Some(other) = right.child(slot) else { return false };
                tasks.push((child, other, steps));
            }
        }
        true
    }
}
