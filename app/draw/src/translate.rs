//! WGSL to GLSL, without a graphics context: parse, validate, write, and rewrite one line.
//!
//! `common.wgsl` is put *after* the file (WGSL does not care about order), so line numbers of the file itself
//! need no mapping. naga runs on a thread of its own with a deep stack: a panic there, or nesting that would
//! overflow the main thread's stack, ends as a `ShaderError`.
//!
//! naga writes `layout(std140) uniform Block { T name; };`, miniquad sets plain uniforms; the line becomes
//! `uniform T name;`. Rejected: naga's immediates, which give plain uniforms but panic above 256 bytes.

use std::fmt::Write as _;

use naga::back::glsl;
use naga::valid::{Capabilities, ModuleInfo, ValidationError, ValidationFlags, Validator};
use naga::{Module, ShaderStage, SourceLocation};

use super::place;
use super::reflect;
use super::shader::{COMMON, EntryPair, ShaderError, ShaderKind, ShaderSources, kind_of, named_in};
use super::uniforms::Kind;
use weft_core::wgsl;

/// Stack of the thread that runs naga [B]; only touched pages cost memory.
const STACK_BYTES: usize = 256 << 20;

const ENDS_EARLY: &str = "the file ends before what begins here is closed";

/// Characters of a source line in a report.
const LONGEST_LINE: usize = 160;

/// What desktop GL 3.3 takes.
pub const GLSL_330: glsl::Version = glsl::Version::Desktop(330);
/// What WebGL 2 takes.
pub const GLSL_ES_300: glsl::Version = glsl::Version::Embedded { version: 300, is_webgl: true };
/// What is drawn with here.
pub const GLSL: glsl::Version = if cfg!(target_arch = "wasm32") { GLSL_ES_300 } else { GLSL_330 };

/// A checked shader file, one `Stages` for each of its pairs of entry points.
#[derive(Debug)]
pub struct Translated {
    pub pairs: Vec<Stages>,
}

/// GLSL of one program and what to bind to it.
#[derive(Debug, Default)]
pub struct Stages {
    pub vertex: String,
    pub fragment: String,
    pub uniforms: Vec<UniformSlot>,
    pub textures: Vec<SamplerSlot>,
}

/// Where the value of a GLSL uniform comes from.
#[derive(Debug)]
pub struct UniformSlot {
    /// GLSL path, such as `_group_0_binding_0_fs.eye`.
    pub path: String,
    pub kind: Kind,
    pub count: usize,
    /// 0 `frame`, 1 `object`.
    pub block: usize,
    /// Bytes into the block.
    pub offset: usize,
}

/// A GLSL sampler and the place of its texture in `ShaderKind::textures`.
#[derive(Debug)]
pub struct SamplerSlot {
    pub name: String,
    pub texture: usize,
}

/// Translates one of Weft's shader files with the built-in `common.wgsl`, for what draws here.
pub fn translate(file: &str, text: &str) -> Result<Translated, ShaderError> {
    translate_with(file, text, ShaderSources::built_in().text(COMMON), GLSL)
}

/// Translates `text` with the given `common.wgsl`. For `common.wgsl` itself the result has no programs.
pub fn translate_with(
    file: &str,
    text: &str,
    common: &str,
    version: glsl::Version,
) -> Result<Translated, ShaderError> {
    if text.trim().is_empty() {
        return Err(ShaderError::new(file, "empty"));
    }
    let kind = kind_of(file);
    if kind.is_none() && file != COMMON {
        return Err(ShaderError::new(file, "not one of Weft's shader files"));
    }
    let source = Source { file, text, common: if file == COMMON { "" } else { common } };
    on_deep_stack(file, || source.translate(kind, version))
}

/// Runs `work` where neither a panic nor deep recursion reaches the caller.
#[cfg(not(target_arch = "wasm32"))]
fn on_deep_stack<T: Send>(
    file: &str,
    work: impl FnOnce() -> Result<T, ShaderError> + Send,
) -> Result<T, ShaderError> {
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("wgsl".into()).stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread =
            thread.map_err(|e| ShaderError::new(file, format!("no thread for the shader compiler: {e}")))?;
        thread.join().unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(ShaderError::new(
                file,
                format!("the shader compiler gave up: {}", text.lines().next().unwrap_or("")),
            ))
        })
    })
}

#[cfg(target_arch = "wasm32")]
fn on_deep_stack<T>(_file: &str, work: impl FnOnce() -> Result<T, ShaderError>) -> Result<T, ShaderError> {
    work()
}

struct Source<'a> {
    file: &'a str,
    text: &'a str,
    common: &'a str,
}

impl Source<'_> {
    fn translate(
        &self,
        kind: Option<&ShaderKind>,
        version: glsl::Version,
    ) -> Result<Translated, ShaderError> {
        if let Some(byte) = wgsl::longer(self.text) {
            let place = naga::Span::new(byte as u32, byte as u32 + 1).location(self.text);
            return Err(self.error_where(Some(place), &wgsl::too_long()));
        }
        let joined = format!("{}\n{}", self.text, self.common);
        let module = naga::front::wgsl::parse_str(&joined).map_err(|e| {
            let notes = e.notes().next().filter(|_| e.location(&joined).is_none());
            let message =
                notes.map_or_else(|| e.message().to_owned(), |note| format!("{}: {note}", e.message()));
            match e.location(&joined) {
                _ if place::open_comment(self.text).is_some() => {
                    self.error_where(place::open_comment(self.text), ENDS_EARLY)
                }
                None => self.error_where(place::deepest(self.text), &message),
                // What follows the file cannot be to blame if it is good by itself.
                Some(at) if self.is_common(at) && naga::front::wgsl::parse_str(self.common).is_ok() => {
                    let open = place::open_bracket(self.text).or_else(|| place::end(self.text));
                    self.error_where(open, ENDS_EARLY)
                }
                at => self.error_at(at, &message, e.emit_to_string_with_path(&joined, self.file)),
            }
        })?;
        let info =
            Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).map_err(|e| {
                let message = whole_chain(e.as_inner());
                if let (None, ValidationError::EntryPoint { name, source, .. }) =
                    (e.location(&joined), e.as_inner())
                {
                    return self.error_about(&format!("`{name}`: {}", whole_chain(source)));
                }
                self.error_at(e.location(&joined), &message, e.emit_to_string_with_path(&joined, self.file))
            })?;
        let Some(kind) = kind else {
            return Ok(Translated { pairs: Vec::new() });
        };
        let pairs = kind.entries.iter().map(|pair| self.stages(&module, &info, kind, *pair, version));
        Ok(Translated { pairs: pairs.collect::<Result<_, _>>()? })
    }

    fn stages(
        &self,
        module: &Module,
        info: &ModuleInfo,
        kind: &ShaderKind,
        pair: EntryPair,
        version: glsl::Version,
    ) -> Result<Stages, ShaderError> {
        let fail = |message: String| self.error_about(&message);
        reflect::check_interface(module, kind, pair).map_err(fail)?;
        let mut stages = Stages::default();
        for (stage, entry) in [(ShaderStage::Vertex, pair.vertex), (ShaderStage::Fragment, pair.fragment)] {
            let options =
                glsl::Options { version, writer_flags: glsl::WriterFlags::empty(), ..Default::default() };
            let pipeline =
                glsl::PipelineOptions { shader_stage: stage, entry_point: entry.into(), multiview: None };
            let mut text = String::new();
            let reflection = glsl::Writer::new(
                &mut text,
                module,
                info,
                &options,
                &pipeline,
                naga::proc::BoundsCheckPolicies::default(),
            )
            .and_then(|mut writer| writer.write())
            .map_err(|e| fail(format!("{entry}: {e}")))?;
            reflect::plain_uniforms(module, kind, &reflection, &mut text, &mut stages.uniforms)
                .map_err(fail)?;
            reflect::samplers(module, kind, &reflection, &mut stages.textures).map_err(fail)?;
            match stage {
                ShaderStage::Vertex => stages.vertex = text,
                _ => stages.fragment = text,
            }
        }
        Ok(stages)
    }

    /// An error that names things in backquotes: its place is the first of them that the text has, in the function that
    /// the message begins with if there is one. What is not there is missing at the end.
    fn error_about(&self, message: &str) -> ShaderError {
        let function = message.split(':').next().and_then(|name| self.text.find(&format!("fn {name}(")));
        let words = named_in(message).map(|named| named.rsplit(['.', ' ']).next().unwrap_or(""));
        let mut places = words.filter_map(|word| {
            let in_function = function.and_then(|from| place::of(self.text, word, from));
            in_function.or_else(|| place::of(self.text, word, 0))
        });
        self.error_where(places.next().or_else(|| place::end(self.text)), message)
    }

    /// An error at a place of this file.
    fn error_where(&self, at: Option<SourceLocation>, message: &str) -> ShaderError {
        let Some(SourceLocation { line_number: line, line_position: column, length, .. }) = at else {
            return ShaderError::new(self.file, message);
        };
        // A line of ten thousand brackets says no more than its beginning.
        let source: String =
            self.text.lines().nth(line as usize - 1).unwrap_or("").chars().take(LONGEST_LINE).collect();
        let caret = if column as usize <= LONGEST_LINE {
            format!("{}{}", " ".repeat(column as usize - 1), "^".repeat((length as usize).max(1)))
        } else {
            String::new()
        };
        let report = format!(
            "error: {message}\n  --> {}:{line}:{column}\n{line:4} | {source}\n     | {caret}\n",
            self.file
        );
        ShaderError { line: Some(line), column: Some(column), report, ..ShaderError::new(self.file, message) }
    }

    /// Whether a place of the joined text is in the common file behind this one.
    fn is_common(&self, at: SourceLocation) -> bool {
        !self.common.is_empty() && at.line_number > self.text.matches('\n').count() as u32 + 1
    }

    /// An error with its place, in this file or in the common one.
    fn error_at(&self, place: Option<SourceLocation>, message: &str, mut report: String) -> ShaderError {
        let own_lines = self.text.matches('\n').count() as u32 + 1;
        let (mut file, mut line) = (self.file, place.map(|p| p.line_number));
        if let Some(n) = line.filter(|n| *n > own_lines) {
            (file, line) = (COMMON, Some(n - own_lines));
            let _ = writeln!(
                report,
                "note: line {n} above is {COMMON}:{} (it follows {})",
                n - own_lines,
                self.file
            );
        }
        let message = message.lines().collect::<Vec<_>>().join(" ");
        ShaderError { file: file.to_owned(), line, column: place.map(|p| p.line_position), message, report }
    }
}

/// naga's outer errors say "function X is invalid"; the reason is at the end of the chain.
fn whole_chain(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        message = format!("{message}: {inner}");
        cause = inner.source();
    }
    message
}

#[cfg(test)]
mod tests {
    use super::super::shader::KINDS;
    use super::*;

    fn cloth() -> String {
        ShaderSources::built_in().text("cloth.wgsl").to_owned()
    }

    fn refused(text: &str) -> ShaderError {
        translate("cloth.wgsl", text).expect_err("must be refused")
    }

    #[test]
    fn every_built_in_file_translates_for_desktop_and_web() {
        let sources = ShaderSources::built_in();
        for kind in KINDS {
            for version in [GLSL_330, GLSL_ES_300] {
                let done = translate_with(kind.file, sources.text(kind.file), sources.text(COMMON), version);
                assert_eq!(done.expect(kind.file).pairs.len(), kind.entries.len());
            }
        }
        translate(COMMON, sources.text(COMMON)).expect(COMMON);
    }

    #[test]
    fn a_mistake_has_its_line_and_column() {
        let text = cloth().replace("let side = select", "let side = = select");
        let line = text.lines().position(|l| l.contains("= =")).expect("there") as u32 + 1;
        let error = refused(&text);
        assert_eq!((error.file.as_str(), error.line, error.column), ("cloth.wgsl", Some(line), Some(16)));
        assert!(error.report.contains('^'), "{}", error.report);
    }

    #[test]
    fn what_rust_cannot_supply_is_named() {
        let cases = [
            (cloth().replace("fs_main", "fs_mian"), "fs_main"),
            (cloth().replace("sheen", "shine"), "`object.shine`"),
            (
                cloth()
                    .replace("    front: vec3<f32>", "    front: vec4<f32>")
                    .replace("object.front", "object.front.xyz"),
                "vec4<f32>",
            ),
            (cloth().replace("object", "thing"), "`thing`"),
            (cloth().replace("albedo", "picture"), "`picture`"),
        ];
        for (text, name) in cases {
            let error = refused(&text);
            assert!(error.message.contains(name), "{error}");
        }
        assert_eq!(refused(" \n").message, "empty");
        translate("cloth.wgsl", &cloth().replace("    weave: f32,\n", "").replace("object.weave", "0.5"))
            .expect("unused is fine");
    }

    #[test]
    fn absurd_nesting_is_an_error_and_not_a_crash() {
        let nested = format!("let q = {}1.0{};\n    let side = ", "(".repeat(10_000), ")".repeat(10_000));
        assert!(refused(&cloth().replace("let side = ", &nested)).message.contains("cut it into several"));
    }
}
