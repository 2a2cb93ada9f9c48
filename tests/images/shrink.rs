//! A failing image with as few changed bytes as can be found.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::image::Image;
use super::shares::harm_of;

/// Images tried while shrinking one.
const TRIES: usize = 150;

/// No further one is tried after this: those that hang take long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Gives bytes back to the original, in halves and smaller parts, as long as the image does harm; writes what is left to `file`. Says
/// how many bytes are changed.
pub(crate) fn shrink(target: usize, image: &Image, file: &Path, folder: &Path) -> usize {
    let common = image.bytes.len().min(image.original.len());
    let mut changed: Vec<usize> = (0..common).filter(|at| image.bytes[*at] != image.original[*at]).collect();
    let trial: PathBuf = folder.join("trial.pool");
    let make = |kept: &[usize]| {
        let mut bytes = image.bytes.clone();
        bytes[..common].copy_from_slice(&image.original[..common]);
        kept.iter().for_each(|at| bytes[*at] = image.bytes[*at]);
        bytes
    };
    let mut part = changed.len().div_ceil(2);
    let (mut tries, started) = (0, Instant::now());
    while part > 0 && tries < TRIES && started.elapsed() < PATIENCE {
        let mut start = 0;
        while start < changed.len() && tries < TRIES && started.elapsed() < PATIENCE {
            let mut kept = changed.clone();
            kept.drain(start..(start + part).min(kept.len()));
            fs::remove_file(&trial).ok();
            fs::write(&trial, make(&kept)).expect("images can be written");
            tries += 1;
            match harm_of(target, &trial, image.manner, folder) {
                Some(_) => changed = kept,
                None => start += part,
            }
        }
        part /= 2;
    }
    fs::write(file, make(&changed)).expect("the folder for failures can be written");
    changed.len()
}
