//! Where autosaves lie: one file a process, under the project's `target/hot`, or in the user's cache without a project.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use weft_core::{files, project::Project};

/// Autosaves of ended processes that are kept.
const KEPT: usize = 4;

pub fn folder(project: Option<&Project>) -> PathBuf {
    if let Some(project) = project {
        return project.root.join("target/hot/autosave");
    }
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    cache.filter(|cache| cache.is_absolute()).unwrap_or_else(std::env::temp_dir).join("weft/autosave")
}

/// Where users keep settings here: `weft` in `$XDG_CONFIG_HOME`, `~/.config`, `~/Library/Application Support` or `%APPDATA%`, or
/// what `WEFT_CONFIG` names; `None` where that is empty.
pub fn user() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if env::var_os("WEFT_CONFIG").is_some() {
        return set("WEFT_CONFIG");
    }
    let folder = if cfg!(windows) {
        set("APPDATA")
    } else if cfg!(target_os = "macos") {
        set("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        // A path that is not absolute is none, by the specification.
        let own = set("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
        own.or_else(|| set("HOME").map(|home| home.join(".config")))
    };
    folder.map(|folder| folder.join("weft"))
}

/// Letters of the name of a state.
const LONGEST: usize = 64;

/// States that were saved by name: beside recordings of the source tree, or of the working folder where there is no tree.
pub(crate) fn states(project: Option<&Project>) -> PathBuf {
    project.map_or_else(PathBuf::new, |project| project.root.clone()).join("recordings/states")
}

/// The file of a state; the name is what every system takes for a file.
pub(crate) fn state(project: Option<&Project>, name: &str) -> Result<PathBuf, String> {
    let plain = |letter: char| letter.is_alphanumeric() || "-_ .".contains(letter);
    if name.is_empty()
        || name.chars().count() > LONGEST
        || name.starts_with(['.', ' ', '-'])
        || !name.chars().all(plain)
    {
        let more = if name.chars().count() > LONGEST { "…" } else { "" };
        let name: String = name.chars().take(LONGEST).collect();
        return Err(format!(
            "`{name}{more}`: name a state by letters, digits, `-`, `_`, `.` and spaces, {LONGEST} at most, the first a letter, a digit \
             or `_`"
        ));
    }
    Ok(states(project).join(format!("{name}.weft")))
}

/// Names of all states, sorted.
pub(crate) fn state_names(project: Option<&Project>) -> Vec<String> {
    let mut names: Vec<String> = files::list(&states(project))
        .into_iter()
        .filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_string();
            (path.extension()? == "weft" && files::size(&path).is_some()).then_some(name)
        })
        .collect();
    names.sort();
    names
}

/// The file of a state that is there, by its name or as a path.
pub(crate) fn find_state(project: Option<&Project>, name: &str) -> Result<PathBuf, String> {
    let path = Path::new(name);
    let is_path = path.extension().is_some_and(|end| end == "weft");
    if is_path && files::size(path).is_some() {
        return Ok(path.to_path_buf());
    }
    let none = |why| match is_path {
        true => format!("there is no file {name}"),
        false if files::size(path).is_some() => {
            format!("{name} is no state: the name of its file ends in .weft")
        }
        false => why,
    };
    let file = state(project, name).map_err(none)?;
    if files::size(&file).is_some() {
        return Ok(file);
    }
    let names = state_names(project);
    let near = weft_core::suggest::nearest(name, names.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(format!("there is no state `{name}` in {}{near}", states(project).display()))
}

/// The file of a process.
pub fn file(folder: &Path, process: u32) -> PathBuf {
    folder.join(format!("{process}.weft"))
}

/// The last autosave from before the code changed, beside that of a process.
pub(crate) fn older(file: &Path) -> PathBuf {
    file.with_extension("older")
}

/// The meshes of its scene.
pub(crate) fn meshes(file: &Path) -> PathBuf {
    file.with_extension("meshes")
}

/// Removes an autosave and what lies beside it, also what the end of its process left half written.
pub(crate) fn remove(file: &Path) {
    for file in [file, &older(file), &meshes(file), &files::unfinished(file)] {
        let _ = files::remove(file);
    }
}

/// Makes the folder of autosaves. In a place that all users share it must be one's own: they name libraries to load.
pub(crate) fn make(folder: &Path) -> Result<(), String> {
    let failed =
        |e: std::io::Error| format!("cannot create {}: {}", folder.display(), files::no_folder(folder, e));
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(failed)?;
    if weft_core::project::is_own(folder) {
        return Ok(());
    }
    Err(format!("{} belongs to another user: remove it, or set XDG_CACHE_HOME", folder.display()))
}

/// Whether `process` runs and may be one of ours. Where that cannot be told, it is taken to run.
pub fn runs(process: u32) -> bool {
    let proc = Path::new("/proc").join(process.to_string());
    if !Path::new("/proc/self").exists() {
        return true;
    }
    let name = |path: &Path| fs::read_to_string(path.join("comm")).unwrap_or_default();
    // A number is given again: another program under it is not ours. One that has ended stays listed until its parent looks.
    proc.exists() && name(&proc) == name(Path::new("/proc/self")) && !has_ended(&proc)
}

/// Whether the process of this folder in `/proc` is a zombie, or dead: `number (name) state …`, where a name may hold anything.
fn has_ended(proc: &Path) -> bool {
    let stat = fs::read_to_string(proc.join("stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']))
}

/// Autosaves of ended processes, the newest first.
fn left(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut left: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.path();
            let process: u32 = path.file_stem()?.to_str()?.parse().ok()?;
            let ended = path.extension()? == "weft" && !runs(process);
            ended.then_some((entry.metadata().and_then(|file| file.modified()).ok()?, path))
        })
        .collect();
    left.sort();
    left.into_iter().rev().map(|(_, path)| path).collect()
}

/// What `--resume` without a file goes on from.
pub fn newest(folder: &Path) -> Result<PathBuf, String> {
    if folder.exists() {
        make(folder)?;
    }
    let none = || format!("there is no autosave of an ended program in {}", folder.display());
    left(folder).into_iter().next().ok_or_else(none)
}

/// Removes all but the newest few, and what lies beside an autosave that is gone: Ctrl-C takes that alone away.
pub fn prune(folder: &Path) {
    for old in left(folder).into_iter().skip(KEPT) {
        remove(&old);
    }
    for beside in files::list(folder) {
        let process = beside.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        let is_ours = beside.extension().is_some_and(|end| end == "older" || end == "meshes");
        if is_ours && process.is_some_and(|process| !runs(process) && !file(folder, process).exists()) {
            let _ = files::remove(&beside);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn what_lies_beside_an_autosave_goes_with_it() {
        let folder = std::env::temp_dir().join(format!("weft-prune-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (ended, mine) = (u32::MAX, std::process::id());
        let name = |process: u32, end: &str| folder.join(format!("{process}.{end}"));
        let kept =
            [name(ended - 1, "older"), name(ended - 1, "weft"), name(mine, "older"), folder.join("x.older")];
        let gone = [name(ended, "older"), name(ended, "meshes")];
        kept.iter().chain(&gone).for_each(|file| std::fs::write(file, "x").expect("a file"));
        super::prune(&folder);
        let mut left = weft_core::files::list(&folder);
        left.sort();
        let mut kept = kept.to_vec();
        kept.sort();
        assert_eq!(left, kept);
        std::fs::remove_dir_all(&folder).expect("a folder");
    }

    #[test]
    fn a_process_that_nobody_waited_for_has_ended() {
        let mut child =
            std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().expect("cat");
        let proc = std::path::Path::new("/proc").join(child.id().to_string());
        assert!(!super::has_ended(&proc));
        drop(child.stdin.take());
        let ended = || {
            std::thread::sleep(std::time::Duration::from_millis(10));
            super::has_ended(&proc)
        };
        assert!((0..500).any(|_| ended()));
        child.wait().expect("it was ours");
    }
}
