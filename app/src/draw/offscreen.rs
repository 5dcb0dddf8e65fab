//! Pictures without a window: an EGL context that has no surface, so neither X nor Wayland is needed.

use std::ffi::{CString, c_char, c_void};

use miniquad::{GlContext, RenderingBackend};

use super::{OffscreenTarget, Picture, Renderer, ShaderSources, Target};

type Handle = *mut c_void;
type GetProcAddress = unsafe extern "C" fn(*const c_char) -> Handle;
type GetPlatformDisplay = unsafe extern "C" fn(u32, Handle, *const i32) -> Handle;
type Initialize = unsafe extern "C" fn(Handle, *mut i32, *mut i32) -> u32;
type BindApi = unsafe extern "C" fn(u32) -> u32;
type ChooseConfig = unsafe extern "C" fn(Handle, *const i32, *mut Handle, i32, *mut i32) -> u32;
type CreateContext = unsafe extern "C" fn(Handle, Handle, Handle, *const i32) -> Handle;
type MakeCurrent = unsafe extern "C" fn(Handle, Handle, Handle, Handle) -> u32;
type DestroyContext = unsafe extern "C" fn(Handle, Handle) -> u32;

const EGL_PLATFORM_SURFACELESS_MESA: u32 = 0x31DD;
const EGL_OPENGL_API: u32 = 0x30A2;
const EGL_NONE: i32 = 0x3038;
/// Any surface type, desktop GL.
const CONFIG: [i32; 5] = [0x3033, 0, 0x3040, 0x0008, EGL_NONE];
/// Version 3.3, core profile.
const CONTEXT: [i32; 7] = [0x3098, 3, 0x30FB, 3, 0x30FD, 1, EGL_NONE];

const ADVICE: &str = "on Debian install libegl1 and libgl1-mesa-dri";

/// A graphics context of this thread, with a renderer on it.
pub struct Offscreen {
    gl: Box<dyn RenderingBackend>,
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
        let mut gl: Box<dyn RenderingBackend> = Box::new(GlContext::new());
        let renderer = Renderer::new(&mut *gl, shaders)?;
        Ok(Self { gl, renderer, target: None, _context: context })
    }

    /// The renderer with the context that it draws on, to load textures and the like.
    pub fn parts(&mut self) -> (&mut Renderer, &mut dyn RenderingBackend) {
        (&mut self.renderer, &mut *self.gl)
    }

    /// RGBA, sRGB, shape (`height`, `width`, 4), top row first.
    pub fn render(&mut self, picture: &Picture<'_>, width: u32, height: u32) -> Vec<u8> {
        let gl = &mut *self.gl;
        let (width, height) = (width.max(1), height.max(1));
        if let Some(old) = self.target.take_if(|old| (old.width, old.height) != (width, height)) {
            old.delete(gl);
        }
        let target = self.target.get_or_insert_with(|| OffscreenTarget::new(gl, width, height));
        self.renderer.draw(gl, picture, Target::offscreen(target));
        let pixels = target.read(gl);
        gl.commit_frame();
        pixels
    }

    /// Name and version of the driver.
    pub fn driver(&self) -> String {
        self.gl.info().gl_version_string
    }
}

/// The EGL library and the context made with it, current on this thread.
struct EglContext {
    library: libloading::Library,
    display: Handle,
    context: Handle,
}

impl EglContext {
    fn new() -> Result<Self, String> {
        // SAFETY: libEGL has no unsound initialiser, and its functions are called with the signatures of EGL 1.5.
        // Every handle passed was returned by the call before it and checked.
        unsafe {
            let library = libloading::Library::new("libEGL.so.1")
                .map_err(|e| format!("drawing without a window needs EGL ({e}); {ADVICE}"))?;
            let get_proc_address: GetProcAddress = function(&library, b"eglGetProcAddress")?;
            let get_display = get_proc_address(c"eglGetPlatformDisplay".as_ptr());
            if get_display.is_null() {
                return Err(format!("EGL is older than 1.5; {ADVICE}"));
            }
            let get_display: GetPlatformDisplay = std::mem::transmute(get_display);
            let display = get_display(EGL_PLATFORM_SURFACELESS_MESA, std::ptr::null_mut(), std::ptr::null());
            let initialize: Initialize = function(&library, b"eglInitialize")?;
            let (mut major, mut minor) = (0, 0);
            if display.is_null() || initialize(display, &raw mut major, &raw mut minor) == 0 {
                return Err(format!(
                    "EGL cannot work without a window here (no Mesa surfaceless platform); {ADVICE}"
                ));
            }
            let bind_api: BindApi = function(&library, b"eglBindAPI")?;
            let choose_config: ChooseConfig = function(&library, b"eglChooseConfig")?;
            let create_context: CreateContext = function(&library, b"eglCreateContext")?;
            let make_current: MakeCurrent = function(&library, b"eglMakeCurrent")?;
            let (mut config, mut configs) = (std::ptr::null_mut(), 0);
            let found = bind_api(EGL_OPENGL_API) != 0
                && choose_config(display, CONFIG.as_ptr(), &raw mut config, 1, &raw mut configs) != 0
                && configs > 0;
            if !found {
                return Err(format!("EGL offers no desktop OpenGL; {ADVICE}"));
            }
            let context = create_context(display, config, std::ptr::null_mut(), CONTEXT.as_ptr());
            if context.is_null()
                || make_current(display, std::ptr::null_mut(), std::ptr::null_mut(), context) == 0
            {
                return Err(format!("no OpenGL 3.3 without a window here; {ADVICE}"));
            }
            miniquad::native::gl::load_gl_funcs(|name| {
                let name = CString::new(name).ok()?;
                let address = get_proc_address(name.as_ptr());
                (!address.is_null()).then(|| std::mem::transmute::<Handle, unsafe extern "C" fn()>(address))
            });
            Ok(Self { library, display, context })
        }
    }
}

impl Drop for EglContext {
    fn drop(&mut self) {
        let none = std::ptr::null_mut();
        // SAFETY: display and context are live until here; nothing draws after this.
        unsafe {
            if let Ok(make_current) = function::<MakeCurrent>(&self.library, b"eglMakeCurrent") {
                make_current(self.display, none, none, none);
            }
            if let Ok(destroy_context) = function::<DestroyContext>(&self.library, b"eglDestroyContext") {
                destroy_context(self.display, self.context);
            }
        }
    }
}

/// # Safety
/// `T` must be the type of the function of that name.
unsafe fn function<T: Copy>(library: &libloading::Library, name: &[u8]) -> Result<T, String> {
    // SAFETY: the caller vouches for T.
    let symbol = unsafe { library.get::<T>(name) };
    symbol.map(|s| *s).map_err(|e| format!("libEGL is incomplete ({e}); {ADVICE}"))
}
