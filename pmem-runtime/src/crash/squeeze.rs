//! Taking the room from a pool, so that it must grow: otherwise small models never make it.

use crate::commit::{Core, Writer};
use crate::heap::{Effort, Line, Stream};

/// What is taken at once.
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
            let streams = [Stream::Leaf, Stream::Inner].into_iter().cycle();
            let mut failed = 0;
            for stream in streams {
                if failed == 2 || core.heap.total_lines() - core.heap.used_lines() <= free_lines {
                    return;
                }
                match core.heap.alloc(&mut writer.streams, stream, TAKEN_LINES, Effort::Normal) {
                    Some(line) => self.taken.push((line, TAKEN_LINES)),
                    None => failed += 1,
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
