//! The register of a thread that says how numbers are rounded. Threads of the pool live on: with denormals flushed to zero
//! they would compute other bits than before, for good code as well.

use std::{
    arch::asm,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

static CHANGED: AtomicBool = AtomicBool::new(false);

/// Whether hot code has changed it since the last call; it was put back.
pub(super) fn changed() -> bool {
    CHANGED.swap(false, Relaxed)
}

/// The present value, which is put back when this is dropped.
pub(crate) struct Kept(u64);

impl Kept {
    pub(crate) fn new() -> Self {
        Self(read())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if read() != self.0 {
            write(self.0);
            CHANGED.store(true, Relaxed);
        }
    }
}

/// Without the flags of what has happened.
#[cfg(target_arch = "x86_64")]
fn read() -> u64 {
    let mut value = 0_u32;
    // SAFETY: stores 4 bytes there.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
    u64::from(value & !0x3f)
}

#[cfg(target_arch = "x86_64")]
fn write(value: u64) {
    let value = value as u32;
    // SAFETY: a value that was read from the same register.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "aarch64")]
fn read() -> u64 {
    let value: u64;
    // SAFETY: reads a register of this thread.
    unsafe { asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

#[cfg(target_arch = "aarch64")]
fn write(value: u64) {
    // SAFETY: a value that was read from the same register.
    unsafe { asm!("msr fpcr, {}", in(reg) value, options(nomem, nostack, preserves_flags)) };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> u64 {
    0
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn write(_: u64) {}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_changes_is_put_back_and_told() {
        changed();
        let before = read();
        drop(Kept::new());
        assert!(!changed());
        {
            let _kept = Kept::new();
            // Denormals to zero.
            write(before | 0x8040);
        }
        assert_eq!(read(), before);
        assert!(changed() && !changed());
    }
}
