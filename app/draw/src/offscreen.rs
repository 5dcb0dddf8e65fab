//! Pictures without a window: an EGL context that has no surface, so neither X nor Wayland is needed.

use std::ffi::{CString, c_char, c_void};

use miniquad::GlContext;

use crate::gl::{Gl, Turn};

use super::{ClothView, OffscreenTarget, Picture, Renderer, ShaderSources, Target, VertexNames};

type Handle = *mut c_void;
type GetProcAddress = unsafe extern "C" fn(*const c_char) -> Handle;
type GetPlatformDisplay = unsafe extern "C" fn(u32, Handle, *const i32) -> Handle;
type QueryDevices = unsafe extern "C" fn(i32, *mut Handle, *mut i32) -> u32;
type Initialize = unsafe extern "C" fn(Handle, *mut i32, *mut i32) -> u32;
type BindApi = unsafe extern "C" fn(u32) -> u32;
type ChooseConfig = unsafe extern "C" fn(Handle, *const i32, *mut Handle, i32, *mut i32) -> u32;
type CreateContext = unsafe extern "C" fn(Handle, Handle, Handle, *const i32) -> Handle;
type MakeCurrent = unsafe extern "C" fn(Handle, Handle, Handle, Handle) -> u32;
type DestroyContext = unsafe extern "C" fn(Handle, Handle) -> u32;

const EGL_PLATFORM_SURFACELESS_MESA: u32 = 0x31DD;
const EGL_PLATFORM_DEVICE: u32 = 0x313F;
const EGL_OPENGL_API: u32 = 0x30A2;
const EGL_NONE: i32 = 0x3038;
/// Any surface type, desktop GL.
const CONFIG: [i32; 5] = [0x3033, 0, 0x3040, 0x0008, EGL_NONE];
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
            let initialize: Initialize = function(&library, b"eglInitialize")?;
            let surfaceless = (EGL_PLATFORM_SURFACELESS_MESA, std::ptr::null_mut());
            let devices = devices(get_proc_address).into_iter().map(|device| (EGL_PLATFORM_DEVICE, device));
            let mut platforms: Vec<(u32, Handle)> = std::iter::once(surfaceless).chain(devices).collect();
            if !super::software_gl() {
                // A driver of NVIDIA has the second kind alone; beside Mesa's the first would be the processor.
                platforms.rotate_left(1);
            }
            let display = platforms.into_iter().find_map(|(platform, device)| {
                let display = get_display(platform, device, std::ptr::null());
                let (mut major, mut minor) = (0, 0);
                let works = !display.is_null() && initialize(display, &raw mut major, &raw mut minor) != 0;
                works.then_some(display)
            });
            let Some(display) = display else {
                return Err(format!(
                    "EGL cannot work without a window here (neither a surfaceless platform nor a device); {ADVICE}"
                ));
            };
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
            let contexts = VERSIONS.map(|version| {
                move || create_context(display, config, std::ptr::null_mut(), attributes(version).as_ptr())
            });
            let context = contexts.into_iter().map(|create| create()).find(|context| !context.is_null());
            let context = context.unwrap_or(std::ptr::null_mut());
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

/// A context of this version, core profile.
fn attributes((major, minor): (i32, i32)) -> [i32; 7] {
    [0x3098, major, 0x30FB, minor, 0x30FD, 1, EGL_NONE]
}

/// What could draw here; none where EGL does not tell.
///
/// # Safety
/// `get_proc_address` must be that of a loaded EGL.
unsafe fn devices(get_proc_address: GetProcAddress) -> Vec<Handle> {
    let (mut found, mut count) = ([std::ptr::null_mut(); MOST_DEVICES], 0);
    // SAFETY: the signature of EGL_EXT_device_enumeration; no more devices are written than there is room for.
    let answered = unsafe {
        let query = get_proc_address(c"eglQueryDevicesEXT".as_ptr());
        !query.is_null()
            && std::mem::transmute::<Handle, QueryDevices>(query)(
                MOST_DEVICES as i32,
                found.as_mut_ptr(),
                &raw mut count,
            ) != 0
    };
    found[..if answered { count.max(0) as usize } else { 0 }].to_vec()
}

/// # Safety
/// `T` must be the type of the function of that name.
unsafe fn function<T: Copy>(library: &libloading::Library, name: &[u8]) -> Result<T, String> {
    // SAFETY: the caller vouches for T.
    let symbol = unsafe { library.get::<T>(name) };
    symbol.map(|s| *s).map_err(|e| format!("libEGL is incomplete ({e}); {ADVICE}"))
}
