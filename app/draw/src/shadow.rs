//! The light's view: a depth map, and the box along the light that just holds the scene.

use glam::camera::rh;
use glam::{Mat4, Vec2, Vec3};
use miniquad::raw_gl as gl_raw;
use miniquad::{PassAction, RawId, RenderPass, RenderingBackend, TextureFormat, TextureId, TextureParams};

use super::{ClothView, Picture};

/// A solid larger than the cloth by this much does not make the map coarser; its far parts cast no shadow.
const LARGEST_SOLID: f32 = 4.0;

const GL_TEXTURE_COMPARE_MODE: u32 = 0x884C;
const GL_TEXTURE_COMPARE_FUNC: u32 = 0x884D;
const GL_COMPARE_REF_TO_TEXTURE: i32 = 0x884E;
const GL_LEQUAL: i32 = 0x0203;

/// What must be inside the shadow map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// World space [m].
    pub center: Vec3,
    /// [m]
    pub radius: f32,
    /// Half the edges of the box around the same [m].
    pub half: Vec3,
    /// The box around all hair [m], low corner above the high one if there is none.
    pub hair: [Vec3; 2],
}

impl Bounds {
    /// The sphere around all cloth and strands and, within reason, all solids.
    pub(crate) fn of(picture: &Picture<'_>) -> Self {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (painted, streamed): (Vec<&ClothView>, Vec<&ClothView>) =
            picture.cloths.iter().partition(|cloth| cloth.painted.is_some());
        for [a, b] in painted.iter().filter_map(|cloth| cloth.painted) {
            (low, high) = (low.min(a), high.max(b));
        }
        for rows in streamed.iter().map(|cloth| cloth.positions) {
            (low, high) = around([low, high], rows);
        }
        let mut hair = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for strands in picture.strands {
            let nothing = [Vec3::INFINITY, Vec3::NEG_INFINITY];
            let painted = strands.painted.map(|painted| painted.bounds.into());
            let (a, b) = painted.unwrap_or_else(|| around(nothing, strands.positions));
            (low, high) = (low.min(a), high.max(b));
            hair = [hair[0].min(a - strands.look.spread), hair[1].max(b + strands.look.spread)];
        }
        let has_cloth = low.x <= high.x;
        let largest = if has_cloth { (high - low).length() * 0.5 * LARGEST_SOLID } else { f32::INFINITY };
        for solid in picture.solids {
            let reach = Vec3::splat(solid.shape.bounding_radius().min(largest));
            low = low.min(solid.position - reach);
            high = high.max(solid.position + reach);
        }
        if low.x > high.x || !(high - low).is_finite() {
            return Self { center: picture.camera.target, radius: 1.0, half: Vec3::ONE, hair };
        }
        let half = (high - low) * 0.5;
        Self { center: (low + high) * 0.5, radius: half.length().max(1e-3), half, hair }
    }

    /// What of the light's map hair is in, 0..1: low and high corner.
    pub(crate) fn hair_in_map(self, shadow_from_world: Mat4) -> [Vec2; 2] {
        let corner = |i: usize| Vec3::from_array([0, 1, 2].map(|axis| self.hair[i >> axis & 1][axis]));
        let places = (0..8).map(|i| shadow_from_world.project_point3(corner(i)).truncate() * 0.5 + 0.5);
        places.fold([Vec2::INFINITY, Vec2::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
    }

    /// From a point to the nearest point of the box [m].
    pub(crate) fn distance(self, point: Vec3) -> f32 {
        ((point - self.center).abs() - self.half).max(Vec3::ZERO).length()
    }

    /// Clip space of the light and the edge of a texel [m], steady while the scene moves a little: the radius grows in steps of an eighth
    /// of itself, the centre moves in whole texels.
    pub(crate) fn shadow_from_world(self, to_light: Vec3, map_size: u32) -> (Mat4, f32) {
        let step = 2f32.powf((self.radius.log2() * 6.0).ceil() / 6.0);
        let radius = step * 1.05;
        let texel = 2.0 * radius / map_size as f32;
        let up = if to_light.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
        let turn = rh::view::look_to_mat4(Vec3::ZERO, -to_light, up);
        let center = turn.transform_point3(self.center);
        let snapped = (center / texel).round() * texel;
        let view = Mat4::from_translation(-snapped) * turn;
        // Twice the radius towards the lamp, so that casters a little outside still count. That the box is twice as deep as it
        // is wide is known to `depth_slope` in common.wgsl.
        let projection =
            rh::proj::opengl::orthographic(-radius, radius, -radius, radius, -2.0 * radius, 2.0 * radius);
        (projection * view, texel)
    }
}

/// The box grown by those of some places that are numbers.
fn around([mut low, mut high]: [Vec3; 2], positions: &[[f32; 4]]) -> (Vec3, Vec3) {
    for &[x, y, z, _] in positions {
        let p = Vec3::new(x, y, z);
        if p.is_finite() {
            (low, high) = (low.min(p), high.max(p));
        }
    }
    (low, high)
}

/// The depth texture and its pass.
pub(crate) struct ShadowMap {
    pub texture: TextureId,
    pass: RenderPass,
}

impl ShadowMap {
    /// `size` is the edge of the map [texels].
    pub(crate) fn new(gl: &mut dyn RenderingBackend, size: u32) -> Self {
        let params =
            TextureParams { width: size, height: size, format: TextureFormat::Depth32, ..Default::default() };
        let texture = gl.new_render_texture(params);
        // SAFETY: `texture` was just made on the context that is current on this thread; binding 0 on unit 0 is
        // put back to "nothing", which is what miniquad's cache holds before the first draw.
        unsafe {
            let RawId::OpenGl(name) = gl.texture_raw_id(texture);
            gl_raw::glActiveTexture(gl_raw::GL_TEXTURE0);
            gl_raw::glBindTexture(gl_raw::GL_TEXTURE_2D, name);
            gl_raw::glTexParameteri(
                gl_raw::GL_TEXTURE_2D,
                GL_TEXTURE_COMPARE_MODE,
                GL_COMPARE_REF_TO_TEXTURE,
            );
            gl_raw::glTexParameteri(gl_raw::GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
            gl_raw::glBindTexture(gl_raw::GL_TEXTURE_2D, 0);
        }
        let pass = gl.new_render_pass_mrt(&[], None, Some(texture));
        Self { texture, pass }
    }

    pub(crate) fn delete(self, gl: &mut dyn RenderingBackend) {
        gl.delete_render_pass(self.pass);
    }

    pub(crate) fn begin(&self, gl: &mut dyn RenderingBackend) {
        gl.begin_pass(Some(self.pass), PassAction::Clear { color: None, depth: Some(1.0), stencil: None });
    }
}
