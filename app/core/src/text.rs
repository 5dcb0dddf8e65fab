//! Files of text.

use std::{io, path::Path};

use crate::files;

/// The text of a file without the mark that some editors put before it. What is not UTF-8 is `InvalidData`, which says where.
pub fn read(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(files::read(path)?).map_err(|error| {
        let (read, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let before = read.rsplit(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len);
        let line = read.split(|byte| *byte == b'\n').count();
        let byte = rest.first().copied().unwrap_or_default();
        let why =
            format!("line {line}, byte {}: 0x{byte:02x} is not UTF-8 text: save it as UTF-8", before + 1);
        io::Error::new(io::ErrorKind::InvalidData, why)
    })?;
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

    #[test]
    fn what_is_no_text_says_where() {
        let file = std::env::temp_dir().join(format!("weft-latin-{}", std::process::id()));
        std::fs::write(&file, b"// a\n// f\xfcr").expect("a file of a moment");
        let why = super::read(&file).expect_err("not UTF-8").to_string();
        assert_eq!(why, "line 2, byte 5: 0xfc is not UTF-8 text: save it as UTF-8");
        std::fs::remove_file(file).expect("it is there");
    }
}
