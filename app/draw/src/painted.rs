//! Strands whose places are on a device, which writes what they are drawn from as well.
//!
//! ```text
//! tables ─► device: box, bends ─► jobs: parts of a segment, what a picture shows ─► device: ribbons, corners ─► done: how many
//! ```
//! The host has the tables, which change with what strands there are and where they are cut, and decides how closely they are drawn, as
//! for strands in its own memory (`strand.rs`). Numbers are not shown so: they are the host's.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use miniquad::{BufferId, BufferSource, BufferType, RenderingBackend};

use super::StrandsView;
use super::corners::Shown;
use super::curve;
use super::detail::{Detail, drawn_to};
use super::guide_maps::GuideMaps;
use super::named::named;
use super::ribbon::{Vertex, points};
use super::strand::LEVELS;

/// Tables of a list of strands in buffers of the picture, by their names in OpenGL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StrandTables {
    /// A new number whenever one is another buffer.
    pub made: u64,
    /// Rows of 32 bytes, one a strand.
    pub guides: u32,
    pub strands: u32,
    /// A number for each particle; one for all where nothing is cut.
    pub cuts: u32,
    pub cut_rows: u32,
    pub particles: u32,
}

/// What a device found in the places of a list, before it writes anything that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaintedStrands {
    /// The box around its particles, low and high corner [m].
    pub bounds: [Vec3; 2],
    /// How far splines lie from straight segments [m].
    pub bulge: f32,
}

/// Buffers of a list that a device writes, by their names in OpenGL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RibbonBuffers {
    /// A new number whenever one is another buffer.
    pub made: u64,
    /// Of both sides of each place, 56 bytes.
    pub vertices: u32,
    /// Indices of vertices, as many as there are for all levels.
    pub corners: u32,
    pub corner_rows: u32,
    /// What hairs between strands read; 0: there is none.
    pub texels: u32,
    pub texel_rows: u32,
    /// Places, all strands together.
    pub places: u32,
}

/// `List` of `ribbon.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct RibbonNumbers {
    turn: [f32; 4],
    levels: [RibbonLevel; LEVELS],
    pub different: u32,
    pub strands: u32,
    pub particles: u32,
    places: u32,
    parts: u32,
    cuts: u32,
    /// One strand of so many is asked for its bends.
    pub asked: u32,
    unused: u32,
}

/// `Level` of `ribbon.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct RibbonLevel {
    tolerance: f32,
    segments: f32,
    end: f32,
    flags: u32,
}

const LINES: u32 = 1;
const POINTS: u32 = 2;

/// `Guide` of `ribbon.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct GuideRow {
    span: [u32; 3],
    flags: u32,
    aside: [f32; 3],
    /// Segments of all strands before.
    before: u32,
}

const CLOSED: u32 = 1;
const HELD: u32 = 2;

/// What is to be written of a list for a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RibbonJob {
    /// Its place among those that are on the device.
    pub list: usize,
    id: u64,
    pub buffers: RibbonBuffers,
    pub numbers: RibbonNumbers,
    /// Hairs lie between strands.
    pub interpolated: bool,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RibbonsDone {
    /// Corners of ribbons and lines, of the first level and of the second.
    pub corners: [u32; 4],
    /// The box around all places, low and high corner [m].
    pub bounds: [Vec3; 2],
}

/// A list of strands.
struct Painted {
    id: u64,
    pieces: u64,
    tables: StrandTables,
    kept: [BufferId; 2],
    ribbons: Option<PaintedRibbons>,
    last_drawn: u64,
}

/// What is drawn of it, of segments in so many parts.
pub(crate) struct PaintedRibbons {
    parts: u32,
    buffers: RibbonBuffers,
    pub(crate) vertices: BufferId,
    pub(crate) indices: BufferId,
    texels: Option<BufferId>,
    pub(crate) maps: GuideMaps,
    /// By level.
    pub(crate) shown: [Shown; LEVELS],
}

/// The GL side of all strands on a device that were drawn lately.
#[derive(Default)]
pub(crate) struct PaintedMeshes {
    lists: Vec<Painted>,
    made: u64,
}

impl StrandTables {
    /// As far as they say something.
    pub fn numbers(&self) -> RibbonNumbers {
        RibbonNumbers {
            strands: self.strands,
            particles: self.particles,
            cuts: u32::from(self.cut_rows > 1),
            asked: curve::asked(self.strands as usize) as u32,
            ..RibbonNumbers::zeroed()
        }
    }
}

impl PaintedMeshes {
    /// Those of each list, made if it has none yet.
    pub(crate) fn tables(
        &mut self,
        gl: &mut dyn RenderingBackend,
        lists: &[StrandsView<'_>],
        picture: u64,
    ) -> Vec<StrandTables> {
        let mut of = |list: &StrandsView<'_>| {
            let stale = |known: &Painted| known.id == list.id && known.pieces != list.pieces;
            if let Some(index) = self.lists.iter().position(stale) {
                self.lists.swap_remove(index).delete(gl);
            }
            let index = self.lists.iter().position(|known| known.id == list.id).unwrap_or_else(|| {
                self.made += 1;
                self.lists.push(Painted::new(gl, list, self.made));
                self.lists.len() - 1
            });
            self.lists[index].last_drawn = picture;
            self.lists[index].tables
        };
        lists.iter().map(&mut of).collect()
    }

    /// What a device is to write of those of `lists` that are there, for pictures and maps with `details`.
    pub(crate) fn jobs(
        &mut self,
        gl: &mut dyn RenderingBackend,
        lists: &[StrandsView<'_>],
        details: [Detail; LEVELS],
    ) -> Vec<RibbonJob> {
        let painted = lists.iter().filter(|list| list.painted.is_some());
        let mut jobs = Vec::new();
        for (place, list) in painted.enumerate() {
            let Some(known) = self.lists.iter_mut().find(|known| known.id == list.id) else { continue };
            let present = known.ribbons.as_ref().map_or(1, |ribbons| ribbons.parts);
            let parts = curve::parts(list, details[0], present);
            if let Some(stale) = known.ribbons.take_if(|ribbons| ribbons.parts != parts) {
                stale.delete(gl);
            }
            let ribbons = known.ribbons.get_or_insert_with(|| {
                self.made += 1;
                PaintedRibbons::new(gl, list, parts, self.made)
            });
            let turn = list.turn.to_array();
            let levels = details.map(|detail| RibbonLevel::of(list, detail, ribbons));
            let different = if details[0] == details[1] { 1 } else { LEVELS as u32 };
            let places = ribbons.buffers.places;
            let numbers = RibbonNumbers { turn, levels, different, places, parts, ..known.tables.numbers() };
            let (buffers, interpolated) = (ribbons.buffers, list.is_interpolated());
            jobs.push(RibbonJob { list: place, id: list.id, buffers, numbers, interpolated });
        }
        jobs
    }

    /// What was written is drawn from now on.
    pub(crate) fn take(&mut self, gl: &mut dyn RenderingBackend, job: &RibbonJob, done: &RibbonsDone) {
        let known = self.lists.iter_mut().find(|known| known.id == job.id);
        let ribbons = known.and_then(|known| known.ribbons.as_mut());
        if let Some(ribbons) = ribbons.filter(|ribbons| ribbons.buffers == job.buffers) {
            ribbons.take(gl, job, done);
        }
    }

    /// What is drawn of a list, once it was written.
    pub(crate) fn of(&self, list: &StrandsView<'_>) -> Option<&PaintedRibbons> {
        let known = self.lists.iter().find(|known| known.id == list.id && known.pieces == list.pieces)?;
        known.ribbons.as_ref()
    }

    /// Forgets those that were last drawn before a picture.
    pub(crate) fn forget(&mut self, gl: &mut dyn RenderingBackend, oldest: u64) {
        while let Some(index) = self.lists.iter().position(|known| known.last_drawn < oldest) {
            self.lists.swap_remove(index).delete(gl);
        }
    }
}

impl Painted {
    fn new(gl: &mut dyn RenderingBackend, list: &StrandsView<'_>, made: u64) -> Self {
        let mut before = 0;
        let row = |guide: &weft_scene::strands::build::Guide| {
            let flags = CLOSED * u32::from(guide.closed) + HELD * u32::from(guide.held);
            let row = GuideRow { span: guide.span, flags, aside: guide.aside, before };
            before += points(guide, 1) - 1;
            row
        };
        let rows: Vec<GuideRow> = list.guides.iter().map(row).collect();
        let mut cuts: Vec<u32> = list.cuts.iter().map(|cut| u32::from(*cut)).collect();
        if !cuts.is_empty() {
            cuts.resize(list.positions.len().max(2), 0);
        }
        let cut_rows = cuts.len().max(1) as u32;
        // A buffer of no bytes is none.
        cuts.resize(cuts.len().max(4), 0);
        let vertices = BufferType::VertexBuffer;
        let guides = named(gl, vertices, BufferSource::slice(&rows));
        let cuts = named(gl, vertices, BufferSource::slice(&cuts));
        let tables = StrandTables {
            made,
            guides: guides.1,
            strands: rows.len() as u32,
            cuts: cuts.1,
            cut_rows,
            particles: list.positions.len() as u32,
        };
        Self {
            id: list.id,
            pieces: list.pieces,
            tables,
            kept: [guides.0, cuts.0],
            ribbons: None,
            last_drawn: 0,
        }
    }

    fn delete(self, gl: &mut dyn RenderingBackend) {
        self.kept.into_iter().for_each(|buffer| gl.delete_buffer(buffer));
        self.ribbons.into_iter().for_each(|ribbons| ribbons.delete(gl));
    }
}

impl PaintedRibbons {
    fn new(gl: &mut dyn RenderingBackend, list: &StrandsView<'_>, parts: u32, made: u64) -> Self {
        let places: u32 = list.guides.iter().map(|guide| points(guide, parts)).sum();
        let vertices = 2 * places as usize;
        let maps = list.guide_maps(gl, vertices, parts);
        let bytes = BufferSource::empty::<u8>(vertices * size_of::<Vertex>());
        let (vertices, name) = named(gl, BufferType::VertexBuffer, bytes);
        // Two triangles a segment, for each level.
        let corner_rows = 6 * places * LEVELS as u32;
        let corners = BufferSource::empty::<u32>(corner_rows as usize);
        let (indices, corners) = named(gl, BufferType::IndexBuffer, corners);
        let texels = (maps.points > 0).then(|| {
            named(gl, BufferType::VertexBuffer, BufferSource::empty::<u8>(maps.texels() * size_of::<u32>()))
        });
        let buffers = RibbonBuffers {
            made,
            vertices: name,
            corners,
            corner_rows,
            texels: texels.map_or(0, |(_, name)| name),
            texel_rows: maps.texels() as u32,
            places,
        };
        let texels = texels.map(|(buffer, _)| buffer);
        Self { parts, buffers, vertices, indices, texels, maps, shown: Default::default() }
    }

    fn take(&mut self, gl: &mut dyn RenderingBackend, job: &RibbonJob, done: &RibbonsDone) {
        let mut next = 0;
        let mut range = |count: u32| {
            let start = next;
            next += count as i32;
            start..next
        };
        let [a, b, c, d] = done.corners;
        self.shown =
            [[a, b], [c, d]].map(|[ribbons, lines]| Shown { ribbons: range(ribbons), lines: range(lines) });
        if job.numbers.different == 1 {
            self.shown[1] = self.shown[0].clone();
        }
        if job.interpolated && job.buffers.texels != 0 {
            self.maps.take(gl, job.buffers.texels, done.bounds);
        }
    }

    fn delete(self, gl: &mut dyn RenderingBackend) {
        let buffers = [self.vertices, self.indices].into_iter().chain(self.texels);
        buffers.for_each(|buffer| gl.delete_buffer(buffer));
        self.maps.delete(gl);
    }
}

impl RibbonLevel {
    fn of(list: &StrandsView<'_>, detail: Detail, ribbons: &PaintedRibbons) -> Self {
        let (_, hairs) = list.hairs(detail);
        let flags = LINES * u32::from(list.is_lines(detail)) + POINTS * u32::from(detail.points);
        Self {
            tolerance: detail.left_out(ribbons.parts),
            segments: detail.fewest_segments(list.bulge(ribbons.maps.reach)),
            end: drawn_to(hairs.min(1.0)),
            flags,
        }
    }
}
