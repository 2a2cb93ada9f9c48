//! What the peer writes back, and its time without that, taken in a process of its own.
//!
//! The process has the counter preloaded, which takes the place of libpmem's functions and passes each call on, and asks
//! libpmem to leave write-backs out. What it found it prints as JSON, one line a phase and way.

use std::error::Error;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::clock::Started;
use super::statistics::Spread;
use crate::contestant::{Contestant, Cost};
use crate::operation::{Turn, Way};
use crate::options::Options;
use crate::peer;
use crate::workload::{Group, Phase, Workload};

/// The subcommand of that process.
pub(crate) const SUBCOMMAND: &str = "peer-cost";
/// Rounds of a phase, all of one way each.
const ROUNDS: u64 = 4;
/// One of so many operations is done: counts do not vary, so few are enough.
const SHARE: u64 = 5;

/// Costs, with the phase and the way that they are of.
pub(crate) type Counted = (String, Way, PeerCost);

/// Of one operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerCost {
    pub(crate) cost: Cost,
    /// Without write-backs.
    pub(crate) volatile_ns: f64,
}

/// Runs the process.
///
/// # Errors
/// It could not be started, failed, or printed something else.
pub(crate) fn ask(workload: &dyn Workload, options: &Options) -> Result<Vec<Counted>, Box<dyn Error>> {
    let counter = peer::COUNTER.ok_or("the counter was not built")?;
    let output = Command::new(std::env::current_exe()?)
        .args([SUBCOMMAND, "--only", workload.name()])
        .args(["--ops", &(options.scale.ops / SHARE).max(1).to_string()])
        .args(["--elements", &options.scale.elements.to_string()])
        .arg("--dir")
        .arg(&options.folder)
        .env("LD_PRELOAD", counter)
        .env("PMEM_NO_FLUSH", "1")
        .env("PMEM_NO_MOVNT", "1")
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the process that counts the peer's costs failed: {}", output.status).into());
    }
    String::from_utf8(output.stdout)?.lines().map(parse).collect()
}

fn parse(line: &str) -> Result<Counted, Box<dyn Error>> {
    let value: Value = serde_json::from_str(line)?;
    let number = |name: &str| value[name].as_f64().ok_or(format!("no number `{name}` in {line}"));
    let phase = value["phase"].as_str().ok_or(format!("no phase in {line}"))?.to_owned();
    let way = if value["by_hand"] == true { Way::ByHand } else { Way::Transaction };
    let cost = Cost {
        lines: number("lines")?,
        fences: number("fences")?,
        written_bytes: number("written_bytes")?,
        allocated_bytes: number("allocated_bytes")?,
    };
    Ok((phase, way, PeerCost { cost, volatile_ns: number("volatile_ns")? }))
}

/// Is that process.
///
/// # Errors
/// Nobody counts.
pub(crate) fn answer(workload: &dyn Workload, options: &Options) -> Result<(), Box<dyn Error>> {
    let mut peer = peer::open(workload, &options.folder).ok_or("built without the peer")?;
    for phase in workload.phases() {
        count(workload, &phase, peer.as_mut())?;
    }
    Ok(())
}

fn count(workload: &dyn Workload, phase: &Phase, peer: &mut dyn Contestant) -> Result<(), Box<dyn Error>> {
    let ways = if phase.has_hand { 2 } else { 1 };
    let mut taken = [(Cost::default(), 0_u64, Vec::new()), (Cost::default(), 0, Vec::new())];
    for (round, numbers) in super::rounds(phase, ROUNDS * ways) {
        let ops = workload.ops(phase, numbers);
        let by_hand = round % ways == 1;
        let way = if by_hand { Way::ByHand } else { Way::Transaction };
        let turn = Turn { action: phase.action, way, roots: phase.roots, batch: phase.batch, ops: &ops };
        let before = peer.cost().ok_or("the counter is not preloaded")?;
        let started = Started::now();
        peer.run(&turn);
        let ns = started.elapsed_ns() / ops.len() as f64;
        let (cost, count, times) = &mut taken[usize::from(by_hand)];
        *cost = *cost + (peer.cost().unwrap_or_default() - before);
        *count += ops.len() as u64;
        times.push(ns);
    }
    for (by_hand, (cost, count, times)) in [false, true].into_iter().zip(taken) {
        if phase.group == Group::Load || times.is_empty() {
            continue;
        }
        let cost = cost.per(count);
        println!(
            "{}",
            json!({
                "phase": phase.name, "by_hand": by_hand, "lines": cost.lines, "fences": cost.fences,
                "written_bytes": cost.written_bytes, "allocated_bytes": cost.allocated_bytes,
                "volatile_ns": Spread::of(&times).median,
            })
        );
    }
    Ok(())
}
