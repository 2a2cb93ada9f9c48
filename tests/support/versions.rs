//! Crashes at every event of a short script of sections, whatever the root is.
//!
//! **Words.** A [`Script`] is some sections and what the root is after each, said in ordinary Rust. A crash may leave the version of the
//! last section that had returned, or of the one under way, whole.

use std::fmt;
use std::sync::Arc;

use pmem_runtime::hw::sim::{Chooser, Replay, SimMedium};
use pmem_runtime::{Durability, Fase, FaseError, Options, Persistent, Pool};

/// Sections, and what they make of a root that begins as its default.
pub(crate) trait Script {
    type Root: for<'f> Persistent<At<'f>: Default>;
    type Model: PartialEq + fmt::Debug;

    /// How many sections there are.
    fn sections(&self) -> usize;
    /// Runs a section.
    fn apply<'f>(&self, tx: &Fase<'f>, root: &mut <Self::Root as Persistent>::At<'f>, section: usize);
    /// What the root is when so many sections have been run.
    fn model(&self, sections: usize) -> Self::Model;
    /// What a root is; panics if it is not whole.
    fn observe(root: &<Self::Root as Persistent>::At<'static>) -> Self::Model;
}

fn options<R: Persistent>() -> Options<R> {
    Pool::<R>::options().size_bytes(Pool::<R>::MIN_BYTES).reserve_bytes(64 << 20).threads(1).seed(11)
}

/// Runs the script on a simulated medium, and opens what crashes at each point may leave. Returns how many states that were.
pub(crate) fn crash_everywhere<S: Script>(script: &S) -> u64 {
    let sim = Arc::new(SimMedium::new());
    let pool = options::<S::Root>().simulate_with(&sim, |_| Default::default()).unwrap();
    let mut returns = vec![sim.event_count()];
    for section in 0..script.sections() {
        pool.fase(Durability::Immediate, |tx, root| -> Result<(), FaseError> {
            script.apply(tx, root, section);
            Ok(())
        })
        .unwrap();
        returns.push(sim.event_count());
        assert_eq!(S::observe(&pool.snapshot()), script.model(section + 1), "without any crash");
    }
    drop(pool);
    let events = sim.events();
    let mut replay = Replay::new(sim.initial_image());
    let mut states = 0;
    for (done, event) in events.iter().take(returns[script.sections()]).enumerate() {
        replay.apply(event);
        let point = done + 1;
        if point < returns[0] {
            continue;
        }
        let returned = returns.iter().filter(|events| **events <= point).count() - 1;
        let mut choosers = vec![Chooser::None, Chooser::All, Chooser::Seeded(point as u64)];
        choosers.extend(replay.uncertain_lines().into_iter().take(1).map(Chooser::AllButLine));
        for chooser in choosers {
            states += 1;
            let sim = Arc::new(SimMedium::from_image(replay.image(chooser)));
            let pool = options::<S::Root>().verify_checksums(true).open_simulated(&sim).unwrap();
            let report = pool.check().unwrap();
            let off = (report.refcounts_off, report.unreachable_lines, report.unallocated_lines);
            assert_eq!(off, (0, 0, 0), "crash after {point} events, {chooser:?}");
            let found = S::observe(&pool.snapshot());
            let is_next = returned < script.sections() && found == script.model(returned + 1);
            let expected = script.model(returned);
            assert!(
                is_next || found == expected,
                "crash after {point} events, {chooser:?}: found {found:?}, expected {expected:?}"
            );
        }
    }
    states
}
