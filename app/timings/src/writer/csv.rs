//! `.csv`: one row a frame under one head, every cell a number or empty, but for the last one, so that
//! `pandas.read_csv(FILE)` is a table of numbers as it stands. Events are a second table, `FILE.events.csv`.
//!
//! A column is named `name [unit]`, without brackets where it has none. Which columns there are is known with the first
//! frame; what newer code adds stands in `others` as `name=value name=value`.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use weft_core::{csv, files};

use super::Writer;
use crate::recording::{Column, Event, Frame, Head, Kind, title};

struct Csv {
    frames: files::Writer,
    events: files::Writer,
    /// Columns in the head; `None` before it was written.
    headed: Option<usize>,
}

/// Bytes of rows that wait for the disk; a row more fits into the writer, too.
const WAITING: usize = 4096;

/// `flag.csv` → `flag.events.csv`.
pub(crate) fn events_of(path: &Path) -> PathBuf {
    path.with_extension("events.csv")
}

pub(super) fn create(path: &Path, _: &Head) -> io::Result<Box<dyn Writer>> {
    let (frames, mut events) = (files::create(path)?, files::create(&events_of(path))?);
    writeln!(events, "frame,at [ms],kind,text")?;
    events.flush()?;
    Ok(Box::new(Csv { frames, events, headed: None }))
}

/// Whole rows of both tables.
pub(super) fn trim(path: &Path) -> io::Result<()> {
    super::trim::trim(path, "\n", "\n").and(super::trim::trim(&events_of(path), "\n", "\n"))
}

fn headed(column: &Column) -> String {
    let name = title(column);
    if column.unit == "1" || column.unit.is_empty() { name } else { format!("{name} [{}]", column.unit) }
}

impl Csv {
    /// Times first, so that a reader tells stages by their place before `particles`.
    fn head(&mut self, columns: &[Column]) -> io::Result<()> {
        let list = |readings: bool| {
            let of_kind = columns.iter().filter(move |column| (column.kind == Kind::Reading) == readings);
            of_kind.map(|column| format!(",{}", headed(column))).collect::<Vec<_>>().concat()
        };
        self.headed = Some(columns.len());
        let (times, readings) = (list(false), list(true));
        writeln!(
            self.frames,
            "frame,time [s],at [ms],wall [ms]{times},particles,constraints{readings},others"
        )
    }
}

impl Writer for Csv {
    fn frame(&mut self, columns: &[Column], frame: &Frame) -> io::Result<()> {
        if self.headed.is_none() {
            self.head(columns)?;
        }
        let headed = self.headed.unwrap_or_default();
        let Self { frames: file, .. } = self;
        write!(file, "{},{:.6},{:.4},{:.4}", frame.number, frame.time_s, frame.at_ms, frame.wall_ms)?;
        let mut cells = |readings: bool| {
            let all = columns[..headed].iter().zip(&frame.values);
            for (_, value) in all.filter(|(column, _)| (column.kind == Kind::Reading) == readings) {
                match value {
                    value if value.is_nan() => write!(file, ",")?,
                    value if readings => write!(file, ",{value:.7e}")?,
                    value => write!(file, ",{value:.4}")?,
                }
            }
            if readings { Ok(()) } else { write!(file, ",{},{}", frame.particles, frame.constraints) }
        };
        cells(false)?;
        cells(true)?;
        let mut between = ",";
        for (column, value) in columns[headed..].iter().zip(&frame.values[headed..]) {
            if !value.is_nan() {
                // Names of one word: pieces are parted by blanks.
                write!(file, "{between}{}={value:.7e}", title(column).replace([' ', ','], "_"))?;
                between = " ";
            }
        }
        writeln!(file, "{}", if between == "," { "," } else { "" })?;
        // Whoever ends the program finds whole rows.
        if files::waiting(file) > WAITING { file.flush() } else { Ok(()) }
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        let (kind, text) = (csv::cell(&event.kind), csv::cell(&event.text));
        writeln!(self.events, "{},{:.4},{kind},{text}", event.frame, event.at_ms)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.frames.flush()?;
        self.events.flush()
    }

    /// A recording without a frame is a table without a row.
    fn finish(&mut self, columns: &[Column]) -> io::Result<()> {
        if self.headed.is_none() { self.head(columns) } else { Ok(()) }
    }
}
