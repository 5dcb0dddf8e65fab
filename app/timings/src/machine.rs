//! What a recording says of the machine and of the program.

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
            git: git(),
        }
    }
}

/// Commit of the source tree that the program lies in; empty without one, or without git.
#[cfg(not(target_arch = "wasm32"))]
fn git() -> String {
    use weft_core::project::{Project, is_own};
    let exe = std::env::current_exe().unwrap_or_default();
    let tree = Project::above(&exe).filter(|tree| is_own(&tree.root)).or_else(Project::find);
    let Some(tree) = tree else { return String::new() };
    let describe = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    let output = std::process::Command::new("git")
        .arg("--no-optional-locks")
        .args(describe)
        .current_dir(tree.root)
        .stdin(std::process::Stdio::null())
        .output();
    let good = output.ok().filter(|output| output.status.success());
    good.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default()
}

#[cfg(target_arch = "wasm32")]
fn git() -> String {
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
