//! egui 0.37 on miniquad: events in, triangles out.
//!
//! The window's framebuffer is a plain one and egui blends in gamma space, so colours pass through unchanged.
//! Own code because egui-miniquad stays at egui 0.31 and types "cv" on Ctrl+C.
//! Does not do: touch, several windows, input methods, accessibility.

use std::collections::HashMap;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, epaint};
use miniquad as mq;
use mq::{BufferId, BufferSource, BufferType, BufferUsage, RenderingBackend};

const VERTEX: &str = "#version 330
uniform vec2 u_screen;
in vec2 a_pos; in vec2 a_uv; in vec4 a_rgba;
out vec2 v_uv; out vec4 v_rgba;
void main() {
    gl_Position = vec4(2.0 * a_pos.x / u_screen.x - 1.0, 1.0 - 2.0 * a_pos.y / u_screen.y, 0.0, 1.0);
    v_uv = a_uv;
    v_rgba = a_rgba / 255.0; // miniquad never normalises integer attributes
}";
const FRAGMENT: &str = "#version 330
uniform sampler2D u_texture;
in vec2 v_uv; in vec4 v_rgba;
out vec4 o_rgba;
void main() { o_rgba = v_rgba * texture(u_texture, v_uv); }";

/// egui's context, the input it waits for, and the GL objects that paint it.
pub struct Backend {
    pub context: egui::Context,
    input: egui::RawInput,
    modifiers: Modifiers,
    started: f64,
    painter: Painter,
}

impl Backend {
    pub fn new(gl: &mut dyn RenderingBackend) -> Result<Self, String> {
        let input = egui::RawInput {
            focused: true,
            max_texture_side: Some(8192),
            ..Default::default()
        };
        let painter = Painter::new(gl)?;
        Ok(Self {
            context: egui::Context::default(),
            input,
            modifiers: Modifiers::default(),
            started: mq::date::now(),
            painter,
        })
    }

    /// Builds the interface and paints it over what the window already shows.
    pub fn frame(&mut self, gl: &mut dyn RenderingBackend, mut build: impl FnMut(&egui::Context)) {
        let (width, height) = mq::window::screen_size();
        let dpi = mq::window::dpi_scale();
        let viewport = self.input.viewport_id;
        self.input
            .viewports
            .entry(viewport)
            .or_default()
            .native_pixels_per_point = Some(dpi);
        let pixels_per_point = self.context.zoom_factor() * dpi;
        self.input.screen_rect = Some(egui::Rect::from_min_size(
            Pos2::ZERO,
            egui::vec2(width, height) / pixels_per_point,
        ));
        self.input.time = Some(mq::date::now() - self.started);
        let mut output = self
            .context
            .run_pass(self.input.take(), |context| build(context));
        for command in &output.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                mq::window::clipboard_set(text);
            }
        }
        mq::window::set_mouse_cursor(cursor(output.platform_output.cursor_icon));

        let primitives = self
            .context
            .tessellate(output.shapes, output.pixels_per_point);
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.painter.set_texture(gl, *id, delta);
            }
        }
        self.painter
            .paint(gl, &primitives, output.pixels_per_point, (width, height));
        for id in &output.textures_delta.free {
            self.painter.free_texture(gl, *id);
        }
        // egui 0.37 asserts that deltas were applied when they are dropped.
        output.textures_delta.clear();
    }

    /// True while the pointer is over the interface or drags something of it: the camera must leave it alone.
    pub fn wants_pointer(&self) -> bool {
        self.context.egui_wants_pointer_input()
    }

    /// True while a text field has the focus: keys are not shortcuts then.
    pub fn wants_keyboard(&self) -> bool {
        self.context.egui_wants_keyboard_input()
    }

    pub fn mouse_motion(&mut self, x: f32, y: f32) {
        let at = self.point(x, y);
        self.input.events.push(Event::PointerMoved(at));
    }

    pub fn mouse_button(&mut self, button: mq::MouseButton, x: f32, y: f32, pressed: bool) {
        let button = match button {
            mq::MouseButton::Right => PointerButton::Secondary,
            mq::MouseButton::Middle => PointerButton::Middle,
            _ => PointerButton::Primary,
        };
        let (pos, modifiers) = (self.point(x, y), self.modifiers);
        self.input.events.push(Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        });
    }

    /// Wheel notches.
    pub fn mouse_wheel(&mut self, dx: f32, dy: f32) {
        self.input.events.push(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(dx, dy),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: self.modifiers,
        });
    }

    pub fn mouse_leave(&mut self) {
        self.input.events.push(Event::PointerGone);
    }

    /// miniquad calls this before `key`, and for control keys too, which arrive as private-use characters.
    pub fn char(&mut self, character: char, mods: mq::KeyMods) {
        let printable = !character.is_control() && !('\u{e000}'..='\u{f8ff}').contains(&character);
        if printable && !mods.ctrl && !mods.logo {
            self.input.events.push(Event::Text(character.to_string()));
        }
    }

    pub fn key(&mut self, code: mq::KeyCode, mods: mq::KeyMods, pressed: bool) {
        let modifiers = Modifiers {
            alt: mods.alt,
            ctrl: mods.ctrl,
            shift: mods.shift,
            mac_cmd: false,
            command: mods.ctrl,
        };
        if self.modifiers != modifiers {
            self.modifiers = modifiers;
            self.input.events.push(Event::ModifiersChanged(modifiers));
        }
        let events = &mut self.input.events;
        match (pressed && mods.ctrl, code) {
            (true, mq::KeyCode::C) => events.push(Event::Copy),
            (true, mq::KeyCode::X) => events.push(Event::Cut),
            (true, mq::KeyCode::V) => events.extend(mq::window::clipboard_get().map(Event::Paste)),
            _ => events.extend(egui_key(code).map(|key| Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            })),
        }
    }

    /// The window got or lost the focus; keys held across a loss are let go.
    pub fn focus(&mut self, focused: bool) {
        self.input.focused = focused;
        self.modifiers = Modifiers::default();
        self.input.events.push(Event::WindowFocused(focused));
    }

    fn point(&self, x: f32, y: f32) -> Pos2 {
        let pixels_per_point = self.context.pixels_per_point();
        Pos2::new(x / pixels_per_point, y / pixels_per_point)
    }
}

/// `KeyCode`'s names are egui's for letters, digits, function keys and most others.
fn egui_key(code: mq::KeyCode) -> Option<Key> {
    match code {
        mq::KeyCode::KpEnter => Some(Key::Enter),
        mq::KeyCode::KpAdd => Some(Key::Plus),
        mq::KeyCode::KpSubtract => Some(Key::Minus),
        mq::KeyCode::Apostrophe => Some(Key::Quote),
        mq::KeyCode::LeftBracket => Some(Key::OpenBracket),
        mq::KeyCode::RightBracket => Some(Key::CloseBracket),
        mq::KeyCode::GraveAccent => Some(Key::Backtick),
        _ => {
            let name = format!("{code:?}");
            Key::from_name(
                name.strip_prefix("Key")
                    .or_else(|| name.strip_prefix("Kp"))
                    .unwrap_or(&name),
            )
        }
    }
}

fn cursor(icon: egui::CursorIcon) -> mq::CursorIcon {
    use egui::CursorIcon as E;
    match icon {
        E::PointingHand => mq::CursorIcon::Pointer,
        E::Text => mq::CursorIcon::Text,
        E::Crosshair => mq::CursorIcon::Crosshair,
        E::NotAllowed | E::NoDrop => mq::CursorIcon::NotAllowed,
        E::ResizeHorizontal | E::ResizeColumn => mq::CursorIcon::EWResize,
        E::ResizeVertical | E::ResizeRow => mq::CursorIcon::NSResize,
        E::ResizeNeSw => mq::CursorIcon::NESWResize,
        E::ResizeNwSe => mq::CursorIcon::NWSEResize,
        E::Move | E::Grab | E::Grabbing => mq::CursorIcon::Move,
        _ => mq::CursorIcon::Default,
    }
}

/// What egui's triangles are painted with.
struct Painter {
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

impl Painter {
    fn new(gl: &mut dyn RenderingBackend) -> Result<Self, String> {
        let screen = mq::UniformDesc::new("u_screen", mq::UniformType::Float2);
        let meta = mq::ShaderMeta {
            images: vec!["u_texture".into()],
            uniforms: mq::UniformBlockLayout {
                uniforms: vec![screen],
            },
        };
        let source = mq::ShaderSource::Glsl {
            vertex: VERTEX,
            fragment: FRAGMENT,
        };
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
        let params = mq::PipelineParams {
            color_blend: Some(blend),
            ..Default::default()
        };
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

    fn set_texture(
        &mut self,
        gl: &mut dyn RenderingBackend,
        id: egui::TextureId,
        delta: &epaint::ImageDelta,
    ) {
        let epaint::ImageData::Color(image) = &delta.image;
        let bytes: &[u8] = bytemuck::cast_slice(&image.pixels);
        let [width, height] = image.size;
        if let (Some([x, y]), Some(texture)) = (delta.pos, self.textures.get(&id)) {
            gl.texture_update_part(
                *texture,
                x as i32,
                y as i32,
                width as i32,
                height as i32,
                bytes,
            );
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

    fn free_texture(&mut self, gl: &mut dyn RenderingBackend, id: egui::TextureId) {
        if let Some(texture) = self.textures.remove(&id) {
            gl.delete_texture(texture);
        }
    }

    fn paint(
        &mut self,
        gl: &mut dyn RenderingBackend,
        primitives: &[egui::ClippedPrimitive],
        pixels_per_point: f32,
        (width, height): (f32, f32),
    ) {
        self.gather(primitives);
        grow(
            gl,
            &mut self.vertex_buffer,
            BufferType::VertexBuffer,
            &self.vertices,
        );
        grow(
            gl,
            &mut self.index_buffer,
            BufferType::IndexBuffer,
            &self.indices,
        );
        gl.begin_default_pass(mq::PassAction::Nothing);
        gl.apply_pipeline(&self.pipeline);
        gl.apply_uniforms(mq::UniformsSource::table(&[
            width / pixels_per_point,
            height / pixels_per_point,
        ]));
        for draw in &self.draws {
            let Some(&texture) = self.textures.get(&draw.texture) else {
                continue;
            };
            let pixel = |points: f32, most: f32| {
                (points * pixels_per_point).round().clamp(0.0, most) as i32
            };
            let (left, right) = (pixel(draw.clip.min.x, width), pixel(draw.clip.max.x, width));
            let (top, bottom) = (
                pixel(draw.clip.min.y, height),
                pixel(draw.clip.max.y, height),
            );
            gl.apply_scissor_rect(
                left,
                height as i32 - bottom,
                (right - left).max(0),
                (bottom - top).max(0),
            );
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
            self.indices
                .extend(mesh.indices.iter().map(|index| index + base));
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
