//! Sees memory run out before the system does, which would kill the process without a word.

use std::sync::atomic::Ordering;

use weft_core::{memory, pulse};

/// Growth of this process that says nothing yet [bytes]: a history, another scene.
const GROWTH: usize = 512 << 20;
/// What must stay free [bytes]: hot code may take a few hundred megabytes between two looks.
const LEAST: usize = 768 << 20;

/// How the process has grown under the code that runs.
#[derive(Default)]
pub(super) struct Memory {
    generation: u32,
    /// Resident when that code came, or later if that was less [bytes]; 0: not looked at yet.
    base: usize,
}

impl Memory {
    /// Whether the process has to be started again before the system ends it. A few microseconds, unless it has grown.
    pub(super) fn runs_out(&mut self) -> bool {
        let Some(pages) = memory::resident_pages() else { return false };
        let (resident, generation) = (pages * page(), pulse::GENERATION.load(Ordering::Relaxed));
        if generation != self.generation || self.base == 0 {
            (self.generation, self.base) = (generation, resident);
        }
        self.base = self.base.min(resident);
        let grown = resident - self.base;
        grown > GROWTH && memory::free().is_some_and(|free| scarce(grown, free))
    }
}

fn scarce(grown: usize, free: usize) -> bool {
    grown > GROWTH && free < LEAST
}

#[cfg(unix)]
fn page() -> usize {
    // SAFETY: asks for a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

#[cfg(not(unix))]
fn page() -> usize {
    4096
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_grew_ends_before_a_system_without_memory() {
        const GB: usize = 1 << 30;
        assert!(scarce(GB, GB / 2));
        assert!(!scarce(10 * GB, 2 * GB), "there is enough");
        assert!(!scarce(GB / 4, 0), "others took it");
        let mut memory = Memory::default();
        assert!(!memory.runs_out(), "the first look says nothing");
        if memory::resident_pages().is_some() {
            assert!(memory.base > 0 && memory::free().is_some_and(|free| free > 0));
        }
    }
}
