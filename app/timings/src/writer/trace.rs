//! `.trace.json`: Chrome's trace event format, which ui.perfetto.dev and chrome://tracing open ("Trace Event Format",
//! Google, 2016). It is the array form, whose end may be missing: a file that was cut opens too.
//!
//! ```text
//! process 1  thread 1  frames: a slice a frame, in it its stages, in `step` what is inside
//!            thread 2  GPU: a slice for each time by the device's clock
//!            thread 3… each thread of a step: a slice for each stage inside it, as long as it was at work there
//!            events as instants of the process, a few readings as counters
//! ```
//! Stages inside a step have a length, not a place: they are laid one after the other from the step's begin, and so are the
//! device's times, whose clock is not the processor's. Slices are in whole nanoseconds, and end where what they are in ends:
//! a rounding must not make two of them cross.

use std::{
    io::{self, Write},
    path::Path,
};

use weft_core::files;

use super::Writer;
use crate::recording::{Column, Event, Frame, Head, Kind, thread_of};

/// Readings that are drawn as counters; of all of them the file would be many times as long.
const COUNTERS: [&str; 4] = ["kinetic_energy", "total_energy", "stretch_max", "stretch_p95"];
const FRAMES: u32 = 1;
const GPU: u32 = 2;
/// The first thread of a step; the others follow.
const THREADS: u32 = 3;

struct Trace {
    file: files::Writer,
    /// Threads of a step that have a name.
    named: u32,
    /// Begin [ns], length [ns] and column of the stages of the frame at hand.
    stages: Vec<(i64, i64, usize)>,
    /// Of the frame before [ns]; 0 at first: Perfetto drops what begins before.
    last_end: i64,
}

pub(super) fn create(path: &Path, head: &Head) -> io::Result<Box<dyn Writer>> {
    let mut file = files::create(path)?;
    // The scene's text is long, and no slice of time.
    let head = Head { scene_text: String::new(), ..head.clone() };
    writeln!(file, "[")?;
    writeln!(file, "{},", named(FRAMES, "process_name", &format!("weft {} ({})", head.scene, head.solver)))?;
    writeln!(file, "{},", named(FRAMES, "thread_name", "frames"))?;
    writeln!(file, "{},", named(GPU, "thread_name", "GPU, by its own clock"))?;
    // Each later event begins with the comma of the one before it, so that the last has none.
    write!(
        file,
        "{}",
        serde_json::json!({ "ph": "M", "pid": 1, "tid": FRAMES, "name": "recording", "args": head })
    )?;
    file.flush()?;
    Ok(Box::new(Trace { file, named: 0, stages: Vec::new(), last_end: 0 }))
}

/// Whole events: each begins with the comma of the one before it.
pub(super) fn trim(path: &Path) -> io::Result<()> {
    super::trim::trim(path, ",\n", "\n]\n")
}

/// What a process or a thread is called.
fn named(thread: u32, what: &str, name: &str) -> serde_json::Value {
    serde_json::json!({ "ph": "M", "pid": 1, "tid": thread, "name": what, "args": { "name": name } })
}

fn ns(ms: f64) -> i64 {
    (ms * 1e6).round() as i64
}

/// Microseconds with all of the nanoseconds; nothing is before the recording's begin.
fn us(ns: i64) -> String {
    let ns = ns.max(0);
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

impl Trace {
    fn slice(&mut self, thread: u32, name: &str, (begin, end): (i64, i64), args: &str) -> io::Result<()> {
        let (name, ts, dur) = (serde_json::json!(name), us(begin), us((end - begin).max(0)));
        let cat = if thread == GPU { "gpu" } else { "frame" };
        write!(
            self.file,
            ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{thread},\"cat\":\"{cat}\",\"name\":{name},\"ts\":{ts},\"dur\":{dur}{args}}}"
        )
    }

    /// The stages inside a step as each thread was at work in them, from where each begins.
    fn threads(&mut self, (mut begin, end): (i64, i64), columns: &[Column], frame: &Frame) -> io::Result<()> {
        let inner = (0..columns.len()).filter(|&i| columns[i].kind == Kind::Inner);
        for i in inner {
            let to = (begin + ns(frame.values[i].max(0.0))).min(end);
            for (column, value) in columns.iter().zip(&frame.values).filter(|(of, _)| of.kind == Kind::Thread)
            {
                let of = thread_of(&column.name).filter(|(stage, _)| *stage == columns[i].name);
                let Some((stage, thread)) = of.filter(|_| *value > 0.0) else { continue };
                let thread = thread as u32;
                while self.named < thread {
                    let name = named(
                        THREADS + self.named,
                        "thread_name",
                        &format!("step, thread {}", self.named + 1),
                    );
                    write!(self.file, ",\n{name}")?;
                    self.named += 1;
                }
                self.slice(THREADS + thread - 1, stage, (begin, (begin + ns(*value)).min(to)), "")?;
            }
            begin = to;
        }
        Ok(())
    }

    /// Lays times one after the other from `begin`, none of them beyond `end`.
    fn row(
        &mut self,
        thread: u32,
        (mut begin, end): (i64, i64),
        times: impl Iterator<Item = (String, f64)>,
    ) -> io::Result<()> {
        for (name, ms) in times {
            let to = (begin + ns(ms)).min(end);
            self.slice(thread, &name, (begin, to), "")?;
            begin = to;
        }
        Ok(())
    }
}

fn of_kind<'a>(
    columns: &'a [Column],
    frame: &'a Frame,
    kind: Kind,
) -> impl Iterator<Item = (String, f64)> + use<'a> {
    let all = columns.iter().zip(&frame.values).filter(move |(column, _)| column.kind == kind);
    all.filter(|(_, value)| **value > 0.0).map(|(column, value)| (column.name.clone(), *value))
}

impl Writer for Trace {
    fn frame(&mut self, columns: &[Column], frame: &Frame) -> io::Result<()> {
        let end = ns(frame.at_ms);
        let begin = (end - ns(frame.wall_ms.max(0.0))).max(self.last_end).min(end);
        self.last_end = end;
        let args = format!(
            ",\"args\":{{\"frame\":{},\"time_s\":{:.6},\"particles\":{},\"constraints\":{}}}",
            frame.number, frame.time_s, frame.particles, frame.constraints
        );
        self.slice(FRAMES, "frame", (begin, end), &args)?;
        let mut stages = std::mem::take(&mut self.stages);
        stages.clear();
        for (i, column) in columns.iter().enumerate().filter(|(_, column)| column.kind == Kind::Stage) {
            let at = columns.iter().position(|other| other.kind == Kind::Begin && other.name == column.name);
            let since = at.map_or(0.0, |at| frame.values[at].max(0.0));
            if frame.values[i] > 0.0 {
                stages.push((begin + ns(since), ns(frame.values[i]), i));
            }
        }
        stages.sort_unstable();
        let (mut last, mut step) = (begin, (begin, end));
        for &(from, length, i) in &stages {
            let from = from.clamp(last, end);
            let to = (from + length).min(end);
            self.slice(FRAMES, &columns[i].name, (from, to), "")?;
            if columns[i].name == "step" {
                step = (from, to);
                self.row(FRAMES, step, of_kind(columns, frame, Kind::Inner))?;
                self.threads(step, columns, frame)?;
            }
            last = to;
        }
        self.stages = stages;
        self.row(GPU, (step.0, i64::MAX), of_kind(columns, frame, Kind::Device))?;
        for (column, value) in columns.iter().zip(&frame.values) {
            if column.kind == Kind::Reading && COUNTERS.contains(&column.name.as_str()) && value.is_finite() {
                let name = serde_json::json!(format!("{} [{}]", column.name, column.unit));
                let ts = us(end);
                write!(
                    self.file,
                    ",\n{{\"ph\":\"C\",\"pid\":1,\"name\":{name},\"ts\":{ts},\"args\":{{\"value\":{value}}}}}"
                )?;
            }
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        let (name, ts) = (serde_json::json!(format!("{}: {}", event.kind, event.text)), us(ns(event.at_ms)));
        let args = serde_json::json!({ "frame": event.frame });
        write!(
            self.file,
            ",\n{{\"ph\":\"i\",\"s\":\"p\",\"pid\":1,\"tid\":{FRAMES},\"cat\":\"event\",\"name\":{name},\"ts\":{ts},\"args\":{args}}}"
        )
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn finish(&mut self, _: &[Column]) -> io::Result<()> {
        writeln!(self.file, "\n]")
    }
}
