//! The start of a gathered cloth: a sine wave along its columns that keeps the length.
//!
//! The amplitude is found by bisection on the arc length of a polyline; particles are equally spaced
//! along it, so that the cloth starts nearly without strain.

use super::super::{Vec2, rotation};

/// Points of the polyline in one wave.
const PER_FOLD: u32 = 64;

/// Local (x, z) [m] of each column: flat, or a sine wave of the same arc length, equally spaced on it.
pub(super) fn profile(columns: u32, width: f32, gather: f32, folds: u32) -> Vec<Vec2> {
    let last = columns.saturating_sub(1).max(1) as f32;
    let flat = || (0..columns).map(|i| [width * (i as f32 / last - 0.5) * gather, 0.0]).collect();
    if folds == 0 || gather >= 1.0 {
        return flat();
    }
    let span = f64::from(width) * f64::from(gather);
    let samples = folds.saturating_mul(PER_FOLD);
    let wave = |amplitude: f64, i: u32| {
        let phase = f64::from(i % PER_FOLD) / f64::from(PER_FOLD) * 360.0;
        [span * (f64::from(i) / f64::from(samples) - 0.5), amplitude * rotation::sin_cos_wide(phase).0]
    };
    let gap = |a: [f64; 2], b: [f64; 2]| ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt();
    let fold_length = |amplitude: f64| -> f64 {
        (0..PER_FOLD).map(|i| gap(wave(amplitude, i), wave(amplitude, i + 1))).sum()
    };
    let wanted = f64::from(width) / f64::from(folds);
    let (mut low, mut high) = (0.0, wanted);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if fold_length(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut points = Vec::with_capacity(columns as usize);
    let (mut i, mut walked) = (0, 0.0);
    for column in 0..columns {
        let target = f64::from(width) * f64::from(column) / f64::from(last);
        let mut step = gap(wave(low, i), wave(low, i + 1));
        while walked + step < target && i + 1 < samples {
            walked += step;
            i += 1;
            step = gap(wave(low, i), wave(low, i + 1));
        }
        let (a, b) = (wave(low, i), wave(low, i + 1));
        let share = ((target - walked) / step).clamp(0.0, 1.0);
        points.push([0, 1].map(|axis| (a[axis] + (b[axis] - a[axis]) * share) as f32));
    }
    points
}
