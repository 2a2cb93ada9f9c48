//! A workload of which one phase is done in sections of different lengths.

use std::ops::Range;
use std::path::Path;

use pmem_runtime::CreateFault;

use crate::contestant::Contestant;
use crate::operation::{Action, Op};
use crate::ours::Medium;
use crate::workload::{Phase, Structure, Workload};

/// Operations in a section.
const LENGTHS: [usize; 5] = [1, 10, 100, 1_000, 10_000];

/// What is done in sections of different lengths, if anything.
pub(super) fn action_of(workload: &str) -> Option<Action> {
    match workload {
        "map" => Some(Action::Update),
        "vector" => Some(Action::Write),
        "stack" => Some(Action::Push),
        _ => None,
    }
}

/// The workload, its load, and that phase several times.
pub(super) struct Lengths {
    pub(super) inner: Box<dyn Workload>,
    pub(super) action: Action,
    pub(super) ops: u64,
}

impl Workload for Lengths {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn structure(&self) -> (Structure, u64) {
        self.inner.structure()
    }

    fn phases(&self) -> Vec<Phase> {
        let phases = self.inner.phases();
        let one = phases.iter().find(|phase| phase.action == self.action && phase.batch == 1);
        let one = one.expect("the workload does it one by one, too");
        let with = |(number, batch): (u64, usize)| Phase {
            name: format!("{} x{batch}", one.name),
            batch,
            has_hand: false,
            first: one.first + number * self.ops,
            ..one.clone()
        };
        phases.first().cloned().into_iter().chain((0..).zip(LENGTHS).map(with)).collect()
    }

    fn ops(&self, phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        self.inner.ops(phase, numbers)
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        self.inner.ours(folder, medium)
    }

    fn twin(&self) -> Box<dyn Contestant> {
        self.inner.twin()
    }

    fn peer_bytes(&self) -> u64 {
        // A long transaction logs what it changes.
        2 * self.inner.peer_bytes()
    }
}
