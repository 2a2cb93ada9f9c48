//! Reading a list into the pool: a section for each batch of rows, so that an import goes on where a crash has stopped it.

use std::collections::HashSet;
use std::error::Error;

use pmem_runtime::{Fase, Text, persist_fase};

use super::graph::{Archive, ArchivePool, Id, Version, make_package};
use super::list::{List, Row};

/// What an import did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Rows that an interrupted import had left here before.
    pub resumed_at: usize,
    /// Sections that this import took.
    pub sections: usize,
}

/// Imports the list as the newest version, telling `progress` how many rows are durable. If the newest version is half of this
/// list, it goes on there; if it is half of another list, that half is given up.
pub fn import(
    pool: &ArchivePool,
    list: &List,
    label: &str,
    batch: usize,
    progress: &mut dyn FnMut(usize),
) -> Result<Imported, Box<dyn Error>> {
    let rows = u32::try_from(list.len())?;
    let fingerprint = list.fingerprint();
    persist_fase!(pool, |tx, archive| {
        begin(tx, archive, label, fingerprint, rows);
        Ok(())
    })?;
    let resumed_at = rows_done(pool);
    progress(resumed_at);

    let mut rows = list.rows_from(resumed_at).collect::<Result<Vec<_>, _>>()?.into_iter();
    let mut sections = 1;
    while rows.len() > batch {
        let part: Vec<Row<'_>> = rows.by_ref().take(batch).collect();
        persist_fase!(pool, |tx, archive| {
            insert(tx, archive, &part);
            Ok(())
        })?;
        sections += 1;
        progress(rows_done(pool));
    }
    // What the list does not name is removed together with its last rows: until then the version is not complete.
    let last: Vec<Row<'_>> = rows.collect();
    let names = list.rows_from(0).map(|row| row.map(|row| row.name)).collect::<Result<Vec<_>, _>>()?;
    persist_fase!(pool, |tx, archive| {
        insert(tx, archive, &last);
        remove_others(tx, archive, &names);
        Ok(())
    })?;
    progress(rows_done(pool));
    Ok(Imported { resumed_at, sections: sections + 1 })
}

fn rows_done(pool: &ArchivePool) -> usize {
    pool.snapshot().versions.last().map_or(0, |version| version.rows_done as usize)
}

/// Makes the version that the rows go to: the newest complete one, shared.
fn begin<'p>(tx: &Fase<'p>, archive: &mut Archive<'p>, label: &str, fingerprint: u64, rows: u32) {
    if let Some(last) = archive.versions.last().filter(|last| !last.is_complete()) {
        if last.fingerprint == fingerprint && last.label == *label {
            return;
        }
        archive.versions.pop_back(tx);
    }
    let packages = archive.newest().map(|version| version.packages.share(tx)).unwrap_or_default();
    let label = Text::from_str(tx, label);
    archive.versions.push_back(tx, Version { label, fingerprint, rows, rows_done: 0, packages });
}

/// Inserts packages that the version does not have like this. One that it has is left alone, so that it goes on being shared
/// with older versions.
fn insert<'p>(tx: &Fase<'p>, archive: &mut Archive<'p>, rows: &[Row<'_>]) {
    let Archive { names, versions, .. } = archive;
    let Some(version) = versions.last_mut(tx) else { return };
    for row in rows {
        let (id, package) = make_package(tx, names, row);
        if version.packages.get(&id) != Some(&package) {
            version.packages.insert(tx, id, package);
        }
    }
    version.rows_done += rows.len() as u32;
}

fn remove_others<'p>(tx: &Fase<'p>, archive: &mut Archive<'p>, names: &[&str]) {
    let listed: HashSet<Id> = names.iter().filter_map(|name| archive.names.id(name)).collect();
    let Some(version) = archive.versions.last_mut(tx) else { return };
    version.packages.retain(tx, |id, _| listed.contains(id));
}
