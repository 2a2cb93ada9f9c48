//! Vectors sorted, searched and filtered.

use std::cmp::Ordering;
use std::mem;
use std::ops::Range;

use super::Vector;
use crate::collections::sequence::Sequence;
use crate::commit::Fase;
use crate::persist::Persistent;

/// With one run of dropped elements per so many elements, or more, a vector is rebuilt instead.
const REBUILD: usize = 64;

impl<T> Vector<'_, T>
where
    T: Persistent,
{
    /// Looks for an element in a sorted vector: its index, or where it would keep the order.
    ///
    /// Complexity: O(log² n).
    ///
    /// # Errors
    /// The index at which the element would have to be inserted.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [1, 3, 5]);
    ///     assert_eq!(vector.binary_search(&3), Ok(1));
    ///     assert_eq!(vector.binary_search(&4), Err(2));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn binary_search(&self, item: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.binary_search_by(|element| element.cmp(item))
    }

    /// Looks for an element in a vector sorted by a key: its index, or where it would keep the order.
    ///
    /// Complexity: O(log² n).
    ///
    /// # Errors
    /// The index at which the element would have to be inserted.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [1, 3, 5]);
    ///     assert_eq!(vector.binary_search_by_key(&50, |element| element * 10), Ok(2));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn binary_search_by_key<K: Ord>(
        &self,
        wanted: &K,
        mut key: impl FnMut(&T) -> K,
    ) -> Result<usize, usize> {
        self.binary_search_by(|element| key(element).cmp(wanted))
    }

    /// Looks for an element in a sorted vector by a comparison that says where the element is from the one wanted.
    ///
    /// Complexity: O(log² n).
    ///
    /// # Errors
    /// The index at which the element would have to be inserted.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [1, 3, 5]);
    ///     assert_eq!(vector.binary_search_by(|element| element.cmp(&0)), Err(0));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn binary_search_by(&self, mut compare: impl FnMut(&T) -> Ordering) -> Result<usize, usize> {
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = start + (end - start) / 2;
            match compare(&self[middle]) {
                Ordering::Less => start = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => end = middle,
            }
        }
        Err(start)
    }

    /// The index of the first element for which `is_before` does not hold, if it holds for those before and for none behind.
    ///
    /// Complexity: O(log² n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [1, 3, 5]);
    ///     assert_eq!(vector.partition_point(|element| *element < 4), 2);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn partition_point(&self, mut is_before: impl FnMut(&T) -> bool) -> usize {
        let is_before = |element: &T| if is_before(element) { Ordering::Less } else { Ordering::Greater };
        self.binary_search_by(is_before).unwrap_or_else(|at| at)
    }
}

impl<'p, T> Vector<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// Keeps the elements that `keep` says. It is asked once about each, in order, and only then is anything changed: if it
    /// panics, the vector is as it was.
    ///
    /// Complexity: O(n); only what changes is copied if little does.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, 0..10);
    ///     vector.retain(tx, |element| element % 3 == 0);
    ///     assert_eq!(*vector, [0, 3, 6, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, mut keep: impl FnMut(&T) -> bool) {
        let mut dropped: Vec<Range<usize>> = Vec::new();
        for (index, element) in self.iter().enumerate() {
            if keep(element) {
                continue;
            }
            match dropped.last_mut() {
                Some(last) if last.end == index => last.end += 1,
                _ => dropped.push(index..index + 1),
            }
        }
        if dropped.len() < self.len() / REBUILD {
            dropped.into_iter().rev().for_each(|range| drop(self.remove_range(tx, range)));
            return;
        }
        let mut kept = Self::new();
        let mut next = 0;
        let mut rest = mem::take(self).elements;
        for range in dropped {
            kept.take_from(tx, &mut rest, range.start - next);
            (0..range.len()).for_each(|_| drop(rest.pop_front(tx)));
            next = range.end;
        }
        kept.take_from(tx, &mut rest, usize::MAX);
        *self = kept;
    }

    /// Drops each element that is equal to the one before it.
    ///
    /// Complexity: O(n), as [`Vector::retain`].
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 7, 8, 7]);
    ///     vector.dedup(tx);
    ///     assert_eq!(*vector, [7, 8, 7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dedup(&mut self, tx: &Fase<'p>)
    where
        T: PartialEq,
    {
        let mut before: Option<&T> = None;
        let is_new: Vec<bool> = self
            .iter()
            .map(|element| before.replace(element).is_none_or(|before| before != element))
            .collect();
        let mut is_new = is_new.into_iter();
        self.retain(tx, |_| is_new.next().unwrap_or(true));
    }

    /// Sorts the elements; equal ones keep their order.
    ///
    /// Complexity, and memory: as [`Vector::sort_by`].
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [9, 7, 8]);
    ///     vector.sort(tx);
    ///     assert_eq!(*vector, [7, 8, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sort(&mut self, tx: &Fase<'p>)
    where
        T: Ord,
    {
        self.sort_by(tx, T::cmp);
    }

    /// Sorts the elements by a key; equal ones keep their order.
    ///
    /// Complexity, and memory: as [`Vector::sort_by`].
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [9, 7, 8]);
    ///     vector.sort_by_key(tx, |element| std::cmp::Reverse(*element));
    ///     assert_eq!(*vector, [9, 8, 7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sort_by_key<K: Ord>(&mut self, tx: &Fase<'p>, mut key: impl FnMut(&T) -> K) {
        self.sort_by(tx, |left, right| key(left).cmp(&key(right)));
    }

    /// Sorts the elements by a comparison; equal ones keep their order. The comparison is done before anything is changed: if it
    /// panics, the vector is as it was. Elements that are in order already are not copied.
    ///
    /// Complexity: O(n log n). Ordinary memory: 16 bytes an element, and up to as much again for the sort, while it compares; then 8
    /// bytes and the size of an `Option<T>` an element, while it moves them. The pool gets a second vector meanwhile.
    ///
    /// # Panics
    /// May panic if the comparison is not a total order.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [9, 7, 8]);
    ///     vector.sort_by(tx, |left, right| right.cmp(left));
    ///     assert_eq!(*vector, [9, 8, 7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sort_by(&mut self, tx: &Fase<'p>, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut order: Vec<(usize, &T)> = self.iter().enumerate().collect();
        order.sort_by(|left, right| compare(left.1, right.1));
        if order.iter().enumerate().all(|(to, (from, _))| to == *from) {
            return;
        }
        let mut places = vec![0; order.len()];
        order.into_iter().enumerate().for_each(|(to, (from, _))| places[from] = to);
        let mut sorted: Vec<Option<T>> = Vec::new();
        sorted.resize_with(places.len(), || None);
        let mut rest = mem::take(self).elements;
        for to in places {
            sorted[to] = rest.pop_front(tx);
        }
        self.extend(tx, sorted.into_iter().flatten());
    }
}

impl<'p, T> Vector<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// Moves so many elements from the front of `rest` behind the last, or as many as there are.
    fn take_from(&mut self, tx: &Fase<'p>, rest: &mut Sequence<'p, T>, count: usize) {
        let count = count.min(rest.len());
        for left in (0..count).rev() {
            let Some(item) = rest.pop_front(tx) else { return };
            self.elements.push_back(tx, item, left);
        }
    }
}
