//! How long a program stands still, seen from outside (Linux): its main thread waits for the next frame in each. What computes
//! without end, or ends, does not; a process that starts again waits for this and that before its first word.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

const TICK: Duration = Duration::from_millis(2);

/// From a last sign of life to the next.
pub type Gap = (Instant, Instant);

/// Watches a process until it is asked.
pub struct Stillness {
    asked: Arc<AtomicBool>,
    watch: JoinHandle<Vec<Gap>>,
}

impl Stillness {
    pub fn watch(process: u32) -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let shared = Arc::clone(&asked);
        let watch = thread::spawn(move || {
            let (mut last, mut since, mut gaps) = (waits(process), Instant::now(), Vec::new());
            while !shared.load(Ordering::Relaxed) {
                thread::sleep(TICK);
                let (count, now) = (waits(process), Instant::now());
                if count != last {
                    gaps.push((since, now));
                    (last, since) = (count, now);
                }
            }
            gaps.push((since, Instant::now()));
            gaps
        });
        Self { asked, watch }
    }

    /// All gaps since it watches.
    ///
    /// # Panics
    /// If its thread did.
    pub fn gaps(self) -> Vec<Gap> {
        self.asked.store(true, Ordering::Relaxed);
        self.watch.join().expect("it only reads")
    }
}

/// How often the main thread has waited for something.
fn waits(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?.trim().parse().ok()
}

/// The longest time without a frame: of all gaps, and from what came before a crash to the first word after it; `crashes` are
/// from the one's word to the other's.
pub fn longest(gaps: &[Gap], crashes: &[Gap]) -> Duration {
    let still = gaps.iter().map(|(from, to)| *to - *from);
    let restarts = crashes.iter().map(|(crash, word)| {
        let before = gaps.iter().find(|(from, to)| from <= crash && crash <= to);
        *word - before.map_or(*crash, |(from, _)| *from)
    });
    still.chain(restarts).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_crash_joins_what_stood_still_before_and_after_it() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let gaps = [(at(0), at(16)), (at(16), at(2020)), (at(2020), at(2100))];
        assert_eq!(longest(&gaps, &[]), Duration::from_millis(2004));
        assert_eq!(longest(&gaps, &[(at(2000), at(2300))]), Duration::from_millis(2284));
        assert_eq!(longest(&gaps, &[(at(3000), at(3100))]), Duration::from_millis(2004));
        assert_eq!(longest(&gaps[..1], &[(at(3000), at(3100))]), Duration::from_millis(100));
        assert_eq!(longest(&[], &[]), Duration::ZERO);
    }

    /// Gaps of a shell that does so again and again.
    fn of(what: &str) -> Vec<Gap> {
        let script = format!("while :; do {what}; done");
        let mut child = Command::new("sh").args(["-c", &script]).spawn().expect("a shell");
        thread::sleep(Duration::from_millis(100));
        let stillness = Stillness::watch(child.id());
        thread::sleep(Duration::from_millis(300));
        let gaps = stillness.gaps();
        child.kill().and_then(|()| child.wait()).expect("it runs");
        gaps
    }

    #[test]
    fn what_computes_stands_still_and_what_waits_does_not() {
        let (computes, waits) = (of(":"), of("sleep 0.01"));
        assert!(longest(&computes, &[]) >= Duration::from_millis(250), "{computes:?}");
        assert!(waits.len() > 3, "{waits:?}");
    }
}
