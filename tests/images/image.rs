//! The image of a number: the same for the same target and seed.

use super::bases::Base;
use super::forge::Forge;
use super::mutate::{mutate, seal};
use super::support::Random;
use super::targets::TARGETS;

/// Numbers at which code goes wrong, of one to eight bytes.
const INTERESTING: [u64; 10] = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX];

/// A target's pools, and others to take pieces from.
pub(crate) struct Studio {
    bases: Vec<Base>,
    strangers: Vec<Base>,
    target: usize,
    seed: u64,
}

/// An image, the pool it was made of, and how it is to be opened.
pub(crate) struct Image {
    /// What the pool was in the middle of.
    pub(crate) of: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) original: Vec<u8>,
    pub(crate) manner: u64,
}

impl Studio {
    pub(crate) fn new(target: usize, seed: u64) -> Self {
        let stranger = &TARGETS[(target + 1) % TARGETS.len()];
        Studio { bases: (TARGETS[target].bases)(), strangers: (stranger.bases)(), target, seed }
    }

    pub(crate) fn image(&self, index: u64) -> Image {
        let mut first = Random::new(self.seed ^ (self.target as u64) << 56 ^ index << 16);
        let mut random = Random::new(first.next());
        let base = &self.bases[random.below(self.bases.len() as u64) as usize];
        let others = if random.one_in(4) { &self.strangers } else { &self.bases };
        let other = &others[random.below(others.len() as u64) as usize].forge;
        let mut forge = if random.one_in(3) {
            let mut forge = base.forge.clone();
            (0..=random.below(6)).for_each(|_| scratch(&mut random, &mut forge, base));
            forge
        } else {
            mutate(&mut random, base, other)
        };
        if random.one_in(2) {
            seal(&mut forge);
            if random.one_in(2) {
                base.nodes.iter().for_each(|node| forge.seal_node(node.0));
            }
        }
        Image { of: base.name, bytes: forge.bytes, original: base.forge.bytes.clone(), manner: random.next() }
    }
}

/// Changes bits, bytes, a word or two pages; mostly where something is written.
fn scratch(random: &mut Random, forge: &mut Forge, base: &Base) {
    let len = forge.bytes.len() as u64;
    let node = base.nodes[random.below(base.nodes.len() as u64) as usize];
    let at = match random.below(4) {
        0 => random.below(len),
        1 => random.below(20 << 10),
        _ => node.0 as u64 + random.below(16 + node.1 as u64),
    };
    let at = at.min(len - 8) as usize;
    match random.below(6) {
        0 => forge.bytes[at] ^= 1 << random.below(8),
        1 => forge.bytes[at] = random.next() as u8,
        2 | 3 => {
            let width = 1 << random.below(4);
            let value = INTERESTING[random.below(INTERESTING.len() as u64) as usize];
            forge.put(at, &value.to_le_bytes()[..width]);
        }
        4 => forge.put_word(at & !7, random.next() >> random.below(64)),
        _ => {
            let pages = len / 4096;
            let [left, right] = [random.below(pages), random.below(pages)].map(|page| page as usize * 4096);
            let copy = forge.bytes[left..left + 4096].to_vec();
            forge.bytes.copy_within(right..right + 4096, left);
            forge.put(right, &copy);
        }
    }
}
