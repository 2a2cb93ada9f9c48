//! The MOD paper's table, measured again: this library beside libpmemobj and beside the limit.
//!
//! ```text
//! cargo run --release -p pmem-bench --features pmdk -- mod --ops 200000
//! ```

// What only the peer is made from is compiled without it, too.
#![cfg_attr(not(feature = "pmdk"), allow(dead_code))]

mod bare;
mod contestant;
mod growth;
mod measure;
mod operation;
mod options;
mod ours;
mod peer;
mod report;
mod workload;

use std::error::Error;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use bare::Bare;
use measure::{alone, measure, peer_cost};
use options::{HELP, Options};
use workload::Workload;

/// Asks libpmem to take memory for persistent memory: the peer then writes lines back, as we do, instead of calling the kernel.
const FORCE: &str = "PMEM_IS_PMEM_FORCE";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let options = match (command.as_str(), Options::parse(arguments)) {
        ("mod" | growth::SUBCOMMAND | alone::SUBCOMMAND | peer_cost::SUBCOMMAND, Ok(Some(options))) => {
            options
        }
        (_, Ok(None)) | ("--help" | "-h", _) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        (_, Err(sentence)) => return refuse(&sentence),
        _ => return refuse("the subcommands are `mod`, `growth` and `alone`"),
    };
    let outcome = match (command.as_str(), peer::IS_BUILT && std::env::var_os(FORCE).is_none()) {
        // libpmem reads its environment when it is loaded, which is before `main`.
        (_, true) => Err(run_again()),
        ("mod", _) => run(&options),
        (growth::SUBCOMMAND, _) => growth::run(&options),
        (alone::SUBCOMMAND, _) => chosen(&options).and_then(|all| alone::run(all[0].as_ref(), &options)),
        _ => chosen(&options).and_then(|all| peer_cost::answer(all[0].as_ref(), &options)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pmem-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn refuse(sentence: &str) -> ExitCode {
    eprintln!("pmem-bench: {sentence}. Try --help.");
    ExitCode::from(2)
}

/// Becomes the same program with the variable set. Returns only if that fails.
fn run_again() -> Box<dyn Error> {
    match std::env::current_exe() {
        Ok(program) => Command::new(program).args(std::env::args_os().skip(1)).env(FORCE, "1").exec().into(),
        Err(error) => error.into(),
    }
}

fn chosen(options: &Options) -> Result<Vec<Box<dyn Workload>>, Box<dyn Error>> {
    let mut all = workload::all(options.scale);
    if let Some(only) = &options.only {
        all.retain(|workload| workload.name() == only);
        if all.is_empty() {
            return Err(format!("there is no workload \"{only}\"; --help names them").into());
        }
    }
    Ok(all)
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let bare = Bare::new(&options.folder)?;
    let mut rows = Vec::new();
    for workload in chosen(options)? {
        eprintln!("{}", workload.name());
        rows.extend(measure(workload.as_ref(), options, &bare)?);
    }
    if options.smoke {
        println!("{} phases: every contestant ended with what the plain twin has", rows.len());
        return Ok(());
    }
    if let Some(path) = &options.json {
        std::fs::write(path, report::json(options, &rows))?;
    }
    if let Some(folder) = &options.plot {
        std::fs::create_dir_all(folder)?;
        report::plot::ratios(&folder.join("mod.svg"), &rows)?;
    }
    print!("{}", report::text(options, &rows, bare.section(1)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Options, run};

    /// If this failed, the benchmark would compare programs that do different things.
    #[test]
    fn every_workload_ends_as_its_plain_twin() {
        run(&Options::smoke()).unwrap();
    }
}
