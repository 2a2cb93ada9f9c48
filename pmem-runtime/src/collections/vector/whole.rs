//! Vectors built, joined, divided and cut to length.

use std::mem;
use std::ops::RangeBounds;

use super::{IterMut, Vector, indices};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, T> Vector<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// Adds these elements behind the last. If the iterator panics, those before are in the vector.
    ///
    /// Complexity: O(m).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     assert_eq!(*vector, [7, 8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(&mut self, tx: &Fase<'p>, items: impl IntoIterator<Item = T>) {
        let mut items = items.into_iter();
        while let Some(item) = items.next() {
            self.elements.push_back(tx, item, items.size_hint().0.max(1));
        }
    }

    /// Adds copies of these elements behind the last.
    ///
    /// Complexity: O(m).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend_from_slice(tx, &[7, 8]);
    ///     assert_eq!(*vector, [7, 8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend_from_slice(&mut self, tx: &Fase<'p>, items: &[T])
    where
        T: Copy,
    {
        self.elements.extend_from_slice(tx, items);
    }

    /// Puts copies of these elements before the one at `index`.
    ///
    /// Complexity: O(log n + m).
    ///
    /// # Panics
    /// If `index` is behind the end.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [1, 4]);
    ///     vector.insert_slice(tx, 1, &[2, 3]);
    ///     assert_eq!(*vector, [1, 2, 3, 4]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_slice(&mut self, tx: &Fase<'p>, index: usize, items: &[T])
    where
        T: Copy,
    {
        self.elements.insert_slice(tx, index, items);
    }

    /// Moves all elements of `other` behind the last.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     let other = Vector::from_iter(tx, [9]);
    ///     vector.append(tx, other);
    ///     assert_eq!(*vector, [7, 8, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: Self) {
        self.elements.append(tx, other.elements);
    }

    /// Moves all elements of `other` before the one at `index`.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `index` is behind the end.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 9]);
    ///     let other = Vector::from_iter(tx, [1, 2]);
    ///     vector.insert_all(tx, 1, other);
    ///     assert_eq!(*vector, [7, 1, 2, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_all(&mut self, tx: &Fase<'p>, index: usize, other: Self) {
        self.elements.insert_all(tx, index, other.elements);
    }

    /// Takes the elements from `at` on.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `at` is behind the end.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     let rest = vector.split_off(tx, 1);
    ///     assert_eq!(*vector, [7]);
    ///     assert_eq!(rest, [8, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split_off(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        Vector { elements: self.elements.split_off(tx, at) }
    }

    /// A second owner of the elements in a range: what lies between its ends is shared, not copied.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range begins behind its end, or ends behind the last element.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, 0..1000);
    ///     let middle = vector.slice(tx, 300..=500);
    ///     assert_eq!(middle.len(), 201);
    ///     assert_eq!(middle[0], 300);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn slice(&self, tx: &Fase<'p>, range: impl RangeBounds<usize>) -> Self {
        Vector { elements: self.elements.slice(tx, indices(&range, self.len())) }
    }

    /// Takes the elements of a range out, as a vector; those behind it move up.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range begins behind its end, or ends behind the last element.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, 0..6);
    ///     let taken = vector.remove_range(tx, 1..4);
    ///     assert_eq!(*vector, [0, 4, 5]);
    ///     assert_eq!(taken, [1, 2, 3]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_range(&mut self, tx: &Fase<'p>, range: impl RangeBounds<usize>) -> Self {
        let range = indices(&range, self.len());
        Vector { elements: self.elements.remove_range(tx, range) }
    }

    /// Keeps the first `len` elements; if there are no more, does nothing.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     vector.truncate(tx, 1);
    ///     assert_eq!(*vector, [7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn truncate(&mut self, tx: &Fase<'p>, len: usize) {
        if len < self.len() {
            drop(self.split_off(tx, len));
        }
    }

    /// Drops all elements.
    ///
    /// Complexity: O(1); nodes that nobody else owns are given back later.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     vector.clear(tx);
    ///     assert!(vector.is_empty());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, tx: &Fase<'p>) {
        let _ = tx;
        *self = Self::new();
    }

    /// Makes the vector `len` elements long: drops those behind, or adds shares of `value`.
    ///
    /// Complexity: O(log n + m) for m elements added.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.push(tx, 7);
    ///     vector.resize(tx, 3, 0);
    ///     assert_eq!(*vector, [7, 0, 0]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resize(&mut self, tx: &Fase<'p>, len: usize, value: T) {
        self.truncate(tx, len);
        let missing = len - self.len();
        self.extend(tx, (0..missing).map(|_| tx.share(&value)));
    }

    /// Moves the first `count` elements behind the others.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there are not so many.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     vector.rotate_left(tx, 1);
    ///     assert_eq!(*vector, [8, 9, 7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rotate_left(&mut self, tx: &Fase<'p>, count: usize) {
        let mut rest = self.split_off(tx, count);
        mem::swap(self, &mut rest);
        self.append(tx, rest);
    }

    /// Moves the last `count` elements before the others.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there are not so many.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     vector.rotate_right(tx, 1);
    ///     assert_eq!(*vector, [9, 7, 8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rotate_right(&mut self, tx: &Fase<'p>, count: usize) {
        let len = self.len();
        assert!(count <= len, "there are {len} elements, not {count}");
        self.rotate_left(tx, len - count);
    }

    /// Access to all elements in order. Each leaf is copied when its first element is asked for, whether the element is changed or
    /// not.
    ///
    /// Complexity: O(1) per element.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     vector.iter_mut(tx).for_each(|element| *element += 1);
    ///     assert_eq!(*vector, [8, 9, 10]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> IterMut<'a, 'p, T> {
        IterMut(self.elements.iter_mut(tx))
    }
}
