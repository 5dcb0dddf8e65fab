//! Lines of one pixel between points that many of them share: a draw call for each colour. Points go up for every picture,
//! pairs of them once, until others are joined.
//!
//! A processor that draws works out a place for each point and not for each end of a line, where the lines of a point follow
//! each other. Rejected: the vertex buffer of the cloth, which has not the particles of strands, and is not there in pictures
//! of an earlier frame.

use std::sync::atomic::{AtomicU64, Ordering};

use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};

use super::program::Program;
use super::shader::{Attribute, MAIN, ShaderKind};
use super::uniforms::uniforms;
use super::{KEPT_FOR, TURNS};

uniforms! {
    /// `object` in `wire.wgsl`.
    pub(crate) struct WireObject {
        /// sRGB.
        color: [f32; 3],
        /// How far lines stand before what they lie on [m].
        lift: f32,
    }
}

pub(crate) static KIND: ShaderKind = ShaderKind {
    file: "wire.wgsl",
    entries: &[MAIN],
    object: WireObject::FIELDS,
    textures: &[],
    attributes: &[Attribute { format: VertexFormat::Float4, buffer: 0 }],
    strides: &[size_of::<[f32; 4]>() as i32],
    primitives: &[PrimitiveType::Lines],
};

/// Index buffers that are kept: one for each run of a picture, and those of the pictures before.
const KEPT: usize = 8;

/// Lines of one colour.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// As 0xRRGGBB.
    pub color: u32,
    /// Rows of the points at both ends.
    pub pairs: Vec<[u32; 2]>,
}

/// Points and how they are joined, kept from picture to picture.
#[derive(Debug, Default)]
pub struct Wires {
    /// [m], w not used; none: nothing is drawn.
    points: Vec<[f32; 4]>,
    joined: Vec<Joined>,
    /// What they were made from, and for how many points.
    from: Vec<Vec<u8>>,
    rows: usize,
    /// Of this list of pairs, in all of the program.
    version: u64,
}

impl Wires {
    /// Shows the lines of `make` between `points` [m]. It is asked again where `from`, all that it looks at, is other than before.
    pub fn join(&mut self, points: &[[f32; 4]], from: &[&[u8]], make: impl FnOnce() -> Vec<Joined>) {
        static VERSIONS: AtomicU64 = AtomicU64::new(0);
        self.points.clear();
        self.points.extend_from_slice(points);
        let same = std::mem::replace(&mut self.rows, points.len()) == points.len();
        if same && self.version > 0 && self.from.iter().map(Vec::as_slice).eq(from.iter().copied()) {
            return;
        }
        self.from = from.iter().map(|bytes| bytes.to_vec()).collect();
        self.joined = make();
        let there = |pair: &[u32; 2]| pair.iter().all(|row| (*row as usize) < points.len());
        for joined in &mut self.joined {
            joined.pairs.retain(there);
            joined.pairs.sort_unstable_by_key(|[a, b]| [*a.min(b), *a.max(b)]);
        }
        self.version = 1 + VERSIONS.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn clear(&mut self) {
        self.points.clear();
    }

    pub(crate) fn count(&self) -> usize {
        if self.points.is_empty() { 0 } else { self.joined.iter().map(|joined| joined.pairs.len()).sum() }
    }

    /// Each with its colour and both ends [m].
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u32, [[f32; 4]; 2])> + '_ {
        let shown = if self.points.is_empty() { &[][..] } else { &self.joined[..] };
        let ends = |pair: &[u32; 2]| pair.map(|row| self.points[row as usize]);
        shown.iter().flat_map(move |joined| joined.pairs.iter().map(move |pair| (joined.color, ends(pair))))
    }
}

/// The GL side.
#[derive(Default)]
pub(crate) struct WireBuffers {
    points: Option<Points>,
    /// The last used at the end.
    kept: Vec<Pairs>,
    turn: usize,
    /// Times that it was asked to draw.
    draws: u64,
}

struct Points {
    vertices: [BufferId; TURNS],
    room: usize,
}

struct Pairs {
    version: u64,
    indices: BufferId,
    /// When it was drawn last.
    used: u64,
}

impl WireBuffers {
    /// Draws over what the target holds. Without lines nothing is done.
    pub(crate) fn draw(
        &mut self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        (wires, lift): (&Wires, f32),
    ) {
        self.draws += 1;
        let oldest = self.draws.saturating_sub(KEPT_FOR);
        for old in self.kept.extract_if(.., |pairs| pairs.used < oldest) {
            gl.delete_buffer(old.indices);
        }
        if wires.count() == 0 {
            return;
        }
        let wanted = wires.points.len();
        if let Some(small) = self.points.take_if(|points| points.room < wanted) {
            small.vertices.into_iter().for_each(|buffer| gl.delete_buffer(buffer));
        }
        let points = self.points.get_or_insert_with(|| Points::new(gl, wanted.next_power_of_two()));
        self.turn = (self.turn + 1) % TURNS;
        let vertices = points.vertices[self.turn];
        gl.buffer_update(vertices, BufferSource::slice(&wires.points));
        let indices = self.pairs(gl, wires);
        let mut first = 0;
        for joined in wires.joined.iter().filter(|joined| !joined.pairs.is_empty()) {
            let [_, r, g, b] = joined.color.to_be_bytes();
            let object = WireObject { color: [r, g, b].map(|part| f32::from(part) / 255.0), lift };
            program.apply(gl, [frame, bytemuck::bytes_of(&object)]);
            let textures: &[TextureId] = program.textures(&[]);
            gl.apply_bindings_from_slice(&[vertices], indices, textures);
            let count = 2 * joined.pairs.len() as i32;
            gl.draw(first, count, 1);
            first += count;
        }
    }

    fn pairs(&mut self, gl: &mut dyn RenderingBackend, wires: &Wires) -> BufferId {
        let known = self.kept.iter().position(|pairs| pairs.version == wires.version);
        let mut pairs = if let Some(place) = known {
            self.kept.remove(place)
        } else {
            if self.kept.len() >= KEPT {
                gl.delete_buffer(self.kept.remove(0).indices);
            }
            let all: Vec<[u32; 2]> =
                wires.joined.iter().flat_map(|joined| joined.pairs.iter().copied()).collect();
            let source = BufferSource::slice(all.as_flattened());
            let indices = gl.new_buffer(BufferType::IndexBuffer, BufferUsage::Immutable, source);
            Pairs { version: wires.version, indices, used: 0 }
        };
        pairs.used = self.draws;
        let indices = pairs.indices;
        self.kept.push(pairs);
        indices
    }
}

impl Points {
    fn new(gl: &mut dyn RenderingBackend, room: usize) -> Self {
        let mut stream = || {
            let source = BufferSource::empty::<u8>(room * size_of::<[f32; 4]>());
            gl.new_buffer(BufferType::VertexBuffer, BufferUsage::Stream, source)
        };
        Self { vertices: std::array::from_fn(|_| stream()), room }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_made_again_where_what_they_come_from_is_other() {
        let (points, mut made, mut wires) = ([[0.0; 4], [1.0; 4], [2.0; 4]], 0, Wires::default());
        let mut join = |wires: &mut Wires, points: &[[f32; 4]], from: u8| {
            wires.join(points, &[&[from]], || {
                made += 1;
                vec![Joined { color: 7, pairs: vec![[2, 1], [1, 0], [0, 9]] }]
            });
            made
        };
        assert_eq!((join(&mut wires, &points, 1), wires.count()), (1, 2), "what ends nowhere is left out");
        assert_eq!(wires.joined[0].pairs, [[1, 0], [2, 1]], "lines of a point follow each other");
        let version = wires.version;
        wires.clear();
        assert_eq!((wires.count(), wires.lines().count()), (0, 0));
        assert_eq!((join(&mut wires, &points, 1), wires.version), (1, version));
        assert_eq!(join(&mut wires, &points, 2), 2);
        assert!(wires.version > version);
        assert_eq!(wires.lines().last(), Some((7, [[2.0; 4], [1.0; 4]])));
    }
}
