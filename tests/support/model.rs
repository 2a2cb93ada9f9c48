//! A world in ordinary Rust, and the operations on it.

use std::collections::{BTreeMap, VecDeque};

use super::Random;
use super::world::KEPT;

/// What a world must be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Model {
    /// Newest first.
    pub(crate) list: VecDeque<u64>,
    pub(crate) tree: BTreeMap<u64, u64>,
    pub(crate) kept: [BTreeMap<u64, u64>; KEPT],
    pub(crate) padded: Option<Padding>,
    pub(crate) shape: Option<Drawing>,
    pub(crate) ticks: u64,
}

/// A `Padded`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Padding {
    pub(crate) tag: u8,
    pub(crate) wide: u64,
    pub(crate) pair: (u8, u32),
    pub(crate) maybe: Option<u32>,
    pub(crate) either: Result<u8, u64>,
    pub(crate) links: Vec<u64>,
}

/// A `Shape`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Drawing {
    Empty,
    Dot(u8),
    Line(u16, u64),
    Group(Box<Drawing>, Box<Drawing>),
}

impl Drawing {
    fn random(random: &mut Random, depth: u32) -> Self {
        match random.below(if depth == 0 { 3 } else { 6 }) {
            0 => Drawing::Empty,
            1 => Drawing::Dot(random.next() as u8),
            2 => Drawing::Line(random.next() as u16, random.next()),
            3 => {
                let half = Box::new(Drawing::random(random, depth - 1));
                Drawing::Group(half.clone(), half)
            }
            _ => Drawing::Group(
                Box::new(Drawing::random(random, depth - 1)),
                Box::new(Drawing::random(random, depth - 1)),
            ),
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Drawing::Group(left, right) => 1 + left.depth().max(right.depth()),
            _ => 0,
        }
    }
}

/// A change of a world.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Push(u64),
    Pop,
    Clear,
    Insert(u64, u64),
    Remove(u64),
    /// Keeps the tree as it is now, shared.
    Keep(usize),
    /// Goes back to a kept tree, which is kept on.
    Restore(usize),
    /// Exchanges the tree with a kept one: no count changes.
    Swap(usize),
    Forget(usize),
    Pad(Padding),
    /// Pushes to the list inside the padded thing.
    Grow(u64),
    Unpad,
    Draw(Drawing),
    /// Makes the shape a group of itself, twice.
    Double,
    /// Undoes that.
    Halve,
    /// Changes a number of the root, and no node else.
    Tick,
}

/// Deeper shapes are not doubled: observing them takes a time exponential in their depth.
const DEPTH_MAX: u32 = 6;

impl Op {
    /// Any operation, with keys below `keys`.
    pub(crate) fn random(random: &mut Random, keys: u64, model: &Model) -> Self {
        let place = random.below(KEPT as u64) as usize;
        match random.below(40) {
            0..=5 => Op::Push(random.next()),
            6..=9 => Op::Pop,
            10 if random.one_in(5) => Op::Clear,
            10..=19 => Op::Insert(random.below(keys), random.next()),
            20..=25 => Op::Remove(random.below(keys)),
            26 | 27 => Op::Keep(place),
            28 => Op::Restore(place),
            29 => Op::Swap(place),
            30 => Op::Forget(place),
            31 | 32 => {
                let word = random.next();
                let either = if random.one_in(2) { Ok(word as u8) } else { Err(word) };
                let maybe = (!random.one_in(3)).then_some(word as u32);
                let pair = (word as u8, (word >> 8) as u32);
                Op::Pad(Padding { tag: word as u8, wide: word, pair, maybe, either, links: Vec::new() })
            }
            33 => Op::Grow(random.next()),
            34 if random.one_in(3) => Op::Unpad,
            34 | 35 => Op::Draw(Drawing::random(random, 3)),
            36 if model.shape.as_ref().is_some_and(|shape| shape.depth() < DEPTH_MAX) => Op::Double,
            37 => Op::Halve,
            _ => Op::Tick,
        }
    }
}

impl Model {
    /// Does what `World::apply` does.
    pub(crate) fn apply(&mut self, op: &Op) {
        self.ticks += 1;
        match op {
            Op::Push(value) => self.list.push_front(*value),
            Op::Pop => {
                self.list.pop_front();
            }
            Op::Clear => self.list.clear(),
            Op::Insert(key, value) => {
                self.tree.insert(*key, *value);
            }
            Op::Remove(key) => {
                self.tree.remove(key);
            }
            Op::Keep(place) => self.kept[*place] = self.tree.clone(),
            Op::Restore(place) => self.tree = self.kept[*place].clone(),
            Op::Swap(place) => std::mem::swap(&mut self.tree, &mut self.kept[*place]),
            Op::Forget(place) => self.kept[*place].clear(),
            Op::Pad(padding) => {
                let links = self.padded.take().map_or(Vec::new(), |padded| padded.links);
                self.padded = Some(Padding { links, ..padding.clone() });
            }
            Op::Grow(value) => {
                if let Some(padded) = &mut self.padded {
                    padded.links.insert(0, *value);
                }
            }
            Op::Unpad => self.padded = None,
            Op::Draw(drawing) => self.shape = Some(drawing.clone()),
            Op::Double => {
                if let Some(shape) = self.shape.take() {
                    self.shape = Some(Drawing::Group(Box::new(shape.clone()), Box::new(shape)));
                }
            }
            Op::Halve => {
                if let Some(Drawing::Group(left, _)) = &self.shape {
                    self.shape = Some((**left).clone());
                }
            }
            Op::Tick => {}
        }
    }

    /// The model after these operations.
    pub(crate) fn after(&self, ops: &[Op]) -> Model {
        let mut model = self.clone();
        ops.iter().for_each(|op| model.apply(op));
        model
    }
}
