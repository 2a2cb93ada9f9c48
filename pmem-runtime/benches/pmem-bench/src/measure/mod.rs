//! How a workload is measured.
//!
//! **Problem.** The machine is shared and noisy: the same program takes a third longer a minute later. So a number alone means little,
//! and a ratio is only taken of two turns that followed each other, and time is the
//! processor time of the thread ([`clock`]).
//!
//! **Protocol.** All contestants are made and loaded first. Then each phase is cut into *rounds*; in a round every contestant has one
//! *turn* with the same operations, in an order that alternates: ours, peer, ours without write-backs, ours in plain memory; then
//! peer, ours, and so on. A ratio belongs to the two turns of one round. Where the peer has two ways, rounds use them in turns. After
//! a turn the sum of what the contestant read must be the twin's; at the end its whole content must be.
//!
//! What the peer writes back is counted in a process of its own ([`peer_cost`]), so that counting costs the timed runs nothing.

pub(crate) mod alone;
pub(crate) mod clock;
pub(crate) mod peer_cost;
pub(crate) mod statistics;

use std::error::Error;

use crate::bare::Bare;
use crate::contestant::{Contestant, Cost};
use crate::operation::{Turn, Way};
use crate::options::Options;
use crate::ours::Medium;
use crate::peer;
use crate::workload::{Group, Phase, Workload};
use clock::Started;
use peer_cost::PeerCost;

/// Rounds of a phase: enough for a median and its spread, few enough that a turn is long against the clock.
pub(crate) const ROUNDS: u64 = 20;

/// What was measured of one phase. Times are in ns an operation, one number a round.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) workload: &'static str,
    pub(crate) phase: Phase,
    pub(crate) ours_ns: Vec<f64>,
    pub(crate) without_write_backs_ns: Vec<f64>,
    pub(crate) volatile_ns: Vec<f64>,
    pub(crate) cost: Cost,
    pub(crate) peers: Vec<PeerRow>,
    /// Writing back as many lines as ours, side by side, with one fence.
    pub(crate) bare_ns: f64,
    /// One line and one fence.
    pub(crate) append_ns: f64,
}

/// The peer's way of doing a phase.
#[derive(Debug)]
pub(crate) struct PeerRow {
    pub(crate) way: Way,
    pub(crate) ns: Vec<f64>,
    /// The peer's time over ours in the same round.
    pub(crate) ratios: Vec<f64>,
    pub(crate) cost: Option<PeerCost>,
}

/// Who takes part beside the twin.
struct Field {
    ours: Box<dyn Contestant>,
    peer: Option<Box<dyn Contestant>>,
    without_write_backs: Box<dyn Contestant>,
    volatile: Box<dyn Contestant>,
    twin: Box<dyn Contestant>,
}

impl Field {
    fn new(workload: &dyn Workload, options: &Options) -> Result<Field, Box<dyn Error>> {
        let ours = |medium| workload.ours(&options.folder, medium);
        Ok(Field {
            ours: ours(Medium::Dax)?,
            peer: peer::open(workload, &options.folder),
            without_write_backs: ours(Medium::WithoutWriteBacks)?,
            volatile: ours(Medium::Volatile)?,
            twin: workload.twin(),
        })
    }

    fn check(&self, place: &str) -> Result<(), Box<dyn Error>> {
        let right = self.twin.content();
        let named = [
            ("the pool", Some(&self.ours)),
            ("the peer", self.peer.as_ref()),
            ("the pool without write-backs", Some(&self.without_write_backs)),
            ("the volatile pool", Some(&self.volatile)),
        ];
        for (name, contestant) in named {
            let Some(contestant) = contestant else { continue };
            if contestant.content() != right {
                return Err(format!("{place}: {name} does not hold what the plain twin holds").into());
            }
        }
        Ok(())
    }
}

/// Measures all phases of a workload.
///
/// # Errors
/// A pool that could not be made; a contestant that read or ended with something else than the twin.
pub(crate) fn measure(
    workload: &dyn Workload,
    options: &Options,
    bare: &Bare,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut field = Field::new(workload, options)?;
    let mut rows = Vec::new();
    for phase in workload.phases() {
        let row = run_phase(workload, &phase, &mut field)?;
        if options.smoke {
            field.check(&format!("{}, after {}", workload.name(), phase.name))?;
        }
        if phase.group != Group::Load {
            let lines = (row.cost.lines * phase.batch as f64).round() as usize;
            let bare_ns = bare.section(lines).median / phase.batch as f64;
            let append_ns = bare.section(1).median / phase.batch as f64;
            rows.push(Row { bare_ns, append_ns, ..row });
        }
    }
    field.check(workload.name())?;
    drop(field);
    if peer::IS_BUILT {
        for (phase, way, cost) in peer_cost::ask(workload, options)? {
            let row = rows.iter_mut().find(|row| row.phase.name == phase);
            let peer = row.and_then(|row| row.peers.iter_mut().find(|peer| peer.way == way));
            if let Some(peer) = peer {
                peer.cost = Some(cost);
            }
        }
    }
    Ok(rows)
}

/// The numbers of each round's operations.
pub(crate) fn rounds(phase: &Phase, count: u64) -> impl Iterator<Item = (u64, std::ops::Range<u64>)> {
    let count = if phase.group == Group::Load { 1 } else { count };
    // Whole sections, so that the last one of a round is like the others.
    let each = phase.count.div_ceil(count).next_multiple_of(phase.batch as u64).max(1);
    let end = phase.first + phase.count;
    (0..count)
        .map(move |round| (round, phase.first + round * each..end.min(phase.first + (round + 1) * each)))
        .filter(|(_, numbers)| !numbers.is_empty())
}

fn run_phase(workload: &dyn Workload, phase: &Phase, field: &mut Field) -> Result<Row, Box<dyn Error>> {
    let mut row = Row {
        workload: workload.name(),
        phase: phase.clone(),
        ours_ns: Vec::new(),
        without_write_backs_ns: Vec::new(),
        volatile_ns: Vec::new(),
        cost: Cost::default(),
        peers: Vec::new(),
        bare_ns: 0.0,
        append_ns: 0.0,
    };
    let before = field.ours.cost().unwrap_or_default();
    for (round, numbers) in rounds(phase, ROUNDS) {
        let ops = workload.ops(phase, numbers);
        let way = if phase.has_hand && round % 2 == 1 { Way::ByHand } else { Way::Transaction };
        let turn = Turn { action: phase.action, way, roots: phase.roots, batch: phase.batch, ops: &ops };
        let right = field.twin.run(&turn);
        let time = |name: &str, contestant: &mut Box<dyn Contestant>| -> Result<f64, String> {
            let started = Started::now();
            let sum = contestant.run(&turn);
            let ns = started.elapsed_ns() / ops.len() as f64;
            let place = format!("{}, {}, round {round}", workload.name(), phase.name);
            match sum == right {
                true => Ok(ns),
                false => Err(format!("{place}: {name} read a sum of {sum}, the plain twin of {right}")),
            }
        };
        // Two of four rounds each, whichever way the peer takes.
        let peer_first = round / 2 % 2 == 1;
        let mut peer_ns = None;
        if let Some(peer) = field.peer.as_mut().filter(|_| peer_first) {
            peer_ns = Some(time("the peer", peer)?);
        }
        let ours_ns = time("the pool", &mut field.ours)?;
        if let Some(peer) = field.peer.as_mut().filter(|_| !peer_first) {
            peer_ns = Some(time("the peer", peer)?);
        }
        row.ours_ns.push(ours_ns);
        row.without_write_backs_ns
            .push(time("the pool without write-backs", &mut field.without_write_backs)?);
        row.volatile_ns.push(time("the volatile pool", &mut field.volatile)?);
        if let Some(peer_ns) = peer_ns {
            row.add_peer(way, peer_ns, ours_ns);
        }
    }
    row.cost = (field.ours.cost().unwrap_or_default() - before).per(phase.count);
    Ok(row)
}

impl Row {
    fn add_peer(&mut self, way: Way, peer_ns: f64, ours_ns: f64) {
        if !self.peers.iter().any(|peer| peer.way == way) {
            self.peers.push(PeerRow { way, ns: Vec::new(), ratios: Vec::new(), cost: None });
        }
        let peer = self.peers.iter_mut().find(|peer| peer.way == way).expect("it was just added");
        peer.ns.push(peer_ns);
        peer.ratios.push(peer_ns / ours_ns);
    }
}
