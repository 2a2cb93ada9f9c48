//! A leftist heap: a priority queue that merges with another one in O(log n).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pmem_runtime::{Fase, Pool, abort, functional, persist_fase};

/// The smallest item on top; the right spine is never longer than the left one.
#[functional]
#[derive(Debug, Default)]
pub(crate) enum Heap<T> {
    #[default]
    Empty,
    Node {
        rank: u32,
        item: T,
        left: Heap<T>,
        right: Heap<T>,
    },
}

#[functional]
impl<T: Ord> Heap<T> {
    pub(crate) fn peek(&self) -> Option<&T> {
        match self.view() {
            HeapView::Empty => None,
            HeapView::Node { item, .. } => Some(item),
        }
    }

    pub(crate) fn push(self, tx: &Fase, item: T) -> Self {
        self.merge(tx, Heap::node(tx, 1, item, Heap::empty(), Heap::empty()))
    }

    pub(crate) fn pop(self, tx: &Fase) -> Option<(T, Self)> {
        match self.take(tx) {
            HeapParts::Empty => None,
            HeapParts::Node { item, left, right, .. } => Some((item, left.merge(tx, right))),
        }
    }

    /// Complexity: O(log n), along the right spines.
    pub(crate) fn merge(self, tx: &Fase, other: Self) -> Self {
        let (top, other) = match (self.peek(), other.peek()) {
            (_, None) => return self,
            (None, _) => return other,
            (Some(one), Some(two)) if one <= two => (self, other),
            _ => (other, self),
        };
        let HeapParts::Node { item, left, right, .. } = top.take(tx) else { return other };
        let right = right.merge(tx, other);
        let (left, right) = if left.rank() < right.rank() { (right, left) } else { (left, right) };
        Heap::node(tx, right.rank() + 1, item, left, right)
    }

    /// The length of the right spine.
    pub(crate) fn rank(&self) -> u32 {
        match self.view() {
            HeapView::Empty => 0,
            HeapView::Node { rank, .. } => *rank,
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let pool = Pool::<Heap<'_, (u64, u64)>>::options().create(folder.path().join("leftist_heap.pool"))?;
    let jobs = || (0..500).map(|job| (job * 7919 % 500, job));
    persist_fase!(pool, |tx, heap| {
        *heap = jobs().fold(Heap::empty(), |heap, job| heap.push(tx, job));
        Ok(())
    })?;
    let mut twin: BinaryHeap<_> = jobs().map(Reverse).collect();
    let before = pool.snapshot();
    for _ in 0..100 {
        // A job is durably taken before it is run.
        let job = persist_fase!(pool, |tx, heap| {
            let Some((job, rest)) = std::mem::take(heap).pop(tx) else { abort!("no job is left") };
            *heap = rest;
            Ok(job)
        })?;
        assert_eq!(Some(Reverse(job)), twin.pop());
    }
    println!("next: {:?}; when the snapshot was taken: {:?}", pool.snapshot().peek(), before.peek());
    Ok(())
}
