//! Columns on the device: one storage buffer each. They go there once and come back on demand, bit for bit.

use wgpu::{Buffer, BufferDescriptor, BufferUsages, MapMode};

use super::{
    Gpu, batches,
    columns::{ColumnInfo, Columns},
};

/// Most bytes on the way at a time.
const CHUNK: u64 = 64 << 20;
/// No buffer is smaller: an empty column is bound as well.
const LEAST: u64 = 16;

#[derive(Default)]
pub(crate) struct Buffers {
    buffers: Vec<Option<Buffer>>,
    /// The buffer behind each column; passes that swap columns exchange two entries.
    place: Vec<usize>,
}

impl Buffers {
    /// Buffers of the columns `used`, all zero.
    pub(crate) fn new(
        gpu: &Gpu,
        columns: &Columns,
        used: impl Iterator<Item = usize>,
    ) -> Result<Self, String> {
        let mut buffers: Vec<Option<Buffer>> = columns.list.iter().map(|_| None).collect();
        for column in used {
            buffers[column] = Some(of(gpu, &columns.list[column])?);
        }
        Ok(Self { place: (0..buffers.len()).collect(), buffers })
    }

    /// Makes a buffer for one more column, all zero.
    pub(crate) fn add(&mut self, gpu: &Gpu, columns: &Columns, column: usize) -> Result<(), String> {
        self.buffers[self.place[column]] = Some(of(gpu, &columns.list[column])?);
        Ok(())
    }

    pub(crate) fn has(&self, column: usize) -> bool {
        self.buffers[self.place[column]].is_some()
    }

    /// The buffer behind a column now. Equal numbers are equal buffers.
    pub(crate) fn place(&self, column: usize) -> usize {
        self.place[column]
    }

    /// # Panics
    /// If the column is not on the device.
    pub(crate) fn buffer(&self, place: usize) -> &Buffer {
        self.buffers[place].as_ref().expect("a bound column is on the device")
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        self.place.swap(a, b);
    }

    /// Bytes on the device.
    pub(crate) fn bytes(&self) -> u64 {
        self.buffers.iter().flatten().map(Buffer::size).sum()
    }

    /// Writes a column from its start. Returns whether its buffer had to be replaced by a larger one.
    pub(crate) fn upload(
        &mut self,
        gpu: &Gpu,
        column: usize,
        label: &str,
        bytes: &[u8],
    ) -> Result<bool, String> {
        let place = self.place[column];
        let grown = self.buffer(place).size() < bytes.len() as u64;
        if grown {
            self.buffers[place] = Some(make(gpu, label, bytes.len() as u64 * 2)?);
        }
        let buffer = self.buffer(place);
        for (chunk, start) in bytes.chunks(CHUNK as usize).zip((0..).step_by(CHUNK as usize)) {
            gpu.queue.write_buffer(buffer, start, chunk);
            if bytes.len() as u64 > CHUNK {
                // Else all chunks wait in staging memory at once.
                gpu.queue.submit([]);
                gpu.wait()?;
            }
        }
        Ok(grown)
    }

    /// Writes a part of a column.
    pub(crate) fn write(&self, gpu: &Gpu, column: usize, byte: u64, bytes: &[u8]) {
        gpu.queue.write_buffer(self.buffer(self.place[column]), byte, bytes);
    }

    /// Writes one number into a column.
    pub(crate) fn set(&self, gpu: &Gpu, column: usize, byte: u64, value: f32) {
        self.write(gpu, column, byte, &value.to_ne_bytes());
    }

    /// Reads a column back; waits for all work submitted before.
    pub(crate) fn read(&self, gpu: &Gpu, column: usize, to: &mut [u8]) -> Result<(), String> {
        read(gpu, self.buffer(self.place[column]), to)
    }
}

/// Reads a buffer from its start; waits for all work submitted before.
pub(crate) fn read(gpu: &Gpu, buffer: &Buffer, to: &mut [u8]) -> Result<(), String> {
    if to.is_empty() {
        return Ok(());
    }
    let size = (to.len() as u64).next_multiple_of(4).min(CHUNK);
    let staging = gpu.scoped("a buffer to read back", || {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        gpu.device.create_buffer(&BufferDescriptor {
            label: Some("staging"),
            size,
            usage,
            mapped_at_creation: false,
        })
    })?;
    for (chunk, start) in to.chunks_mut(CHUNK as usize).zip((0..).step_by(CHUNK as usize)) {
        let bytes = (chunk.len() as u64).next_multiple_of(4);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, start, &staging, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        mapped(gpu, &staging, bytes, |data| chunk.copy_from_slice(&data[..chunk.len()]))?;
    }
    Ok(())
}

/// Maps the start of a staging buffer, hands it over and unmaps it.
pub(crate) fn mapped(
    gpu: &Gpu,
    staging: &Buffer,
    bytes: u64,
    take: impl FnOnce(&[u8]),
) -> Result<(), String> {
    let (tell, told) = std::sync::mpsc::channel();
    staging.map_async(MapMode::Read, ..bytes, move |result| _ = tell.send(result));
    gpu.wait()?;
    told.try_recv()
        .map_err(|_| "the device did not answer".to_string())
        .and_then(|result| result.map_err(|error| error.to_string()))
        .and_then(|()| {
            staging.get_mapped_range(..bytes).map(|view| take(&view)).map_err(|error| error.to_string())
        })
        .map_err(|why| format!("{}: cannot read back: {why}", gpu.info.name))?;
    staging.unmap();
    gpu.count_read(bytes);
    Ok(())
}

/// Bytes of the buffer of a column.
pub(crate) fn size(bytes: u64) -> u64 {
    bytes.next_multiple_of(4).max(LEAST)
}

/// Memory for a column.
fn of(gpu: &Gpu, info: &ColumnInfo) -> Result<Buffer, String> {
    let most = gpu.most_bytes();
    let room = || {
        if info.table == batches::NODES {
            return batches::words(most);
        }
        let (rows, n) = (most / info.element.size() as u64, gpu.largest_grid(None).0);
        format!("{rows} rows of it; the largest square grid here has {n} x {n} particles")
    };
    let made = make(gpu, &format!("{}.{}", info.table, info.name), info.bytes());
    made.map_err(|why| if size(info.bytes()) > most { format!("{why}: {}", room()) } else { why })
}

fn make(gpu: &Gpu, label: &str, bytes: u64) -> Result<Buffer, String> {
    let (size, most) = (size(bytes), gpu.most_bytes());
    if size > most {
        return Err(format!(
            "column {label} takes {} MiB, this adapter binds at most {} MiB at once",
            size.div_ceil(1 << 20),
            most >> 20,
        ));
    }
    gpu.scoped(&format!("column {label}, {} MiB", size.div_ceil(1 << 20)), || {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        gpu.device.create_buffer(&BufferDescriptor {
            label: Some(label),
            size,
            usage,
            mapped_at_creation: false,
        })
    })
}
