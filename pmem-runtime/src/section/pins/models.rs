//! Pins against reclamation under loom: versions are pushed and trimmed, nodes are retired and freed, while a section reads.
//! Every actor is a spawned thread: loom explores less of what its main closure does.

use loom::sync::Arc;
use loom::thread;

use super::{IDLE, Ordering, Pin, Pins, Timestamp, fence};
use crate::section::{Clock, Versions};
use crate::sync::Life;

/// One cell. Its version with stamp `n` names node `n`; node `n` is retired by ticket `n + 1`.
struct World {
    clock: Clock,
    pins: Pins,
    cell: Versions,
    nodes: [Life; 3],
}

impl World {
    fn new() -> Arc<Self> {
        Arc::new(World {
            clock: Clock::new(Timestamp(0)),
            pins: Pins::new(),
            cell: Versions::new(Timestamp(0), 0),
            nodes: std::array::from_fn(|_| Life::new()),
        })
    }

    fn commit(&self) -> Timestamp {
        let ticket = self.clock.ticket();
        self.cell.push(ticket, ticket.0);
        self.clock.complete(ticket).expect("nothing fails");
        ticket
    }

    fn bound(&self) -> Timestamp {
        let horizon = self.clock.durable();
        self.pins.bound(horizon)
    }

    /// Frees what the bound allows, beginning with the nodes that were not freed before.
    fn reclaim(&self, bound: Timestamp, freed: &mut u64) {
        // SAFETY: the promise that the models examine; `Life` reports a broken one.
        unsafe { self.cell.trim(bound) };
        while *freed < bound.0 {
            self.nodes[*freed as usize].end();
            *freed += 1;
        }
    }

    fn read(&self, pin: &Pin<'_>) {
        let at = pin.timestamp();
        let node = self.cell.at(at).expect("the cell is as old as the pool");
        assert_eq!(node, at.0, "a section sees another version than its own");
        self.nodes[node as usize].assert();
    }
}

/// Runs the actors beside each other, in every order with few preemptions: as many as fit into some ten seconds.
fn run(actors: &'static [fn(&World)]) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(if actors.len() > 2 { 2 } else { 4 });
    builder.check(move || {
        let world = World::new();
        let spawned: Vec<_> = actors
            .iter()
            .map(|act| {
                let world = Arc::clone(&world);
                thread::spawn(move || act(&world))
            })
            .collect();
        for actor in spawned {
            actor.join().expect("an actor panicked");
        }
    });
}

fn writer(world: &World) {
    let mut freed = 0;
    for _ in 0..2 {
        world.commit();
        world.reclaim(world.bound(), &mut freed);
    }
}

fn reader(world: &World) {
    let pin = world.pins.pin(|| world.clock.durable());
    world.read(&pin);
}

/// If this fails, a snapshot follows a pointer into memory that was freed under it.
#[test]
fn loom_a_pinned_section_reads_nothing_that_was_freed() {
    run(&[writer, reader]);
}

/// If this fails, a slot's next owner hides from the reclaimer that the last one's reads must come first.
#[test]
fn loom_a_slots_next_owner_passes_on_the_reads_of_the_last() {
    fn single_commit(world: &World) {
        let mut freed = 0;
        world.commit();
        world.reclaim(world.bound(), &mut freed);
    }
    run(&[single_commit, reader, reader]);
}

/// If this fails, a reclaimer beside the committers frees what a section that has just begun still reads.
#[test]
fn loom_a_reclaimer_of_its_own_frees_nothing_that_is_read() {
    fn reclaimer(world: &World) {
        world.reclaim(world.bound(), &mut 0);
    }
    fn committer(world: &World) {
        world.commit();
    }
    run(&[committer, reclaimer, reader]);
}

/// If this fails, the models cannot see the classic mistake: the horizon is read, then the slot is stored, then the fence.
#[test]
#[should_panic(expected = "Causality violation")]
fn loom_twin_pin_by_load_store_fence_is_refuted() {
    fn late_reader(world: &World) {
        let at = world.clock.durable();
        let slot = &world.pins.first.slots[0];
        // AcqRel: as strong as the real one, so that only the order differs.
        slot.0.compare_exchange(IDLE, at.0, Ordering::AcqRel, Ordering::Relaxed).expect("the only pin");
        fence(Ordering::SeqCst);
        world.read(&Pin { slot, at });
    }
    run(&[writer, late_reader]);
}

/// If this fails, the models cannot see that the slot's store and the horizon's load may pass each other without a fence.
#[test]
#[should_panic(expected = "Causality violation")]
fn loom_twin_pin_without_a_fence_is_refuted() {
    fn unfenced_reader(world: &World) {
        let slot = world.pins.claim();
        let at = world.clock.durable();
        // Release: as in the real one.
        slot.0.store(at.0, Ordering::Release);
        world.read(&Pin { slot, at });
    }
    run(&[writer, unfenced_reader]);
}

/// If this fails, the models cannot see that a pin's end must release its reads.
#[test]
#[should_panic(expected = "Causality violation")]
fn loom_twin_relaxed_end_of_a_pin_is_refuted() {
    fn careless_reader(world: &World) {
        let pin = world.pins.pin(|| world.clock.durable());
        world.read(&pin);
        // Relaxed: the mistake.
        pin.slot.0.store(IDLE, Ordering::Relaxed);
        std::mem::forget(pin);
    }
    run(&[writer, careless_reader]);
}

/// If this fails, the models cannot see a bound that was taken from the horizon after the look at the slots.
#[test]
#[should_panic(expected = "Causality violation")]
fn loom_twin_horizon_read_after_the_slots_is_refuted() {
    fn hasty_reclaimer(world: &World) {
        let bound = world.pins.oldest().unwrap_or_else(|| world.clock.durable());
        world.reclaim(bound, &mut 0);
    }
    fn committer(world: &World) {
        world.commit();
    }
    run(&[committer, hasty_reclaimer, reader]);
}

/// If this fails, the models cannot see a commit that is announced before its versions are linked.
#[test]
#[should_panic(expected = "sees another version than its own")]
fn loom_twin_publishing_before_linking_is_refuted() {
    fn hasty_writer(world: &World) {
        let ticket = world.clock.ticket();
        world.clock.complete(ticket).expect("nothing fails");
        world.cell.push(ticket, ticket.0);
    }
    run(&[hasty_writer, reader]);
}
