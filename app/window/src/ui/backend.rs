//! egui 0.37 on miniquad: events in, triangles out (`draw::ui_painter` paints them).
//!
//! While nobody touches it, the interface is built some times a second, in every third frame at most, and painted in every
//! frame: its numbers are taken no faster. What is touched, or moves by itself, is built in every frame.
//!
//! Own code because egui-miniquad stays at egui 0.31 and types "cv" on Ctrl+C.
//! Does not do: touch, several windows, input methods, accessibility.

use std::time::Duration;

use egui::{Event, Key, Modifiers, Order, PointerButton, Pos2};
use miniquad as mq;
use mq::RenderingBackend;

use weft_core::clock::Instant;
use weft_draw::{gl::Gl, ui_painter::UiPainter};

use super::clipboard::Clipboard;

/// What is built lasts so long, and in any case for so many frames: where those take long, so would it.
const LASTS: Duration = Duration::from_millis(66);
const FRAMES: u32 = 3;
/// At first sizes follow from each other.
const FIRST_PASSES: u32 = 3;
/// Letters that are pasted at most: a field is a name, a number or a condition.
const PASTED: usize = 2000;

/// egui's context, the input it waits for, and the GL objects that paint it.
pub struct Backend {
    pub context: egui::Context,
    input: egui::RawInput,
    modifiers: Modifiers,
    clipboard: Clipboard,
    started: Instant,
    painter: UiPainter,
    built: Option<Built>,
    passes: u32,
}

/// What is painted, and until when.
#[derive(Clone, Copy)]
struct Built {
    at: Instant,
    /// Time after which it wants to be built again.
    again: Duration,
    /// Frames that showed it.
    frames: u32,
    /// Of the window [pixels], and of a point.
    size: (f32, f32),
    pixels_per_point: f32,
}

impl Backend {
    pub fn new(gl: &mut dyn RenderingBackend) -> Result<Self, String> {
        let input = egui::RawInput { focused: true, max_texture_side: Some(8192), ..Default::default() };
        let painter = UiPainter::new(gl)?;
        let context = egui::Context::default();
        #[cfg(target_arch = "wasm32")]
        context.set_fonts(super::fonts::definitions());
        super::theme::set(&context);
        if weft_draw::software_gl() {
            // Edges that fade are triangles of their own, and a processor that draws pays for each.
            context.tessellation_options_mut(|options| options.feathering = false);
        }
        // egui's small text is too small to read beside a picture.
        context.all_styles_mut(|style| {
            if let Some(small) = style.text_styles.get_mut(&egui::TextStyle::Small) {
                small.size = 11.0;
            }
        });
        Ok(Self {
            context,
            input,
            modifiers: Modifiers::default(),
            clipboard: Clipboard::default(),
            started: Instant::now(),
            painter,
            built: None,
            passes: 0,
        })
    }

    /// Builds the interface where it is time to, and paints it over what the window already shows.
    pub fn frame(&mut self, gl: &mut Gl, mut build: impl FnMut(&egui::Context)) {
        let size = mq::window::screen_size();
        if let Some(built) = self.built.filter(|built| self.lasts(built, size)) {
            self.built = Some(Built { frames: built.frames + 1, ..built });
            return self.painter.paint(&mut *gl.turn(), built.pixels_per_point, size);
        }
        let (width, height) = size;
        let dpi = mq::window::dpi_scale();
        let viewport = self.input.viewport_id;
        self.input.viewports.entry(viewport).or_default().native_pixels_per_point = Some(dpi);
        let pixels_per_point = self.context.zoom_factor() * dpi;
        self.input.screen_rect =
            Some(egui::Rect::from_min_size(Pos2::ZERO, egui::vec2(width, height) / pixels_per_point));
        // Not the time of day, which may be set back: what moves would stand still until then.
        self.input.time = Some(self.started.elapsed().as_secs_f64());
        let mut output = self.context.run_pass(self.input.take(), |context| build(context));
        for command in &output.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                mq::window::clipboard_set(text);
            }
        }
        mq::window::set_mouse_cursor(cursor(output.platform_output.cursor_icon));

        let mut turn = gl.turn();
        let gl = &mut *turn;
        let primitives = self.context.tessellate(output.shapes, output.pixels_per_point);
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.painter.set_texture(gl, *id, delta);
            }
        }
        self.painter.take(gl, &primitives);
        self.painter.paint(gl, output.pixels_per_point, size);
        for id in &output.textures_delta.free {
            self.painter.free_texture(gl, *id);
        }
        // egui 0.37 asserts that deltas were applied when they are dropped.
        output.textures_delta.clear();
        let again =
            output.viewport_output.get(&viewport).map_or(Duration::ZERO, |output| output.repaint_delay);
        self.passes = self.passes.saturating_add(1);
        self.built = (self.passes >= FIRST_PASSES).then_some(Built {
            at: Instant::now(),
            again,
            frames: 1,
            size,
            pixels_per_point: output.pixels_per_point,
        });
    }

    /// Whether what was built is what there would be now, or as good.
    fn lasts(&self, built: &Built, size: (f32, f32)) -> bool {
        self.input.events.is_empty()
            && built.size == size
            && built.at.elapsed() < built.again
            && (built.frames < FRAMES || built.at.elapsed() < LASTS)
            && !self.context.has_requested_repaint()
    }

    /// True while the pointer is over the interface or drags something of it: the camera must leave it alone. `picture` is the
    /// part of the window that is no panel.
    pub fn wants_pointer(&self, picture: Option<egui::Rect>) -> bool {
        let context = &self.context;
        // Panels are taken by their edges, which reach into the picture.
        let edge = context.global_style().interaction.resize_grab_radius_side;
        let beside = |at| !picture.is_some_and(|picture| picture.shrink(edge).contains(at));
        let above = |at| context.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background);
        context.egui_is_using_pointer()
            || !context.input(|input| input.pointer.any_down())
                && context.pointer_interact_pos().is_some_and(|at| beside(at) || above(at))
    }

    /// True while text is typed into the interface: keys are not shortcuts then.
    pub fn wants_keyboard(&self) -> bool {
        self.context.text_edit_focused()
    }

    /// Takes the focus from buttons and sliders, so that the space bar does not press them again.
    pub fn drop_focus(&self) {
        if !self.wants_keyboard() {
            self.context.memory_mut(|memory| {
                if let Some(focused) = memory.focused() {
                    memory.surrender_focus(focused);
                }
            });
        }
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
        self.input.events.push(Event::PointerButton { pos, button, pressed, modifiers });
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
            (true, mq::KeyCode::V) => self.clipboard.ask(),
            // Tab is Weft's own key; egui would move a focus nobody asked for.
            (_, mq::KeyCode::Tab) => {}
            _ => events.extend(egui_key(code).map(|key| Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            })),
        }
    }

    /// Takes in what was asked to be pasted. The error says why nothing comes.
    pub fn paste(&mut self) -> Result<(), String> {
        let text = self.clipboard.answer()?;
        let event = |text: String| Event::Paste(text.chars().take(PASTED).collect());
        self.input.events.extend(text.map(event));
        Ok(())
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
            Key::from_name(name.strip_prefix("Key").or_else(|| name.strip_prefix("Kp")).unwrap_or(&name))
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
