//! What a recording says of the machine and of the program.

use std::path::Path;

use crate::recording::{Build, Machine};

impl Machine {
    /// This one (processor and governor on Linux).
    pub fn here() -> Self {
        let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
        let info = read("/proc/cpuinfo");
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        Self {
            os: format!("{} {}", std::env::consts::OS, read("/proc/sys/kernel/osrelease").trim())
                .trim()
                .into(),
            cpu: model.map_or(std::env::consts::ARCH, |(_, model)| model.trim()).to_string(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").trim().to_string(),
            gpu: String::new(),
        }
    }
}

impl Build {
    /// This program.
    pub fn own() -> Self {
        let exe = std::env::current_exe().unwrap_or_default();
        let folder = exe.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        Self {
            version: env!("CARGO_PKG_VERSION").to_string(),
            profile: folder.to_string_lossy().into_owned(),
            debug_assertions: cfg!(debug_assertions),
            git: git(&exe),
        }
    }
}

/// Commit of the source tree that a program lies in; empty without one, or without git. Where sources are newer than the program they are
/// not what it was built from: then it is the last commit before that, with changes.
#[cfg(not(target_arch = "wasm32"))]
fn git(exe: &Path) -> String {
    use weft_core::project::{Project, is_own};
    let tree = Project::above(exe).filter(|tree| is_own(&tree.root)).or_else(Project::find);
    let Some(tree) = tree else { return String::new() };
    let ask = |what: &[&str]| {
        crate::revision::git(&tree.root, &[&["--no-optional-locks"], what].concat()).unwrap_or_default()
    };
    let modified = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let sources = ask(&["ls-files", "app/*.rs", "sim-dylib/*.rs", "Cargo.lock"]);
    let newest = sources.lines().filter_map(|file| modified(&tree.root.join(file))).max();
    let (Some(built), Some(newest)) = (modified(exe), newest) else { return String::new() };
    if newest <= built {
        return ask(&["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]);
    }
    let seconds = built.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let before = ask(&["log", "-1", "--format=%h", "--abbrev=12", &format!("--before=@{seconds}")]);
    if before.is_empty() { before } else { format!("{before}-dirty") }
}

#[cfg(target_arch = "wasm32")]
fn git(_exe: &Path) -> String {
    String::new()
}

/// Since 1970 [s]; a page does not say.
pub(crate) fn now_unix() -> Option<f64> {
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(since.as_secs_f64())
}

/// xxh3-64 of a text, in hex.
pub(crate) fn hash(text: &str) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}
