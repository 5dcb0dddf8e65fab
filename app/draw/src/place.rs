//! Places in a shader's text, for errors that come without one. Comments are passed over.

use naga::{SourceLocation, Span};

fn at(text: &str, start: usize, len: usize) -> SourceLocation {
    Span::new(start as u32, (start + len) as u32).location(text)
}

/// The first place of a whole word at or behind byte `from`.
pub(crate) fn of(text: &str, word: &str, from: usize) -> Option<SourceLocation> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut matches = text.get(from..)?.match_indices(word).filter(|_| !word.is_empty());
    let start = matches.find_map(|(start, _)| {
        let start = from + start;
        let line = text[..start].rsplit('\n').next().unwrap_or("");
        let before = text[..start].chars().next_back().is_some_and(is_part);
        let after = text[start + word.len()..].chars().next().is_some_and(is_part);
        (!before && !after && !line.contains("//")).then_some(start)
    })?;
    Some(at(text, start, word.len()))
}

/// The last line that is not blank.
pub(crate) fn end(text: &str) -> Option<SourceLocation> {
    let trimmed = text.trim_end();
    let start = trimmed.rfind('\n').map_or(0, |newline| newline + 1);
    (!trimmed.is_empty()).then(|| at(text, start, trimmed.len() - start))
}

/// What is still open at the end of a text.
#[derive(Default)]
struct Open {
    /// Bytes at which comments begin that do not end.
    comments: Vec<usize>,
    /// Bytes of brackets that are not closed.
    brackets: Vec<usize>,
}

/// Reads brackets in the order of the text; `seen` is called with the byte of each opening one and how many are open by
/// then.
fn brackets(text: &str, mut seen: impl FnMut(usize, usize)) -> Open {
    let (mut open, mut rest) = (Open::default(), text);
    while let Some(c) = rest.chars().next() {
        let byte = text.len() - rest.len();
        let mut taken = c.len_utf8();
        match c {
            '/' if rest.starts_with("/*") => {
                open.comments.push(byte);
                taken = 2;
            }
            '*' if rest.starts_with("*/") => {
                open.comments.pop();
                taken = 2;
            }
            _ if !open.comments.is_empty() => {}
            '/' if rest.starts_with("//") => taken = rest.find('\n').unwrap_or(rest.len()),
            '(' | '[' | '{' => {
                open.brackets.push(byte);
                seen(byte, open.brackets.len());
            }
            ')' | ']' | '}' => _ = open.brackets.pop(),
            _ => {}
        }
        rest = &rest[taken..];
    }
    open
}

/// The comment that does not end.
pub(crate) fn open_comment(text: &str) -> Option<SourceLocation> {
    brackets(text, |_, _| {}).comments.first().map(|byte| at(text, *byte, 2))
}

/// The outermost bracket that is not closed.
pub(crate) fn open_bracket(text: &str) -> Option<SourceLocation> {
    brackets(text, |_, _| {}).brackets.first().map(|byte| at(text, *byte, 1))
}

/// Where the deepest nest of brackets begins: its outermost bracket on the line of the innermost.
pub(crate) fn deepest(text: &str) -> Option<SourceLocation> {
    let mut deepest = (0, 0);
    brackets(text, |byte, depth| {
        if depth > deepest.1 {
            deepest = (byte, depth);
        }
    });
    let (byte, depth) = deepest;
    let line = text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
    let first = text[line..].find(['(', '[', '{'])?;
    (depth > 0).then(|| at(text, line + first, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(at: Option<SourceLocation>) -> Option<(u32, u32)> {
        at.map(|at| (at.line_number, at.line_position))
    }

    #[test]
    fn words_are_whole_and_not_in_comments() {
        let text = "// side\nbeside sides side\nside";
        assert_eq!(place(of(text, "side", 0)), Some((2, 14)));
        assert_eq!(place(of(text, "side", 25)), Some((3, 1)));
        assert_eq!((place(of(text, "none", 0)), place(of(text, "", 0))), (None, None));
        assert_eq!(place(end("a\n  b c\n\n")), Some((2, 1)));
        assert_eq!(place(end(" \n")), None);
    }

    #[test]
    fn what_is_open_is_found() {
        assert_eq!(place(open_bracket("fn a() {}\nfn b() {\n  if c { }\n")), Some((2, 8)));
        assert_eq!(place(open_comment("a {\n /* } ")), Some((2, 2)));
        assert_eq!(place(open_bracket("a { } // {\n /* { */")), None);
        assert_eq!(place(deepest("a { }\nlet x = ((1));\n(b)")), Some((2, 9)));
        assert_eq!(place(deepest("no brackets")), None);
    }
}
