//! Functions of the OpenGL context that is current on this thread, whoever made it.

use std::ffi::{CString, c_char, c_void};

use libloading::Library;

type GetProcAddress = unsafe extern "C" fn(*const c_char) -> *mut c_void;
type GetCurrentContext = unsafe extern "C" fn() -> *mut c_void;

/// The library that made the current context, kept loaded.
pub(super) struct Loader {
    _library: Library,
    address: GetProcAddress,
}

impl Loader {
    /// `None` if no context of GLX or EGL is current.
    pub(super) fn current() -> Option<Self> {
        let known = [
            ("libGL.so.1", &b"glXGetCurrentContext\0"[..], &b"glXGetProcAddressARB\0"[..]),
            ("libEGL.so.1", b"eglGetCurrentContext\0", b"eglGetProcAddress\0"),
        ];
        known.into_iter().find_map(|(file, current, address)| {
            // SAFETY: system libraries of OpenGL, with the signatures of GLX 1.4 and EGL 1.4.
            unsafe {
                let library = Library::new(file).ok()?;
                let current = *library.get::<GetCurrentContext>(current).ok()?;
                let address = *library.get::<GetProcAddress>(address).ok()?;
                (!current().is_null()).then_some(Self { _library: library, address })
            }
        })
    }

    /// Address of a function, null if there is none.
    pub(super) fn address(&self, name: &str) -> *const c_void {
        let Ok(name) = CString::new(name) else { return std::ptr::null() };
        // SAFETY: the library is loaded as long as `self` is; the name ends in 0.
        unsafe { (self.address)(name.as_ptr()) }
    }
}
