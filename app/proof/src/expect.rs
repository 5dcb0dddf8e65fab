//! Expectations of a scene against a run of it: expected, measured, and what that makes.

use std::fmt;

use weft_core::statistics::{largest, quantile};
use weft_scene::Expect;
use weft_session::{Session, readings};

/// Where a number must lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The number itself; `None` for a band.
    pub value: Option<f64>,
    pub low: f64,
    pub high: f64,
}

impl Bounds {
    pub fn near(value: f64, tolerance: f64) -> Self {
        Self { value: Some(value), low: value - tolerance, high: value + tolerance }
    }

    /// `share` of the value to both sides.
    pub fn within(value: f64, share: f64) -> Self {
        Self::near(value, (value * share).abs())
    }

    pub fn at_most(high: f64) -> Self {
        Self { value: None, low: f64::NEG_INFINITY, high }
    }

    pub fn at_least(low: f64) -> Self {
        Self { value: None, low, high: f64::INFINITY }
    }

    pub fn between(low: f64, high: f64) -> Self {
        Self { value: None, low, high }
    }

    /// False for NaN.
    pub fn hold(&self, measured: f64) -> bool {
        (self.low..=self.high).contains(&measured)
    }

    /// Largest distance from the value that is allowed; empty for a band.
    pub fn tolerance(&self) -> String {
        self.value.map_or_else(String::new, |value| short(self.high - value))
    }
}

/// `0.3318`, `>= 0.2`, `<= 0.05` or `0.2 to 0.4`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.value, self.low.is_finite(), self.high.is_finite()) {
            (Some(value), ..) => f.write_str(&short(value)),
            (None, true, true) => write!(f, "{} to {}", short(self.low), short(self.high)),
            (None, true, false) => write!(f, ">= {}", short(self.low)),
            (None, false, _) => write!(f, "<= {}", short(self.high)),
        }
    }
}

/// Five significant digits, no exponent where that is readable.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_string();
    }
    if !value.is_finite() || !(1e-4..1e6).contains(&size) {
        return format!("{value:.3e}");
    }
    let digits = (4 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

impl From<&Expect> for Bounds {
    fn from(expect: &Expect) -> Self {
        let wide = |given: Option<f32>, open: f64| given.map_or(open, f64::from);
        match expect.value.map(f64::from) {
            Some(value) => {
                let share = (value * wide(expect.tolerance, 0.0)).abs();
                Self::near(value, share.max(wide(expect.absolute, 0.0)))
            }
            None => {
                Self::between(wide(expect.at_least, f64::NEG_INFINITY), wide(expect.at_most, f64::INFINITY))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Pass,
    Fail,
    /// It missed, as it is known to.
    KnownFailure,
}

impl Status {
    /// A known failure that does not fail is a failure of what we know.
    pub fn of(holds: bool, known_failure: bool) -> Self {
        match (holds, known_failure) {
            (true, false) => Self::Pass,
            (false, true) => Self::KnownFailure,
            _ => Self::Fail,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "FAIL",
            Self::KnownFailure => "known_failure",
        }
    }
}

/// One expectation after its time came.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub reading: String,
    pub unit: &'static str,
    pub bounds: Bounds,
    /// `None`: the run did not get there, or the reading has no meaning in it.
    pub measured: Option<f64>,
    pub status: Status,
    /// Why it failed, or is known to; empty for a plain pass or miss.
    pub note: String,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let measured = self.measured.map_or_else(|| "nothing".to_string(), short);
        let tolerance = self.bounds.tolerance();
        let near = if tolerance.is_empty() { String::new() } else { format!(" +- {tolerance}") };
        let unit = if self.unit == "1" { String::new() } else { format!(" {}", self.unit) };
        let status = match self.status {
            Status::Pass => "ok",
            Status::Fail => "FAILED",
            Status::KnownFailure => "known failure",
        };
        write!(f, "{:20} expected {}{near}{unit}  measured {measured}  {status}", self.reading, self.bounds)?;
        if self.note.is_empty() { Ok(()) } else { write!(f, ": {}", self.note) }
    }
}

/// One expectation of a run that is under way.
struct Check {
    expect: Expect,
    /// Of its reading.
    unit: &'static str,
    /// Readings so far that its median is of; NaN where there was none.
    read: Vec<f64>,
    outcome: Option<Outcome>,
}

impl Check {
    fn new(expect: Expect, session: &Session) -> Self {
        let unit =
            readings::find(&session.run().generation, &expect.reading).map_or("1", |reading| reading.unit);
        Self { expect, unit, read: Vec::new(), outcome: None }
    }

    /// When it is read first [s]: at its end where no median is asked for. `step` [s].
    fn first(&self, step: f64) -> f64 {
        f64::from(self.expect.after_s) - (f64::from(self.expect.median_s) - step).max(0.0)
    }
}

/// The reading that tells of lists without room.
const OVERFLOW: &str = "self_overflow";

/// The expectations of a run that is under way.
pub struct Checks {
    /// In scene order.
    list: Vec<Check>,
    solver: String,
    step: f64,
    /// The most that a list of fixed size had no room for in any step.
    overflow: f64,
}

impl Checks {
    /// Those that are meant for the solver that runs.
    pub fn new(session: &Session) -> Result<Self, String> {
        let solver = session.scene().solver.name.clone();
        if session.scene().expect.is_empty() {
            return Err(format!(
                "{}: nothing to check: it has no `expect`",
                session.setup().path().display()
            ));
        }
        let list = session.scene().expect.iter().filter(|expect| expect.is_for(&solver));
        let list = list.map(|expect| Check::new(expect.clone(), session)).collect();
        Ok(Self { list, solver, step: f64::from(session.scene().step), overflow: 0.0 })
    }

    /// Frames until the last of them is due.
    pub fn frames(&self) -> u64 {
        let last = largest(self.list.iter().map(|check| check.expect.after_s));
        // Half a step, so that 10 s are 600 frames of 1/60 s and not 601.
        ((last / self.step - 0.5).ceil() as u64).max(1)
    }

    /// Whether [`Checks::after_step`] reads anything now: then the session is to be measured before.
    pub fn reads(&self, session: &Session) -> bool {
        let time = session.run().time + 0.5 * self.step;
        self.list.iter().any(|check| check.outcome.is_none() && time >= check.first(self.step))
    }

    /// Reads what is due before the first step; what was due before the run begins, from a state, has missed.
    pub fn at_start(&mut self, session: &mut Session) {
        let began = session.run().time;
        for Check { expect, unit, outcome, .. } in &mut self.list {
            if f64::from(expect.after_s) < began - 0.5 * self.step {
                let why = format!("the run goes on from {began:.3} s, and its time was before");
                *outcome = Some(judge(expect, unit, &self.solver, None, &why));
            }
        }
        if self.reads(session) {
            session.measure();
            self.after_step(session);
        }
    }

    /// Reads what is due after a step.
    pub fn after_step(&mut self, session: &Session) {
        let overflow = session.run().readings.get(OVERFLOW).copied().unwrap_or(0.0);
        self.overflow = largest([self.overflow, overflow.into()]);
        // Half a step, as in `frames`.
        let time = session.run().time + 0.5 * self.step;
        for check in &mut self.list {
            let first = check.first(self.step);
            let Check { expect, unit, read, outcome } = check;
            if outcome.is_some() || time < first {
                continue;
            }
            let due = f64::from(expect.after_s);
            let reading = readings::find(&session.run().generation, &expect.reading);
            read.push(reading.and_then(|reading| reading.of(&session.readings())).unwrap_or(f64::NAN));
            if time >= due {
                read.sort_by(f64::total_cmp);
                let median = Some(quantile(read, 0.5)).filter(|median| !median.is_nan());
                let why = if session.gpu().is_some()
                    && session.run().generation.reading(&expect.reading).is_some()
                {
                    "the GPU path does not measure it; --path cpu does"
                } else {
                    "it has no meaning in this scene"
                };
                *outcome = Some(judge(expect, unit, &self.solver, median, why));
            }
        }
    }

    /// What came of each; those whose time did not come have missed, `why` not. A list that overflowed in any step is one
    /// more that failed, whatever the scene expects.
    pub fn finish(self, why: &str) -> Vec<Outcome> {
        let solver = self.solver;
        let outcome = |check: Check| {
            check.outcome.unwrap_or_else(|| judge(&check.expect, check.unit, &solver, None, why))
        };
        let overflow = (self.overflow > 0.0).then(|| Outcome {
            reading: OVERFLOW.to_string(),
            unit: "1",
            bounds: Bounds::at_most(0.0),
            measured: Some(self.overflow),
            status: Status::Fail,
            note: "a list had no room, in the worst step for so many".to_string(),
        });
        self.list.into_iter().map(outcome).chain(overflow).collect()
    }
}

fn judge(
    expect: &Expect,
    unit: &'static str,
    solver: &str,
    measured: Option<f64>,
    why_nothing: &str,
) -> Outcome {
    let bounds = Bounds::from(expect);
    let known = expect.known_failure(solver);
    let status = match measured {
        // What is known to miss still is a number.
        None => Status::Fail,
        Some(measured) => Status::of(bounds.hold(measured), known.is_some()),
    };
    let note = match (known, measured) {
        (Some(why), None) => format!("it is listed as a known failure ({why}), but {why_nothing}"),
        (Some(why), _) if status == Status::Fail => {
            format!("it is listed as a known failure ({why}), but holds")
        }
        (Some(why), _) => why.to_string(),
        (None, None) => why_nothing.to_string(),
        (None, Some(_)) => String::new(),
    };
    Outcome { reading: expect.reading.clone(), unit, bounds, measured, status, note }
}

/// Runs a session until all its expectations are due. A step that fails ends it: what was not read has missed.
pub fn run(session: &mut Session) -> Result<Vec<Outcome>, String> {
    let mut checks = Checks::new(session)?;
    checks.at_start(session);
    for frame in 0..checks.frames() {
        if let Err(error) = session.step().and_then(|_| session.try_read()) {
            return Ok(checks.finish(&format!("frame {frame}: {error}")));
        }
        if checks.reads(session) {
            session.measure();
        }
        checks.after_step(session);
    }
    Ok(checks.finish("the run ended before"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_bounds_read_as_they_are() {
        for (value, text) in [
            (0.331797, "0.3318"),
            (196.2, "196.2"),
            (12345.6, "12346"),
            (1e-6, "1.000e-6"),
            (0.0, "0"),
            (20.0, "20"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!(Bounds::within(0.5, 0.01).tolerance(), "0.005");
        assert_eq!(Bounds::between(0.2, 0.4).to_string(), "0.2 to 0.4");
        assert_eq!(Bounds::at_most(0.05).to_string(), "<= 0.05");
        assert!(Bounds::within(-2.0, 0.01).hold(-2.01) && !Bounds::at_most(1.0).hold(f64::NAN));
    }

    #[test]
    fn a_known_failure_that_holds_is_a_failure() {
        assert_eq!(Status::of(true, true), Status::Fail);
        assert_eq!(Status::of(false, true), Status::KnownFailure);
        assert_eq!(Status::of(false, false), Status::Fail);
        assert_eq!(Status::of(true, false), Status::Pass);
    }
}
