//! `unrelated`: one entry changed in each of several maps that have nothing in common but the section.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Fase, Map, Persistent, Pool};

use super::{Group, Phase, Scale, Structure, Workload, pool_bytes};
use crate::contestant::{Contestant, sorted_rows};
use crate::operation::{Action, Draws, Op, Turn, scattered, seen, value};
use crate::ours::{Medium, Ours, sections};

/// How many maps there are. The shim has as many.
pub(super) const ROOTS: usize = 16;
const VALUE_WORDS: usize = 4;
/// Words of a row of the content.
pub(super) const ROW_WORDS: usize = 1 + VALUE_WORDS;
/// Entries of each map at most.
const ENTRIES: u64 = 4_096;

type Value = [u64; VALUE_WORDS];

#[derive(Persistent, Default)]
#[repr(C)]
struct Roots<'p> {
    maps: [Map<'p, u64, Value>; ROOTS],
}

pub(super) struct Unrelated {
    pub(super) scale: Scale,
}

impl Unrelated {
    fn entries(&self) -> u64 {
        ENTRIES.min(self.scale.elements)
    }
}

impl Workload for Unrelated {
    fn name(&self) -> &'static str {
        "unrelated"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Unrelated, self.entries())
    }

    fn phases(&self) -> Vec<Phase> {
        // Operations on many roots are fewer, so that each phase touches as much.
        let change = |roots: usize| {
            let ops = (self.scale.ops / roots as u64).max(1);
            let phase = Phase::new(&format!("k={roots}"), Action::Update, Group::Unrelated);
            Phase { roots, ..phase }.over(roots as u64 * self.scale.ops, ops)
        };
        let load = Phase { roots: ROOTS, ..Phase::load(Action::Insert, self.entries()) };
        [load].into_iter().chain([1, 2, 4, 8, 16].map(change)).collect()
    }

    fn ops(&self, phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        let at = |number| {
            let entry =
                if phase.group == Group::Load { number } else { Draws::at(11, number) % self.entries() };
            Op { key: scattered(entry), word: Draws::at(12, number) }
        };
        numbers.map(at).collect()
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        let bytes = pool_bytes(self.entries(), ROOTS as u64 * 500);
        Ok(Box::new(Ours::<Roots<'static>>::new(folder, medium, bytes, run, content)?))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin::default())
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(self.entries(), ROOTS as u64 * 500)
    }
}

fn insert<'f>(tx: &'f Fase<'f>, roots: &mut Roots<'f>, op: &Op) -> u64 {
    roots.maps.iter_mut().map(|map| u64::from(map.insert(tx, op.key, value(op.word)).is_none())).sum()
}

fn update<'f, const CHANGED: usize>(tx: &'f Fase<'f>, roots: &mut Roots<'f>, op: &Op) -> u64 {
    let mut sum = 0_u64;
    for map in &mut roots.maps[..CHANGED] {
        if let Some(there) = map.get_mut(tx, &op.key) {
            sum = sum.wrapping_add(seen(there));
            *there = value(op.word);
        }
    }
    sum
}

fn run(pool: &Pool<Roots<'static>>, turn: &Turn<'_>) -> u64 {
    match (turn.action, turn.roots) {
        (Action::Insert, _) => sections(pool, turn, insert),
        (_, 1) => sections(pool, turn, update::<1>),
        (_, 2) => sections(pool, turn, update::<2>),
        (_, 4) => sections(pool, turn, update::<4>),
        (_, 8) => sections(pool, turn, update::<8>),
        _ => sections(pool, turn, update::<ROOTS>),
    }
}

fn content(roots: &Roots<'static>) -> Vec<u64> {
    roots.maps.iter().flat_map(|map| rows(map.iter())).collect()
}

fn rows<'m>(entries: impl Iterator<Item = (&'m u64, &'m Value)>) -> Vec<u64> {
    let words: Vec<u64> = entries.flat_map(|(key, value)| [*key].into_iter().chain(*value)).collect();
    sorted_rows(&words, ROW_WORDS, 1)
}

#[derive(Default)]
struct Twin([HashMap<u64, Value>; ROOTS]);

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        let mut sum = 0_u64;
        for op in turn.ops {
            for map in &mut self.0[..turn.roots] {
                let old = map.insert(op.key, value(op.word));
                sum = sum.wrapping_add(match turn.action {
                    Action::Insert => u64::from(old.is_none()),
                    _ => old.map_or(0, |old| seen(&old)),
                });
            }
        }
        sum
    }

    fn content(&self) -> Vec<u64> {
        self.0.iter().flat_map(|map| rows(map.iter())).collect()
    }
}
