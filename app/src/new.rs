//! `weft new NAME`: a scene or a solver to begin with, with a word on each line.

use std::{
    fs,
    path::{Path, PathBuf},
};

use weft_core::{command::CommandError, files, project::Project, say};
use weft_engine::generation::Generation;

const SCENE: &str = include_str!("new/scene.ron");
const SOLVER: &str = include_str!("new/solver.rs.txt");
/// The list in `solvers.rs` that a solver joins.
const LIST: &str = "solvers! {\n";

pub(crate) fn run(name: &str, solver: bool) -> Result<(), CommandError> {
    let plain = |name: &str| {
        name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name
                .chars()
                .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
    };
    if !plain(name) {
        return Err(CommandError::Usage(format!(
            "`{name}` is no name for a file: take small letters, digits and _, a letter first, such as my_first"
        )));
    }
    Ok(if solver { new_solver(name) } else { new_scene(name) }?)
}

fn new_scene(name: &str) -> Result<(), String> {
    let folder = Project::find().map_or_else(PathBuf::new, |project| project.scenes());
    let path = folder.join(format!("{name}.ron"));
    write_new(&path, &SCENE.replace("NAME", name))?;
    say::say(format_args!("wrote {0}; look at it with: weft {0}", path.display()));
    Ok(())
}

/// Words of Rust that no module may have as its name, and `all`, which is every solver.
const TAKEN: [&str; 52] = [
    "abstract", "all", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

fn new_solver(name: &str) -> Result<(), String> {
    if TAKEN.contains(&name) {
        return Err(format!("`{name}` is a word of Rust or of Weft: take another name, such as my_{name}"));
    }
    let project = Project::find().ok_or("a solver goes into the source tree of Weft: go to its folder")?;
    let known = Generation::built_in();
    if known.solver(name).is_some() {
        return Err(format!("there is a solver `{name}` already (`weft solvers`)"));
    }
    let list = project.code().join("src/solvers.rs");
    let text = weft_core::text::read(&list).map_err(|why| format!("{}: {why}", list.display()))?;
    let end = text.find(LIST).and_then(|at| Some(at + text[at..].find('}')?));
    let end = end.ok_or_else(|| format!("{}: the list `solvers! {{ … }}` is not there", list.display()))?;
    let path = project.code().join("src/solvers").join(format!("{name}.rs"));
    write_new(&path, &SOLVER.replace("NAME", name))?;
    let text = format!("{}    {name},\n{}", &text[..end], &text[end..]);
    files::write(&list, text).map_err(|why| format!("{}: {why}", list.display()))?;
    say::say(format_args!("wrote {} and listed it in {}", path.display(), list.display()));
    say::say("a window that is open has it in its list at once; `weft run` after cargo build --release");
    Ok(())
}

/// Never over a file that is there.
fn write_new(path: &Path, text: &str) -> Result<(), String> {
    if path.exists() {
        return Err(format!("{} is there already", path.display()));
    }
    fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
}
