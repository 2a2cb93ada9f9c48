//! What changed between two versions of a stack.

use std::cmp::Ordering;
use std::{fmt, ptr};

use super::{Iter, Stack};
use crate::persist::Persistent;

/// The difference between two stacks: [`Stack::diff`].
///
/// Below these elements the two have the same ones.
pub struct Diff<'a, 'p, T> {
    /// The elements that the older one has on top, from the top: so many pops.
    pub popped: Iter<'a, 'p, T>,
    /// The elements that the newer one has on top, from the top: pushed in the other order.
    pub pushed: Iter<'a, 'p, T>,
}

impl<T> Clone for Diff<'_, '_, T> {
    fn clone(&self) -> Self {
        Diff { popped: self.popped.clone(), pushed: self.pushed.clone() }
    }
}

impl<T: Persistent + fmt::Debug> fmt::Debug for Diff<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Diff").field("popped", &self.popped).field("pushed", &self.pushed).finish()
    }
}

impl<'p, T: Persistent> Stack<'p, T> {
    /// What must be popped from this stack, and what must be pushed then, to make it `newer`: no more than need be. What both
    /// share is not looked at, so elements that are not equal to themselves may count as unchanged.
    ///
    /// Complexity: O(elements that are not in shared nodes).
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::Stack, persist_fase};
    /// # let pool = Pool::<Stack<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, stack| {
    /// stack.extend(tx, 0..1000);
    /// let before = stack.share(tx);
    /// stack.pop(tx);
    /// stack.extend(tx, [7, 8]);
    /// let diff = before.diff(stack);
    /// assert!(diff.popped.eq(&[999]) && diff.pushed.eq(&[8, 7]));
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diff<'a>(&'a self, newer: &'a Self) -> Diff<'a, 'p, T>
    where
        T: PartialEq,
    {
        let rest = self.iter().shared_rest(newer.iter());
        let above = |stack: &'a Self| stack.iter().first(stack.len().saturating_sub(rest));
        let (old, new): (Vec<&T>, Vec<&T>) = (above(self).collect(), above(newer).collect());
        let pairs = old.iter().rev().zip(new.iter().rev());
        let equal = pairs.take_while(|(old, new)| old == new).count();
        Diff { popped: self.iter().first(old.len() - equal), pushed: newer.iter().first(new.len() - equal) }
    }
}

impl<'a, T: Persistent> Iter<'a, '_, T> {
    /// Only the first `count` of the elements.
    fn first(mut self, count: usize) -> Self {
        self.remaining = self.remaining.min(count);
        self
    }

    /// How many elements lie in the topmost node that both have, and below it.
    fn shared_rest(mut self, mut other: Self) -> usize {
        loop {
            let (left, right) = (self.chunk(), other.chunk());
            if left.is_empty() || right.is_empty() {
                return 0;
            }
            // One node has as many below it in whatever stack it is.
            match self.remaining.cmp(&other.remaining) {
                Ordering::Equal if ptr::eq(left, right) => return self.remaining,
                Ordering::Equal => {
                    self.pass(left.len());
                    other.pass(right.len());
                }
                Ordering::Greater => self.pass(left.len()),
                Ordering::Less => other.pass(right.len()),
            }
        }
    }

    /// Passes over the rest of the node reached.
    fn pass(&mut self, count: usize) {
        self.items = [].iter();
        self.remaining = self.remaining.saturating_sub(count);
    }
}
