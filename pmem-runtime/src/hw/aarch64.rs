//! Cache-line write-back on AArch64.
//!
//! Source: Arm Architecture Reference Manual for A-profile, `DC CVAP` (FEAT_DPB, clean to the point of persistence),
//! `DC CIVAC`, `DSB`. Which one there is, is told by the kernel: HWCAP_DCPOP.

use std::arch::asm;

use super::LINE_BYTES;

/// The best instruction that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteBack {
    /// Cleans the line to the point of persistence.
    DcCvap,
    /// Cleans and invalidates the line to the point of coherency; persistent only if that is the point of persistence.
    DcCivac,
}

impl WriteBack {
    /// Asks the kernel.
    pub(super) fn detect() -> Self {
        const HWCAP_DCPOP: usize = 1 << 16;
        let (features, _) = rustix::param::linux_hwcap();
        if features & HWCAP_DCPOP != 0 { WriteBack::DcCvap } else { WriteBack::DcCivac }
    }

    /// The instruction's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            WriteBack::DcCvap => "dc cvap",
            WriteBack::DcCivac => "dc civac",
        }
    }

    /// Starts one line on its way.
    ///
    /// # Safety
    /// `line` is mapped, and the processor has the instruction ([`WriteBack::detect`]).
    pub(super) unsafe fn line(self, line: *const u8) {
        debug_assert!(line.addr().is_multiple_of(LINE_BYTES), "write-back works on whole lines");
        // The asm blocks clobber memory as far as the compiler knows, so that no store sinks below its write-back. Cache
        // maintenance by address is ordered behind older stores to the same line.
        match self {
            // SAFETY: the caller's promise. `sys #3, c7, c12, #1` is DC CVAP, which assemblers know only with FEAT_DPB.
            WriteBack::DcCvap => unsafe {
                asm!("sys #3, c7, c12, #1, {}", in(reg) line, options(nostack, preserves_flags));
            },
            // SAFETY: the caller's promise.
            WriteBack::DcCivac => unsafe {
                asm!("dc civac, {}", in(reg) line, options(nostack, preserves_flags));
            },
        }
    }

    /// Waits until the lines that this thread started are clean.
    pub(super) fn drain() {
        // DSB: completes this thread's cache maintenance before anything that follows; pairs with `line`. Full system,
        // since persistent memory need not be in the inner shareable domain.
        // SAFETY: a barrier has no operands.
        unsafe { asm!("dsb sy", options(nostack, preserves_flags)) };
    }
}
