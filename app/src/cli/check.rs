//! `weft check`: mistakes in scenes; and which scenes a command means.

use std::path::{Path, PathBuf};

use weft_core::{command::CommandError, say};
use weft_engine::generation::Generation;
use weft_proof::runs::refused;
use weft_session::readings;

/// The scenes that are meant: of a folder those in it, sorted.
pub(super) fn scenes_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            not_expanded(path)?;
            all.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let mut scenes: Vec<PathBuf> =
            files.filter(|file| file.extension().is_some_and(|end| end == "ron")).collect();
        if scenes.is_empty() {
            return Err(format!("{}: there is no scene (.ron) in this folder", path.display()));
        }
        scenes.sort();
        all.append(&mut scenes);
    }
    Ok(all)
}

/// A pattern comes as it stands where the shell found no file for it, or was kept from looking.
fn not_expanded(path: &Path) -> Result<(), String> {
    if path.exists() || !path.to_string_lossy().contains(['*', '?', '[']) {
        return Ok(());
    }
    Err(format!(
        "{}: no file has this name, and a pattern is the shell's to expand: give it without quotes where files match, or name \
         their folder",
        path.display()
    ))
}

pub(super) fn check(paths: &[PathBuf]) -> Result<(), CommandError> {
    let scenes = scenes_of(paths)?;
    let known = readings::vocabulary(&Generation::built_in());
    let mut bad = 0;
    for path in &scenes {
        match weft_scene::load(path, &known).and_then(weft_scene::Loaded::strict) {
            Ok(loaded) => {
                say::say(format_args!("{}: ok", path.display()));
                loaded.notes.iter().for_each(|note| say::say(format_args!("  {note}")));
                for (run, why) in refused(path)? {
                    say::say(format_args!("  of its runs {run} will stand still: {why}"));
                }
            }
            Err(errors) => {
                bad += 1;
                say::say(format_args!("{errors}"));
            }
        }
    }
    if bad == 0 { Ok(()) } else { Err(format!("{bad} of {} scene(s) have errors", scenes.len()).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_the_shell_left_is_named_as_one() {
        let why = scenes_of(&["a/*.ron".into()]).expect_err("there is no such file");
        assert!(why.starts_with("a/*.ron: no file has this name") && why.contains("the shell's"), "{why}");
        let plain = PathBuf::from("a/none.ron");
        assert_eq!(scenes_of(std::slice::from_ref(&plain)), Ok(vec![plain]), "reading it says what is wrong");
    }
}
