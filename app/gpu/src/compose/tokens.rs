//! The words of a WGSL text, as far as it takes to see what its names are used for.

/// A name, a number or an operator.
pub(super) struct Token<'a> {
    pub text: &'a str,
    /// From 0.
    pub line: usize,
    /// In bytes, from 1.
    pub column: usize,
}

impl Token<'_> {
    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// Something that an operator may follow.
    fn ends_a_value(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphanumeric() || c == '_') && self.text != "return"
            || matches!(self.text, ")" | "]")
    }
}

/// Operators of more than one character, longer ones first.
const LONG: [&str; 22] = [
    "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "->", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "++", "--", "::",
];
/// Those that change what stands before them.
const ASSIGN: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

/// The words of some lines, without comments.
pub(super) fn tokens<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Token<'a>> {
    let (mut tokens, mut comments) = (Vec::new(), 0_usize);
    for (number, line) in lines.enumerate() {
        let mut at = 0;
        while let Some(first) = line[at..].chars().next() {
            let rest = &line[at..];
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if rest.starts_with("/*") {
                comments += 1;
                2
            } else if comments > 0 {
                let ends = rest.starts_with("*/");
                comments -= usize::from(ends);
                if ends { 2 } else { first.len_utf8() }
            } else if rest.starts_with("//") {
                break;
            } else if first.is_whitespace() {
                first.len_utf8()
            } else {
                let length = if word(first) {
                    rest.find(|c| !word(c)).unwrap_or(rest.len())
                } else {
                    LONG.iter()
                        .find(|long| rest.starts_with(**long))
                        .map_or(first.len_utf8(), |long| long.len())
                };
                tokens.push(Token { text: &rest[..length], line: number, column: at + 1 });
                length
            };
            at += length;
        }
    }
    tokens
}

/// How a column is used at one place.
pub(super) struct Use {
    pub write: bool,
    pub atomic: bool,
}

/// How the array whose name is `tokens[at]` is used there: whether one of its rows, or a part of one, is assigned to. A
/// pointer to it may be written through, but for `arrayLength`.
pub(super) fn used(tokens: &[Token], at: usize) -> Use {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let before = |n: usize| at.checked_sub(n).map_or("", text);
    if before(1) == "&" && !at.checked_sub(2).is_some_and(|at| tokens[at].ends_a_value()) {
        let called = if before(2) == "(" { before(3) } else { "" };
        return Use { write: called != "arrayLength", atomic: called.starts_with("atomic") };
    }
    let mut next = at + 1;
    loop {
        match text(next) {
            "[" => {
                let mut depth = 0_usize;
                while next < tokens.len() {
                    match text(next) {
                        "[" => depth += 1,
                        "]" => depth -= 1,
                        _ => {}
                    }
                    next += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            "." => next += 2,
            operator => return Use { write: ASSIGN.contains(&operator), atomic: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &str, name: &str) -> Vec<(bool, bool)> {
        let tokens = tokens(text.lines());
        let named = (0..tokens.len()).filter(|&at| tokens[at].text == name);
        named.map(|at| used(&tokens, at)).map(|used| (used.write, used.atomic)).collect()
    }

    #[test]
    fn what_is_assigned_to_is_written() {
        let (read, write, atomic) = ((false, false), (true, false), (true, true));
        for (text, kind) in [
            ("a[i] = 1.0;", write),
            ("a[b[2u * i] + 1u].xyz += v;", write),
            ("a[i].x++;", write),
            ("a[i] <<= 1u;", write),
            ("let x = a[i];", read),
            ("if a[i] == 1u || a[i].x >= 2u {}", read),
            ("let n = arrayLength(&a);", read),
            ("let n = m & a[i];", read),
            ("let n = f(1u) & a[i];", read),
            ("let p = &a[i];", write),
            ("change(&a[i]);", write),
            ("atomicAdd(&a[i], 1u);", atomic),
            ("// a[i] = 1.0;\nlet x = a[i];", read),
            ("/* a[i] = 1.0;\n */ let x = a[i];", read),
            ("a[i", read),
        ] {
            let found = uses(text, "a");
            assert!(!found.is_empty() && found.iter().all(|found| *found == kind), "{text}: {found:?}");
        }
    }
}
