//! `map`: keys of 8 bytes, values of 32.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Fase, Map, Pool};

use super::{Group, Phase, Scale, Structure, Workload, pool_bytes, shuffled};
use crate::contestant::{Contestant, sorted_rows};
use crate::operation::{Action, Draws, Op, Turn, scattered, seen, value};
use crate::ours::{Medium, Ours, sections};

const VALUE_WORDS: usize = 4;
/// Words of a row of the content.
pub(super) const ROW_WORDS: usize = 1 + VALUE_WORDS;
type Value = [u64; VALUE_WORDS];
type Root = Map<'static, u64, Value>;

pub(super) struct Mapping {
    pub(super) scale: Scale,
}

impl Workload for Mapping {
    fn name(&self) -> &'static str {
        "map"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Map, self.scale.elements)
    }

    fn phases(&self) -> Vec<Phase> {
        phases(self.scale, true)
    }

    fn ops(&self, phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        ops(self.scale, phase, numbers)
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        let bytes = pool_bytes(self.scale.elements + 2 * self.scale.ops, 300);
        Ok(Box::new(Ours::<Root>::new(folder, medium, bytes, run, content)?))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin(HashMap::new()))
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(self.scale.elements + 2 * self.scale.ops, 300)
    }
}

/// What is done to a map, or, without updates, to a set.
pub(super) fn phases(scale: Scale, has_updates: bool) -> Vec<Phase> {
    let Scale { elements, ops } = scale;
    let insert = Phase::new("insert", Action::Insert, Group::Basic).over(elements, ops).by_hand_too();
    let update = Phase::new("update", Action::Update, Group::Basic).over(0, ops).by_hand_too();
    let lookup = Phase::new("lookup", Action::Lookup, Group::Lookup).over(0, ops);
    let remove = Phase::new("remove", Action::Remove, Group::Basic).over(elements, ops).by_hand_too();
    let mut phases = vec![
        Phase::load(Action::Insert, elements),
        insert.clone(),
        insert.batched().over(elements + ops, ops),
    ];
    if has_updates {
        phases.extend([update.clone(), update.batched().over(ops, ops)]);
    }
    phases.extend([lookup, remove.batched().over(elements + ops, ops), remove]);
    phases
}

/// Insertions take new keys, removals take those again in another order, and the rest takes keys from the load.
pub(super) fn ops(scale: Scale, phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
    let at = |number: u64| {
        let key = match phase.action {
            Action::Insert => scattered(number),
            Action::Remove => scattered(phase.first + shuffled(number - phase.first, phase.count)),
            _ => scattered(Draws::at(1, number) % scale.elements),
        };
        Op { key, word: Draws::at(2, number) }
    };
    numbers.map(at).collect()
}

fn insert<'f>(tx: &'f Fase<'f>, map: &mut Map<'f, u64, Value>, op: &Op) -> u64 {
    u64::from(map.insert(tx, op.key, value(op.word)).is_none())
}

fn update<'f>(tx: &'f Fase<'f>, map: &mut Map<'f, u64, Value>, op: &Op) -> u64 {
    let Some(there) = map.get_mut(tx, &op.key) else { return 0 };
    let sum = seen(there);
    *there = value(op.word);
    sum
}

fn remove<'f>(tx: &'f Fase<'f>, map: &mut Map<'f, u64, Value>, op: &Op) -> u64 {
    map.remove(tx, &op.key).map_or(0, |gone| seen(&gone))
}

fn run(pool: &Pool<Root>, turn: &Turn<'_>) -> u64 {
    match turn.action {
        Action::Insert => sections(pool, turn, insert),
        Action::Update => sections(pool, turn, update),
        Action::Remove => sections(pool, turn, remove),
        _ => {
            let now = pool.snapshot();
            let found = turn.ops.iter().filter_map(|op| now.get(&op.key));
            found.fold(0, |sum, there| sum.wrapping_add(seen(there)))
        }
    }
}

fn content(map: &Root) -> Vec<u64> {
    rows(map.iter())
}

fn rows<'m>(entries: impl Iterator<Item = (&'m u64, &'m Value)>) -> Vec<u64> {
    let words: Vec<u64> = entries.flat_map(|(key, value)| [*key].into_iter().chain(*value)).collect();
    sorted_rows(&words, ROW_WORDS, 1)
}

struct Twin(HashMap<u64, Value>);

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        let each = |op: &Op| match turn.action {
            Action::Insert => u64::from(self.0.insert(op.key, value(op.word)).is_none()),
            Action::Update => self.0.insert(op.key, value(op.word)).map_or(0, |old| seen(&old)),
            Action::Remove => self.0.remove(&op.key).map_or(0, |gone| seen(&gone)),
            _ => self.0.get(&op.key).map_or(0, |there| seen(there)),
        };
        turn.ops.iter().map(each).fold(0, u64::wrapping_add)
    }

    fn content(&self) -> Vec<u64> {
        rows(self.0.iter())
    }
}
