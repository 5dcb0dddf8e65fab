//! Columns as they were before a frame, kept on the device: a frame that ends in NaN is undone with them, and history keeps
//! them. They come back only for who goes there.

use sim_api::Element;
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder};

use super::{Gpu, buffers, columns::Columns};
use weft_core::state::Snapshot;

/// Copies of columns on one device; the default has none.
#[derive(Default)]
pub struct Kept {
    gpu: Option<Box<Gpu>>,
    columns: Vec<Copied>,
}

struct Copied {
    table: String,
    column: String,
    element: Element,
    /// Of the column; its buffer may be larger.
    bytes: usize,
    buffer: Buffer,
}

impl Kept {
    /// Room for columns.
    pub fn new(gpu: &Gpu, columns: &Columns, which: &[usize]) -> Result<Self, String> {
        let copied = |column: &usize| {
            let info = &columns.list[*column];
            let (bytes, label) = (info.bytes(), info.variable());
            let what = format!("a copy of column {label}, {} MiB", bytes.div_ceil(1 << 20));
            let buffer = gpu.scoped(&what, || {
                gpu.device.create_buffer(&BufferDescriptor {
                    label: Some(&label),
                    size: buffers::size(bytes),
                    usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            })?;
            let (table, column) = (info.table.clone(), info.name.clone());
            Ok(Copied { table, column, element: info.element, bytes: bytes as usize, buffer })
        };
        gpu.fits(which.iter().map(|column| buffers::size(columns.list[*column].bytes())).sum())?;
        let columns = which.iter().map(copied).collect::<Result<_, String>>()?;
        Ok(Self { gpu: Some(Box::new(gpu.clone())), columns })
    }

    /// Whether these are copies of those columns, in their order, on that device.
    pub fn fits(&self, gpu: &Gpu, columns: &Columns, which: &[usize]) -> bool {
        self.gpu.as_ref().is_some_and(|own| own.device == gpu.device)
            && self.columns.len() == which.len()
            && self.columns.iter().zip(which).all(|(copied, column)| {
                let info = &columns.list[*column];
                (copied.column == info.name && copied.table == info.table)
                    && (copied.element, copied.bytes as u64) == (info.element, info.bytes())
            })
    }

    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Memory on the device [bytes].
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(|copied| copied.buffer.size() as usize).sum()
    }

    /// Copies the columns' buffers here, in the order of [`Kept::new`].
    pub fn take<'a>(&self, encoder: &mut CommandEncoder, from: impl Iterator<Item = &'a Buffer>) {
        for (copied, from) in self.columns.iter().zip(from) {
            encoder.copy_buffer_to_buffer(from, 0, &copied.buffer, 0, from.size().min(copied.buffer.size()));
        }
    }

    /// Copies them back.
    pub fn restore<'a>(&self, encoder: &mut CommandEncoder, to: impl Iterator<Item = &'a Buffer>) {
        for (copied, to) in self.columns.iter().zip(to) {
            encoder.copy_buffer_to_buffer(&copied.buffer, 0, to, 0, to.size().min(copied.buffer.size()));
        }
    }

    /// Reads all of them back into a snapshot of what else there was.
    pub fn read(&self, to: &mut Snapshot) -> Result<(), String> {
        let Some(gpu) = &self.gpu else { return Ok(()) };
        for copied in &self.columns {
            let rows = to.column_mut(&copied.table, &copied.column, copied.element, copied.bytes);
            buffers::read(gpu, &copied.buffer, rows)?;
        }
        Ok(())
    }
}
