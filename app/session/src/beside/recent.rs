//! The times of the last steps, for a number that follows what is changed.

use std::time::Duration;

/// Steps whose times count: one second.
const STEPS: usize = 60;

/// A ring of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    /// [ms]
    times: Vec<f32>,
    next: usize,
}

impl Recent {
    pub(super) fn add(&mut self, took: Duration) {
        let ms = took.as_secs_f32() * 1e3;
        if self.times.len() < STEPS {
            self.times.push(ms);
        } else {
            self.times[self.next] = ms;
        }
        self.next = (self.next + 1) % STEPS;
    }

    /// Times of another solver or other values say nothing.
    pub(super) fn clear(&mut self) {
        self.times.clear();
        self.next = 0;
    }

    /// [ms]; 0 without any.
    pub(super) fn median(&self) -> f32 {
        let mut sorted = self.times.clone();
        sorted.sort_by(f32::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}
