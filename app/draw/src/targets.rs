//! Where a picture goes: the window, or a multisampled texture that can be read back.

use miniquad::conf::{Conf, LinuxX11Gl, Platform, WebGLVersion};
use miniquad::{PassAction, RenderPass, RenderingBackend, TextureFormat, TextureId, TextureParams};

/// Samples per pixel, in windows and in images.
pub const SAMPLES: i32 = 4;

/// A window that this renderer can draw to: GLX (so GLSL 330 is there) or WebGL 2, 4 samples, no icon of its own.
pub fn window_conf(title: &str, width: i32, height: i32) -> Conf {
    Conf {
        window_title: title.to_owned(),
        window_width: width,
        window_height: height,
        // The pixels of a page are its own.
        high_dpi: cfg!(target_arch = "wasm32"),
        sample_count: SAMPLES,
        window_resizable: true,
        icon: None,
        platform: Platform {
            linux_x11_gl: LinuxX11Gl::GLXOnly,
            linux_wm_class: "weft",
            webgl_version: WebGLVersion::WebGL2,
            ..Default::default()
        },
        ..Default::default()
    }
}

/// True where no graphics device is visible, so that GL is drawn by the processor: one sample in the window
/// (`conf.sample_count = 1`) and `Quality::Fast` are each twice as fast there. Only Linux can tell.
#[cfg(not(target_arch = "wasm32"))]
pub fn software_gl() -> bool {
    let devices = [
        "/dev/dri/renderD128",
        "/dev/dri/renderD129",
        "/dev/dri/card0",
        "/dev/dri/card1",
        "/dev/nvidia0",
        "/dev/dxg",
    ];
    cfg!(target_os = "linux") && !devices.iter().any(|path| std::path::Path::new(path).exists())
}

/// The same, as the page's loader was told by the browser.
#[cfg(target_arch = "wasm32")]
pub fn software_gl() -> bool {
    unsafe extern "C" {
        safe fn weft_software_gl() -> bool;
    }
    weft_software_gl()
}

/// A rectangle of the surface [pixels], origin at the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Viewport {
    pub fn aspect(self) -> f32 {
        self.width.max(1) as f32 / self.height.max(1) as f32
    }
}

/// What to draw on, and which part of it.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// `None` is the window.
    surface: Option<&'a OffscreenTarget>,
    pub viewport: Viewport,
    /// False for the second and later pictures on one surface (side by side).
    pub clear: bool,
}

impl<'a> Target<'a> {
    /// The whole window, `width` × `height` pixels.
    pub fn window(width: f32, height: f32) -> Self {
        let viewport = Viewport { x: 0, y: 0, width: width as i32, height: height as i32 };
        Self { surface: None, viewport, clear: true }
    }

    pub fn offscreen(surface: &'a OffscreenTarget) -> Self {
        let viewport = Viewport { x: 0, y: 0, width: surface.width as i32, height: surface.height as i32 };
        Self { surface: Some(surface), viewport, clear: true }
    }

    /// Part of the same surface, beside pictures that are already there if `clear` is false.
    #[must_use]
    pub fn part(self, viewport: Viewport, clear: bool) -> Self {
        Self { viewport, clear, ..self }
    }

    pub(super) fn begin(&self, gl: &mut dyn RenderingBackend) {
        let action =
            if self.clear { PassAction::clear_color(0.0, 0.0, 0.0, 1.0) } else { PassAction::Nothing };
        match self.surface {
            Some(surface) => gl.begin_pass(Some(surface.pass), action),
            None => gl.begin_default_pass(action),
        }
        let Viewport { x, y, width, height } = self.viewport;
        gl.apply_viewport(x, y, width, height);
        gl.apply_scissor_rect(x, y, width, height);
    }
}

/// A colour texture with its multisampled twin and a depth buffer.
pub struct OffscreenTarget {
    pub width: u32,
    pub height: u32,
    pass: RenderPass,
    resolved: TextureId,
}

impl OffscreenTarget {
    /// `width`, `height` [pixels], at least 1.
    pub fn new(gl: &mut dyn RenderingBackend, width: u32, height: u32) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let plain = TextureParams { width, height, ..Default::default() };
        let sampled = TextureParams { sample_count: SAMPLES, ..plain };
        let color = gl.new_render_texture(sampled);
        let depth = gl.new_render_texture(TextureParams { format: TextureFormat::Depth32, ..sampled });
        let resolved = gl.new_render_texture(plain);
        let pass = gl.new_render_pass_mrt(&[color], Some(&[resolved]), Some(depth));
        Self { width, height, pass, resolved }
    }

    /// RGBA, shape (`height`, `width`, 4), top row first.
    pub fn read(&self, gl: &mut dyn RenderingBackend) -> Vec<u8> {
        let row = self.width as usize * 4;
        let mut pixels = vec![0; row * self.height as usize];
        gl.texture_read_pixels(self.resolved, &mut pixels);
        // GL counts rows from the bottom.
        let mut rows: Vec<&[u8]> = pixels.chunks(row).collect();
        rows.reverse();
        rows.concat()
    }

    pub fn delete(self, gl: &mut dyn RenderingBackend) {
        gl.delete_render_pass(self.pass);
    }
}
