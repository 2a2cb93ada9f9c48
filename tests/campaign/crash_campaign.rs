//! Attacks everything that ships with crashes: `cargo run --release --bin crash-campaign -- --states 100000`.
//!
//! Every target of the list in [`targets`] is explored in every way there is, with a share of the states. One line is printed for each,
//! and at the end `states=N points=N failures=0`. The same seed and number of states do the same.

mod bank;
mod collections;
mod heap;
mod layers;
mod mutants;
mod options;
mod progress;
mod proofs;
#[path = "../support/mod.rs"]
mod support;
mod targets;
mod world;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use pmem_runtime::crash::{Evidence, Exploration, Failure, Plan, ReplayPoint};

use options::{Asked, HELP, Options};
use progress::Progress;
use targets::{TARGETS, Target};

/// States of one piece of work: small, so that the cores end together.
const PIECE_STATES: u64 = 2_000;

/// A share of one target's exploration.
struct Piece {
    target: usize,
    exploration: Exploration,
    plan: Plan,
}

/// What became of a target.
#[derive(Default)]
struct Outcome {
    evidence: Evidence,
    failures: Vec<Failure>,
}

fn main() -> ExitCode {
    let options = match options::parse(std::env::args().skip(1)) {
        Ok(Asked::Run(options)) => options,
        Ok(Asked::Mutants(only)) => return mutants::run(only.as_deref()),
        Ok(Asked::Layer(layer)) => return layers::run(layer),
        Ok(Asked::Help) => {
            print!("{HELP}");
            TARGETS.iter().for_each(|target| println!("  {}", target.name));
            return ExitCode::SUCCESS;
        }
        Err(sentence) => {
            eprintln!("crash-campaign: {sentence}. Try --help.");
            return ExitCode::from(2);
        }
    };
    let started = Instant::now();
    let mut pieces = pieces(&options);
    if let Some(piece) = options.piece {
        pieces = pieces.into_iter().skip(piece).take(1).collect();
    }
    if let Ok(text) = std::env::var("PMEM_CRASH_REPLAY") {
        match text.parse::<ReplayPoint>() {
            Ok(point) => {
                pieces.iter_mut().for_each(|piece| piece.plan = piece.plan.clone().replaying(point.clone()));
            }
            Err(error) => {
                eprintln!("crash-campaign: PMEM_CRASH_REPLAY: {error}");
                return ExitCode::from(2);
            }
        }
    }
    let outcomes = attack(&pieces);
    let mut total = Evidence::default();
    let mut failures = 0;
    for (target, outcome) in TARGETS.iter().zip(&outcomes).filter(|(target, _)| options.wants(target.name)) {
        let Outcome { evidence, failures: found } = outcome;
        println!(
            "{:12} states={} points={} failures={}",
            target.name,
            evidence.states,
            evidence.points_hit,
            found.len()
        );
        println!("             {evidence}");
        if target.name == "heap" {
            let within = |kind| evidence.kinds.get(kind).copied().unwrap_or(0);
            let [allocation, free, update] = ["allocation", "free", "update"].map(within);
            println!(
                "             metadata valid, reachable is the last committed version, nothing of incomplete sections left: at {} \
                 injection points ({allocation} inside allocation, {free} inside free, {update} inside update)",
                allocation + free + update
            );
        }
        for failure in found {
            println!("\n{failure}\n");
        }
        failures += found.len();
        total.add(evidence);
    }
    println!("seed={} seconds={:.0}", options.seed, started.elapsed().as_secs_f64());
    println!("states={} points={} failures={failures}", total.states, total.points_hit);
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The states, shared out: to targets by weight, to explorations evenly, in pieces that differ in their seeds.
fn pieces(options: &Options) -> Vec<Piece> {
    let wanted = || TARGETS.iter().enumerate().filter(|(_, target)| options.wants(target.name));
    let weights: u64 = wanted().map(|(_, target)| target.weight).sum();
    let mut pieces = Vec::new();
    for (index, Target { name, weight, run_len, .. }) in wanted() {
        let states = options.states * weight / weights / Exploration::ALL.len() as u64;
        for exploration in Exploration::ALL {
            // All short sequences are one piece: another seed would give the same again.
            let is_whole = exploration == Exploration::ShortSequences;
            let count = if is_whole { 1 } else { states.div_ceil(PIECE_STATES).max(1) };
            for piece in 0..count {
                let command = format!(
                    "cargo run --release --bin crash-campaign -- --states {} --seed {} --piece {}",
                    options.states,
                    options.seed,
                    pieces.len()
                );
                let plan = Plan::new(&format!("{name}, {exploration:?}, {piece}"))
                    .seed(options.seed.wrapping_add(piece))
                    .states(states / count)
                    .run_len(*run_len)
                    .command(&if options.only.is_some() {
                        format!("{command} --only {name}")
                    } else {
                        command
                    });
                pieces.push(Piece { target: index, exploration, plan });
            }
        }
    }
    pieces
}

fn attack(pieces: &[Piece]) -> Vec<Outcome> {
    let outcomes: Vec<Mutex<Outcome>> = TARGETS.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::new(pieces.len()));
    let work = || {
        // Relaxed: a ticket, no data behind it.
        while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = (TARGETS[piece.target].explore)(&piece.plan, piece.exploration);
            progress.lock().expect("nobody panics with it").piece_done(result.as_ref().ok());
            let mut outcome = outcomes[piece.target].lock().expect("nobody panics with it");
            match result {
                Ok(evidence) => outcome.evidence.add(&evidence),
                Err(failure) => outcome.failures.push(failure),
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        (0..threads).for_each(|_| {
            scope.spawn(work);
        });
    });
    outcomes.into_iter().map(|outcome| outcome.into_inner().expect("nobody panics with it")).collect()
}
