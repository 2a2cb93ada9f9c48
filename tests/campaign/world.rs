//! The world of the system tests: sections of several operations, Immediate and Buffered in one run, and undone ones.

use pmem_runtime::crash::{At, Model, Random};
use pmem_runtime::{Durability, Fase, FaseError, Pool, abort, persist_fase};

use super::support;
use super::support::model::Op;
use super::support::world::World;

/// Keys of the tree: few, so that paths are shared and changed again.
const KEYS: u64 = 24;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorldTwin(support::model::Model);

#[derive(Clone, Debug)]
pub(crate) enum Section {
    Immediate(Vec<Op>),
    Buffered(Vec<Op>),
    /// Changes things, and is undone.
    Aborted(Vec<Op>),
}

impl Model for WorldTwin {
    type Root = World<'static>;
    type Op = Section;

    fn create<'f>(_tx: &'f Fase<'f>) -> World<'f> {
        World::default()
    }

    fn run(pool: &Pool<World<'static>>, op: &Section) -> Result<(), FaseError> {
        let (durability, ops) = match op {
            Section::Immediate(ops) => (pool.default_durability(), ops),
            Section::Buffered(ops) => (Durability::Buffered, ops),
            Section::Aborted(ops) => {
                return persist_fase!(pool, |tx, world| {
                    ops.iter().for_each(|op| world.apply(tx, op));
                    abort!("as planned")
                });
            }
        };
        pool.fase(durability, |tx, world: &mut World<'_>| {
            ops.iter().for_each(|op| world.apply(tx, op));
            Ok(())
        })
    }

    fn apply(&mut self, op: &Section) {
        if let Section::Immediate(ops) | Section::Buffered(ops) = op {
            self.0 = self.0.after(ops);
        }
    }

    fn observe(root: &At<'_, Self>) -> Self {
        WorldTwin(root.observe())
    }

    fn ops() -> Vec<Section> {
        vec![
            Section::Immediate(vec![Op::Insert(1, 10), Op::Keep(0), Op::Insert(2, 20)]),
            Section::Buffered(vec![Op::Push(7), Op::Insert(1, 11)]),
            Section::Immediate(vec![Op::Pop, Op::Restore(0), Op::Remove(1)]),
            Section::Aborted(vec![Op::Push(8), Op::Restore(0)]),
        ]
    }

    fn random(&self, random: &mut Random) -> Section {
        let mut source = support::Random::new(random.bits());
        let ops = (0..=random.below(3)).map(|_| Op::random(&mut source, KEYS, &self.0)).collect();
        match random.below(10) {
            0..=6 => Section::Immediate(ops),
            7 | 8 => Section::Buffered(ops),
            _ => Section::Aborted(ops),
        }
    }

    fn is_durable(op: &Section) -> bool {
        matches!(op, Section::Immediate(_))
    }
}
