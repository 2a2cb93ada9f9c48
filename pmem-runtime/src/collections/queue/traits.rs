//! The standard traits of a queue. Order is from the front.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Index;

use super::Queue;
use crate::persist::Persistent;

impl<T> Default for Queue<'_, T> {
    fn default() -> Self {
        Queue::new()
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for Queue<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// Element by element, by their own `==`: one that is not equal to itself, such as a NaN, makes a queue differ from its own
/// share. [`Queue::same`] compares versions without looking at what they share.
impl<T: Persistent + PartialEq> PartialEq for Queue<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Persistent + Eq> Eq for Queue<'_, T> {}

impl<T: Persistent + PartialOrd> PartialOrd for Queue<'_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<T: Persistent + Ord> Ord for Queue<'_, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<T: Persistent + Hash> Hash for Queue<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|element| element.hash(state));
    }
}

/// # Panics
/// If there is no element at the index.
impl<T: Persistent> Index<usize> for Queue<'_, T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        let missing = || panic!("index {index} is not one of the {} elements", self.len());
        self.get(index).unwrap_or_else(missing)
    }
}

const _: () = {
    use static_assertions::{assert_eq_size, assert_impl_all};

    use super::Iter;

    assert_impl_all!(Queue<'static, u64>: Send, Sync, Persistent);
    assert_impl_all!(Iter<'static, 'static, u64>: Send, Sync);
    assert_eq_size!(Queue<'static, u64>, [u64; 4]);
};
