//! A process dies, the next one opens what it left, and then the power goes. What the first had stored and not made durable
//! was there for the second to read, and is gone for the third (laws 2 and 5).

mod support;

use pmem_runtime::Durability;
use pmem_runtime::hw::sim::{Action, Event};
use support::Random;
use support::crash::{Explorer, Mix, Plan, Run, Step, Tried, create, judge, open, options, random_steps};
use support::model::{Model, Op};
use support::world::WorldPool;

const PLAN: Plan = Plan { seeded: 2, lines: 1, deep_every: u64::MAX };

/// Lets the process die after `point` events of `first`, takes `steps` random steps in the next one, and crashes at every
/// `stride`th point of them, at every point of the opening.
fn die_and_crash(
    first: &Run,
    point: usize,
    steps: usize,
    stride: usize,
    random: &mut Random,
) -> Result<Tried, String> {
    let (sim, pool) = open(first.left_at(point))?;
    let found = judge(&pool)?;
    let steps = random_steps(random, &found, steps, Mix { buffered: 4, ops: 3 });
    let second = Run::record(&sim, &pool, &found, &steps);
    drop(pool);
    let both = first.followed_by(point, &second);
    let opened = point + second.first_point();
    let mut explorer = Explorer::new(&both, PLAN, random.next());
    explorer.points(point..=opened)?;
    let mut at = opened;
    while at <= both.events.len() {
        explorer.points(at..=at)?;
        at += stride;
    }
    Ok(explorer.tried)
}

fn die_around(name: &str, first: &Run, points: impl Iterator<Item = usize>, steps: usize, stride: usize) {
    let mut random = Random::for_test(name, 1);
    let mut states = 0;
    for point in points {
        let tried = die_and_crash(first, point, steps, stride, &mut random)
            .unwrap_or_else(|wrong| panic!("{name}: death after {point} events: {wrong}"));
        states += tried.states;
    }
    println!("{name}: {states} states");
    assert!(states > 100, "{name}: {states} states");
}

fn points_where(run: &Run, is_there: impl Fn(&Event) -> bool) -> Vec<usize> {
    (run.first_point()..run.events.len()).filter(|at| is_there(&run.events[*at])).collect()
}

/// If this failed, a section that recovery found in the caches of a dead process would be acknowledged by being shown, and
/// lost in part.
#[test]
fn a_section_found_in_caches_is_made_durable() {
    let (sim, pool) = create(options());
    let mut steps: Vec<Step> = (0..4)
        .map(|value| Step::Section(Durability::Immediate, vec![Op::Push(value), Op::Insert(value, value)]))
        .collect();
    steps.extend((4..9).map(|value| Step::Section(Durability::Buffered, vec![Op::Push(value)])));
    let first = Run::record(&sim, &pool, &Model::default(), &steps);
    drop(pool);
    let points = first.first_point()..=first.events.len();
    die_around("a_section_found_in_caches_is_made_durable", &first, points, 3, 4);
}

/// If this failed, memory and ring lines would be reused on the word of a checkpoint that the medium does not have.
#[test]
fn a_checkpoint_found_in_caches_is_made_durable() {
    let (sim, pool) = create(options().limit_bytes(WorldPool::MIN_BYTES));
    let mut random = Random::new(2);
    let steps = random_steps(&mut random, &Model::default(), 300, Mix { buffered: 5, ops: 3 });
    let first = Run::record(&sim, &pool, &Model::default(), &steps);
    drop(pool);
    let is_slot = |event: &Event| matches!(&event.action, Action::Store { bytes, .. } if bytes.starts_with(b"PMEMCKPT"));
    let stored = points_where(&first, is_slot);
    assert!(!stored.is_empty(), "no checkpoint was written");
    let points = stored.iter().take(3).map(|at| at + 1);
    die_around("a_checkpoint_found_in_caches_is_made_durable", &first, points, 300, 40);
}

/// If this failed, a pool would be used beyond the length that the medium knows of.
#[test]
fn a_growth_found_in_caches_is_made_durable() {
    let (sim, pool) = create(options());
    let push = |round: u64| {
        Step::Section(Durability::Immediate, (0..600).map(|i| Op::Push(round * 600 + i)).collect())
    };
    let steps: Vec<Step> = (0..8).map(push).collect();
    let first = Run::record(&sim, &pool, &Model::default(), &steps);
    drop(pool);
    let grown = points_where(&first, |event| matches!(event.action, Action::Grown { .. }));
    assert!(!grown.is_empty(), "the pool did not grow");
    let points = grown.iter().take(2).flat_map(|at| at + 1..=at + 4);
    die_around("a_growth_found_in_caches_is_made_durable", &first, points, 40, 60);
}
