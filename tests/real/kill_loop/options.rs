//! The kill loop's command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::single::Single;

pub(crate) const HELP: &str = "\
Kills processes at what they do to a pool, and judges what they leave.

Usage: kill-loop [OPTIONS]

  --kills N       how many to kill, 1 or more (default 1000)
  --seed S        seed of the pools, the work and the deaths (default: from the clock; printed)
  --liar          whoever works says that a section is durable before it has begun: this must fail
  --help          show this text

For whoever takes the power away from outside, one of these instead of --kills, with --seed:

  --live PATH     work on this pool, and say how far it is
  --sections N    so many sections (default 100)
  --judge PATH    recover this pool, and compare all that it holds with what it must be
  --at-least N    so many sections must be there (default 0)
";

/// What is asked for.
pub(crate) enum Asked {
    Run(Options),
    Live(Single),
    Judge(Single),
    Help,
}

pub(crate) struct Options {
    pub(crate) kills: u64,
    pub(crate) seed: u64,
    pub(crate) is_liar: bool,
}

/// An error is a sentence without its full stop.
pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Asked, String> {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let mut options = Options { kills: 1000, seed: clock % 1_000_000, is_liar: false };
    let (mut sections, mut at_least) = (100, 0);
    let (mut to_live, mut to_judge): (Option<PathBuf>, Option<PathBuf>) = (None, None);
    while let Some(flag) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{flag} needs a value"));
        match flag.as_str() {
            "--kills" => options.kills = number(&flag, &value()?)?,
            "--seed" => options.seed = number(&flag, &value()?)?,
            "--sections" => sections = number(&flag, &value()?)?,
            "--at-least" => at_least = number(&flag, &value()?)?,
            "--live" => to_live = Some(value()?.into()),
            "--judge" => to_judge = Some(value()?.into()),
            "--liar" => options.is_liar = true,
            "--help" | "-h" => return Ok(Asked::Help),
            _ => return Err(format!("{flag} is not an option")),
        }
    }
    if options.kills == 0 {
        return Err("--kills must be 1 or more".to_owned());
    }
    let single = |path| Single { path, seed: options.seed, sections, at_least, is_liar: options.is_liar };
    match (to_live, to_judge) {
        (None, None) => Ok(Asked::Run(options)),
        (Some(path), None) => Ok(Asked::Live(single(path))),
        (None, Some(path)) => Ok(Asked::Judge(single(path))),
        (Some(_), Some(_)) => Err("--live and --judge are two commands".to_owned()),
    }
}

fn number<N: FromStr>(flag: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{flag} needs a number, not \"{text}\""))
}
