//! Files of text.

use std::{fs, io, path::Path};

/// The text of a file without the mark that some editors put before it.
pub fn read(path: &Path) -> io::Result<String> {
    let text = fs::read_to_string(path)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}
