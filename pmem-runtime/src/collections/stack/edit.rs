//! A stack changed by a section.

use super::{IterMut, Node, Stack};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, T: Persistent<At<'p> = T>> Stack<'p, T> {
    /// A second owner of the same elements: a version to keep.
    ///
    /// Complexity: O(1).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// let before = stack.share(tx);
    /// stack.pop(tx);
    /// assert_eq!((before.len(), stack.len()), (3, 2));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// A version with the element on top; this one stays as it is. The two share all but what the push copies.
    ///
    /// Complexity: as that of the push.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2]);
    /// let newer = stack.update(tx, 3);
    /// assert_eq!((stack.len(), newer.peek()), (2, Some(&3)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn update(&self, tx: &Fase<'p>, value: T) -> Self {
        let mut newer = self.share(tx);
        newer.push(tx, value);
        newer
    }

    /// Puts an element on top.
    ///
    /// Complexity: O(1); one node is copied or made.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.push(tx, 1);
    /// stack.push(tx, 2);
    /// assert!(stack.iter().eq(&[2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, tx: &Fase<'p>, value: T) {
        match &mut self.top {
            Some(node) if node.items().len() < Node::<T>::MAX => node.push(tx, value),
            top => {
                let below = top.take();
                *top = Some(Node::over(tx, value, below));
            }
        }
        self.len += 1;
    }

    /// Takes the top element.
    ///
    /// Complexity: O(1); one node is copied, or given up with its last element.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// assert_eq!(stack.pop(tx), Some(3));
    /// assert!(stack.iter().eq(&[2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pop(&mut self, tx: &Fase<'p>) -> Option<T> {
        let node = self.top.as_mut()?;
        let counts = node.0.counts();
        let value = if counts.items > 1 {
            let head = node.head(counts.items - 1, counts.children);
            Some(node.0.remove_item(tx, counts.items - 1, head))
        } else {
            let (_, mut items, mut children, _) = self.top.take()?.0.take(tx);
            self.top = children.pop();
            items.pop()
        };
        self.len -= 1;
        value
    }

    /// The element that was pushed last, for writing.
    ///
    /// Complexity: O(1); the top node is copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2]);
    /// if let Some(top) = stack.peek_mut(tx) {
    ///     *top = 5;
    /// }
    /// assert!(stack.iter().eq(&[5, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn peek_mut(&mut self, tx: &Fase<'p>) -> Option<&mut T> {
        self.top.as_mut()?.0.edit(tx).items.last_mut()
    }

    /// All elements from the top, for writing.
    ///
    /// Complexity: O(1) each; the nodes of what is reached are copied the first time in a section.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// stack.iter_mut(tx).for_each(|value| *value *= 10);
    /// assert!(stack.iter().eq(&[30, 20, 10]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> IterMut<'a, 'p, T> {
        let remaining = self.len();
        IterMut { tx, items: [].iter_mut(), below: self.top.as_mut(), remaining }
    }

    /// Removes all elements.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// stack.clear(tx);
    /// assert!(stack.is_empty());
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self, _tx: &Fase<'p>) {
        *self = Stack::new();
    }

    /// Pushes every element of the iterator: its last is on top afterwards.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// stack.extend(tx, [4, 5]);
    /// assert_eq!((stack.len(), stack.peek()), (5, Some(&5)));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend<I>(&mut self, tx: &Fase<'p>, values: I)
    where
        I: IntoIterator<Item = T>,
    {
        values.into_iter().for_each(|value| self.push(tx, value));
    }

    /// A stack of these elements, the last on top.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// *stack = Stack::from_iter(tx, [1, 2]);
    /// assert_eq!(stack.peek(), Some(&2));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_iter<I>(tx: &Fase<'p>, values: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let mut stack = Stack::new();
        stack.extend(tx, values);
        stack
    }

    /// Moves all elements of `other` on top of these, in their order; it is empty afterwards.
    ///
    /// Complexity: O(elements of `other`).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2]);
    /// let mut other = Stack::from_iter(tx, [3, 4]);
    /// stack.append(tx, &mut other);
    /// assert!(other.is_empty() && stack.iter().eq(&[4, 3, 2, 1]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&mut self, tx: &Fase<'p>, other: &mut Self) {
        if self.is_empty() {
            *self = std::mem::take(other);
            return;
        }
        let mut lowest_first: Vec<T> = Vec::with_capacity(other.len());
        while let Some(value) = other.pop(tx) {
            lowest_first.push(value);
        }
        self.extend(tx, lowest_first.into_iter().rev());
    }

    /// Turns the stack upside down.
    ///
    /// Complexity: O(n); every node is made anew.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, [1, 2, 3]);
    /// stack.reverse(tx);
    /// assert!(stack.iter().eq(&[1, 2, 3]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reverse(&mut self, tx: &Fase<'p>) {
        let mut reversed = Stack::new();
        while let Some(value) = self.pop(tx) {
            reversed.push(tx, value);
        }
        *self = reversed;
    }

    /// Keeps the elements for which `keep` is true. It sees each once, from the top, before anything is removed.
    ///
    /// Complexity: O(n) to look; what lies below the lowest element removed is shared, not copied.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, 0..6);
    /// stack.retain(tx, |value| value % 2 == 0);
    /// assert!(stack.iter().eq(&[4, 2, 0]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, tx: &Fase<'p>, keep: impl FnMut(&T) -> bool) {
        let kept: Vec<bool> = self.iter().map(keep).collect();
        let touched = kept.iter().rposition(|kept| !kept).map_or(0, |lowest| lowest + 1);
        let taken: Vec<Option<T>> = (0..touched).map(|_| self.pop(tx)).collect();
        let again = taken.into_iter().zip(kept).rev();
        self.extend(tx, again.filter_map(|(value, is_kept)| value.filter(|_| is_kept)));
    }
}
