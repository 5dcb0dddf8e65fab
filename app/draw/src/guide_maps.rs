//! What a hair between strands reads of those around it, as textures: the vertex shader of `strand.wgsl` fetches them.
//!
//! ```text
//! guides   row 0   x and its part of the tangent     point p of strand s is at s * points + p, so many to a row;
//!          row 1   y …                               three bytes of the place in the box around all, as a share of its
//!          row 2   z …                               longest side, and one byte of the tangent in -1..1
//! around   the other two strands of a slot, one texel each; three bytes
//! ```
//! Bytes are what every OpenGL and WebGL takes and nothing filters. Rejected: floats, which miniquad has in 16 bits alone, and neighbours
//! as vertex attributes, which would be six copies of all places.

use glam::Vec3;
use miniquad::raw_gl;
use miniquad::{FilterMode, RawId, RenderingBackend, TextureFormat, TextureId, TextureParams};
use weft_scene::strands::neighbors::{Corners, SLOTS, slots};

use super::TURNS;
use super::normals::shared_if_many;
use super::ribbon::Vertex;

/// Texels in a row, as `ROW` of `strand.wgsl`.
const ROW: usize = 1024;
/// Rows that any driver takes.
const ROWS: usize = 4096;
/// A byte is so many parts of the whole.
const BYTE: f32 = 255.0;
/// Largest number of three bytes.
const WHOLE: f32 = 16_777_215.0;
const GL_TEXTURE_BINDING_2D: u32 = 0x8069;
const GL_PIXEL_UNPACK_BUFFER: u32 = 0x88EC;
/// Strands that part farther than this, by the distance of their roots, have less and less between them.
const REACH: f32 = 3.0;

/// The textures of a list, and how places in them are told.
pub(crate) struct GuideMaps {
    guides: [TextureId; TURNS],
    around: TextureId,
    /// Places of a guide; 0: there are none to lie between.
    pub points: i32,
    /// Low corner of the box [m].
    pub corner: [f32; 3],
    /// Its longest side [m].
    pub side: f32,
    /// [m]
    pub reach: f32,
    bytes: Vec<u8>,
}

impl GuideMaps {
    /// For guides of so many places each; `whole` says of a strand whether nothing of it is cut.
    pub(crate) fn new(
        gl: &mut dyn RenderingBackend,
        neighbors: &[Vec<Corners>],
        points: usize,
        whole: impl Fn(u32) -> bool,
    ) -> Self {
        let rows = 3 * (neighbors.len() * points).div_ceil(ROW);
        let fits = rows <= ROWS && neighbors.iter().any(|around| !around.is_empty());
        let (rows, neighbors) = if fits { (rows, neighbors) } else { (1, &[][..]) };
        let mut texels = Vec::new();
        for (strand, around) in (0..).zip(neighbors) {
            let all = slots(strand, around, &whole);
            texels.extend(all.as_flattened().iter().flat_map(|other| {
                let [.., a, b, c] = other.to_be_bytes();
                [a, b, c, 0]
            }));
        }
        let (width, height) = (ROW as u32, (neighbors.len() * 2 * SLOTS).div_ceil(ROW).max(1) as u32);
        texels.resize((4 * width * height) as usize, 0);
        let nearest = TextureParams {
            format: TextureFormat::RGBA8,
            min_filter: FilterMode::Nearest,
            mag_filter: FilterMode::Nearest,
            width,
            height,
            ..Default::default()
        };
        let around = gl.new_texture_from_data_and_format(&texels, nearest);
        let bytes = vec![0; 4 * ROW * rows];
        let params = TextureParams { height: rows as u32, ..nearest };
        let guides = std::array::from_fn(|_| gl.new_texture_from_data_and_format(&bytes, params));
        let points = if fits { points as i32 } else { 0 };
        Self { guides, around, points, corner: [0.0; 3], side: 1.0, reach: reach(neighbors), bytes }
    }

    pub(crate) fn textures(&self, turn: usize) -> [TextureId; 2] {
        [self.guides[turn], self.around]
    }

    /// Takes over this frame's places, two vertices each, of so many particles.
    pub(crate) fn update(
        &mut self,
        gl: &mut dyn RenderingBackend,
        turn: usize,
        vertices: &[Vertex],
        particles: usize,
    ) {
        if self.points == 0 {
            return;
        }
        let places = vertices.iter().step_by(2);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for place in
            places.clone().map(|vertex| Vec3::from(vertex.position)).filter(|place| place.is_finite())
        {
            (low, high) = (low.min(place), high.max(place));
        }
        let side = (high - low).max_element().max(1e-6);
        if !side.is_finite() {
            return;
        }
        (self.corner, self.side) = (low.to_array(), side);
        let scale = WHOLE / side;
        // So many places are three rows, and their vertices.
        let rows = self.bytes.chunks_mut(4 * 3 * ROW).zip(vertices.chunks(2 * ROW));
        let some = |_, rows: &mut [(&mut [u8], &[Vertex])]| {
            for (texels, vertices) in rows {
                for (at, vertex) in vertices.iter().step_by(2).enumerate() {
                    for axis in 0..3 {
                        // What is not a number is drawn at 0; places outside of the box are none.
                        let [_, a, b, c] =
                            (((vertex.position[axis] - low[axis]) * scale) as u32).to_be_bytes();
                        let along = (0.5 * BYTE * (vertex.tangent[axis] + 1.0) + 0.5) as u8;
                        let texel = 4 * (axis * ROW + at);
                        texels[texel..texel + 4].copy_from_slice(&[a, b, c, along]);
                    }
                }
            }
        };
        let mut rows: Vec<_> = rows.collect();
        shared_if_many(particles, &mut rows, some);
        gl.texture_update(self.guides[turn], &self.bytes);
    }

    /// Texels of all places.
    pub(crate) fn texels(&self) -> usize {
        self.bytes.len() / 4
    }

    /// Takes over what a device wrote into a buffer, by its name in OpenGL; places lie in this box [m].
    pub(crate) fn take(&mut self, gl: &mut dyn RenderingBackend, texels: u32, [low, high]: [Vec3; 2]) {
        let side = (high - low).max_element().max(1e-6);
        if !side.is_finite() {
            return;
        }
        (self.corner, self.side) = (low.to_array(), side);
        let mut bound = 0;
        // SAFETY: names of the context that is current on this thread: `texels` has as many as the texture takes. What was bound is
        // bound again, as miniquad knows it.
        unsafe {
            let RawId::OpenGl(texture) = gl.texture_raw_id(self.guides[0]);
            raw_gl::glGetIntegerv(GL_TEXTURE_BINDING_2D, &raw mut bound);
            raw_gl::glBindBuffer(GL_PIXEL_UNPACK_BUFFER, texels);
            raw_gl::glBindTexture(raw_gl::GL_TEXTURE_2D, texture);
            let (format, kind) = (raw_gl::GL_RGBA, raw_gl::GL_UNSIGNED_BYTE);
            let (width, height) = (ROW as i32, (self.texels() / ROW) as i32);
            raw_gl::glTexSubImage2D(
                raw_gl::GL_TEXTURE_2D,
                0,
                0,
                0,
                width,
                height,
                format,
                kind,
                std::ptr::null(),
            );
            raw_gl::glBindTexture(raw_gl::GL_TEXTURE_2D, bound as u32);
            raw_gl::glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        }
    }

    pub(crate) fn delete(self, gl: &mut dyn RenderingBackend) {
        self.guides.into_iter().chain([self.around]).for_each(|texture| gl.delete_texture(texture));
    }
}

/// By the mean distance of roots [m].
fn reach(neighbors: &[Vec<Corners>]) -> f32 {
    let all = || {
        (0..).zip(neighbors).flat_map(|(strand, around)| around.iter().map(move |corners| (strand, corners)))
    };
    let distance = |(strand, Corners { others, size }): (u32, &Corners)| {
        // The side of a triangle of so large an area.
        if others[1] == strand { *size } else { (size * 4.0 / 3.0_f32.sqrt()).sqrt() }
    };
    REACH * all().map(distance).sum::<f32>() / all().count().max(1) as f32
}
