//! Cloth: a static index and uv buffer for each topology; positions, normals and numbers streamed every frame.

use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};
use weft_core::csr::Csr;

use super::levels;
use super::named::named;
use super::normals::{LARGE, Normals, triangles_around};
use super::palette::{KNOTS, Palette};
use super::program::Program;
use super::shader::{ALBEDO, Attribute, HAIR_DEPTH, HAIR_LAYERS, MAIN, SHADOW, SHADOW_MAP, ShaderKind};
use super::uniforms::uniforms;
use super::{ClothView, KEPT_FOR, TURNS};

uniforms! {
    /// `object` in `cloth.wgsl`; the fields are those of `ClothLook` and `Shading`.
    pub(crate) struct ClothObject {
        front: [f32; 3],
        back: [f32; 3],
        uv_scale: [f32; 2],
        sheen: f32,
        roughness: f32,
        weave: f32,
        /// 1: numbers are shown in the colours of the palette.
        shaded: i32,
        /// 1: triangles are no larger than pixels, so that shadows are worked out for each particle.
        fine: i32,
        /// sRGB, low to high.
        palette: [[f32; 4]; KNOTS],
    }
}

pub(crate) static KIND: ShaderKind = ShaderKind {
    file: "cloth.wgsl",
    entries: &[MAIN, SHADOW],
    object: ClothObject::FIELDS,
    textures: &[SHADOW_MAP, HAIR_DEPTH, HAIR_LAYERS, ALBEDO],
    attributes: &[
        Attribute { format: VertexFormat::Float3, buffer: 0 },
        Attribute { format: VertexFormat::Float4, buffer: 1 },
        Attribute { format: VertexFormat::Float2, buffer: 2 },
        Attribute { format: VertexFormat::Float1, buffer: 3 },
    ],
    // Positions are the solver's own [f32; 4] rows; w is stepped over.
    strides: &[16, 0, 0, 0],
    primitives: &[PrimitiveType::Triangles],
};

/// The vertex buffers of a cloth that a device may write, by their names in OpenGL: `[f32; 4]`, one row a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VertexNames {
    /// World positions [m]; w is stepped over.
    pub positions: u32,
    /// Unit normal, and mean curvature [1/m].
    pub normals: u32,
}

struct ClothMesh {
    id: u64,
    surface: u64,
    particles: usize,
    /// Finest first.
    levels: Vec<Level>,
    positions: [BufferId; TURNS],
    normals: [BufferId; TURNS],
    /// Places on the scale; written only while they are shown.
    values: [BufferId; TURNS],
    uvs: BufferId,
    /// Of a large mesh.
    fans: Option<Csr>,
    /// Positions and normals that the device writes, once it was asked to.
    painted: Option<Painted>,
    /// Whether they are drawn.
    is_painted: bool,
    turn: usize,
    last_drawn: u64,
}

/// Triangles of a mesh.
struct Level {
    indices: BufferId,
    triangles: usize,
    /// Distance of its particles [m].
    spacing: f32,
}

/// Positions and normals that the device writes.
struct Painted {
    buffers: [BufferId; 2],
    names: VertexNames,
}

/// The GL side of every cloth that was drawn lately.
#[derive(Default)]
pub(crate) struct ClothMeshes {
    meshes: Vec<ClothMesh>,
    normals: Normals,
    values: Vec<f32>,
    pictures: u64,
}

impl ClothMeshes {
    /// Uploads this frame's positions and normals; forgets meshes that are no longer shown.
    pub(crate) fn update(&mut self, gl: &mut dyn RenderingBackend, cloths: &[ClothView<'_>]) {
        self.pictures += 1;
        for cloth in cloths.iter().filter(|cloth| !cloth.positions.is_empty()) {
            let index = self.find_or_build(gl, cloth);
            let mesh = &mut self.meshes[index];
            mesh.last_drawn = self.pictures;
            mesh.turn = (mesh.turn + 1) % TURNS;
            mesh.is_painted = cloth.painted.is_some();
            if !mesh.is_painted {
                match &mesh.fans {
                    Some(fans) => self.normals.compute_large(cloth.positions, cloth.triangles, fans),
                    None => self.normals.compute(cloth.positions, cloth.triangles),
                }
                gl.buffer_update(mesh.positions[mesh.turn], BufferSource::slice(cloth.positions));
                gl.buffer_update(mesh.normals[mesh.turn], BufferSource::slice(&self.normals.rows));
            }
            if let Some(shading) = cloth.shading {
                self.values.clear();
                self.values.extend_from_slice(shading.values);
                self.values.resize(mesh.particles, 0.0);
                gl.buffer_update(mesh.values[mesh.turn], BufferSource::slice(&self.values));
            }
        }
        let oldest = self.pictures.saturating_sub(KEPT_FOR);
        while let Some(index) = self.meshes.iter().position(|mesh| mesh.last_drawn < oldest) {
            self.meshes.swap_remove(index).delete(gl);
        }
    }

    /// The vertex buffers of each cloth, made if it has none yet.
    pub(crate) fn vertices(
        &mut self,
        gl: &mut dyn RenderingBackend,
        cloths: &[ClothView<'_>],
    ) -> Vec<VertexNames> {
        let name = |cloth: &ClothView<'_>| {
            let index = self.find_or_build(gl, cloth);
            self.meshes[index].last_drawn = self.pictures;
            self.meshes[index].paintable(gl)
        };
        cloths.iter().map(name).collect()
    }

    fn find_or_build(&mut self, gl: &mut dyn RenderingBackend, cloth: &ClothView<'_>) -> usize {
        let found = self.meshes.iter().position(|mesh| mesh.id == cloth.id);
        match found {
            Some(index) if self.meshes[index].is_of(cloth) => index,
            Some(index) => {
                std::mem::replace(&mut self.meshes[index], ClothMesh::new(gl, cloth)).delete(gl);
                index
            }
            None => {
                self.meshes.push(ClothMesh::new(gl, cloth));
                self.meshes.len() - 1
            }
        }
    }

    /// Particles closer together than `spacing` [m] may be left out.
    pub(crate) fn draw_shadow(
        &self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        cloths: &[ClothView<'_>],
        spacing: f32,
    ) {
        program.apply(gl, [frame, bytemuck::bytes_of(&<ClothObject as bytemuck::Zeroable>::zeroed())]);
        for mesh in cloths.iter().filter_map(|cloth| self.drawable(cloth)) {
            mesh.draw(gl, mesh.level(spacing), &[]);
        }
    }

    /// `textures` names the maps of the light and the texture of a cloth. Particles closer together than `spacing` [m] may be left out;
    /// returns how many rows there are for one that was drawn, of the cloth of which most were left out.
    pub(crate) fn draw(
        &self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        cloths: &[ClothView<'_>],
        spacing: f32,
        textures: impl Fn(&ClothView<'_>) -> [TextureId; 4],
    ) -> u32 {
        let mut coarsest = 0;
        for cloth in cloths {
            let Some(mesh) = self.drawable(cloth) else {
                continue;
            };
            let (look, place) = (cloth.look, mesh.level(spacing));
            coarsest = coarsest.max(place);
            let object = ClothObject {
                front: look.front,
                back: look.back,
                uv_scale: look.uv_scale,
                sheen: look.sheen,
                roughness: look.roughness,
                weave: look.weave,
                shaded: i32::from(cloth.shading.is_some()),
                fine: i32::from(mesh.levels[place].spacing <= spacing),
                palette: cloth.shading.map_or(Palette::default(), |shading| shading.palette).knots(),
            };
            program.apply(gl, [frame, bytemuck::bytes_of(&object)]);
            mesh.draw(gl, place, program.textures(&textures(cloth)));
        }
        1 << coarsest
    }

    fn drawable(&self, cloth: &ClothView<'_>) -> Option<&ClothMesh> {
        self.meshes.iter().find(|mesh| mesh.id == cloth.id && mesh.levels[0].triangles > 0)
    }
}

impl ClothMesh {
    fn new(gl: &mut dyn RenderingBackend, cloth: &ClothView<'_>) -> Self {
        let particles = cloth.positions.len();
        let in_range = |triangle: &&[u32; 3]| triangle.iter().all(|&i| (i as usize) < particles);
        let whole: Vec<[u32; 3]> = cloth.triangles.iter().filter(in_range).copied().collect();
        let fans = (particles >= LARGE).then(|| triangles_around(particles, cloth.triangles));
        let (spacing, coarser) = levels::of(cloth.positions, cloth.triangles, fans.as_ref());
        let mut levels = vec![Level::new(gl, &whole, spacing)];
        levels.extend(coarser.iter().map(|level| Level::new(gl, &level.triangles, level.spacing)));
        let mut uvs = cloth.uvs.to_vec();
        uvs.resize(particles, [0.0; 2]);
        let vertices = BufferType::VertexBuffer;
        let mut stream =
            |bytes: usize| gl.new_buffer(vertices, BufferUsage::Stream, BufferSource::empty::<u8>(bytes));
        Self {
            id: cloth.id,
            surface: cloth.surface,
            particles,
            levels,
            positions: std::array::from_fn(|_| stream(size_of_val(cloth.positions))),
            normals: std::array::from_fn(|_| stream(size_of_val(cloth.positions))),
            values: std::array::from_fn(|_| stream(particles * size_of::<f32>())),
            uvs: gl.new_buffer(vertices, BufferUsage::Immutable, BufferSource::slice(&uvs)),
            fans,
            painted: None,
            is_painted: false,
            turn: 0,
            last_drawn: 0,
        }
    }

    fn is_of(&self, cloth: &ClothView<'_>) -> bool {
        self.particles == cloth.positions.len() && self.surface == cloth.surface
    }

    /// Buffers that the device writes.
    fn paintable(&mut self, gl: &mut dyn RenderingBackend) -> VertexNames {
        let bytes = self.particles * size_of::<[f32; 4]>();
        let painted = self.painted.get_or_insert_with(|| {
            let mut rows = || named(gl, BufferType::VertexBuffer, BufferSource::empty::<u8>(bytes));
            let (positions, normals) = (rows(), rows());
            Painted {
                buffers: [positions.0, normals.0],
                names: VertexNames { positions: positions.1, normals: normals.1 },
            }
        });
        painted.names
    }

    /// The place of the coarsest level whose particles are no more than `spacing` [m] apart, or of the finest.
    fn level(&self, spacing: f32) -> usize {
        self.levels.iter().rposition(|level| level.spacing <= spacing).unwrap_or(0)
    }

    fn draw(&self, gl: &mut dyn RenderingBackend, level: usize, textures: &[TextureId]) {
        let streamed = [self.positions[self.turn], self.normals[self.turn]];
        let painted = self.painted.as_ref().filter(|_| self.is_painted);
        let [positions, normals] = painted.map_or(streamed, |painted| painted.buffers);
        let buffers = [positions, normals, self.uvs, self.values[self.turn]];
        let Level { indices, triangles, .. } = self.levels[level];
        gl.apply_bindings_from_slice(&buffers, indices, textures);
        gl.draw(0, triangles as i32 * 3, 1);
    }

    fn delete(self, gl: &mut dyn RenderingBackend) {
        let streamed = self.positions.into_iter().chain(self.normals).chain(self.values);
        let painted = self.painted.into_iter().flat_map(|painted| painted.buffers);
        let indices = self.levels.into_iter().map(|level| level.indices);
        for buffer in streamed.chain(painted).chain(indices).chain([self.uvs]) {
            gl.delete_buffer(buffer);
        }
    }
}

impl Level {
    fn new(gl: &mut dyn RenderingBackend, triangles: &[[u32; 3]], spacing: f32) -> Self {
        // A buffer of no bytes is none.
        let indices = if triangles.is_empty() { &[[0; 3]] } else { triangles };
        let source = BufferSource::slice(indices.as_flattened());
        let indices = gl.new_buffer(BufferType::IndexBuffer, BufferUsage::Immutable, source);
        Self { indices, triangles: triangles.len(), spacing }
    }
}
