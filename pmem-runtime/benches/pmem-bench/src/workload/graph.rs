//! `bfs`: a breadth-first search over the dependencies of a Linux distribution's packages, with a recoverable queue and set.
//!
//! The graph is the program's; what a crash must not lose is the search: the vertices that wait, those seen, and where the next
//! component begins. One step takes a vertex from the queue and puts in its neighbours that were not seen, in one section. When
//! everything was seen the next sweep begins, with marks of its own.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use pmem_runtime::{CreateFault, Fase, Persistent, Pool, Queue, Set};

use super::{Group, Phase, Scale, Structure, Workload, pool_bytes};
use crate::contestant::{Contestant, sorted_rows};
use crate::operation::{Action, Draws, Op, Turn};
use crate::ours::{Medium, Ours, sections};

/// The committed subset of Debian's packages: a line each, the last of six fields names what it depends on.
const PACKAGES: &str = include_str!("../../../../../examples/data/debian-packages.tsv");

/// Who points where: the neighbours of `v` are `next[first[v]..first[v + 1]]`.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) first: Vec<u32>,
    pub(crate) next: Vec<u32>,
}

impl Graph {
    pub(crate) fn vertices(&self) -> u64 {
        self.first.len() as u64 - 1
    }

    fn neighbours(&self, vertex: u64) -> &[u32] {
        let vertex = vertex as usize;
        &self.next[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    fn parse(text: &str) -> Graph {
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
        let numbers: HashMap<&str, u32> = (0..).zip(&rows).map(|(number, row)| (row[0], number)).collect();
        let (mut first, mut next) = (vec![0], Vec::new());
        for row in &rows {
            next.extend(row[5].split(',').filter_map(|name| numbers.get(name)));
            first.push(next.len() as u32);
        }
        Graph { first, next }
    }
}

/// The graph that is searched.
pub(crate) fn debian() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| Graph::parse(PACKAGES))
}

fn mark(sweep: u64, vertex: u64) -> u64 {
    sweep << 32 | vertex
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Progress<'p> {
    waiting: Queue<'p, u64>,
    seen: Set<'p, u64>,
    sweep: u64,
    /// The first vertex that may not have been seen.
    source: u64,
}

pub(super) struct Search {
    pub(super) scale: Scale,
}

impl Workload for Search {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Graph, self.scale.ops)
    }

    fn phases(&self) -> Vec<Phase> {
        vec![Phase::new("step", Action::Step, Group::Application).over(0, self.scale.ops)]
    }

    fn ops(&self, _phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        numbers.map(|number| Op { key: number, word: Draws::at(6, number) }).collect()
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        Ok(Box::new(Ours::<Progress<'static>>::new(
            folder,
            medium,
            pool_bytes(self.scale.ops, 300),
            run,
            content,
        )?))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin::default())
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(self.scale.ops, 500)
    }
}

fn step<'f>(tx: &'f Fase<'f>, progress: &mut Progress<'f>, op: &Op) -> u64 {
    let vertex = progress.waiting.pop_front(tx).unwrap_or_else(|| next_source(tx, progress));
    for next in debian().neighbours(vertex) {
        let next = u64::from(*next);
        if progress.seen.insert(tx, mark(progress.sweep, next)) {
            progress.waiting.push_back(tx, next);
        }
    }
    vertex.wrapping_mul(op.word)
}

fn next_source<'f>(tx: &'f Fase<'f>, progress: &mut Progress<'f>) -> u64 {
    loop {
        if progress.source == debian().vertices() {
            progress.source = 0;
            progress.sweep += 1;
        }
        let source = progress.source;
        progress.source += 1;
        if !progress.seen.contains(&mark(progress.sweep, source)) {
            progress.seen.insert(tx, mark(progress.sweep, source));
            return source;
        }
    }
}

fn run(pool: &Pool<Progress<'static>>, turn: &Turn<'_>) -> u64 {
    sections(pool, turn, step)
}

fn content(progress: &Progress<'static>) -> Vec<u64> {
    let words: Vec<u64> = progress.seen.iter().copied().collect();
    sorted_rows(&words, 1, 1)
}

#[derive(Default)]
struct Twin {
    waiting: VecDeque<u64>,
    seen: HashSet<u64>,
    /// What comes next if nothing waits: all that were ever tried, over all sweeps.
    tried: u64,
    sweep: u64,
}

impl Twin {
    fn next_source(&mut self) -> u64 {
        loop {
            let vertex = self.tried % debian().vertices();
            self.sweep = self.tried / debian().vertices();
            self.tried += 1;
            if self.seen.insert(mark(self.sweep, vertex)) {
                return vertex;
            }
        }
    }
}

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        let mut sum = 0_u64;
        for op in turn.ops {
            let vertex = self.waiting.pop_front().unwrap_or_else(|| self.next_source());
            for next in debian().neighbours(vertex) {
                let next = u64::from(*next);
                if self.seen.insert(mark(self.sweep, next)) {
                    self.waiting.push_back(next);
                }
            }
            sum = sum.wrapping_add(vertex.wrapping_mul(op.word));
        }
        sum
    }

    fn content(&self) -> Vec<u64> {
        let words: Vec<u64> = self.seen.iter().copied().collect();
        sorted_rows(&words, 1, 1)
    }
}
