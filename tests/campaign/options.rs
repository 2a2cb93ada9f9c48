//! The campaign's command line.

use std::str::FromStr;

use super::layers::Layer;

pub(crate) const HELP: &str = "\
Crashes everything that ships at every event, and judges what is left.

Usage: crash-campaign [OPTIONS]

  --states N    how many crash states to try, about (default 100000)
  --seed S      another seed, other states (default 1)
  --only NAME   one target
  --piece I     one piece of the work, as failures print it; with PMEM_CRASH_REPLAY one state of it
  --mutants     plant every bug that there is, and tell what notices it; with --only, one bug
  --layer NAME  what one layer of --mutants tries, in this process
  --help        show this text

Targets:
";

/// What is asked for.
pub(crate) enum Asked {
    Run(Options),
    /// All mutants, or the one of that name.
    Mutants(Option<String>),
    Layer(Layer),
    Help,
}

pub(crate) struct Options {
    pub(crate) states: u64,
    pub(crate) seed: u64,
    pub(crate) only: Option<String>,
    /// One piece of the work, as a failure names it.
    pub(crate) piece: Option<usize>,
}

impl Options {
    pub(crate) fn wants(&self, target: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == target)
    }
}

/// An error is a sentence without its full stop.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut options = Options { states: 100_000, seed: 1, only: None, piece: None };
    let mut arguments = arguments;
    let mut is_of_mutants = false;
    while let Some(flag) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{flag} needs a value"));
        match flag.as_str() {
            "--states" => options.states = number(&flag, &value()?)?,
            "--seed" => options.seed = number(&flag, &value()?)?,
            "--only" => options.only = Some(value()?),
            "--piece" => options.piece = Some(number(&flag, &value()?)?),
            "--mutants" => is_of_mutants = true,
            "--layer" => {
                let name = value()?;
                let layer = Layer::parse(&name).ok_or_else(|| format!("{name} is not a layer"))?;
                return Ok(Asked::Layer(layer));
            }
            "--help" | "-h" => return Ok(Asked::Help),
            _ => return Err(format!("{flag} is not an option")),
        }
    }
    if is_of_mutants {
        return Ok(Asked::Mutants(options.only));
    }
    if let Some(only) = &options.only
        && !super::TARGETS.iter().any(|target| target.name == only)
    {
        return Err(format!("{only} is not a target"));
    }
    Ok(Asked::Run(options))
}

fn number<N: FromStr>(flag: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{flag} needs a number, not \"{text}\""))
}
