//! `set`: elements of 8 bytes.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Fase, Pool, Set};

use super::{Phase, Scale, Structure, Workload, map, pool_bytes};
use crate::contestant::{Contestant, sorted_rows};
use crate::operation::{Action, Op, Turn};
use crate::ours::{Medium, Ours, sections};

type Root = Set<'static, u64>;

pub(super) struct Sets {
    pub(super) scale: Scale,
}

impl Workload for Sets {
    fn name(&self) -> &'static str {
        "set"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Set, self.scale.elements)
    }

    fn phases(&self) -> Vec<Phase> {
        map::phases(self.scale, false)
    }

    fn ops(&self, phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        map::ops(self.scale, phase, numbers)
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        let bytes = pool_bytes(self.scale.elements + 2 * self.scale.ops, 200);
        Ok(Box::new(Ours::<Root>::new(folder, medium, bytes, run, content)?))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin(HashSet::new()))
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(self.scale.elements + 2 * self.scale.ops, 250)
    }
}

fn insert<'f>(tx: &'f Fase<'f>, set: &mut Set<'f, u64>, op: &Op) -> u64 {
    u64::from(set.insert(tx, op.key))
}

fn remove<'f>(tx: &'f Fase<'f>, set: &mut Set<'f, u64>, op: &Op) -> u64 {
    u64::from(set.remove(tx, &op.key))
}

fn run(pool: &Pool<Root>, turn: &Turn<'_>) -> u64 {
    match turn.action {
        Action::Insert => sections(pool, turn, insert),
        Action::Remove => sections(pool, turn, remove),
        _ => {
            let now = pool.snapshot();
            turn.ops.iter().filter(|op| now.contains(&op.key)).count() as u64
        }
    }
}

fn content(set: &Root) -> Vec<u64> {
    let words: Vec<u64> = set.iter().copied().collect();
    sorted_rows(&words, 1, 1)
}

struct Twin(HashSet<u64>);

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        let each = |op: &&Op| match turn.action {
            Action::Insert => self.0.insert(op.key),
            Action::Remove => self.0.remove(&op.key),
            _ => self.0.contains(&op.key),
        };
        turn.ops.iter().filter(each).count() as u64
    }

    fn content(&self) -> Vec<u64> {
        let words: Vec<u64> = self.0.iter().copied().collect();
        sorted_rows(&words, 1, 1)
    }
}
