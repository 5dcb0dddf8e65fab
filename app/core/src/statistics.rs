//! Quantiles of frame times, and the largest and least of measured numbers.

use std::collections::BTreeMap;

/// The largest value; NaN if any is NaN, or if there are none: `f64::max` would pass over it, and a limit would hold.
pub fn largest<T: Into<f64>>(values: impl IntoIterator<Item = T>) -> f64 {
    let larger = |a: f64, b: f64| if a > b || a.is_nan() { a } else { b };
    values.into_iter().map(Into::into).reduce(larger).unwrap_or(f64::NAN)
}

/// The least value, as [`largest`].
pub fn least<T: Into<f64>>(values: impl IntoIterator<Item = T>) -> f64 {
    -largest(values.into_iter().map(|value| -value.into()))
}

/// (largest - smallest) / mean size; NaN if any is NaN.
pub fn spread(values: &[f64]) -> f64 {
    let mean = values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64;
    (largest(values.iter().copied()) - least(values.iter().copied())) / mean
}

/// Quantile of sorted values at `share` in 0..=1; NaN for no values. It is Hyndman and Fan's eighth ("Sample Quantiles in
/// Statistical Packages", 1996), which is about unbiased for the median whatever the distribution.
pub fn quantile<T: Copy + Into<f64>>(sorted: &[T], share: f64) -> f64 {
    let n = sorted.len();
    if n == 0 {
        return f64::NAN;
    }
    quantile_of(n as f64, share, |rank| sorted[rank as usize - 1].into())
}

/// The same of `n` values, by their rank in 1..=n.
fn quantile_of(n: f64, share: f64, at: impl Fn(f64) -> f64) -> f64 {
    let h = (n + 1.0 / 3.0) * share + 1.0 / 3.0;
    let below = h.floor();
    let at = |rank: f64| at(rank.max(1.0).min(n));
    let (low, high) = (at(below), at(below + 1.0));
    if h <= below { low } else { low + (h - below) * (high - low) }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub count: usize,
    pub mean: f32,
    pub p50: f32,
    pub p95: f32,
    pub p99: f32,
    pub max: f32,
}

impl Summary {
    /// `None` for no values.
    pub fn of(values: impl IntoIterator<Item = f32>) -> Option<Self> {
        let mut sorted: Vec<f32> = values.into_iter().collect();
        sorted.sort_by(f32::total_cmp);
        let max = *sorted.last()?;
        let sum: f64 = sorted.iter().map(|&value| f64::from(value)).sum();
        Some(Self {
            count: sorted.len(),
            mean: (sum / sorted.len() as f64) as f32,
            p50: quantile(&sorted, 0.50) as f32,
            p95: quantile(&sorted, 0.95) as f32,
            p99: quantile(&sorted, 0.99) as f32,
            max,
        })
    }
}

/// Times of a run however long it is, in bounded memory: each of the first [`Tally::EXACT`] is kept, then they are counted in
/// bins that are a four-thousandth of their value wide. Number, mean and largest stay exact.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    exact: Vec<f32>,
    /// By the upper bits of the number, which are in its order.
    bins: BTreeMap<u32, u64>,
    count: u64,
    sum: f64,
    max: f32,
}

impl Tally {
    /// 18 minutes of 60 frames a second.
    pub const EXACT: usize = 1 << 16;
    /// Bits of a number that a bin does not tell apart.
    const BITS: u32 = 11;

    /// A time, not below 0.
    pub fn push(&mut self, value: f32) {
        let value = value.max(0.0);
        self.count += 1;
        self.sum += f64::from(value);
        self.max = self.max.max(value);
        if self.exact.len() < Self::EXACT && self.bins.is_empty() {
            return self.exact.push(value);
        }
        for value in std::mem::take(&mut self.exact).into_iter().chain([value]) {
            *self.bins.entry(value.to_bits() >> Self::BITS).or_default() += 1;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// `None` for no values.
    pub fn summary(&self) -> Option<Summary> {
        if self.bins.is_empty() {
            return Summary::of(self.exact.iter().copied());
        }
        let ends: Vec<(u64, f32)> = self
            .bins
            .iter()
            .scan(0, |end, (bin, count)| {
                *end += count;
                let middle = f32::from_bits(bin << Self::BITS | 1 << (Self::BITS - 1));
                Some((*end, middle.min(self.max)))
            })
            .collect();
        let at =
            |rank: u64| f64::from(ends[ends.partition_point(|(end, _)| *end < rank).min(ends.len() - 1)].1);
        let q = |share| quantile_of(self.count as f64, share, |rank| at(rank as u64)) as f32;
        let mean = (self.sum / self.count as f64) as f32;
        Some(Summary {
            count: self.count as usize,
            mean,
            p50: q(0.50),
            p95: q(0.95),
            p99: q(0.99),
            max: self.max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_exact_at_first_and_bounded_later() {
        // A fixed sequence between 0.01 and 1000, in no order.
        let value = |i: usize| 10.0_f32.powf((i as f32 * 0.618_034).fract() * 5.0 - 2.0);
        let mut tally = Tally::default();
        assert!(tally.summary().is_none() && tally.is_empty());
        (0..Tally::EXACT).for_each(|i| tally.push(value(i)));
        assert_eq!(tally.summary(), Summary::of((0..Tally::EXACT).map(value)));
        let n = 3 * Tally::EXACT;
        (Tally::EXACT..n).for_each(|i| tally.push(value(i)));
        tally.push(5000.0);
        let exact = Summary::of((0..n).map(value).chain([5000.0])).expect("values");
        let told = tally.summary().expect("values");
        assert_eq!((told.count, told.max, told.mean), (exact.count, exact.max, exact.mean));
        for (told, exact) in [(told.p50, exact.p50), (told.p95, exact.p95), (told.p99, exact.p99)] {
            assert!((told / exact - 1.0).abs() < 2.5e-4, "{told} for {exact}");
        }
        assert!(tally.exact.is_empty() && tally.bins.len() < 80_000, "{} bins", tally.bins.len());
    }

    #[test]
    fn nothing_and_no_number_are_no_largest() {
        assert_eq!((largest([-1.0_f32, 3.0, 2.0]), least([-1.0_f32, 3.0, 2.0])), (3.0, -1.0));
        for values in [vec![], vec![f64::NAN], vec![1.0, f64::NAN], vec![f64::NAN, 1.0]] {
            assert!(largest(values.clone()).is_nan() && least(values.clone()).is_nan(), "{values:?}");
        }
    }
}
