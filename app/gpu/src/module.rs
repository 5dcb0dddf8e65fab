//! One pass's WGSL: its file and the libraries it goes on with, parsed and validated, every error with its own place.

use naga::{
    Module, ShaderStage, SourceLocation, Span,
    valid::{Capabilities, ValidationFlags, Validator},
};

use super::passes::{self, PASSES, Sources};
use weft_draw::ShaderError;

/// Stack of the thread that runs naga [B]; only touched pages cost memory.
const STACK_BYTES: usize = 64 << 20;

/// A parsed pass.
pub struct Parsed {
    /// File of the pass.
    pub file: String,
    pub text: String,
    pub module: Module,
    /// Name of its one entry point, and threads of its workgroup along x.
    pub entry: String,
    pub threads: u32,
    /// The text is the one that was compiled into the program.
    pub built_in: bool,
    /// Files in the text and the line they start at, counted from 1.
    parts: Vec<(String, u32)>,
}

/// Parses `file` and the libraries `with`, names without `.wgsl`.
pub fn parse(sources: &Sources, file: &str, with: &[String]) -> Result<Parsed, ShaderError> {
    let (mut text, mut parts, mut built_in) = (String::new(), Vec::new(), true);
    for name in std::iter::once(file).chain(with.iter().map(String::as_str)) {
        let name = format!("{name}.wgsl");
        let missing = || {
            let known: Vec<&str> = sources.names().filter(|name| *name != PASSES).collect();
            ShaderError::new(
                &name,
                format!("`passes.ron` names it, but there is no such file; there are {}", known.join(", ")),
            )
        };
        let part = sources.text(&name).ok_or_else(missing)?;
        if part.trim().is_empty() {
            return Err(ShaderError::new(&name, "empty"));
        }
        built_in &= passes::built_in(&name) == Some(part);
        parts.push((name, text.matches('\n').count() as u32 + 1));
        text.push_str(part);
        text.push('\n');
    }
    let file = parts[0].0.clone();
    let draft = Draft { file: &file, text: &text, parts: &parts };
    let (module, entry, threads) = on_deep_stack(&file, || draft.module())?;
    Ok(Parsed { file, text, module, entry, threads, built_in, parts })
}

impl Parsed {
    /// An error at a place of the text.
    pub fn error(&self, span: Span, message: impl Into<String>) -> ShaderError {
        let draft = Draft { file: &self.file, text: &self.text, parts: &self.parts };
        draft.error(Some(span.location(&self.text)), &message.into())
    }
}

struct Draft<'a> {
    file: &'a str,
    text: &'a str,
    parts: &'a [(String, u32)],
}

impl Draft<'_> {
    fn module(&self) -> Result<(Module, String, u32), ShaderError> {
        let module = naga::front::wgsl::parse_str(self.text)
            .map_err(|e| self.error(e.location(self.text), e.message()))?;
        Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .map_err(|e| self.error(e.location(self.text), &whole_chain(e.as_inner())))?;
        let entries: Vec<_> = module.entry_points.iter().collect();
        let [entry] = entries.as_slice() else {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            let have =
                if names.is_empty() { "it has none".into() } else { format!("it has {}", names.join(", ")) };
            return Err(ShaderError::new(
                self.file,
                format!("a pass has one `@compute` entry point; {have}"),
            ));
        };
        if entry.stage != ShaderStage::Compute {
            return Err(ShaderError::new(self.file, format!("`{}` must be `@compute`", entry.name)));
        }
        let [threads, 1, 1] = entry.workgroup_size else {
            let message = format!("`{}`: the workgroup must be one number, @workgroup_size(128)", entry.name);
            return Err(ShaderError::new(self.file, message));
        };
        let entry = entry.name.clone();
        Ok((module, entry, threads))
    }

    /// An error with its place in whichever file it is.
    fn error(&self, place: Option<SourceLocation>, message: &str) -> ShaderError {
        let message = message.lines().collect::<Vec<_>>().join(" ");
        let Some(place) = place else {
            return ShaderError::new(self.file, message);
        };
        let part = self.parts.iter().rev().find(|(_, first)| *first <= place.line_number);
        let (file, first) = part.map_or((self.file, 1), |(file, first)| (file.as_str(), *first));
        let (line, column) = (place.line_number - first + 1, place.line_position);
        let source = self.text.lines().nth(place.line_number as usize - 1).unwrap_or("");
        let carets = "^".repeat((place.length as usize).clamp(1, 40));
        let report = format!(
            "error: {message}\n  --> {file}:{line}:{column}\n{line:4} | {source}\n     | {}{carets}\n",
            " ".repeat(column.saturating_sub(1) as usize),
        );
        ShaderError { file: file.to_string(), line: Some(line), column: Some(column), message, report }
    }
}

fn whole_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Runs `work` where neither a panic of naga nor deep nesting reaches the caller.
fn on_deep_stack<T: Send>(
    file: &str,
    work: impl FnOnce() -> Result<T, ShaderError> + Send,
) -> Result<T, ShaderError> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("wgsl".into()).stack_size(STACK_BYTES);
        let thread = builder
            .spawn_scoped(scope, work)
            .map_err(|e| ShaderError::new(file, format!("no thread for the shader compiler: {e}")))?;
        thread.join().unwrap_or_else(|_| Err(ShaderError::new(file, "the shader compiler gave up on it")))
    })
}
