//! A text that names more columns than there are places for reads some of them out of one buffer ([`super::super::shared`]).
//!
//! ```text
//! segment_rest[i]                at_segment_rest(i)
//! arrayLength(&segment_rest)     rows_of_segment_rest()
//! ```

use sim_api::Element;

use super::{
    super::{columns, shared},
    Scope, Used,
    gather::Line,
    tokens::Token,
};

/// A part of a line that becomes another one.
pub(super) struct Edit {
    line: usize,
    /// In bytes.
    from: usize,
    length: usize,
    text: String,
}

impl Edit {
    fn of(token: &Token, text: String) -> Self {
        Self { line: token.line, from: token.column - 1, length: token.text.len(), text }
    }
}

/// What a text becomes, and the functions that it calls then, each with a token that asks for it.
#[derive(Default)]
pub(super) struct Shares {
    pub edits: Vec<Edit>,
    pub functions: Vec<(String, usize)>,
}

/// Takes from `used` what is to be read out of the one buffer, the smallest first, and adds that; nothing where there are places for
/// all, or too few in any case.
pub(super) fn share(scope: Scope, tokens: &[Token], used: &mut Vec<Used>) -> Shares {
    let mut shares = Shares::default();
    let Some(all) = scope.columns.index(shared::TABLE, shared::NAME).filter(|_| used.len() > scope.places)
    else {
        return shares;
    };
    let mut may: Vec<(u64, usize, Vec<Edit>)> = Vec::new();
    for column in used.iter() {
        let edits = shared::number(scope.columns, column.index)
            .and_then(|_| edits(tokens, &scope.columns.list[column.index].variable()));
        may.extend(edits.map(|edits| (scope.columns.list[column.index].bytes(), column.index, edits)));
    }
    may.sort_by_key(|(bytes, index, _)| (*bytes, *index));
    let beyond = used.len() + 1 - scope.places;
    if may.len() < beyond {
        return shares;
    }
    let mut first = usize::MAX;
    for (_, index, edits) in may.into_iter().take(beyond) {
        let place = used.iter().position(|column| column.index == index).expect("it is one of them");
        let at = used.remove(place).at;
        first = first.min(at);
        shares.edits.extend(edits);
        shares.functions.extend(functions(scope, index).map(|function| (function, at)));
    }
    used.push(Used { index: all, write: false, atomic: false, at: first });
    shares
}

/// The text that reads a column there; `None` where its name stands for something else than a row or its length.
fn edits(tokens: &[Token], name: &str) -> Option<Vec<Edit>> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut edits = Vec::new();
    for at in (0..tokens.len()).filter(|&at| text(at) == name && (at == 0 || text(at - 1) != ".")) {
        if text(at + 1) == "[" {
            let mut depth = 0_usize;
            let end = (at + 1..tokens.len()).find(|&end| {
                match text(end) {
                    "[" => depth += 1,
                    "]" => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?;
            edits.push(Edit::of(&tokens[at], format!("at_{name}")));
            edits.push(Edit::of(&tokens[at + 1], "(".into()));
            edits.push(Edit::of(&tokens[end], ")".into()));
        } else {
            let length = at.checked_sub(3).filter(|&start| {
                [text(start), text(start + 1), text(start + 2), text(at + 1)]
                    == ["arrayLength", "(", "&", ")"]
            })?;
            edits.push(Edit::of(&tokens[length], format!("rows_of_{name}")));
            edits.push(Edit::of(&tokens[at - 1], String::new()));
            edits.push(Edit::of(&tokens[at], String::new()));
        }
    }
    Some(edits)
}

/// What those texts call for a column; a row behind the last is the last.
fn functions(scope: Scope, column: usize) -> impl Iterator<Item = String> {
    let info = &scope.columns.list[column];
    let (name, row, lanes) = (info.variable(), columns::wgsl(info.element), info.element.lanes());
    let words = format!("{}_{}", shared::TABLE, shared::NAME);
    let head = shared::HEAD * shared::number(scope.columns, column).unwrap_or(0);
    let part = |lane: usize| {
        let word = format!("{words}[at + {lane}u]");
        if (info.element as u32) < Element::U32 as u32 { format!("bitcast<f32>({word})") } else { word }
    };
    let parts: Vec<String> = (0..lanes).map(part).collect();
    let value = if lanes == 1 { parts[0].clone() } else { format!("{row}({})", parts.join(", ")) };
    let rows = format!("{words}[{}u]", head + 1);
    [
        format!(
            "fn at_{name}(i: u32) -> {row} {{ let at = {words}[{head}u] + min(i, {rows} - 1u) * {lanes}u; return {value}; }}"
        ),
        format!("fn rows_of_{name}() -> u32 {{ return {rows}; }}"),
    ]
    .into_iter()
}

/// Puts the other texts into their lines.
pub(super) fn apply(mut edits: Vec<Edit>, lines: &mut [Line]) {
    edits.sort_by_key(|edit| (edit.line, edit.from));
    for edit in edits.into_iter().rev() {
        lines[edit.line].text.to_mut().replace_range(edit.from..edit.from + edit.length, &edit.text);
    }
}
