//! What is drawn, on the device: positions between two frames, normals, curvature and the box around all cloth.
//!
//! ```text
//! particle.position, before ─ place ─→ positions to draw ─ ring ─→ normals, curvature ─ smooth_curvature ─→ normals
//!                               └→ box around all cloth
//! ```
//! The last two columns of that are vertex buffers of the picture, used where they lie. Of strands it is positions and boxes alone:
//! [`ribbons`] goes on with them.

use std::ops::Range;

use glam::Vec3;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor, BufferUsages, CommandEncoder,
    CommandEncoderDescriptor, ComputePassDescriptor, ComputePipeline, ComputePipelineDescriptor,
    PipelineCompilationOptions, ShaderModuleDescriptor, ShaderSource,
};

use super::{
    Gpu, Sources,
    buffers::{self, Buffers},
    columns::Columns,
    ribbons::{self, Ribbons, StrandList},
};
use crate::in_context;
use weft_draw::{PaintedStrands, ShaderError, VertexNames};

/// The file with the three passes.
pub const FILE: &str = "shaders/sim/step/surface.wgsl";
/// Columns that they read besides positions.
const READ: [(&str, &str); 3] = [("particle", "fan"), ("fan", "triangle"), ("triangle", "idx")];
const THREADS: u32 = 128;
/// Columns of the box around all cloth.
const BOUNDS: u64 = 6 * 4;

/// Name of a pass, and the bindings that it has.
pub(super) const PASSES: [(&str, &[u32]); 3] = [
    ("place", &[0, 1, 2, 3, 4]),
    ("ring", &[0, 3, 5, 6, 7, 8, 9]),
    ("smooth_curvature", &[0, 5, 6, 7, 8, 9]),
];

/// A cloth of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Rows in the particle table.
    pub particles: Range<usize>,
    /// The vertex buffers that it is drawn from.
    pub vertices: VertexNames,
}

pub struct Surface {
    passes: Vec<ComputePipeline>,
    /// Positions before the last frame; of no meaning until there was one.
    before: Buffer,
    has_before: bool,
    /// Place of the positions' buffer before passes swap it.
    place: Option<usize>,
    curvature: Buffer,
    bounds: Buffer,
    staging: Option<Buffer>,
    sheets: Vec<Adopted>,
    /// Where there are strands.
    pub(super) ribbons: Option<Ribbons>,
    /// Pictures are shown between two frames as well.
    pub between: bool,
}

/// What was painted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Painted {
    /// The box around all cloth, low and high corner [m]; `None` if there is none.
    pub cloth: Option<[Vec3; 2]>,
    /// Of each list of strands.
    pub strands: Vec<PaintedStrands>,
}

/// A sheet with its vertex buffers as the device knows them.
struct Adopted {
    sheet: Sheet,
    positions: Buffer,
    normals: Buffer,
    numbers: Buffer,
}

/// Columns that have to be on the device for it.
pub(super) fn reads(columns: &Columns) -> impl Iterator<Item = usize> {
    let position = columns.index("particle", "position").into_iter();
    position.chain(READ.into_iter().filter_map(|(table, column)| columns.index(table, column)))
}

impl Surface {
    /// For so many particles; `strands`: some of them are those of strands.
    pub(super) fn new(
        gpu: &Gpu,
        sources: &Sources,
        particles: usize,
        strands: bool,
    ) -> Result<Self, ShaderError> {
        let text = sources.text(FILE).unwrap_or_default().to_string();
        let fail = |message: String| ShaderError::new(FILE, message);
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let buffer = |label: &str, size: u64, usage| {
            gpu.scoped(label, || {
                gpu.device.create_buffer(&BufferDescriptor {
                    label: Some(label),
                    size: size.max(16),
                    usage,
                    mapped_at_creation: false,
                })
            })
            .map_err(fail)
        };
        let rows = particles as u64;
        Ok(Self {
            passes: compile(gpu, FILE, text, &PASSES.map(|(entry, _)| entry))?,
            before: buffer("positions before", rows * 16, storage)?,
            has_before: false,
            place: None,
            curvature: buffer("curvature", rows * 4, storage)?,
            bounds: buffer("bounds", BOUNDS, storage)?,
            staging: None,
            ribbons: strands.then(|| Ribbons::new(gpu, sources)).transpose()?,
            sheets: Vec::new(),
            between: true,
        })
    }

    /// Bytes on the device; the vertex buffers are the picture's.
    pub fn bytes(&self) -> u64 {
        let ribbons = self.ribbons.as_ref().map_or(0, Ribbons::bytes);
        ribbons + [&self.before, &self.curvature, &self.bounds].map(Buffer::size).iter().sum::<u64>()
    }

    /// How many there are.
    pub(super) fn passes(&self) -> usize {
        self.passes.len() + self.ribbons.as_ref().map_or(0, |_| Ribbons::count())
    }

    /// Before a frame is recorded: where the positions are that it begins with.
    pub(super) fn begin(&mut self, place: usize) {
        self.place = Some(place);
    }

    /// Puts the copy of those positions into the frame, before its passes.
    pub(super) fn keep(&mut self, encoder: &mut CommandEncoder, state: &Buffers) {
        if let (true, Some(place)) = (self.between, self.place.take()) {
            let position = state.buffer(place);
            encoder.copy_buffer_to_buffer(
                position,
                0,
                &self.before,
                0,
                position.size().min(self.before.size()),
            );
            self.has_before = true;
        }
    }

    /// Writes what is drawn of `sheets`, a `share` of the way between the last two frames, and looks at `strands` there.
    pub(super) fn paint(
        &mut self,
        gpu: &Gpu,
        columns: &Columns,
        state: &Buffers,
        (sheets, strands): (&[Sheet], &[StrandList]),
        share: f32,
    ) -> Result<Painted, String> {
        let share = if self.has_before { share } else { 1.0 };
        let column = |table: &str, name: &str| {
            let found = columns.index(table, name).filter(|column| state.has(*column));
            let found = found.ok_or_else(|| format!("column {table}.{name} is not on the device"))?;
            Ok::<_, String>(state.buffer(state.place(found)))
        };
        let position = column("particle", "position")?;
        self.adopt(gpu, sheets)?;
        let lists = self.ribbons.as_mut().map(|ribbons| ribbons.adopt(gpu, strands).map(|()| &*ribbons));
        let lists = lists.transpose()?;
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        encoder.clear_buffer(&self.bounds, 0, None);
        for adopted in &self.sheets {
            let [fan, fan_triangle, idx] = READ.map(|(table, name)| column(table, name));
            let (fan, fan_triangle, idx) = (fan?, fan_triangle?, idx?);
            let grid = Grid::of(gpu, &adopted.sheet.particles, share);
            gpu.queue.write_buffer(&adopted.numbers, 0, &grid.bytes());
            let buffers = [
                &adopted.numbers,
                &self.before,
                position,
                &adopted.positions,
                &self.bounds,
                fan,
                fan_triangle,
                idx,
                &adopted.normals,
                &self.curvature,
            ];
            let groups = self
                .passes
                .iter()
                .zip(&PASSES)
                .map(|(pass, entry)| group(gpu, FILE, pass, (*entry, &buffers)));
            let groups = groups.collect::<Result<Vec<_>, _>>()?;
            let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor {
                label: Some("surface"),
                timestamp_writes: None,
            });
            for (pipeline, group) in self.passes.iter().zip(&groups) {
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(grid.across, grid.lines, 1);
            }
        }
        if let Some(lists) = lists {
            lists.clear(&mut encoder);
            let mut groups = Vec::new();
            for (particles, [numbers, positions, bounds]) in lists.places() {
                let grid = Grid::of(gpu, particles, share);
                gpu.queue.write_buffer(numbers, 0, &grid.bytes());
                let buffers = [numbers, &self.before, position, positions, bounds];
                groups.push((grid, group(gpu, FILE, &self.passes[0], (PASSES[0], &buffers))?));
            }
            let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor {
                label: Some("strands"),
                timestamp_writes: None,
            });
            for (grid, group) in &groups {
                pass.set_pipeline(&self.passes[0]);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(grid.across, grid.lines, 1);
            }
            lists.measure(gpu, &mut pass);
        }
        let bytes = BOUNDS + lists.map_or(0, Ribbons::told);
        let staging = staging(gpu, &mut self.staging, bytes)?;
        encoder.copy_buffer_to_buffer(&self.bounds, 0, staging, 0, BOUNDS);
        lists.iter().for_each(|lists| lists.tell(&mut encoder, staging, BOUNDS));
        gpu.queue.submit([encoder.finish()]);
        let mut painted = Painted::default();
        buffers::mapped(gpu, staging, bytes, |bytes| {
            let (cloth, strands) = bytes.split_at(BOUNDS as usize);
            painted.cloth = corners(bytemuck::pod_read_unaligned(cloth));
            painted.strands.extend(ribbons::measured(strands));
        })?;
        Ok(painted)
    }

    /// Takes over the vertex buffers of the picture, as far as they are others than before.
    fn adopt(&mut self, gpu: &Gpu, sheets: &[Sheet]) -> Result<(), String> {
        let sheets = sheets.iter().filter(|sheet| !sheet.particles.is_empty());
        if self.sheets.iter().map(|adopted| &adopted.sheet).eq(sheets.clone()) {
            return Ok(());
        }
        self.sheets.clear();
        for sheet in sheets {
            let bytes = sheet.particles.len() as u64 * 16;
            let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
            let descriptor =
                BufferDescriptor { label: Some("surface"), size: 16, usage, mapped_at_creation: false };
            let [positions, normals] = [sheet.vertices.positions, sheet.vertices.normals];
            // SAFETY: the renderer of the context that `gpu` is on made both for this sheet's particles; who deletes them asks
            // for new ones before the next paint, or leaves the context with the device.
            let (positions, normals) = unsafe {
                (in_context::adopt(gpu, positions, bytes)?, in_context::adopt(gpu, normals, bytes)?)
            };
            self.sheets.push(Adopted {
                sheet: sheet.clone(),
                positions,
                normals,
                numbers: gpu.scoped("16 bytes", || gpu.device.create_buffer(&descriptor))?,
            });
        }
        Ok(())
    }
}

/// The entry points of a text as pipelines; `file` is what mistakes are told of.
pub(super) fn compile(
    gpu: &Gpu,
    file: &str,
    text: String,
    entries: &[&str],
) -> Result<Vec<ComputePipeline>, ShaderError> {
    let made = gpu.scoped("it does not compile", || {
        let source = ShaderSource::Wgsl(text.into());
        let module = gpu.device.create_shader_module(ShaderModuleDescriptor { label: Some(file), source });
        let make = |entry: &&str| {
            gpu.device.create_compute_pipeline(&ComputePipelineDescriptor {
                label: Some(entry),
                layout: None,
                module: &module,
                entry_point: Some(entry),
                compilation_options: PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        entries.iter().map(make).collect()
    });
    made.map_err(|message| ShaderError::new(file, message))
}

/// What a pass binds of `buffers`.
pub(super) fn group(
    gpu: &Gpu,
    file: &str,
    pass: &ComputePipeline,
    ((name, bindings), buffers): ((&str, &[u32]), &[&Buffer]),
) -> Result<BindGroup, String> {
    let entry = |binding: &u32| BindGroupEntry {
        binding: *binding,
        resource: buffers[*binding as usize].as_entire_binding(),
    };
    let entries: Vec<BindGroupEntry> = bindings.iter().map(entry).collect();
    gpu.scoped(file, || {
        let layout = &pass.get_bind_group_layout(0);
        gpu.device.create_bind_group(&BindGroupDescriptor { label: Some(name), layout, entries: &entries })
    })
}

/// Memory for so many bytes that are read back, kept from picture to picture.
pub(super) fn staging<'a>(gpu: &Gpu, kept: &'a mut Option<Buffer>, bytes: u64) -> Result<&'a Buffer, String> {
    let fits = kept.take_if(|staging| staging.size() >= bytes);
    let staging = match fits {
        Some(staging) => staging,
        None => gpu.scoped("memory to read back", || {
            gpu.device.create_buffer(&BufferDescriptor {
                label: Some("staging"),
                size: bytes.max(16),
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?,
    };
    Ok(kept.insert(staging))
}

/// How the rows of a sheet are spread over workgroups.
struct Grid {
    first: u32,
    end: u32,
    across: u32,
    lines: u32,
    share: f32,
}

impl Grid {
    fn of(gpu: &Gpu, particles: &Range<usize>, share: f32) -> Self {
        let groups = (particles.len() as u32).div_ceil(THREADS);
        let lines = groups.div_ceil(gpu.limits.max_compute_workgroups_per_dimension);
        let across = groups.div_ceil(lines.max(1));
        Self { first: particles.start as u32, end: particles.end as u32, across, lines, share }
    }

    fn bytes(&self) -> Vec<u8> {
        let line = self.across * THREADS;
        [self.first, self.end, line, self.share.to_bits()].iter().flat_map(|n| n.to_ne_bytes()).collect()
    }
}

/// The numbers of the box, ordered bits again as coordinates [m].
pub(super) fn corners(found: [u32; 6]) -> Option<[Vec3; 2]> {
    let number =
        |ordered: u32| f32::from_bits(if ordered & 1 << 31 == 0 { !ordered } else { ordered & !(1 << 31) });
    let [a, b, c, d, e, f] = found;
    let none = found == [0; 6];
    (!none).then(|| [Vec3::from([!a, !b, !c].map(number)), Vec3::from([d, e, f].map(number))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(x: f32) -> u32 {
        let bits = x.to_bits();
        if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
    }

    #[test]
    fn corners_come_back_from_ordered_bits() {
        let (low, high) = ([-2.5, 0.0, 1e-3], [-1.0, 0.0, 7.25]);
        let [a, b, c] = low.map(|x| !ordered(x));
        let [d, e, f] = high.map(ordered);
        assert_eq!(corners([a, b, c, d, e, f]), Some([Vec3::from(low), Vec3::from(high)]));
        assert!(ordered(-2.0) < ordered(-1.0) && ordered(-1.0) < ordered(0.5) && ordered(0.5) < ordered(2.0));
        assert_eq!(corners([0; 6]), None);
    }
}
