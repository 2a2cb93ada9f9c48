//! Taking the room from a pool, so that it must grow: otherwise small models never make it.

use crate::commit::Core;
use crate::heap::{Effort, Line, Stream, Streams};

/// Lines that are left free: enough for small sections, too little for several.
const FREE_LINES: u64 = 40;
/// What is taken at once, at most.
const TAKEN_LINES: u32 = 16;
/// Growths of one run: each makes all later images longer.
const GROWTHS_MAX: u64 = 2;

/// Lines taken from a heap: in its books, which are in memory alone; nothing of it is on the medium.
#[derive(Default)]
pub(super) struct Squeeze {
    streams: Streams,
    taken: Vec<(Line, u32)>,
}

impl Squeeze {
    /// Takes lines until few are free, unless the pool has grown often already.
    pub(super) fn leave_little(&mut self, core: &Core) {
        if core.tally.read().growths >= GROWTHS_MAX {
            return self.end(core);
        }
        let mut lines = TAKEN_LINES;
        while lines > 0 && core.heap.total_lines() - core.heap.used_lines() > FREE_LINES {
            match core.heap.alloc(&mut self.streams, Stream::Leaf, lines, Effort::Desperate) {
                Some(line) => self.taken.push((line, lines)),
                None => lines /= 2,
            }
        }
        // The blocks are the pool's again, with the lines taken.
        core.heap.release(&mut self.streams);
    }

    /// Gives them all back.
    pub(super) fn end(&mut self, core: &Core) {
        self.taken.drain(..).for_each(|(line, lines)| core.heap.free(line, lines));
    }
}
