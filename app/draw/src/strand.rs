//! Strands: ribbons that face the eye, several hairs around each strand that a solver moves. One draw call for a list, one
//! instance for each of the hairs of a strand.

use std::{mem::replace, ops::RangeInclusive};

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};
use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};

use weft_scene::strands::{build::Guide, neighbors::Corners};

use super::detail::{Detail, drawn_to, place};
use super::guide_maps::GuideMaps;
use super::palette::{KNOTS, Palette};
use super::program::Program;
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
        /// 1: lobes of Marschner; 0: Kajiya-Kay.
        lobes: i32,
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
    primitive: PrimitiveType::Triangles,
};

/// One list of strands as the solver left it.
#[derive(Clone, Copy)]
pub struct StrandsView<'a> {
    /// Names the topology: a new number whenever `guides` change.
    pub id: u64,
    /// World positions [m]; w is ignored. Shape (`particle_count`,).
    pub positions: &'a [[f32; 4]],
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
        }
    }
}

/// One side of a ribbon at a particle.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Vertex {
    pub position: [f32; 3],
    /// 0 at the root, 1 at the tip.
    along: f32,
    pub tangent: [f32; 3],
    /// -1 or 1.
    side: f32,
    /// Unit vector across the strand that turns with it.
    aside: [f32; 3],
    /// Number of the strand.
    strand: f32,
    /// Place on the scale of what is shown, 0..1.
    value: f32,
    /// 0 at the beginning of its piece, 1 at its end: as `along` where nothing is cut.
    gone: f32,
}

struct Ribbons {
    id: u64,
    pieces: u64,
    vertices: [BufferId; TURNS],
    indices: BufferId,
    maps: GuideMaps,
    /// `place` of each strand and the corners up to its end, in that order.
    strands: Vec<(f32, i32)>,
    turn: usize,
    last_drawn: u64,
}

/// The GL side of all strands that were drawn lately.
#[derive(Default)]
pub(crate) struct StrandMeshes {
    ribbons: Vec<Ribbons>,
    vertices: Vec<Vertex>,
    pictures: u64,
}

impl StrandsView<'_> {
    /// Yarn is no hair.
    fn is_interpolated(&self) -> bool {
        self.look.interpolation > 0.0 && self.look.lobes
    }

    fn guide_maps(&self, gl: &mut dyn RenderingBackend, vertices: usize) -> GuideMaps {
        let points = self.guides.first().map_or(0, points);
        // One that is left out would put all after it elsewhere.
        let alike = vertices == 2 * points as usize * self.guides.len()
            && self.guides.iter().all(|guide| guide.span[2] == points && !guide.closed);
        let neighbors = if alike { self.neighbors } else { &[] };
        let whole = |strand: u32| {
            let guide = &self.guides[strand as usize];
            (0..points - 1).all(|i| !is_cut(self, guide, i))
        };
        GuideMaps::new(gl, neighbors, points as usize, whole)
    }
}

impl StrandMeshes {
    /// Uploads this frame's ribbons; forgets those that are no longer shown.
    pub(crate) fn update(&mut self, gl: &mut dyn RenderingBackend, lists: &[StrandsView<'_>]) {
        self.pictures += 1;
        for list in lists {
            self.vertices.clear();
            (0..).zip(list.guides).for_each(|(index, guide)| add(&mut self.vertices, list, guide, index));
            if self.vertices.is_empty() {
                continue;
            }
            let known = |ribbons: &Ribbons| ribbons.id == list.id;
            let stale = |ribbons: &Ribbons| known(ribbons) && ribbons.pieces != list.pieces;
            if let Some(index) = self.ribbons.iter().position(stale) {
                self.ribbons.swap_remove(index).delete(gl);
            }
            let found = self.ribbons.iter().position(known);
            let index = found.unwrap_or_else(|| {
                self.ribbons.push(Ribbons::new(gl, list, self.vertices.len()));
                self.ribbons.len() - 1
            });
            let ribbons = &mut self.ribbons[index];
            ribbons.last_drawn = self.pictures;
            ribbons.turn = (ribbons.turn + 1) % TURNS;
            gl.buffer_update(ribbons.vertices[ribbons.turn], BufferSource::slice(&self.vertices));
            if list.is_interpolated() {
                ribbons.maps.update(gl, ribbons.turn, &self.vertices);
            }
        }
        let oldest = self.pictures.saturating_sub(KEPT_FOR);
        while let Some(index) = self.ribbons.iter().position(|ribbons| ribbons.last_drawn < oldest) {
            self.ribbons.swap_remove(index).delete(gl);
        }
    }

    /// Draws all lists with `program`, which may be that of any pass. Returns the most hairs for one that is drawn.
    pub(crate) fn draw(
        &self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        (lists, detail): (&[StrandsView<'_>], Detail),
        [shadow, depth, layers]: [TextureId; 3],
    ) -> f32 {
        let mut coarsest: f32 = 1.0;
        for list in lists {
            let Some(ribbons) = self.ribbons.iter().find(|ribbons| ribbons.id == list.id) else { continue };
            let look = list.look;
            let all = look.children.max(1) as f32;
            let hairs = detail.hairs(all, look.width, list.guides.len());
            coarsest = coarsest.max(all / hairs);
            let object = StrandObject {
                root: look.root,
                tip: look.tip,
                spread: look.spread,
                clump: look.clump,
                width: look.width * all / hairs,
                hairs,
                pixel: detail.pixel,
                lobes: i32::from(detail.lobes && look.lobes),
                shaded: i32::from(list.shading.is_some()),
                interpolation: if list.is_interpolated() { look.interpolation } else { 0.0 },
                points: ribbons.maps.points,
                corner: ribbons.maps.corner,
                side: ribbons.maps.side,
                reach: ribbons.maps.reach,
                palette: list.shading.map_or(Palette::default(), |shading| shading.palette).knots(),
            };
            program.apply(gl, [frame, bytemuck::bytes_of(&object)]);
            let [guides, around] = ribbons.maps.textures(ribbons.turn);
            let textures = program.textures(&[shadow, depth, layers, guides, around]);
            gl.apply_bindings_from_slice(&[ribbons.vertices[ribbons.turn]], ribbons.indices, textures);
            gl.draw(0, ribbons.corners(hairs), hairs.ceil() as i32);
        }
        coarsest
    }
}

/// Places that a ribbon goes through.
fn points(guide: &Guide) -> u32 {
    guide.span[2] + u32::from(guide.closed)
}

/// Whether the segment from particle `i` of a strand to the next is cut.
fn is_cut(list: &StrandsView<'_>, guide: &Guide, i: u32) -> bool {
    let [first, stride, count] = guide.span;
    list.cuts.get((first + stride * (i % count)) as usize).is_some_and(|cut| *cut)
}

/// Share of a hair before which it is as wide as at its root (`width_at` of `strand.wgsl`).
const WIDE: f32 = 0.6;

/// Share of the way along a hair at a particle. A ring ends where it began, and is as its root all the way; what is held at its tip
/// is as wide there, and is drawn as the first part of a hair.
fn along(guide: &Guide, i: u32) -> f32 {
    let share = i as f32 / (guide.span[2] - 1) as f32;
    match (guide.closed, guide.held) {
        (true, _) => 0.0,
        (false, true) => WIDE * share,
        (false, false) => share,
    }
}

/// Adds both sides of one strand's ribbon. One that has particles missing is left out.
fn add(vertices: &mut Vec<Vertex>, list: &StrandsView<'_>, guide: &Guide, index: u32) {
    let [first, stride, count] = guide.span;
    let row = |i: u32| (first + stride * i) as usize;
    let last = count - 1;
    // A step with NaN in it is drawn as what it is; an index out of range is not.
    if row(last) >= list.positions.len() {
        return;
    }
    let place = |i: u32| {
        let [x, y, z, _] = list.positions[row(i)];
        Vec3::new(x, y, z)
    };
    let mut aside = list.turn * Vec3::from(guide.aside);
    let mut piece = piece_from(list, guide, 0);
    for point in 0..points(guide) {
        let (mut before, i, mut next) = if guide.closed {
            ((point + last) % count, point % count, (point + 1) % count)
        } else {
            (point.saturating_sub(1), point, (point + 1).min(last))
        };
        if point > *piece.end() {
            piece = piece_from(list, guide, point);
            // No seat turns what has fallen off.
            aside = Vec3::from(guide.aside);
        }
        if is_cut(list, guide, before) {
            before = i;
        }
        if is_cut(list, guide, i) {
            next = i;
        }
        let tangent = (place(next) - place(before)).normalize_or(Vec3::NEG_Y);
        let across = aside - tangent * tangent.dot(aside);
        aside = across.try_normalize().unwrap_or_else(|| tangent.any_orthonormal_vector());
        let value = list.shading.and_then(|shading| shading.values.get(row(i)).copied()).unwrap_or(0.0);
        let gone = if piece == (0..=points(guide) - 1) {
            along(guide, i)
        } else if guide.closed && *piece.end() == count {
            // It goes on behind the root.
            0.0
        } else {
            let share = (point - piece.start()) as f32 / (piece.end() - piece.start()).max(1) as f32;
            if guide.held && *piece.end() == last { WIDE * share } else { share }
        };
        let vertex = |side| Vertex {
            position: place(i).to_array(),
            along: along(guide, i),
            tangent: tangent.to_array(),
            side,
            aside: aside.to_array(),
            strand: index as f32,
            value,
            gone,
        };
        vertices.extend([vertex(-1.0), vertex(1.0)]);
    }
}

/// Points of a ribbon from one on to the next cut.
fn piece_from(list: &StrandsView<'_>, guide: &Guide, point: u32) -> RangeInclusive<u32> {
    let last = points(guide) - 1;
    point..=(point..last).find(|i| is_cut(list, guide, *i)).unwrap_or(last)
}

impl Ribbons {
    fn new(gl: &mut dyn RenderingBackend, list: &StrandsView<'_>, vertices: usize) -> Self {
        let mut corners: Vec<u32> = Vec::new();
        let begin = list.guides.iter().scan(0, |next, guide| Some(replace(next, *next + 2 * points(guide))));
        let mut order: Vec<_> = (0..).map(place).zip(list.guides.iter().zip(begin)).collect();
        order.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut add = |(place, (guide, first)): (f32, (&Guide, u32))| {
            for segment in (0..points(guide) - 1).filter(|segment| !is_cut(list, guide, *segment)) {
                let at = first + 2 * segment;
                corners.extend([at, at + 1, at + 2, at + 2, at + 1, at + 3]);
            }
            (place, corners.len() as i32)
        };
        let strands = order.into_iter().map(&mut add).collect();
        let bytes = vertices * size_of::<Vertex>();
        let mut stream = || {
            let source = BufferSource::empty::<u8>(bytes);
            gl.new_buffer(BufferType::VertexBuffer, BufferUsage::Stream, source)
        };
        let vertices = std::array::from_fn(|_| stream());
        let source = BufferSource::slice(&corners);
        let indices = gl.new_buffer(BufferType::IndexBuffer, BufferUsage::Immutable, source);
        let maps = list.guide_maps(gl, bytes / size_of::<Vertex>());
        Self { id: list.id, pieces: list.pieces, vertices, indices, maps, strands, turn: 0, last_drawn: 0 }
    }

    /// Of the strands that are drawn at so many hairs for each.
    fn corners(&self, hairs: f32) -> i32 {
        let end = drawn_to(hairs.min(1.0));
        let drawn = self.strands.partition_point(|(place, _)| *place < end);
        drawn.checked_sub(1).map_or(0, |last| self.strands[last].1)
    }

    fn delete(self, gl: &mut dyn RenderingBackend) {
        self.vertices.into_iter().chain([self.indices]).for_each(|buffer| gl.delete_buffer(buffer));
        self.maps.delete(gl);
    }
}
