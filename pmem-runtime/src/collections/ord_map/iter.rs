//! Iteration over all entries, from both ends.

use std::fmt;
use std::iter::FusedIterator;

use super::OrdMap;
use super::gap::Gap;
use super::node::{Node, Pair};
use crate::persist::Persistent;

/// The entries of a map in order: [`OrdMap::iter`].
pub struct Iter<'a, 'p, K, V> {
    root: Option<&'a Node<'p, K, V>>,
    /// The places between which the rest lies, once something was taken at that end.
    front: Option<Gap<'a, 'p, K, V>>,
    back: Option<Gap<'a, 'p, K, V>>,
    remaining: usize,
}

/// The keys of a map in order: [`OrdMap::keys`].
pub struct Keys<'a, 'p, K, V>(Iter<'a, 'p, K, V>);

/// The values of a map in the order of their keys: [`OrdMap::values`].
pub struct Values<'a, 'p, K, V>(Iter<'a, 'p, K, V>);

impl<'p, K: Persistent, V: Persistent> OrdMap<'p, K, V> {
    /// All entries in the order of their keys.
    ///
    /// Complexity: O(log n) for the first at either end, then O(1) on average.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(2, 20), (1, 10), (3, 30)]);
    /// assert!(map.iter().rev().eq([(&3, &30), (&2, &20), (&1, &10)]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p, K, V> {
        Iter { root: self.root.as_ref(), front: None, back: None, remaining: self.len() }
    }

    /// All keys in order.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert!(map.keys().rev().eq(&[3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keys(&self) -> Keys<'_, 'p, K, V> {
        Keys(self.iter())
    }

    /// All values in the order of their keys.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, [(1, 10), (2, 20), (3, 30)]);
    /// assert!(map.values().eq(&[10, 20, 30]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn values(&self) -> Values<'_, 'p, K, V> {
        Values(self.iter())
    }
}

impl<K, V> Clone for Iter<'_, '_, K, V> {
    fn clone(&self) -> Self {
        Iter { front: self.front.clone(), back: self.back.clone(), ..*self }
    }
}

impl<'a, K: Persistent, V: Persistent> Iterator for Iter<'a, '_, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        self.front.get_or_insert_with(|| Gap::first(self.root)).next().map(Pair::as_refs)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }

    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }

    fn min(mut self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.next()
    }

    fn max(mut self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.next_back()
    }
}

impl<K: Persistent, V: Persistent> DoubleEndedIterator for Iter<'_, '_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        self.back.get_or_insert_with(|| Gap::last(self.root)).prev().map(Pair::as_refs)
    }
}

impl<K: Persistent, V: Persistent> ExactSizeIterator for Iter<'_, '_, K, V> {}
impl<K: Persistent, V: Persistent> FusedIterator for Iter<'_, '_, K, V> {}

impl<K: Persistent + fmt::Debug, V: Persistent + fmt::Debug> fmt::Debug for Iter<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

macro_rules! half {
    ($name:ident, $item:ident, $at:tt) => {
        impl<K, V> Clone for $name<'_, '_, K, V> {
            fn clone(&self) -> Self {
                $name(self.0.clone())
            }
        }

        impl<'a, K: Persistent, V: Persistent> Iterator for $name<'a, '_, K, V> {
            type Item = &'a $item;

            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map(|entry| entry.$at)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }

            fn last(mut self) -> Option<Self::Item> {
                self.next_back()
            }
        }

        impl<K: Persistent, V: Persistent> DoubleEndedIterator for $name<'_, '_, K, V> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map(|entry| entry.$at)
            }
        }

        impl<K: Persistent, V: Persistent> ExactSizeIterator for $name<'_, '_, K, V> {}
        impl<K: Persistent, V: Persistent> FusedIterator for $name<'_, '_, K, V> {}

        impl<K: Persistent, V: Persistent> fmt::Debug for $name<'_, '_, K, V>
        where
            $item: fmt::Debug,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.clone()).finish()
            }
        }
    };
}

half!(Keys, K, 0);
half!(Values, V, 1);

impl<'a, 'p, K: Persistent, V: Persistent> IntoIterator for &'a OrdMap<'p, K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, 'p, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
