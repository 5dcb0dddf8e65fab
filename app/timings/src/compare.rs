//! Two sets of recordings, A and B: how many times as long does B take, and what may be said of it.
//!
//! The unit is the run. Of each run one number a stage counts, the median of its frames without the warm-up: frames of one
//! run are no independent samples, and a test that takes them for such calls most equal runs different.
//!
//! | there are | interval of the ratio B/A |
//! |---|---|
//! | pairs, run in turns (`weft ab`; or the start times tell) | Student's t of the log ratios of the pairs: what drifts slowly cancels in a pair |
//! | two sets | Welch's t of the logs (Welch 1947), freedom by Satterthwaite |
//! | one of each | moving blocks of the frames: how well each run pins its own median, not what another run gives |
//!
//! Rejected: the percentile bootstrap over runs. Of six values it draws sets that vary by too little (by √(5/6), and without
//! the t's tails): its 95 % interval covers some 85 to 88 %.

mod text;
mod verdict;

use serde::Serialize;

use crate::{
    bootstrap::{Random, SEED, resample},
    recording::Recording,
    statistics::{median, quantile},
    student,
};

pub use text::text;
pub use verdict::{MARGIN, Verdict, judge};

/// Warm-up, which is left out of every run: this share of its frames,
pub const WARM_UP: f64 = 0.1;
/// and at least so many.
pub const WARM_UP_FRAMES: usize = 10;
/// As many must be left.
const FEWEST: usize = 10;

/// How the interval came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    Pairs,
    Sets,
    OneOfEach,
}

/// How two runs are compared.
#[derive(Clone, Debug)]
pub struct Rules {
    /// A ratio this near to 1 is no difference that matters.
    pub margin: f64,
    /// The stage that decides, such as `frame` or `step`.
    pub by: String,
    /// Compare different scenes too.
    pub force: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { margin: MARGIN, by: "frame".into(), force: false }
    }
}

/// A ratio B/A with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    pub ratio: f64,
    pub low: f64,
    pub high: f64,
}

/// One stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    pub stage: String,
    /// Geometric mean of the medians of the runs [ms].
    pub a_ms: f64,
    pub b_ms: f64,
    #[serde(flatten)]
    pub ratio: Ratio,
    pub verdict: Verdict,
}

/// What two sets of recordings say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub method: Method,
    pub a_runs: usize,
    pub b_runs: usize,
    pub by: String,
    pub margin: f64,
    pub verdict: Verdict,
    /// The deciding stage of two equal runs differs by this share: A's runs, odd against even. `None`: less than two.
    pub noise: Option<f64>,
    pub lines: Vec<Line>,
    /// What A and B are, in words.
    pub a: String,
    pub b: String,
    /// What else should be known.
    pub notes: Vec<String>,
}

impl Comparison {
    /// For scripts; what is infinite is null there.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The interval of the mean of `values`, 95 %: half of its width. Infinite for less than two.
fn half_width(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, student::quantile(0.975, n - 1.0) * (variance / n).sqrt())
}

fn of_logs(mean: f64, half: f64) -> Ratio {
    let half = if half.is_nan() { f64::INFINITY } else { half };
    Ratio { ratio: mean.exp(), low: (mean - half).exp(), high: (mean + half).exp() }
}

/// Ratio of runs that were made in turns: the i-th of both belong together. All above 0.
pub fn pairs(a: &[f64], b: &[f64]) -> Ratio {
    let logs: Vec<f64> = a.iter().zip(b).map(|(a, b)| (b / a).ln()).collect();
    let (mean, half) = half_width(&logs);
    of_logs(mean, half)
}

/// Ratio of two sets of runs, at least two in each. All above 0.
pub fn sets(a: &[f64], b: &[f64]) -> Ratio {
    let part = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().map(|value| value.ln()).sum::<f64>() / n;
        let variance = values.iter().map(|value| (value.ln() - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance / n, n - 1.0)
    };
    let ((mean_a, a, freedom_a), (mean_b, b, freedom_b)) = (part(a), part(b));
    let freedom = (a + b).powi(2) / (a * a / freedom_a + b * b / freedom_b);
    // Runs that are equal to the last bit leave 0/0.
    let freedom = if freedom.is_nan() { freedom_a + freedom_b } else { freedom };
    of_logs(mean_b - mean_a, student::quantile(0.975, freedom) * (a + b).sqrt())
}

/// Ratio of the medians of two runs, from their frames in order. All above 0.
pub fn one_of_each(a: &[f64], b: &[f64]) -> Ratio {
    let mut random = Random(SEED);
    // Not sorted against each other: each resample of A meets one of B at random.
    let [a_drawn, b_drawn] = [a, b].map(|values| resample(values, &[0.5], &mut random).remove(0));
    let meet = |a: &f64| b_drawn[random.below(b_drawn.len())] / a;
    let mut drawn: Vec<f64> = a_drawn.iter().map(meet).collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let ratio = median(b.iter().copied()) / median(a.iter().copied());
    Ratio { ratio, low: quantile(&drawn, 0.025), high: quantile(&drawn, 0.975) }
}

/// One run: its start and, of each stage, the frames that count [ms].
struct Run {
    start: Option<f64>,
    stages: Vec<(String, Vec<f64>)>,
}

/// How many of a run's frames are warm-up, if enough are left.
fn warm_up(frames: usize) -> Result<usize, String> {
    let warm_up = WARM_UP_FRAMES.max((frames as f64 * WARM_UP).ceil() as usize);
    if frames < warm_up + FEWEST {
        return Err(format!(
            "{frames} frames are too few: the first {WARM_UP_FRAMES} are warm-up, and {FEWEST} must be left; record more of them (--frames)"
        ));
    }
    Ok(warm_up)
}

/// Whether runs of so many frames can be compared by these rules; to ask before they are made.
pub fn check(frames: usize, rules: &Rules) -> Result<(), String> {
    verdict::check(rules)?;
    warm_up(frames).map(|_| ())
}

/// Whether a run has the stage that decides; to ask before more of them are made.
pub(crate) fn check_stage(recording: &Recording, rules: &Rules) -> Result<(), String> {
    let run = Run::of(recording)?;
    if run.frames(&rules.by).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = run.stages.iter().map(|(name, _)| name.as_str()).collect();
    Err(format!("--by {}: {} has {}", rules.by, recording.file.display(), known.join(", ")))
}

impl Run {
    fn of(recording: &Recording) -> Result<Self, String> {
        let frames = recording.frames.len();
        let warm_up = warm_up(frames).map_err(|why| format!("{}: {why}", recording.file.display()))?;
        let good = |ms: &f64| ms.is_finite() && *ms > 0.0;
        let kept = |(name, values): (String, Vec<f64>)| {
            let kept: Vec<f64> = values.into_iter().skip(warm_up).filter(good).collect();
            // What runs in a few frames only has no usual time.
            (2 * kept.len() > frames - warm_up).then_some((name, kept))
        };
        let stages = recording.times().into_iter().filter_map(kept).collect();
        Ok(Self { start: recording.head.time_unix, stages })
    }

    fn frames(&self, stage: &str) -> Option<&[f64]> {
        self.stages.iter().find(|(name, _)| name == stage).map(|(_, frames)| frames.as_slice())
    }

    fn median(&self, stage: &str) -> Option<f64> {
        self.frames(stage).map(|frames| median(frames.iter().copied()))
    }
}

/// Whether the runs were made in turns, one of A and one of B at a time, by their starts.
fn in_turns(a: &[Run], b: &[Run]) -> bool {
    let starts = |runs: &[Run], side: bool| runs.iter().map(|run| (run.start, side)).collect::<Vec<_>>();
    let mut all = [starts(a, true), starts(b, false)].concat();
    if a.len() != b.len() || all.iter().any(|(start, _)| start.is_none()) {
        return false;
    }
    all.sort_by(|x, y| x.0.partial_cmp(&y.0).unwrap_or(std::cmp::Ordering::Equal));
    all.as_chunks::<2>().0.iter().all(|[first, second]| first.1 != second.1)
}

/// What two equal runs differ by: A's, odd against even, as the root of the mean square of the log ratios.
fn noise(runs: &[f64]) -> Option<f64> {
    let squares: Vec<f64> = runs.as_chunks::<2>().0.iter().map(|[x, y]| (y / x).ln().powi(2)).collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    (!squares.is_empty()).then(|| mean.sqrt().exp() - 1.0)
}

/// Compares. `in_pairs`: the recordings are known to be pairs, in their order; else their starts tell.
pub fn compare(
    a: &[Recording],
    b: &[Recording],
    rules: &Rules,
    in_pairs: bool,
) -> Result<Comparison, String> {
    verdict::check(rules)?;
    let notes = text::differences(a, b, rules)?;
    let runs = |side: &[Recording]| side.iter().map(Run::of).collect::<Result<Vec<Run>, String>>();
    let (mut a_runs, mut b_runs) = (runs(a)?, runs(b)?);
    let method = match (a_runs.len(), b_runs.len()) {
        (0, _) | (_, 0) => return Err("one side has no recording: weft compare A… -- B…".into()),
        (1, 1) => Method::OneOfEach,
        (1, _) | (_, 1) => {
            return Err("one recording against several: give one of each, or at least two of each".into());
        }
        _ if in_pairs || in_turns(&a_runs, &b_runs) => Method::Pairs,
        _ => Method::Sets,
    };
    if !in_pairs {
        let by_start = |x: &Run, y: &Run| x.start.partial_cmp(&y.start).unwrap_or(std::cmp::Ordering::Equal);
        a_runs.sort_by(by_start);
        b_runs.sort_by(by_start);
    }
    let numbers = |runs: &[Run], stage: &str| -> Option<Vec<f64>> {
        runs.iter().map(|run| run.median(stage)).collect()
    };
    let mut lines = Vec::new();
    for (stage, frames) in &a_runs[0].stages {
        let (Some(of_a), Some(of_b)) = (numbers(&a_runs, stage), numbers(&b_runs, stage)) else { continue };
        let ratio = match method {
            Method::Pairs => pairs(&of_a, &of_b),
            Method::Sets => sets(&of_a, &of_b),
            Method::OneOfEach => one_of_each(frames, b_runs[0].frames(stage).unwrap_or_default()),
        };
        let mean =
            |values: &[f64]| (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp();
        // One run each is not enough for more.
        let verdict = if method == Method::OneOfEach { Verdict::Repeat } else { judge(&ratio, rules.margin) };
        let (a_ms, b_ms) = (mean(&of_a), mean(&of_b));
        lines.push(Line { stage: stage.clone(), a_ms, b_ms, ratio, verdict });
    }
    let Some(deciding) = lines.iter().find(|line| line.stage == rules.by) else {
        let known: Vec<&str> = lines.iter().map(|line| line.stage.as_str()).collect();
        let known = if known.is_empty() { "no time above zero".into() } else { known.join(", ") };
        return Err(format!("--by {}: both sides have {known}", rules.by));
    };
    Ok(Comparison {
        method,
        a_runs: a.len(),
        b_runs: b.len(),
        by: rules.by.clone(),
        margin: rules.margin,
        verdict: deciding.verdict,
        noise: numbers(&a_runs, &rules.by).and_then(|numbers| noise(&numbers)),
        a: text::side(&a[0]),
        b: text::side(&b[0]),
        lines,
        notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(starts: &[f64]) -> Vec<Run> {
        starts.iter().map(|start| Run { start: Some(*start), stages: Vec::new() }).collect()
    }

    #[test]
    fn turns_are_told_by_their_starts() {
        assert!(in_turns(&runs(&[1.0, 4.0, 5.0]), &runs(&[2.0, 3.0, 6.0])));
        assert!(in_turns(&runs(&[1.0, 3.0]), &runs(&[2.0, 4.0])));
        assert!(!in_turns(&runs(&[1.0, 2.0]), &runs(&[3.0, 4.0])));
        assert!(!in_turns(&runs(&[1.0, 4.0]), &runs(&[2.0])));
        let unknown = vec![Run { start: None, stages: Vec::new() }];
        assert!(!in_turns(&unknown, &runs(&[1.0])));
    }

    #[test]
    fn noise_is_what_equal_runs_differ_by() {
        assert_eq!(noise(&[8.0]), None);
        assert_eq!(noise(&[8.0, 8.0, 9.0]), Some(0.0));
        assert!((noise(&[1.0, 1.1, 1.1, 1.0]).unwrap() - 0.1).abs() < 1e-12);
    }

    #[test]
    fn equal_to_the_last_bit_is_a_ratio_of_1() {
        let one = Ratio { ratio: 1.0, low: 1.0, high: 1.0 };
        assert_eq!(pairs(&[8.0, 8.0], &[8.0, 8.0]), one);
        assert_eq!(sets(&[8.0, 8.0], &[8.0, 8.0]), one);
        assert_eq!(one_of_each(&[8.0; 40], &[8.0; 40]), one);
    }
}
