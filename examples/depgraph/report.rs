//! The commands: questions asked, answers printed.

use std::error::Error;
use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pmem_runtime::Snapshot;

use super::graph::{Archive, ArchivePool, Id, Version};
use super::import::import as import_list;
use super::list::List;
use super::questions;

/// Names in a line of output.
const NAMES_SHOWN: usize = 8;

type Outcome = Result<(), Box<dyn Error>>;

/// Reads a list into the pool, making the pool if it is not there. Prints a line for each section if nobody watches.
pub fn import(pool: &Path, path: &Path, label: &str, batch: usize) -> Outcome {
    let list = List::read(path)?;
    let pool = ArchivePool::options().open_or_create(pool)?;
    let started = Instant::now();
    let bar = progress_bar(list.len() as u64);
    let imported = import_list(&pool, &list, label, batch, &mut |rows| match bar.is_hidden() {
        true => println!("{rows} of {} rows are durable", list.len()),
        false => bar.set_position(rows as u64),
    })?;
    bar.finish_and_clear();
    if imported.resumed_at > 0 {
        println!("{label}: went on at row {}, where an import had been interrupted", imported.resumed_at);
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{label}: {} packages in {} sections, {seconds:.2} s", list.len(), imported.sections);
    pool.close()?;
    Ok(())
}

fn progress_bar(rows: u64) -> ProgressBar {
    let target = match stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("importing {wide_bar} {pos}/{len} rows, {eta} left");
    ProgressBar::with_draw_target(Some(rows), target).with_style(style.expect("the template is well formed"))
}

pub fn query(pool: &ArchivePool, name: &str) -> Outcome {
    let archive = pool.snapshot();
    let (version, id) = package_named(&archive, name)?;
    let Some(package) = version.packages.get(&id) else {
        return Err(format!("{name} is named by others, but is not a package of {}", version.label).into());
    };
    let (section, priority) = (package.section.word(), package.priority.word());
    println!("{name} {} ({section}, {priority}), {} KiB installed", package.version, package.installed_kib);
    println!("  depends on {}", listed(&archive, package.depends.iter().copied()));
    println!("  needed by {}", listed(&archive, questions::dependents(version, id)));
    Ok(())
}

pub fn why(pool: &ArchivePool, from: &str, to: &str) -> Outcome {
    let (from_id, to_id) = {
        let archive = pool.snapshot();
        (package_named(&archive, from)?.1, package_named(&archive, to)?.1)
    };
    let way = questions::why(pool, from_id, to_id)?;
    let archive = pool.snapshot();
    match way {
        Some(way) => {
            let names: Vec<String> = way.iter().map(|id| archive.names.name(*id).to_string()).collect();
            println!("{}", names.join(" -> "));
        }
        None => println!("{from} does not need {to}"),
    }
    Ok(())
}

pub fn closure(pool: &ArchivePool, name: &str) -> Outcome {
    let archive = pool.snapshot();
    let (version, id) = package_named(&archive, name)?;
    let closure = questions::closure(version, id);
    let mib = closure.installed_kib / 1024;
    println!("{name} needs {} packages, itself included: {mib} MiB installed", closure.ids.len());
    if !closure.missing.is_empty() {
        println!("  not in the list: {}", listed(&archive, closure.missing));
    }
    Ok(())
}

pub fn top(pool: &ArchivePool, count: usize) -> Outcome {
    let archive = pool.snapshot();
    let version = newest(&archive)?;
    for (id, dependents) in questions::top(&archive, version).into_iter().take(count) {
        println!("{dependents:7}  {}", archive.names.name(id));
    }
    Ok(())
}

pub fn diff(pool: &ArchivePool, old: &str, new: &str) -> Outcome {
    let archive = pool.snapshot();
    let labelled =
        |label: &str| archive.labelled(label).ok_or_else(|| format!("no version is labelled \"{label}\""));
    let changes = questions::changes(labelled(old)?, labelled(new)?);
    for (what, ids) in [("added", changes.added), ("removed", changes.removed), ("changed", changes.changed)]
    {
        println!("{:7} {what}: {}", ids.len(), listed(&archive, ids));
    }
    Ok(())
}

pub fn stats(pool: &ArchivePool) -> Outcome {
    let archive = pool.snapshot();
    for version in &archive.versions {
        let (packages, edges) = (version.packages.len(), version.edges());
        let state = if version.is_complete() { "complete" } else { "interrupted" };
        println!("{}: {packages} packages, {edges} dependencies, {state}", version.label);
    }
    let (live, file) = (pool.live_bytes() >> 10, pool.len_bytes() >> 10);
    println!(
        "{} names; {live} KiB live in a file of {file} KiB on {}",
        archive.names.len(),
        pool.medium_name()
    );
    Ok(())
}

fn newest<'a, 'p>(archive: &'a Archive<'p>) -> Result<&'a Version<'p>, String> {
    archive.newest().ok_or_else(|| "the pool has no complete version; import a list first".to_owned())
}

fn package_named<'s>(
    archive: &'s Snapshot<'_, Archive<'static>>,
    name: &str,
) -> Result<(&'s Version<'static>, Id), String> {
    let version = newest(archive)?;
    let id = archive.names.id(name).ok_or_else(|| format!("no version has a package named \"{name}\""))?;
    Ok((version, id))
}

/// The first names in alphabetical order, and how many more there are.
fn listed(archive: &Archive<'_>, ids: impl IntoIterator<Item = Id>) -> String {
    let mut names: Vec<String> = ids.into_iter().map(|id| archive.names.name(id).to_string()).collect();
    names.sort_unstable();
    let more = names.len().saturating_sub(NAMES_SHOWN);
    names.truncate(NAMES_SHOWN);
    match (names.is_empty(), more) {
        (true, _) => "nothing".to_owned(),
        (false, 0) => names.join(", "),
        (false, more) => format!("{}, and {more} more", names.join(", ")),
    }
}
