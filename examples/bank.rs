//! A bank that survives crashes: random transfers, each a section of its own, and an audit of the result.
//!
//! ```text
//! cargo run --release --example bank -- --transfers 100000
//! ```

mod ledger;

use std::error::Error;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ledger::{BankPool, Random, Refused, choose_transfer, open_accounts};
use pmem_runtime::{Counters, Durability, Survives, persist_fase};

const HELP: &str = "\
Transfers money between random accounts of a bank in a pool, and audits the bank before and after reopening it.

Usage: bank [OPTIONS]

  --transfers N   how many transfers to make (default 10000)
  --accounts N    how many accounts the bank has at least, 2 or more (default 1000)
  --file PATH     the pool; made if it is not there, kept at the end
                  (default: a file in the system's temporary folder, removed at the end)
  --buffered      do not wait for the medium after each transfer, only at the end
  --help          show this text
";
const PROGRESS_EVERY: Duration = Duration::from_millis(500);
/// The same transfers in every run.
const SEED: u64 = 1;

struct Options {
    transfers: u64,
    accounts: u32,
    file: Option<PathBuf>,
    durability: Durability,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(sentence) => {
            eprintln!("bank: {sentence}. Try --help.");
            return ExitCode::from(2);
        }
    };
    let outcome = match &options.file {
        Some(path) => run(&options, path),
        None => {
            let path = std::env::temp_dir().join(format!("bank-{}.pool", std::process::id()));
            let outcome = run(&options, &path);
            // Nobody misses the file if it was never made.
            let _ = std::fs::remove_file(&path);
            outcome
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bank: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `None` if only the help is wanted; an error is a sentence without its full stop.
fn parse(arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options =
        Options { transfers: 10_000, accounts: 1_000, file: None, durability: Durability::Immediate };
    let mut arguments = arguments;
    while let Some(flag) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{flag} needs a value"));
        match flag.as_str() {
            "--transfers" => options.transfers = number(&flag, &value()?)?,
            "--accounts" => options.accounts = number(&flag, &value()?)?,
            "--file" => options.file = Some(path(&flag, value()?)?),
            "--buffered" => options.durability = Durability::Buffered,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("{flag} is not an option")),
        }
    }
    if options.accounts < 2 {
        return Err("--accounts must be 2 or more, since a transfer needs two".to_owned());
    }
    Ok(Some(options))
}

/// Takes an option's name for a forgotten path.
fn path(flag: &str, text: String) -> Result<PathBuf, String> {
    if text.starts_with("--") {
        return Err(format!("{flag} needs a path, not \"{text}\" (./{text} would be one)"));
    }
    Ok(text.into())
}

fn number<N: std::str::FromStr>(flag: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{flag} needs a number in range, not \"{text}\""))
}

fn run(options: &Options, path: &Path) -> Result<(), Box<dyn Error>> {
    let pool = BankPool::options().durability(options.durability).open_or_create(path)?;
    open_accounts(&pool, options.accounts)?;
    pool.sync()?;
    let before = pool.counters();
    let (refused, spent) = transfer_at_random(&pool, options.transfers)?;
    report(&pool, path, before, refused, spent);
    let made = pool.snapshot().journal.len();
    pool.snapshot().audit()?;
    pool.close()?;

    let pool = BankPool::options().open(path)?;
    pool.snapshot().audit()?;
    if pool.snapshot().journal.len() != made {
        return Err(
            format!("{made} transfers before, {} after reopening", pool.snapshot().journal.len()).into()
        );
    }
    println!(
        "audit      the sum is unchanged and all {made} transfers are there, before and after reopening"
    );
    Ok(())
}

/// Returns how many transfers were refused for want of money, and the time for all.
fn transfer_at_random(pool: &BankPool, wanted: u64) -> Result<(u64, Duration), Box<dyn Error>> {
    let accounts = pool.snapshot().accounts.len();
    let mut random = Random::new(SEED);
    let mut refused = 0;
    let shows_progress = stderr().is_terminal();
    let start = Instant::now();
    let mut shown = start;
    for done in 0..wanted {
        let (from, to, cents) = choose_transfer(&mut random, accounts);
        let result = persist_fase!(pool, |tx, bank| { Ok(bank.transfer(tx, from, to, cents)?) });
        match result {
            Ok(_) => {}
            Err(error) if matches!(error.downcast_ref(), Some(Refused::TooPoor { .. })) => refused += 1,
            Err(error) => return Err(error.into()),
        }
        if shows_progress && done % 128 == 0 && shown.elapsed() > PROGRESS_EVERY {
            shown = Instant::now();
            eprint!("\r{done} of {wanted} transfers");
        }
    }
    pool.sync()?;
    if shows_progress {
        eprint!("\r\x1b[K");
    }
    Ok((refused, start.elapsed()))
}

fn report(pool: &BankPool, path: &Path, before: Counters, refused: u64, spent: Duration) {
    let after = pool.counters();
    let fases = after.fases - before.fases;
    let per_fase = |count: u64| count as f64 / fases.max(1) as f64;
    let committed = match pool.default_durability() {
        Durability::Buffered => "a transfer that was synced",
        _ => "a committed transfer",
    };
    let survives = match pool.durability() {
        Survives::PowerLoss => format!("{committed} survives the loss of power"),
        Survives::ProcessDeath => {
            format!("{committed} survives the death of the process, not the loss of power")
        }
        _ => "nothing survives the process".to_owned(),
    };
    println!("pool       {}, {} bytes", path.display(), pool.len_bytes());
    println!("medium     {}: {survives}", pool.medium_name());
    println!("sections   {fases} committed, {refused} refused, in {:.2} s", spent.as_secs_f64());
    println!("speed      {:.0} FASEs/s", fases as f64 / spent.as_secs_f64());
    println!("fences     {:.3} per FASE", per_fase(after.fences - before.fences));
    println!(
        "lines      {:.1} per FASE, {:.1} of them of commit records",
        per_fase(after.lines_written_back - before.lines_written_back),
        per_fase(after.record_lines - before.record_lines)
    );
    println!(
        "upkeep     {} checkpoints, {} background fences, {} nodes retired, {} reclaimed",
        after.checkpoints - before.checkpoints,
        after.background_fences - before.background_fences,
        after.retired - before.retired,
        after.reclaimed - before.reclaimed
    );
}
