//! One pool and the processes that die over it, one after the other.
//!
//! Each life is lived twice: first on a copy of the pool, to the end, to count what happens; then on the pool itself, to a
//! death at an event of the kind that was hit least so far. The judge looks at a copy of what the dead left, so that the next
//! one recovers it, and may die of that too.

use std::fs;
use std::path::{Path, PathBuf};

use pmem_runtime::crash::Random;

use crate::evidence::Evidence;
use crate::heard::Heard;
use crate::shop::{Books, Life, judge};
use crate::victim::Orders;

/// Sections of one life, at most.
const SECTIONS_MAX: u64 = 60;

/// What lies below a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ground<'g> {
    pub(crate) name: &'static str,
    pub(crate) folder: &'g Path,
    pub(crate) force_dax: bool,
}

/// A pool, and what is known of it.
#[derive(Debug)]
pub(crate) struct Herd<'g> {
    ground: Ground<'g>,
    path: PathBuf,
    books: Books,
    /// Sections that the pool holds for sure, once there is a pool.
    known: Option<u64>,
    is_liar: bool,
}

impl<'g> Herd<'g> {
    pub(crate) fn new(ground: Ground<'g>, seed: u64, is_liar: bool) -> Self {
        let path = ground.folder.join("shop.pool");
        Herd { ground, path, books: Books::new(seed), known: None, is_liar }
    }

    /// One life. `Ok(false)` if the victim came through alive.
    ///
    /// # Errors
    /// What is wrong with what it left: a sentence.
    pub(crate) fn kill_one(&mut self, random: &mut Random, evidence: &mut Evidence) -> Result<bool, String> {
        let sections = random.below(SECTIONS_MAX);
        let copy = self.copy("rehearsal")?;
        let squatter = if self.known.is_some() && random.one_in(6) {
            self.copy("squatter")?;
            Some(self.path.with_extension("squatter"))
        } else {
            None
        };
        let life = Life {
            path: &copy,
            seed: self.books.seed,
            sections,
            force_dax: self.ground.force_dax,
            is_liar: self.is_liar,
        };
        let rehearsal = Heard::of(&Orders { life, squatter: squatter.as_deref(), death: None })?;
        fs::remove_file(&copy).map_err(|error| format!("the rehearsal's pool: {error}"))?;
        evidence.places.extend(rehearsal.counts.iter().map(|(place, _)| place.clone()));
        let kills = |(place, _): &&(_, u64)| evidence.kills_at(place);
        let least = rehearsal.counts.iter().map(|each| kills(&each)).min().unwrap_or(0);
        let rarest: Vec<_> = rehearsal.counts.iter().filter(|each| kills(each) == least).collect();
        let (place, count) = *random.pick(&rarest);
        let death = Some((place.clone(), random.below(*count)));
        let orders = Orders { life: Life { path: &self.path, ..life }, squatter: squatter.as_deref(), death };
        let heard = Heard::of(&orders)?;
        self.examine(&heard, evidence).map_err(|wrong| format!("{wrong}. Killed at: {:?}", heard.death))?;
        let Some(place) = heard.death else {
            evidence.escaped += 1;
            return Ok(false);
        };
        *evidence.kills.entry(place).or_default() += 1;
        *evidence.media.entry(self.ground.name).or_default() += 1;
        Ok(true)
    }

    /// Compares what a victim left with what it said.
    fn examine(&mut self, heard: &Heard, evidence: &mut Evidence) -> Result<(), String> {
        if let (Some(opened), Some(known)) = (heard.opened, self.known)
            && opened != known
        {
            return Err(format!("a copy of the pool held {known} sections, the pool itself {opened}"));
        }
        if !self.path.exists() {
            evidence.unborn += 1;
            return match (heard.opened, self.known) {
                (None, None) => Ok(()),
                _ => Err("the pool is gone".to_owned()),
            };
        }
        let said = heard.durable.or(heard.opened).max(self.known).unwrap_or(0);
        let most = heard.returned.or(heard.opened).max(self.known).unwrap_or(0);
        // The one in flight may be there too.
        let allowed = if heard.is_closed { most..=most } else { said..=most + 1 };
        let copy = self.copy("corpse")?;
        let seen = judge(&copy, &mut self.books, allowed.clone())?;
        if seen.done % 4 == 0 {
            judge(&copy, &mut self.books, seen.done..=seen.done).map_err(|wrong| {
                format!("after recovery and a clean close, at the second opening: {wrong}")
            })?;
        }
        fs::remove_file(&copy).map_err(|error| format!("the judge's copy: {error}"))?;
        self.known = Some(seen.done);
        evidence.recovered += u64::from(seen.was_crashed);
        evidence.records_replayed += seen.records_replayed;
        evidence.records_rejected += seen.records_rejected;
        evidence.moved += u64::from(seen.was_moved);
        evidence.ahead += seen.done - allowed.start().min(&seen.done);
        Ok(())
    }

    /// A copy of the pool, if there is one, beside it.
    fn copy(&self, extension: &str) -> Result<PathBuf, String> {
        let copy = self.path.with_extension(extension);
        if self.path.exists() {
            fs::copy(&self.path, &copy).map_err(|error| format!("the pool cannot be copied: {error}"))?;
        }
        Ok(copy)
    }
}
