//! `.weft`: everything, compact, whole after any cut. See `format.rs` for the layout.

use std::{
    io::{self, Write},
    path::Path,
};

use weft_core::files;

use super::Writer;
use crate::{
    format::{self, COLUMNS, EVENT, FRAME, HEAD, MAGIC, VERSION},
    recording::{Column, Event, Frame, Head, Kind},
};

struct Binary {
    file: files::Writer,
    /// The record that is being made; used again, so that a frame allocates nothing.
    record: Vec<u8>,
    /// Columns that the file knows.
    known: usize,
}

pub(super) fn create(path: &Path, head: &Head) -> io::Result<Box<dyn Writer>> {
    let mut file = files::create(path)?;
    file.write_all(MAGIC)?;
    file.write_all(&VERSION.to_le_bytes())?;
    let mut binary = Binary { file, record: Vec::new(), known: 0 };
    binary.json(HEAD, head)?;
    binary.file.flush()?;
    Ok(Box::new(binary))
}

impl Binary {
    fn begin(&mut self, kind: u8) {
        self.record.clear();
        self.record.push(kind);
        self.record.extend([0; 4]);
    }

    /// Closes the record and writes it at once, so that a cut falls between two or into one.
    fn end(&mut self) -> io::Result<()> {
        let length = (self.record.len() - format::AROUND.0) as u32;
        self.record[1..format::AROUND.0].copy_from_slice(&length.to_le_bytes());
        let check = format::check(&self.record);
        self.record.extend(check);
        self.file.write_all(&self.record)
    }

    fn json(&mut self, kind: u8, value: &impl serde::Serialize) -> io::Result<()> {
        self.begin(kind);
        serde_json::to_writer(&mut self.record, value)?;
        self.end()
    }
}

impl Writer for Binary {
    fn frame(&mut self, columns: &[Column], frame: &Frame) -> io::Result<()> {
        if columns.len() > self.known {
            self.json(COLUMNS, &&columns[self.known..])?;
            self.known = columns.len();
        }
        self.begin(FRAME);
        let fixed = [
            frame.number.to_le_bytes(),
            frame.time_s.to_le_bytes(),
            frame.at_ms.to_le_bytes(),
            frame.wall_ms.to_le_bytes(),
            frame.particles.to_le_bytes(),
            frame.constraints.to_le_bytes(),
        ];
        fixed.iter().for_each(|bytes| self.record.extend(bytes));
        let bits = self.record.len();
        self.record.resize(bits + columns.len().div_ceil(8), 0);
        for (i, (column, value)) in columns.iter().zip(&frame.values).enumerate() {
            if value.is_nan() {
                continue;
            }
            self.record[bits + i / 8] |= 1 << (i % 8);
            if column.kind == Kind::Reading {
                self.record.extend(value.to_le_bytes());
            } else {
                self.record.extend((*value as f32).to_le_bytes());
            }
        }
        self.end()
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.json(EVENT, event)
    }

    fn tape(&mut self, kind: u8, parts: &[&[u8]]) -> io::Result<()> {
        self.begin(kind);
        parts.iter().for_each(|part| self.record.extend_from_slice(part));
        self.end()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn finish(&mut self, _: &[Column]) -> io::Result<()> {
        Ok(())
    }
}
