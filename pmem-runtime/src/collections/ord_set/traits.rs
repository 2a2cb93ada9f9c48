//! The standard traits of a set.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::OrdSet;
use crate::persist::Persistent;

impl<T> Default for OrdSet<'_, T> {
    fn default() -> Self {
        OrdSet::new()
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for OrdSet<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

/// What both share is equal without looking.
impl<T: Persistent + Ord> PartialEq for OrdSet<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.map.same(&other.map)
    }
}

impl<T: Persistent + Ord> Eq for OrdSet<'_, T> {}

impl<T: Persistent + Ord> PartialOrd for OrdSet<'_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Element by element in order, as in the standard library.
impl<T: Persistent + Ord> Ord for OrdSet<'_, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<T: Persistent + Hash> Hash for OrdSet<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|element| element.hash(state));
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all};

    use super::Iter;

    assert_impl_all!(OrdSet<'static, u64>: Send, Sync, Persistent);
    assert_impl_all!(Iter<'static, 'static, u64>: Send, Sync);
    assert_eq_size!(OrdSet<'static, u64>, u64);
};
