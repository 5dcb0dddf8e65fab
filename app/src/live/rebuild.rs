//! Builds the whole program again, for a changed contract: the library alone would not fit this process.

use std::{
    path::{Path, PathBuf},
    process::Child,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Instant,
};

use super::{
    BuildMessage, Project,
    cargo::{Failure, cargo},
};

/// A build of the program in the background. Dropping it ends the build.
pub struct Rebuild {
    pub since: Instant,
    /// Crates that are done.
    pub crates: usize,
    reports: mpsc::Receiver<Report>,
    child: Arc<Mutex<Option<Child>>>,
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
            let _ = child.kill();
        }
    }
}

/// Profile and target folder that made this program, by its path: `TARGET/PROFILE/weft`. A program that was copied
/// elsewhere is built as a release.
fn profile(project: &Project) -> (String, PathBuf) {
    let exe = std::env::current_exe().unwrap_or_default();
    let folder = exe.parent().and_then(|profile| Some((profile.file_name()?.to_str()?, profile.parent()?)));
    let is_target = |target: &&Path| target.join("CACHEDIR.TAG").is_file();
    match folder.filter(|(_, target)| is_target(target)) {
        Some(("debug", target)) => ("dev".to_string(), target.to_path_buf()),
        Some((profile, target)) => (profile.to_string(), target.to_path_buf()),
        None => ("release".to_string(), project.root.join("target")),
    }
}
