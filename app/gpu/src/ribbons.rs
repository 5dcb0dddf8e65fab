//! What is drawn of strands, on the device: ribbons, what joins their places, and what hairs between strands read.
//!
//! ```text
//! positions between two frames ─ bend ─→ host: box, bends   (`Ribbons::measure`, with the cloth)
//!                              ─ ribbon ─→ vertices ─ join ─ scan ─ corner ─→ corners, host: how many, box   (`Ribbons::write`)
//!                                             └ texel ─→ texels
//! ```
//! Between the two the host decides how closely they are drawn (`weft_draw::Renderer::ribbon_jobs`). Vertices, corners and texels are buffers
//! of the picture, used where they lie.

use std::ops::Range;

use glam::Vec3;
use wgpu::{
    BindGroup, Buffer, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor, ComputePass,
    ComputePassDescriptor, ComputePipeline,
};

use super::{Gpu, Sources, buffers, surface};
use crate::in_context;
use weft_draw::{
    PaintedStrands, RibbonBuffers, RibbonJob, RibbonNumbers, RibbonsDone, ShaderError, StrandTables,
};

/// The file with the passes, and the one that goes on with it.
pub const FILES: [&str; 2] = ["shaders/sim/strand/ribbon.wgsl", "shaders/sim/strand/ribbon_corners.wgsl"];

/// Bindings of a pass.
type Entry = (&'static str, &'static [u32]);
const BEND: Entry = ("bend", &[0, 1, 2, 4]);
/// In their order.
const WRITE: [Entry; 5] = [
    ("ribbon", &[0, 1, 2, 3, 4, 5]),
    ("join", &[0, 1, 3, 5, 6, 7]),
    ("scan", &[0, 4, 7]),
    ("corner", &[0, 1, 4, 6, 7, 8]),
    ("texel", &[0, 4, 5, 9]),
];
const TEXEL: usize = 4;
const THREADS: u32 = 64;

/// Columns of `Told`: the box of particles, bends, the box of places, corners.
const TOLD: u64 = 17 * 4;
const PLACES: u64 = 7 * 4;
/// Bytes of a place's two vertices, and of a strand's counts.
const PLACE: u64 = 2 * 56;
const COUNTS: u64 = 6 * 4;
/// Both levels have segments of their own.
const SEGMENT: u64 = 2 * 8;

/// A list of strands of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrandList {
    /// Rows in the particle table.
    pub particles: Range<usize>,
    pub tables: StrandTables,
}

pub(crate) struct Ribbons {
    bend: ComputePipeline,
    write: Vec<ComputePipeline>,
    lists: Vec<List>,
    staging: Option<Buffer>,
}

/// A list with its tables as the device knows them.
struct List {
    strands: StrandList,
    /// Of `place` in `surface.wgsl`, and of the passes here.
    place: Buffer,
    numbers: Buffer,
    guides: Buffer,
    cuts: Buffer,
    /// Places as drawn [m].
    positions: Buffer,
    told: Buffer,
    bend: BindGroup,
    written: Option<Written>,
}

/// The buffers of the picture, and what is used for them.
struct Written {
    buffers: RibbonBuffers,
    groups: Vec<BindGroup>,
    bytes: u64,
}

/// Bytes of the largest buffer that a list of so many particles takes, of segments in one part.
pub(crate) fn largest(particles: usize) -> u64 {
    // A ring has a place more than particles, and has three of these at least.
    (particles as u64).div_ceil(3) * 4 * PLACE
}

impl Ribbons {
    pub(crate) fn new(gpu: &Gpu, sources: &Sources) -> Result<Self, ShaderError> {
        let text: String = FILES.iter().filter_map(|file| sources.text(file)).collect();
        let entries: Vec<&str> = [BEND].iter().chain(&WRITE).map(|(entry, _)| *entry).collect();
        let mut passes = surface::compile(gpu, FILES[0], text, &entries)?.into_iter();
        let bend = passes.next().ok_or_else(|| ShaderError::new(FILES[0], "empty"))?;
        Ok(Self { bend, write: passes.collect(), lists: Vec::new(), staging: None })
    }

    /// How many passes there are.
    pub(crate) fn count() -> usize {
        WRITE.len() + 1
    }

    pub(crate) fn bytes(&self) -> u64 {
        let own = |list: &List| {
            list.positions.size()
                + list.told.size()
                + list.written.as_ref().map_or(0, |written| written.bytes)
        };
        self.lists.iter().map(own).sum()
    }

    /// Takes over the tables of the picture, as far as they are others than before.
    pub(crate) fn adopt(&mut self, gpu: &Gpu, lists: &[StrandList]) -> Result<(), String> {
        if self.lists.iter().map(|list| &list.strands).eq(lists) {
            return Ok(());
        }
        self.lists.clear();
        for strands in lists {
            let list = List::new(gpu, &self.bend, strands)?;
            self.lists.push(list);
        }
        Ok(())
    }

    /// What the pass `place` of `surface.wgsl` binds for each list: its numbers, where drawn positions go, and the box around them.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&Range<usize>, [&Buffer; 3])> {
        self.lists.iter().map(|list| (&list.strands.particles, [&list.place, &list.positions, &list.told]))
    }

    /// Forgets what was found before.
    pub(crate) fn clear(&self, encoder: &mut CommandEncoder) {
        self.lists.iter().for_each(|list| encoder.clear_buffer(&list.told, 0, None));
    }

    /// Looks for bends, behind `place`.
    pub(crate) fn measure(&self, gpu: &Gpu, pass: &mut ComputePass) {
        for list in &self.lists {
            let numbers = list.strands.tables.numbers();
            gpu.queue.write_buffer(&list.numbers, 0, bytemuck::bytes_of(&numbers));
            pass.set_pipeline(&self.bend);
            pass.set_bind_group(0, &list.bend, &[]);
            pass.dispatch_workgroups(numbers.strands.div_ceil(numbers.asked).div_ceil(THREADS), 1, 1);
        }
    }

    /// Bytes of what all lists tell.
    pub(crate) fn told(&self) -> u64 {
        self.lists.len() as u64 * TOLD
    }

    /// Copies that to a staging buffer, from a byte on.
    pub(crate) fn tell(&self, encoder: &mut CommandEncoder, staging: &Buffer, first: u64) {
        for (list, at) in self.lists.iter().zip((first..).step_by(TOLD as usize)) {
            encoder.copy_buffer_to_buffer(&list.told, 0, staging, at, TOLD);
        }
    }

    /// Writes what is drawn.
    pub(crate) fn write(&mut self, gpu: &Gpu, jobs: &[RibbonJob]) -> Result<Vec<RibbonsDone>, String> {
        if jobs.is_empty() || jobs.iter().any(|job| job.list >= self.lists.len()) {
            // All was made anew since they were painted.
            return Ok(Vec::new());
        }
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        for job in jobs {
            let list = &mut self.lists[job.list];
            list.adopt(gpu, &self.write, job)?;
            gpu.queue.write_buffer(&list.numbers, 0, bytemuck::bytes_of(&job.numbers));
            encoder.clear_buffer(&list.told, PLACES, None);
        }
        {
            let descriptor = ComputePassDescriptor { label: Some("ribbons"), timestamp_writes: None };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            for job in jobs {
                let Some(written) = &self.lists[job.list].written else { continue };
                let strands = job.numbers.strands;
                let leveled = strands * job.numbers.different;
                let texels = if job.interpolated { job.buffers.places } else { 0 };
                // `scan` is one workgroup.
                let threads = [strands, leveled, THREADS, leveled, texels];
                for ((pipeline, group), threads) in self.write.iter().zip(&written.groups).zip(threads) {
                    pass.set_pipeline(pipeline);
                    pass.set_bind_group(0, group, &[]);
                    let [across, lines] = grid(gpu, threads);
                    pass.dispatch_workgroups(across, lines, 1);
                }
            }
        }
        let bytes = self.told();
        let staging = surface::staging(gpu, &mut self.staging, bytes)?.clone();
        self.tell(&mut encoder, &staging, 0);
        gpu.queue.submit([encoder.finish()]);
        let mut rows = vec![Row::default(); self.lists.len()];
        buffers::mapped(gpu, &staging, bytes, |bytes| {
            bytemuck::cast_slice_mut(&mut rows).copy_from_slice(bytes);
        })?;
        Ok(jobs.iter().map(|job| done(rows[job.list])).collect())
    }
}

/// A row of what is told.
type Row = [u32; (TOLD / 4) as usize];

/// What the host needs to know before anything is written.
pub(crate) fn measured(bytes: &[u8]) -> impl Iterator<Item = PaintedStrands> {
    let rows = bytes.chunks_exact(TOLD as usize).map(bytemuck::pod_read_unaligned::<Row>);
    rows.map(|row| PaintedStrands { bounds: bounds(&row[..6]), bulge: f32::from_bits(row[6]) })
}

fn done(row: Row) -> RibbonsDone {
    RibbonsDone { corners: std::array::from_fn(|i| row[13 + i]), bounds: bounds(&row[7..13]) }
}

/// A box; low corner above the high one if there is nothing in it.
fn bounds(found: &[u32]) -> [Vec3; 2] {
    let numbers = std::array::from_fn(|i| found[i]);
    surface::corners(numbers).unwrap_or([Vec3::INFINITY, Vec3::NEG_INFINITY])
}

/// Workgroups for so many threads.
fn grid(gpu: &Gpu, threads: u32) -> [u32; 2] {
    let groups = threads.div_ceil(THREADS);
    let lines = groups.div_ceil(gpu.limits.max_compute_workgroups_per_dimension);
    [groups.div_ceil(lines.max(1)), lines]
}

impl List {
    fn new(gpu: &Gpu, bend: &ComputePipeline, strands: &StrandList) -> Result<Self, String> {
        let make = |size: u64, usage| buffer(gpu, size, usage);
        let uniform = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let tables = strands.tables;
        let cut_rows = u64::from(tables.cut_rows).max(4);
        // SAFETY: the renderer of the context that `gpu` is on made both, of so many rows; who deletes them tells of others before
        // the next paint, or leaves the context with the device.
        let (guides, cuts) = unsafe {
            let guides = in_context::adopt(gpu, tables.guides, 32 * u64::from(tables.strands))?;
            (guides, in_context::adopt(gpu, tables.cuts, 4 * cut_rows)?)
        };
        let positions = make(16 * strands.particles.len() as u64, storage)?;
        let (numbers, told) = (make(size_of::<RibbonNumbers>() as u64, uniform)?, make(TOLD, storage)?);
        let bound = [&numbers, &guides, &positions, &cuts, &told];
        Ok(Self {
            bend: surface::group(gpu, FILES[0], bend, (BEND, &bound))?,
            strands: strands.clone(),
            place: make(16, uniform)?,
            numbers,
            guides,
            cuts,
            positions,
            told,
            written: None,
        })
    }

    /// Takes over what is written, if it is another one than before.
    fn adopt(&mut self, gpu: &Gpu, passes: &[ComputePipeline], job: &RibbonJob) -> Result<(), String> {
        let buffers = job.buffers;
        if self.written.as_ref().is_some_and(|written| written.buffers == buffers) {
            return Ok(());
        }
        self.written = None;
        let rows = [
            (buffers.vertices, PLACE * u64::from(buffers.places)),
            (buffers.corners, 4 * u64::from(buffers.corner_rows)),
            (buffers.texels, 4 * u64::from(buffers.texel_rows)),
        ];
        let most = gpu.most_bytes();
        if let Some((_, bytes)) = rows.iter().find(|(_, bytes)| *bytes > most) {
            return Err(format!("{bytes} bytes of strands to draw; {} binds at most {most}", gpu.info.name));
        }
        // SAFETY: as for the tables.
        let adopt = |(name, bytes)| unsafe { in_context::adopt(gpu, name, bytes) };
        let (vertices, corners) = (adopt(rows[0])?, adopt(rows[1])?);
        let texels = if buffers.texels == 0 { None } else { Some(adopt(rows[2])?) };
        let segments = SEGMENT * u64::from(buffers.places);
        let counts = COUNTS * u64::from(job.numbers.strands);
        let own = |size| buffer(gpu, size, BufferUsages::STORAGE);
        let (segments, counts) = (own(segments)?, own(counts)?);
        let bound = [
            &self.numbers,
            &self.guides,
            &self.positions,
            &self.cuts,
            &self.told,
            &vertices,
            &segments,
            &counts,
            &corners,
            // Where there are none, nothing binds them.
            texels.as_ref().unwrap_or(&corners),
        ];
        let entries = if texels.is_some() { &WRITE[..] } else { &WRITE[..TEXEL] };
        let groups = passes
            .iter()
            .zip(entries)
            .map(|(pass, entry)| surface::group(gpu, FILES[0], pass, (*entry, &bound)));
        let bytes = segments.size() + counts.size();
        self.written = Some(Written { buffers, groups: groups.collect::<Result<_, _>>()?, bytes });
        Ok(())
    }
}

fn buffer(gpu: &Gpu, size: u64, usage: BufferUsages) -> Result<Buffer, String> {
    let descriptor =
        BufferDescriptor { label: Some("ribbons"), size: size.max(16), usage, mapped_at_creation: false };
    gpu.scoped("memory for the picture of strands", || gpu.device.create_buffer(&descriptor))
}
