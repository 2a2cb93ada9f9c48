//! One contestant doing one phase, for a profiler.

use std::error::Error;

use super::clock::Started;
use crate::contestant::Contestant;
use crate::operation::{Turn, Way};
use crate::options::Options;
use crate::ours::Medium;
use crate::peer;
use crate::workload::{Group, Phase, Workload};

/// The subcommand.
pub(crate) const SUBCOMMAND: &str = "alone";

/// Does every phase up to the one asked for, and prints the time of each.
///
/// # Errors
/// A pool that could not be made, or a contestant that is not there.
pub(crate) fn run(workload: &dyn Workload, options: &Options) -> Result<(), Box<dyn Error>> {
    let ours = |medium| workload.ours(&options.folder, medium);
    let mut contestant = match options.contestant.as_str() {
        "ours" => ours(Medium::Dax)?,
        "without-write-backs" => ours(Medium::WithoutWriteBacks)?,
        "volatile" => ours(Medium::Volatile)?,
        "peer" => peer::open(workload, &options.folder).ok_or("built without the peer")?,
        other => return Err(format!("there is no contestant \"{other}\"; --help names them").into()),
    };
    for phase in workload.phases() {
        let ns = run_phase(workload, &phase, contestant.as_mut());
        println!("{} {}: {ns:.0} ns", workload.name(), phase.name);
        if options.phase.as_ref() == Some(&phase.name) {
            break;
        }
    }
    Ok(())
}

fn run_phase(workload: &dyn Workload, phase: &Phase, contestant: &mut dyn Contestant) -> f64 {
    let way = if phase.group == Group::Load { Way::Transaction } else { Way::ByHand };
    let ops = workload.ops(phase, phase.first..phase.first + phase.count);
    let turn = Turn { action: phase.action, way, roots: phase.roots, batch: phase.batch, ops: &ops };
    let started = Started::now();
    contestant.run(&turn);
    started.elapsed_ns() / ops.len() as f64
}
