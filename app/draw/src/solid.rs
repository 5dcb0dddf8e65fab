//! Spheres, boxes, capsules and triangle meshes: one draw call each.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};

use super::primitives::{self, Mesh};
use super::program::Program;
use super::shader::{Attribute, LIGHT_MAPS, MAIN, SHADOW, ShaderKind};
use super::uniforms::uniforms;
use super::{Shape, Solid};

uniforms! {
    /// `object` in `solid.wgsl`.
    pub(crate) struct SolidObject {
        world_from_local: [f32; 16],
        /// Multiplies the corners of the unit mesh [m].
        scale: [f32; 3],
        /// Of a capsule [m], else 0.
        half_height: f32,
        color: [f32; 3],
        /// Middle of the hair on it, a unit vector, and the cosine of the angle at which that ends.
        crown: [f32; 4],
        /// Colour under hair, and how much of the skin hair covers, 0..1.
        scalp: [f32; 4],
        /// 0 or 1.
        highlight: f32,
    }
}

pub(crate) static KIND: ShaderKind = ShaderKind {
    file: "solid.wgsl",
    entries: &[MAIN, SHADOW],
    object: SolidObject::FIELDS,
    textures: LIGHT_MAPS,
    attributes: &[
        Attribute { format: VertexFormat::Float4, buffer: 0 },
        Attribute { format: VertexFormat::Float3, buffer: 0 },
    ],
    strides: &[0],
    primitives: &[PrimitiveType::Triangles],
};

struct Buffers {
    vertices: BufferId,
    indices: BufferId,
    count: i32,
}

/// The meshes that all solids share.
pub(crate) struct SolidMeshes {
    sphere: Buffers,
    cuboid: Buffers,
    /// Of the triangle meshes in the picture.
    meshes: Vec<(Arc<weft_scene::solid::Solid>, Buffers)>,
}

impl SolidMeshes {
    pub(crate) fn new(gl: &mut dyn RenderingBackend) -> Self {
        Self {
            sphere: Buffers::new(gl, &primitives::sphere()),
            cuboid: Buffers::new(gl, &primitives::cuboid()),
            meshes: Vec::new(),
        }
    }

    /// Brings the triangle meshes of these solids to the driver, and forgets all others.
    pub(crate) fn update(&mut self, gl: &mut dyn RenderingBackend, solids: &[Solid]) {
        let named = |mesh: &Arc<weft_scene::solid::Solid>| {
            let same = |shape: &Shape| matches!(shape, Shape::Mesh { solid, .. } if Arc::ptr_eq(solid, mesh));
            solids.iter().any(|solid| same(&solid.shape))
        };
        self.meshes.retain(|(mesh, buffers)| {
            let stays = named(mesh);
            if !stays {
                gl.delete_buffer(buffers.vertices);
                gl.delete_buffer(buffers.indices);
            }
            stays
        });
        for solid in solids {
            if let Shape::Mesh { solid: mesh, .. } = &solid.shape
                && !self.meshes.iter().any(|(known, _)| Arc::ptr_eq(known, mesh))
            {
                self.meshes.push((Arc::clone(mesh), Buffers::new(gl, &primitives::faces(mesh))));
            }
        }
    }

    /// Draws every solid with `program`, which may be the main or the shadow one.
    pub(crate) fn draw(
        &self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        solids: &[Solid],
        maps: &[TextureId],
    ) {
        for solid in solids {
            let object = object_of(solid);
            let buffers = match solid.shape {
                Shape::Sphere { .. } | Shape::Capsule { .. } => &self.sphere,
                Shape::Box { .. } => &self.cuboid,
                Shape::Mesh { ref solid, .. } => {
                    let known = self.meshes.iter().find(|(mesh, _)| Arc::ptr_eq(mesh, solid));
                    let Some((_, buffers)) = known else { continue };
                    buffers
                }
            };
            program.apply(gl, [frame, bytemuck::bytes_of(&object)]);
            gl.apply_bindings_from_slice(&[buffers.vertices], buffers.indices, program.textures(maps));
            gl.draw(0, buffers.count, 1);
        }
    }
}

fn object_of(solid: &Solid) -> SolidObject {
    let (scale, half_height) = match solid.shape {
        Shape::Sphere { radius } => (Vec3::splat(radius), 0.0),
        Shape::Box { half } => (half, 0.0),
        Shape::Capsule { radius, half_height } => (Vec3::splat(radius), half_height),
        Shape::Mesh { scale, .. } => (Vec3::splat(scale), 0.0),
    };
    let (crown, under) = solid.scalp.map_or(Default::default(), |scalp| {
        let [r, g, b] = scalp.color;
        (scalp.axis.extend(scalp.cosine), [r, g, b, scalp.covered])
    });
    SolidObject {
        world_from_local: Mat4::from_rotation_translation(solid.rotation, solid.position).to_cols_array(),
        scale: scale.to_array(),
        half_height,
        color: solid.color,
        crown: crown.to_array(),
        scalp: under,
        highlight: f32::from(u8::from(solid.highlighted)),
    }
}

impl Buffers {
    fn new(gl: &mut dyn RenderingBackend, mesh: &Mesh) -> Self {
        Self {
            vertices: gl.new_buffer(
                BufferType::VertexBuffer,
                BufferUsage::Immutable,
                BufferSource::slice(&mesh.vertices),
            ),
            indices: gl.new_buffer(
                BufferType::IndexBuffer,
                BufferUsage::Immutable,
                BufferSource::slice(&mesh.indices),
            ),
            count: mesh.indices.len() as i32,
        }
    }
}
