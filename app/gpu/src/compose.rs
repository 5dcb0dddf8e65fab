//! One pass's WGSL out of the files it is made of, with everything that its names stand for.
//!
//! ```text
//! #import <lib/links.wgsl>      the whole file, once, from the folder of the passes
//! #ifdef meshes                 if what the pass is listed with holds (`passes.ron`, [`super::passes`])
//! #else
//! #endif
//! var<storage> link_lambda: array<f32>;      a column that the device alone has; see `sources.rs`
//! @rows(128)
//! fn main(i: u32) {             a thread for each row …
//! @rows(32, 2)
//! fn main(row: u32, lane: u32)  … two of them, side by side for 32 rows; also behind the last row (barriers) …
//! @groups(256)
//! fn main(row: u32, lane: u32)  … or a workgroup; without `row` where there is only one
//! ```
//! Nothing else is written down: `particle_position` is bound because it is used, as what the column holds, to be written
//! if it is assigned to; `frame.h` is a member of the uniform; a name of [`CONSTANTS`] is that number; `THREADS` is the size of
//! the workgroup, that of a lane. Every line knows the file and the line it came from, so that errors name those.
//!
//! Rejected: WESL 0.4, which mangles names and keeps no map of lines, so that what naga says of them would have to be led
//! back by declaration; and naga_oil, which follows naga's versions late and would parse every file a second time.

mod gather;
mod share;
mod tokens;

use std::collections::{BTreeSet, HashMap};

use sim_api::ParamDesc;

pub(crate) use self::gather::{Takes, at_mark};
use self::{gather::Line, tokens::Token};
use super::{
    columns::{self, Columns},
    constants::CONSTANTS,
    passes::{Sources, fault},
    values,
};
use weft_core::suggest;
use weft_draw::ShaderError;

/// Name of the uniform.
pub(crate) const FRAME: &str = "frame";
/// The constant that has the size of the workgroup.
const THREADS: &str = "THREADS";

/// What the names of a pass may stand for.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub sources: &'a Sources,
    pub columns: &'a Columns,
    pub params: &'a [ParamDesc],
    /// Every name that `#ifdef` may ask for.
    pub features: &'a BTreeSet<String>,
    /// How many columns a pass may bind: one that names more reads some of them out of one (`compose/share.rs`).
    pub places: usize,
}

/// A pass as naga takes it.
pub(crate) struct Composed {
    pub text: String,
    /// Places of the lines of the text.
    places: Vec<Place>,
    /// Every file in it, the pass's own last.
    pub files: Vec<String>,
    /// Columns from binding 1 on, and whether the pass writes them. Binding 0 is the uniform.
    pub columns: Vec<(usize, bool)>,
    pub takes: Takes,
}

/// Where a line of the text came from.
#[derive(Clone, Copy)]
struct Place {
    /// Of [`Composed::files`].
    file: usize,
    /// From 1.
    line: usize,
    /// It stands there as it is.
    own: bool,
}

/// Composes `file` for a pass that is listed with `features`.
pub(crate) fn compose(scope: Scope, file: &str, features: &[String]) -> Result<Composed, ShaderError> {
    let mut gathered = gather::gather(scope, file, features)?;
    let tokens = tokens::tokens(gathered.lines.iter().map(|line| line.text.as_ref()));
    let mut found = Found::of(scope, &gathered.lines, &tokens)?;
    let shares = share::share(scope, &tokens, &mut found.columns);
    let head = found.head(scope, gathered.threads).into_iter().chain(shares.functions);
    let head: Vec<(String, usize)> = head.map(|(text, at)| (text, tokens[at].line)).collect();
    share::apply(shares.edits, &mut gathered.lines);
    let mut composed = Composed {
        text: String::new(),
        places: Vec::new(),
        files: gathered.files.iter().map(|file| (*file).to_string()).collect(),
        columns: found.columns.iter().map(|column| (column.index, column.write)).collect(),
        takes: gathered.takes,
    };
    let file = |line: &Line| gathered.files.iter().position(|file| *file == line.file).unwrap_or(0);
    for (text, line) in head {
        let line = &gathered.lines[line];
        composed.push(&text, Place { file: file(line), line: line.number, own: false });
    }
    for line in &gathered.lines {
        let own = matches!(line.text, std::borrow::Cow::Borrowed(_));
        composed.push(&line.text, Place { file: file(line), line: line.number, own });
    }
    Ok(composed)
}

impl Composed {
    fn push(&mut self, text: &str, place: Place) {
        self.text.push_str(text);
        self.text.push('\n');
        self.places.push(place);
    }

    /// An error at a place of the text, both counted from 1.
    pub(crate) fn error(&self, sources: &Sources, at: Option<[u32; 3]>, message: &str) -> ShaderError {
        let own = self.files.last().map_or("", String::as_str);
        let Some([line, column, length]) = at else { return ShaderError::new(own, message) };
        let Some(place) = self.places.get(line.saturating_sub(1) as usize) else {
            return ShaderError::new(own, message);
        };
        let (column, length) = if place.own { (column as usize, length as usize) } else { (1, usize::MAX) };
        fault(sources, &self.files[place.file], (place.line, column, length), message)
    }
}

/// A column that a pass uses.
struct Used {
    index: usize,
    write: bool,
    atomic: bool,
    /// The first token that has its name.
    at: usize,
}

/// What the names in a text stand for.
struct Found {
    columns: Vec<Used>,
    /// Members of the uniform, and constants: place in their list, and the first token that has their name.
    members: Vec<(String, usize)>,
    constants: Vec<(&'static str, Option<u32>, usize)>,
}

impl Found {
    fn of(scope: Scope, lines: &[Line], tokens: &[Token]) -> Result<Self, ShaderError> {
        let fail = |at: usize, message: String| {
            let (token, line) = (&tokens[at], &lines[tokens[at].line]);
            fault(scope.sources, line.file, (line.number, token.column, token.text.len()), &message)
        };
        let defined = defined(tokens, lines, &fail)?;
        let mut found = Self { columns: Vec::new(), members: Vec::new(), constants: Vec::new() };
        let mut known: HashMap<&str, Option<usize>> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            let after = |n: usize| tokens.get(at + n).map_or("", |token| token.text);
            if !token.is_name() || at > 0 && tokens[at - 1].text == "." {
                continue;
            }
            if token.text == FRAME && after(1) == "." {
                if !found.members.iter().any(|(name, _)| name == after(2)) {
                    if values::slot(after(2), scope.params).is_none() {
                        let near = suggest::nearest(after(2), values::names(scope.params));
                        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                        return Err(fail(at + 2, format!("`{FRAME}.{}` is not supplied{near}", after(2))));
                    }
                    found.members.push((after(2).to_string(), at));
                }
                continue;
            }
            if defined.contains_key(token.text) {
                continue;
            }
            let column = *known.entry(token.text).or_insert_with(|| scope.columns.variable(token.text));
            if let Some(index) = column {
                let used = tokens::used(tokens, at);
                if let Some(why) = scope.columns.list[index].read_only().filter(|_| used.write) {
                    let message =
                        format!("`{}` {why}, so it is read only: a pass may not write it", token.text);
                    return Err(fail(at, message));
                }
                match found.columns.iter_mut().find(|column| column.index == index) {
                    Some(column) => {
                        column.write |= used.write;
                        column.atomic |= used.atomic;
                    }
                    None => found.columns.push(Used { index, write: used.write, atomic: used.atomic, at }),
                }
            } else if !found.constants.iter().any(|(name, ..)| *name == token.text) {
                if token.text == THREADS {
                    found.constants.push((THREADS, None, at));
                } else if let Some((name, value)) = CONSTANTS.iter().find(|(name, _)| *name == token.text) {
                    found.constants.push((name, Some(*value), at));
                }
            }
        }
        Ok(found)
    }

    /// The declarations of all of it, each with the token that asks for it.
    fn head(&self, scope: Scope, threads: &str) -> Vec<(String, usize)> {
        let constants = self.constants.iter().map(|(name, value, at)| {
            let value = value.map_or_else(|| threads.to_string(), |value| format!("{value}u"));
            (format!("const {name}: u32 = {value};"), *at)
        });
        let columns = self.columns.iter().enumerate().map(|(n, used)| {
            let column = &scope.columns.list[used.index];
            let access = if used.write { "read_write" } else { "read" };
            let row = columns::wgsl(column.element);
            let row = if used.atomic { format!("atomic<{row}>") } else { row };
            let name = column.variable();
            (format!("@group(0) @binding({}) var<storage, {access}> {name}: array<{row}>;", n + 1), used.at)
        });
        let mut head: Vec<(String, usize)> = constants.chain(columns).collect();
        if let Some((_, first)) = self.members.first() {
            let member = |(name, _): &(String, usize)| {
                let ty = values::slot(name, scope.params).map_or("u32", |(_, ty)| ty);
                format!("{name}: {ty}")
            };
            let members: Vec<String> = self.members.iter().map(member).collect();
            head.push((format!("struct Frame {{ {} }}", members.join(", ")), *first));
            head.push((format!("@group(0) @binding(0) var<uniform> {FRAME}: Frame;"), *first));
        }
        head
    }
}

/// Names that the text declares outside of functions, and their tokens; each may be declared once.
fn defined<'a>(
    tokens: &[Token<'a>],
    lines: &[Line],
    fail: &dyn Fn(usize, String) -> ShaderError,
) -> Result<HashMap<&'a str, usize>, ShaderError> {
    let (mut defined, mut depth) = (HashMap::new(), 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "fn" | "struct" | "const" | "override" | "alias" | "var" if depth == 0 => {
                let name = match tokens.get(at + 1).map(|token| token.text) {
                    Some("<") => (at + 2..tokens.len()).find(|&k| tokens[k].text == ">").map(|k| k + 1),
                    _ => Some(at + 1),
                };
                let Some(name) = name.filter(|&name| tokens.get(name).is_some_and(Token::is_name)) else {
                    continue;
                };
                if let Some(other) = defined.insert(tokens[name].text, name) {
                    let other = &lines[tokens[other].line];
                    let message = format!(
                        "`{}` is declared in {}:{} as well",
                        tokens[name].text, other.file, other.number
                    );
                    return Err(fail(name, message));
                }
                if tokens[name].text == "Frame" {
                    let message = "`Frame` is made of the members of `frame` that are used: leave it out";
                    return Err(fail(name, message.to_string()));
                }
            }
            _ => {}
        }
    }
    Ok(defined)
}
