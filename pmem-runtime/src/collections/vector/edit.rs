//! One element of a vector at a time, changed by a section.

use std::mem;

use super::Vector;
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, T> Vector<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// A vector of these elements, in leaves that are full.
    ///
    /// Complexity: O(n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     *vector = Vector::from_iter(tx, 0..3);
    ///     assert_eq!(*vector, [0, 1, 2]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_iter(tx: &Fase<'p>, items: impl IntoIterator<Item = T>) -> Self {
        let mut vector = Self::new();
        vector.extend(tx, items);
        vector
    }

    /// A second owner of the same elements. It costs only what later changes in one of the two.
    ///
    /// Complexity: O(1).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.push(tx, 7);
    ///     let before = vector.share(tx);
    ///     vector.push(tx, 8);
    ///     assert_eq!(before, [7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// A version with the element at `index` replaced; this one stays as it is. The two share all but the path to it.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `index` is not below the length.
    ///
    /// ```
    /// # use pmem_runtime::{Vector, Pool, persist_fase};
    /// # let pool = Pool::<Vector<u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, root| {
    ///     root.push(tx, 1);
    ///     let newer = root.update(tx, 0, 10);
    ///     assert!(*root == [1] && newer == [10]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, index: usize, value: T) -> Self {
        let mut newer = self.share(tx);
        newer.set(tx, index, value);
        newer
    }

    /// Access to the element at `index`. What older versions and shares see does not change.
    ///
    /// Complexity: O(log n); the first time in a section the path to the element is copied.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     *vector.get_mut(tx, 1).expect("it is there") += 1;
    ///     assert_eq!(*vector, [7, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get_mut(&mut self, tx: &Fase<'p>, index: usize) -> Option<&mut T> {
        self.elements.get_mut(tx, index)
    }

    /// Access to the first element.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     *vector.first_mut(tx).expect("it is there") = 1;
    ///     assert_eq!(*vector, [1, 8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_mut(&mut self, tx: &Fase<'p>) -> Option<&mut T> {
        self.get_mut(tx, 0)
    }

    /// Access to the last element.
    ///
    /// Complexity: O(log n).
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     *vector.last_mut(tx).expect("it is there") = 1;
    ///     assert_eq!(*vector, [7, 1]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last_mut(&mut self, tx: &Fase<'p>) -> Option<&mut T> {
        let last = self.len().checked_sub(1)?;
        self.get_mut(tx, last)
    }

    /// Puts `value` at `index`; returns what was there.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there is no element at the index.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     assert_eq!(vector.set(tx, 0, 1), 7);
    ///     assert_eq!(*vector, [1, 8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&mut self, tx: &Fase<'p>, index: usize, value: T) -> T {
        let len = self.len();
        let Some(place) = self.get_mut(tx, index) else {
            panic!("index {index} is not one of the {len} elements");
        };
        mem::replace(place, value)
    }

    /// Exchanges two elements.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there is no element at one of the indices.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     vector.swap(tx, 0, 2);
    ///     assert_eq!(*vector, [9, 8, 7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn swap(&mut self, tx: &Fase<'p>, first: usize, second: usize) {
        let len = self.len();
        assert!(first < len && second < len, "{first} and {second} are not both among the {len} elements");
        if first != second {
            let (first, second) = self.elements.pair_mut(tx, first.min(second), first.max(second));
            mem::swap(first, second);
        }
    }

    /// Adds an element behind the last.
    ///
    /// Complexity: O(1), and O(log n) once per leaf.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.push(tx, 7);
    ///     assert_eq!(*vector, [7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, tx: &Fase<'p>, value: T) {
        self.elements.push_back(tx, value, 0);
    }

    /// Takes the last element.
    ///
    /// Complexity: O(1), and O(log n) once per leaf.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     assert_eq!(vector.pop(tx), Some(8));
    ///     assert_eq!(*vector, [7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop(&mut self, tx: &Fase<'p>) -> Option<T> {
        self.elements.pop_back(tx)
    }

    /// [`Vector::push`], by its name in `VecDeque`.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.push_back(tx, 7);
    ///     assert_eq!(*vector, [7]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_back(&mut self, tx: &Fase<'p>, value: T) {
        self.push(tx, value);
    }

    /// [`Vector::pop`], by its name in `VecDeque`.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     assert_eq!(vector.pop_back(tx), None);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop_back(&mut self, tx: &Fase<'p>) -> Option<T> {
        self.pop(tx)
    }

    /// Adds an element before the first.
    ///
    /// Complexity: O(1), and O(log n) once per leaf.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.push_front(tx, 8);
    ///     vector.push_front(tx, 7);
    ///     assert_eq!(*vector, [7, 8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_front(&mut self, tx: &Fase<'p>, value: T) {
        self.elements.push_front(tx, value);
    }

    /// Takes the first element.
    ///
    /// Complexity: O(1), and O(log n) once per leaf.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8]);
    ///     assert_eq!(vector.pop_front(tx), Some(7));
    ///     assert_eq!(*vector, [8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop_front(&mut self, tx: &Fase<'p>) -> Option<T> {
        self.elements.pop_front(tx)
    }

    /// Puts an element before the one at `index`; at the length, behind the last.
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
    ///     vector.insert(tx, 1, 8);
    ///     assert_eq!(*vector, [7, 8, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, tx: &Fase<'p>, index: usize, value: T) {
        self.elements.insert(tx, index, value);
    }

    /// Takes the element at `index` out; those behind it move up.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there is no element at the index.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     assert_eq!(vector.remove(tx, 1), 8);
    ///     assert_eq!(*vector, [7, 9]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, tx: &Fase<'p>, index: usize) -> T {
        self.elements.remove(tx, index)
    }

    /// Takes the element at `index` out; the last takes its place.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there is no element at the index.
    ///
    /// # Examples
    /// ```
    /// # use pmem_runtime::{Pool, persist_fase, collections::Vector};
    /// # let pool = Pool::<Vector<'static, u64>>::options().volatile()?;
    /// persist_fase!(pool, |tx, vector| {
    ///     vector.extend(tx, [7, 8, 9]);
    ///     assert_eq!(vector.swap_remove(tx, 0), 7);
    ///     assert_eq!(*vector, [9, 8]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn swap_remove(&mut self, tx: &Fase<'p>, index: usize) -> T {
        let len = self.len();
        assert!(index < len, "index {index} is not one of the {len} elements");
        self.swap(tx, index, len - 1);
        self.pop(tx).expect("there is one")
    }
}
