//! What the command line asks for.

use std::path::{Path, PathBuf};

use crate::workload::Scale;

pub(crate) const HELP: &str = "\
Measures the MOD paper's workloads: pools of this library beside libpmemobj (feature `pmdk`) and beside the limit.

Usage: pmem-bench mod [OPTIONS]      the table
       pmem-bench growth [OPTIONS]   curves over sizes, lengths of sections, and live bytes

  --ops N        operations of each phase (default 200000)
  --elements N   elements of each structure before it is measured (default 1000000)
  --only W       one workload: map, set, stack, queue, vector, vec-swap, bfs, vacation, kv, unrelated
  --json FILE    write every number there, too
  --plot FOLDER  draw charts there, as SVG
  --recovery N   of `growth`: live MiB of the largest pool that is opened (default 1024)
  --dir FOLDER   where pools lie (default: /dev/shm, else the folder for temporary files)
  --smoke        small, and checked after each phase; nothing is timed

For a profiler: pmem-bench alone --only W [--phase NAME] [--who CONTESTANT] does a workload's phases, up to that one, with one
contestant: ours (the default), without-write-backs, volatile, peer (by hand where it can). --ops, --elements, --dir as above.

  --help         show this text
";

/// Where emulated persistent memory is, if the machine has it.
const MEMORY: &str = "/dev/shm";
const SCALE: Scale = Scale { elements: 1_000_000, ops: 200_000 };
/// Enough for splits, merges, reuse of lines, and more than one sweep over a tenth of the graph.
const SMOKE_SCALE: Scale = Scale { elements: 3_000, ops: 4_000 };

#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) scale: Scale,
    pub(crate) only: Option<String>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) plot: Option<PathBuf>,
    pub(crate) folder: PathBuf,
    pub(crate) smoke: bool,
    /// Of `growth`.
    pub(crate) recovery_bytes: u64,
    /// Of `alone`: the last phase, and who does it.
    pub(crate) phase: Option<String>,
    pub(crate) contestant: String,
}

impl Options {
    /// As if nothing were asked for.
    pub(crate) fn new() -> Options {
        let memory = Path::new(MEMORY);
        let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        Options {
            scale: SCALE,
            only: None,
            json: None,
            plot: None,
            folder,
            smoke: false,
            recovery_bytes: 1 << 30,
            phase: None,
            contestant: "ours".to_owned(),
        }
    }

    /// Small, and checked.
    pub(crate) fn smoke() -> Options {
        Options { scale: SMOKE_SCALE, smoke: true, ..Options::new() }
    }

    /// `None` if only the help is wanted; an error is a sentence without its full stop.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options = Options::new();
        let mut arguments = arguments;
        while let Some(flag) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{flag} needs a value"));
            match flag.as_str() {
                "--ops" => options.scale.ops = number(&flag, &value()?)?,
                "--elements" => options.scale.elements = number(&flag, &value()?)?,
                "--only" => options.only = Some(value()?),
                "--json" => options.json = Some(value()?.into()),
                "--plot" => options.plot = Some(value()?.into()),
                "--recovery" => options.recovery_bytes = number(&flag, &value()?)? << 20,
                "--dir" => options.folder = value()?.into(),
                "--phase" => options.phase = Some(value()?),
                "--who" => options.contestant = value()?,
                "--smoke" => options = Options { only: options.only, ..Options::smoke() },
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("{flag} is not an option")),
            }
        }
        Ok(Some(options))
    }
}

fn number(flag: &str, text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{flag} needs a number above zero, not \"{text}\"")),
    }
}
