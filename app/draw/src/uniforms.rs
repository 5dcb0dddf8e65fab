//! Uniform blocks: a Rust struct and the table that names its fields to WGSL.
//!
//! Values go by *name and type*, never by offset, so a shader may drop, reorder or ignore members freely.
//! A member that is not in the table, or has another type, is a `ShaderError` (see `reflect`).

use miniquad::UniformType;

/// The types that both WGSL and miniquad know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Float,
    Vec2,
    Vec3,
    Vec4,
    Int,
    Mat4,
}

impl Kind {
    pub const fn wgsl(self) -> &'static str {
        match self {
            Self::Float => "f32",
            Self::Vec2 => "vec2<f32>",
            Self::Vec3 => "vec3<f32>",
            Self::Vec4 => "vec4<f32>",
            Self::Int => "i32",
            Self::Mat4 => "mat4x4<f32>",
        }
    }

    pub const fn miniquad(self) -> UniformType {
        match self {
            Self::Float => UniformType::Float1,
            Self::Vec2 => UniformType::Float2,
            Self::Vec3 => UniformType::Float3,
            Self::Vec4 => UniformType::Float4,
            Self::Int => UniformType::Int1,
            Self::Mat4 => UniformType::Mat4,
        }
    }

    pub const fn bytes(self) -> usize {
        match self {
            Self::Float | Self::Int => 4,
            Self::Vec2 => 8,
            Self::Vec3 => 12,
            Self::Vec4 => 16,
            Self::Mat4 => 64,
        }
    }
}

/// A value as uniforms carry it: its type and, for arrays, how many.
pub(crate) trait Value {
    const KIND: Kind;
    const COUNT: usize = 1;
}

impl Value for f32 {
    const KIND: Kind = Kind::Float;
}
impl Value for i32 {
    const KIND: Kind = Kind::Int;
}
impl Value for [f32; 2] {
    const KIND: Kind = Kind::Vec2;
}
impl Value for [f32; 3] {
    const KIND: Kind = Kind::Vec3;
}
impl Value for [f32; 4] {
    const KIND: Kind = Kind::Vec4;
}
impl Value for [f32; 16] {
    const KIND: Kind = Kind::Mat4;
}
impl<const N: usize> Value for [[f32; 4]; N] {
    const KIND: Kind = Kind::Vec4;
    const COUNT: usize = N;
}

/// One member of a block that Rust fills.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub count: usize,
    /// Bytes from the start of the Rust struct.
    pub offset: usize,
}

impl Field {
    pub fn wgsl(&self) -> String {
        type_text(self.kind, self.count)
    }
}

/// The WGSL spelling of a member's type.
pub(crate) fn type_text(kind: Kind, count: usize) -> String {
    if count == 1 { kind.wgsl().to_owned() } else { format!("array<{}, {count}>", kind.wgsl()) }
}

/// Declares a plain `#[repr(C)]` struct together with its `FIELDS`.
macro_rules! uniforms {
    ($(#[$doc:meta])* $vis:vis struct $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
        $vis struct $name { $($(#[$field_doc])* pub $field: $type,)* }

        impl $name {
            pub(crate) const FIELDS: &'static [$crate::uniforms::Field] = &[$($crate::uniforms::Field {
                name: stringify!($field),
                kind: <$type as $crate::uniforms::Value>::KIND,
                count: <$type as $crate::uniforms::Value>::COUNT,
                offset: core::mem::offset_of!($name, $field),
            },)*];
        }
    };
}
pub(super) use uniforms;

/// Spheres that darken the ambient light near them; what does not fit is left out.
pub(crate) const OCCLUDERS: usize = 8;

uniforms! {
    /// `frame` in every shader: the same for all that one picture draws.
    pub(crate) struct Frame {
        clip_from_world: [f32; 16],
        shadow_from_world: [f32; 16],
        /// Camera [m].
        eye: [f32; 3],
        /// Unit vector towards the lamp.
        to_light: [f32; 3],
        /// Colour times intensity.
        light_color: [f32; 3],
        ambient: f32,
        /// Unit vector towards the lamp behind the scene, and its light.
        to_rim: [f32; 3],
        rim_color: [f32; 3],
        horizon: [f32; 3],
        zenith: [f32; 3],
        /// Linear colour that the floor throws back up.
        bounce: [f32; 3],
        /// Edge of a texel of the shadow map [m].
        shadow_texel: f32,
        /// The same of the map that hair is drawn to.
        hair_texel: f32,
        /// Thickness of the first layer of hair, in depth of its map.
        hair_layer: f32,
        /// What of its maps hair is in: low and high corner, 0..1.
        hair_low: [f32; 2],
        hair_high: [f32; 2],
        /// Taps in the layers of hair; 0: there are none.
        hair_taps: i32,
        /// Distance [m] at which the ground has faded into the horizon.
        fog_distance: f32,
        /// Centre of the scene [m].
        center: [f32; 3],
        /// Of the sphere around the scene [m].
        radius: f32,
        /// Taps of a soft shadow; 4 or fewer draws a plain one.
        shadow_taps: i32,
        occluder_count: i32,
        /// xyz centre, w radius [m].
        occluders: [[f32; 4]; OCCLUDERS],
    }
}
