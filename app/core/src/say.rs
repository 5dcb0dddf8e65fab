//! Lines for the terminal, or for the page. A reader that went away (`weft run … | head`) is no reason to stop, so errors are
//! dropped.

use std::fmt::Display;

/// A line to the standard output.
pub fn say(line: impl Display) {
    write(&line, false);
}

/// A line to the standard error.
pub fn warn(line: impl Display) {
    write(&line, true);
}

#[cfg(not(target_arch = "wasm32"))]
fn write(line: &dyn Display, warning: bool) {
    use std::io::Write;
    let _ =
        if warning { writeln!(std::io::stderr(), "{line}") } else { writeln!(std::io::stdout(), "{line}") };
}

#[cfg(target_arch = "wasm32")]
fn write(line: &dyn Display, warning: bool) {
    unsafe extern "C" {
        /// UTF-8, which is read before it returns; the page's loader gives it.
        fn weft_line(text: *const u8, bytes: usize, warning: bool);
    }
    let line = line.to_string();
    // SAFETY: the text is alive meanwhile.
    unsafe { weft_line(line.as_ptr(), line.len(), warning) }
}
