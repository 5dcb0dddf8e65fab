//! Files of text.

use std::{io, path::Path};

use crate::files;

/// The text of a file without the mark that some editors put before it.
pub fn read(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(files::read(path)?);
    let text = text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_mark_of_some_editors_is_no_text() {
        let file = std::env::temp_dir().join(format!("weft-mark-{}", std::process::id()));
        std::fs::write(&file, "\u{feff}fn main() {}").expect("a file of a moment");
        assert_eq!(super::read(&file).expect("it is there"), "fn main() {}");
        std::fs::remove_file(file).expect("it is there");
    }
}
