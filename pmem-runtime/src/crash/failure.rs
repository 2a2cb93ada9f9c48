//! A wrong state, explained.

use std::error::Error;
use std::fmt::{self, Write};

use super::geometry::Place;
use super::run::Run;
use super::{Model, Plan, ReplayPoint};
use crate::hw::sim::{Action, Choices, Missing, Note, Replay};

/// Characters of a value that are printed.
const VALUE_CHARS_MAX: usize = 2000;
/// Missing chunks that are printed.
const MISSING_MAX: usize = 12;
/// Operations before the one under way that are printed.
const STEPS_MAX: usize = 8;

/// What is wrong, where the crash was, what it took, and how to see it again. `Display` says it all.
///
/// `Debug` says what `Display` does, since a `main` that returns an error prints the former.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure(Box<Details>);

#[derive(Clone, PartialEq, Eq)]
struct Details {
    wrong: String,
    text: String,
    point: Option<ReplayPoint>,
    missing: Vec<Missing>,
}

impl Failure {
    /// What is wrong, in a sentence.
    #[must_use]
    pub fn wrong(&self) -> &str {
        &self.0.wrong
    }

    /// The state; `None` if it took no crash.
    #[must_use]
    pub fn replay_point(&self) -> Option<&ReplayPoint> {
        self.0.point.as_ref()
    }

    /// The stored chunks that the crash took: with fewer it is not wrong.
    #[must_use]
    pub fn missing(&self) -> &[Missing] {
        &self.0.missing
    }

    /// What is wrong with a run, whatever the state.
    pub(super) fn of_run(plan: &Plan, run: u64, wrong: String) -> Self {
        let mut text = format!("crash test `{}`, run {run}: {wrong}\n", plan.name);
        let _ = write!(text, "run again  {}", plan.command_again(None));
        Failure(Box::new(Details { wrong, text, point: None, missing: Vec::new() }))
    }

    /// What is wrong with one state.
    pub(super) fn of_state<M: Model>(
        plan: &Plan,
        run: &Run<M>,
        point: usize,
        replay: &Replay,
        choices: &Choices,
        wrong: &str,
    ) -> Self {
        let missing = replay.missing(choices);
        let at = ReplayPoint {
            persistence: replay.persistence(),
            run: run.index,
            point,
            choices: choices.clone(),
        };
        let mut text = format!("crash test `{}`: {}\n", plan.name, cut(wrong));
        // Writing to a `String` does not fail.
        let _ = describe_allowed(&mut text, run, point);
        let _ = describe_crash(&mut text, run, point, replay);
        let _ = describe_steps(&mut text, run, point);
        let _ = describe_missing(&mut text, run, &missing, replay);
        let _ = write!(text, "replay     {}", plan.command_again(Some(&at)));
        Failure(Box::new(Details { wrong: wrong.to_owned(), text, point: Some(at), missing }))
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE_CHARS_MAX) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

fn describe_allowed<M: Model>(text: &mut String, run: &Run<M>, point: usize) -> fmt::Result {
    for step in run.permitted(point) {
        let value = cut(&format!("{:?}", run.steps[step].after));
        writeln!(text, "allowed    {value}, as after {}", name(run, step))?;
    }
    Ok(())
}

fn name<M: Model>(run: &Run<M>, step: usize) -> String {
    let name = cut(&run.steps[step].name);
    if step == 0 { name } else { format!("operation {step}, {name}") }
}

fn describe_crash<M: Model>(text: &mut String, run: &Run<M>, point: usize, replay: &Replay) -> fmt::Result {
    let step = run.under_way(point);
    let place = if run.steps[step].until.is_some_and(|until| until <= point) { "after" } else { "during" };
    writeln!(
        text,
        "crash      after event {point} of {}, {place} {}; model {}",
        run.events.len(),
        name(run, step),
        replay.persistence()
    )?;
    let Some(last) = point.checked_sub(1).map(|last| &run.events[last]) else { return Ok(()) };
    let what = match &last.action {
        Action::Store { offset, bytes } => {
            format!("a store of {} bytes at {offset:#x} ({})", bytes.len(), run.geometry.place(*offset))
        }
        Action::WriteBack { offset, len_bytes } => {
            format!("a write-back of {len_bytes} bytes at {offset:#x}")
        }
        Action::Fence => "a fence".to_owned(),
        Action::FenceFailed => "a fence that failed".to_owned(),
        Action::GrowStarted { new_len_bytes } => format!("the beginning of growth to {new_len_bytes} bytes"),
        Action::Grown { new_len_bytes } => format!("the end of growth to {new_len_bytes} bytes"),
    };
    writeln!(text, "           event {point} is {what}, by {}", last.source.line)
}

fn describe_steps<M: Model>(text: &mut String, run: &Run<M>, point: usize) -> fmt::Result {
    let last = run.under_way(point);
    for step in last.saturating_sub(STEPS_MAX)..=last {
        writeln!(text, "{}{}", if step == last { "in flight  " } else { "before     " }, name(run, step))?;
        if step == last {
            for (noted, line) in run.sections(step) {
                let is_begun = noted.events <= point;
                let ends = run.events.iter().rposition(|event| event.source.section == noted.section);
                let when = match ends {
                    _ if !is_begun => "begins after the crash",
                    Some(end) if end >= point => "is under way",
                    _ => "is over before the crash",
                };
                writeln!(text, "           section {}, begun by {line}, {when}", noted.section)?;
            }
            if run.sections(step).count() > 1 {
                writeln!(
                    text,
                    "           (an operation of several sections can stop between any two of them)"
                )?;
            }
        }
    }
    Ok(())
}

fn describe_missing<M: Model>(
    text: &mut String,
    run: &Run<M>,
    missing: &[Missing],
    replay: &Replay,
) -> fmt::Result {
    if missing.is_empty() {
        return writeln!(text, "missing    nothing: all that was stored before the crash is there");
    }
    writeln!(text, "missing    {} of the stored chunks; with fewer missing it is not wrong", missing.len())?;
    for chunk in missing.iter().take(MISSING_MAX) {
        let place = run.geometry.place(chunk.offset);
        let maker = maker(run, chunk.offset, replay.event_count()).filter(|_| place == Place::Heap);
        let maker = maker.map_or_else(String::new, |line| format!(", made by {line}"));
        let last = chunk.stores.last().map(|last| (*last + 1, &run.events[*last]));
        let Some((event, last)) = last else { continue };
        writeln!(
            text,
            "           {:#x}, 8 bytes of a {place}{maker}, stored by {} (event {event}{})",
            chunk.offset,
            last.source.line,
            section(run, last.source.section)
        )?;
    }
    Ok(())
}

fn section<M>(run: &Run<M>, number: u32) -> String {
    let begun = run.notes.iter().find_map(|noted| match noted.note {
        Note::SectionStarted { by } if noted.section == number => Some(by),
        _ => None,
    });
    begun.map_or_else(String::new, |line| format!(", in section {number}, begun by {line}"))
}

/// The line that made the node which had this byte last; for the root's node the line that began the section.
fn maker<M>(run: &Run<M>, offset: u64, before: usize) -> Option<String> {
    run.notes.iter().rev().filter(|noted| noted.events <= before).find_map(|noted| match noted.note {
        Note::Allocated { at, lines, by }
            if (at..at + u64::from(lines) * crate::heap::LINE_BYTES).contains(&offset) =>
        {
            Some(by.to_string())
        }
        _ => None,
    })
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl Error for Failure {}
