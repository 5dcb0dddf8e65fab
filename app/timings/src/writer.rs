//! Writing: [`Log`] collects the numbers of a frame by column and hands them to the writer of its format.

mod binary;
mod csv;
mod trace;
mod trim;

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use weft_core::{clock::Instant, command::CommandError, files};

use crate::{
    format, machine,
    recording::{Column, Event, Frame, Head, Kind},
};

/// An interrupted program loses at most this much.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// One format. Columns are only ever added behind those that there are.
trait Writer {
    fn frame(&mut self, columns: &[Column], frame: &Frame) -> io::Result<()>;
    fn event(&mut self, event: &Event) -> io::Result<()>;
    /// A record of the tape. Tables have no place for it.
    fn tape(&mut self, _kind: u8, _parts: &[&[u8]]) -> io::Result<()> {
        Ok(())
    }
    fn flush(&mut self) -> io::Result<()>;
    /// The clean end of the file.
    fn finish(&mut self, columns: &[Column]) -> io::Result<()>;
}

/// The formats: extension, what makes a writer of a file, and what leaves of one that was cut what is whole.
const FORMATS: [(&str, Make, Trim); 3] = [
    // It is read up to where it was cut.
    (".weft", binary::create, |_| Ok(())),
    (".csv", csv::create, csv::trim),
    (".trace.json", trace::create, trace::trim),
];
type Make = fn(&Path, &Head) -> io::Result<Box<dyn Writer>>;
type Trim = fn(&Path) -> io::Result<()>;

/// That of a recording which could not go on, and why.
struct Ended(io::ErrorKind, String);

impl Ended {
    fn again(&self) -> io::Result<()> {
        Err(io::Error::new(self.0, self.1.clone()))
    }
}

impl Writer for Ended {
    fn frame(&mut self, _: &[Column], _: &Frame) -> io::Result<()> {
        self.again()
    }
    fn event(&mut self, _: &Event) -> io::Result<()> {
        self.again()
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn finish(&mut self, _: &[Column]) -> io::Result<()> {
        Ok(())
    }
}

/// A recording that is being written.
pub struct Log {
    file: PathBuf,
    writer: Box<dyn Writer>,
    trim: Trim,
    columns: Vec<Column>,
    /// The frame at hand.
    frame: Frame,
    /// Where the next column is looked for first: frame by frame they come in one order.
    next: usize,
    frames: u64,
    last_flush: Instant,
    ended: bool,
}

impl Log {
    /// Creates the file; its extension says the format. The start time and the scene's hash are filled in here.
    pub fn create(file: &Path, mut head: Head) -> Result<Self, CommandError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let format = FORMATS.iter().find(|(end, ..)| name.len() > end.len() && name.ends_with(end));
        let Some((_, make, trim)) = format else {
            return Err(CommandError::Usage(format!(
                "cannot record to {}: the file name must end in .weft (all of it, for `weft report` and `weft compare`), \
                 .csv (a table) or .trace.json (for ui.perfetto.dev)",
                file.display()
            )));
        };
        head.time_unix = machine::now_unix();
        head.scene_hash = machine::hash(&head.scene_text);
        let parts = [file.to_path_buf(), csv::events_of(file)];
        let new: Vec<_> = parts.into_iter().filter(|part| !part.exists()).collect();
        let writer = make(file, &head).map_err(|e| {
            // Where there is no room, nothing half made stays.
            new.iter().for_each(|part| _ = std::fs::remove_file(part));
            format!("cannot create {}: {e}", file.display())
        })?;
        Ok(Self {
            file: file.to_path_buf(),
            writer,
            trim: *trim,
            columns: Vec::new(),
            frame: Frame::default(),
            next: 0,
            frames: 0,
            last_flush: Instant::now(),
            ended: false,
        })
    }

    /// Index of a column, which is added if there is none.
    pub fn column(&mut self, kind: Kind, name: &str, unit: &str) -> usize {
        let is = |column: &Column| column.kind == kind && column.name == name;
        let found = self.columns.get(self.next).is_some_and(is).then_some(self.next);
        let index = found.or_else(|| self.columns.iter().position(is)).unwrap_or(self.columns.len());
        if index == self.columns.len() {
            self.columns.push(Column::new(kind, name, unit));
            self.frame.values.push(f64::NAN);
        }
        self.next = index + 1;
        index
    }

    /// A number of the frame at hand.
    pub fn set(&mut self, column: usize, value: f64) {
        self.frame.values[column] = value;
    }

    /// The same by name.
    pub fn put(&mut self, kind: Kind, name: &str, unit: &str, value: f64) {
        let column = self.column(kind, name, unit);
        self.set(column, value);
    }

    /// Writes the frame with what was set for it, and begins the next; `fixed.values` is not read.
    pub fn frame(&mut self, fixed: &Frame) -> Result<(), String> {
        let Frame { number, time_s, at_ms, wall_ms, particles, constraints, .. } = *fixed;
        let values = std::mem::take(&mut self.frame.values);
        self.frame = Frame { number, time_s, at_ms, wall_ms, particles, constraints, values };
        self.writer.frame(&self.columns, &self.frame).map_err(|e| self.failed(&e))?;
        self.frame.values.fill(f64::NAN);
        self.next = 0;
        self.frames += 1;
        if self.last_flush.elapsed() >= FLUSH_EVERY { self.flush() } else { Ok(()) }
    }

    /// Writes an event, and all that came before it.
    pub fn event(&mut self, event: &Event) -> Result<(), String> {
        self.writer.event(event).map_err(|e| self.failed(&e))?;
        self.flush()
    }

    /// Whether the format has a place for what a replay needs.
    pub fn has_tape(&self) -> bool {
        self.file.extension().is_some_and(|end| end == "weft")
    }

    /// Writes a record of the tape, its payload in parts. One that is too long for the format is refused.
    pub fn tape(&mut self, kind: u8, parts: &[&[u8]]) -> Result<(), String> {
        debug_assert!(format::TAPE.contains(&kind));
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > format::LONGEST {
            return Err(format!(
                "{}: a state of {} MB is too large for a recording",
                self.file.display(),
                length / 1_000_000
            ));
        }
        self.writer.tape(kind, parts).map_err(|e| self.failed(&e))
    }

    /// Writes out what is buffered.
    pub fn flush(&mut self) -> Result<(), String> {
        self.last_flush = Instant::now();
        self.writer.flush().map_err(|e| self.failed(&e))
    }

    /// Ends the file; nothing may follow.
    pub fn finish(&mut self) -> Result<(), String> {
        if std::mem::replace(&mut self.ended, true) {
            return Ok(());
        }
        self.writer.finish(&self.columns).map_err(|e| self.failed(&e))?;
        self.flush()
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Written so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Ends a recording that cannot go on: what is whole of it stays.
    fn failed(&mut self, error: &io::Error) -> String {
        if !std::mem::replace(&mut self.ended, true) {
            // What the writer still holds tries the disk once more as it goes.
            self.writer = Box::new(Ended(error.kind(), error.to_string()));
            let _ = (self.trim)(&self.file);
        }
        let kept = if files::size(&self.file).is_some() { "; what is whole of it stays" } else { "" };
        let hint = match error.kind() {
            io::ErrorKind::StorageFull => "; free some space, or record to another disk",
            io::ErrorKind::BrokenPipe => "; whoever read it went away",
            _ => "",
        };
        format!("cannot write {}: {error}{hint}{kept}", self.file.display())
    }
}

impl Drop for Log {
    /// A program that ends by itself leaves a whole file.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}
