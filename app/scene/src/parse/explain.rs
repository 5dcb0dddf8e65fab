//! Errors of `ron` in words that a person who wrote a scene understands.

use ron::error::Error;

use super::super::locate::{Located, segments};
use super::super::{Diagnostic, schema};
use super::Finding;
use weft_core::suggest::nearest;

/// Puts an error into words; positions are those of the text as it was written.
pub(super) fn diagnostic(text: &Located<'_>, finding: &Finding<'_>, error: &Error) -> Diagnostic {
    let span = finding.span.clone();
    let found = shorten(text.slice(&span));
    let mut path = text.path_at(span.start);
    let (message, help) = match error {
        Error::NoSuchStructField { expected, found, .. } => {
            (format!("unknown field `{found}`{}", inside(text, finding)), Some(choose(found, expected)))
        }
        Error::NoSuchEnumVariant { expected, found, .. } => {
            (format!("unknown name `{found}`"), Some(choose(found, expected)))
        }
        Error::DuplicateStructField { field, .. } => (format!("the field `{field}` is given twice"), None),
        Error::MissingStructField { field, .. } => {
            if let Some((node, _)) = finding.group {
                path = text.path_at(node.span.start);
            }
            (
                format!("the field `{field}` is missing{}", inside(text, finding)),
                document(&join(&path, field)),
            )
        }
        Error::ExpectedDifferentStructName { expected, found } => {
            (format!("expected `{expected}`, found `{found}`"), None)
        }
        Error::ExpectedDifferentLength { expected, found } => (
            format!("expected {expected}, found {found} value{}", if *found == 1 { "" } else { "s" }),
            document(&path),
        ),
        Error::ExpectedStructLikeEnd => ("one value too many".to_owned(), document(&path)),
        // `8.5` for a count, or `0.01s`: the number ended before the value did.
        Error::ExpectedComma => {
            let whole = if found.parse::<f64>().is_ok() { "whole " } else { "" };
            (format!("expected a {whole}number, found `{found}`"), document(&path))
        }
        Error::InvalidValueForType { expected, found } => {
            (format!("expected {expected}, found {found}"), document(&path))
        }
        Error::IntegerOutOfBounds => {
            (format!("`{found}` does not fit: expected a whole number from 0 to 4294967295"), document(&path))
        }
        // The `5` of `3,5`.
        Error::SuggestRawIdentifier(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            let help = "a number is written with a point: `3.5`, not `3,5`";
            (format!("expected the name of a field, found `{digits}`"), Some(help.to_owned()))
        }
        other => match wanted(other) {
            Some(wanted) => (format!("expected {wanted}, found `{found}`"), document(&path)),
            None => (format!("{other}").to_lowercase(), document(&path)),
        },
    };
    let mut diagnostic = Diagnostic::new(text.text, path, span, message);
    diagnostic.help = help;
    diagnostic
}

fn wanted(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::ExpectedFloat | Error::UnderscoreAtBeginning | Error::FloatUnderscore => "a number",
        Error::ExpectedInteger | Error::InvalidIntegerDigit { .. } => "a whole number",
        Error::ExpectedString | Error::ExpectedStringEnd => "a text in quotes",
        Error::ExpectedBoolean => "true or false",
        Error::ExpectedArray => "a list, `[...]`",
        Error::ExpectedMap => "a map, `{\"name\": value}`",
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => "`(...)`",
        Error::ExpectedIdentifier => "a name",
        Error::ExpectedMapColon => "`:` and a value",
        _ => return None,
    })
}

/// ` in Grid` or ` in material`, the name of the group around.
fn inside(text: &Located<'_>, finding: &Finding<'_>) -> String {
    let name = finding.group.map(|(_, group)| text.slice(&group.name)).filter(|name| !name.is_empty());
    let key = || {
        let (node, _) = finding.group?;
        let entry = finding.chain.iter().find(|(_, entry)| entry.value.span == node.span)?.1;
        entry.key.as_ref().map(|key| text.slice(key))
    };
    name.or_else(key).map_or_else(String::new, |name| format!(" in `{name}`"))
}

fn choose(found: &str, expected: &[&str]) -> String {
    let list = expected.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match nearest(found, expected.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? there are {list}"),
        None => format!("there are {list}"),
    }
}

/// Unit, range and meaning of a field from the table.
fn document(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = segments(path).collect();
    if let ["cloths" | "strands" | "colliders", item, ..] = parts.as_mut_slice() {
        *item = "ID";
    }
    let (_, row) = schema().into_iter().find(|(known, _)| segments(known).eq(parts.iter().copied()))?;
    if row.min == row.max {
        return Some(row.doc.to_owned());
    }
    let unit = if row.unit == "1" { String::new() } else { format!(" {}", row.unit) };
    let [min, max] = row.bounds();
    Some(format!("{}, {min} to {max}{unit}", row.doc))
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

/// The first 40 characters of one line.
fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let short: String = line.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}...") } else { short }
}
