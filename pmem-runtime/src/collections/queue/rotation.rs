//! The chunks between a queue's first and its last one: a queue of Hood and Melville ("Real-time queue operations in pure
//! LISP", Information Processing Letters 13, 1981; as in Okasaki 1998, section 8.2.1), whose elements are chunks.
//!
//! **Problem.** A front list and a reversed rear list make a queue, but a reversal in one go takes as long as the queue is. Here,
//! when the rear list has become longer than the front list, a *rotation* begins that builds the front list anew, with the rear
//! list reversed behind it, two steps with each operation; meanwhile the old front list is used.
//!
//! **Bound.** A rotation over a front list of m chunks takes 2m + 2 steps, and the next one cannot begin, nor the old front list run
//! out, in fewer than m operations after the first (Okasaki 1998, theorem 8.1 and exercise 8.3): two steps an operation are
//! enough. A step makes two cells at most. An operation that is repeated on an old version does the same steps again, and no
//! more: nothing is put off until somebody looks.

use pmem_derive::Persistent;

use super::Chunk;
use crate::commit::Fase;
use crate::persist::{Array, P, Persistent};

/// A list of chunks.
pub(super) type List<'p, T> = Option<P<'p, Cell<'p, T>>>;

/// A cell of a list.
#[derive(Persistent)]
#[repr(C)]
#[persistent(rename = "QueueCell")]
pub(super) struct Cell<'p, T> {
    pub(super) chunk: Chunk<'p, T>,
    pub(super) next: List<'p, T>,
}

/// How far a rotation is.
#[derive(Persistent)]
#[repr(C, u8)]
#[persistent(rename = "QueueRotation")]
pub(super) enum Rotation<'p, T> {
    /// There is none.
    Idle,
    /// Both lists are being reversed.
    Reversing {
        /// Chunks of `front_done` that have not been popped since.
        valid: u64,
        front: List<'p, T>,
        front_done: List<'p, T>,
        rear: List<'p, T>,
        rear_done: List<'p, T>,
    },
    /// The reversed front list is put, back to front, before the reversed rear list.
    Appending {
        /// Chunks of `front` that have not been popped since.
        valid: u64,
        front: List<'p, T>,
        rear: List<'p, T>,
    },
}

/// The chunks between the first and the last one.
#[derive(Persistent)]
#[repr(C)]
#[persistent(rename = "QueueMiddle")]
pub(super) struct Middle<'p, T> {
    /// The first chunks in order: all of the first `front_len`, or those before what is being rotated.
    pub(super) front: List<'p, T>,
    /// The last `rear_len` chunks, the newest first.
    pub(super) rear: List<'p, T>,
    pub(super) front_len: u64,
    pub(super) rear_len: u64,
    pub(super) rotation: Rotation<'p, T>,
}

const DAMAGED: &str = "the lists of a queue's rotation do not fit each other: the pool is damaged";

fn cons<'p, T: Persistent<At<'p> = T>>(tx: &Fase<'p>, list: &mut List<'p, T>, chunk: Chunk<'p, T>) {
    let next = list.take();
    *list = Some(P::new(tx, Cell { chunk, next }));
}

fn uncons<'p, T: Persistent<At<'p> = T>>(tx: &Fase<'p>, list: &mut List<'p, T>) -> Option<Chunk<'p, T>> {
    let cell = list.take()?.take(tx);
    *list = cell.next;
    Some(cell.chunk)
}

impl<'p, T: Persistent<At<'p> = T>> Middle<'p, T> {
    pub(super) fn new() -> Self {
        Middle { front: None, rear: None, front_len: 0, rear_len: 0, rotation: Rotation::Idle }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.front_len == 0
    }

    /// Adds a chunk at the end.
    pub(super) fn push(&mut self, tx: &Fase<'p>, chunk: Chunk<'p, T>) {
        cons(tx, &mut self.rear, chunk);
        self.rear_len += 1;
        self.go_on(tx);
    }

    /// Takes the first chunk.
    pub(super) fn pop(&mut self, tx: &Fase<'p>) -> Option<Chunk<'p, T>> {
        let chunk = uncons(tx, &mut self.front)?;
        self.front_len -= 1;
        self.invalidate(tx);
        self.go_on(tx);
        Some(chunk)
    }

    /// Takes note that a chunk that may have been rotated is gone.
    fn invalidate(&mut self, tx: &Fase<'p>) {
        match &mut self.rotation {
            Rotation::Idle => {}
            Rotation::Appending { valid: 0, rear, .. } => {
                uncons(tx, rear);
                self.front = rear.take();
                self.rotation = Rotation::Idle;
            }
            Rotation::Reversing { valid, .. } | Rotation::Appending { valid, .. } => *valid -= 1,
        }
    }

    /// Begins a rotation if it is time, and does two steps of the one under way.
    fn go_on(&mut self, tx: &Fase<'p>) {
        if self.rear_len > self.front_len {
            self.rotation = Rotation::Reversing {
                valid: 0,
                front: tx.share(&self.front),
                front_done: None,
                rear: self.rear.take(),
                rear_done: None,
            };
            self.front_len += self.rear_len;
            self.rear_len = 0;
        }
        self.step(tx);
        self.step(tx);
    }

    /// Does all steps of the rotation under way. Each chunk is in one list then.
    pub(super) fn finish(&mut self, tx: &Fase<'p>) {
        while !matches!(self.rotation, Rotation::Idle) {
            self.step(tx);
        }
    }

    fn step(&mut self, tx: &Fase<'p>) {
        match &mut self.rotation {
            Rotation::Idle => {}
            Rotation::Reversing { valid, front, front_done, rear, rear_done } => {
                let first = uncons(tx, front);
                cons(tx, rear_done, uncons(tx, rear).expect(DAMAGED));
                if let Some(chunk) = first {
                    cons(tx, front_done, chunk);
                    *valid += 1;
                    return;
                }
                let (valid, front, rear) = (*valid, front_done.take(), rear_done.take());
                self.rotation = Rotation::Appending { valid, front, rear };
            }
            Rotation::Appending { valid: 0, rear, .. } => {
                self.front = rear.take();
                self.rotation = Rotation::Idle;
            }
            Rotation::Appending { valid, front, rear } => {
                cons(tx, rear, uncons(tx, front).expect(DAMAGED));
                *valid -= 1;
            }
        }
    }
}

impl<'p, T: Persistent> Middle<'p, T> {
    /// Whether all lists have an end.
    pub(super) fn is_finite(&self) -> bool {
        let others = match &self.rotation {
            Rotation::Idle => [&None, &None, &None, &None],
            Rotation::Reversing { front, front_done, rear, rear_done, .. } => {
                [front, front_done, rear, rear_done]
            }
            Rotation::Appending { front, rear, .. } => [front, rear, &None, &None],
        };
        [&self.front, &self.rear].into_iter().chain(others).all(|list| cells(list).all(|cell| cell.is_some()))
    }

    /// Whether the lists, which have an end, are as they can be after some operations: as long as is counted, the rotation as far as
    /// two steps an operation bring it, and what it has of the front list's chunks the same chunks.
    pub(super) fn fits(&self) -> bool {
        fn all<'a, 'p, T: Persistent>(list: &'a List<'p, T>) -> Vec<&'a Chunk<'p, T>> {
            chunks(list).collect()
        }
        let ours = all(&self.front);
        let (front_len, rear_len) = (self.front_len as usize, self.rear_len as usize);
        // The first so many of our chunks, back to front, and the others in order.
        let is_split = |valid: usize, reversed: &[&Chunk<'p, T>], others: &[&Chunk<'p, T>]| {
            let (first, rest) = ours.split_at(valid);
            let is_same = |(left, right): (&&Chunk<'p, T>, &&Chunk<'p, T>)| Array::ptr_eq(&left.0, &right.0);
            reversed.len() >= valid
                && others.len() >= rest.len()
                && first.iter().rev().zip(reversed).all(is_same)
                && rest.iter().zip(others).all(is_same)
        };
        // Each chunk that came or went since the rotation began did two steps, and so did the one with which it began.
        let is_far_enough = |popped: usize, steps: usize| 2 * (popped + rear_len) + 2 <= steps;
        if chunks(&self.rear).count() != rear_len {
            return false;
        }
        match &self.rotation {
            Rotation::Idle => ours.len() == front_len,
            Rotation::Reversing { valid, front, front_done, rear, rear_done } => {
                let (valid, front, done) = (*valid as usize, all(front), all(front_done));
                let behind = chunks(rear).count() + chunks(rear_done).count();
                valid <= done.len()
                    && ours.len() == valid + front.len()
                    && chunks(rear_done).count() == done.len()
                    && behind == front.len() + done.len() + 1
                    && front_len == ours.len() + behind
                    && is_far_enough(done.len() - valid, done.len())
                    && is_split(valid, &done, &front)
            }
            Rotation::Appending { valid, front, rear } => {
                let (valid, front, rear) = (*valid as usize, all(front), all(rear));
                if valid > ours.len().min(front.len()) {
                    return false;
                }
                let appended = ours.len() - valid;
                let behind = front.len() + appended + 1;
                rear.len() == appended + behind
                    && front_len == ours.len() + behind
                    && is_far_enough(front.len() - valid, behind + appended)
                    && is_split(valid, &front, &rear)
            }
        }
    }

    /// The chunks behind those of the front list, in order.
    ///
    /// Complexity: linear in the number of chunks.
    pub(super) fn behind_front(&self) -> Vec<&Chunk<'p, T>> {
        let reversed = |list| {
            let mut chunks: Vec<_> = chunks(list).collect();
            chunks.reverse();
            chunks
        };
        let mut behind = match &self.rotation {
            Rotation::Idle => Vec::new(),
            Rotation::Reversing { rear, rear_done, .. } => {
                let mut behind = reversed(rear);
                behind.extend(chunks(rear_done));
                behind
            }
            Rotation::Appending { rear, .. } => {
                // It begins with chunks that the front list has too.
                let all: Vec<_> = chunks(rear).collect();
                let count = (self.front_len as usize).saturating_sub(chunks(&self.front).count());
                all[all.len().saturating_sub(count)..].to_vec()
            }
        };
        behind.extend(reversed(&self.rear));
        behind
    }
}

/// The chunks of a list, up to where a damaged one leads back into itself.
pub(super) fn chunks<'a, 'p, T: Persistent>(list: &'a List<'p, T>) -> impl Iterator<Item = &'a Chunk<'p, T>> {
    cells(list).map_while(|cell| cell).map(|cell| &cell.chunk)
}

/// The cells of a list. If a damaged one leads back into itself, `None` comes instead of a cell, after at most some times as many as
/// there are (Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980).
fn cells<'a, 'p, T: Persistent>(
    list: &'a List<'p, T>,
) -> impl Iterator<Item = Option<&'a P<'p, Cell<'p, T>>>> {
    let (mut known, mut next, mut stride, mut steps) = (None, list.as_ref(), 1_usize, 0_usize);
    std::iter::from_fn(move || {
        let cell = next?;
        if known.is_some_and(|known| P::ptr_eq(known, cell)) {
            next = None;
            return Some(None);
        }
        if steps == stride {
            (known, stride, steps) = (Some(cell), 2 * stride, 0);
        }
        steps += 1;
        next = cell.next.as_ref();
        Some(Some(cell))
    })
}
