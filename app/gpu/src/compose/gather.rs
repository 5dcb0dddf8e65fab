//! The lines of a pass: its file and what it imports, without what its conditions leave out.

use std::borrow::Cow;

use super::{
    super::passes::{FOLDER, Sources, fault},
    Scope,
};
use weft_core::suggest;
use weft_draw::ShaderError;

/// A line that stays.
pub struct Line<'a> {
    pub file: &'a str,
    /// From 1.
    pub number: usize,
    /// Borrowed as it stands in the file.
    pub text: Cow<'a, str>,
}

/// The lines of all files.
pub struct Gathered<'a> {
    pub lines: Vec<Line<'a>>,
    /// Each once, the pass's own last.
    pub files: Vec<&'a str>,
    /// A workgroup takes a row, not a thread.
    pub groups: bool,
    /// Size of the workgroup as it is written.
    pub threads: &'a str,
}

pub fn gather<'a>(scope: Scope<'a>, file: &str, features: &[String]) -> Result<Gathered<'a>, ShaderError> {
    let gathered = Gathered { lines: Vec::new(), files: Vec::new(), groups: false, threads: "1" };
    let Some((file, text)) = scope.sources.entry(file) else {
        let message =
            format!("`passes.ron` names it, but there is no such file{}", near(scope.sources, file));
        return Err(ShaderError::new(file, message));
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
        self.open.push(file);
        let mut conditions: Vec<Open> = Vec::new();
        let mut entry = None;
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.trim();
            let fail = |message: String| {
                let start = line.len() - line.trim_start().len() + 1;
                Err(fault(self.scope.sources, file, (number, start, code.len()), &message))
            };
            if let Some(name) = code.strip_prefix("#ifdef ") {
                let (name, known) = (name.trim(), self.scope.features);
                if !known.contains(name) {
                    let near = suggest::nearest(name, known.iter().map(String::as_str));
                    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    return fail(format!("no pass is listed with `{name}`{near}"));
                }
                let holds = self.features.iter().any(|feature| feature == name);
                conditions.push(Open { line: number, holds, in_else: false });
                continue;
            }
            match (code, conditions.last_mut()) {
                ("#else", Some(last)) if !last.in_else => {
                    (last.holds, last.in_else) = (!last.holds, true);
                    continue;
                }
                ("#endif", Some(_)) => {
                    conditions.pop();
                    continue;
                }
                ("#else" | "#endif", _) => return fail(format!("`{code}` without `#ifdef`")),
                _ => {}
            }
            if !conditions.iter().all(|condition| condition.holds) {
                continue;
            }
            if let Some(path) = code.strip_prefix("#import ") {
                let Some(path) = path.trim().strip_prefix('<').and_then(|path| path.strip_suffix('>')) else {
                    return fail("write #import <folder/file.wgsl>".into());
                };
                let key = format!("{FOLDER}/{path}");
                let Some((key, text)) = self.scope.sources.entry(&key) else {
                    return fail(format!("there is no file `{path}`{}", near(self.scope.sources, &key)));
                };
                if self.open.contains(&key) {
                    return fail(format!("{path} imports itself: {} → {path}", self.open.join(" → ")));
                }
                if !self.gathered.files.contains(&key) {
                    self.file(key, text)?;
                }
                continue;
            }
            if code.starts_with('#') {
                return fail(format!("there is no `{code}`; there are #import, #ifdef, #else and #endif"));
            }
            if code.starts_with("@group(") || code.starts_with("var<uniform>") {
                return fail(
                    "columns and `frame` are bound because they are used: leave the line out".into(),
                );
            }
            if code.starts_with("var<storage") {
                continue;
            }
            if entry.is_some() && code.is_empty() {
                continue;
            }
            let text = match entry.take() {
                Some(groups) => match head(code, groups) {
                    Some(head) => Cow::Owned(head),
                    None => {
                        let form = if groups { "row: u32, lane: u32" } else { "row: u32" };
                        return fail(format!("here comes the entry point: fn main({form}) {{"));
                    }
                },
                None => {
                    let rows = code.strip_prefix("@rows(").map(|rest| (rest, false));
                    match rows.or_else(|| code.strip_prefix("@groups(").map(|rest| (rest, true))) {
                        Some((rest, groups)) => {
                            let Some(threads) = rest.strip_suffix(')') else {
                                return fail(
                                    "this line holds the size of the workgroup alone: @rows(128)".into(),
                                );
                            };
                            (self.gathered.threads, self.gathered.groups) = (threads, groups);
                            entry = Some(groups);
                            Cow::Owned(format!("@compute @workgroup_size({threads})"))
                        }
                        None => Cow::Borrowed(line),
                    }
                }
            };
            self.gathered.lines.push(Line { file, number, text });
        }
        if let Some(open) = conditions.first() {
            return Err(fault(
                self.scope.sources,
                file,
                (open.line, 1, usize::MAX),
                "`#ifdef` without `#endif`",
            ));
        }
        self.open.pop();
        self.gathered.files.push(file);
        Ok(())
    }
}

/// The first line of an entry point, with its row out of what WGSL has.
fn head(code: &str, groups: bool) -> Option<String> {
    let (name, rest) = code.strip_prefix("fn ")?.split_once('(')?;
    let (params, _) = rest.split_once(") {").filter(|(_, rest)| rest.is_empty())?;
    let params: Option<Vec<&str>> = params.split(", ").map(|param| param.strip_suffix(": u32")).collect();
    let row = |row: &str, id: &str| format!("let {row} = frame.first + {id}.y * frame.line + {id}.x;");
    Some(match (groups, params?.as_slice()) {
        (false, [i]) => format!(
            "fn {name}(@builtin(global_invocation_id) id: vec3u) {{ {} if {i} >= frame.end {{ return; }}",
            row(i, "id")
        ),
        (true, [lane]) => format!("fn {name}(@builtin(local_invocation_index) {lane}: u32) {{"),
        (true, [i, lane]) => format!(
            "fn {name}(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) {lane}: u32) {{ {}",
            row(i, "group")
        ),
        _ => return None,
    })
}

fn near(sources: &Sources, key: &str) -> String {
    let near = suggest::nearest(key, sources.names());
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
