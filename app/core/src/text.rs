//! Files of text.

use std::{borrow::Cow, io, path::Path};

use crate::files;

/// The text of a file without the mark that some editors put before it. What is not UTF-8 is `InvalidData`, which says where.
pub fn read(path: &Path) -> io::Result<String> {
    let mut bytes = files::read(path)?;
    bytes.drain(..bytes.len() - without_mark(&bytes).len());
    String::from_utf8(bytes).map_err(|error| {
        let (read, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let before = read.rsplit(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len);
        let line = read.split(|byte| *byte == b'\n').count();
        let byte = rest.first().copied().unwrap_or_default();
        let why =
            format!("line {line}, byte {}: 0x{byte:02x} is not UTF-8 text: save it as UTF-8", before + 1);
        io::Error::new(io::ErrorKind::InvalidData, why)
    })
}

/// A text without the mark that some editors and spreadsheets put before it.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

/// Letters of the longest word that is said whole.
const LONGEST: usize = 200;

/// What somebody gave, said again: longer words are cut, and the rest is [`visible`].
pub fn tame(text: &str) -> String {
    let (mut tame, mut letters) = (String::new(), 0);
    for letter in text.chars() {
        letters = if letter.is_whitespace() { 0 } else { letters + 1 };
        match letters {
            0..=LONGEST => tame.push(letter),
            _ if letters == LONGEST + 1 => tame.push('…'),
            _ => {}
        }
    }
    visible(&tame).into_owned()
}

/// What a file says of itself, such as the title of a scene, as one line: what a terminal would obey or read backwards has a mark
/// in its place, and so has an end of line.
pub fn one_line(text: &str) -> String {
    text.chars().map(|letter| if is_obeyed(letter) { '\u{fffd}' } else { letter }).collect()
}

fn is_obeyed(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What a terminal would obey, or read backwards, as Rust writes it, such as `\u{1b}`; tabs and ends of lines stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let obeyed = |letter: char| is_obeyed(letter) && !matches!(letter, '\n' | '\t');
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let written = |letter: char| {
        if obeyed(letter) { letter.escape_default().to_string() } else { letter.into() }
    };
    text.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_was_given_is_said_again_in_bounds() {
        let said = super::tame(&format!("--set {}: no \u{1b}[2J\u{202e}field\nä", "x".repeat(100_000)));
        assert_eq!(said, format!("--set {}… no \\u{{1b}}[2J\\u{{202e}}field\nä", "x".repeat(200)));
    }

    #[test]
    fn a_title_is_one_line_that_no_terminal_obeys() {
        let title = super::one_line("Fl\u{1b}[2Jag\u{202e}\nand\tpole ä");
        assert_eq!(title, "Fl\u{fffd}[2Jag\u{fffd}\u{fffd}and\u{fffd}pole ä");
    }

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
