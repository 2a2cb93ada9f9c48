//! Plants every bug of `pmem_runtime::mutants`, one after the other, and asks what notices it.
//!
//! The campaign builds itself and the tests once more, with `--cfg pmem_mutants`, in a folder of their own. Each mutant is a run of
//! the same programs with another `PMEM_MUTANT`. It meets the layers of [`Layer`], the cheapest first, until one kills it: by a
//! failure, a panic, a signal, or by taking many times as long as the same layer takes without a bug. A mutant for which
//! [`PROOFS`] names a test must be killed by that test too. First of all everything runs without a mutant, and must pass.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pmem_runtime::mutants::Mutant;

use super::layers::Layer;
use super::proofs::{PROOFS, Proof};

/// How often a running child is looked after.
const LOOK_INTERVAL: Duration = Duration::from_millis(5);
/// A mutant that takes so many times as long as the control hangs.
const HANG_FACTOR: u32 = 20;
/// What is never called a hang, whatever the machine is busy with.
const HANG_MIN: Duration = Duration::from_secs(60);

/// The programs with bugs to be planted.
struct Programs {
    folder: PathBuf,
    campaign: PathBuf,
    /// Test binaries by name.
    tests: BTreeMap<&'static str, PathBuf>,
}

/// How a child ended.
struct Ended {
    /// `None` if it passed.
    wrong: Option<(Layer, String)>,
    took: Duration,
}

/// What became of a mutant.
struct Verdict {
    mutant: Mutant,
    killer: Option<Layer>,
    sentence: String,
    /// The test that was to fail, and whether it did.
    proof: Option<(&'static str, bool)>,
}

impl Verdict {
    fn is_killed(&self) -> bool {
        self.killer.is_some() && self.proof.is_none_or(|(_, has_failed)| has_failed)
    }

    fn row(&self) -> String {
        let killer = self.killer.map_or("none: it survives", Layer::name);
        let proof = match self.proof {
            None => String::new(),
            Some((test, true)) => format!("`{test}`"),
            Some((test, false)) => format!("`{test}` passes nevertheless"),
        };
        let Verdict { mutant, .. } = self;
        format!("| `{}` | {} | {} | {killer} | {proof} |", mutant.name(), mutant.what(), mutant.law())
    }
}

/// Kills all mutants, or the one of that name.
pub(crate) fn run(only: Option<&str>) -> ExitCode {
    let started = Instant::now();
    let mutants: Vec<Mutant> =
        Mutant::ALL.iter().copied().filter(|mutant| only.is_none_or(|only| only == mutant.name())).collect();
    if mutants.is_empty() {
        eprintln!("crash-campaign: there is no mutant {}", only.unwrap_or_default());
        return ExitCode::from(2);
    }
    match attack(&mutants) {
        Ok(verdicts) => {
            println!("| mutant | what is wrong | law | killed by | test that fails |\n|---|---|---|---|---|");
            verdicts.iter().for_each(|verdict| println!("{}", verdict.row()));
            let killed = verdicts.iter().filter(|verdict| verdict.is_killed()).count();
            println!("seconds={:.0}", started.elapsed().as_secs_f64());
            println!("killed={killed}/{}", verdicts.len());
            if killed == verdicts.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(sentence) => {
            eprintln!("crash-campaign: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// An error is a sentence: what cannot be built, or what fails without a mutant.
fn attack(mutants: &[Mutant]) -> Result<Vec<Verdict>, String> {
    let started = Instant::now();
    let proofs = proofs_of(mutants);
    let programs = build(&proofs)?;
    eprintln!("built in {:.0} s", started.elapsed().as_secs_f64());
    let limits = control(&programs, &proofs)?;
    eprintln!("without a mutant all layers pass, after {:.0} s", started.elapsed().as_secs_f64());
    let done = AtomicUsize::new(0);
    Ok(in_parallel(mutants, |mutant| {
        let verdict = kill(&programs, &limits, *mutant);
        // Relaxed: a number to print.
        let number = done.fetch_add(1, Ordering::Relaxed) + 1;
        let killer = verdict.killer.map_or("SURVIVES", Layer::name);
        eprintln!("{number}/{} {}: {killer}; {}", mutants.len(), mutant.name(), verdict.sentence);
        if let Some((test, false)) = verdict.proof {
            eprintln!("    {test} passes nevertheless");
        }
        verdict
    }))
}

/// Does the work on all cores. The results are in the order of the items.
fn in_parallel<I: Sync, O: Send>(items: &[I], work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let results: Vec<Mutex<Option<O>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    // Relaxed: a ticket, no data behind it.
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    *results[index].lock().expect("nobody panics with it") = Some(work(item));
                }
            });
        }
    });
    results
        .into_iter()
        .map(|result| result.into_inner().expect("nobody panics with it").expect("each was worked on"))
        .collect()
}

fn proofs_of(mutants: &[Mutant]) -> Vec<Proof> {
    let is_wanted = |proof: &&Proof| mutants.iter().any(|mutant| mutant.name() == proof.mutant);
    PROOFS.iter().filter(is_wanted).copied().collect()
}

fn build(proofs: &[Proof]) -> Result<Programs, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = root.join("target/mutants");
    let folder = target.join("output");
    fs::create_dir_all(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let flags = format!("{} --cfg pmem_mutants", env::var("RUSTFLAGS").unwrap_or_default());
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(root);
        command.env("RUSTFLAGS", flags.trim()).env("CARGO_TARGET_DIR", &target).env_remove("PMEM_MUTANT");
        let output = command.stderr(Stdio::piped()).output();
        let output = output.map_err(|error| format!("cargo cannot be run: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(said) } else { Err(format!("the mutants cannot be built:\n{said}")) }
    };
    // The profile of tests for all of it: optimised enough, and soon built.
    let mut tests = BTreeMap::new();
    let mut names: Vec<&'static str> = proofs.iter().map(|proof| proof.binary).collect();
    names.sort_unstable();
    names.dedup();
    let (units, others): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| *name == "lib");
    cargo(&["build", "--profile", "test", "--bin", "crash-campaign"])?;
    let mut arguments = vec!["test", "--no-run"];
    others.iter().for_each(|name| arguments.extend(["--test", name]));
    let said = if others.is_empty() { String::new() } else { cargo(&arguments)? };
    for name in others {
        let source = format!(" tests/{name}.rs (");
        tests.insert(
            name,
            executable(&said, &source).ok_or_else(|| format!("no `{name}` is built:\n{said}"))?,
        );
    }
    if let [lib] = units[..] {
        let said = cargo(&["test", "--no-run", "-p", "pmem-runtime", "--lib", "--features", "crash-test"])?;
        tests.insert(
            lib,
            executable(&said, "src/lib.rs (").ok_or_else(|| format!("no `lib` is built:\n{said}"))?,
        );
    }
    Ok(Programs { campaign: target.join("debug/crash-campaign"), folder, tests })
}

/// What cargo has made of a source: it says `Executable <source> (<path>)`.
fn executable(said: &str, source: &str) -> Option<PathBuf> {
    let path = said.lines().find_map(|line| line.split_once(source))?.1.strip_suffix(')')?;
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
}

/// How long each layer and each test may take: many times what it takes without a mutant.
struct Limits {
    layers: Vec<(Layer, Duration)>,
    tests: BTreeMap<&'static str, Duration>,
}

fn limit(took: Duration) -> Duration {
    HANG_MIN.max(took * HANG_FACTOR)
}

fn control(programs: &Programs, proofs: &[Proof]) -> Result<Limits, String> {
    enum Control<'p> {
        Layer(Layer),
        Test(&'p Proof),
    }
    let mut distinct: Vec<&Proof> = Vec::new();
    for proof in proofs {
        if distinct.iter().all(|other| other.test != proof.test) {
            distinct.push(proof);
        }
    }
    let layers = Layer::CAMPAIGN.into_iter().map(Control::Layer);
    let controls: Vec<Control<'_>> = layers.chain(distinct.into_iter().map(Control::Test)).collect();
    let ended = in_parallel(&controls, |control| match control {
        Control::Layer(layer) => programs.layer(*layer, None, Duration::MAX),
        Control::Test(proof) => programs.test(proof, None, Duration::MAX),
    });
    let mut limits = Limits { layers: Vec::new(), tests: BTreeMap::new() };
    for (control, ended) in controls.iter().zip(ended) {
        let name = match control {
            Control::Layer(layer) => layer.name(),
            Control::Test(proof) => proof.test,
        };
        if let Some((_, sentence)) = ended.wrong {
            return Err(format!("without a mutant, {name} fails: {sentence}"));
        }
        eprintln!("control: {name} passes in {:.1} s", ended.took.as_secs_f64());
        match control {
            Control::Layer(layer) => limits.layers.push((*layer, limit(ended.took))),
            Control::Test(proof) => {
                limits.tests.insert(proof.test, limit(ended.took));
            }
        }
    }
    Ok(limits)
}

fn kill(programs: &Programs, limits: &Limits, mutant: Mutant) -> Verdict {
    let mut wrong = None;
    for (layer, limit) in &limits.layers {
        wrong = programs.layer(*layer, Some(mutant), *limit).wrong;
        if wrong.is_some() {
            break;
        }
    }
    let proof = PROOFS.iter().find(|proof| proof.mutant == mutant.name());
    let proof = proof.map(|proof| {
        let failed = programs.test(proof, Some(mutant), limits.tests[proof.test]).wrong;
        let has_failed = failed.is_some();
        if wrong.is_none() {
            wrong = failed;
        }
        (proof.test, has_failed)
    });
    let (killer, sentence) = match wrong {
        Some((layer, sentence)) => (Some(layer), sentence),
        None => (None, "nothing notices it".to_owned()),
    };
    Verdict { mutant, killer, sentence, proof }
}

impl Programs {
    /// Runs a layer of the campaign.
    fn layer(&self, layer: Layer, mutant: Option<Mutant>, limit: Duration) -> Ended {
        let mut command = Command::new(&self.campaign);
        command.args(["--layer", layer.name()]).current_dir(&self.folder);
        self.watch(command, layer, layer.name(), mutant, limit)
    }

    /// Runs a named test.
    fn test(&self, proof: &Proof, mutant: Option<Mutant>, limit: Duration) -> Ended {
        let mut command = Command::new(&self.tests[proof.binary]);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = if proof.binary == "lib" { root.join("pmem-runtime") } else { root.to_path_buf() };
        command.arg(proof.test).current_dir(folder);
        self.watch(command, Layer::Tests, proof.test, mutant, limit)
    }

    /// Runs a child to its end, or until it hangs. What it prints is kept in a file.
    fn watch(
        &self,
        mut command: Command,
        layer: Layer,
        name: &str,
        mutant: Option<Mutant>,
        limit: Duration,
    ) -> Ended {
        let started = Instant::now();
        let output = self.folder.join(format!("{}-{name}.txt", mutant.map_or("control", Mutant::name)));
        // Finding the lines of a backtrace takes longer than most kills.
        command.env_remove("PMEM_MUTANT").env("RUST_BACKTRACE", "0");
        if let Some(mutant) = mutant {
            command.env("PMEM_MUTANT", mutant.name());
        }
        let status = run_with_limit(&mut command, &output, limit)
            .unwrap_or_else(|error| panic!("{name} cannot be run, or its output not be kept: {error}"));
        let said = fs::read(&output).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let wrong = match status {
            None => Some((layer, format!("a timeout after {} s", limit.as_secs()))),
            Some(status) if status.success() => {
                let has_run = layer != Layer::Tests || said.contains("test result: ok. 1 passed");
                (!has_run).then(|| (layer, format!("{name} is not the name of one test")))
            }
            Some(status) => {
                Some(words(&said).unwrap_or_else(|| (layer, panic_of(&said, &status.to_string()))))
            }
        };
        Ended { wrong, took: started.elapsed() }
    }
}

/// `None` if it took too long.
fn run_with_limit(
    command: &mut Command,
    output: &Path,
    limit: Duration,
) -> io::Result<Option<std::process::ExitStatus>> {
    let started = Instant::now();
    let file = File::create(output)?;
    let mut child = command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK_INTERVAL);
    }
}

/// What a layer's process says of the failure that it found.
fn words(said: &str) -> Option<(Layer, String)> {
    let (name, sentence) = said.lines().last()?.split_once('\t')?;
    Some((Layer::parse(name)?, sentence.to_owned()))
}

/// The words of a test's panic, or how the process ended.
fn panic_of(said: &str, status: &str) -> String {
    let mut lines = said.lines().skip_while(|line| !line.contains("panicked at")).skip(1);
    let words = lines.find(|line| !line.trim().is_empty()).unwrap_or(status);
    words.chars().take(200).collect()
}
