//! Lines for the terminal, or for the page. A reader that went away (`weft run … | head`) is no reason to stop; that nothing
//! could be written otherwise, as on a full disk, is told at the end.

use std::{
    fmt::Display,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

static LOST: AtomicBool = AtomicBool::new(false);

/// Whether a line for the standard output went nowhere although somebody wants to read it.
pub fn is_lost() -> bool {
    LOST.load(Relaxed)
}

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
    use std::io::{ErrorKind, Write};
    // Written at once: a driver or a handler of signals may write in the midst of a line otherwise.
    let text = format!("{line}\n");
    if warning {
        let _ = std::io::stderr().write_all(text.as_bytes());
    } else if let Err(why) = std::io::stdout().write_all(text.as_bytes())
        && why.kind() != ErrorKind::BrokenPipe
        && !LOST.swap(true, Relaxed)
    {
        let _ = writeln!(std::io::stderr(), "standard output: {why}; what follows is lost");
    }
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
