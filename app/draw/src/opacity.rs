//! How much hair light has been through: deep opacity maps (Yuksel and Keyser, Computer Graphics Forum 27, 2008).
//!
//! ```text
//! lamp ─►  ┊first hair┊ layer 1 ┊  layer 2  ┊    layer 3    ┊   all behind    depth of the first hair, its own map
//!          ┊          ┊    1    ┊     2     ┊       4       ┊                 thickness, by that of the first layer
//! ```
//! One byte of the second map for each layer holds the hairs before its end, as opaque ones, in sixteenths: what is drawn adds to those of
//! its own layer and of all behind. Sixteen opaque hairs let no light through, so bytes are enough, which every OpenGL can add up; what
//! lies between two steps is rounded up or down by chance, and the filter takes the mean.
//!
//! Hair is in no other map then: it hides from the lamp only what these say. `Quality::Fast` does without and draws it into the shadow
//! map, as what lets no light through.

use miniquad::{
    FilterMode, MipmapFilterMode, PassAction, RenderPass, RenderingBackend, TextureFormat, TextureId,
    TextureParams,
};

/// Thickness of the first layer, by the radius of the scene: 6 mm of a head and its shoulders.
pub(crate) const LAYER: f32 = 0.02;

/// Both maps with their passes.
pub(crate) struct OpacityMap {
    /// Depth of the first hair from the lamp, and layers of hair behind it.
    pub textures: [TextureId; 2],
    depth: RenderPass,
    layers: RenderPass,
}

impl OpacityMap {
    /// `size` is the edge of the maps [texels].
    pub(crate) fn new(gl: &mut dyn RenderingBackend, size: u32) -> Self {
        // Depths are fetched one by one; WebGL filters none.
        let nearest = TextureParams {
            width: size,
            height: size,
            min_filter: FilterMode::Nearest,
            mag_filter: FilterMode::Nearest,
            ..Default::default()
        };
        let depth = gl.new_render_texture(TextureParams { format: TextureFormat::Depth32, ..nearest });
        // Smoothed before it is read: a few taps in the bytes themselves would be grain.
        let layers = gl.new_render_texture(TextureParams {
            min_filter: FilterMode::Linear,
            mag_filter: FilterMode::Linear,
            mipmap_filter: MipmapFilterMode::Nearest,
            allocate_mipmaps: true,
            ..nearest
        });
        Self {
            textures: [depth, layers],
            depth: gl.new_render_pass_mrt(&[], None, Some(depth)),
            layers: gl.new_render_pass_mrt(&[layers], None, None),
        }
    }

    pub(crate) fn delete(self, gl: &mut dyn RenderingBackend) {
        gl.delete_render_pass(self.depth);
        gl.delete_render_pass(self.layers);
    }

    pub(crate) fn begin_depth(&self, gl: &mut dyn RenderingBackend) {
        gl.begin_pass(Some(self.depth), PassAction::Clear { color: None, depth: Some(1.0), stencil: None });
    }

    pub(crate) fn begin_layers(&self, gl: &mut dyn RenderingBackend) {
        gl.begin_pass(
            Some(self.layers),
            PassAction::Clear { color: Some((0.0, 0.0, 0.0, 0.0)), depth: None, stencil: None },
        );
    }

    /// Ends the pass of the layers, which can be read from then on.
    pub(crate) fn end_layers(&self, gl: &mut dyn RenderingBackend) {
        gl.end_render_pass();
        gl.texture_generate_mipmaps(self.textures[1]);
    }
}
