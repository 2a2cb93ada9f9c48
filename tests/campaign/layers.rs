//! The kinds of tests that a mutant meets, the cheapest first, and what each of them tries.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;

use pmem_runtime::crash::{Exploration, Failure, Plan};

use super::targets::TARGETS;

/// A kind of test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// What the log of a run shows without trying a single crash.
    Watch,
    /// Crash states, opened and judged.
    States,
    /// Crashes in recovery, relocation and close; poisoned memory; going on.
    Thorough,
    /// Failing syncs, and growth that is refused.
    Faults,
    /// Tests of the suite, by name.
    Tests,
}

impl Layer {
    /// Those that a process of the campaign runs.
    pub(crate) const CAMPAIGN: [Layer; 4] = [Layer::Watch, Layer::States, Layer::Thorough, Layer::Faults];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Layer::Watch => "watch",
            Layer::States => "states",
            Layer::Thorough => "thorough",
            Layer::Faults => "faults",
            Layer::Tests => "tests",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Layer> {
        Layer::CAMPAIGN.into_iter().find(|layer| layer.name() == name)
    }

    fn attempts(self) -> &'static [Attempt] {
        use Exploration::{Buffered, FailingSyncs, LongRuns, Recovery, RefusedGrowth};
        const fn attempt(
            target: &'static str,
            exploration: Exploration,
            states: u64,
            run_len: u64,
        ) -> Attempt {
            Attempt { target, exploration, states, run_len }
        }
        const WATCH: &[Attempt] = &[
            attempt("world", LongRuns, 8, 60),
            attempt("world", Buffered, 8, 120),
            attempt("map", LongRuns, 8, 60),
            attempt("heap", LongRuns, 8, 300),
            attempt("world", LongRuns, 2, 500),
        ];
        const STATES: &[Attempt] = &[
            attempt("world", LongRuns, 400, 60),
            attempt("world", Buffered, 400, 60),
            attempt("heap", LongRuns, 300, 100),
        ];
        const THOROUGH: &[Attempt] =
            &[attempt("world", Recovery, 1000, 60), attempt("vector", Recovery, 400, 30)];
        const FAULTS: &[Attempt] =
            &[attempt("world", FailingSyncs, 300, 40), attempt("heap", RefusedGrowth, 200, 100)];
        match self {
            Layer::Watch => WATCH,
            Layer::States => STATES,
            Layer::Thorough => THOROUGH,
            Layer::Faults => FAULTS,
            Layer::Tests => &[],
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One exploration of one target.
struct Attempt {
    target: &'static str,
    exploration: Exploration,
    states: u64,
    run_len: u64,
}

/// Tries what the layer has until something is wrong, and says on one line what.
pub(crate) fn run(layer: Layer) -> ExitCode {
    let last_panic = silence_panics();
    for Attempt { target, exploration, states, run_len } in layer.attempts() {
        let found = TARGETS.iter().find(|each| each.name == *target).expect("a layer names targets");
        let plan = Plan::new(&format!("{target}, {exploration:?}")).states(*states).run_len(*run_len);
        let verdict = catch_unwind(AssertUnwindSafe(|| (found.explore)(&plan, *exploration)));
        let (killer, sentence) = match verdict {
            Ok(Ok(_)) => continue,
            Ok(Err(failure)) => (killer(&failure, *exploration), failure.wrong().to_owned()),
            Err(_) => (layer, last_panic.lock().expect("nobody panics with it").clone()),
        };
        let sentence: String = sentence.lines().next().unwrap_or_default().chars().take(200).collect();
        println!("{killer}\t{target}, {exploration:?}: {sentence}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The layer that a failure belongs to, whichever was running.
fn killer(failure: &Failure, exploration: Exploration) -> Layer {
    let is_thorough = ["second crash: ", "with unreachable memory poisoned: ", "going on from it: "]
        .iter()
        .any(|opening| failure.wrong().starts_with(opening));
    let is_of_faults = matches!(exploration, Exploration::FailingSyncs | Exploration::RefusedGrowth);
    match failure.replay_point() {
        Some(_) if is_thorough => Layer::Thorough,
        _ if is_of_faults => Layer::Faults,
        None => Layer::Watch,
        Some(_) => Layer::States,
    }
}

/// Panics are judged, not printed. Returns where the last one's words are.
fn silence_panics() -> &'static Mutex<String> {
    static LAST: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = LAST.lock() {
            *last = format!("a panic: {}", info.to_string().replace('\n', " "));
        }
    }));
    &LAST
}
