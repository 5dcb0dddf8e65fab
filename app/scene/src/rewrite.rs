//! The values of a running scene, put into the text of its file: what is not changed stays as it was written, comments too.

use std::{collections::BTreeMap, ops::Range, path::Path};

use weft_core::project::folder_of;

use super::{
    Cloth, Scene,
    diff::values,
    include,
    locate::{Located, segments},
    parse,
    tree::{self, Entry, Group},
};

/// A field that the file has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// By ids, as `--set` takes it.
    pub path: String,
    /// As the file has it, or its default; `None` where the file has no such field.
    pub from: Option<String>,
    /// As it runs; `None` where it has no such field.
    pub to: Option<String>,
}

/// What differs between two scenes of the same objects, in the order of their paths.
pub fn changed(file: &Scene, scene: &Scene) -> Vec<Changed> {
    let (before, after) = (values(file), values(scene));
    let text =
        |values: &BTreeMap<String, (String, _)>, path: &str| values.get(path).map(|value| value.0.clone());
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.sort();
    paths.dedup();
    let changed = paths.into_iter().map(|path| Changed {
        path: path.clone(),
        from: text(&before, path),
        to: text(&after, path),
    });
    let pins = scene.cloths.iter().filter_map(|cloth| {
        let before = file.cloths.iter().find(|before| before.id == cloth.id)?;
        let [from, to] = [before, cloth].map(|cloth| Some(pins(cloth)));
        Some(Changed { path: format!("cloths.{}.pins", cloth.id), from, to })
    });
    changed.chain(pins).filter(|changed| changed.from != changed.to).collect()
}

/// The pins of a cloth as a scene has them, on one line.
fn pins(cloth: &Cloth) -> String {
    let text = parse::options().to_string(&cloth.pins).unwrap_or_default();
    text.replace(':', ": ").replace(',', ", ")
}

/// `text`, which reads as `file`, with the values of `scene`. Refuses what cannot be written into it: objects that the file
/// has not, or fields that would not read back to the same bits.
/// What the scene includes, from beside its file at `path`, stays as it is: a value from there is written beside the include, and
/// one that was a variable becomes a number. Ends of lines stay as they are.
pub fn rewrite(path: &Path, text: &str, file: &Scene, scene: &Scene) -> Result<String, String> {
    let [ends, other_ends] = ["\n", "\r\n"].map(|end| text.matches(end).count());
    let has_other_ends = ends > 0 && ends == other_ends;
    let mut text = if has_other_ends { text.replace("\r\n", "\n") } else { text.to_string() };
    if file.solver.name == scene.solver.name {
        for Changed { path, to, .. } in changed(file, scene) {
            text = match to {
                Some(value) => put(&text, &path, &value),
                None => remove(&text, &path),
            }
            .ok_or_else(|| format!("there is no place for `{path}` in the text: write it by hand"))?;
        }
    } else {
        for Changed { path, to, .. } in changed(file, scene).into_iter().filter(|one| !is_solver(&one.path)) {
            let value = to.ok_or_else(|| format!("`{path}` is gone: write it by hand"))?;
            text = put(&text, &path, &value)
                .ok_or_else(|| format!("there is no place for `{path}` in the text: write it by hand"))?;
        }
        text = put(&text, "solver", &solver(scene)).ok_or("there is no place for `solver` in the text")?;
    }
    if has_other_ends {
        text = text.replace('\n', "\r\n");
    }
    let whole = include::expand(&path.display().to_string(), &text, Some(folder_of(path)));
    let read = parse::parse(&whole.text);
    let same = read.errors.is_empty() && read.scene.is_some_and(|read| changed(&read, scene).is_empty());
    if same { Ok(text) } else { Err("what would be written reads back otherwise: write it by hand".into()) }
}

fn is_solver(path: &str) -> bool {
    path.starts_with("solver.")
}

/// The choice of a solver on one line.
fn solver(scene: &Scene) -> String {
    let map = |params: &BTreeMap<String, super::Value>| {
        let rows: Vec<String> = params.iter().map(|(name, value)| format!("{name:?}: {value}")).collect();
        format!("{{{}}}", rows.join(", "))
    };
    let choice = &scene.solver;
    let mut parts = vec![format!("name: {:?}", choice.name)];
    if !choice.params.is_empty() {
        parts.push(format!("params: {}", map(&choice.params)));
    }
    let others: Vec<String> = (choice.others.iter())
        .filter(|(_, params)| !params.is_empty())
        .map(|(name, params)| format!("{name:?}: {}", map(params)))
        .collect();
    if !others.is_empty() {
        parts.push(format!("others: {{{}}}", others.join(", ")));
    }
    format!("({})", parts.join(", "))
}

/// The text with a value at a path, written where it stands or into the innermost group that does.
fn put(text: &str, path: &str, value: &str) -> Option<String> {
    let located = Located::new(text);
    let place = located.find(path);
    if place.exact {
        return Some(exchange(text, place.span, value));
    }
    let parts: Vec<&str> = segments(path).collect();
    let known =
        (0..parts.len()).rev().find_map(|count| Some((count, located.node(&parts[..count].join("."))?)))?;
    let (count, node) = known;
    let group = node.group.as_ref().filter(|group| !group.is_list)?;
    // Groups between it and the value come along.
    let mut entry = value.to_string();
    for (i, name) in parts.iter().enumerate().skip(count).rev() {
        let of_map = is_map(&parts[..i]);
        let (key, wrapped) = if of_map { (format!("{name:?}"), true) } else { ((*name).to_string(), false) };
        entry = format!("{key}: {entry}");
        if i > count {
            entry = if wrapped { format!("{{{entry}}}") } else { format!("({entry})") };
        }
    }
    Some(append(text, group, &entry))
}

/// Whether what stands under these parts of a path is a map, whose keys are texts.
fn is_map(parts: &[&str]) -> bool {
    matches!(parts, ["solver", "params" | "others"] | ["solver", "others", _])
}

/// An entry behind the last one of a group, in the layout of that.
fn append(text: &str, group: &Group, entry: &str) -> String {
    let Some(last) = group.entries.last() else { return begin(text, group.open + 1..group.close, entry) };
    let comma = if text[last.extent.clone()].trim_end().ends_with(',') { "" } else { "," };
    let line = text[..last.extent.start].rfind('\n').map_or(0, |at| at + 1);
    let lead = &text[line..last.extent.start];
    let own_lines = lead.trim().is_empty() && text[last.value.span.end..group.close].contains('\n');
    let end = last.value.span.end;
    if own_lines {
        // A comment behind the last entry stays with it.
        let rest = &text[end..group.close];
        let close = end + rest.rfind('\n').unwrap_or(0);
        let mut text = splice(text, close..close, &format!("\n{lead}{entry},"));
        text.insert_str(end, comma);
        return text;
    }
    let has_comma = comma.is_empty();
    let at = if has_comma { last.extent.end } else { end };
    splice(text, at..at, &if has_comma { format!(" {entry},") } else { format!(", {entry}") })
}

/// The first entry of a group, behind the comments that stand in it.
fn begin(text: &str, inside: Range<usize>, entry: &str) -> String {
    let own = &text[inside.clone()];
    let Some((comments, _)) = own.rsplit_once('\n') else {
        let comments = own.trim();
        let space = if comments.is_empty() { "" } else { " " };
        return splice(text, inside, &format!("{comments}{space}{entry}"));
    };
    if comments.trim().is_empty() {
        return splice(text, inside, entry);
    }
    let before = text[..inside.start].rsplit('\n').next().unwrap_or_default();
    let own_line = comments.rsplit_once('\n');
    let lead = own_line.map_or_else(|| format!("{}    ", lead(before)), |(_, last)| lead(last).to_string());
    let end = inside.start + comments.len();
    splice(text, end..end, &format!("\n{lead}{entry},"))
}

/// The blanks that a line begins with.
fn lead(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The text with another value in place of one. Comments in that go above it, each on a line of its own.
fn exchange(text: &str, span: Range<usize>, value: &str) -> String {
    let line = tree::line_before(text, span.start);
    let lead = lead(&text[line..]);
    let comments = tree::comments(&text[span.clone()]);
    let comments: String = comments.iter().flat_map(|comment| [lead, comment, "\n"]).collect();
    splice(&splice(text, span, value), line..line, &comments)
}

/// The text without the entry at a path; as it is where there is none.
fn remove(text: &str, path: &str) -> Option<String> {
    let located = Located::new(text);
    let (parent, name) = path.rsplit_once('.')?;
    let Some(node) = located.node(parent) else { return Some(text.to_string()) };
    let group = node.group.as_ref()?;
    let at = group.entries.iter().position(|entry| key(text, entry) == Some(name));
    let Some(at) = at else { return Some(text.to_string()) };
    let extent = group.entries[at].extent.clone();
    let before = group.entries[..at].last().map(|entry| entry.value.span.end);
    let span = match before {
        // The comma before it goes with it.
        Some(before) if at + 1 == group.entries.len() && text[before..extent.start].trim() == "," => {
            before..extent.end
        }
        _ => extent.start..extent.end + lead(&text[extent.end..]).len(),
    };
    Some(splice(text, span, ""))
}

fn key<'a>(text: &'a str, entry: &Entry) -> Option<&'a str> {
    text.get(entry.key.clone()?)
}

fn splice(text: &str, span: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..span.start], &text[span.end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Value, Vocabulary, parse_text, set};

    const TEXT: &str = r#"// A sheet.
Scene(
    version: 1,
    wind: (velocity: (7.0, 0.0, 1.8)), // from the left
    solver: (name: "xpbd", params: {"substeps": 12, "iterations": 1}),
    cloths: [
        Cloth(
            id: "sheet",
            shape: Grid(columns: 4, rows: 4, width: 1.0, height: 1.0),
            material: (
                density: 0.12, // kg/m2, light polyester
                compliance: (shear: 1e-5), // soft
            ),
        ),
    ],
)
"#;

    fn written(text: &str, path: &str) -> Option<String> {
        let located = Located::new(text);
        located.node(path).map(|node| located.slice(&node.span).to_string())
    }

    fn scene(text: &str) -> Scene {
        let read = parse_text("test", text, None, &Vocabulary::default());
        read.unwrap_or_else(|errors| panic!("{errors}")).scene
    }

    fn with(fields: &[(&str, &str)]) -> String {
        let file = scene(TEXT);
        let mut now = file.clone();
        for (path, value) in fields {
            set(&mut now, path, value).unwrap_or_else(|why| panic!("{why}"));
        }
        let text = rewrite(Path::new("a.ron"), TEXT, &file, &now).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(values(&scene(&text)), values(&now), "{text}");
        for comment in ["// A sheet.", "// from the left", "// kg/m2, light polyester", "// soft"] {
            assert!(text.contains(comment), "{comment}: {text}");
        }
        text
    }

    #[test]
    fn values_go_where_they_are_written() {
        let text = with(&[("cloths.sheet.material.density", "0.3"), ("wind.velocity", "(1,2,3)")]);
        assert!(text.contains("density: 0.3, // kg/m2"), "{text}");
        assert!(text.contains("velocity: (1.0, 2.0, 3.0)"), "{text}");
        assert_eq!(with(&[]), TEXT);
    }

    #[test]
    fn fields_that_are_not_written_are_added_in_the_layout_of_their_group() {
        let text = with(&[
            ("cloths.sheet.material.friction", "0.01"),
            ("cloths.sheet.material.compliance.bend", "2e-3"),
            ("cloths.sheet.look.sheen", "0.5"),
            ("wind.gust", "0.25"),
            ("gravity", "(0,-1,0)"),
            ("solver.iterations", "3"),
            ("solver.damping", "0.5"),
        ]);
        assert!(text.contains("compliance: (shear: 1e-5, bend: 0.002), // soft\n"), "{text}");
        assert!(text.contains("                friction: 0.01,\n            ),"), "{text}");
        assert!(text.contains("            look: (sheen: 0.5),\n        ),"), "{text}");
        assert!(text.contains("(velocity: (7.0, 0.0, 1.8), gust: 0.25), // from"), "{text}");
        assert!(text.contains(r#"{"substeps": 12, "iterations": 3, "damping": 0.5}"#), "{text}");
        assert_eq!(written(&text, "gravity").as_deref(), Some("(0.0, -1.0, 0.0)"), "{text}");
    }

    #[test]
    fn pins_are_a_value_as_well() {
        let pins = "[Edge(Top), Particle(column: 1, row: 3)]";
        let text = with(&[("cloths.sheet.pins", pins)]);
        assert!(text.contains(&format!("            pins: {pins},\n")), "{text}");
        let (file, mut now) = (scene(&text), scene(&text));
        set(&mut now, "cloths[0].pins", "[]").expect("no pins");
        assert_eq!(changed(&file, &now)[0].from.as_deref(), Some(pins));
        assert_eq!(
            scene(&rewrite(Path::new("a.ron"), &text, &file, &now).expect("written")).cloths[0].pins,
            []
        );
        let wrong = set(&mut now, "cloths.sheet.pins", "[Edge(Up)]").unwrap_err().to_string();
        assert!(wrong.contains("Edge(Left)"), "{wrong}");
    }

    #[test]
    fn parameters_go_and_another_solver_brings_its_own() {
        let file = scene(TEXT);
        for gone in ["substeps", "iterations"] {
            let mut now = file.clone();
            now.solver.params.remove(gone);
            let text = rewrite(Path::new("a.ron"), TEXT, &file, &now).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(values(&scene(&text)), values(&now), "{text}");
        }
        let mut now = file.clone();
        now.solver.choose("vbd");
        now.solver.params.insert("iterations".into(), Value::Number(7.0));
        let text = rewrite(Path::new("a.ron"), TEXT, &file, &now).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(scene(&text).solver, now.solver, "{text}");
        assert_eq!(changed(&file, &now).len(), 5, "{:?}", changed(&file, &now));
    }

    #[test]
    fn comments_stay_whatever_is_written() {
        let text = "(
    version: 1,
    gravity: (
        0.0, // x
        -9.81, // y, down
        0.0,
    ),
    wind: ( // still air
    ),
    solver: (
        name: \"xpbd\", // why
        params: {
            \"substeps\": 12, // twelve, or
            // \"iterations\": 30 was better
            \"iterations\": 1 // one,
        },
    ), // solved
    cloths: [(id: \"a\", shape: Grid(columns: 4, rows: 4, width: 1.0, height: 1.0), look: (/* plain */), pins: [
        Edge(Top), // upper
    ])],
)";
        let file = scene(text);
        type Change<'a> = (&'a str, &'a dyn Fn(&mut Scene));
        let cases: [Change; 7] = [
            ("a vector", &|now| now.gravity[1] = -1.0),
            ("a group with a comment alone", &|now| now.wind.gust = 0.5),
            ("the same on one line", &|now| now.cloths[0].look.sheen = 0.5),
            ("pins", &|now| now.cloths[0].pins.clear()),
            ("the last parameter", &|now| _ = now.solver.params.remove("iterations")),
            ("the first parameter", &|now| _ = now.solver.params.remove("substeps")),
            ("another solver", &|now| now.solver.choose("vbd")),
        ];
        for (name, change) in cases {
            let mut now = file.clone();
            change(&mut now);
            let written =
                rewrite(Path::new("a.ron"), text, &file, &now).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(changed(&scene(&written), &now).is_empty(), "{name}: {written}");
            let [before, after] = [text, &written].map(|text| {
                let mut comments = tree::comments(text);
                comments.sort_unstable();
                comments
            });
            assert_eq!(before, after, "{name}: {written}");
        }
    }

    #[test]
    fn objects_that_the_file_has_not_are_refused() {
        let file = scene(TEXT);
        let mut now = file.clone();
        now.cloths[0].id = "other".into();
        assert!(rewrite(Path::new("a.ron"), TEXT, &file, &now).is_err());
    }
}
