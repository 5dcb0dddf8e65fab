//! Time of each stage inside a step, from marks that the hot code sets; where somebody asks, also of each thread in it.

use std::time::Duration;

use crate::clock::Instant;

/// Steps for which threads are counted after somebody asked for them.
const ASKED_FOR: u32 = 60;

/// Names and times of the last step's stages; equal names add up. Reused from step to step without allocating.
#[derive(Default)]
pub struct StageClock {
    stages: Vec<Stage>,
    last: Option<Instant>,
    /// Steps for which threads are still counted.
    asked: u32,
    /// What the counters of the threads were at the last mark [ns].
    seen: Vec<u64>,
}

#[derive(Default)]
struct Stage {
    name: String,
    time: Duration,
    /// Of it each thread was at work so long, the one that leads first; empty where that is not counted.
    threads: Vec<Duration>,
}

/// Hue [degrees] and lightness [per cent above the darkest] of what a stage is drawn with: warm and light, so that dark text
/// stands out from it, and the same wherever the name is.
pub fn tone(name: &str) -> [u8; 2] {
    let hash = xxhash_rust::xxh3::xxh3_64(name.as_bytes());
    [10 + (hash % 45) as u8, ((hash >> 8) % 14) as u8]
}

impl StageClock {
    /// Threads are counted in the steps that follow, for a while.
    pub fn ask_threads(&mut self) {
        self.asked = ASKED_FOR;
    }

    /// Whether threads are to be counted in the step that begins.
    pub fn wants_threads(&self) -> bool {
        self.asked > 0
    }

    /// Forgets times, keeps names: a stage that does not run any more reads 0 until [`StageClock::clear`]. `counters` as in
    /// [`StageClock::mark`].
    pub fn start(&mut self, counters: impl Iterator<Item = u64>) {
        self.asked = self.asked.saturating_sub(1);
        self.seen.clear();
        self.seen.extend(counters);
        for stage in &mut self.stages {
            stage.time = Duration::ZERO;
            stage.threads.clear();
            stage.threads.resize(self.seen.len(), Duration::ZERO);
        }
        self.last = Some(Instant::now());
    }

    /// Everything since the last mark was `name`. `counters`, where threads are counted, are ever growing times [ns]: of the
    /// thread that leads how long it waited for the others, of each other how long it was at work.
    pub fn mark(&mut self, name: &str, counters: impl Iterator<Item = u64>) {
        let now = Instant::now();
        let spent = self.last.map_or(Duration::ZERO, |last| now - last);
        self.last = Some(now);
        let known = self.stages.iter().position(|known| known.name == name);
        let place = known.unwrap_or_else(|| {
            let threads = vec![Duration::ZERO; self.seen.len()];
            self.stages.push(Stage { name: name.to_string(), time: Duration::ZERO, threads });
            self.stages.len() - 1
        });
        let stage = &mut self.stages[place];
        stage.time += spent;
        for (thread, (counter, seen)) in counters.zip(&mut self.seen).enumerate() {
            let since = Duration::from_nanos(counter.saturating_sub(std::mem::replace(seen, counter)));
            stage.threads[thread] += if thread == 0 { spent.saturating_sub(since) } else { since };
        }
    }

    /// Forgets the names too; for another solver.
    pub fn clear(&mut self) {
        self.stages.clear();
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, Duration)> + Clone {
        self.stages.iter().map(|stage| (stage.name.as_str(), stage.time))
    }

    /// How long each thread was at work in a stage, the one that leads first; nothing where they were not counted, or where
    /// there is one alone.
    pub fn by_thread(&self) -> impl Iterator<Item = (&str, &[Duration])> {
        self.stages.iter().map(|stage| (stage.name.as_str(), stage.threads.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_others_did_counts_for_the_stage_in_which_they_did_it() {
        let mut clock = StageClock::default();
        clock.start([5, 100].into_iter());
        std::thread::sleep(Duration::from_millis(2));
        clock.mark("solve", [5, 700].into_iter());
        clock.mark("contact", [5, 700].into_iter());
        clock.mark("solve", [5 + 1_000_000_000, 1000].into_iter());
        let found: Vec<(&str, Vec<Duration>)> =
            clock.by_thread().map(|(name, times)| (name, times.to_vec())).collect();
        assert_eq!((found[0].0, found[0].1[1]), ("solve", Duration::from_nanos(900)));
        assert_eq!(found[1].1[1], Duration::ZERO);
        let (_, total) = clock.iter().next().expect("solve");
        // The one that leads worked but for what it waited; longer than the time that there was it did not.
        assert!(found[0].1[0] <= total && found[0].1[0] >= Duration::from_millis(2));
        // Where nobody counts there is nothing, and no memory of what was.
        clock.start(std::iter::empty());
        clock.mark("solve", std::iter::empty());
        assert!(clock.by_thread().all(|(_, times)| times.is_empty()));
        clock.ask_threads();
        assert!((0..ASKED_FOR).all(|_| {
            let asked = clock.wants_threads();
            clock.start(std::iter::empty());
            asked
        }));
        assert!(!clock.wants_threads());
    }
}
