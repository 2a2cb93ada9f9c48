//! Who takes part: we on one of three media, the peer, and the plain twin that says what is right.

use std::ops::{Add, Sub};

use crate::operation::Turn;

/// One structure under one workload.
pub(crate) trait Contestant {
    /// Does the operations. Returns a sum over what was read, the same for every contestant.
    fn run(&mut self, turn: &Turn<'_>) -> u64;

    /// Everything in the structure, in an order that does not depend on who keeps it.
    fn content(&self) -> Vec<u64>;

    /// What was spent since the contestant was made, if it counts.
    fn cost(&self) -> Option<Cost> {
        None
    }

    /// Bytes of what can be reached, if it counts.
    fn live_bytes(&self) -> Option<f64> {
        None
    }
}

/// What reaches the medium, and what is taken of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    pub(crate) lines: f64,
    pub(crate) fences: f64,
    pub(crate) written_bytes: f64,
    pub(crate) allocated_bytes: f64,
}

impl Cost {
    pub(crate) fn per(self, count: u64) -> Cost {
        let each = |amount: f64| amount / count.max(1) as f64;
        Cost {
            lines: each(self.lines),
            fences: each(self.fences),
            written_bytes: each(self.written_bytes),
            allocated_bytes: each(self.allocated_bytes),
        }
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            lines: self.lines + other.lines,
            fences: self.fences + other.fences,
            written_bytes: self.written_bytes + other.written_bytes,
            allocated_bytes: self.allocated_bytes + other.allocated_bytes,
        }
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, before: Cost) -> Cost {
        Cost {
            lines: self.lines - before.lines,
            fences: self.fences - before.fences,
            written_bytes: self.written_bytes - before.written_bytes,
            allocated_bytes: self.allocated_bytes - before.allocated_bytes,
        }
    }
}

/// Rows of a content, sorted within each of `parts` equal parts: hash tables keep their own order.
pub(crate) fn sorted_rows(words: &[u64], row_words: usize, parts: usize) -> Vec<u64> {
    let part_words = (words.len() / parts).max(1);
    let mut sorted = Vec::with_capacity(words.len());
    for part in words.chunks(part_words) {
        let mut rows: Vec<&[u64]> = part.chunks(row_words).collect();
        rows.sort_unstable();
        rows.into_iter().for_each(|row| sorted.extend_from_slice(row));
    }
    sorted
}
