//! Taking the room from a pool, so that it must grow: otherwise small models never make it.

use crate::commit::{Core, Writer};
use crate::heap::{Effort, Line, Stream};

/// How many lines are taken at once, while there are so many side by side.
const TAKEN_LINES: u32 = 8;
/// Growths of one run: each makes all later images longer.
const GROWTHS_MAX: u64 = 2;

/// Lines taken from a heap: in its books, which are in memory alone; nothing of it is on the medium.
#[derive(Default)]
pub(super) struct Squeeze {
    taken: Vec<(Line, u32)>,
}

impl Squeeze {
    /// Takes lines until so many are free, unless the pool has grown often already. They are taken where the writer would take
    /// them, for it has the blocks.
    pub(super) fn leave(&mut self, core: &Core, free_lines: u64) {
        if core.tally.read().growths >= GROWTHS_MAX {
            return self.end(core);
        }
        let take = |writer: &mut Writer| {
            // Where some are to be left, they are to be where the writer goes on.
            let last = if free_lines == 0 { Effort::Desperate } else { Effort::Normal };
            for (lines, effort) in [(TAKEN_LINES, Effort::Normal), (1, last)] {
                // By turns, so that both streams have a share of what is left.
                let mut failed = 0;
                for stream in [Stream::Leaf, Stream::Inner].into_iter().cycle() {
                    let free = core.heap.total_lines() - core.heap.used_lines();
                    if failed == 2 || free <= free_lines {
                        break;
                    }
                    match core.heap.alloc(&mut writer.streams, stream, lines, effort) {
                        Some(line) => self.taken.push((line, lines)),
                        None => failed += 1,
                    }
                }
            }
        };
        // A pool whose runtime has panicked has no writer, and fails by itself.
        let _ = core.with_writer(take);
    }

    /// Gives them all back.
    pub(super) fn end(&mut self, core: &Core) {
        self.taken.drain(..).for_each(|(line, lines)| core.heap.free(line, lines));
    }
}
