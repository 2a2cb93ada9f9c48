//! `kv`: what memcached would be asked: keys of 16 bytes, values of 512, nineteen sets to one get.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Fase, Map, Pool};

use super::{Group, Phase, Scale, Structure, Workload, pool_bytes};
use crate::contestant::{Contestant, sorted_rows};
use crate::operation::{Action, Draws, Op, Turn, scattered, seen, value};
use crate::ours::{Medium, Ours, sections};

const VALUE_WORDS: usize = 64;
/// Words of a row of the content.
pub(super) const ROW_WORDS: usize = 2 + VALUE_WORDS;
/// Of so many elements of the scale there is one: values are large.
const ELEMENTS_PER_ENTRY: u64 = 10;
/// One of so many operations of a turn is a get. They come together at its end, since the peer needs no transaction for them.
const GET_EVERY: usize = 20;

type Key = [u64; 2];
type Value = [u64; VALUE_WORDS];
type Root = Map<'static, Key, Value>;

fn key(word: u64) -> Key {
    [word, !word]
}

pub(super) struct KeyValue {
    pub(super) scale: Scale,
}

impl KeyValue {
    fn entries(&self) -> u64 {
        (self.scale.elements / ELEMENTS_PER_ENTRY).max(1)
    }
}

impl Workload for KeyValue {
    fn name(&self) -> &'static str {
        "kv"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::KeyValue, self.entries())
    }

    fn phases(&self) -> Vec<Phase> {
        let set =
            Phase::new("95 % set", Action::Insert, Group::Application).over(0, self.scale.ops).by_hand_too();
        vec![
            Phase::load(Action::Insert, self.entries()),
            set.clone(),
            set.batched().over(self.scale.ops, self.scale.ops),
        ]
    }

    fn ops(&self, phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        let at = |number| {
            let entry =
                if phase.group == Group::Load { number } else { Draws::at(9, number) % self.entries() };
            Op { key: scattered(entry), word: Draws::at(10, number) }
        };
        numbers.map(at).collect()
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        let bytes = pool_bytes(self.entries(), 2_500);
        Ok(Box::new(Ours::<Root>::new(folder, medium, bytes, run, content)?))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin(HashMap::new()))
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(self.entries(), 2_000)
    }
}

/// Where the gets of a turn begin. A load has none: it is what fills the structure.
pub(crate) fn sets_of<'o>(turn: &Turn<'o>) -> (&'o [Op], &'o [Op]) {
    let gets = if turn.batch > super::BATCH { 0 } else { turn.ops.len() / GET_EVERY };
    turn.ops.split_at(turn.ops.len() - gets)
}

fn set<'f>(tx: &'f Fase<'f>, map: &mut Map<'f, Key, Value>, op: &Op) -> u64 {
    u64::from(map.insert(tx, key(op.key), value(op.word)).is_none())
}

fn run(pool: &Pool<Root>, turn: &Turn<'_>) -> u64 {
    let (sets, gets) = sets_of(turn);
    let added = sections(pool, &Turn { ops: sets, ..*turn }, set);
    let found = gets.iter().map(|op| pool.snapshot().get(&key(op.key)).map_or(0, |there| seen(there)));
    found.fold(added, u64::wrapping_add)
}

fn content(map: &Root) -> Vec<u64> {
    rows(map.iter())
}

fn rows<'m>(entries: impl Iterator<Item = (&'m Key, &'m Value)>) -> Vec<u64> {
    let words: Vec<u64> = entries.flat_map(|(key, value)| key.iter().chain(value).copied()).collect();
    sorted_rows(&words, ROW_WORDS, 1)
}

struct Twin(HashMap<Key, Value>);

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        let (sets, gets) = sets_of(turn);
        let added =
            sets.iter().filter(|op| self.0.insert(key(op.key), value(op.word)).is_none()).count() as u64;
        let found = gets.iter().map(|op| self.0.get(&key(op.key)).map_or(0, |there| seen(there)));
        found.fold(added, u64::wrapping_add)
    }

    fn content(&self) -> Vec<u64> {
        rows(self.0.iter())
    }
}
