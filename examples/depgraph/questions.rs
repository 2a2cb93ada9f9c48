//! What one asks of the graph. All but `why` are plain reads of a snapshot.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::error::Error;

use pmem_runtime::collections::MapChange;
use pmem_runtime::persist_fase;

use super::graph::{Archive, ArchivePool, Id, Package, Version};

/// Packages that a section of `why` looks at.
const SEARCH_BATCH: usize = 256;

/// All that a package needs, itself included, and the installed size of it; names that the version does not have are
/// counted apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Closure {
    pub(crate) ids: HashSet<Id>,
    pub(crate) installed_kib: u64,
    pub(crate) missing: HashSet<Id>,
}

pub(crate) fn closure(version: &Version<'_>, from: Id) -> Closure {
    let mut closure = Closure::default();
    let mut waiting = vec![from];
    while let Some(id) = waiting.pop() {
        let Some(package) = version.packages.get(&id) else {
            closure.missing.insert(id);
            continue;
        };
        if closure.ids.insert(id) {
            closure.installed_kib += u64::from(package.installed_kib);
            waiting.extend(package.depends.iter());
        }
    }
    closure
}

/// How many packages depend on each, most first, then by name.
pub(crate) fn top(archive: &Archive<'_>, version: &Version<'_>) -> Vec<(Id, u32)> {
    let mut counts = vec![0_u32; archive.names.len()];
    for package in version.packages.values() {
        package.depends.iter().for_each(|id| counts[*id as usize] += 1);
    }
    let mut top: Vec<(Id, u32)> = (0..).zip(counts).filter(|(_, count)| *count > 0).collect();
    top.sort_by_cached_key(|(id, count)| (Reverse(*count), archive.names.name(*id).to_string()));
    top
}

/// The packages that depend on this one, ascending by number.
pub(crate) fn dependents(version: &Version<'_>, on: Id) -> Vec<Id> {
    let depends = |package: &Package<'_>| package.depends.iter().any(|id| *id == on);
    let mut found: Vec<Id> =
        version.packages.iter().filter(|(_, package)| depends(package)).map(|(id, _)| *id).collect();
    found.sort_unstable();
    found
}

/// The shortest way from `from` to `to` along dependencies, both included; `None` if there is none.
///
/// The search's queue and what it has reached are in the pool, as in the `bfs` workload of the MOD paper (section 6.1): a section for
/// some hundred packages, so that a search of a large graph would survive a crash.
pub(crate) fn why(pool: &ArchivePool, from: Id, to: Id) -> Result<Option<Vec<Id>>, Box<dyn Error>> {
    persist_fase!(pool, |tx, archive| {
        archive.search = Default::default();
        archive.search.waiting.push_back(tx, from);
        archive.search.reached_from.insert(tx, from, from);
        Ok(())
    })?;
    loop {
        let goes_on = persist_fase!(pool, |tx, archive| {
            for _ in 0..SEARCH_BATCH {
                let Some(id) = archive.search.waiting.pop_front(tx) else { return Ok(false) };
                if id == to {
                    return Ok(false);
                }
                let version = archive.versions.iter().rev().find(|version| version.is_complete());
                let Some(package) = version.and_then(|version| version.packages.get(&id)) else { continue };
                for next in package.depends.iter() {
                    if !archive.search.reached_from.contains_key(next) {
                        archive.search.reached_from.insert(tx, *next, id);
                        archive.search.waiting.push_back(tx, *next);
                    }
                }
            }
            Ok(true)
        })?;
        if !goes_on {
            break;
        }
    }
    Ok(way_back(&pool.snapshot(), from, to))
}

fn way_back(archive: &Archive<'_>, from: Id, to: Id) -> Option<Vec<Id>> {
    let reached_from = &archive.search.reached_from;
    let mut way = vec![to];
    let mut id = to;
    while id != from {
        id = *reached_from.get(&id)?;
        way.push(id);
    }
    way.reverse();
    Some(way)
}

/// How many packages a version gained, lost and changed against an older one. Takes time in proportion to these: what the
/// two share is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) added: Vec<Id>,
    pub(crate) removed: Vec<Id>,
    pub(crate) changed: Vec<Id>,
}

pub(crate) fn changes<'p>(old: &Version<'p>, new: &Version<'p>) -> Changes {
    let mut changes = Changes::default();
    for change in old.packages.diff(&new.packages) {
        match change {
            MapChange::Added { key, .. } => changes.added.push(*key),
            MapChange::Removed { key, .. } => changes.removed.push(*key),
            MapChange::Changed { key, .. } => changes.changed.push(*key),
        }
    }
    for ids in [&mut changes.added, &mut changes.removed, &mut changes.changed] {
        ids.sort_unstable();
    }
    changes
}
