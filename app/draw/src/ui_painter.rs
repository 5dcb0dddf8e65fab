//! Paints egui's triangles over what the window already shows.
//!
//! The window's framebuffer is a plain one and egui blends in gamma space, so colours pass through unchanged.

use std::collections::HashMap;

use egui::epaint;
use miniquad as mq;
use mq::{BufferId, BufferSource, BufferType, BufferUsage, RenderingBackend};

const VERSION: &str =
    if cfg!(target_arch = "wasm32") { "#version 300 es\nprecision highp float;\n" } else { "#version 330\n" };
const VERTEX: &str = "uniform vec2 u_screen;
in vec2 a_pos; in vec2 a_uv; in vec4 a_rgba;
out vec2 v_uv; out vec4 v_rgba;
void main() {
    gl_Position = vec4(2.0 * a_pos.x / u_screen.x - 1.0, 1.0 - 2.0 * a_pos.y / u_screen.y, 0.0, 1.0);
    v_uv = a_uv;
    v_rgba = a_rgba / 255.0; // miniquad never normalises integer attributes
}";
const FRAGMENT: &str = "uniform sampler2D u_texture;
in vec2 v_uv; in vec4 v_rgba;
out vec4 o_rgba;
void main() { o_rgba = v_rgba * texture(u_texture, v_uv); }";

/// What egui's triangles are painted with.
pub struct UiPainter {
    pipeline: mq::Pipeline,
    vertex_buffer: BufferId,
    index_buffer: BufferId,
    textures: HashMap<egui::TextureId, mq::TextureId>,
    // Kept between frames so that painting does not allocate.
    vertices: Vec<epaint::Vertex>,
    indices: Vec<u32>,
    draws: Vec<Draw>,
}

struct Draw {
    first: usize,
    count: usize,
    texture: egui::TextureId,
    clip: egui::Rect,
}

impl UiPainter {
    pub fn new(gl: &mut dyn RenderingBackend) -> Result<Self, String> {
        let screen = mq::UniformDesc::new("u_screen", mq::UniformType::Float2);
        let meta = mq::ShaderMeta {
            images: vec!["u_texture".into()],
            uniforms: mq::UniformBlockLayout { uniforms: vec![screen] },
        };
        let (vertex, fragment) = (format!("{VERSION}{VERTEX}"), format!("{VERSION}{FRAGMENT}"));
        let source = mq::ShaderSource::Glsl { vertex: &vertex, fragment: &fragment };
        let shader = gl
            .new_shader(source, meta)
            .map_err(|e| format!("the driver refused the interface's shader: {e}"))?;
        let attributes = [
            mq::VertexAttribute::new("a_pos", mq::VertexFormat::Float2),
            mq::VertexAttribute::new("a_uv", mq::VertexFormat::Float2),
            mq::VertexAttribute::new("a_rgba", mq::VertexFormat::Byte4),
        ];
        // egui's colours are premultiplied.
        let blend = mq::BlendState::new(
            mq::Equation::Add,
            mq::BlendFactor::One,
            mq::BlendFactor::OneMinusValue(mq::BlendValue::SourceAlpha),
        );
        let params = mq::PipelineParams { color_blend: Some(blend), ..Default::default() };
        Ok(Self {
            pipeline: gl.new_pipeline(&[mq::BufferLayout::default()], &attributes, shader, params),
            vertex_buffer: gl.new_buffer(
                BufferType::VertexBuffer,
                BufferUsage::Stream,
                BufferSource::empty::<epaint::Vertex>(1 << 14),
            ),
            index_buffer: gl.new_buffer(
                BufferType::IndexBuffer,
                BufferUsage::Stream,
                BufferSource::empty::<u32>(1 << 15),
            ),
            textures: HashMap::new(),
            vertices: Vec::new(),
            indices: Vec::new(),
            draws: Vec::new(),
        })
    }

    pub fn set_texture(
        &mut self,
        gl: &mut dyn RenderingBackend,
        id: egui::TextureId,
        delta: &epaint::ImageDelta,
    ) {
        let epaint::ImageData::Color(image) = &delta.image;
        let bytes: &[u8] = bytemuck::cast_slice(&image.pixels);
        let [width, height] = image.size;
        if let (Some([x, y]), Some(texture)) = (delta.pos, self.textures.get(&id)) {
            gl.texture_update_part(*texture, x as i32, y as i32, width as i32, height as i32, bytes);
            return;
        }
        let filter = match delta.options.magnification {
            egui::TextureFilter::Nearest => mq::FilterMode::Nearest,
            egui::TextureFilter::Linear => mq::FilterMode::Linear,
        };
        let params = mq::TextureParams {
            width: width as u32,
            height: height as u32,
            min_filter: filter,
            mag_filter: filter,
            ..Default::default()
        };
        let texture = gl.new_texture_from_data_and_format(bytes, params);
        if let Some(old) = self.textures.insert(id, texture) {
            gl.delete_texture(old);
        }
    }

    pub fn free_texture(&mut self, gl: &mut dyn RenderingBackend, id: egui::TextureId) {
        if let Some(texture) = self.textures.remove(&id) {
            gl.delete_texture(texture);
        }
    }

    /// What is painted from now on.
    pub fn take(&mut self, gl: &mut dyn RenderingBackend, primitives: &[egui::ClippedPrimitive]) {
        self.gather(primitives);
        grow(gl, &mut self.vertex_buffer, BufferType::VertexBuffer, &self.vertices);
        grow(gl, &mut self.index_buffer, BufferType::IndexBuffer, &self.indices);
    }

    /// Paints what was last taken.
    pub fn paint(
        &mut self,
        gl: &mut dyn RenderingBackend,
        pixels_per_point: f32,
        (width, height): (f32, f32),
    ) {
        gl.begin_default_pass(mq::PassAction::Nothing);
        gl.apply_pipeline(&self.pipeline);
        gl.apply_uniforms(mq::UniformsSource::table(&[width / pixels_per_point, height / pixels_per_point]));
        for draw in &self.draws {
            let Some(&texture) = self.textures.get(&draw.texture) else {
                continue;
            };
            let pixel = |points: f32, most: f32| (points * pixels_per_point).round().clamp(0.0, most) as i32;
            let (left, right) = (pixel(draw.clip.min.x, width), pixel(draw.clip.max.x, width));
            let (top, bottom) = (pixel(draw.clip.min.y, height), pixel(draw.clip.max.y, height));
            gl.apply_scissor_rect(left, height as i32 - bottom, (right - left).max(0), (bottom - top).max(0));
            gl.apply_bindings_from_slice(&[self.vertex_buffer], self.index_buffer, &[texture]);
            gl.draw(draw.first as i32, draw.count as i32, 1);
        }
        gl.end_render_pass();
    }

    /// One vertex and one index list for everything: miniquad has no base vertex, so indices are moved.
    fn gather(&mut self, primitives: &[egui::ClippedPrimitive]) {
        self.vertices.clear();
        self.indices.clear();
        self.draws.clear();
        for primitive in primitives {
            let epaint::Primitive::Mesh(mesh) = &primitive.primitive else {
                continue;
            };
            let base = self.vertices.len() as u32;
            let draw = Draw {
                first: self.indices.len(),
                count: mesh.indices.len(),
                texture: mesh.texture_id,
                clip: primitive.clip_rect,
            };
            self.vertices.extend_from_slice(&mesh.vertices);
            self.indices.extend(mesh.indices.iter().map(|index| index + base));
            self.draws.push(draw);
        }
    }
}

fn grow<T>(gl: &mut dyn RenderingBackend, buffer: &mut BufferId, kind: BufferType, data: &[T]) {
    if gl.buffer_size(*buffer) < std::mem::size_of_val(data) {
        gl.delete_buffer(*buffer);
        *buffer = gl.new_buffer(
            kind,
            BufferUsage::Stream,
            BufferSource::empty::<T>(data.len().next_power_of_two()),
        );
    }
    if !data.is_empty() {
        gl.buffer_update(*buffer, BufferSource::slice(data));
    }
}
