//! What is checked of some states beyond their value: crashes in their recovery, another address, poison, further use.

use std::collections::HashSet;

use super::judge::{self, Opened, Wrong};
use super::record::Task;
use super::{Evidence, Model, Plan, Random};
use crate::fase_error::{FaseError, FaseFault};
use crate::heap::LINE_BYTES;
use crate::hw::sim::{Chooser, Event, Replay};
use crate::persist::NodeHeader;

/// Operations that a recovered pool is used for.
const TAIL_OPS: u64 = 20;
/// Points of one recovery at which it is crashed: all, unless it rewrites many nodes, one much like the other.
const CRASHES_MAX: usize = 32;
/// What unreachable memory is overwritten with: as a pointer, a length or a count, something that cannot be.
const POISON: u8 = 0xA5;

/// Checks a state whose value is `found`.
///
/// # Errors
/// What is wrong.
pub(super) fn check<M: Model>(
    plan: &Plan,
    image: &[u8],
    found: &M,
    random: &mut Random,
    evidence: &mut Evidence,
) -> Result<(), String> {
    crash_recovery(plan, image, found, random, evidence, 2)
        .map_err(|wrong| format!("second crash: {wrong}"))?;
    poisoned(plan, image, found).map_err(|wrong| format!("with unreachable memory poisoned: {wrong}"))?;
    go_on(plan, image, found, random, evidence).map_err(|wrong| format!("going on from it: {wrong}"))?;
    evidence.continued += 1;
    evidence.states += 3;
    Ok(())
}

fn reopened<M: Model>(plan: &Plan, image: Vec<u8>, expected: &M) -> Result<Opened<M>, String> {
    let opened = judge::open::<M>(plan, image).map_err(Wrong::into_text)?;
    if opened.found != *expected {
        return Err(format!("it held {expected:?} and now holds {:?}", opened.found));
    }
    Ok(opened)
}

/// Crashes at every event of the recovery and of the clean close after it; and again in the recovery from one of those.
fn crash_recovery<M: Model>(
    plan: &Plan,
    image: &[u8],
    found: &M,
    random: &mut Random,
    evidence: &mut Evidence,
    depth: u32,
) -> Result<(), String> {
    let Opened { sim, pool, .. } = reopened::<M>(plan, image.to_vec(), found)?;
    pool.close().map_err(|error| format!("it cannot be closed: {error}"))?;
    let events = sim.events();
    let deeper = random.below(events.len() as u64 + 1) as usize;
    crash_each(image, &events, random, |point, again, random| {
        evidence.states += 1;
        evidence.second_crashes += 1;
        if point == deeper && depth > 1 {
            return crash_recovery(plan, &again, found, random, evidence, depth - 1);
        }
        reopened::<M>(plan, again, found).map(drop)
    })
}

/// Judges what crashes after each of the events (or [`CRASHES_MAX`] of them) leave: everything, what is guaranteed, and a mixture.
fn crash_each(
    image: &[u8],
    events: &[Event],
    random: &mut Random,
    mut judge: impl FnMut(usize, Vec<u8>, &mut Random) -> Result<(), String>,
) -> Result<(), String> {
    let mut seen = HashSet::new();
    let mut replay = Replay::new(image.to_vec());
    let stride = events.len().div_ceil(CRASHES_MAX).max(1);
    let first = random.below(stride as u64) as usize;
    for point in 0..=events.len() {
        if point > 0 {
            replay.apply(&events[point - 1]);
        }
        if point % stride != first && point < events.len() {
            continue;
        }
        for chooser in [Chooser::All, Chooser::None, Chooser::Seeded(random.bits())] {
            let choices = replay.choices(chooser);
            if seen.insert(replay.fingerprint(&choices)) {
                judge(point, replay.image_with(&choices), random).map_err(|wrong| {
                    format!("after {point} of {} events, {chooser:?}: {wrong}", events.len())
                })?;
            }
        }
    }
    Ok(())
}

/// Recovers, closes, and overwrites every line of the heap that no node lies in.
fn poisoned<M: Model>(plan: &Plan, image: &[u8], found: &M) -> Result<(), String> {
    let Opened { sim, pool, .. } = reopened::<M>(plan, image.to_vec(), found)?;
    let nodes = pool.nodes().map_err(|error| error.to_string())?;
    let heap = pool.core().file.heap_offset() as usize..pool.len_bytes() as usize;
    pool.close().map_err(|error| format!("it cannot be closed: {error}"))?;
    let closed = sim.crash_image(sim.event_count(), Chooser::None);
    let mut image = closed.clone();
    image[heap].fill(POISON);
    for node in nodes {
        let lines = u64::from(NodeHeader::lines(node.len_bytes));
        let range = node.offset as usize..(node.offset + lines * LINE_BYTES) as usize;
        image[range.clone()].copy_from_slice(&closed[range]);
    }
    reopened::<M>(plan, image, found).map(drop)
}

/// Opens it while its own address is taken (crashing at every event of the relocation too), uses it, closes it, and opens it
/// again.
fn go_on<M: Model>(
    plan: &Plan,
    image: &[u8],
    found: &M,
    random: &mut Random,
    evidence: &mut Evidence,
) -> Result<(), String> {
    let holder = reopened::<M>(plan, image.to_vec(), found)?;
    let Opened { sim, pool, .. } =
        reopened::<M>(plan, image.to_vec(), found).map_err(|wrong| format!("at another address: {wrong}"))?;
    if pool.recovery().moved.is_none() {
        return Err("it was opened twice at one address".to_owned());
    }
    let relocation = sim.events();
    let mut model = found.clone();
    for _ in 0..TAIL_OPS {
        match plan.next_task(&model, random) {
            Task::Sync => pool.sync().map_err(|error| format!("a sync failed: {error}"))?,
            Task::Op(op) => {
                let result = M::run(&pool, &op);
                match result.as_ref().err().and_then(FaseError::fault) {
                    None => model.apply(&op),
                    Some(FaseFault::OutOfSpace { .. }) => {}
                    Some(fault) => return Err(format!("{op:?} failed: {fault}")),
                }
                let now = judge::observe::<M>(&pool.latest())?;
                if now != model {
                    return Err(format!("after {op:?} it holds {now:?}, the twin says {model:?}"));
                }
            }
        }
    }
    pool.close().map_err(|error| format!("it cannot be closed: {error}"))?;
    // Its own address is taken still, the one that it was moving to is not.
    crash_each(image, &relocation, random, |_, again, _| {
        evidence.states += 1;
        evidence.second_crashes += 1;
        reopened::<M>(plan, again, found).map(drop)
    })
    .map_err(|wrong| format!("crash in its relocation: {wrong}"))?;
    drop(holder);
    reopened::<M>(plan, sim.crash_image(sim.event_count(), Chooser::None), &model)
        .map(drop)
        .map_err(|wrong| format!("closed and opened again: {wrong}"))
}
