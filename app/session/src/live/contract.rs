//! What differs between two versions of the contract (`sim_api`), field by field, for the person who edited it.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use quote::ToTokens;
use sim_api::{CONTRACT, FINGERPRINT, fingerprint};
use syn::{Fields, ImplItem, Item};

use weft_core::project::Project;

/// What differs between this program's contract and the one on disk; empty if that is the same, or if another compiler
/// is the difference.
pub fn changes(project: &Project) -> Vec<String> {
    let Some(theirs) = on_disk(project) else { return Vec::new() };
    if fingerprint(&theirs) == FINGERPRINT { Vec::new() } else { difference(CONTRACT, &theirs) }
}

/// The contract as it is on disk now, in the form of [`CONTRACT`], as if this program's compiler had built it.
pub fn on_disk(project: &Project) -> Option<String> {
    let head = CONTRACT.find("file: ").unwrap_or_default();
    let mut text = CONTRACT[..head].to_string();
    let is_source = |path: &Path| path.extension().is_some_and(|end| end == "rs");
    let folder = std::fs::read_dir(project.root.join("sim-dylib/api/src")).ok()?;
    let mut files: Vec<_> =
        folder.flatten().map(|entry| entry.path()).filter(|path| is_source(path)).collect();
    files.sort();
    for path in files {
        let source = std::fs::read_to_string(&path).ok()?;
        let _ = write!(text, "file: {}\n{source}\n", path.file_name()?.display());
    }
    Some(text)
}

/// One line for each thing that is not the same in `theirs`. Empty if nothing but comments differs.
pub fn difference(ours: &str, theirs: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for what in ["compiler: ", "target: "] {
        let line = |text: &str| {
            text.lines().find_map(|line| line.strip_prefix(what)).unwrap_or("unknown").to_string()
        };
        if line(ours) != line(theirs) {
            lines.push(format!(
                "another {}: this program has {}, the library {}",
                what.trim_end_matches(": "),
                line(ours),
                line(theirs)
            ));
        }
    }
    let (mut ours, mut theirs) = (files(ours), files(theirs));
    ours.retain(|file, text| theirs.get(file) != Some(text) || theirs.remove(file).is_none());
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    for (file, text) in &ours {
        parts(file, text, &mut before);
    }
    for (file, text) in &theirs {
        parts(file, text, &mut after);
    }
    for (name, part) in &before {
        match after.get(name) {
            Some(other) => part.compare(name, other, &mut lines),
            None => lines.push(format!("{name} is gone")),
        }
    }
    lines
        .extend(after.keys().filter(|name| !before.contains_key(*name)).map(|name| format!("{name} is new")));
    lines
}

/// Files of a contract by name, without lines of comments: the fingerprint leaves them out as well.
fn files(contract: &str) -> BTreeMap<&str, String> {
    let code = |text: &str| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let files = contract.split("\nfile: ").skip(1);
    files.filter_map(|file| file.split_once('\n')).map(|(name, text)| (name, code(text))).collect()
}

/// One thing that a contract declares.
enum Part {
    /// Fields of a struct or variants of an enum, in order: name and type, or name and value.
    Listed { what: &'static str, rows: Vec<(String, String)>, attributes: String },
    /// Anything else, as tokens: equal or not.
    Whole(String),
}

impl Part {
    fn compare(&self, name: &str, other: &Self, lines: &mut Vec<String>) {
        match (self, other) {
            (
                Self::Listed { what, rows, attributes },
                Self::Listed { rows: theirs, attributes: other, .. },
            ) => {
                if attributes != other {
                    lines.push(format!("{name}: attributes `{attributes}` are now `{other}`"));
                }
                compare_rows(name, what, rows, theirs, lines);
            }
            (Self::Whole(a), Self::Whole(b)) if a == b => {}
            _ => lines.push(format!("{name} changed")),
        }
    }
}

fn compare_rows(
    name: &str,
    what: &str,
    ours: &[(String, String)],
    theirs: &[(String, String)],
    lines: &mut Vec<String>,
) {
    let find = |rows: &[(String, String)], name: &str| rows.iter().position(|(other, _)| other == name);
    let typed = |(name, kind): &(String, String)| match kind.as_str() {
        "" => format!("`{name}`"),
        kind => format!("`{name}: {kind}`"),
    };
    // A new name with the same type at the same place is a name that changed.
    let renamed = |i: usize| {
        let (old, new) = (ours.get(i)?, theirs.get(i)?);
        let moved = find(theirs, &old.0).is_none() && find(ours, &new.0).is_none() && old.1 == new.1;
        moved.then_some((&old.0, &new.0))
    };
    for (i, row) in ours.iter().enumerate() {
        if let Some((old, new)) = renamed(i) {
            lines.push(format!("{name}: {what} `{old}` is now called `{new}`"));
            continue;
        }
        match find(theirs, &row.0) {
            None => lines.push(format!("{name}: {what} {} is gone", typed(row))),
            Some(j) if theirs[j].1 != row.1 => {
                lines.push(format!("{name}: {what} {} is now `{}`", typed(row), theirs[j].1));
            }
            Some(_) => {}
        }
    }
    for (j, row) in theirs.iter().enumerate() {
        if find(ours, &row.0).is_none() && renamed(j).is_none() {
            let after = j.checked_sub(1).map_or("first".to_string(), |j| format!("after `{}`", theirs[j].0));
            lines.push(format!("{name}: {what} {} is new, {after}", typed(row)));
        }
    }
    let common = |rows: &[(String, String)], others: &[(String, String)]| -> Vec<String> {
        let names = rows.iter().map(|(name, _)| name);
        names.filter(|name| find(others, name).is_some()).cloned().collect()
    };
    let (before, after) = (common(ours, theirs), common(theirs, ours));
    if before != after {
        lines.push(format!("{name}: the order was {}; it is now {}", before.join(", "), after.join(", ")));
    }
}

/// What a file declares, by name.
fn parts(file: &str, text: &str, parts: &mut BTreeMap<String, Part>) {
    match syn::parse_file(text) {
        Ok(parsed) => parsed.items.into_iter().for_each(|item| add(file, item, parts)),
        // It did compile, so this is a grammar newer than the parser's.
        Err(_) => _ = parts.insert(format!("file {file}"), Part::Whole(text.to_string())),
    }
}

fn add(file: &str, item: Item, parts: &mut BTreeMap<String, Part>) {
    let (name, part) = match item {
        Item::Struct(item) => {
            (format!("struct {}", item.ident), listed("field", fields(&item.fields), &item.attrs))
        }
        Item::Union(item) => {
            let rows = fields(&Fields::Named(item.fields));
            (format!("union {}", item.ident), listed("field", rows, &item.attrs))
        }
        Item::Enum(item) => {
            let value = |variant: &syn::Variant| match &variant.discriminant {
                Some((_, value)) => tokens(value),
                None => {
                    fields(&variant.fields).into_iter().map(|(_, kind)| kind).collect::<Vec<_>>().join(", ")
                }
            };
            let rows = item.variants.iter().map(|variant| (variant.ident.to_string(), value(variant)));
            (format!("enum {}", item.ident), listed("variant", rows.collect(), &item.attrs))
        }
        Item::Impl(item) => {
            let of = item.trait_.as_ref().map(|(_, path, _)| format!("{} for ", tokens(path)));
            let name = format!("{}{}", of.unwrap_or_default(), tokens(&item.self_ty));
            for inner in item.items {
                let (what, part) = match inner {
                    ImplItem::Fn(inner) => (format!("fn {name}::{}", inner.sig.ident), tokens(&inner)),
                    ImplItem::Const(inner) => (format!("const {name}::{}", inner.ident), tokens(&inner.expr)),
                    other => (format!("impl {name}"), tokens(&other)),
                };
                parts.insert(what, Part::Whole(part));
            }
            return;
        }
        Item::Fn(item) => (format!("fn {}", item.sig.ident), Part::Whole(tokens(&item))),
        Item::Const(item) => (
            format!("const {}", item.ident),
            Part::Whole(format!("{} {}", tokens(&item.ty), tokens(&item.expr))),
        ),
        Item::Type(item) => (format!("type {}", item.ident), Part::Whole(tokens(&item.ty))),
        Item::Trait(item) => (format!("trait {}", item.ident), Part::Whole(tokens(&item))),
        Item::Macro(item) => {
            let name = item.ident.as_ref().map_or_else(|| tokens(&item.mac.path), ToString::to_string);
            (format!("macro {name}"), Part::Whole(tokens(&item.mac)))
        }
        // Names of modules and what is passed on say nothing that the things themselves do not.
        Item::Use(item) => (format!("use {} ({file})", tokens(&item.tree)), Part::Whole(String::new())),
        other => (format!("file {file}: {}", tokens(&other)), Part::Whole(String::new())),
    };
    parts.insert(name, part);
}

fn listed(what: &'static str, rows: Vec<(String, String)>, attributes: &[syn::Attribute]) -> Part {
    let attributes = attributes.iter().map(tokens).collect::<Vec<_>>().join(" ");
    Part::Listed { what, rows, attributes }
}

fn fields(fields: &Fields) -> Vec<(String, String)> {
    let name = |(i, field): (usize, &syn::Field)| {
        let name = field.ident.as_ref().map_or_else(|| i.to_string(), ToString::to_string);
        (name, tokens(&field.ty))
    };
    fields.iter().enumerate().map(name).collect()
}

/// Source text of one line, as a person would write it.
fn tokens(part: &impl ToTokens) -> String {
    let mut text = part.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (" < ", "<"),
        (" > ", "> "),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        ("[ ", "["),
        (" ]", "]"),
        (" ;", ";"),
        ("# [", "#["),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("* ", "*"),
    ] {
        text = text.replace(from, to);
    }
    text
}
