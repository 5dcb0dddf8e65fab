//! Pictures without a window: an EGL context that has no surface, so neither X nor Wayland is needed.

use std::ffi::c_void;

use khronos_egl as egl;
use miniquad::GlContext;

use crate::gl::{Gl, Turn};

use super::{ClothView, OffscreenTarget, Picture, Renderer, ShaderSources, Target, VertexNames};

type Egl = egl::DynamicInstance<egl::EGL1_5>;
type GetPlatformDisplay =
    unsafe extern "system" fn(egl::Enum, *mut c_void, *const egl::Attrib) -> egl::EGLDisplay;
type QueryDevices = unsafe extern "system" fn(egl::Int, *mut *mut c_void, *mut egl::Int) -> egl::Boolean;

const EGL_PLATFORM_SURFACELESS_MESA: egl::Enum = 0x31DD;
const EGL_PLATFORM_DEVICE: egl::Enum = 0x313F;
/// Any surface type, desktop GL.
const CONFIG: [egl::Int; 5] = [egl::SURFACE_TYPE, 0, egl::RENDERABLE_TYPE, egl::OPENGL_BIT, egl::NONE];
/// Versions of OpenGL that are asked for: the newest that is used, the oldest that computes, the oldest that draws.
const VERSIONS: [(i32, i32); 3] = [(4, 5), (4, 3), (3, 3)];
/// Devices that are looked at.
const MOST_DEVICES: usize = 16;

const ADVICE: &str = "on Debian install libegl1 and libgl1-mesa-dri";

/// A graphics context of this thread, with a renderer on it.
pub struct Offscreen {
    pub gl: Gl,
    pub renderer: Renderer,
    /// Kept while pictures of the same size are asked for.
    target: Option<OffscreenTarget>,
    // Last: the context outlives what was made on it.
    _context: EglContext,
}

impl Offscreen {
    /// Fails with a sentence that names the missing piece.
    pub fn new(shaders: &ShaderSources) -> Result<Self, String> {
        let context = EglContext::new()?;
        let mut gl = Gl::alone(Box::new(GlContext::new()));
        let renderer = Renderer::new(&mut *gl.turn(), shaders)?;
        Ok(Self { gl, renderer, target: None, _context: context })
    }

    /// The renderer with the context that it draws on, to load textures and the like.
    pub fn parts(&mut self) -> (&mut Renderer, Turn<'_>) {
        (&mut self.renderer, self.gl.turn())
    }

    /// RGBA, sRGB, shape (`height`, `width`, 4), top row first.
    pub fn render(&mut self, picture: &Picture<'_>, width: u32, height: u32) -> Vec<u8> {
        self.draw(picture, width, height);
        let mut turn = self.gl.turn();
        let pixels = self.target.as_ref().map_or(Vec::new(), |target| target.read(&mut *turn));
        turn.commit_frame();
        pixels
    }

    /// Draws a picture that stays where it is drawn.
    pub fn draw(&mut self, picture: &Picture<'_>, width: u32, height: u32) {
        let mut turn = self.gl.turn();
        let gl = &mut *turn;
        let (width, height) = (width.max(1), height.max(1));
        if let Some(old) = self.target.take_if(|old| (old.width, old.height) != (width, height)) {
            old.delete(gl);
        }
        let target = self.target.get_or_insert_with(|| OffscreenTarget::new(gl, width, height));
        self.renderer.draw(gl, picture, Target::offscreen(target));
        gl.commit_frame();
    }

    /// The vertex buffers of each cloth, for a device that writes what is drawn.
    pub fn vertices(&mut self, cloths: &[ClothView<'_>]) -> Vec<VertexNames> {
        self.renderer.vertices(&mut *self.gl.turn(), cloths)
    }

    /// Waits until all is drawn.
    pub fn finish(&mut self) {
        self.gl.finish();
    }

    /// Name and version of the driver.
    pub fn driver(&mut self) -> String {
        self.gl.turn().info().gl_version_string
    }
}

/// The EGL library and the context made with it, current on this thread.
struct EglContext {
    egl: Egl,
    display: egl::Display,
    context: egl::Context,
}

impl EglContext {
    fn new() -> Result<Self, String> {
        // SAFETY: libEGL has no unsound initialiser, and its functions have the signatures of EGL 1.5.
        let egl = unsafe { Egl::load_required_from_filename("libEGL.so.1") }
            .map_err(|e| format!("drawing without a window needs EGL 1.5 ({e}); {ADVICE}"))?;
        let surfaceless = (EGL_PLATFORM_SURFACELESS_MESA, std::ptr::null_mut());
        let devices = devices(&egl).into_iter().map(|device| (EGL_PLATFORM_DEVICE, device));
        let mut platforms: Vec<_> = std::iter::once(surfaceless).chain(devices).collect();
        if !super::software_gl() {
            // A driver of NVIDIA has the second kind alone; beside Mesa's the first would be the processor.
            platforms.rotate_left(1);
        }
        let display = |(platform, device)| {
            let display = display(&egl, platform, device)?;
            egl.initialize(display).ok().map(|_| display)
        };
        let display = platforms.into_iter().find_map(display).ok_or_else(|| {
            format!("EGL cannot work without a window here (neither a surfaceless platform nor a device); {ADVICE}")
        })?;
        let config = egl.bind_api(egl::OPENGL_API).and_then(|()| egl.choose_first_config(display, &CONFIG));
        let config =
            config.ok().flatten().ok_or_else(|| format!("EGL offers no desktop OpenGL; {ADVICE}"))?;
        let create = |version| egl.create_context(display, config, None, &attributes(version)).ok();
        let context = VERSIONS.into_iter().find_map(create);
        let context = context.filter(|&context| egl.make_current(display, None, None, Some(context)).is_ok());
        let context = context.ok_or_else(|| format!("no OpenGL 3.3 without a window here; {ADVICE}"))?;
        miniquad::native::gl::load_gl_funcs(|name| {
            let address = egl.get_proc_address(name)?;
            // SAFETY: both are the C convention where there is a libEGL.so.1; miniquad knows the signature.
            Some(unsafe { std::mem::transmute::<extern "system" fn(), unsafe extern "C" fn()>(address) })
        });
        Ok(Self { egl, display, context })
    }
}

impl Drop for EglContext {
    fn drop(&mut self) {
        // Nothing draws after this, and nothing is left to do about an error.
        let _ = self.egl.make_current(self.display, None, None, None);
        let _ = self.egl.destroy_context(self.display, self.context);
    }
}

/// A context of this version, core profile.
fn attributes((major, minor): (i32, i32)) -> [egl::Int; 7] {
    let profile = [egl::CONTEXT_OPENGL_PROFILE_MASK, egl::CONTEXT_OPENGL_CORE_PROFILE_BIT];
    [egl::CONTEXT_MAJOR_VERSION, major, egl::CONTEXT_MINOR_VERSION, minor, profile[0], profile[1], egl::NONE]
}

/// `None` where the platform is not there. The crate's own function panics then: that is no error of EGL.
fn display(egl: &Egl, platform: egl::Enum, device: *mut c_void) -> Option<egl::Display> {
    let function = egl.get_proc_address("eglGetPlatformDisplay")?;
    // SAFETY: the signature of EGL 1.5, a device that EGL gave, no attributes; what is not null is a display.
    unsafe {
        let function: GetPlatformDisplay = std::mem::transmute(function);
        let display = function(platform, device, std::ptr::null());
        (!display.is_null()).then(|| egl::Display::from_ptr(display))
    }
}

/// What could draw here; none where EGL does not tell.
fn devices(egl: &Egl) -> Vec<*mut c_void> {
    let (mut found, mut count) = ([std::ptr::null_mut(); MOST_DEVICES], 0);
    let Some(query) = egl.get_proc_address("eglQueryDevicesEXT") else { return Vec::new() };
    // SAFETY: the signature of EGL_EXT_device_enumeration; no more devices are written than there is room for.
    let answered = unsafe {
        let query: QueryDevices = std::mem::transmute(query);
        query(MOST_DEVICES as egl::Int, found.as_mut_ptr(), &raw mut count)
    };
    found[..if answered == egl::TRUE { count.max(0) as usize } else { 0 }].to_vec()
}
