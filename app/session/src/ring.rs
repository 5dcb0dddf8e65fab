//! The last frames: what the panel plots and what a recorder writes.

use std::time::Duration;

use weft_core::{clock::Instant, suggest::nearest};

/// Frames kept.
pub const RING: usize = 600;

/// Stages of a frame, in the order they run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Watching files, swapping code, shaders and scenes.
    Live = 0,
    Input = 1,
    Step = 2,
    Readings = 3,
    Draw = 4,
    Ui = 5,
    /// Handing the picture over, and the wait for the next frame: the one before this frame and the hand-over in it.
    Present = 6,
}

pub const STAGES: [(Stage, &str); 7] = [
    (Stage::Live, "live"),
    (Stage::Input, "input"),
    (Stage::Step, "step"),
    (Stage::Readings, "readings"),
    (Stage::Draw, "draw"),
    (Stage::Ui, "ui"),
    (Stage::Present, "present"),
];

/// Whether a run can have a stage of this name: those inside the step and on the GPU have the names that code gives them.
pub fn known_stage(name: &str) -> Result<(), String> {
    let known: Vec<&str> = std::iter::once("frame").chain(STAGES.iter().map(|(_, name)| *name)).collect();
    let inner = ["step.", "gpu."].iter().any(|group| name.len() > group.len() && name.starts_with(group));
    if inner || known.contains(&name) {
        return Ok(());
    }
    let help = nearest(name, known.iter().copied()).map_or_else(
        || format!("there are {}, and those inside such as step.solve", known.join(", ")),
        |near| format!("did you mean {near}?"),
    );
    Err(format!("{name}: there is no such stage; {help}"))
}

/// Times of one frame [ms].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTimes {
    /// Counts every frame drawn or stepped since the start.
    pub index: u64,
    /// End of the frame since the start of the program.
    pub at_ms: f64,
    /// From the end of the last frame to the end of this one.
    pub wall_ms: f32,
    /// By [`Stage`].
    pub stage_ms: [f32; STAGES.len()],
    /// When each stage began first, since the frame did; NaN: not in this frame.
    pub begin_ms: [f32; STAGES.len()],
    /// Steps of the solver in this frame; none while paused.
    pub steps: u32,
}

/// A ring of frame times with a stopwatch for the frame at hand.
pub struct Ring {
    frames: Vec<FrameTimes>,
    next: usize,
    count: u64,
    start: Instant,
    last_end: Instant,
    stage_ms: [f32; STAGES.len()],
    begin_ms: [f32; STAGES.len()],
    steps: u32,
}

impl Default for Ring {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            frames: Vec::with_capacity(RING),
            next: 0,
            count: 0,
            start: now,
            last_end: now,
            stage_ms: [0.0; STAGES.len()],
            begin_ms: [f32::NAN; STAGES.len()],
            steps: 0,
        }
    }
}

impl Ring {
    /// Adds time that ends now to a stage of the frame at hand.
    pub fn add(&mut self, stage: Stage, time: Duration) {
        let begin = &mut self.begin_ms[stage as usize];
        if begin.is_nan() {
            *begin = self.last_end.elapsed().saturating_sub(time).as_secs_f32() * 1e3;
        }
        self.stage_ms[stage as usize] += time.as_secs_f32() * 1e3;
        self.steps += u32::from(stage == Stage::Step);
    }

    /// Runs `work` as part of `stage`.
    pub fn time<R>(&mut self, stage: Stage, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }

    /// Closes the frame at hand and opens the next.
    pub fn close(&mut self) -> FrameTimes {
        let now = Instant::now();
        let frame = FrameTimes {
            index: self.count,
            at_ms: (now - self.start).as_secs_f64() * 1e3,
            wall_ms: (now - self.last_end).as_secs_f32() * 1e3,
            stage_ms: std::mem::take(&mut self.stage_ms),
            begin_ms: std::mem::replace(&mut self.begin_ms, [f32::NAN; STAGES.len()]),
            steps: std::mem::take(&mut self.steps),
        };
        if self.frames.len() < RING {
            self.frames.push(frame);
        } else {
            self.frames[self.next] = frame;
        }
        self.next = (self.next + 1) % RING;
        self.count += 1;
        self.last_end = now;
        frame
    }

    /// Forgets the frames so far: what comes is not to be mixed with them. Numbers and clock go on.
    pub fn begin_again(&mut self) {
        self.frames.clear();
        self.next = 0;
    }

    /// Oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &FrameTimes> {
        let split = if self.frames.len() < RING { 0 } else { self.next };
        self.frames[split..].iter().chain(&self.frames[..split])
    }

    pub fn last(&self) -> Option<&FrameTimes> {
        self.frames.get((self.next + RING - 1) % RING)
    }

    /// Since the start of the program.
    pub fn elapsed_ms(&self, at: Instant) -> f64 {
        at.saturating_duration_since(self.start).as_secs_f64() * 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_begins_where_it_ran_first_and_only_in_its_frame() {
        let mut ring = Ring::default();
        ring.time(Stage::Step, || ());
        ring.add(Stage::Readings, Duration::from_hours(1));
        ring.time(Stage::Step, || ());
        let frame = ring.close();
        let begin = |frame: &FrameTimes, stage: Stage| frame.begin_ms[stage as usize];
        assert!(begin(&frame, Stage::Step) >= 0.0 && begin(&frame, Stage::Step) <= frame.wall_ms);
        assert_eq!(begin(&frame, Stage::Readings), 0.0, "not before the frame");
        assert!(begin(&frame, Stage::Draw).is_nan() && frame.steps == 2);
        let next = ring.close();
        assert!(
            next.steps == 0
                && next.begin_ms.iter().all(|ms| ms.is_nan())
                && next.stage_ms == [0.0; STAGES.len()]
        );
    }
}
