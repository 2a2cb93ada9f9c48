//! The root type of most system tests: one of each kind of thing that a pool can hold.

use pmem_runtime::{Fase, P, Persistent, Pool};

use super::model::{Drawing, Model, Op, Padding};
use super::tree::Tree;

/// A pool of a world.
pub(crate) type WorldPool = Pool<World<'static>>;

/// How many old versions of the tree a world keeps.
pub(crate) const KEPT: usize = 3;

/// One element of a list.
#[derive(Persistent, Debug)]
#[repr(C)]
pub(crate) struct Link<'p> {
    pub(crate) value: u64,
    pub(crate) next: Option<P<'p, Link<'p>>>,
}

/// A type with padding of every kind: between fields, at the end, in an enum, in a tuple.
#[derive(Persistent, Debug)]
#[repr(C)]
pub(crate) struct Padded<'p> {
    pub(crate) tag: u8,
    pub(crate) wide: u64,
    pub(crate) pair: (u8, u32),
    pub(crate) maybe: Option<u32>,
    pub(crate) either: Result<u8, u64>,
    pub(crate) links: Option<P<'p, Link<'p>>>,
    pub(crate) is_even: bool,
}

/// An enum with variants of all kinds.
#[derive(Persistent, Debug)]
#[repr(C, u8)]
pub(crate) enum Shape<'p> {
    Empty,
    Dot(u8),
    Line { from: u16, to: u64 },
    Group(P<'p, Shape<'p>>, P<'p, Shape<'p>>),
}

/// The root.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
pub(crate) struct World<'p> {
    pub(crate) list: Option<P<'p, Link<'p>>>,
    pub(crate) tree: Tree<'p>,
    pub(crate) kept: [Tree<'p>; KEPT],
    pub(crate) padded: Option<P<'p, Padded<'p>>>,
    pub(crate) shape: Option<P<'p, Shape<'p>>>,
    pub(crate) ticks: u64,
}

pub(crate) fn push<'f>(tx: &Fase<'f>, list: &mut Option<P<'f, Link<'f>>>, value: u64) {
    let next = list.take();
    *list = Some(P::new(tx, Link { value, next }));
}

pub(crate) fn pop<'f>(tx: &Fase<'f>, list: &mut Option<P<'f, Link<'f>>>) -> Option<u64> {
    let Link { value, next } = list.take()?.take(tx);
    *list = next;
    Some(value)
}

/// The list's values, newest first.
pub(crate) fn values<'p>(list: &Option<P<'p, Link<'p>>>) -> impl Iterator<Item = u64> {
    let mut next = list.as_ref();
    std::iter::from_fn(move || {
        let link = next?;
        next = link.next.as_ref();
        Some(link.value)
    })
}

fn build<'f>(tx: &Fase<'f>, drawing: &Drawing) -> Shape<'f> {
    match drawing {
        Drawing::Empty => Shape::Empty,
        Drawing::Dot(size) => Shape::Dot(*size),
        Drawing::Line(from, to) => Shape::Line { from: *from, to: *to },
        Drawing::Group(first, second) => {
            let left = P::new(tx, build(tx, first));
            // Equal halves are one node with two parents.
            let right = if first == second { left.share(tx) } else { P::new(tx, build(tx, second)) };
            Shape::Group(left, right)
        }
    }
}

fn read(shape: &Shape<'_>) -> Drawing {
    match shape {
        Shape::Empty => Drawing::Empty,
        Shape::Dot(size) => Drawing::Dot(*size),
        Shape::Line { from, to } => Drawing::Line(*from, *to),
        Shape::Group(left, right) => Drawing::Group(Box::new(read(left)), Box::new(read(right))),
    }
}

impl<'f> World<'f> {
    /// Does what [`Model::apply`] does.
    pub(crate) fn apply(&mut self, tx: &Fase<'f>, op: &Op) {
        self.ticks += 1;
        match op {
            Op::Push(value) => push(tx, &mut self.list, *value),
            Op::Pop => {
                pop(tx, &mut self.list);
            }
            Op::Clear => self.list = None,
            Op::Insert(key, value) => self.tree.insert(tx, *key, *value),
            Op::Remove(key) => {
                self.tree.remove(tx, *key);
            }
            Op::Keep(place) => self.kept[*place] = tx.share(&self.tree),
            Op::Restore(place) => self.tree = tx.share(&self.kept[*place]),
            Op::Swap(place) => std::mem::swap(&mut self.tree, &mut self.kept[*place]),
            Op::Forget(place) => self.kept[*place] = Tree::default(),
            Op::Pad(padding) => self.pad(tx, padding),
            Op::Grow(value) => {
                if let Some(padded) = &mut self.padded {
                    push(tx, &mut padded.make_mut(tx).links, *value);
                }
            }
            Op::Unpad => self.padded = None,
            Op::Draw(drawing) => {
                let shape = build(tx, drawing);
                self.shape = Some(P::new(tx, shape));
            }
            Op::Double => {
                if let Some(shape) = self.shape.take() {
                    let twin = shape.share(tx);
                    self.shape = Some(P::new(tx, Shape::Group(shape, twin)));
                }
            }
            Op::Halve => {
                if let Some(Shape::Group(..)) = self.shape.as_deref()
                    && let Shape::Group(left, _) = self.shape.take().expect("matched above").take(tx)
                {
                    self.shape = Some(left);
                }
            }
            Op::Tick => {}
        }
    }

    fn pad(&mut self, tx: &Fase<'f>, padding: &Padding) {
        let Padding { tag, wide, pair, maybe, either, .. } = *padding;
        match &mut self.padded {
            Some(padded) => {
                let padded = padded.make_mut(tx);
                (padded.tag, padded.wide, padded.pair) = (tag, wide, pair);
                (padded.maybe, padded.either, padded.is_even) = (maybe, either, wide % 2 == 0);
            }
            None => {
                let is_even = wide % 2 == 0;
                let padded = Padded { tag, wide, pair, maybe, either, links: None, is_even };
                self.padded = Some(P::new(tx, padded));
            }
        }
    }
}

impl World<'_> {
    /// The world in ordinary Rust.
    pub(crate) fn observe(&self) -> Model {
        let map = |tree: &Tree<'_>| {
            let mut map = std::collections::BTreeMap::new();
            tree.each(|key, value| assert!(map.insert(key, value).is_none(), "key {key} is there twice"));
            map
        };
        let pad = |padded: &P<'_, Padded<'_>>| {
            assert_eq!(padded.is_even, padded.wide.is_multiple_of(2));
            Padding {
                tag: padded.tag,
                wide: padded.wide,
                pair: padded.pair,
                maybe: padded.maybe,
                either: padded.either,
                links: values(&padded.links).collect(),
            }
        };
        Model {
            list: values(&self.list).collect(),
            tree: map(&self.tree),
            kept: std::array::from_fn(|place| map(&self.kept[place])),
            padded: self.padded.as_ref().map(pad),
            shape: self.shape.as_deref().map(read),
            ticks: self.ticks,
        }
    }
}
