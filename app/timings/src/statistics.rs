//! Statistics of frame times, as CapFrameX gives them (`FrametimeStatisticProvider.cs`), so that numbers compare.
//!
//! "1 % low" has three meanings that differ by a factor of 25 on the same frames: each is
//! named for what it is, none is called just that.

use std::collections::VecDeque;

pub use weft_core::statistics::quantile;

/// A frame is a stutter if it takes this many times as long as the frames around it usually do (CapFrameX: 2.5 times the mean
/// of the whole run, in which a run that speeds up half-way stutters all through its first half).
pub const STUTTER: f64 = 2.5;
/// Frames before and after a frame whose median, with its own, is what is usual there; fewer at both ends.
pub const AROUND: usize = 25;

/// Sorted copy without what is no number.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}

pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    quantile(&sorted(values), 0.5)
}

/// CapFrameX's row of numbers, of any quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    pub count: usize,
    pub max: f64,
    pub p99: f64,
    pub p95: f64,
    pub mean: f64,
    pub median: f64,
    pub p5: f64,
    pub p1: f64,
    pub p0_2: f64,
    pub min: f64,
}

impl Row {
    /// `None` without a finite value.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let sorted = sorted(values);
        let q = |share| quantile(&sorted, share);
        Some(Self {
            count: sorted.len(),
            max: *sorted.last()?,
            p99: q(0.99),
            p95: q(0.95),
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            median: q(0.5),
            p5: q(0.05),
            p1: q(0.01),
            p0_2: q(0.002),
            min: sorted[0],
        })
    }

    /// The numbers by name, in the order of the fields.
    pub fn list(&self) -> [(&'static str, f64); 9] {
        [
            ("max", self.max),
            ("p99", self.p99),
            ("p95", self.p95),
            ("mean", self.mean),
            ("median", self.median),
            ("p5", self.p5),
            ("p1", self.p1),
            ("p0.2", self.p0_2),
            ("min", self.min),
        ]
    }
}

/// The three meanings of "x % low" [1/s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Low {
    /// The slowest frames that fill x % of the time: the rate of the fastest of them (MSI Afterburner, CapFrameX).
    pub time_integral: f64,
    /// The rate of the mean of the slowest x % of the frames, at least one.
    pub mean_of_slowest: f64,
    /// The rate at the quantile 1 - x of the frame times.
    pub percentile: f64,
}

impl Low {
    /// `sorted`: frame times [ms], ascending, none of them 0; `share`: 0.01 for "1 % low".
    pub fn of(sorted: &[f64], share: f64) -> Self {
        let total: f64 = sorted.iter().sum();
        let mut filled = 0.0;
        let slow = sorted.iter().rev().find(|ms| {
            filled += **ms;
            filled >= total * share
        });
        let worst = (sorted.len() as f64 * share).ceil().max(1.0) as usize;
        let worst = &sorted[sorted.len().saturating_sub(worst)..];
        Self {
            time_integral: 1e3 / slow.copied().unwrap_or(f64::NAN),
            mean_of_slowest: 1e3 * worst.len() as f64 / worst.iter().sum::<f64>(),
            percentile: 1e3 / quantile(sorted, 1.0 - share),
        }
    }
}

/// What is said of the frames of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Time from frame to frame [ms].
    pub ms: Row,
    /// Frames a second, of each frame; the mean is frames by time.
    pub fps: Row,
    /// The "1 % low" [1/s].
    pub low: Low,
    /// Sum of all frames [ms].
    pub total_ms: f64,
    /// Of that in frames that took more than [`STUTTER`] times the median of the frames around.
    pub stutter_ms: f64,
    /// Of that in frames below [`Summary::below_fps`].
    pub below_ms: f64,
    pub below_fps: f64,
    /// Frames without a time, or one of 0 or less, as after a clock that was set back: they count nowhere.
    pub dropped: usize,
}

impl Summary {
    /// Of frame times [ms] in their order; `None` if none is above 0.
    pub fn of(frames: &[f64], below_fps: f64) -> Option<Self> {
        let good: Vec<f64> = frames.iter().copied().filter(|ms| ms.is_finite() && *ms > 0.0).collect();
        let sorted = sorted(good.iter().copied());
        let (ms, mut fps) = (Row::of(good.iter().copied())?, Row::of(good.iter().map(|ms| 1e3 / ms))?);
        let total_ms: f64 = good.iter().sum();
        fps.mean = 1e3 * good.len() as f64 / total_ms;
        let usual = running_median(&good, AROUND);
        let late = good.iter().zip(&usual).filter(|(ms, usual)| **ms > STUTTER * **usual);
        Some(Self {
            ms,
            fps,
            low: Low::of(&sorted, 0.01),
            total_ms,
            stutter_ms: late.map(|(ms, _)| ms).fold(0.0, |sum, ms| sum + ms),
            below_ms: good.iter().filter(|ms| 1e3 / **ms < below_fps).fold(0.0, |sum, ms| sum + ms),
            below_fps,
            dropped: frames.len() - good.len(),
        })
    }
}

/// Median of each value and up to `around` on both sides of it.
pub fn running_median(values: &[f64], around: usize) -> Vec<f64> {
    // The window, sorted, and the same in its order, to know what leaves it.
    let (mut window, mut order): (Vec<f64>, VecDeque<f64>) = (Vec::new(), VecDeque::new());
    let place = |window: &[f64], value: f64| window.partition_point(|known| *known < value);
    let mut next = 0;
    let middle = |i: usize| {
        while next < values.len() && next <= i + around {
            window.insert(place(&window, values[next]), values[next]);
            order.push_back(values[next]);
            next += 1;
        }
        if i > around
            && let Some(old) = order.pop_front()
        {
            window.remove(place(&window, old));
        }
        quantile(&window, 0.5)
    };
    (0..values.len()).map(middle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_median_is_that_of_the_window() {
        let values: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 13)).collect();
        for around in [0, 1, 5, 60] {
            let window = |i: usize| &values[i.saturating_sub(around)..(i + around + 1).min(values.len())];
            let plain: Vec<f64> = (0..values.len()).map(|i| median(window(i).iter().copied())).collect();
            assert_eq!(running_median(&values, around), plain, "{around}");
        }
    }

    #[test]
    fn quantiles_of_little() {
        assert!(quantile::<f64>(&[], 0.5).is_nan());
        assert_eq!([0.0, 0.5, 1.0].map(|share| quantile(&[3.0], share)), [3.0; 3]);
        assert_eq!([0.0, 0.5, 1.0].map(|share| quantile(&[1.0, 2.0], share)), [1.0, 1.5, 2.0]);
    }
}
