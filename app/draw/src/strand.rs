//! Strands: ribbons that face the eye, or lines where they are no wider than a pixel, several hairs around each strand that a solver
//! moves. One draw call for the ribbons of a list and one for its lines, one instance for each of the hairs of a strand.

use std::mem::replace;

use glam::Quat;
use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};

use weft_scene::strands::{build::Guide, neighbors::Corners};

use super::corners::{Joined, LINES, RIBBONS, Shown};
use super::curve;
use super::detail::Detail;
use super::guide_maps::GuideMaps;
use super::painted::{PaintedMeshes, PaintedRibbons, PaintedStrands};
use super::palette::{KNOTS, Palette};
use super::program::Program;
use super::ribbon::{self, Vertex, is_cut, points};
use super::shader::{
    AROUND, Attribute, GUIDES, HAIR_DEPTH, HAIR_LAYERS, MAIN, OPACITY, SHADOW, SHADOW_MAP, ShaderKind,
};
use super::uniforms::uniforms;
use super::{KEPT_FOR, Shading, TURNS};

uniforms! {
    /// `object` in `strand.wgsl`; the fields are those of `StrandLook` and `Shading`.
    pub(crate) struct StrandObject {
        root: [f32; 3],
        tip: [f32; 3],
        spread: f32,
        clump: f32,
        width: f32,
        /// How many are drawn around each strand; of the last a part. Below 1: of so many strands one hair.
        hairs: f32,
        /// Of a pixel, by its distance from the eye.
        pixel: f32,
        /// 1: lines as wide as a pixel or texel; 0: ribbons.
        lines: i32,
        /// 1: the last hair is there or not; 0: it is as wide as the part of it that counts.
        whole: i32,
        /// 1: lobes of Marschner; 0: Kajiya-Kay.
        lobes: i32,
        /// How much of it water covers, 0..1.
        wet: f32,
        /// 1: numbers are shown in the colours of the palette.
        shaded: i32,
        /// How far hairs lie between strands, and not around one.
        interpolation: f32,
        /// Those of `GuideMaps`.
        points: i32,
        corner: [f32; 3],
        side: f32,
        reach: f32,
        /// sRGB, low to high.
        palette: [[f32; 4]; KNOTS],
    }
}

pub(crate) static KIND: ShaderKind = ShaderKind {
    file: "strand.wgsl",
    entries: &[MAIN, SHADOW, OPACITY],
    object: StrandObject::FIELDS,
    textures: &[SHADOW_MAP, HAIR_DEPTH, HAIR_LAYERS, GUIDES, AROUND],
    attributes: &[
        Attribute { format: VertexFormat::Float4, buffer: 0 },
        Attribute { format: VertexFormat::Float4, buffer: 0 },
        Attribute { format: VertexFormat::Float4, buffer: 0 },
        Attribute { format: VertexFormat::Float2, buffer: 0 },
    ],
    strides: &[size_of::<Vertex>() as i32],
    primitives: &[PrimitiveType::Triangles, PrimitiveType::Lines],
};

/// One list of strands as the solver left it.
#[derive(Clone, Copy)]
pub struct StrandsView<'a> {
    /// Names the topology: a new number whenever `guides` change.
    pub id: u64,
    /// World positions [m]; w is ignored. Shape (`particle_count`,).
    pub positions: &'a [[f32; 4]],
    /// Places are on a device ([`Renderer::ribbon_jobs`](super::Renderer::ribbon_jobs)); `positions` only says how many.
    pub painted: Option<PaintedStrands>,
    pub guides: &'a [Guide],
    /// What hairs lie between, around each of `guides`; empty: each follows one alone.
    pub neighbors: &'a [Vec<Corners>],
    /// Of each particle, whether the segment that starts there is cut; empty: none is.
    pub cuts: &'a [bool],
    /// A new number whenever `cuts` change.
    pub pieces: u64,
    /// Turn of what they grow from.
    pub turn: Quat,
    pub look: StrandLook,
    /// Colours that show numbers, instead of the look; one value a particle.
    pub shading: Option<Shading<'a>>,
}

/// How strands are drawn; units are those of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandLook {
    /// Linear colour at the root and at the tip, 0..1.
    pub root: [f32; 3],
    pub tip: [f32; 3],
    /// Hairs for each strand.
    pub children: u32,
    /// Farthest from it [m].
    pub spread: f32,
    /// How far they come together at the tip, 0..1.
    pub clump: f32,
    /// How far they lie between strands, and not around one, 0..1.
    pub interpolation: f32,
    /// At the root [m].
    pub width: f32,
    /// Light goes through it as through hair (Marschner); otherwise it is that of Kajiya and Kay.
    pub lobes: bool,
    /// How much of it water covers, 0..1.
    pub wet: f32,
}

impl StrandLook {
    /// Each strand as the one hair that lies on it.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { children: 1, spread: 0.0, clump: 0.0, interpolation: 0.0, ..self }
    }
}

impl From<&weft_scene::strands::StrandLook> for StrandLook {
    fn from(look: &weft_scene::strands::StrandLook) -> Self {
        let [root, tip] = look.colors();
        Self {
            root,
            tip,
            children: look.children,
            spread: look.spread,
            clump: look.clump,
            interpolation: look.interpolation,
            width: look.width,
            lobes: look.lobes,
            wet: look.wet,
        }
    }
}

/// What hair is drawn for: the picture, and the light's maps.
pub(crate) const LEVELS: usize = 2;

struct Ribbons {
    id: u64,
    pieces: u64,
    /// Of a segment.
    parts: u32,
    vertices: [BufferId; TURNS],
    /// Corners of both levels, one behind the other.
    indices: [BufferId; TURNS],
    maps: GuideMaps,
    /// The first vertex of each strand.
    first: Vec<u32>,
    /// By level.
    shown: [Shown; LEVELS],
    turn: usize,
    last_drawn: u64,
}

/// The GL side of all strands that were drawn lately.
#[derive(Default)]
pub(crate) struct StrandMeshes {
    ribbons: Vec<Ribbons>,
    pub(crate) painted: PaintedMeshes,
    vertices: Vec<Vertex>,
    corners: Vec<u32>,
    pub(crate) pictures: u64,
}

/// What is drawn of a list.
struct Drawn<'a> {
    vertices: BufferId,
    indices: BufferId,
    maps: &'a GuideMaps,
    /// Of the textures in `maps`.
    turn: usize,
    shown: &'a [Shown; LEVELS],
}

impl StrandsView<'_> {
    /// Yarn is no hair.
    pub(crate) fn is_interpolated(&self) -> bool {
        self.look.interpolation > 0.0 && self.look.lobes
    }

    /// How many hairs each strand has, and how many are drawn.
    pub(crate) fn hairs(&self, detail: Detail) -> (f32, f32) {
        let all = self.look.children.max(1) as f32;
        (all, detail.hairs(all, self.look.width, self.guides.len()))
    }

    /// Whether they are drawn as lines, and not as ribbons.
    pub(crate) fn is_lines(&self, detail: Detail) -> bool {
        detail.is_line(self.look.children.max(1) as f32, self.look.width, self.guides.len())
    }

    /// How far a hair lies off the middle of its strand by waves and taper of its own, at most [m] (`hair` of `strand.wgsl`).
    pub(crate) fn bulge(&self, reach: f32) -> f32 {
        let look = &self.look;
        if look.children < 2 {
            return 0.0;
        }
        // An eighth of the second derivatives of 1 + sin(9 s) / 4 and 1 - clump s².
        let around = look.spread * (81.0 * 0.25 + 2.0 * look.clump);
        let between =
            if self.is_interpolated() { look.interpolation * reach * 2.0 * look.clump } else { 0.0 };
        (around + between) / 8.0
    }

    pub(crate) fn guide_maps(&self, gl: &mut dyn RenderingBackend, vertices: usize, parts: u32) -> GuideMaps {
        let points = self.guides.first().map_or(0, |guide| points(guide, parts));
        // One that is left out would put all after it elsewhere.
        let alike = vertices == 2 * points as usize * self.guides.len()
            && self.guides.iter().all(|guide| ribbon::points(guide, parts) == points && !guide.closed);
        let neighbors = if alike { self.neighbors } else { &[] };
        let whole = |strand: u32| {
            let guide = &self.guides[strand as usize];
            (0..guide.span[2] - 1).all(|i| !is_cut(self, guide, i))
        };
        GuideMaps::new(gl, neighbors, points as usize, whole)
    }
}

impl StrandMeshes {
    /// Uploads this frame's ribbons; forgets those that are no longer shown.
    pub(crate) fn update(
        &mut self,
        gl: &mut dyn RenderingBackend,
        lists: &[StrandsView<'_>],
        details: [Detail; LEVELS],
    ) {
        self.pictures += 1;
        for list in lists.iter().filter(|list| list.painted.is_none()) {
            let known = |ribbons: &Ribbons| ribbons.id == list.id;
            let present =
                self.ribbons.iter().find(|ribbons| known(ribbons)).map_or(1, |ribbons| ribbons.parts);
            let parts = curve::parts(list, details[0], present);
            ribbon::fill(&mut self.vertices, list, parts);
            if self.vertices.is_empty() {
                continue;
            }
            let stale = |ribbons: &Ribbons| {
                known(ribbons) && (ribbons.pieces != list.pieces || ribbons.parts != parts)
            };
            if let Some(index) = self.ribbons.iter().position(stale) {
                self.ribbons.swap_remove(index).delete(gl);
            }
            let found = self.ribbons.iter().position(known);
            let index = found.unwrap_or_else(|| {
                self.ribbons.push(Ribbons::new(gl, list, self.vertices.len(), parts));
                self.ribbons.len() - 1
            });
            let ribbons = &mut self.ribbons[index];
            ribbons.last_drawn = self.pictures;
            ribbons.turn = (ribbons.turn + 1) % TURNS;
            gl.buffer_update(ribbons.vertices[ribbons.turn], BufferSource::slice(&self.vertices));
            self.corners.clear();
            ribbons.join(&mut self.corners, list, &self.vertices, details);
            gl.buffer_update(ribbons.indices[ribbons.turn], BufferSource::slice(&self.corners));
            if list.is_interpolated() {
                ribbons.maps.update(gl, ribbons.turn, &self.vertices, list.positions.len());
            }
        }
        let oldest = self.pictures.saturating_sub(KEPT_FOR);
        while let Some(index) = self.ribbons.iter().position(|ribbons| ribbons.last_drawn < oldest) {
            self.ribbons.swap_remove(index).delete(gl);
        }
        self.painted.forget(gl, oldest);
    }

    fn drawn(&self, list: &StrandsView<'_>) -> Option<Drawn<'_>> {
        if list.painted.is_some() {
            let PaintedRibbons { vertices, indices, maps, shown, .. } = self.painted.of(list)?;
            return Some(Drawn { vertices: *vertices, indices: *indices, maps, turn: 0, shown });
        }
        let own = self.ribbons.iter().find(|ribbons| ribbons.id == list.id)?;
        let (vertices, indices) = (own.vertices[own.turn], own.indices[own.turn]);
        Some(Drawn { vertices, indices, maps: &own.maps, turn: own.turn, shown: &own.shown })
    }

    /// Draws all lists with `program`, which may be that of any pass. Returns the most hairs for one that is drawn.
    pub(crate) fn draw(
        &self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        (lists, detail, level): (&[StrandsView<'_>], Detail, usize),
        [shadow, depth, layers]: [TextureId; 3],
    ) -> f32 {
        let mut coarsest: f32 = 1.0;
        for list in lists {
            let Some(Drawn { vertices, indices, maps, turn, shown }) = self.drawn(list) else { continue };
            let look = list.look;
            let (all, hairs) = list.hairs(detail);
            coarsest = coarsest.max(all / hairs);
            let [guides, around] = maps.textures(turn);
            let Shown { ribbons: sides, lines } = &shown[level];
            let parts = [(RIBBONS, sides), (LINES, lines)];
            for (primitive, corners) in parts.into_iter().filter(|(_, corners)| !corners.is_empty()) {
                let object = StrandObject {
                    root: look.root,
                    tip: look.tip,
                    spread: look.spread,
                    clump: look.clump,
                    width: look.width * all / hairs,
                    hairs,
                    pixel: detail.pixel,
                    lines: i32::from(primitive == LINES),
                    whole: i32::from(detail.whole || !lines.is_empty()),
                    lobes: i32::from(detail.lobes && look.lobes),
                    wet: look.wet,
                    shaded: i32::from(list.shading.is_some()),
                    interpolation: if list.is_interpolated() { look.interpolation } else { 0.0 },
                    points: maps.points,
                    corner: maps.corner,
                    side: maps.side,
                    reach: maps.reach,
                    palette: list.shading.map_or(Palette::default(), |shading| shading.palette).knots(),
                };
                program.apply_as(gl, primitive, [frame, bytemuck::bytes_of(&object)]);
                let textures = program.textures(&[shadow, depth, layers, guides, around]);
                gl.apply_bindings_from_slice(&[vertices], indices, textures);
                gl.draw(corners.start, corners.len() as i32, hairs.ceil() as i32);
            }
        }
        coarsest
    }
}

impl Ribbons {
    fn new(gl: &mut dyn RenderingBackend, list: &StrandsView<'_>, vertices: usize, parts: u32) -> Self {
        let begin =
            list.guides.iter().scan(0, |next, guide| Some(replace(next, *next + 2 * points(guide, parts))));
        let first = begin.collect();
        let bytes = vertices * size_of::<Vertex>();
        // Two triangles a segment, for each level.
        let most = 3 * vertices * LEVELS;
        let maps = list.guide_maps(gl, vertices, parts);
        let mut stream = |of, source| gl.new_buffer(of, BufferUsage::Stream, source);
        let vertices =
            std::array::from_fn(|_| stream(BufferType::VertexBuffer, BufferSource::empty::<u8>(bytes)));
        let indices =
            std::array::from_fn(|_| stream(BufferType::IndexBuffer, BufferSource::empty::<u32>(most)));
        let shown = Default::default();
        Self {
            id: list.id,
            pieces: list.pieces,
            parts,
            vertices,
            indices,
            maps,
            first,
            shown,
            turn: 0,
            last_drawn: 0,
        }
    }

    /// The corners of what each level shows of the strands that it draws.
    fn join(
        &mut self,
        corners: &mut Vec<u32>,
        list: &StrandsView<'_>,
        vertices: &[Vertex],
        details: [Detail; LEVELS],
    ) {
        for level in 0..LEVELS {
            self.shown[level] = if level > 0 && details[level] == details[level - 1] {
                self.shown[level - 1].clone()
            } else {
                Joined::of(list, &self.first, (vertices, self.parts), details[level], self.maps.reach)
                    .append_to(corners)
            };
        }
    }

    fn delete(self, gl: &mut dyn RenderingBackend) {
        self.vertices.into_iter().chain(self.indices).for_each(|buffer| gl.delete_buffer(buffer));
        self.maps.delete(gl);
    }
}
