//! A run: the log of operations on a simulated pool, and what was promised when.

use std::ops::Range;

use super::Model;
use super::geometry::Geometry;
use crate::hw::sim::{Action, Event, Note, Noted};

/// Something that has returned, or was under way when the run ended.
#[derive(Clone, Debug)]
pub(super) struct Step<M> {
    pub(super) name: String,
    /// Events when it began: a crash from there on may leave its value.
    pub(super) from: usize,
    /// Events when it returned; `None` if it did not.
    pub(super) until: Option<usize>,
    /// The twin after it.
    pub(super) after: M,
    /// Whether everything up to here was durable when it returned.
    pub(super) is_durable: bool,
    /// The last section that it began.
    pub(super) section: Option<u32>,
    /// What kind of operation it is.
    pub(super) kind: &'static str,
}

/// The death of a process, and the recovery by the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Death {
    /// Events before it.
    pub(super) at: usize,
    /// Events when the next process had opened the pool.
    pub(super) recovered: usize,
    /// Whether it opened it at another address.
    pub(super) is_moved: bool,
}

/// The log of a run, and what was promised when.
#[derive(Clone, Debug)]
pub(super) struct Run<M> {
    pub(super) index: u64,
    pub(super) events: Vec<Event>,
    pub(super) notes: Vec<Noted>,
    /// In the order of their sections. The first is the creation of the pool; after a death comes the recovery.
    pub(super) steps: Vec<Step<M>>,
    pub(super) deaths: Vec<Death>,
    /// Events up to the clean close.
    pub(super) closing_from: usize,
    /// Events up to the first close, if a process died in it.
    pub(super) cut_close: Option<usize>,
    pub(super) geometry: Geometry,
    /// Syncs that failed, and operations for which there was no space.
    pub(super) faults: u64,
    /// Growths of the pool, its creation aside.
    pub(super) growths: u64,
}

impl<M: Model> Run<M> {
    /// Events of the creation.
    pub(super) fn created_at(&self) -> usize {
        self.steps[0].until.expect("the pool was created")
    }

    /// Events up to the failed sync, that one included.
    pub(super) fn failed_at(&self) -> usize {
        let failed = self.events.iter().position(|event| event.action == Action::FenceFailed);
        failed.map_or(self.events.len(), |failed| failed + 1)
    }

    /// Events that the watch understands: none of a close, and none after the pool was moved or (if it has volatile fields,
    /// which recovery stores to) recovered.
    pub(super) fn watched_until(&self, has_volatile: bool) -> usize {
        let strange = |death: &&Death| death.is_moved || has_volatile;
        let strange = self.deaths.iter().find(strange).map(|death| death.at);
        [strange, self.cut_close].into_iter().flatten().fold(self.closing_from, usize::min)
    }

    /// The steps of which a crash at `point` may leave the value: from the last one that was durable to the last one that had
    /// begun.
    pub(super) fn permitted(&self, point: usize) -> Range<usize> {
        let has_returned = |step: &Step<M>| step.is_durable && step.until.is_some_and(|until| until <= point);
        let floor = self.steps.iter().rposition(has_returned).unwrap_or(0);
        let last = self.steps.iter().rposition(|step| step.from <= point).unwrap_or(0);
        floor..last.max(floor) + 1
    }

    /// The step under way at `point`, or the last one.
    pub(super) fn under_way(&self, point: usize) -> usize {
        self.permitted(point).end - 1
    }

    /// The sections of a step: their numbers, the lines that began them, and the events before them.
    pub(super) fn sections(&self, step: usize) -> impl Iterator<Item = (&Noted, String)> {
        let from = self.steps[step].from;
        let until = self.steps[step].until.unwrap_or(usize::MAX);
        self.notes.iter().filter_map(move |noted| match noted.note {
            Note::SectionStarted { by } if (from..until).contains(&noted.events) => {
                Some((noted, by.to_string()))
            }
            _ => None,
        })
    }
}
