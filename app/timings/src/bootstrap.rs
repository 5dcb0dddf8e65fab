//! Intervals of quantiles of frames by the moving-block bootstrap (Künsch, "The jackknife and the bootstrap for general
//! stationary observations", Annals of Statistics 17, 1989). Frames follow each other: drawing them one by one, as if they did
//! not, gives intervals several times too narrow. Blocks of neighbours keep what holds neighbours together.
//!
//! It says how well the frames of *this run* pin a number. What another run of the same program gives is not in it: that
//! takes more runs, see [`crate::compare`].

use crate::statistics::{quantile, sorted};

/// Resamples: the 2.5th and 97.5th percentile of them move by some 2 % of the interval.
pub const RESAMPLES: usize = 1000;
/// Where the random numbers start: the same recording always gives the same interval.
pub const SEED: u64 = 0x5EED;

/// Correlation is looked for up to this many frames apart: half a minute at 60 a second.
const LONGEST_LAG: usize = 1800;

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// Frames a block: the cube root of their number, which is the rate that is best for intervals (Hall, Horowitz, Jing 1995),
/// or twice the lag at which they no longer correlate (|ρ| < 2/√n) if that is more; at most a quarter of all.
pub fn block(values: &[f64]) -> usize {
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n.max(1) as f64;
    let product =
        |lag: usize| -> f64 { values.iter().zip(&values[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    let (all, most) = (product(0), (n / 4).max(1));
    let apart = |lag: &usize| product(*lag).abs() <= 2.0 / (n as f64).sqrt() * all;
    let lag = (1..most.min(LONGEST_LAG)).find(apart).unwrap_or(most.min(LONGEST_LAG));
    ((n as f64).cbrt().ceil() as usize).max(2 * lag.saturating_sub(1)).clamp(1, most)
}

/// The quantile at each share, of each resample; a share's resamples are sorted. Values that are no numbers are left out.
pub fn resample(values: &[f64], shares: &[f64], random: &mut Random) -> Vec<Vec<f64>> {
    let values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let (n, block) = (values.len(), block(&values));
    if n == 0 {
        return vec![Vec::new(); shares.len()];
    }
    // Counting ranks is sorting, without comparing.
    let sorted = sorted(values.iter().copied());
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut rank = vec![0; n];
    order.iter().enumerate().for_each(|(place, index)| rank[*index] = place);
    let (mut counts, mut drawn) = (vec![0_u32; n], Vec::with_capacity(n));
    let mut all = vec![Vec::with_capacity(RESAMPLES); shares.len()];
    for _ in 0..RESAMPLES {
        counts.fill(0);
        let mut left = n;
        while left > 0 {
            let (start, length) = (random.below(n - block + 1), block.min(left));
            rank[start..start + length].iter().for_each(|rank| counts[*rank] += 1);
            left -= length;
        }
        drawn.clear();
        for (value, count) in sorted.iter().zip(&counts) {
            drawn.extend(std::iter::repeat_n(*value, *count as usize));
        }
        shares.iter().zip(&mut all).for_each(|(share, all)| all.push(quantile(&drawn, *share)));
    }
    all.iter_mut().for_each(|all| all.sort_unstable_by(f64::total_cmp));
    all
}

/// 95 % interval of the quantile at each share.
pub fn intervals(values: &[f64], shares: &[f64]) -> Vec<[f64; 2]> {
    let all = resample(values, shares, &mut Random(SEED));
    all.iter().map(|all| [quantile(all, 0.025), quantile(all, 0.975)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_with_what_holds_frames_together() {
        let mut random = Random(1);
        let free: Vec<f64> = (0..1000).map(|_| random.unit()).collect();
        let waves: Vec<f64> = (0..1000).map(|i| (f64::from(i) / 20.0).sin()).collect();
        assert!((10..=20).contains(&block(&free)), "{}", block(&free));
        assert!(block(&waves) > 40, "{}", block(&waves));
        assert_eq!([&[][..], &[1.0], &[1.0, 2.0, 3.0, 4.0]].map(block), [1; 3]);
    }

    #[test]
    fn the_same_frames_give_the_same_interval() {
        let frames: Vec<f64> = (0..100).map(|i| f64::from(i % 9)).collect();
        let [low, high] = intervals(&frames, &[0.5])[0];
        assert!(low <= 4.0 && 4.0 <= high && high - low < 4.0, "{low} {high}");
        assert_eq!(intervals(&frames, &[0.5])[0], [low, high]);
        assert!(intervals(&[], &[0.5])[0].iter().all(|end| end.is_nan()));
    }
}
