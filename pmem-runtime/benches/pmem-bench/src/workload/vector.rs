//! `vector`: words written at random places and appended; `vec-swap`: two of them exchanged.

use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Fase, Pool, Vector};

use super::{Group, Phase, Scale, Structure, Workload, pool_bytes};
use crate::contestant::Contestant;
use crate::operation::{Action, Draws, Op, Turn};
use crate::ours::{Medium, Ours, sections};

type Root = Vector<'static, u64>;

pub(super) struct Vectors {
    pub(super) scale: Scale,
}

pub(super) struct Swaps {
    pub(super) scale: Scale,
}

impl Workload for Vectors {
    fn name(&self) -> &'static str {
        "vector"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Vector, self.scale.elements)
    }

    fn phases(&self) -> Vec<Phase> {
        let Scale { elements, ops } = self.scale;
        let write = Phase::new("write", Action::Write, Group::Vector).over(0, ops).by_hand_too();
        let append = Phase::new("append", Action::Append, Group::Vector).over(0, ops).by_hand_too();
        let lookup = Phase::new("lookup", Action::Lookup, Group::Lookup).over(0, ops);
        vec![
            Phase::load(Action::Append, elements),
            write.clone(),
            write.batched(),
            append.clone(),
            append.batched(),
            lookup,
        ]
    }

    fn ops(&self, _phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        ops(self.scale, numbers)
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        ours(self.scale, folder, medium)
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin(Vec::new()))
    }

    fn peer_bytes(&self) -> u64 {
        peer_bytes(self.scale)
    }
}

impl Workload for Swaps {
    fn name(&self) -> &'static str {
        "vec-swap"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Vector, self.scale.elements)
    }

    fn phases(&self) -> Vec<Phase> {
        let swap = Phase::new("swap", Action::Swap, Group::Vector).over(0, self.scale.ops);
        vec![Phase::load(Action::Append, self.scale.elements), swap.clone(), swap.batched()]
    }

    fn ops(&self, phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        let mut ops = ops(self.scale, numbers);
        if phase.action == Action::Swap {
            ops.iter_mut().for_each(|op| op.word %= self.scale.elements);
        }
        ops
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        ours(self.scale, folder, medium)
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin(Vec::new()))
    }

    fn peer_bytes(&self) -> u64 {
        peer_bytes(self.scale)
    }
}

/// The key is a place, the word what is put there.
fn ops(scale: Scale, numbers: Range<u64>) -> Vec<Op> {
    let at = |number| Op { key: Draws::at(4, number) % scale.elements, word: Draws::at(5, number) };
    numbers.map(at).collect()
}

fn ours(scale: Scale, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
    let bytes = pool_bytes(scale.elements + 2 * scale.ops, 100);
    Ok(Box::new(Ours::<Root>::new(folder, medium, bytes, run, content)?))
}

fn peer_bytes(scale: Scale) -> u64 {
    // Old and new array at once while it doubles, more than once.
    pool_bytes(scale.elements + 2 * scale.ops, 100)
}

fn write<'f>(tx: &'f Fase<'f>, vector: &mut Vector<'f, u64>, op: &Op) -> u64 {
    vector.set(tx, op.key as usize, op.word);
    0
}

fn append<'f>(tx: &'f Fase<'f>, vector: &mut Vector<'f, u64>, op: &Op) -> u64 {
    vector.push(tx, op.word);
    0
}

fn swap<'f>(tx: &'f Fase<'f>, vector: &mut Vector<'f, u64>, op: &Op) -> u64 {
    vector.swap(tx, op.key as usize, op.word as usize);
    0
}

fn run(pool: &Pool<Root>, turn: &Turn<'_>) -> u64 {
    match turn.action {
        Action::Write => sections(pool, turn, write),
        Action::Append => sections(pool, turn, append),
        Action::Swap => sections(pool, turn, swap),
        _ => {
            let now = pool.snapshot();
            turn.ops.iter().fold(0, |sum, op| sum.wrapping_add(now[op.key as usize]))
        }
    }
}

fn content(vector: &Root) -> Vec<u64> {
    vector.iter().copied().collect()
}

struct Twin(Vec<u64>);

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        let mut sum = 0_u64;
        for op in turn.ops {
            match turn.action {
                Action::Write => self.0[op.key as usize] = op.word,
                Action::Append => self.0.push(op.word),
                Action::Swap => self.0.swap(op.key as usize, op.word as usize),
                _ => sum = sum.wrapping_add(self.0[op.key as usize]),
            }
        }
        sum
    }

    fn content(&self) -> Vec<u64> {
        self.0.clone()
    }
}
