//! One pass's module: what it is composed of, parsed and validated, every error with its own place.
//!
//! A text is parsed once: what is saved, chosen or opened again finds its module.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
};

use naga::{
    Module, ShaderStage, SourceLocation, Span,
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};

use super::{
    columns::ColumnInfo,
    compose::{Composed, Scope, Takes, at_mark, compose},
    passes,
    reflect::{self, Binding, What},
};
use weft_core::{suggest, wgsl};
use weft_draw::ShaderError;

/// Stack of the thread that runs naga [B]; only touched pages cost memory.
const STACK_BYTES: usize = 64 << 20;
/// Modules that are kept. The program's own texts make half as many, with all that they may be asked for.
const KEPT: usize = 512;
/// Those that were made, by their texts.
static MADE: LazyLock<Mutex<HashMap<String, Arc<Checked>>>> = LazyLock::new(Mutex::default);

/// A module that may be compiled.
pub(crate) struct Checked {
    pub module: Module,
    info: ModuleInfo,
}

/// A parsed pass.
pub(crate) struct Parsed {
    /// File of the pass, and every file that is in its text.
    pub file: String,
    pub files: Vec<String>,
    pub checked: Arc<Checked>,
    /// Name of its one entry point, and threads of its workgroup: of a lane, and how many lanes.
    pub entry: String,
    pub threads: u32,
    pub lanes: u32,
    /// A workgroup takes a row, not a thread.
    pub groups: bool,
    pub bindings: Vec<Binding>,
    /// The texts are those that were compiled into the program.
    pub built_in: bool,
}

impl Parsed {
    /// How many columns it binds.
    pub(crate) fn columns(&self) -> usize {
        self.bindings.iter().filter(|binding| matches!(binding.what, What::Column { .. })).count()
    }
}

/// Parses `file` for a pass that is listed with `features`.
pub(crate) fn parse(scope: Scope, file: &str, features: &[String]) -> Result<Parsed, ShaderError> {
    let composed = compose(scope, file, features)?;
    let draft = Draft { scope, file, composed: &composed };
    let checked = draft.checked()?;
    let (entry, [threads, lanes], bindings) = draft.parsed(&checked)?;
    let built_in = composed.files.iter().all(|file| passes::built_in(file) == scope.sources.text(file));
    let Composed { files, takes, .. } = composed;
    let groups = takes == Takes::Workgroup;
    let file = file.to_string();
    Ok(Parsed { file, files, checked, entry, threads, lanes, groups, bindings, built_in })
}

struct Draft<'a> {
    scope: Scope<'a>,
    file: &'a str,
    composed: &'a Composed,
}

impl Draft<'_> {
    /// Name of the entry point, threads and lanes of its workgroup, and what it binds.
    fn parsed(&self, checked: &Checked) -> Result<(String, [u32; 2], Vec<Binding>), ShaderError> {
        let Checked { module, info } = checked;
        let fail = |message: String| Err(at_mark(self.scope.sources, self.file, &message));
        let entries: Vec<_> = module.entry_points.iter().collect();
        let [entry] = entries.as_slice() else {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            let have =
                if names.is_empty() { "it has none".into() } else { format!("it has {}", names.join(", ")) };
            return fail(format!("a pass has one entry point, after @rows(128) or @groups(256); {have}"));
        };
        if entry.stage != ShaderStage::Compute {
            return fail(format!("`{}` must be `@compute`", entry.name));
        }
        let ([threads, lanes, 1], true) =
            (entry.workgroup_size, self.composed.takes == Takes::Lanes || entry.workgroup_size[1] == 1)
        else {
            let message = "the workgroup must be one number, @rows(128), or two, @rows(32, 2)";
            return fail(format!("`{}`: {message}", entry.name));
        };
        let bindings = reflect::bindings(module, info, &self.composed.columns, self.scope.params);
        Ok((entry.name.clone(), [threads, lanes], bindings))
    }

    fn checked(&self) -> Result<Arc<Checked>, ShaderError> {
        let text = &self.composed.text;
        if let Some(checked) = made().get(text) {
            return Ok(Arc::clone(checked));
        }
        let checked = Arc::new(on_deep_stack(self.file, || self.make())?);
        let mut made = made();
        if made.len() == KEPT {
            made.clear();
        }
        made.insert(text.clone(), Arc::clone(&checked));
        Ok(checked)
    }

    fn make(&self) -> Result<Checked, ShaderError> {
        let text = &self.composed.text;
        if let Some(byte) = wgsl::longer(text) {
            let place = Span::new(byte as u32, byte as u32 + 1).location(text);
            return Err(self.error(Some(place), &wgsl::too_long()));
        }
        let module = naga::front::wgsl::parse_str(text)
            .map_err(|e| self.error(e.location(text), &self.with_nearest(e.message())))?;
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .map_err(|e| self.error(e.location(text), &whole_chain(e.as_inner())))?;
        Ok(Checked { module, info })
    }

    /// What naga says of a name that is not there, with the nearest that is.
    fn with_nearest(&self, message: &str) -> String {
        let unknown = message.split_once("no definition in scope for identifier: `");
        let Some(name) = unknown.and_then(|(_, rest)| rest.split_once('`')).map(|(name, _)| name) else {
            return message.to_string();
        };
        let columns: Vec<String> = self.scope.columns.list.iter().map(ColumnInfo::variable).collect();
        let near = suggest::nearest(name, columns.iter().map(String::as_str));
        near.map_or_else(|| message.to_string(), |near| format!("{message}; did you mean `{near}`?"))
    }

    fn error(&self, place: Option<SourceLocation>, message: &str) -> ShaderError {
        let at = place.map(|place| [place.line_number, place.line_position, place.length]);
        self.composed.error(self.scope.sources, at, message)
    }
}

fn made() -> MutexGuard<'static, HashMap<String, Arc<Checked>>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests;
