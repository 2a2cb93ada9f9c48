//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use super::targets::TARGETS;

pub(crate) const HELP: &str = "\
Damages pools in every way that a disk or an enemy may, and opens, checks, reads, changes and reopens what is left.

Usage: hostile-images [OPTIONS]

  --images N    how many files to try, about (default 100000)
  --seed S      other files (default 1)
  --only NAME   one target
  --out FOLDER  where files are kept that did harm (default target/hostile-images)
  --help        show this text

To try one file again, as failures print it:

  --only NAME --file PATH --manner M

Targets:
";

/// What is asked for.
pub(crate) enum Asked {
    Campaign(Campaign),
    /// One file, once more.
    File {
        target: usize,
        path: PathBuf,
        manner: u64,
    },
    /// A share of the files, tried by a process that may die: of one target, from the first to before the last.
    Share {
        target: usize,
        seed: u64,
        first: u64,
        end: u64,
        folder: PathBuf,
    },
    Help,
}

pub(crate) struct Campaign {
    pub(crate) images: u64,
    pub(crate) seed: u64,
    pub(crate) only: Option<usize>,
    pub(crate) out: PathBuf,
}

/// An error is a sentence without its full stop.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut campaign =
        Campaign { images: 100_000, seed: 1, only: None, out: PathBuf::from("target/hostile-images") };
    let (mut file, mut manner, mut share) = (None, 0, None);
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let (flag, mut given) = match argument.split_once('=') {
            Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        let mut value =
            || given.take().or_else(|| arguments.next()).ok_or_else(|| format!("{flag} needs a value"));
        match flag.as_str() {
            "--images" => campaign.images = number(&flag, &value()?)?,
            "--seed" => campaign.seed = number(&flag, &value()?)?,
            "--only" => campaign.only = Some(target(&value()?)?),
            "--out" => campaign.out = value()?.into(),
            "--file" => file = Some(PathBuf::from(value()?)),
            "--manner" => manner = number(&flag, &value()?)?,
            "--share" => {
                let text = value()?;
                let mut parts = text.splitn(3, ',');
                let mut part = || parts.next().ok_or_else(|| format!("{flag} needs three values"));
                let first = number(&flag, part()?)?;
                share = Some((first, number(&flag, part()?)?, PathBuf::from(part()?)));
            }
            "--help" | "-h" => return Ok(Asked::Help),
            _ => return Err(format!("{flag} is not an option")),
        }
    }
    match (campaign.only, file, share) {
        (Some(target), Some(path), None) => Ok(Asked::File { target, path, manner }),
        (Some(target), None, Some((first, end, folder))) => {
            Ok(Asked::Share { target, seed: campaign.seed, first, end, folder })
        }
        (_, None, None) => Ok(Asked::Campaign(campaign)),
        _ => Err("--file and --share need --only, and exclude each other".to_owned()),
    }
}

fn target(name: &str) -> Result<usize, String> {
    TARGETS.iter().position(|target| target.name == name).ok_or_else(|| format!("{name} is not a target"))
}

fn number<N: FromStr>(flag: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{flag} needs a number, not \"{text}\""))
}
