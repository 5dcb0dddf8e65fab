//! The table of a sweep: CSV, a row after each run, so that an interrupted one goes on where it was.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use super::Cell;

/// Columns behind those of the axes.
const MEASURED: [&str; 12] = [
    "frames",
    "threads",
    "particles",
    "constraints",
    "ms_p50",
    "ms_p95",
    "stretch_p95 [%]",
    "stretch_max [%]",
    "residual",
    "energy [J]",
    "state_hash",
    "failure",
];

/// A run, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub scene: String,
    pub solver: String,
    /// The value of each axis.
    pub set: Vec<(String, String)>,
    pub frames: u64,
    pub threads: usize,
    pub particles: usize,
    pub constraints: usize,
    /// Of a step, warm-up left out [ms].
    pub ms_p50: f64,
    pub ms_p95: f64,
    /// Mean of the 95th percentile over the second half, and the largest there [%].
    pub stretch_p95: f64,
    pub stretch_max: f64,
    /// Of the last step, by the solver's own equation; NaN where it gives none.
    pub residual: f64,
    /// After the last step [J].
    pub energy: f64,
    pub hash: String,
    /// Why it stopped; empty where it did not.
    pub failure: String,
}

impl Row {
    pub(super) fn new(cell: &Cell, frames: u64, threads: usize) -> Self {
        Self {
            scene: cell.scene.display().to_string(),
            solver: cell.solver.clone(),
            set: cell.set.clone(),
            frames,
            threads,
            particles: 0,
            constraints: 0,
            ms_p50: f64::NAN,
            ms_p95: f64::NAN,
            stretch_p95: f64::NAN,
            stretch_max: f64::NAN,
            residual: f64::NAN,
            energy: f64::NAN,
            hash: String::new(),
            failure: String::new(),
        }
    }

    /// `vbd substeps=20 iterations=2`.
    pub fn name(&self) -> String {
        let set =
            self.set.iter().map(|(path, value)| format!(" {}={value}", path.trim_start_matches("solver.")));
        format!("{}{}", self.solver, set.collect::<String>())
    }

    fn values(&self) -> Vec<String> {
        let number = |value: f64| if value.is_finite() { format!("{value:.6}") } else { String::new() };
        let mut values = vec![self.scene.clone(), self.solver.clone()];
        values.extend(self.set.iter().map(|set| set.1.clone()));
        values.extend([self.frames.to_string(), self.threads.to_string()]);
        values.extend([self.particles.to_string(), self.constraints.to_string()]);
        values.extend([self.ms_p50, self.ms_p95, self.stretch_p95, self.stretch_max].map(number));
        values.push(if self.residual.is_finite() { format!("{:.6e}", self.residual) } else { String::new() });
        values.push(number(self.energy));
        values.extend([self.hash.clone(), self.failure.clone()]);
        values
    }

    fn read(values: &[String], axes: &[&str]) -> Option<Self> {
        let (head, rest) = values.split_at_checked(2 + axes.len())?;
        let rest: &[String; MEASURED.len()] = rest.try_into().ok()?;
        let number = |text: &String| if text.is_empty() { Some(f64::NAN) } else { text.parse().ok() };
        Some(Self {
            scene: head[0].clone(),
            solver: head[1].clone(),
            set: axes
                .iter()
                .zip(&head[2..])
                .map(|(axis, value)| ((*axis).to_string(), value.clone()))
                .collect(),
            frames: rest[0].parse().ok()?,
            threads: rest[1].parse().ok()?,
            particles: rest[2].parse().ok()?,
            constraints: rest[3].parse().ok()?,
            ms_p50: number(&rest[4])?,
            ms_p95: number(&rest[5])?,
            stretch_p95: number(&rest[6])?,
            stretch_max: number(&rest[7])?,
            residual: number(&rest[8])?,
            energy: number(&rest[9])?,
            hash: rest[10].clone(),
            failure: rest[11].clone(),
        })
    }
}

/// The file, with what it has.
pub(super) struct Table {
    path: PathBuf,
    rows: Vec<Row>,
}

impl Table {
    /// A table of these axes, or the one that is there. A last row that was cut is dropped.
    pub(super) fn open(path: &Path, axes: &[&str]) -> Result<Self, String> {
        let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let head: Vec<&str> =
            ["scene", "solver"].into_iter().chain(axes.iter().copied()).chain(MEASURED).collect();
        let head = line(head.iter().copied());
        let mut rows = Vec::new();
        if path.exists() {
            let text = weft_core::text::read(path).map_err(|why| failed(&why))?;
            let mut lines = text.split_inclusive('\n');
            if lines.next() != Some(head.as_str()) {
                return Err(failed(&"it is the table of another sweep: give --out another name"));
            }
            let whole = lines.filter(|line| line.ends_with('\n'));
            rows = whole.filter_map(|line| Row::read(&split(line.trim_end()), axes)).collect();
        }
        let kept: String =
            rows.iter().map(|row: &Row| line(row.values().iter().map(String::as_str))).collect();
        fs::write(path, head + &kept).map_err(|why| failed(&why))?;
        Ok(Self { path: path.to_path_buf(), rows })
    }

    /// The row of a cell that was run before as long and on as many threads.
    pub(super) fn find(&self, cell: &Cell, frames: u64, threads: usize) -> Option<Row> {
        let scene = cell.scene.display().to_string();
        let same = |row: &&Row| {
            (&row.scene, &row.solver, &row.set) == (&scene, &cell.solver, &cell.set)
                && (row.frames, row.threads) == (frames, threads)
        };
        self.rows.iter().find(same).cloned()
    }

    pub(super) fn add(&mut self, row: &Row) -> Result<(), String> {
        let text = line(row.values().iter().map(String::as_str));
        let file = OpenOptions::new().append(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|why| format!("{}: {why}", self.path.display()))?;
        self.rows.push(row.clone());
        Ok(())
    }
}

/// A line of CSV (RFC 4180); line breaks in a value become spaces.
fn line<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let quoted = |value: &str| {
        let value = value.replace(['\n', '\r'], " ");
        if value.contains([',', '"']) { format!("\"{}\"", value.replace('"', "\"\"")) } else { value }
    };
    values.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Its values again.
fn split(line: &str) -> Vec<String> {
    let (mut values, mut value, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => value.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => values.push(std::mem::take(&mut value)),
            letter => value.push(letter),
        }
    }
    values.push(value);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_back_as_they_were_written() {
        let cell = Cell {
            scene: "a, \"b\".ron".into(),
            solver: "xpbd".into(),
            set: vec![("wind.velocity".into(), "(1,2,3)".into())],
        };
        let mut row = Row::new(&cell, 60, 2);
        row.failure = "frame 3: \"x\", and more".into();
        let written = line(row.values().iter().map(String::as_str));
        let read = Row::read(&split(written.trim_end()), &["wind.velocity"]).expect("it reads");
        assert_eq!((&read.scene, &read.set, &read.failure), (&row.scene, &row.set, &row.failure));
        assert!(read.ms_p50.is_nan());
        (row.ms_p50, row.stretch_p95, row.failure) = (1.25, 3.5, String::new());
        let read =
            Row::read(&split(line(row.values().iter().map(String::as_str)).trim_end()), &["wind.velocity"]);
        assert_eq!(read.map(|read| (read.ms_p50, read.stretch_p95)), Some((1.25, 3.5)));
        assert_eq!(Row::read(&split("a,b"), &[]), None);
    }
}
