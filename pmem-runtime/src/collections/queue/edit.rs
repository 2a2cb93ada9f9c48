//! A queue changed by a section.

use super::rotation::Middle;
use super::{Chunk, IterMut, Queue, head};
use crate::commit::Fase;
use crate::persist::{P, Persistent};

impl<'p, T: Persistent<At<'p> = T>> Queue<'p, T> {
    /// A second owner of the same elements: a version to keep.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// let before = queue.share(tx);
    /// queue.pop_front(tx);
    /// assert_eq!((before.len(), queue.len()), (3, 2));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// A version with the element at the end; this one stays as it is. The two share all but what the push copies.
    ///
    /// Complexity: as that of the push.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2]);
    /// let newer = queue.update(tx, 3);
    /// assert_eq!((queue.len(), newer.back()), (2, Some(&3)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, value: T) -> Self {
        let mut newer = self.share(tx);
        newer.push_back(tx, value);
        newer
    }

    /// Adds an element at the end.
    ///
    /// Complexity: O(1) in the worst case, on every version.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.push_back(tx, 1);
    /// queue.push_back(tx, 2);
    /// assert!(queue.iter().eq(&[1, 2]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_back(&mut self, tx: &Fase<'p>, value: T) {
        match &mut self.last {
            Some(last) if last.items().len() < Chunk::<T>::MAX => last.push(tx, value),
            last => {
                let full = last.replace(Chunk::single(tx, value));
                if self.first.is_none() {
                    self.first = full;
                } else if let Some(full) = full {
                    let middle = self.middle.get_or_insert_with(|| P::new(tx, Middle::new()));
                    middle.make_mut(tx).push(tx, full);
                }
            }
        }
        self.len += 1;
    }

    /// Takes the element that was added first.
    ///
    /// Complexity: O(1) in the worst case, on every version.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// assert_eq!(queue.pop_front(tx), Some(1));
    /// assert!(queue.iter().eq(&[2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop_front(&mut self, tx: &Fase<'p>) -> Option<T> {
        let is_last = self.first.is_none();
        let place = if is_last { &mut self.last } else { &mut self.first };
        let chunk = place.as_mut()?;
        let items = chunk.items().len();
        let value = if items > 1 {
            Some(chunk.0.remove_item(tx, 0, head(items - 1)))
        } else {
            let (_, mut items, _, _) = place.take()?.0.take(tx);
            if let Some(middle) = &mut self.middle {
                let middle = middle.make_mut(tx);
                self.first = middle.pop(tx);
                if middle.is_empty() {
                    self.middle = None;
                }
            }
            items.pop()
        };
        self.len -= 1;
        value
    }

    /// The element that is popped next, for writing.
    ///
    /// Complexity: O(1); its chunk is copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// if let Some(front) = queue.front_mut(tx) {
    ///     *front = 7;
    /// }
    /// assert!(queue.iter().eq(&[7, 2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn front_mut(&mut self, tx: &Fase<'p>) -> Option<&mut T> {
        self.first.as_mut().or(self.last.as_mut())?.0.edit(tx).items.first_mut()
    }

    /// The element that was pushed last, for writing.
    ///
    /// Complexity: O(1); its chunk is copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// if let Some(back) = queue.back_mut(tx) {
    ///     *back = 7;
    /// }
    /// assert!(queue.iter().eq(&[1, 2, 7]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn back_mut(&mut self, tx: &Fase<'p>) -> Option<&mut T> {
        self.last.as_mut()?.0.edit(tx).items.last_mut()
    }

    /// All elements from the front, for writing.
    ///
    /// Complexity: O(n / chunk) to start, which copies the cells between the first and the last chunk, then O(1) each; the
    /// chunks of what is reached are copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// queue.iter_mut(tx).for_each(|value| *value *= 10);
    /// assert!(queue.iter().eq(&[10, 20, 30]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> IterMut<'a, 'p, T> {
        let remaining = self.len();
        let middle = self.middle.as_mut().map(|middle| middle.make_mut(tx));
        IterMut::new(tx, [&mut self.first, &mut self.last], middle, remaining)
    }

    /// Removes all elements.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// queue.clear(tx);
    /// assert!(queue.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, _tx: &Fase<'p>) {
        *self = Queue::new();
    }

    /// Pushes every element of the iterator.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// queue.extend(tx, [4, 5]);
    /// assert_eq!((queue.len(), queue.back()), (5, Some(&5)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend<I>(&mut self, tx: &Fase<'p>, values: I)
    where
        I: IntoIterator<Item = T>,
    {
        values.into_iter().for_each(|value| self.push_back(tx, value));
    }

    /// A queue of these elements, the first at the front.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// *queue = Queue::from_iter(tx, 1..=3);
    /// assert_eq!((queue.len(), queue.front(), queue.back()), (3, Some(&1), Some(&3)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_iter<I>(tx: &Fase<'p>, values: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let mut queue = Queue::new();
        queue.extend(tx, values);
        queue
    }

    /// Moves all elements of `other` behind these; it is empty afterwards.
    ///
    /// Complexity: O(elements of `other`).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 2, 3]);
    /// let mut other = Queue::from_iter(tx, [4, 5]);
    /// queue.append(tx, &mut other);
    /// assert!(queue.iter().eq(&[1, 2, 3, 4, 5]) && other.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: &mut Self) {
        while let Some(value) = other.pop_front(tx) {
            self.push_back(tx, value);
        }
    }

    /// Keeps the elements for which `keep` is true. It sees each once, in order, before anything is removed.
    ///
    /// Complexity: O(n); if something is removed, every node is made anew.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Queue, persist_fase};
    /// # let pool = Pool::<Queue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, 0..6);
    /// queue.retain(tx, |value| value % 2 == 0);
    /// assert!(queue.iter().eq(&[0, 2, 4]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, keep: impl FnMut(&T) -> bool) {
        let kept: Vec<bool> = self.iter().map(keep).collect();
        if kept.iter().all(|is_kept| *is_kept) {
            return;
        }
        let mut old = std::mem::take(self);
        for is_kept in kept {
            if let Some(value) = old.pop_front(tx).filter(|_| is_kept) {
                self.push_back(tx, value);
            }
        }
    }
}
