//! Builds the whole program again, for a changed contract: the library alone would not fit this process.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use weft_core::{child::Group, clock::Instant};

use super::{
    BuildMessage,
    cargo::{Failure, cargo},
};
use weft_core::project::Project;

/// A build of the program in the background. Dropping it ends the build.
pub struct Rebuild {
    pub since: Instant,
    /// Crates that are done.
    pub crates: usize,
    reports: mpsc::Receiver<Report>,
    child: Arc<Mutex<Option<Group>>>,
}

enum Report {
    Progress(usize),
    Done(Result<PathBuf, Vec<BuildMessage>>),
}

impl Rebuild {
    /// Starts it, with the profile and the target folder of the program that runs.
    pub fn start(project: &Project) -> Self {
        let (sender, reports) = mpsc::channel();
        let child = Arc::new(Mutex::new(None));
        let (shared, project) = (Arc::clone(&child), project.clone());
        thread::spawn(move || {
            let (profile, target) = profile(&project);
            let target = target.to_string_lossy();
            let arguments = [
                "build",
                "--package",
                "weft",
                "--bin",
                "weft",
                "--profile",
                &profile,
                "--target-dir",
                &target,
            ];
            let built = cargo(&project, &arguments, "weft", &shared, |crates| {
                let _ = sender.send(Report::Progress(crates));
            });
            let program =
                |path: &PathBuf| path.extension().unwrap_or_default() == std::env::consts::EXE_EXTENSION;
            let done = match built.files.map(|files| files.into_iter().find(program)) {
                Ok(Some(path)) => Ok(path),
                Ok(None) => Err(vec![BuildMessage::plain("cargo built no program".into())]),
                Err(Failure::Compile) => Err(built.messages),
                Err(Failure::Cargo(why)) => Err(vec![BuildMessage::plain(why)]),
            };
            let _ = sender.send(Report::Done(done));
        });
        Self { since: Instant::now(), crates: 0, reports, child }
    }

    /// The new program, once it is built.
    pub fn poll(&mut self) -> Option<Result<PathBuf, Vec<BuildMessage>>> {
        loop {
            match self.reports.try_recv().ok()? {
                Report::Progress(crates) => self.crates = crates,
                Report::Done(done) => return Some(done),
            }
        }
    }
}

impl Drop for Rebuild {
    fn drop(&mut self) {
        if let Some(child) = self.child.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            child.kill();
        }
    }
}

/// Profile and target folder that made this program, by its path: `TARGET/PROFILE/weft`. A program that was copied
/// elsewhere is built as a release, in the project's own target folder.
fn profile(project: &Project) -> (String, PathBuf) {
    let exe = std::env::current_exe().unwrap_or_default();
    let folder = exe.parent().and_then(|profile| Some((profile.file_name()?.to_str()?, profile.parent()?)));
    let (name, target) = folder.unwrap_or(("release", &project.root));
    let is_target = target.join("CACHEDIR.TAG").is_file();
    let profile = match name {
        "debug" => "dev",
        name if is_target => name,
        _ => "release",
    };
    // A target folder that is another tree's keeps the program of that tree.
    let own = is_target && target.starts_with(&project.root);
    (profile.to_string(), if own { target.to_path_buf() } else { project.root.join("target") })
}
