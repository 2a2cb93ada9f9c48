//! Cache-line write-back on x86-64.
//!
//! Which instruction there is, is asked of the processor once per medium and never of the compiler: one binary runs on
//! old processors and under Valgrind. Sources: Intel SDM volume 2A, CLFLUSH, CLFLUSHOPT, CLWB, SFENCE; CPUID leaf 7.

use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count, _mm_clflush, _mm_sfence};

use super::LINE_BYTES;

/// The best instruction that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteBack {
    /// Writes the line back and may keep it in the cache.
    Clwb,
    /// Writes the line back and drops it, unordered with others.
    Clflushopt,
    /// Writes the line back and drops it, one after the other.
    Clflush,
}

impl WriteBack {
    /// Asks the processor.
    pub(super) fn detect() -> Self {
        const LEAF_EXTENDED_FEATURES: u32 = 7;
        const CLFLUSHOPT: u32 = 1 << 23;
        const CLWB: u32 = 1 << 24;
        if __cpuid(0).eax < LEAF_EXTENDED_FEATURES {
            return WriteBack::Clflush;
        }
        let features = __cpuid_count(LEAF_EXTENDED_FEATURES, 0).ebx;
        if features & CLWB != 0 {
            WriteBack::Clwb
        } else if features & CLFLUSHOPT != 0 {
            WriteBack::Clflushopt
        } else {
            WriteBack::Clflush
        }
    }

    /// The instruction's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            WriteBack::Clwb => "clwb",
            WriteBack::Clflushopt => "clflushopt",
            WriteBack::Clflush => "clflush",
        }
    }

    /// Starts one line on its way.
    ///
    /// # Safety
    /// `line` is mapped, and the processor has the instruction ([`WriteBack::detect`]).
    pub(super) unsafe fn line(self, line: *const u8) {
        debug_assert!(line.addr().is_multiple_of(LINE_BYTES), "write-back works on whole lines");
        // The asm blocks clobber memory as far as the compiler knows, so that no store sinks below its write-back. The
        // processor orders each of the instructions behind older stores to the same line.
        match self {
            // SAFETY: the caller's promise; the instruction reads and writes nothing that the program can see.
            WriteBack::Clwb => unsafe {
                asm!("clwb [{}]", in(reg) line, options(nostack, preserves_flags));
            },
            // SAFETY: as above.
            WriteBack::Clflushopt => unsafe {
                asm!("clflushopt [{}]", in(reg) line, options(nostack, preserves_flags));
            },
            // SAFETY: as above; every x86-64 processor has it.
            WriteBack::Clflush => unsafe { _mm_clflush(line) },
        }
    }

    /// Waits until the lines that this thread started are in the persistence domain.
    pub(super) fn drain() {
        // SFENCE: orders this thread's write-backs and stores before whatever it stores afterwards; pairs with `line`.
        // It is a fence of the compiler too.
        // SAFETY: every x86-64 processor has SSE.
        unsafe { _mm_sfence() };
    }
}

#[cfg(test)]
mod tests {
    use super::WriteBack;

    /// If this failed, stores would be lost, or the program killed, on a processor that lacks the newest instruction.
    #[test]
    fn every_instruction_up_to_the_detected_one_runs_and_keeps_the_bytes() {
        #[repr(align(64))]
        struct Lines([u8; 128]);
        let lines = Lines([7; 128]);
        let usable: &[WriteBack] = match WriteBack::detect() {
            WriteBack::Clwb => &[WriteBack::Clwb, WriteBack::Clflushopt, WriteBack::Clflush],
            WriteBack::Clflushopt => &[WriteBack::Clflushopt, WriteBack::Clflush],
            WriteBack::Clflush => &[WriteBack::Clflush],
        };
        for instruction in usable {
            // SAFETY: the line is alive; a processor with clwb has clflushopt, and all have clflush.
            unsafe { instruction.line(lines.0.as_ptr()) };
            WriteBack::drain();
            assert!(lines.0.iter().all(|byte| *byte == 7), "{} changed memory", instruction.name());
        }
    }
}
