//! Everything about a scene that its types do not say, all findings at once.

mod cloth;
mod collider;
mod expect;
mod memory;
mod mounts;
mod solver;
mod strands;

pub use solver::fault as param_fault;

use std::collections::BTreeMap;
use std::path::Path;

use super::cloth::{Cloth, Shape};
use super::locate::Located;
use super::picture;
use weft_core::suggest;

use super::{Address, Diagnostic, Roots, Scene, Slot, Strands, VERSION, Vec3, Vocabulary, visit};

/// Of all cloths and strands together.
pub const MAX_PARTICLES: u64 = 4_194_304;

/// Findings that are looked for: each is searched in the text, and who reads more than these?
const MOST: usize = 200;

/// Smallest and largest extent of a mesh [m]: beyond it the unit of the file is not the metre.
const EXTENT: [f32; 2] = [1e-3, 1000.0];

/// File names that the host can decode.
const PICTURES: [&str; 3] = ["png", "jpg", "jpeg"];

/// What is wrong, and what may become right when the solver's code changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The scene is refused.
    pub errors: Vec<Diagnostic>,
    /// Unknown or out-of-range parameters of a known solver.
    pub pending: Vec<Diagnostic>,
    /// There were so many mistakes that others are not in the list.
    pub stopped: bool,
    /// Length of the shortest segment of each list of strands [m], which takes time to find; infinite of a file that cannot be read.
    pub segments: Vec<f32>,
}

/// Checks a scene against its text, in text order. Textures are looked up in `base_dir` and skipped
/// without one.
pub fn check(scene: &Scene, text: &Located<'_>, base_dir: Option<&Path>, known: &Vocabulary) -> Findings {
    let mut checker = Checker { text, findings: Findings::default() };
    checker.version(scene.version);
    checker.ranges(scene);
    checker.ids(scene);
    checker.particles(scene);
    memory::check(&mut checker, scene, weft_core::memory::free);
    for (index, cloth) in scene.cloths.iter().enumerate() {
        cloth::check(&mut checker, &format!("cloths[{index}]"), cloth, base_dir);
    }
    for (index, strands) in scene.strands.iter().enumerate() {
        strands::check(&mut checker, &format!("strands[{index}]"), strands, scene);
        mounts::check(&mut checker, &format!("strands[{index}]"), strands, scene);
    }
    for (index, collider) in scene.colliders.iter().enumerate() {
        collider::check(&mut checker, &format!("colliders[{index}]"), collider);
    }
    checker.direction("light.direction", scene.light.direction);
    solver::check(&mut checker, scene, &known.solvers);
    expect::check(&mut checker, &scene.expect, known);
    let mut findings = checker.findings;
    findings.errors.sort_by_key(|diagnostic| diagnostic.span.start);
    findings.pending.sort_by_key(|diagnostic| diagnostic.span.start);
    findings
}

struct Checker<'a> {
    text: &'a Located<'a>,
    findings: Findings,
}

impl Checker<'_> {
    fn at(&self, path: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.text.text, path, self.text.find(path).span, message)
    }

    fn error(&mut self, path: &str, message: impl Into<String>, help: &str) {
        if self.findings.errors.len() >= MOST {
            self.findings.stopped = true;
            return;
        }
        let mut diagnostic = self.at(path, message);
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        self.findings.errors.push(diagnostic);
    }

    fn version(&mut self, version: u32) {
        if version > VERSION {
            let message = format!("version {version} is newer than this Weft understands ({VERSION})");
            self.error("version", message, "use a newer Weft, or write the scene for this one");
        } else if version == 0 {
            self.error("version", "there is no version 0", "the first is 1");
        }
    }

    fn ranges(&mut self, scene: &Scene) {
        let mut faults = Vec::new();
        visit(&mut scene.clone(), Address::Index, &mut |field| {
            let name = field.path.rsplit('.').next().unwrap_or(&field.path);
            if let Some((component, message)) = field.row.fault(name, &field.slot) {
                let vector = matches!(field.slot, Slot::Vec2(_) | Slot::Vec3(_));
                let part = if vector { format!("[{component}]") } else { String::new() };
                faults.push((format!("{}{part}", field.path), message, field.row.doc));
            }
        });
        for (path, message, doc) in faults {
            self.error(&path, message, doc);
        }
    }

    fn ids(&mut self, scene: &Scene) {
        let cloths = scene.cloths.iter().enumerate().map(|(i, cloth)| (format!("cloths[{i}].id"), &cloth.id));
        let strands = scene.strands.iter().enumerate().map(|(i, own)| (format!("strands[{i}].id"), &own.id));
        let colliders = scene
            .colliders
            .iter()
            .enumerate()
            .map(|(i, collider)| (format!("colliders[{i}].id"), &collider.id));
        let mut seen: BTreeMap<&str, String> = BTreeMap::new();
        for (path, id) in cloths.chain(strands).chain(colliders) {
            let start = id.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
            if !start || !id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
                let message = format!("{id:?} is not usable as an id");
                self.error(&path, message, "a letter, then letters, digits, `_` or `-`");
            }
            if let Some(first) = seen.get(id.as_str()) {
                if self.findings.errors.len() >= MOST {
                    self.findings.stopped = true;
                    continue;
                }
                let line = self.at(first, "").line;
                let help = format!(
                    "it is first used in line {line}; every cloth, list of strands and collider needs its own"
                );
                self.error(&path, format!("the id {id:?} is used twice"), &help);
            } else {
                seen.entry(id).or_insert(path);
            }
        }
    }

    fn particles(&mut self, scene: &Scene) {
        if scene.cloths.is_empty() && scene.strands.is_empty() {
            let written = |list: &str| self.text.find(list).exact;
            let list = if written("strands") && !written("cloths") { "strands" } else { "cloths" };
            self.error(list, "a scene needs at least one cloth, or strands", "");
        }
        let cloth = |(index, cloth): (usize, &Cloth)| {
            let own = match cloth.shape {
                Shape::Grid { columns, rows, .. } => {
                    format!("{columns} columns times {rows} rows: fewer of one or the other")
                }
                Shape::Disc { rings, .. } => format!("{rings} rings: fewer of them"),
                Shape::Mesh { .. } => "those of the file: a coarser mesh".to_owned(),
            };
            (format!("cloths[{index}].shape"), cloth.shape.particles(), own)
        };
        let strands = |(index, own): (usize, &Strands)| {
            let count = own.roots.count();
            let fewer = match &own.roots {
                Roots::File { .. } => {
                    "fewer `particles`, or `every: 2` and more, which takes one strand of so many"
                }
                _ => "a smaller `count`, or fewer `particles`",
            };
            let text = format!("{count} strands times {} particles: {fewer}", own.particles);
            (format!("strands[{index}].roots"), own.all_particles(), text)
        };
        let cloths = scene.cloths.iter().enumerate().map(cloth);
        let mut total = 0_u64;
        for (path, particles, own) in cloths.chain(scene.strands.iter().enumerate().map(strands)) {
            let before = total;
            total = total.saturating_add(particles);
            if before <= MAX_PARTICLES && total > MAX_PARTICLES {
                let message = format!("too many particles: {total}, at most {MAX_PARTICLES} in a scene");
                let before = if before > 0 { format!(" ({before} before it)") } else { String::new() };
                self.error(&path, message, &format!("{own}{before}"));
            }
        }
    }

    /// That of a mesh [m], by the `scale` at `path`.
    fn extent(&mut self, path: &str, extent: f32) {
        let [least, most] = EXTENT;
        // A scale of 0 is out of its own range.
        if extent > 0.0 && !(least..=most).contains(&extent) {
            let message = format!("the mesh is {extent} m large; it must be between {least} and {most} m");
            self.error(path, message, "`scale` is metres for one unit of the file: 0.01 for centimetres");
        }
    }

    fn texture(&mut self, path: &str, texture: &str, base_dir: &Path) {
        if texture.is_empty() {
            return;
        }
        let file = base_dir.join(texture);
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        if !PICTURES.iter().any(|known| known.eq_ignore_ascii_case(extension)) {
            let message = format!("{texture:?} is not a picture file");
            self.error(path, message, "the name must end in .png, .jpg or .jpeg");
        } else if weft_core::files::size(&file).is_none() {
            self.error(path, suggest::no_file(texture, &file), &suggest::missing(&file));
        } else if let Err(why) = picture::check(&file) {
            self.error(path, format!("{texture:?}: {why}"), "save it again as a PNG or JPEG");
        }
    }

    /// `name`: of the material at `path`; empty for none.
    fn preset(&mut self, path: &str, name: &str, known: &[&str]) {
        if name.is_empty() || known.contains(&name) {
            return;
        }
        let list = known.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        let help = match suggest::nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean {near:?}? there are {list}"),
            None => format!("there are {list}"),
        };
        self.error(&format!("{path}.preset"), format!("there is no preset {name:?}"), &help);
    }

    fn direction(&mut self, path: &str, vector: Vec3) {
        if vector.iter().map(|x| x * x).sum::<f32>() < 1e-12 {
            let name = path.rsplit('.').next().unwrap_or(path);
            self.error(
                path,
                format!("`{name}` has no direction: its length is zero"),
                "any length above zero",
            );
        }
    }
}
