//! The standard traits of a map.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Index;

use equivalent::Comparable;

use super::OrdMap;
use crate::persist::Persistent;

impl<K, V> Default for OrdMap<'_, K, V> {
    fn default() -> Self {
        OrdMap::new()
    }
}

impl<K: Persistent + fmt::Debug, V: Persistent + fmt::Debug> fmt::Debug for OrdMap<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Entry by entry, by their own `==`, as in the standard library: a value that is not equal to itself, such as a NaN, makes a
/// map differ from its own share. [`OrdMap::same`] compares versions without looking at what they share.
impl<K: Persistent + PartialEq, V: Persistent + PartialEq> PartialEq for OrdMap<'_, K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<K: Persistent + Eq, V: Persistent + Eq> Eq for OrdMap<'_, K, V> {}

impl<K: Persistent + PartialOrd, V: Persistent + PartialOrd> PartialOrd for OrdMap<'_, K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

/// Entry by entry in the order of the keys, as in the standard library.
impl<K: Persistent + Ord, V: Persistent + Ord> Ord for OrdMap<'_, K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: Persistent + Hash, V: Persistent + Hash> Hash for OrdMap<'_, K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|entry| entry.hash(state));
    }
}

/// # Panics
/// Indexing panics if the map does not have the key.
impl<K: Persistent, V: Persistent, Q: ?Sized + Comparable<K>> Index<&Q> for OrdMap<'_, K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the map has no such key")
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all};

    use super::{Cursor, Iter, Range};

    assert_impl_all!(OrdMap<'static, u64, u64>: Send, Sync, Persistent);
    assert_impl_all!(Iter<'static, 'static, u64, u64>: Send, Sync);
    assert_impl_all!(Range<'static, 'static, u64, u64>: Send, Sync);
    assert_impl_all!(Cursor<'static, 'static, u64, u64>: Send, Sync);
    assert_eq_size!(OrdMap<'static, u64, u64>, u64);
};
