//! The package graph of a Linux distribution in a pool: imported in batches that survive any crash, asked in place.
//!
//! ```text
//! cargo run --release --example depgraph                      # a demonstration on the data beside this file
//! cargo run --release --example depgraph -- --help
//! ```

#[path = "depgraph/demo.rs"]
mod demo;
#[path = "depgraph/graph.rs"]
mod graph;
#[path = "depgraph/import.rs"]
mod import;
#[path = "depgraph/list.rs"]
mod list;
#[path = "depgraph/questions.rs"]
mod questions;
#[path = "depgraph/report.rs"]
mod report;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use graph::ArchivePool;

const HELP: &str = "\
Keeps the package graph of a Linux distribution in a pool.

Usage: depgraph [--pool FILE] [--batch N] COMMAND
       depgraph                      shows all of it on the data in examples/data, in a pool in the temporary folder

  import LIST [LABEL]   reads a list of packages as the newest version; goes on where an interrupted import stopped
  query NAME            what the newest version says of a package
  why A B               the shortest way from A to B along dependencies
  closure NAME          all that a package needs
  top [N]               the packages that most others depend on
  diff OLD NEW          what changed between two versions, by label
  stats                 what the pool holds

  --pool FILE           the pool (default: depgraph.pool); made by import if it is not there
  --batch N             rows that import commits at once (default: 500)
";

/// A command line, understood.
struct Call {
    pool: PathBuf,
    batch: usize,
    /// The command and its arguments.
    words: Vec<String>,
}

fn main() -> ExitCode {
    let call = match parse(std::env::args().skip(1)) {
        Ok(Some(call)) => call,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(sentence) => {
            eprintln!("depgraph: {sentence}. Try --help.");
            return ExitCode::from(2);
        }
    };
    match run(&call) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("depgraph: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `None` if only the help is wanted; an error is a sentence without its full stop.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Call>, String> {
    let mut call = Call { pool: "depgraph.pool".into(), batch: 500, words: Vec::new() };
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--pool" => call.pool = value()?.into(),
            "--batch" => {
                let text = value()?;
                let batch = text.parse().ok().filter(|batch| *batch > 0);
                call.batch =
                    batch.ok_or_else(|| format!("--batch needs a number above 0, not \"{text}\""))?;
            }
            "--help" | "-h" => return Ok(None),
            _ if word.starts_with("--") => return Err(format!("{word} is not an option")),
            _ => call.words.push(word),
        }
    }
    Ok(Some(call))
}

fn run(call: &Call) -> Result<(), Box<dyn Error>> {
    let words: Vec<&str> = call.words.iter().map(String::as_str).collect();
    let open = || ArchivePool::options().open(&call.pool);
    match words[..] {
        [] => demo::run(call.batch),
        ["import", list] => report::import(&call.pool, list.as_ref(), list, call.batch),
        ["import", list, label] => report::import(&call.pool, list.as_ref(), label, call.batch),
        ["query", name] => report::query(&open()?, name),
        ["why", from, to] => report::why(&open()?, from, to),
        ["closure", name] => report::closure(&open()?, name),
        ["top"] => report::top(&open()?, 10),
        ["top", count] => {
            report::top(&open()?, count.parse().map_err(|_| format!("top needs a number, not \"{count}\""))?)
        }
        ["diff", old, new] => report::diff(&open()?, old, new),
        ["stats"] => report::stats(&open()?),
        [command, ..] => {
            Err(format!("\"{command}\" is no command, or has other arguments; try --help").into())
        }
    }
}
