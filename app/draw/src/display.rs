//! Whether a window can be opened at all; miniquad itself panics where it cannot.

use std::ffi::{c_char, c_int, c_void};

/// `Err` is a sentence that says what is missing.
pub fn display() -> Result<(), String> {
    if cfg!(target_os = "linux") { x11() } else { Ok(()) }
}

fn x11() -> Result<(), String> {
    if std::env::var_os("DISPLAY").is_none_or(|display| display.is_empty()) {
        return Err("no display: the variable DISPLAY is not set".into());
    }
    for (library, package) in
        [("libX11.so.6", "libx11-6"), ("libXi.so.6", "libxi6"), ("libGL.so.1", "libgl1")]
    {
        // SAFETY: system libraries of X and GL; their initialisers have no requirements.
        if unsafe { libloading::Library::new(library) }.is_err() {
            return Err(format!("no window: {library} is missing (Debian package {package})"));
        }
    }
    // SAFETY: as above.
    let x11 = unsafe { libloading::Library::new("libX11.so.6") }.map_err(|e| e.to_string())?;
    // SAFETY: the signatures of Xlib.
    let opened = unsafe {
        let open = x11.get::<unsafe extern "C" fn(*const c_char) -> *mut c_void>(b"XOpenDisplay\0");
        let close = x11.get::<unsafe extern "C" fn(*mut c_void) -> c_int>(b"XCloseDisplay\0");
        let display = open.map_err(|e| e.to_string())?(std::ptr::null());
        if !display.is_null() {
            close.map_err(|e| e.to_string())?(display);
        }
        !display.is_null()
    };
    if opened {
        Ok(())
    } else {
        let name = std::env::var("DISPLAY").unwrap_or_default();
        Err(format!("no display: the X server {name} does not answer"))
    }
}
