//! A line of the table, and how its numbers are taken.

use std::fmt;
use std::time::Instant;

/// What was measured of one collection. Times are in ns an element; what a collection does not do is `None`.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub name: &'static str,
    pub bytes: f64,
    pub lines: Option<f64>,
    pub bulk_ns: f64,
    pub insert_ns: Option<f64>,
    pub get_ns: Option<f64>,
    pub iterate_ns: Option<f64>,
}

impl Row {
    pub const HEADER: &'static str =
        "                        bytes/element  lines/insert      bulk    insert       get   iterate";
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>, digits: usize| match value {
            Some(value) => format!("{value:.digits$}"),
            None => "-".to_owned(),
        };
        write!(
            f,
            "{:24}{:>13}{:>14}{:>10}{:>10}{:>10}{:>10}",
            self.name,
            number(Some(self.bytes), 1),
            number(self.lines, 1),
            number(Some(self.bulk_ns), 0),
            number(self.insert_ns, 0),
            number(self.get_ns, 0),
            number(self.iterate_ns, 1),
        )
    }
}

/// How long `work` takes, in ns for each of `count`.
pub fn timed<T>(count: usize, work: impl FnOnce() -> T) -> (f64, T) {
    let started = Instant::now();
    let value = work();
    (started.elapsed().as_nanos() as f64 / count as f64, value)
}

/// Distinct numbers in an order without pattern: the same in every run.
pub fn scattered(index: usize) -> u64 {
    // Multiplication by an odd number is a permutation of the 64-bit numbers, and so is the xor with a shift.
    let mixed = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}
