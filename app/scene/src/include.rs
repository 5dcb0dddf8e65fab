//! Scenes that are made of parts: `include` and `let`, worked in before anything is read.
//!
//! ```ron
//! // parts/linen.ron
//! (let: (n: 64), shape: Grid(columns: "$n", rows: "$n", width: 1.0, height: 1.0), material: (density: 0.19))
//! // a scene beside the folder `parts`
//! (version: 1, cloths: [(include: "parts/linen.ron", let: (n: 32), id: "left", material: (friction: 0.3))])
//! ```
//! | | |
//! |---|---|
//! | `include: "FILE"` in any `(…)` | the fields of FILE, seen from the file that says so; what is written beside it counts instead, groups in groups field by field, lists as a whole |
//! | `let: (name: value, …)` at the root of a file | values for `"$name"` anywhere in that file, as if they were written there |
//! | `let` beside an `include` | other values for the file that is included |
//! | `"$$text"` | the text `$text` |
//!
//! Both are plain RON. What comes out is a text like any other, with the file and the place that each of its parts was
//! written in: the rest of the crate reads that text, and what is wrong is told where it was written. A scene that has neither is
//! read as it stands, a text that begins with `$` too.
//!
//! Not here: arithmetic, conditions, loops. Names of meshes and pictures count from the scene's own folder.

mod origin;
mod part;

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
    rc::Rc,
};

use weft_core::suggest::nearest;

use super::{
    Diagnostic,
    load::read,
    tree::{self, Entry, Node},
};
pub(crate) use origin::{Expanded, Source};
use part::{At, Key, Part, Shape};

/// Files in files, at most.
const DEEPEST: usize = 16;
/// Values of the text that comes out, at most: a variable of variables of variables grows fast.
const MOST: usize = 400_000;
const GIVE: &str = "`let: (name: value)` at the root of the file gives it one";

/// The text of a scene with its parts worked in; `name` is its file's. Without a folder nothing is included.
pub(crate) fn expand(name: &str, text: &str, folder: Option<&Path>) -> Expanded {
    let plain = || Expanded::plain(text);
    if !text.contains("include") && !text.contains("let") {
        return plain();
    }
    let (root, wrong) = tree::read(text);
    // What is wrong with the brackets is told of the text as it stands.
    if wrong.is_some() || !has_parts(text, &root, true) {
        return plain();
    }
    let mut maker = Maker {
        folder,
        files: Vec::new(),
        open: Vec::new(),
        errors: Vec::new(),
        values: 0,
        unused: Vec::new(),
    };
    let own = Source { name: name.to_string(), path: PathBuf::from(name), text: text.to_string() };
    let made = maker.file(own, &root, Scope::default());
    let Maker { files, errors, unused, .. } = maker;
    Expanded::new(files, made.as_ref(), errors, unused)
}

/// Of a scene without any `let`, a value `"$name"` that does not fit: what is wrong with it is its name.
pub(crate) fn blame_variable(found: &mut Diagnostic, text: &str) {
    let written = text.get(found.span.clone()).unwrap_or_default();
    let name =
        written.strip_prefix("\"$").and_then(|rest| rest.strip_suffix('"')).filter(|name| is_name(name));
    if let Some(name) = name {
        found.message = format!("there is no variable `{name}`: this scene has no `let`");
        found.help = Some(GIVE.into());
    }
}

/// What a variable can be called.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether there is a `let` at the root or an `include` anywhere.
fn has_parts(text: &str, node: &Node, root: bool) -> bool {
    let Some(group) = &node.group else { return false };
    group.entries.iter().any(|entry| {
        let key = entry.key.as_ref().and_then(|key| text.get(key.clone()));
        key == Some("include") || root && key == Some("let") || has_parts(text, &entry.value, false)
    })
}

/// Values by name.
#[derive(Clone, Default)]
struct Scope(BTreeMap<String, Variable>);

#[derive(Clone)]
struct Variable {
    part: Part,
    at: At,
    used: Rc<Cell<bool>>,
}

struct Maker<'a> {
    /// Of the scene; everything that is included lies in it or below.
    folder: Option<&'a Path>,
    /// Each that was read, the scene first.
    files: Vec<Source>,
    /// Those that are being read.
    open: Vec<usize>,
    errors: Vec<Diagnostic>,
    /// Values made so far.
    values: usize,
    /// Variables that nothing uses.
    unused: Vec<(At, String)>,
}

impl Maker<'_> {
    /// A whole file, `given` for its variables.
    fn file(&mut self, source: Source, root: &Node, given: Scope) -> Option<Part> {
        let file = self.files.len();
        self.files.push(source);
        self.open.push(file);
        let mut scope = given;
        if let Some(entry) = self.entry(file, root, "let") {
            self.variables(file, &entry.value, None, &mut scope);
        }
        let made = self.value(file, root, &scope, true);
        for (name, variable) in scope.0.iter().filter(|(_, variable)| !variable.used.get()) {
            self.unused.push((variable.at.clone(), name.clone()));
        }
        self.open.pop();
        made
    }

    fn entry<'n>(&self, file: usize, node: &'n Node, name: &str) -> Option<&'n Entry> {
        let group = node.group.as_ref().filter(|group| self.opens(file, group.open) == b'(')?;
        let named = |entry: &&Entry| entry.key.as_ref().is_some_and(|key| self.text(file, key) == name);
        group.entries.iter().find(named)
    }

    fn opens(&self, file: usize, at: usize) -> u8 {
        self.files[file].text.as_bytes().get(at).copied().unwrap_or(b' ')
    }

    fn text(&self, file: usize, span: &std::ops::Range<usize>) -> &str {
        self.files[file].text.get(span.clone()).unwrap_or_default()
    }

    fn wrong(&mut self, at: &At, message: impl Into<String>, help: Option<String>) {
        let source = &self.files[at.file];
        let mut found = Diagnostic::new(&source.text, "", at.span.clone(), message);
        found.help = help;
        self.errors.push(source.place(at.file, found));
    }

    /// Values by name for `scope`, told in terms of `outer`, or where that is `None` each of those before it; what `scope` has
    /// from who includes the file counts instead.
    fn variables(&mut self, file: usize, node: &Node, outer: Option<&Scope>, scope: &mut Scope) {
        let at = At { file, span: node.span.clone() };
        let named = |entry: &Entry| entry.key.is_some();
        let Some(group) = node.group.as_ref().filter(|group| group.entries.iter().all(named)) else {
            return self.wrong(&at, "expected names with values, such as `let: (columns: 64)`", None);
        };
        let given = scope.clone();
        let mut known = BTreeSet::new();
        for entry in &group.entries {
            let Some(key) = &entry.key else { continue };
            let (name, at) = (self.text(file, key).to_string(), At { file, span: key.clone() });
            if !is_name(&name) {
                self.wrong(&at, format!("`{name}` is no name: letters, digits and `_`"), None);
                continue;
            }
            if given.0.contains_key(&name) {
                continue;
            }
            let seen = outer.unwrap_or(scope).clone();
            if let Some(part) = self.value(file, &entry.value, &seen, false) {
                if !known.insert(name.clone()) {
                    self.wrong(&at, format!("the variable `{name}` is given twice"), None);
                }
                scope.0.insert(name, Variable { part, at, used: Rc::default() });
            }
        }
    }

    /// So many more values; `None`: they are too many, which is told once.
    fn count(&mut self, more: usize, file: usize, node: &Node) -> Option<()> {
        let before = self.values;
        self.values = before.saturating_add(more);
        if self.values > MOST && before <= MOST {
            let at = At { file, span: node.span.start..node.span.start + 1 };
            self.wrong(&at, "with what is included the scene is too large", None);
        }
        (self.values <= MOST).then_some(())
    }

    /// A value with everything in it worked in; `None`: told already.
    fn value(&mut self, file: usize, node: &Node, scope: &Scope, root: bool) -> Option<Part> {
        self.count(1, file, node)?;
        let at = At { file, span: node.span.clone() };
        let Some(group) = &node.group else { return self.scalar(at, node, scope) };
        let bracket = self.opens(file, group.open);
        let mut entries = Vec::new();
        let (mut included, mut given) = (None, None);
        for entry in &group.entries {
            let key = entry.key.clone();
            match key.as_ref().filter(|_| bracket == b'(').map(|key| self.text(file, key)) {
                Some("include") if included.is_none() => included = Some(entry),
                Some("let") if root || self.entry(file, node, "include").is_some() => given = Some(entry),
                _ => {
                    let key = key.map(|span| {
                        let quoted = span.start > 0 && self.opens(file, span.start - 1) == b'"';
                        Key { name: self.text(file, &span).to_string(), quoted, at: At { file, span } }
                    });
                    entries.push((key, self.value(file, &entry.value, scope, false)?));
                }
            }
        }
        let own = Part {
            at,
            shape: Shape::Group {
                name: At { file, span: group.name.clone() },
                open: At { file, span: group.open..group.open + 1 },
                entries,
            },
        };
        let Some(include) = included else { return Some(own) };
        // At the root `let` is the file's own, and counts for what the file includes as well.
        let mut passed = Scope::default();
        if let Some(entry) = given {
            if root {
                passed.0.clone_from(&scope.0);
            } else {
                self.variables(file, &entry.value, Some(scope), &mut passed);
            }
        }
        let base = self.include(file, &include.value, passed)?;
        let from = At { file, span: include.value.span.clone() };
        match base.under(own, &self.files) {
            Ok(part) => Some(part),
            Err(why) => {
                self.wrong(&from, why, None);
                None
            }
        }
    }

    /// A number, a name or a text; `"$name"` is the value of that name.
    fn scalar(&mut self, at: At, node: &Node, scope: &Scope) -> Option<Part> {
        let written = self.text(at.file, &at.span);
        let Some(name) = written.strip_prefix("\"$").and_then(|rest| rest.strip_suffix('"')) else {
            return Some(Part { at, shape: Shape::Scalar(None) });
        };
        if let Some(text) = name.strip_prefix('$') {
            let text = format!("\"${text}\"");
            return Some(Part { at, shape: Shape::Scalar(Some(text)) });
        }
        if let Some(variable) = scope.0.get(name) {
            variable.used.set(true);
            self.count(variable.part.values(), at.file, node)?;
            return Some(variable.part.clone());
        }
        let near = nearest(name, scope.0.keys().map(String::as_str));
        let help = near.map_or_else(
            || {
                let names: Vec<&str> = scope.0.keys().map(String::as_str).collect();
                if names.is_empty() { GIVE.into() } else { format!("there are {}", names.join(", ")) }
            },
            |near| format!("did you mean `${near}`?"),
        );
        let message = format!("there is no variable `{name}`");
        self.wrong(&at, message, Some(help));
        None
    }

    fn include(&mut self, file: usize, node: &Node, given: Scope) -> Option<Part> {
        let at = At { file, span: node.span.clone() };
        let written = self.text(file, &node.span);
        let Some(name) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            self.wrong(&at, "expected the name of a file in quotes, such as \"parts/linen.ron\"", None);
            return None;
        };
        let name = name.to_string();
        let path = match self.path(file, &name) {
            Ok(path) => path,
            Err(why) => {
                self.wrong(&at, why, None);
                return None;
            }
        };
        let shown = path.display().to_string();
        let is_open = self.open.iter().any(|&open| self.files[open].path == path);
        if is_open || self.open.len() >= DEEPEST {
            let way: Vec<&str> = self.open.iter().map(|&open| self.files[open].name.as_str()).collect();
            let too_deep = || format!("files include each other more than {DEEPEST} deep");
            let why = if is_open { "this file includes itself".to_string() } else { too_deep() };
            self.wrong(&at, why, Some(format!("{} -> {shown}", way.join(" -> "))));
            return None;
        }
        let text = match read(&path) {
            Ok(text) => text,
            Err((text, found)) => {
                if text.is_empty() {
                    // It is watched all the same: it may come.
                    self.files.push(Source { name: shown.clone(), path, text });
                    self.wrong(&at, format!("{shown}: {}", found.message), None);
                } else {
                    let source = Source { name: shown, path, text };
                    self.errors.push(source.place(usize::MAX, *found));
                    self.files.push(source);
                }
                return None;
            }
        };
        let (root, wrong) = tree::read(&text);
        let source = Source { name: shown, path, text };
        if let Some(wrong) = wrong {
            let mut found = Diagnostic::new(&source.text, "", wrong.span, wrong.message);
            found.help = wrong.help;
            self.errors.push(source.place(usize::MAX, found));
            self.files.push(source);
            return None;
        }
        self.file(source, &root, given)
    }

    /// Where a file that is included lies.
    fn path(&self, file: usize, name: &str) -> Result<PathBuf, String> {
        let Some(folder) = self.folder else {
            return Err("nothing is included here: this scene came without a folder".into());
        };
        let inside = "what a scene includes lies in its folder or below: copy it there";
        let here = self.files[file].path.parent().filter(|_| file > 0).unwrap_or(folder);
        let mut path = here.to_path_buf();
        for part in Path::new(name).components() {
            match part {
                Component::Normal(part) => path.push(part),
                Component::CurDir => {}
                Component::ParentDir if path != folder && path.pop() => {}
                _ => return Err(inside.into()),
            }
        }
        if path == here { Err("the name of the file is missing".into()) } else { Ok(path) }
    }
}
