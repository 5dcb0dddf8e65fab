//! The lines of a pass: its file and what it imports, without what its conditions leave out.

use std::borrow::Cow;

use super::{
    super::passes::{FOLDER, Sources, fault, misnamed, name},
    Scope,
};
use weft_core::suggest;
use weft_draw::ShaderError;

/// A line that stays.
pub(super) struct Line<'a> {
    pub file: &'a str,
    /// From 1.
    pub number: usize,
    /// Borrowed as it stands in the file.
    pub text: Cow<'a, str>,
}

/// The lines of all files.
pub(super) struct Gathered<'a> {
    pub lines: Vec<Line<'a>>,
    /// Each once, the pass's own last.
    pub files: Vec<&'a str>,
    pub takes: Takes,
    /// Size of the workgroup as it is written, that of a lane.
    pub threads: &'a str,
}

/// What takes a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Thread,
    /// As many threads as there are lanes.
    Lanes,
    Workgroup,
}

pub(super) fn gather<'a>(
    scope: Scope<'a>,
    file: &str,
    features: &[String],
) -> Result<Gathered<'a>, ShaderError> {
    let gathered = Gathered { lines: Vec::new(), files: Vec::new(), takes: Takes::Thread, threads: "1" };
    let Some((file, text)) = scope.sources.entry(file) else {
        let near = near(scope.sources, file);
        let message = format!("`{}`: there is no file `{file}`{near}", name(file));
        return Err(misnamed(scope.sources, &message));
    };
    let mut gather = Gather { scope, features, open: Vec::new(), gathered };
    gather.file(file, text)?;
    Ok(gather.gathered)
}

struct Gather<'a, 'f> {
    scope: Scope<'a>,
    features: &'f [String],
    /// Files that are being read, each imported by the one before.
    open: Vec<&'a str>,
    gathered: Gathered<'a>,
}

/// A condition whose `#endif` has not come yet.
struct Open {
    /// Line of the `#ifdef`.
    line: usize,
    holds: bool,
    in_else: bool,
}

impl<'a> Gather<'a, '_> {
    fn file(&mut self, file: &'a str, text: &'a str) -> Result<(), ShaderError> {
        if text.trim().is_empty() {
            return Err(ShaderError::new(file, "empty"));
        }
        let sources = self.scope.sources;
        self.open.push(file);
        let mut conditions: Vec<Open> = Vec::new();
        // After `@rows` or `@groups`.
        let mut before_entry = false;
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.trim();
            let start = line.len() - line.trim_start().len() + 1;
            let fail = |message: String| fault(sources, file, (number, start, code.len()), &message);
            if self.condition(code, number, &mut conditions).map_err(fail)?
                || !conditions.iter().all(|condition| condition.holds)
            {
                continue;
            }
            if let Some(path) = code.strip_prefix("#import ") {
                if let Some((key, text)) = self.import(path.trim()).map_err(fail)? {
                    self.file(key, text)?;
                }
                continue;
            }
            if code.starts_with('#') {
                return Err(fail(format!(
                    "there is no `{code}`; there are #import, #ifdef, #else and #endif"
                )));
            }
            if code.starts_with("@group(") || code.starts_with("var<uniform>") {
                let message = "columns and `frame` are bound because they are used: leave the line out";
                return Err(fail(message.into()));
            }
            // Declarations of columns are for all passes (`sources.rs`).
            if code.starts_with("var<storage") || before_entry && code.is_empty() {
                continue;
            }
            let text = if before_entry {
                before_entry = false;
                Cow::Owned(entry(code, self.gathered.takes).map_err(fail)?)
            } else if let Some((size, takes, rest)) = marked(code) {
                if size.split(',').any(|threads| threads.trim().parse() == Ok(0)) {
                    return Err(fail(format!("a workgroup of ({size}) has no threads: write @rows(64)")));
                }
                before_entry = rest.is_empty();
                let threads = size.split_once(',').map_or(size, |(threads, _)| threads);
                (self.gathered.threads, self.gathered.takes) = (threads, takes);
                let rest = if before_entry { Ok(String::new()) } else { entry(rest, takes) };
                Cow::Owned(format!("@compute @workgroup_size({size}) {}", rest.map_err(fail)?))
            } else {
                Cow::Borrowed(line)
            };
            self.gathered.lines.push(Line { file, number, text });
        }
        if let Some(open) = conditions.first() {
            return Err(fault(sources, file, (open.line, 1, usize::MAX), "`#ifdef` without `#endif`"));
        }
        self.open.pop();
        self.gathered.files.push(file);
        Ok(())
    }

    /// Whether a line is one of a condition; if so, what it changes is in `conditions`.
    fn condition(&self, code: &str, line: usize, conditions: &mut Vec<Open>) -> Result<bool, String> {
        if let Some(name) = code.strip_prefix("#ifdef ").map(str::trim) {
            let known = self.scope.features;
            if !known.contains(name) {
                let near = suggest::nearest(name, known.iter().map(String::as_str));
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(format!("no pass is listed with `{name}`{near}"));
            }
            let holds = self.features.iter().any(|feature| feature == name);
            conditions.push(Open { line, holds, in_else: false });
            return Ok(true);
        }
        if code == "#ifdef" {
            return Err("write #ifdef and the name of a feature after it".into());
        }
        match (code, conditions.last_mut()) {
            ("#else", Some(last)) if !last.in_else => {
                (last.holds, last.in_else) = (!last.holds, true);
                Ok(true)
            }
            ("#endif", Some(_)) => {
                conditions.pop();
                Ok(true)
            }
            ("#else" | "#endif", _) => Err(format!("`{code}` without `#ifdef`")),
            _ => Ok(false),
        }
    }

    /// A file to be read, if it was not yet.
    fn import(&self, path: &str) -> Result<Option<(&'a str, &'a str)>, String> {
        let Some(path) = path.strip_prefix('<').and_then(|path| path.strip_suffix('>')) else {
            return Err("write #import <folder/file.wgsl>".into());
        };
        let key = format!("{FOLDER}/{path}");
        let Some((key, text)) = self.scope.sources.entry(&key) else {
            return Err(format!("there is no file `{path}`{}", near(self.scope.sources, &key)));
        };
        if self.open.contains(&key) {
            return Err(format!("{path} imports itself: {} → {path}", self.open.join(" → ")));
        }
        Ok((!self.gathered.files.contains(&key)).then_some((key, text)))
    }
}

/// An error of a whole pass, where the mark before its entry point stands, else where that does.
pub(crate) fn at_mark(sources: &Sources, file: &str, message: &str) -> ShaderError {
    let text = sources.text(file).unwrap_or_default();
    let place = |begins: &dyn Fn(&str) -> bool| {
        let (line, number) = text.lines().zip(1..).find(|(line, _)| begins(line.trim_start()))?;
        let code = line.trim();
        Some((number, line.len() - line.trim_start().len() + 1, code.len()))
    };
    let mark = place(&|code| marked(code).is_some()).or_else(|| place(&|code| code.starts_with("fn main(")));
    fault(sources, file, mark.unwrap_or((1, 1, 1)), message)
}

/// Size of the workgroup before an entry point, what takes a row, and what else stands in the line.
fn marked(code: &str) -> Option<(&str, Takes, &str)> {
    let (takes, rest) = match code.strip_prefix("@rows(") {
        Some(rest) => (Takes::Thread, rest),
        None => (Takes::Workgroup, code.strip_prefix("@groups(")?),
    };
    let (size, rest) = rest.split_once(')')?;
    let takes = if takes == Takes::Thread && size.contains(',') { Takes::Lanes } else { takes };
    Some((size, takes, rest.trim()))
}

/// The first line of an entry point, with its row out of what WGSL has.
fn entry(code: &str, takes: Takes) -> Result<String, String> {
    head(code, takes).ok_or_else(|| {
        let form = if takes == Takes::Thread { "row: u32" } else { "row: u32, lane: u32" };
        format!("here comes the entry point: fn main({form}) {{")
    })
}

fn head(code: &str, takes: Takes) -> Option<String> {
    let (name, rest) = code.strip_prefix("fn ")?.split_once('(')?;
    let (params, body) = rest.split_once(") {")?;
    let params: Option<Vec<&str>> = params.split(", ").map(|param| param.strip_suffix(": u32")).collect();
    let row = |row: &str, id: &str| format!("let {row} = frame.first + {id}.y * frame.line + {id}.x;");
    Some(match (takes, params?.as_slice()) {
        (Takes::Thread, [i]) => format!(
            "fn {name}(@builtin(global_invocation_id) id: vec3u) {{ {} if {i} >= frame.end {{ return; }}{body}",
            row(i, "id")
        ),
        (Takes::Lanes, [i, lane]) => format!(
            "fn {name}(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) id: vec3u) \
             {{ {} let {lane} = id.y;{body}",
            row(i, "(group * vec3u(THREADS, 1u, 1u) + vec3u(id.x, 0u, 0u))")
        ),
        (Takes::Workgroup, [lane]) => {
            format!("fn {name}(@builtin(local_invocation_index) {lane}: u32) {{{body}")
        }
        (Takes::Workgroup, [i, lane]) => format!(
            "fn {name}(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) {lane}: u32) {{ {}{body}",
            row(i, "group")
        ),
        _ => return None,
    })
}

fn near(sources: &Sources, key: &str) -> String {
    let near = suggest::nearest(key, sources.names());
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
