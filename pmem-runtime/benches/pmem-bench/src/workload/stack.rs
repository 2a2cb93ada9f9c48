//! `stack`: words pushed and popped.

use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Fase, Pool, Stack};

use super::{Group, Phase, Scale, Structure, Workload, pool_bytes};
use crate::contestant::Contestant;
use crate::operation::{Action, Draws, Op, Turn};
use crate::ours::{Medium, Ours, sections};

type Root = Stack<'static, u64>;

pub(super) struct Stacks {
    pub(super) scale: Scale,
}

impl Workload for Stacks {
    fn name(&self) -> &'static str {
        "stack"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Stack, self.scale.elements)
    }

    fn phases(&self) -> Vec<Phase> {
        phases(self.scale)
    }

    fn ops(&self, _phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        ops(numbers)
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        let bytes = pool_bytes(self.scale.elements + 2 * self.scale.ops, 100);
        Ok(Box::new(Ours::<Root>::new(folder, medium, bytes, run, content)?))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin(Vec::new()))
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(self.scale.elements + 2 * self.scale.ops, 200)
    }
}

/// What is done to a stack, or to a queue.
pub(super) fn phases(scale: Scale) -> Vec<Phase> {
    let push = Phase::new("push", Action::Push, Group::Basic).over(scale.elements, scale.ops).by_hand_too();
    let pop = Phase::new("pop", Action::Pop, Group::Basic).over(0, scale.ops).by_hand_too();
    vec![Phase::load(Action::Push, scale.elements), push.clone(), pop.clone(), push.batched(), pop.batched()]
}

pub(super) fn ops(numbers: Range<u64>) -> Vec<Op> {
    numbers.map(|number| Op { key: number, word: Draws::at(3, number) }).collect()
}

fn push<'f>(tx: &'f Fase<'f>, stack: &mut Stack<'f, u64>, op: &Op) -> u64 {
    stack.push(tx, op.word);
    0
}

fn pop<'f>(tx: &'f Fase<'f>, stack: &mut Stack<'f, u64>, _op: &Op) -> u64 {
    stack.pop(tx).unwrap_or_default()
}

fn run(pool: &Pool<Root>, turn: &Turn<'_>) -> u64 {
    match turn.action {
        Action::Push => sections(pool, turn, push),
        _ => sections(pool, turn, pop),
    }
}

fn content(stack: &Root) -> Vec<u64> {
    stack.iter().copied().collect()
}

struct Twin(Vec<u64>);

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        match turn.action {
            Action::Push => {
                self.0.extend(turn.ops.iter().map(|op| op.word));
                0
            }
            _ => turn.ops.iter().map(|_| self.0.pop().unwrap_or_default()).fold(0, u64::wrapping_add),
        }
    }

    fn content(&self) -> Vec<u64> {
        self.0.iter().rev().copied().collect()
    }
}
