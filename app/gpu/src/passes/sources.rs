//! The texts of `shaders/sim`: those that were compiled into the program, and those of the source tree.
//!
//! A text is known by its path in the source tree, `shaders/sim/xpbd/fused.wgsl`; `passes.ron` and imports leave the folder
//! out. A line of any of them that reads
//!
//! ```text
//! var<storage> particle_share: array<f32>;
//! var<storage> part_sums: array<vec4f, 1024>;
//! ```
//! declares a column that only the device has, which starts at zero: of a table of the state or of the host, with its
//! rows, or of its own. All passes may use it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use include_dir::Dir;
use sim_api::Element;

use super::super::columns;
use weft_core::project::Project;
use weft_draw::ShaderError;

/// Where they are in the source tree.
pub const FOLDER: &str = "shaders/sim";
/// What was compiled into the program.
#[cfg(not(target_arch = "wasm32"))]
static BUILT_IN: Dir = include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../shaders/sim");
/// A page has no device to run them, and is loaded sooner without.
#[cfg(target_arch = "wasm32")]
static BUILT_IN: Dir = Dir::new("", &[]);

/// The texts of the folder by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    texts: BTreeMap<String, String>,
}

/// A column that only the device has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Private {
    /// Name of the WGSL variable: table and column.
    pub name: String,
    pub element: Element,
    /// `None`: those of the table.
    pub rows: Option<usize>,
    pub file: String,
    /// From 1.
    pub line: usize,
}

/// Path of a text that `passes.ron` calls `name`.
pub fn path(name: &str) -> String {
    format!("{FOLDER}/{name}.wgsl")
}

/// What `passes.ron` calls a text.
pub fn name(path: &str) -> &str {
    let file = path.strip_prefix(FOLDER).map_or(path, |path| path.trim_start_matches('/'));
    file.trim_end_matches(".wgsl")
}

/// The folder `shaders/sim` that a file lies in, and the path by which its text is known.
pub fn placed(file: &Path) -> Option<(PathBuf, String)> {
    let folder = file.ancestors().skip(1).find(|folder| folder.ends_with(FOLDER))?;
    let below: Vec<&str> =
        file.strip_prefix(folder).ok()?.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    Some((folder.to_path_buf(), format!("{FOLDER}/{}", below.join("/"))))
}

/// An error at a line of a text; column and length in bytes, from 1.
pub fn fault(
    sources: &Sources,
    file: &str,
    (line, column, length): (usize, usize, usize),
    message: &str,
) -> ShaderError {
    let message = message.lines().collect::<Vec<_>>().join(" ");
    let text = sources.text(file).and_then(|text| text.lines().nth(line - 1)).unwrap_or("");
    let carets = "^".repeat(length.min(text.len().saturating_sub(column - 1)).clamp(1, 40));
    let before = " ".repeat(column - 1);
    let report = format!(
        "error: {message}\n  --> {file}:{line}:{column}\n{line:4} | {text}\n     | {before}{carets}\n"
    );
    let (line, column) = (Some(line as u32), Some(column as u32));
    ShaderError { file: file.to_string(), line, column, message, report }
}

/// A text that was compiled into the program.
pub fn built_in(file: &str) -> Option<&'static str> {
    let below = file.strip_prefix(FOLDER)?.trim_start_matches('/');
    BUILT_IN.get_file(below).and_then(|file| file.contents_utf8())
}

impl Sources {
    /// The texts that were compiled into the program.
    pub fn built_in() -> Self {
        let mut texts = BTreeMap::new();
        let mut open = vec![&BUILT_IN];
        while let Some(folder) = open.pop() {
            open.extend(folder.dirs());
            for file in folder.files() {
                if let (Some(path), Some(text)) = (file.path().to_str(), file.contents_utf8()) {
                    texts.insert(format!("{FOLDER}/{path}"), text.to_string());
                }
            }
        }
        Self { texts }
    }

    /// Those of the source tree, if there is one: an edit counts without a rebuild. Else the built-in ones.
    pub fn find() -> Result<Self, String> {
        let folder =
            Project::find().map(|project| project.shaders().join("sim")).filter(|folder| folder.is_dir());
        folder.map_or_else(|| Ok(Self::built_in()), |folder| Self::read(&folder))
    }

    /// All `.wgsl` and `.ron` files of a folder and of those in it.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let fail = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let mut texts = BTreeMap::new();
        let mut open = vec![folder.to_path_buf()];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(&next).map_err(|error| fail(&next, error))? {
                let path = entry.map_err(|error| fail(&next, error))?.path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|end| end == "wgsl" || end == "ron")
                    && let Ok(below) = path.strip_prefix(folder)
                    && let Some(below) = below.iter().map(|part| part.to_str()).collect::<Option<Vec<_>>>()
                {
                    let text = weft_core::wgsl::read(&path).map_err(|error| fail(&path, error))?;
                    texts.insert(format!("{FOLDER}/{}", below.join("/")), text);
                }
            }
        }
        Ok(Self { texts })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    pub fn text(&self, file: &str) -> Option<&str> {
        self.texts.get(file).map(String::as_str)
    }

    /// Path and text.
    pub fn entry(&self, file: &str) -> Option<(&str, &str)> {
        self.texts.get_key_value(file).map(|(file, text)| (file.as_str(), text.as_str()))
    }

    /// The columns that the texts declare.
    pub fn columns(&self) -> Result<Vec<Private>, ShaderError> {
        let mut found: Vec<Private> = Vec::new();
        for (file, text) in &self.texts {
            for (line, code) in (1..).zip(text.lines()).filter(|(_, line)| line.starts_with("var<storage")) {
                let fail = |message: &str| Err(fault(self, file, (line, 1, code.len()), message));
                let Some((name, element, rows)) = declared(code) else {
                    return fail(
                        "write var<storage> table_column: array<f32>, or array<f32, 100> for so many rows",
                    );
                };
                if let Some(other) = found.iter().find(|other| other.name == name) {
                    return fail(&format!("`{name}` is declared in {}:{} as well", other.file, other.line));
                }
                let (name, file) = (name.to_string(), file.clone());
                found.push(Private { name, element, rows, file, line });
            }
        }
        Ok(found)
    }

    /// Texts that are not to run give way to the built-in ones of their files, or go.
    pub fn leave_out(&mut self, banned: &[(String, String)]) {
        for (file, text) in banned {
            if self.text(file) == Some(text) {
                self.texts.remove(file);
                self.complete(file);
            }
        }
    }

    /// Adds the built-in text of a file that is missing.
    pub fn complete(&mut self, file: &str) {
        if let (None, Some(text)) = (self.text(file), built_in(file)) {
            self.set(file, text);
        }
    }

    /// Replaces a text, or adds one.
    pub fn set(&mut self, file: &str, text: &str) {
        self.texts.insert(file.to_string(), text.to_string());
    }
}

/// Name, element and rows of a declared column.
fn declared(code: &str) -> Option<(&str, Element, Option<usize>)> {
    let (name, rest) = code.strip_prefix("var<storage> ")?.split_once(": array<")?;
    let (ty, _) = rest.rsplit_once(">;")?;
    let (ty, rows) = match ty.rsplit_once(", ") {
        Some((ty, rows)) => (ty, Some(rows.parse().ok()?)),
        None => (ty, None),
    };
    let element = columns::ELEMENTS.into_iter().find(|element| columns::wgsl(*element) == ty)?;
    Some((name, element, rows))
}
