//! From a file to a checked scene.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use weft_core::{files, project::folder_of};

use super::include::{self, Expanded};
use super::locate::Located;
use super::{Diagnostic, KeptMeshes, Scene, SceneErrors, Vocabulary, check, notes, obj, parse};

/// Larger files are refused unread: a scene is written by hand.
const MAX_BYTES: u64 = 4 << 20;

/// A scene that may run.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub scene: Scene,
    /// Solver parameters that the solver does not know (yet), or out of its range; `weft check` counts
    /// them as errors.
    pub pending: Vec<Diagnostic>,
    /// What a person may want to know, a sentence each.
    pub notes: Vec<String>,
    /// As it stands in the file.
    pub text: String,
    pub path: PathBuf,
}

impl Loaded {
    /// The scene itself is sound, but what is laid over it does not fit.
    pub fn refuse(&self, why: String) -> SceneErrors {
        let list = vec![Diagnostic::new(&self.text, "", 0..0, why)];
        SceneErrors::new(self.path.display().to_string(), self.text.clone(), list)
    }

    /// Refuses a scene with pending parameters: for `weft check` and runs that nobody edits.
    pub fn strict(self) -> Result<Self, SceneErrors> {
        if self.pending.is_empty() {
            return Ok(self);
        }
        Err(SceneErrors::new(self.path.display().to_string(), self.text, self.pending))
    }
}

/// Reads and checks a scene file. What `known` leaves empty is not checked.
pub fn load(path: impl AsRef<Path>, known: &Vocabulary) -> Result<Loaded, SceneErrors> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let text = read(path).map_err(|(text, finding)| SceneErrors::new(name.clone(), text, vec![*finding]))?;
    let base = path.parent().unwrap_or(Path::new("."));
    let mut loaded = parse_text(&name, &text, Some(base), known)?;
    path.clone_into(&mut loaded.path);
    Ok(loaded)
}

/// A scene as written, its files not looked up and nothing checked; `None` if it cannot be read.
pub fn peek(path: &Path) -> Option<Scene> {
    let text = read(path).ok()?;
    let name = path.display().to_string();
    parse::parse(&include::expand(&name, &text, Some(folder_of(path))).text).scene
}

/// The files that a scene includes, as it stands on the disk; those that are missing too.
pub fn included(path: &Path) -> Vec<PathBuf> {
    let name = path.display().to_string();
    read(path)
        .map_or_else(|_| Vec::new(), |text| include::expand(&name, &text, Some(folder_of(path))).included())
}

pub(crate) fn read(path: &Path) -> Result<String, (String, Box<Diagnostic>)> {
    let whole = |message: String| (String::new(), Box::new(Diagnostic::new("", "", 0..0, message)));
    let cannot = |error: std::io::Error| whole(format!("cannot read it: {error}"));
    let mut bytes = Vec::new();
    // What is no plain file has no size beforehand, or no end.
    let file = files::open(path).map_err(cannot)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(whole(format!("it is too large for a scene: at most {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let finding = Diagnostic::new(&text, "", at..at + 1, "this byte is not UTF-8 text");
        (text, Box::new(finding))
    })
}

/// Checks the text of a scene named `name`. Textures and meshes are looked up in `base_dir`; without one they are
/// not looked up, and meshes have no particles. What `known` leaves empty is not checked.
pub fn parse_text(
    name: &str,
    text: &str,
    base_dir: Option<&Path>,
    known: &Vocabulary,
) -> Result<Loaded, SceneErrors> {
    let read = |scene: &mut Scene| base_dir.iter().for_each(|folder| obj::read_all(scene, folder));
    parse_with(name, text, (read, base_dir), base_dir, known)
}

/// As [`parse_text`], for a scene that ran before: meshes that cannot be read any more are the `kept` ones, and textures are
/// not looked up.
pub fn parse_kept(name: &str, text: &str, folder: &Path, kept: &KeptMeshes) -> Result<Loaded, SceneErrors> {
    let read = |scene: &mut Scene| kept.read_all(scene, folder);
    parse_with(name, text, (read, None), Some(folder), &Vocabulary::default())
}

/// `read` gives a scene its meshes; textures are looked up in `textures`, files that it includes in `folder`.
fn parse_with(
    name: &str,
    text: &str,
    (read, textures): (impl FnOnce(&mut Scene), Option<&Path>),
    folder: Option<&Path>,
    known: &Vocabulary,
) -> Result<Loaded, SceneErrors> {
    let whole = include::expand(name, text, folder);
    let refused = |list, stopped| SceneErrors::new(name.to_owned(), text.to_owned(), list).stopped(stopped);
    if !whole.errors.is_empty() {
        return Err(refused(whole.errors.clone(), false));
    }
    let mut parsed = parse::parse(&whole.text);
    if whole.is_plain() {
        parsed.errors.iter_mut().for_each(|found| include::blame_variable(found, &whole.text));
    }
    let (mut list, mut stopped) = (parsed.errors, parsed.stopped);
    let (mut pending, mut told) = (Vec::new(), Vec::new());
    if let Some(scene) = &mut parsed.scene {
        read(scene);
        scene.choose_origin();
    }
    if let Some(scene) = &parsed.scene {
        let located = Located { text: &whole.text, root: parsed.root };
        let mut findings = check::check(scene, &located, textures, known);
        // What was blanked out to read on must not be reported as missing.
        let full = |d: &Diagnostic| {
            let whole_list = d.path == "cloths" || d.path == "strands";
            let at = |gap: &Range<usize>| whole_list || gap.start < d.span.end && d.span.start < gap.end;
            !parsed.blanked.iter().any(at)
        };
        findings.errors.retain(full);
        list.append(&mut findings.errors);
        stopped |= findings.stopped;
        pending = findings.pending;
        if list.is_empty() {
            told = notes::notes(scene, &findings.segments, known)
                .into_iter()
                .map(|note| placed(name, &located, &whole, note))
                .collect();
            told.extend(whole.notes());
        }
    }
    list.sort_by_key(|diagnostic| diagnostic.span.start);
    let place = |list: Vec<Diagnostic>| list.into_iter().map(|found| whole.place(found)).collect::<Vec<_>>();
    match parsed.scene {
        Some(scene) if list.is_empty() => Ok(Loaded {
            scene,
            pending: place(pending),
            notes: told,
            text: text.to_owned(),
            path: PathBuf::from(name),
        }),
        _ => Err(refused(place(list), stopped)),
    }
}

/// Solver parameters that wait, in the text of a scene that was loaded before, with what is known now; `None` if the scene
/// does not fit it. No file but those that it includes is looked up.
pub fn pending(path: &Path, text: &str, known: &Vocabulary) -> Option<Vec<Diagnostic>> {
    let whole = include::expand(&path.display().to_string(), text, Some(folder_of(path)));
    let parsed = parse::parse(&whole.text);
    let located = Located { text: &whole.text, root: parsed.root };
    let findings = check::check(parsed.scene.as_ref()?, &located, None, known);
    let found = parsed.errors.is_empty() && findings.errors.is_empty();
    found.then(|| findings.pending.into_iter().map(|one| whole.place(one)).collect())
}

/// A note that begins with what it is about, such as `cloths.flag`, after the file and the line where that is written.
fn placed(name: &str, located: &Located, whole: &Expanded, note: String) -> String {
    let about = note.split([':', ' ']).next().unwrap_or_default();
    let place = located.find(about);
    if !place.exact {
        return note;
    }
    let found = whole.place(Diagnostic::new(located.text, about, place.span, ""));
    let name = found.origin.as_ref().map_or(name, |origin| &origin.name);
    format!("{name}:{}: {note}", found.line)
}

/// What a note says, without the file and the line that it may begin with.
pub fn without_place(note: &str) -> &str {
    let is_place = |head: &str| {
        let line = head.rsplit_once(':').map(|(_, line)| line);
        line.is_some_and(|line| !line.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit()))
    };
    note.split_once(": ").filter(|(head, _)| is_place(head)).map_or(note, |(_, text)| text)
}
