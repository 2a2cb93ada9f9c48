//! The horizons under loom. Every actor is a spawned thread: loom explores less of what its main closure does.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use super::{Clock, Timestamp};

/// What each commit stored before it said that it was complete, by ticket.
struct Commits {
    clock: Clock,
    stored: [AtomicBool; 3],
}

impl Commits {
    fn new() -> Arc<Self> {
        let stored = std::array::from_fn(|_| AtomicBool::new(false));
        Arc::new(Commits { clock: Clock::new(Timestamp(0)), stored })
    }

    fn store(&self, ticket: Timestamp) {
        // Relaxed: whoever sees the horizon must see this by the horizon's ordering alone.
        self.stored[ticket.0 as usize].store(true, Ordering::Relaxed);
    }

    fn assert_stored_up_to(&self, horizon: Timestamp) {
        for ticket in 1..=horizon.0 {
            // Relaxed: as in `store`.
            let stored = self.stored[ticket as usize].load(Ordering::Relaxed);
            assert!(stored, "commit {ticket} is behind the horizon and not stored");
        }
    }
}

fn explore(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

fn two_committers_and_a_reader(commit: fn(&Commits), read: fn(&Commits)) {
    explore(move || {
        let commits = Commits::new();
        let mut actors = Vec::new();
        for act in [commit, commit, read] {
            let commits = Arc::clone(&commits);
            actors.push(thread::spawn(move || act(&commits)));
        }
        for actor in actors {
            actor.join().expect("an actor panicked");
        }
    });
}

fn commit(commits: &Commits) {
    let ticket = commits.clock.ticket();
    commits.store(ticket);
    commits.clock.complete(ticket).expect("nothing fails");
    assert!(commits.clock.durable() >= ticket, "own commit is not durable");
}

fn read(commits: &Commits) {
    let durable = commits.clock.durable();
    let visible = commits.clock.visible();
    assert!(durable <= visible, "something is durable and not visible");
    commits.assert_stored_up_to(visible);
}

/// If this fails, a section reads at a horizon behind which a commit is not done.
#[test]
fn loom_everything_behind_a_horizon_is_done() {
    two_committers_and_a_reader(commit, read);
}

/// If this fails, the model above cannot see a horizon that passes an earlier ticket.
#[test]
#[should_panic(expected = "is behind the horizon and not stored")]
fn loom_twin_completing_out_of_turn_is_refuted() {
    fn commit(commits: &Commits) {
        let ticket = commits.clock.ticket();
        commits.store(ticket);
        commits.clock.durable.raise(ticket);
    }
    fn read(commits: &Commits) {
        commits.assert_stored_up_to(commits.clock.durable());
    }
    two_committers_and_a_reader(commit, read);
}

/// If this fails, the model above cannot see a commit that is announced before it is durable.
#[test]
#[should_panic(expected = "is behind the horizon and not stored")]
fn loom_twin_publishing_before_durable_is_refuted() {
    fn commit(commits: &Commits) {
        let ticket = commits.clock.ticket();
        commits.clock.complete(ticket).expect("nothing fails");
        commits.store(ticket);
    }
    two_committers_and_a_reader(commit, read);
}

/// If this fails, an I/O error of one commit hangs another, or lets one after it pass for durable.
#[test]
fn loom_a_failed_ticket_stops_those_after_it_and_nobody_hangs() {
    explore(|| {
        let clock = Arc::new(Clock::new(Timestamp(0)));
        let failing = {
            let clock = Arc::clone(&clock);
            thread::spawn(move || {
                let ticket = clock.ticket();
                clock.fail(ticket);
                ticket
            })
        };
        let other = {
            let clock = Arc::clone(&clock);
            thread::spawn(move || {
                let ticket = clock.ticket();
                (ticket, clock.complete(ticket).is_ok())
            })
        };
        let failed = failing.join().expect("no panic");
        let (ticket, completed) = other.join().expect("no panic");
        assert_eq!(completed, ticket < failed, "ticket {ticket} beside the failed {failed}");
        assert_eq!(clock.durable(), Timestamp(failed.0 - 1));
    });
}

/// If this fails, a buffered commit that a group flush covers is waited for in vain.
#[test]
fn loom_a_group_flush_wakes_whoever_waits_for_it() {
    explore(|| {
        let clock = Arc::new(Clock::new(Timestamp(0)));
        let buffered = {
            let clock = Arc::clone(&clock);
            thread::spawn(move || {
                let ticket = clock.ticket();
                clock.publish_visible(ticket).expect("nothing fails");
                clock.wait_durable(ticket).expect("nothing fails");
            })
        };
        let flusher = {
            let clock = Arc::clone(&clock);
            thread::spawn(move || {
                let flushed = clock.visible();
                clock.complete_through(flushed).expect("nothing fails");
                flushed
            })
        };
        if flusher.join().expect("no panic") == Timestamp(0) {
            clock.complete_through(Timestamp(1)).expect("nothing fails");
        }
        buffered.join().expect("no panic");
    });
}
