//! One life, or one judgement, of a pool on a path: for whoever takes the power away from outside.

use std::io::{Write, stdout};
use std::path::PathBuf;

use crate::shop::{Books, Life, judge, live};

/// Which pool, and what is known of it.
pub(crate) struct Single {
    pub(crate) path: PathBuf,
    pub(crate) seed: u64,
    /// How many sections to run.
    pub(crate) sections: u64,
    /// How many sections must be there.
    pub(crate) at_least: u64,
    pub(crate) is_liar: bool,
}

/// Works on the pool and says on the standard output how far it is.
pub(crate) fn live_once(single: &Single) -> Result<(), String> {
    let Single { path, seed, sections, is_liar, .. } = single;
    let life = Life { path, seed: *seed, sections: *sections, force_dax: false, is_liar: *is_liar };
    live(&life, &mut |word| stdout().write_all(format!("{word}\n").as_bytes()))
}

/// Recovers the pool and says how many sections it holds, if all of them are what they must be.
pub(crate) fn judge_once(single: &Single) -> Result<(), String> {
    let Single { path, seed, at_least, .. } = single;
    if !path.exists() && *at_least == 0 {
        println!("judged: no pool yet");
        return Ok(());
    }
    let seen = judge(path, &mut Books::new(*seed), *at_least..=u64::MAX)?;
    println!(
        "judged: {} sections, at least {at_least} wanted; medium \"{}\", {} records replayed",
        seen.done, seen.medium, seen.records_replayed
    );
    Ok(())
}
