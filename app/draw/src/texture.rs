//! Textures from files, kept by name; repeat in both directions, with mip levels.

use std::path::Path;

use miniquad::{
    FilterMode, MipmapFilterMode, RenderingBackend, TextureId, TextureKind, TextureParams, TextureWrap,
};

/// A texture of one `Renderer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureRef(u32);

pub(crate) struct Textures {
    white: TextureId,
    named: Vec<(String, TextureId)>,
}

impl Textures {
    pub(crate) fn new(gl: &mut dyn RenderingBackend) -> Self {
        Self { white: upload(gl, &[255; 4], 1, 1), named: Vec::new() }
    }

    /// Adds a texture, or replaces the one of that name. `rgba` is sRGB, shape (`height`, `width`, 4), top row first.
    pub(crate) fn set(
        &mut self,
        gl: &mut dyn RenderingBackend,
        key: &str,
        rgba: &[u8],
        width: u32,
        height: u32,
    ) -> Result<TextureRef, String> {
        let wanted = width as usize * height as usize * 4;
        if rgba.len() != wanted || wanted == 0 {
            return Err(format!(
                "texture {key}: {width}x{height} needs {wanted} bytes, {} given",
                rgba.len()
            ));
        }
        let texture = upload(gl, rgba, width, height);
        if let Some(index) = self.named.iter().position(|(name, _)| name == key) {
            gl.delete_texture(std::mem::replace(&mut self.named[index].1, texture));
            return Ok(TextureRef(index as u32));
        }
        self.named.push((key.to_owned(), texture));
        Ok(TextureRef(self.named.len() as u32 - 1))
    }

    /// Reads an image file; the path is the texture's name. On an error the texture of that name stays.
    pub(crate) fn load(&mut self, gl: &mut dyn RenderingBackend, path: &Path) -> Result<TextureRef, String> {
        let key = path.to_string_lossy();
        let image = weft_scene::picture::read(path).map_err(|why| format!("texture {key}: {why}"))?;
        let image = image.into_rgba8();
        self.set(gl, &key, image.as_raw(), image.width(), image.height())
    }

    pub(crate) fn id(&self, texture: Option<TextureRef>) -> TextureId {
        let named = texture.and_then(|t| self.named.get(t.0 as usize));
        named.map_or(self.white, |(_, id)| *id)
    }
}

fn upload(gl: &mut dyn RenderingBackend, rgba: &[u8], width: u32, height: u32) -> TextureId {
    let params = TextureParams {
        kind: TextureKind::Texture2D,
        wrap: TextureWrap::Repeat,
        min_filter: FilterMode::Linear,
        mag_filter: FilterMode::Linear,
        mipmap_filter: MipmapFilterMode::Linear,
        width,
        height,
        allocate_mipmaps: true,
        ..Default::default()
    };
    let texture = gl.new_texture_from_data_and_format(rgba, params);
    gl.texture_generate_mipmaps(texture);
    texture
}
