//! `weft fmt`: RON text in the layout that scenes have, comments and all.
//!
//! What the writer decides stays: where lines break, and one blank line between them. The rest follows from the brackets: four
//! spaces for each that is open, `name: value`, a comma behind what stands last on lines of its own and none before a bracket
//! on the same line. A group on one line that makes it longer than [`WIDTH`] gets a line for each entry.
//!
//! Rejected: lines as a program would break them. A scene groups its numbers by meaning, `light` in two lines, keyframes one a
//! line, and a layout that loses this is turned off.

use super::{SyntaxError, read, scan::Scanner};

/// Columns of a line that a program may break.
const WIDTH: usize = 140;
const INDENT: &str = "    ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
    Comma,
    Colon,
    /// A number, a name, a text.
    Word,
    /// Up to the end of its line, or between `/*` and `*/`.
    LineComment,
    BlockComment,
}

#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    kind: Kind,
    pub(super) text: &'a str,
    /// Ends of lines before it.
    breaks: usize,
    /// Directly behind the token before, as a bracket behind its name.
    joined: bool,
}

impl Token<'_> {
    pub(super) fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }
}

/// The text in its layout; an error where the brackets are wrong.
pub fn layout(text: &str) -> Result<String, SyntaxError> {
    let text = text.trim_start_matches('\u{feff}');
    if let (_, Some(wrong)) = read(text) {
        return Err(wrong);
    }
    let mut tokens = tokens(text);
    commas_before_comments(&mut tokens);
    loop {
        closing_commas(&mut tokens);
        let (text, long) = print(&tokens);
        if long.is_empty() {
            return Ok(text);
        }
        long.iter().for_each(|&open| break_up(&mut tokens, open));
    }
}

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut scan = Scanner::new(text);
    scan.skip_attributes();
    let head = text[..scan.at].trim();
    let mut tokens = Vec::new();
    if head.contains("#!") {
        // Read as a comment is: nothing in it moves.
        tokens.push(Token { kind: Kind::LineComment, text: head, breaks: 0, joined: false });
    } else {
        scan.at = 0;
    }
    loop {
        let (breaks, comment) = space(text, &mut scan);
        let start = scan.at;
        if let Some(kind) = comment {
            let end = if kind == Kind::LineComment {
                text[start..].find('\n').map_or(text.len(), |at| start + at)
            } else {
                let mut rest = Scanner::new(&text[start..]);
                rest.block_comment();
                start + rest.at
            };
            scan.at = end;
            tokens.push(Token { kind, text: text[start..end].trim_end(), breaks, joined: false });
            continue;
        }
        let Some(byte) = scan.peek() else { return tokens };
        let kind = match byte {
            b'(' | b'[' | b'{' => Kind::Open,
            b')' | b']' | b'}' => Kind::Close,
            b',' => Kind::Comma,
            b':' => Kind::Colon,
            _ => Kind::Word,
        };
        if kind != Kind::Word {
            scan.at += 1;
        } else if !scan.literal() {
            scan.word();
        }
        // What is no token at all was refused before.
        scan.at = scan.at.max(start + 1);
        let named = |last: &Token<'_>| last.kind == Kind::Word && !last.text.ends_with(['"', '\'', '#']);
        let joined = byte == b'(' && tokens.last().is_some_and(named);
        let breaks = if joined || kind == Kind::Colon { 0 } else { breaks };
        tokens.push(Token { kind, text: &text[start..scan.at], breaks, joined });
    }
}

/// Skips white space; counts the ends of lines in it, and says whether a comment follows.
fn space(text: &str, scan: &mut Scanner<'_>) -> (usize, Option<Kind>) {
    let rest = &text[scan.at..];
    let trimmed = super::scan::trim_start(rest);
    let gap = &rest[..rest.len() - trimmed.len()];
    scan.at += gap.len();
    let comment = match trimmed.as_bytes() {
        [b'/', b'/', ..] => Some(Kind::LineComment),
        [b'/', b'*', ..] => Some(Kind::BlockComment),
        _ => None,
    };
    (gap.matches('\n').count(), comment)
}

/// A comma stands behind its value, not behind the comment after it.
fn commas_before_comments(tokens: &mut [Token<'_>]) {
    for at in 1..tokens.len() {
        if tokens[at].kind != Kind::Comma {
            continue;
        }
        let mut to = at;
        while to > 0 && tokens[to - 1].is_comment() {
            tokens.swap(to, to - 1);
            to -= 1;
        }
        tokens[to].breaks = 0;
    }
}

/// For each closing bracket where it opens.
fn pairs(tokens: &[Token<'_>]) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => open.push(at),
            Kind::Close => pairs.extend(open.pop().map(|open| (open, at))),
            _ => {}
        }
    }
    pairs
}

/// A closing bracket is on a line of its own if what it closes begins on one; then a comma stands before it.
fn closing_commas(tokens: &mut Vec<Token<'_>>) {
    let mut wanted = Vec::new();
    for (open, close) in pairs(tokens) {
        if open + 1 == close {
            tokens[close].breaks = 0;
            continue;
        }
        if tokens[open + 1].breaks > 0 || tokens[close - 1].kind == Kind::LineComment {
            tokens[close].breaks = tokens[close].breaks.max(1);
        }
        let Some(last) = (open + 1..close).rev().find(|&at| !tokens[at].is_comment()) else { continue };
        wanted.push((last, tokens[close].breaks > 0));
    }
    // From the back, so that places before stay.
    wanted.sort_unstable();
    for (last, comma) in wanted.into_iter().rev() {
        match (tokens[last].kind == Kind::Comma, comma) {
            (true, false) => drop(tokens.remove(last)),
            (false, true) => {
                tokens.insert(last + 1, Token { kind: Kind::Comma, text: ",", breaks: 0, joined: false });
            }
            _ => {}
        }
    }
}

/// Every entry of the group that opens here on a line of its own.
fn break_up(tokens: &mut [Token<'_>], open: usize) {
    let mut depth = 0;
    let mut first = true;
    for token in &mut tokens[open..] {
        let inside = depth == 1;
        if inside && first && !token.is_comment() && token.kind != Kind::Close {
            token.breaks = token.breaks.max(1);
            first = false;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Comma if inside => first = true,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

/// The text, and groups that make a line too long: of each such line the outermost that has more than one entry and lies within.
fn print(tokens: &[Token<'_>]) -> (String, Vec<usize>) {
    let mut out = String::new();
    // The level of the line on which each bracket that is open stands.
    let mut open: Vec<usize> = Vec::new();
    let (mut level, mut line, mut first) = (0, 0, 0);
    let mut long = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        let of_close = if token.kind == Kind::Close { open.pop() } else { None };
        let after_comment = before.is_some_and(|before| before.kind == Kind::LineComment);
        if let Some(before) = before.filter(|_| token.breaks > 0 || after_comment) {
            long.extend(too_long(&out[line..], &tokens[first..at]).map(|open| first + open));
            let apart = token.breaks > 1 && before.kind != Kind::Open && token.kind != Kind::Close;
            out.push_str(if apart { "\n\n" } else { "\n" });
            level = of_close.unwrap_or_else(|| open.last().map_or(0, |level| level + 1));
            (line, first) = (out.len(), at);
            out.push_str(&INDENT.repeat(level));
        } else if before.is_some_and(|before| {
            before.kind != Kind::Open
                && !token.joined
                && !matches!(token.kind, Kind::Close | Kind::Comma | Kind::Colon)
        }) {
            out.push(' ');
        }
        out.push_str(token.text);
        if token.kind == Kind::Open {
            open.push(level);
        }
    }
    long.extend(too_long(&out[line..], &tokens[first..]).map(|open| first + open));
    out.push('\n');
    (out, long)
}

fn too_long(line: &str, tokens: &[Token<'_>]) -> Option<usize> {
    if line.chars().count() <= WIDTH {
        return None;
    }
    let inside = |(open, close): &(usize, usize)| {
        let mut depth = 0;
        let between = tokens[*open + 1..*close].iter().filter(|token| {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            depth == 0 && token.kind == Kind::Comma
        });
        between.count() > 0
    };
    pairs(tokens).into_iter().filter(inside).map(|(open, _)| open).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(text: &str) -> String {
        let once = layout(text).unwrap_or_else(|wrong| panic!("{wrong:?}: {text}"));
        assert_eq!(layout(&once).as_ref(), Ok(&once), "twice is as once: {text}");
        once
    }

    #[test]
    fn brackets_decide_on_space_and_the_writer_on_lines() {
        let text = "Scene (version:1,\ntitle :\"a,(b\" , // why\n\n\n  wind:( velocity:(1,2 ,3),),list:[\n1,2,\n3 // last\n],\n)";
        let wanted = "Scene(version: 1,\n    title: \"a,(b\", // why\n\n    wind: (velocity: (1, 2, 3)), list: [\n        1, 2,\n        3, // last\n    ],\n)\n";
        assert_eq!(laid(text), wanted);
        assert_eq!(laid("// a\n(\n// only\n)"), "// a\n(\n    // only\n)\n");
        assert_eq!(laid("(a: [(\nb: 1), (\nb: 2)])"), "(a: [(\n    b: 1,\n), (\n    b: 2,\n)])\n");
        assert_eq!(laid("(a: 1 /* x */ , b: {})\n// end"), "(a: 1, /* x */ b: {})\n// end\n");
        assert_eq!(laid("#![enable(implicit_some)]\n(a:1)"), "#![enable(implicit_some)]\n(a: 1)\n");
        assert_eq!(laid("(\n\n a: r#\"x\n  y\"#\n\n)"), "(\n    a: r#\"x\n  y\"#,\n)\n");
    }

    #[test]
    fn what_is_too_long_gets_a_line_for_each_entry() {
        let numbers: Vec<String> = (0..30).map(|i| format!("n{i}: ({i}, {i})")).collect();
        let text = laid(&format!("(outer: ({}), other: 1)", numbers.join(",")));
        assert!(text.starts_with("(\n    outer: (\n        n0: (0, 0),\n        n1: (1, 1),\n"), "{text}");
        assert!(text.ends_with("        n29: (29, 29),\n    ),\n    other: 1,\n)\n"), "{text}");
        // A text is as long as it is.
        let doc = format!("(doc: \"{}\")\n", "x".repeat(300));
        assert_eq!(laid(&doc), doc);
    }

    #[test]
    fn wrong_brackets_are_told() {
        assert!(layout("(a: [1, 2)").is_err());
        assert!(layout("").is_err());
    }
}
