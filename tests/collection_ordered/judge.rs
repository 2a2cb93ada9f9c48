//! What the tests of ordered and sequential collections share: judges of a pool, and crashes of a script at every event.
#![allow(dead_code, reason = "every test binary compiles this file and uses a part of it")]

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use pmem_runtime::hw::sim::{Action, Chooser, Replay, SimMedium};
use pmem_runtime::{Counters, Fase, FaseError, Persistent, Pool};

use super::support::Random;

/// A live node lies nowhere but in memory that is in use. Counts of retired nodes may wait to be given back.
pub(crate) fn assert_sound<R: Persistent>(pool: &Pool<R>) {
    assert_eq!(pool.check().unwrap().unallocated_lines, 0);
}

/// Nothing is in use but what the root reaches, and every count is true: as after an open.
pub(crate) fn assert_exact<R: Persistent>(pool: &Pool<R>) {
    let report = pool.check().unwrap();
    assert_eq!((report.refcounts_off, report.unreachable_lines, report.unallocated_lines), (0, 0, 0));
}

/// Runs a section that cannot fail.
pub(crate) fn section<R: Persistent, O>(
    pool: &Pool<R>,
    body: impl for<'f> Fn(&'f Fase<'f>, &mut R::At<'f>) -> O,
) -> O {
    pool.fase(pool.default_durability(), |tx, root| Ok::<O, FaseError>(body(tx, root))).unwrap()
}

/// Lets the pool give back what waits for it, which shows what was lost rather than given up. Each section makes a root, and
/// leaves the one before it.
pub(crate) fn settle<R: Persistent>(pool: &Pool<R>) {
    let is_settled = || {
        let report = pool.check().unwrap();
        report.refcounts_off == 0 && report.unreachable_lines <= 16
    };
    let is_settled = (0..2000).inspect(|_| section(pool, |_, _| ())).any(|_| is_settled());
    assert!(is_settled, "something was lost: {:?}", pool.check());
}

/// A new pool in a file, on the path of persistent memory.
pub(crate) fn create<R: Persistent>(path: &Path) -> Pool<R>
where
    for<'f> R::At<'f>: Default,
{
    Pool::options().force_dax(true).create(path).unwrap()
}

/// Closes the pool, or leaves it as a killed process does, and opens what is there.
pub(crate) fn reopen<R: Persistent>(pool: Pool<R>, path: &Path, random: &mut Random) -> Pool<R> {
    if random.one_in(2) {
        pool.close().unwrap();
    } else {
        let copy = path.with_extension("copy");
        std::fs::copy(path, &copy).unwrap();
        drop(pool);
        std::fs::rename(&copy, path).unwrap();
    }
    let pool = Pool::<R>::options().force_dax(true).verify_checksums(true).open(path).unwrap();
    assert_exact(&pool);
    pool
}

/// Does 10,000 random operations, some to a section and some of these undone, to a pool and to a model of it, with the pool
/// reopened now and then. `apply` does one to both and checks the collection, `assert_same` compares the two.
pub(crate) fn run_beside_model<R, M, O>(
    name: &str,
    seed: u64,
    random_op: impl Fn(&mut Random) -> O,
    apply: impl for<'f> Fn(&O, &'f Fase<'f>, &mut R::At<'f>, &mut M),
    assert_same: impl for<'f> Fn(&R::At<'f>, &M),
) where
    R: Persistent,
    for<'f> R::At<'f>: Default,
    M: Clone + Default,
{
    let mut random = Random::for_test(name, seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("collection.pool");
    let mut pool = create::<R>(&path);
    let mut model = M::default();
    let (mut ops, mut sections) = (0, 0);
    while ops < 10_000 {
        let script: Vec<O> = (0..=random.below(20)).map(|_| random_op(&mut random)).collect();
        let is_aborted = random.one_in(8);
        let done = pool.fase(pool.default_durability(), |tx, root| {
            let mut next = model.clone();
            script.iter().for_each(|op| apply(op, tx, root, &mut next));
            assert_same(root, &next);
            if is_aborted {
                return Err(FaseError::message("as planned".to_owned()));
            }
            Ok(next)
        });
        assert_eq!(done.is_err(), is_aborted);
        model = done.unwrap_or(model);
        ops += script.len();
        sections += 1;
        if sections % 16 == 0 {
            assert_same(&pool.snapshot(), &model);
            assert_sound(&pool);
        }
        if random.one_in(60) {
            pool = reopen(pool, &path, &mut random);
            assert_same(&pool.snapshot(), &model);
        }
    }
    assert_same(&pool.snapshot(), &model);
    settle(&pool);
}

/// For an answer that a test does not look at.
pub(crate) fn ignore<T>(_answer: T) {}

/// What `work` cost.
pub(crate) fn cost<R: Persistent>(pool: &Pool<R>, work: impl FnOnce()) -> Cost {
    let before = pool.counters();
    work();
    let lines = |counters: &Counters| counters.lines_written_back - counters.record_lines;
    let after = pool.counters();
    Cost { nodes: after.nodes - before.nodes, lines: lines(&after) - lines(&before) }
}

/// Nodes made and lines of nodes written, the root's included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) nodes: u64,
    pub(crate) lines: u64,
}

/// Does the steps, a section each, on a simulated pool, crashes at every event, and asks what each image holds: it must be what
/// `observe` saw after the last section that had returned, or after the one under way.
pub(crate) fn crash_everywhere<R, S, M>(
    seed: u64,
    steps: &[S],
    step: impl for<'f> Fn(&'f Fase<'f>, &mut R::At<'f>, &S),
    observe: impl Fn(&Pool<R>) -> M,
) where
    R: Persistent,
    for<'f> R::At<'f>: Default,
    M: PartialEq + Debug,
{
    let options = || {
        Pool::<R>::options().size_bytes(Pool::<R>::MIN_BYTES).reserve_bytes(64 << 20).threads(1).seed(seed)
    };
    let sim = Arc::new(SimMedium::new());
    let pool = options().simulate_with(&sim, |_| Default::default()).unwrap();
    let mut versions = vec![(sim.event_count(), observe(&pool))];
    for one in steps {
        section(&pool, |tx, root| step(tx, root, one));
        versions.push((sim.event_count(), observe(&pool)));
    }
    drop(pool);
    let events = sim.events();
    let last = versions[versions.len() - 1].0;
    let mut random = Random::new(seed);
    let mut replay = Replay::new(sim.initial_image());
    events[..versions[0].0].iter().for_each(|event| replay.apply(event));
    let mut states = 0;
    for point in versions[0].0..=last {
        if point > versions[0].0 {
            replay.apply(&events[point - 1]);
            if matches!(events[point - 1].action, Action::WriteBack { .. }) && !random.one_in(4) {
                continue;
            }
        }
        let choosers =
            [Chooser::None, Chooser::All, Chooser::Seeded(random.next()), Chooser::Seeded(random.next())];
        for chooser in choosers {
            states += 1;
            let image = Arc::new(SimMedium::from_image(replay.image(chooser)));
            let pool = options().verify_checksums(true).open_simulated(&image).unwrap();
            assert_exact(&pool);
            let found = observe(&pool);
            let returned = versions.iter().rposition(|(events, _)| *events <= point).unwrap();
            let is_permitted = versions.iter().skip(returned).take(2).any(|(_, version)| *version == found);
            assert!(is_permitted, "after {point} events, {chooser:?}: it holds {found:?}");
        }
    }
    println!("{} events, {states} states", events.len());
    assert!(states > 4 * steps.len());
}
