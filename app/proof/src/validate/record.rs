//! What the known failures measured when they were recorded, in `known_failures.csv`: one that gets worse fails, and so does
//! one that gets better, for then what is said of it is no longer true.

use super::{Row, scenes::AGREEMENT};
use crate::expect::{Bounds, Status, short};

const FILE: &str = "app/proof/src/validate/known_failures.csv";
const TEXT: &str = include_str!("known_failures.csv");

/// How far the error of a known failure may move, as a share of it.
const BAND: f64 = 0.2;

/// A line: `solver,case,"reading",full,quick,gpu`; a size whose field is empty was not measured. The last stands only where adapters
/// make other numbers of the same equations, at both sizes: what iterations leave undone depends on roundings. `LOW..HIGH` are those
/// of two, Mesa's software adapter and an NVIDIA H100.
struct Record {
    solver: &'static str,
    case: &'static str,
    reading: &'static str,
    full: Option<f64>,
    quick: Option<f64>,
    gpu: Option<[f64; 2]>,
}

/// How a row was measured.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    pub quick: bool,
    pub on_device: bool,
}

impl Record {
    fn read(line: &'static str) -> Option<Self> {
        let (names, rest) = line.split_once(",\"")?;
        let ((solver, case), (reading, values)) = (names.split_once(',')?, rest.split_once("\",")?);
        let mut numbers = values.split(',');
        let [full, quick] = [numbers.next()?, numbers.next()?].map(|number| number.parse().ok());
        let gpu = numbers.next().and_then(|range| {
            let (low, high) = range.split_once("..").unwrap_or((range, range));
            Some([low.parse().ok()?, high.parse().ok()?])
        });
        Some(Self { solver, case, reading, full, quick, gpu })
    }

    fn value(&self, quick: bool) -> Option<f64> {
        if quick { self.quick } else { self.full }
    }
}

fn records() -> impl Iterator<Item = Record> {
    TEXT.lines().skip(1).filter_map(Record::read)
}

/// Error of a measured number: its distance from the value, or, where there is a limit only, from none at all (an upper
/// one) or from that limit.
fn error(bounds: Bounds, measured: f64) -> f64 {
    measured
        - bounds.value.unwrap_or(if bounds.high.is_finite() && bounds.low.is_infinite() {
            0.0
        } else {
            bounds.low
        })
}

/// Makes a row of a known failure, whose note is the reason, what it is: it still fails, as much as it did.
pub(super) fn judge(row: &mut Row, Measured { quick, on_device }: Measured) {
    let (why, bounds) = (std::mem::take(&mut row.note), row.bounds);
    let known = format!("listed as a known failure ({why})");
    (row.status, row.note) = (Status::Fail, String::new());
    let Some(measured) = row.measured.filter(|measured| measured.is_finite()) else {
        row.note = format!("{known}, but gives no number");
        return;
    };
    let same = |record: &Record| {
        (record.solver, record.case, record.reading) == (row.solver.as_str(), row.case, row.reading.as_str())
    };
    let record = records().find(same);
    let there = record.as_ref().and_then(|record| record.gpu).filter(|_| on_device);
    if bounds.hold(measured) {
        if there.is_some_and(|numbers| numbers.iter().any(|number| bounds.hold(*number))) {
            row.status = Status::Pass;
            return;
        }
        row.note = format!("{known}, but holds: take it off the list, and its line out of {FILE}");
        return;
    }
    let size = match (on_device, quick) {
        (true, _) => "the third number is that of the GPU path",
        (false, true) => "the second number is that of --quick",
        (false, false) => "the first number",
    };
    match there.or_else(|| record?.value(quick).map(|number| [number; 2])) {
        None => row.note = format!("{known}; its {} is not in {FILE} yet ({size})", short(measured)),
        Some(before) => {
            let now = error(bounds, measured);
            let [mut low, mut high] = before.map(|number| error(bounds, number));
            (low, high) = (low.min(high), low.max(high));
            if (low - BAND * low.abs()..=high + BAND * high.abs()).contains(&now) {
                (row.status, row.note) = (Status::KnownFailure, why);
                return;
            }
            let turn = if now.abs() > low.abs().max(high.abs()) { "worse" } else { "better" };
            let [low, high] = before.map(short);
            let before = if low == high { low } else { format!("{low} to {high}") };
            row.note = format!(
                "{known}, {turn} than recorded: {before} before, {} now. Mend what made it so; if that is meant, write the new \
                 number into its line of {FILE} ({size})",
                short(measured)
            );
        }
    }
}

/// Records of a solver in a case, measured at this size, that none of the rows is a known failure of.
pub(super) fn left(rows: &[Row], case: &str, solver: &str, quick: bool) -> Vec<&'static str> {
    let known = |record: &Record| {
        let same = |row: &&Row| {
            (row.solver.as_str(), row.case, row.reading.as_str()) == (solver, case, record.reading)
        };
        rows.iter().any(|row| same(&row) && row.status != Status::Pass)
    };
    let own = records().filter(|record| (record.solver, record.case) == (solver, case));
    // Those need the rows of another solver.
    let own = own.filter(|record| !record.reading.starts_with(AGREEMENT));
    own.filter(|record| record.value(quick).is_some() && !known(record))
        .map(|record| record.reading)
        .collect()
}

/// What is to be done about a reading of [`left`].
pub(super) fn stale(reading: &str) -> String {
    format!("`{reading}` is recorded as a known failure and no row is one: take its line out of {FILE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(measured: f64) -> Row {
        let (reading, why) = ("change of linear momentum".to_string(), "of no reason".to_string());
        let (bounds, measured) = (Bounds::at_most(5e-4), Some(measured));
        Row { solver: "test".into(), case: "V0", reading, bounds, measured, status: Status::Pass, note: why }
    }

    #[test]
    fn every_line_is_a_record() {
        assert_eq!(records().count() + 1, TEXT.lines().count());
        assert!(records().all(|record| [record.full, record.quick, record.gpu.map(|of| of[0])] != [None; 3]));
        let test = records().find(|record| record.solver == "test").expect("the line of these tests");
        assert_eq!((test.full, test.quick), (Some(0.05), None));
    }

    #[test]
    fn a_known_failure_keeps_its_measured_value() {
        for (measured, quick, status, text) in [
            (0.05, false, Status::KnownFailure, "of no reason"),
            (0.0415, false, Status::KnownFailure, "of no reason"),
            (0.0385, false, Status::Fail, "better than recorded: 0.05 before, 0.0385 now"),
            (0.0615, false, Status::Fail, "worse than recorded"),
            (1e-4, false, Status::Fail, "but holds"),
            (f64::NAN, false, Status::Fail, "no number"),
            (0.05, true, Status::Fail, "is not in app/proof"),
        ] {
            let mut row = row(measured);
            judge(&mut row, Measured { quick, on_device: false });
            assert_eq!(row.status, status, "{measured} {quick}: {}", row.note);
            assert!(row.note.contains(text), "{}", row.note);
        }
        // By its distance from a value, or from a lower limit.
        assert_eq!((error(Bounds::near(2.0, 0.1), 1.5), error(Bounds::at_least(2.0), 1.5)), (-0.5, -0.5));
    }

    #[test]
    fn a_device_may_have_a_number_of_its_own() {
        let on_device = Measured { quick: true, on_device: true };
        // It holds there, and no more elsewhere.
        for (solver, measured, status) in
            [("test_gpu", 1e-4, Status::Pass), ("test_gpu", 0.05, Status::Fail), ("test", 1e-4, Status::Fail)]
        {
            let mut row = Row { solver: solver.into(), ..row(measured) };
            judge(&mut row, on_device);
            assert_eq!(row.status, status, "{solver} {measured}: {}", row.note);
        }
        // Numbers of two adapters, and what lies between them.
        for (measured, status) in [
            (0.0385, Status::Fail),
            (0.0415, Status::KnownFailure),
            (0.07, Status::KnownFailure),
            (0.095, Status::KnownFailure),
            (0.1, Status::Fail),
        ] {
            let mut row = Row { solver: "test_two".into(), ..row(measured) };
            judge(&mut row, on_device);
            assert_eq!(row.status, status, "{measured}: {}", row.note);
        }
        let mut row = Row { solver: "test_gpu".into(), ..row(0.05) };
        judge(&mut row, Measured { on_device: false, ..on_device });
        assert_eq!(row.status, Status::KnownFailure, "{}", row.note);
    }

    #[test]
    fn a_line_without_a_known_failure_is_told() {
        assert_eq!(left(&[], "V0", "test", false), ["change of linear momentum"]);
        let mut failed = row(0.05);
        failed.status = Status::KnownFailure;
        assert!(left(&[failed], "V0", "test", false).is_empty());
        assert!(left(&[], "V0", "test", true).is_empty());
    }
}
