//! A compiled program with its pipelines: uniforms by name, textures by slot.

use miniquad::{
    BlendFactor, BlendState, BufferLayout, Comparison, Equation, Pipeline, PipelineParams, PrimitiveType,
    RenderingBackend, ShaderId, ShaderMeta, ShaderSource, TextureId, UniformBlockLayout, UniformDesc,
    VertexAttribute,
};

use super::shader::{ShaderError, ShaderKind};
use super::translate::{Stages, Translated};

/// The names that naga gives to `@location(n)` of a vertex shader.
const ATTRIBUTE_NAMES: [&str; 4] =
    ["_p2vs_location0", "_p2vs_location1", "_p2vs_location2", "_p2vs_location3"];

pub(crate) struct Program {
    shader: ShaderId,
    /// One for each of `ShaderKind::primitives`.
    pipelines: Vec<Pipeline>,
    copies: Vec<Copy>,
    /// For each sampler of the program, the place of its texture in `ShaderKind::textures`.
    samplers: Vec<usize>,
    bytes: Vec<u8>,
    bound: Vec<TextureId>,
}

/// Bytes to take from a block, in the order in which miniquad wants them.
struct Copy {
    block: usize,
    offset: usize,
    len: usize,
}

/// Compiles every pair of entry points of a file. Either all of them, or none.
pub(crate) fn compile_all(
    gl: &mut dyn RenderingBackend,
    kind: &ShaderKind,
    translated: &Translated,
) -> Result<Vec<Program>, ShaderError> {
    let mut programs = Vec::with_capacity(translated.pairs.len());
    for (stages, pair) in translated.pairs.iter().zip(kind.entries) {
        match Program::compile(gl, kind, stages, pair.adds) {
            Ok(program) => programs.push(program),
            Err(error) => {
                for program in programs {
                    program.delete(gl);
                }
                return Err(error);
            }
        }
    }
    Ok(programs)
}

impl Program {
    fn compile(
        gl: &mut dyn RenderingBackend,
        kind: &ShaderKind,
        stages: &Stages,
        adds: bool,
    ) -> Result<Self, ShaderError> {
        let sum = BlendState::new(Equation::Add, BlendFactor::One, BlendFactor::One);
        let uniforms =
            stages.uniforms.iter().map(|u| UniformDesc::new(&u.path, u.kind.miniquad()).array(u.count));
        let meta = ShaderMeta {
            images: stages.textures.iter().map(|t| t.name.clone()).collect(),
            uniforms: UniformBlockLayout { uniforms: uniforms.collect() },
        };
        let source = ShaderSource::Glsl { vertex: &stages.vertex, fragment: &stages.fragment };
        let shader = gl.new_shader(source, meta).map_err(|e| driver_error(kind.file, &e.to_string()))?;
        let buffers: Vec<_> =
            kind.strides.iter().map(|&stride| BufferLayout { stride, ..Default::default() }).collect();
        let attributes: Vec<_> = kind
            .attributes
            .iter()
            .zip(ATTRIBUTE_NAMES)
            .map(|(a, name)| VertexAttribute::with_buffer(name, a.format, a.buffer))
            .collect();
        let params = |primitive_type| PipelineParams {
            depth_test: Comparison::LessOrEqual,
            // miniquad turns the whole depth test off without this.
            depth_write: true,
            primitive_type,
            color_blend: adds.then_some(sum),
            alpha_blend: adds.then_some(sum),
            ..Default::default()
        };
        let pipeline = |of: &PrimitiveType| gl.new_pipeline(&buffers, &attributes, shader, params(*of));
        let pipelines = kind.primitives.iter().map(pipeline).collect();
        let copies = stages.uniforms.iter().map(|u| Copy {
            block: u.block,
            offset: u.offset,
            len: u.kind.bytes() * u.count,
        });
        Ok(Self {
            shader,
            pipelines,
            copies: copies.collect(),
            samplers: stages.textures.iter().map(|t| t.texture).collect(),
            bytes: Vec::new(),
            bound: Vec::new(),
        })
    }

    /// Makes this the current program with `blocks` = [frame, object] as bytes.
    pub(crate) fn apply(&mut self, gl: &mut dyn RenderingBackend, blocks: [&[u8]; 2]) {
        self.apply_as(gl, 0, blocks);
    }

    /// The same, of vertices that make another of `ShaderKind::primitives`.
    pub(crate) fn apply_as(&mut self, gl: &mut dyn RenderingBackend, primitive: usize, blocks: [&[u8]; 2]) {
        gl.apply_pipeline(&self.pipelines[primitive]);
        self.set_uniforms(gl, blocks);
    }

    /// New uniform values for the current program.
    pub(crate) fn set_uniforms(&mut self, gl: &mut dyn RenderingBackend, blocks: [&[u8]; 2]) {
        self.bytes.clear();
        for copy in &self.copies {
            self.bytes.extend_from_slice(&blocks[copy.block][copy.offset..copy.offset + copy.len]);
        }
        gl.apply_uniforms_from_bytes(self.bytes.as_ptr(), self.bytes.len());
    }

    /// The textures in sampler order, from those in `ShaderKind::textures` order.
    pub(crate) fn textures(&mut self, slots: &[TextureId]) -> &[TextureId] {
        self.bound.clear();
        self.bound.extend(self.samplers.iter().map(|&slot| slots[slot]));
        &self.bound
    }

    pub(crate) fn delete(self, gl: &mut dyn RenderingBackend) {
        self.pipelines.into_iter().for_each(|pipeline| gl.delete_pipeline(pipeline));
        gl.delete_shader(self.shader);
    }
}

fn driver_error(file: &str, text: &str) -> ShaderError {
    let first =
        text.lines().find(|line| line.contains("error") && !line.ends_with("shader error:")).unwrap_or(text);
    let message = format!("the graphics driver refused the shader: {}", first.trim());
    ShaderError {
        report: format!("error: {file}: {text}"),
        ..ShaderError::new(file, message.lines().next().unwrap_or(""))
    }
}
