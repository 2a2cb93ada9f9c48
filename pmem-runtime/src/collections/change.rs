//! What distinguishes a newer version of a map or a set from an older one.

/// One difference between two maps: [`Map::diff`](super::Map::diff) and [`OrdMap::diff`](super::OrdMap::diff).
#[derive(Debug, PartialEq, Eq)]
pub enum MapChange<'a, K, V> {
    /// The newer map has a key that the older has not.
    Added {
        /// The key.
        key: &'a K,
        /// Its value.
        value: &'a V,
    },
    /// The older map has a key that the newer has not.
    Removed {
        /// The key.
        key: &'a K,
        /// Its value.
        value: &'a V,
    },
    /// Both have the key, with different values.
    Changed {
        /// The key, as the newer map has it.
        key: &'a K,
        /// Its value in the older map.
        old: &'a V,
        /// Its value in the newer map.
        new: &'a V,
    },
}

impl<K, V> Clone for MapChange<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for MapChange<'_, K, V> {}

/// One difference between two sets: [`Set::diff`](super::Set::diff) and [`OrdSet::diff`](super::OrdSet::diff).
#[derive(Debug, PartialEq, Eq)]
pub enum SetChange<'a, T> {
    /// Only the newer set has the element.
    Added(&'a T),
    /// Only the older set has the element.
    Removed(&'a T),
}

impl<T> Clone for SetChange<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SetChange<'_, T> {}

impl<'a, T> SetChange<'a, T> {
    /// What the difference between two maps from elements to nothing says of the two sets.
    pub(super) fn of(change: MapChange<'a, T, ()>) -> Option<Self> {
        match change {
            MapChange::Added { key, .. } => Some(SetChange::Added(key)),
            MapChange::Removed { key, .. } => Some(SetChange::Removed(key)),
            // Equal elements have equal values of no size.
            MapChange::Changed { .. } => None,
        }
    }
}
