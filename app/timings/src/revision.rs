//! The program of another revision: its tree as a `git worktree` under `target/ab`, built there once.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use weft_core::{
    child::{Group, ends_with_us},
    say,
};

/// The program of a revision, and its tree. What is built of dependencies, revisions share.
pub(crate) fn build(tree: &Path, revision: &str) -> Result<(PathBuf, PathBuf), String> {
    let commit = commit(tree, revision)?;
    let name = &commit[..commit.len().min(12)];
    let ab = tree.join("target/ab");
    let (folder, shared) = (ab.join("trees").join(name), ab.join("build"));
    let profile = profile();
    let suffix = std::env::consts::EXE_SUFFIX;
    let program = ab.join("programs").join(format!("weft-{name}-{profile}{suffix}"));
    // Another would take this one's tree away, or its program for its own.
    let _alone = alone(&ab)?;
    if program.is_file() && folder.join("Cargo.toml").is_file() {
        return Ok((program, folder));
    }
    // One whose build failed has older files than what was built of others since, which cargo would take for its own.
    let _ = git(tree, &["worktree", "remove", "--force", &folder.to_string_lossy()]);
    // One that was deleted by hand is still in git's list.
    git(tree, &["worktree", "prune"])?;
    git(tree, &["worktree", "add", "--detach", &folder.to_string_lossy(), &commit])?;
    if program.is_file() {
        return Ok((program, folder));
    }
    say::warn(format_args!("building {revision} ({name}, {profile})"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    let name = if profile == "debug" { "dev" } else { &profile };
    command.args(["build", "--quiet", "--locked", "-p", "weft", "--profile", name]);
    command.current_dir(&folder).env("CARGO_TARGET_DIR", &shared).stdin(Stdio::null());
    let status = Group::start(ends_with_us(&mut command))
        .and_then(Group::wait)
        .map_err(|error| format!("cannot start {}: {error}", cargo.display()))?;
    if !status.success() {
        return Err(format!("{revision} does not build (see above); its tree is {}", folder.display()));
    }
    let built = shared.join(&profile).join(format!("weft{suffix}"));
    // What has its name is whole.
    let part = program.with_extension("part");
    let copy = fs::create_dir_all(ab.join("programs")).and_then(|()| fs::copy(&built, &part));
    let copy = copy.and_then(|_| fs::rename(&part, &program));
    copy.map_err(|error| format!("{} to {}: {error}", built.display(), program.display()))?;
    Ok((program, folder))
}

/// Keeps others from building there until it is dropped.
fn alone(ab: &Path) -> Result<File, String> {
    let path = ab.join("lock");
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = fs::create_dir_all(ab).and_then(|()| File::create(&path)).map_err(failed)?;
    if file.try_lock().is_err() {
        say::warn(format_args!(
            "another weft builds a revision in {}: waiting until it is done",
            ab.display()
        ));
        file.lock().map_err(failed)?;
    }
    Ok(file)
}

/// The commit that a revision names.
pub(crate) fn commit(tree: &Path, revision: &str) -> Result<String, String> {
    // First by itself: what follows the text of `:/text` is part of it.
    let named = |name: &str| git(tree, &["rev-parse", "--verify", "--end-of-options", name]);
    named(revision)
        .and_then(|object| named(&format!("{object}^{{commit}}")))
        .map_err(|why| format!("{revision}: there is no such revision ({why})"))
}

/// A commit in a line: its short hash and its title.
pub(crate) fn line(tree: &Path, commit: &str) -> String {
    let line = git(tree, &["show", "--no-patch", "--format=%h %s", commit]);
    line.unwrap_or_else(|_| commit.to_string())
}

/// The one that this program was built with, by its folder: `target/release`.
fn profile() -> String {
    let exe = std::env::current_exe().unwrap_or_default();
    let folder = exe.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let is_profile = exe.parent().is_some_and(|folder| folder.join("deps").is_dir());
    if is_profile { folder } else { "release".into() }
}

/// What git says, without the white space around it.
pub(crate) fn git(tree: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).current_dir(tree).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot start git: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_string());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_string())
}
