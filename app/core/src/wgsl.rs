//! What no compiler of shaders can bear: each calls itself for each operator of an expression, and runs out of stack; and of
//! tens of megabytes it makes something for the better part of a minute.

use std::{io, path::Path};

use crate::{files, text};

/// Bytes of a file of shaders; all of this program's together are less than half of it.
const LARGEST: u64 = 1 << 20;

/// The text of a file of shaders, as [`text::read`]. One that is too large is `InvalidData`, too.
pub fn read(path: &Path) -> io::Result<String> {
    if files::size(path).is_some_and(|size| size > LARGEST) {
        let why = format!("it is too large for a shader: at most {LARGEST} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    text::read(path)
}

/// Words and operators of a statement.
const LONGEST: usize = 2000;

/// What is said of a longer one.
pub fn too_long() -> String {
    format!("a statement of more than {LONGEST} words and operators: cut it into several")
}

/// Byte at which a statement becomes too long; comments do not count.
pub fn longer(text: &str) -> Option<usize> {
    let (mut words, mut comments, mut in_word) = (0, 0_usize, false);
    let mut letters = text.char_indices().peekable();
    while let Some((byte, letter)) = letters.next() {
        let part = letter.is_alphanumeric() || letter == '_';
        let goes_on = std::mem::replace(&mut in_word, part && comments == 0) && part;
        match (letter, letters.peek().map(|(_, next)| *next)) {
            ('/', Some('*')) => {
                letters.next();
                comments += 1;
            }
            ('*', Some('/')) if comments > 0 => {
                letters.next();
                comments -= 1;
            }
            _ if comments > 0 => {}
            ('/', Some('/')) => while letters.next_if(|(_, letter)| *letter != '\n').is_some() {},
            (';' | '{' | '}', _) => words = 0,
            _ => words += usize::from(!letter.is_whitespace() && !goes_on),
        }
        if words > LONGEST {
            return Some(byte);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_too_large_is_refused_before_it_is_read() {
        let file = std::env::temp_dir().join(format!("weft-large-{}.wgsl", std::process::id()));
        fs::write(&file, " ".repeat(LARGEST as usize)).expect("a file of a moment");
        assert_eq!(read(&file).map(|text| text.len() as u64).ok(), Some(LARGEST));
        fs::write(&file, " ".repeat(LARGEST as usize + 1)).expect("a file of a moment");
        let why = read(&file).expect_err("too large");
        assert_eq!(why.kind(), io::ErrorKind::InvalidData);
        assert_eq!(why.to_string(), "it is too large for a shader: at most 1048576 bytes");
        fs::remove_file(file).expect("it is there");
    }

    #[test]
    fn statements_that_no_compiler_bears_have_their_place() {
        let chain = |terms: usize| {
            format!("fn f() {{\n  let a = 1{}; // {}\n}}", " + 1".repeat(terms), "! ".repeat(9999))
        };
        assert_eq!(longer(&chain(998)), None);
        let text = chain(999);
        assert!(longer(&text).is_some_and(|byte| text[byte..].starts_with("+ 1;")), "{:?}", longer(&text));
        assert_eq!(longer(&format!("/* {} */ let a = {}true;", "!".repeat(5000), "!".repeat(1900))), None);
        assert!(longer(&format!("let a = {}true;", "!".repeat(2000))).is_some());
        assert_eq!(longer(&"let abc = 1;\n".repeat(5000)), None);
    }
}
