//! Kills a bank in the middle of its work, again and again, and looks for what it lost.
//!
//! A child process makes transfers and says on a pipe which of them have committed. The parent kills it with `SIGKILL`
//! at a random moment, opens the pool, and checks that no acknowledged transfer is missing, that at most one more is
//! there, that no money was made or lost, and that the heap holds exactly what the root reaches.
//!
//! `SIGKILL` takes the process, not the machine: everything that it stored is still in the page cache. So this shows
//! that a section is all or nothing and that recovery finds it, but it cannot show a missing flush or fence. The crash
//! simulator of the tests does that.
//!
//! ```text
//! cargo run --release --example crash_and_return
//! ```

mod ledger;

use std::error::Error;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ledger::{BankPool, Random, Refused, Transfer, choose_transfer, open_accounts};
use pmem_runtime::persist_fase;

const HELP: &str = "\
Kills a bank with SIGKILL at random moments, reopens it, and checks that no acknowledged transfer is lost.

Usage: crash_and_return [OPTIONS]

  --kills N    how often to kill, 1 or more (default 20)
  --seed S     seed of the moments and the transfers (default: from the clock; printed)
  --help       show this text
";
/// The first argument of the child.
const WORK: &str = "__work";
const ACCOUNTS: u32 = 500;
/// The child is killed after at most so long: long enough for some hundred transfers on a disk, short enough that many
/// kills fall into opening and recovering.
const LIFE_MAX: Duration = Duration::from_millis(250);

struct Options {
    kills: u64,
    seed: u64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, path, seed] = arguments.as_slice()
        && first == WORK
    {
        return finish(work(Path::new(path), seed.parse().unwrap_or(0)));
    }
    match parse(arguments.into_iter()) {
        Ok(Some(options)) => finish(kill_and_check(&options)),
        Ok(None) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("crash_and_return: {sentence}. Try --help.");
            ExitCode::from(2)
        }
    }
}

fn finish(outcome: Result<(), Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crash_and_return: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `None` if only the help is wanted; an error is a sentence without its full stop.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let mut options = Options { kills: 20, seed: clock % 1_000_000 };
    while let Some(flag) = arguments.next() {
        let mut value = || {
            let text = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
            text.parse().map_err(|_| format!("{flag} needs a number, not \"{text}\""))
        };
        match flag.as_str() {
            "--kills" => options.kills = value()?,
            "--seed" => options.seed = value()?,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("{flag} is not an option")),
        }
    }
    if options.kills == 0 {
        return Err("--kills must be 1 or more".to_owned());
    }
    Ok(Some(options))
}

/// The child: transfers until somebody kills it, and says on its output which of them have committed.
fn work(path: &Path, seed: u64) -> Result<(), Box<dyn Error>> {
    let pool = BankPool::options().open_or_create(path)?;
    open_accounts(&pool, ACCOUNTS)?;
    let mut random = Random::new(seed);
    loop {
        let (from, to, cents) = choose_transfer(&mut random, ACCOUNTS);
        let result = persist_fase!(&pool, |tx, bank| { Ok(bank.transfer(tx, from, to, cents)?) });
        match result {
            // One write of less than a pipe's buffer is never torn, so a line is there whole or not at all.
            Ok(made) => stdout().write_all(format_line(&made).as_bytes())?,
            Err(error) if error.downcast_ref::<Refused>().is_some() => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn format_line(transfer: &Transfer) -> String {
    let Transfer { number, from, to, cents } = transfer;
    format!("{number} {from} {to} {cents}\n")
}

fn parse_line(line: &str) -> Option<Transfer> {
    let mut fields = line.split(' ');
    Some(Transfer {
        number: fields.next()?.parse().ok()?,
        from: fields.next()?.parse().ok()?,
        to: fields.next()?.parse().ok()?,
        cents: fields.next()?.parse().ok()?,
    })
}

/// The parent.
fn kill_and_check(options: &Options) -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("crash-and-return-{}.pool", std::process::id()));
    println!("seed {}, pool {}", options.seed, path.display());
    println!(
        "SIGKILL leaves the page cache alone: this tests atomicity and recovery, not flushes and fences."
    );
    println!("The crash simulator of `cargo test` tests those.\n");
    println!("kill  after ms  acknowledged    found  replayed  rejected  recovery ms    nodes");
    let mut random = Random::new(options.seed);
    let mut known = Vec::new();
    for kill in 1..=options.kills {
        let life = Duration::from_micros(random.below(LIFE_MAX.as_micros() as u64));
        let seed = random.below(u64::MAX);
        known.extend(run_and_kill(&path, seed, life)?);
        print!("{kill:4}  {:8.1}  {:12}", life.as_secs_f64() * 1e3, known.len());
        match check(&path, &mut known) {
            Ok(seen) => println!("  {seen}"),
            Err(loss) => {
                println!();
                return Err(format!(
                    "after kill {kill} (seed {}): {loss}. The pool is kept at {}",
                    options.seed,
                    path.display()
                )
                .into());
            }
        }
    }
    // Every child may have been killed before it had made the pool.
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    println!(
        "\n{} kills, {} transfers: nothing acknowledged was lost, nothing was half done.",
        options.kills,
        known.len()
    );
    Ok(())
}

/// Starts a child and kills it after `life`. Returns the transfers that it acknowledged.
fn run_and_kill(path: &Path, seed: u64, life: Duration) -> Result<Vec<Transfer>, Box<dyn Error>> {
    let mut child = Command::new(std::env::current_exe()?)
        .args([WORK.as_ref(), path.as_os_str(), seed.to_string().as_ref()])
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().ok_or("the child has no output")?;
    let listener = thread::spawn(move || listen(output));
    let ended_early = wait_for(&mut child, life)?;
    child.kill()?;
    child.wait()?;
    let heard = listener.join().map_err(|_| "the listener panicked")?;
    match ended_early {
        Some(status) => Err(format!("the child ended by itself: {status}").into()),
        None => Ok(heard),
    }
}

/// Every transfer acknowledged on the pipe.
fn listen(output: ChildStdout) -> Vec<Transfer> {
    BufReader::new(output).lines().map_while(Result::ok).filter_map(|line| parse_line(&line)).collect()
}

/// Sleeps for `life`, unless the child ends by itself.
fn wait_for(child: &mut Child, life: Duration) -> Result<Option<std::process::ExitStatus>, Box<dyn Error>> {
    let start = Instant::now();
    while let Some(left) = life.checked_sub(start.elapsed()) {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(left.min(Duration::from_millis(1)));
    }
    Ok(None)
}

/// Opens the pool after a kill and compares it with what is known. Adds the one transfer that may have committed without
/// having been acknowledged. Returns the rest of a line of the table.
fn check(path: &PathBuf, known: &mut Vec<Transfer>) -> Result<String, Box<dyn Error>> {
    if !path.exists() {
        if known.is_empty() {
            return Ok("      no pool yet".to_owned());
        }
        return Err("the pool is gone".into());
    }
    let pool = BankPool::options().open(path)?;
    let bank = pool.snapshot();
    bank.audit()?;
    let found: Vec<Transfer> = bank.journal.newest_first().copied().collect();
    let found_count = found.len();
    if found_count < known.len() {
        return Err(format!("{} transfers were acknowledged, {found_count} are there", known.len()).into());
    }
    if found_count > known.len() + 1 {
        return Err(format!("{found_count} transfers are there, {} acknowledged", known.len()).into());
    }
    for (acknowledged, there) in known.iter().zip(found.iter().rev()) {
        if acknowledged != there {
            return Err(format!("acknowledged was {acknowledged:?}, in the journal is {there:?}").into());
        }
    }
    if found_count > known.len() {
        known.extend(found.first());
    }
    let report = pool.check()?;
    if report.unreachable_lines != 0 {
        return Err(format!("{} lines are allocated and unreachable", report.unreachable_lines).into());
    }
    let recovery = pool.recovery();
    Ok(format!(
        "{found_count:7}  {:8}  {:8}  {:11.2}  {:7}",
        recovery.records_replayed,
        recovery.records_rejected,
        recovery.elapsed().as_secs_f64() * 1e3,
        report.nodes
    ))
}
