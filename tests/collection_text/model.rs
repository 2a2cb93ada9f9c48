//! The root type of the text tests, a plain model of it, and random operations on both.

use std::fmt::Write as _;

use pmem_runtime::collections::Text;
use pmem_runtime::{Fase, Persistent};

use crate::support::Random;

/// How many other versions a world keeps.
const KEPT: usize = 3;
/// A text that has grown beyond this is cut.
const LEN_MAX: usize = 60_000;

#[derive(Persistent, Debug, Default)]
#[repr(C)]
pub(crate) struct World<'p> {
    pub(crate) text: Text<'p>,
    pub(crate) kept: [Text<'p>; KEPT],
    pub(crate) ticks: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    pub(crate) text: String,
    pub(crate) kept: [String; KEPT],
    pub(crate) ticks: u64,
}

/// Places are fractions of a length, in 2^32ths, rounded down to a character.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Push(char),
    PushStr(String),
    Write(u64, char),
    Insert(u32, char),
    InsertStr(u32, String),
    Remove(u32),
    Pop,
    RemoveRange(u32, u32),
    ReplaceRange(u32, u32, String),
    Truncate(u32),
    SplitOff(u32, usize),
    Append(usize),
    Slice(u32, u32, usize),
    Keep(usize),
    Restore(usize),
    Retain(u32),
    Clear,
}

fn character(random: &mut Random) -> char {
    const SOME: [char; 12] = ['a', 'b', 'e', '\n', ' ', '"', 'é', 'ß', '€', '字', '😀', '\u{301}'];
    SOME[random.below(SOME.len() as u64) as usize]
}

fn string(random: &mut Random) -> String {
    let len = match random.below(8) {
        0 if random.one_in(4) => random.below(9000),
        0 => random.below(1500),
        1 | 2 => random.below(200),
        _ => random.below(12),
    };
    (0..len).map(|_| character(random)).collect()
}

impl Op {
    pub(crate) fn random(random: &mut Random) -> Self {
        let place = |random: &mut Random| match random.below(8) {
            0 => 0,
            1 => u32::MAX,
            _ => random.next() as u32,
        };
        // Mostly short ranges.
        let range = |random: &mut Random| {
            let from = place(random);
            let len = random.next() as u32 >> [1, 4, 8, 12][random.below(4) as usize];
            (from, from.saturating_add(len))
        };
        let kept = random.below(KEPT as u64) as usize;
        match random.below(40) {
            0..=3 => Op::Push(character(random)),
            4..=8 => Op::PushStr(string(random)),
            9 => Op::Write(random.next(), character(random)),
            10..=12 => Op::Insert(place(random), character(random)),
            13..=18 => Op::InsertStr(place(random), string(random)),
            19 | 20 => Op::Remove(place(random)),
            21 => Op::Pop,
            22..=24 => {
                let (from, to) = range(random);
                Op::RemoveRange(from, to)
            }
            25..=27 => {
                let (from, to) = range(random);
                Op::ReplaceRange(from, to, string(random))
            }
            28 if random.one_in(4) => Op::Truncate(place(random)),
            29 => Op::SplitOff(u32::MAX - (random.next() as u32 >> [1, 6][random.below(2) as usize]), kept),
            30..=32 => Op::Append(kept),
            33 | 34 => {
                let (from, to) = range(random);
                Op::Slice(from, to, kept)
            }
            35 | 36 => Op::Keep(kept),
            37 if random.one_in(3) => Op::Restore(kept),
            38 if random.one_in(6) => Op::Retain(random.next() as u32),
            39 if random.one_in(10) => Op::Clear,
            _ => Op::InsertStr(place(random), string(random)),
        }
    }
}

/// The place as an index, at or before which a character begins.
fn at(len: usize, place: u32, is_boundary: impl Fn(usize) -> bool) -> usize {
    let at = (len as u128 * u128::from(place) / u128::from(u32::MAX)) as usize;
    (0..=at).rev().find(|at| is_boundary(*at)).unwrap_or(0)
}

/// Whether a retaining operation keeps this character.
fn keeps(salt: u32, character: char) -> bool {
    !(character as u32 ^ salt).is_multiple_of(3)
}

impl<'f> World<'f> {
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Text<'f>> {
        std::iter::once(&self.text).chain(&self.kept)
    }

    fn at(&self, place: u32) -> usize {
        at(self.text.len(), place, |at| self.text.is_char_boundary(at))
    }

    /// Does what [`Model::apply`] does.
    pub(crate) fn apply(&mut self, tx: &Fase<'f>, op: &Op) {
        self.ticks += 1;
        match op {
            Op::Push(character) => self.text.push(tx, *character),
            Op::PushStr(text) => self.text.push_str(tx, text),
            Op::Write(number, character) => {
                write!(self.text.writer(tx), "{number}{character:?}").expect("a text takes everything");
            }
            Op::Insert(place, character) => self.text.insert(tx, self.at(*place), *character),
            Op::InsertStr(place, text) => self.text.insert_str(tx, self.at(*place), text),
            Op::Remove(place) => {
                let at = self.at(*place);
                if at < self.text.len() {
                    self.text.remove(tx, at);
                }
            }
            Op::Pop => {
                self.text.pop(tx);
            }
            Op::RemoveRange(from, to) => self.text.remove_range(tx, self.at(*from)..self.at(*to)),
            Op::ReplaceRange(from, to, text) => {
                self.text.replace_range(tx, self.at(*from)..self.at(*to), text);
            }
            Op::Truncate(place) => self.text.truncate(tx, self.at(*place)),
            Op::SplitOff(place, kept) => self.kept[*kept] = self.text.split_off(tx, self.at(*place)),
            Op::Append(kept) => {
                let other = self.kept[*kept].share(tx);
                self.text.append(tx, other);
            }
            Op::Slice(from, to, kept) => {
                self.kept[*kept] = self.text.slice(tx, self.at(*from)..self.at(*to));
            }
            Op::Keep(kept) => self.kept[*kept] = self.text.share(tx),
            Op::Restore(kept) => self.text = self.kept[*kept].share(tx),
            Op::Retain(salt) => self.text.retain(tx, |character| keeps(*salt, character)),
            Op::Clear => self.text.clear(tx),
        }
        if self.text.len() > LEN_MAX {
            self.text.truncate(tx, self.at(u32::MAX / 2));
        }
    }
}

impl Model {
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.text).chain(&self.kept)
    }

    fn at(&self, place: u32) -> usize {
        at(self.text.len(), place, |at| self.text.is_char_boundary(at))
    }

    pub(crate) fn apply(&mut self, op: &Op) {
        self.ticks += 1;
        match op {
            Op::Push(character) => self.text.push(*character),
            Op::PushStr(text) => self.text.push_str(text),
            Op::Write(number, character) => self.text.push_str(&format!("{number}{character:?}")),
            Op::Insert(place, character) => self.text.insert(self.at(*place), *character),
            Op::InsertStr(place, text) => self.text.insert_str(self.at(*place), text),
            Op::Remove(place) => {
                let at = self.at(*place);
                if at < self.text.len() {
                    self.text.remove(at);
                }
            }
            Op::Pop => {
                self.text.pop();
            }
            Op::RemoveRange(from, to) => self.text.replace_range(self.at(*from)..self.at(*to), ""),
            Op::ReplaceRange(from, to, text) => self.text.replace_range(self.at(*from)..self.at(*to), text),
            Op::Truncate(place) => self.text.truncate(self.at(*place)),
            Op::SplitOff(place, kept) => self.kept[*kept] = self.text.split_off(self.at(*place)),
            Op::Append(kept) => self.text.push_str(&self.kept[*kept]),
            Op::Slice(from, to, kept) => {
                self.kept[*kept] = self.text[self.at(*from)..self.at(*to)].to_owned();
            }
            Op::Keep(kept) => self.kept[*kept] = self.text.clone(),
            Op::Restore(kept) => self.text = self.kept[*kept].clone(),
            Op::Retain(salt) => self.text.retain(|character| keeps(*salt, character)),
            Op::Clear => self.text.clear(),
        }
        if self.text.len() > LEN_MAX {
            self.text.truncate(self.at(u32::MAX / 2));
        }
    }
}
