//! Time of each stage inside a step, from marks that the hot code sets.

use std::time::Duration;

use crate::clock::Instant;

/// Names and times of the last step's stages; equal names add up. Reused from step to step without allocating.
#[derive(Default)]
pub struct StageClock {
    stages: Vec<(String, Duration)>,
    last: Option<Instant>,
}

impl StageClock {
    /// Forgets times, keeps names: a stage that does not run any more reads 0 until [`StageClock::clear`].
    pub fn start(&mut self) {
        for (_, time) in &mut self.stages {
            *time = Duration::ZERO;
        }
        self.last = Some(Instant::now());
    }

    /// Everything since the last mark was `name`.
    pub fn mark(&mut self, name: &str) {
        let now = Instant::now();
        let spent = self.last.map_or(Duration::ZERO, |last| now - last);
        self.last = Some(now);
        match self.stages.iter_mut().find(|(known, _)| known == name) {
            Some((_, time)) => *time += spent,
            None => self.stages.push((name.to_string(), spent)),
        }
    }

    /// Forgets the names too; for another solver.
    pub fn clear(&mut self) {
        self.stages.clear();
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.stages.iter().map(|(name, time)| (name.as_str(), *time))
    }
}
