//! `queue`: words put in behind and taken out in front.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Fase, Pool, Queue};

use super::{Phase, Scale, Structure, Workload, pool_bytes, stack};
use crate::contestant::Contestant;
use crate::operation::{Action, Op, Turn};
use crate::ours::{Medium, Ours, sections};

type Root = Queue<'static, u64>;

pub(super) struct Queues {
    pub(super) scale: Scale,
}

impl Workload for Queues {
    fn name(&self) -> &'static str {
        "queue"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Queue, self.scale.elements)
    }

    fn phases(&self) -> Vec<Phase> {
        stack::phases(self.scale)
    }

    fn ops(&self, _phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        stack::ops(numbers)
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        let bytes = pool_bytes(self.scale.elements + 2 * self.scale.ops, 100);
        Ok(Box::new(Ours::<Root>::new(folder, medium, bytes, run, content)?))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin(VecDeque::new()))
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(self.scale.elements + 2 * self.scale.ops, 200)
    }
}

fn push<'f>(tx: &'f Fase<'f>, queue: &mut Queue<'f, u64>, op: &Op) -> u64 {
    queue.push_back(tx, op.word);
    0
}

fn pop<'f>(tx: &'f Fase<'f>, queue: &mut Queue<'f, u64>, _op: &Op) -> u64 {
    queue.pop_front(tx).unwrap_or_default()
}

fn run(pool: &Pool<Root>, turn: &Turn<'_>) -> u64 {
    match turn.action {
        Action::Push => sections(pool, turn, push),
        _ => sections(pool, turn, pop),
    }
}

fn content(queue: &Root) -> Vec<u64> {
    queue.iter().copied().collect()
}

struct Twin(VecDeque<u64>);

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        match turn.action {
            Action::Push => {
                self.0.extend(turn.ops.iter().map(|op| op.word));
                0
            }
            _ => turn.ops.iter().map(|_| self.0.pop_front().unwrap_or_default()).fold(0, u64::wrapping_add),
        }
    }

    fn content(&self) -> Vec<u64> {
        self.0.iter().copied().collect()
    }
}
