//! Small pictures of scenes, with their size and cost, kept in the user's cache.
//!
//! A program of its own makes them, one after the other and at low priority (`weft run SCENE --shot --json`): a scene that takes long,
//! or one that crashes, holds no window up. A file is named after what is in the scene and in the shaders: it stays right, or
//! is made anew. Meshes and textures that a scene names do not count.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use xxhash_rust::xxh3::Xxh3;

use weft_draw::ShaderSources;

/// Of a picture [pixels].
pub const SIZE: (u32, u32) = (216, 135);
/// Frames before the picture.
const FRAMES: &str = "40";
/// Longest time for one.
const LIMIT: Duration = Duration::from_mins(1);
/// Pictures that are kept, the newest.
const KEPT: usize = 400;

/// What is known of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Thumbnail {
    pub picture: PathBuf,
    pub particles: u64,
    /// Median time of a step [ms].
    pub ms: f64,
}

/// Makes and keeps them.
pub struct Thumbnails {
    folder: PathBuf,
    work: Option<Work>,
    /// Of scenes that were looked at: their key, and what came of it.
    known: BTreeMap<PathBuf, Result<Thumbnail, String>>,
}

/// One that is being made.
struct Work {
    child: Child,
    scene: PathBuf,
    key: String,
    since: Instant,
}

impl Default for Thumbnails {
    fn default() -> Self {
        Self::new(cache())
    }
}

impl Thumbnails {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, work: None, known: BTreeMap::new() }
    }

    /// What is known of a scene, or why there is no picture; `None`: not looked at, or not made yet.
    pub fn of(&self, scene: &Path) -> Option<&Result<Thumbnail, String>> {
        self.known.get(scene)
    }

    /// Scenes may have been saved since: all are looked at again.
    pub fn look_again(&mut self) {
        self.known.clear();
    }

    /// Whether one is being made.
    pub fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// Once a frame while pictures are wanted: looks at one scene, or takes what was made and begins with the next. Returns whether
    /// there is something new.
    pub fn tick(&mut self, scenes: &[PathBuf]) -> bool {
        if let Some(work) = &mut self.work {
            let done = match work.child.try_wait() {
                Ok(None) if work.since.elapsed() < LIMIT => return false,
                Ok(None) => {
                    let _ = work.child.kill();
                    let _ = work.child.wait();
                    Err(format!("it takes longer than {} s", LIMIT.as_secs()))
                }
                Ok(Some(status)) if status.success() => self.made(),
                Ok(Some(_)) => Err("it does not run; `weft run` says why".to_string()),
                Err(why) => Err(why.to_string()),
            };
            let Some(Work { scene, key, .. }) = self.work.take() else { return false };
            for end in ["part.png", "part.json"] {
                let _ = fs::remove_file(self.folder.join(format!("{key}.{end}")));
            }
            self.known.insert(scene, done);
            return true;
        }
        let Some(scene) = scenes.iter().find(|scene| !self.known.contains_key(*scene)) else { return false };
        let Some(key) = key(scene) else {
            self.known.insert(scene.clone(), Err("it cannot be read".into()));
            return true;
        };
        if let Some(kept) = self.read(&key) {
            self.known.insert(scene.clone(), Ok(kept));
            return true;
        }
        match self.begin(scene, &key) {
            Ok(child) => {
                self.work = Some(Work { child, scene: scene.clone(), key, since: Instant::now() });
                false
            }
            Err(why) => {
                self.known.insert(scene.clone(), Err(why));
                true
            }
        }
    }

    fn file(&self, key: &str, end: &str) -> PathBuf {
        self.folder.join(format!("{key}.{end}"))
    }

    /// One that was made before.
    fn read(&self, key: &str) -> Option<Thumbnail> {
        let (picture, facts) = (self.file(key, "png"), self.file(key, "json"));
        let facts: serde_json::Value = serde_json::from_slice(&fs::read(facts).ok()?).ok()?;
        let (particles, ms) = (facts["particles"].as_u64()?, facts["ms"]["step"]["p50"].as_f64()?);
        picture.is_file().then_some(Thumbnail { picture, particles, ms })
    }

    fn begin(&self, scene: &Path, key: &str) -> Result<Child, String> {
        let fail = |why: std::io::Error| format!("{}: {why}", self.folder.display());
        weft_core::files::make_folder(&self.folder).map_err(fail)?;
        self.prune();
        let program = env::current_exe().map_err(|why| why.to_string())?;
        let out = fs::File::create(self.file(key, "part.json")).map_err(fail)?;
        let size = format!("{}x{}", SIZE.0, SIZE.1);
        let mut command = if cfg!(unix) { Command::new("nice") } else { Command::new(&program) };
        if cfg!(unix) {
            command.args(["-n", "15"]).arg(&program);
        }
        command.arg("run").arg(scene).args(["--threads", "1", "--json", "--frames", FRAMES, "--size", &size]);
        command.arg("--shot").arg(self.file(key, "part.png"));
        command.stdin(Stdio::null()).stdout(out).stderr(Stdio::null());
        command.spawn().map_err(|why| format!("cannot start {}: {why}", program.display()))
    }

    /// The files of the work that is done get their names.
    fn made(&self) -> Result<Thumbnail, String> {
        let key = self.work.as_ref().map_or("", |work| work.key.as_str());
        for end in ["png", "json"] {
            let (from, to) = (self.file(key, &format!("part.{end}")), self.file(key, end));
            fs::rename(&from, &to).map_err(|why| format!("{}: {why}", to.display()))?;
        }
        self.read(key).ok_or_else(|| "it was not drawn".to_string())
    }

    /// Removes all but the newest.
    fn prune(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let many = files.len().saturating_sub(2 * KEPT);
        files.into_iter().take(many).for_each(|(_, path)| _ = fs::remove_file(path));
    }
}

impl Drop for Thumbnails {
    fn drop(&mut self) {
        if let Some(Work { mut child, key, .. }) = self.work.take() {
            let _ = child.kill();
            let _ = child.wait();
            for end in ["part.png", "part.json"] {
                let _ = fs::remove_file(self.file(&key, end));
            }
        }
    }
}

/// Names what a picture shows: the scene's text and the shaders of this program.
fn key(scene: &Path) -> Option<String> {
    let mut hash = Xxh3::new();
    hash.update(&fs::read(scene).ok()?);
    let shaders = ShaderSources::built_in();
    shaders.names().for_each(|name| hash.update(shaders.text(name).as_bytes()));
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    Some(format!("{:016x}", hash.digest()))
}

/// The user's cache.
fn cache() -> PathBuf {
    let set = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || set("HOME").map(|home| home.join(".cache"));
    let folder = if cfg!(windows) { set("LOCALAPPDATA") } else { set("XDG_CACHE_HOME").or_else(home) };
    folder.unwrap_or_else(env::temp_dir).join("weft/thumbnails")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_was_made_is_found_until_the_scene_changes() {
        let folder = env::temp_dir().join(format!("weft-thumbnails-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let scene = folder.join("a.ron");
        fs::write(&scene, "(version: 1)").expect("a file");
        let first = key(&scene).expect("it is there");
        let mut thumbnails = Thumbnails::new(folder.clone());
        fs::write(thumbnails.file(&first, "png"), "").expect("a file");
        let facts = r#"{"particles": 12, "ms": {"step": {"p50": 0.5}}}"#;
        fs::write(thumbnails.file(&first, "json"), facts).expect("a file");
        let gone = folder.join("gone.ron");
        let scenes = [scene.clone(), gone.clone()];
        assert!(thumbnails.tick(&scenes) && thumbnails.tick(&scenes) && !thumbnails.tick(&scenes));
        let found = thumbnails.of(&scene).expect("looked at").as_ref().expect("a picture");
        assert_eq!((found.particles, found.ms), (12, 0.5));
        assert!(thumbnails.of(&gone).expect("looked at").is_err());
        fs::write(&scene, "(version: 1, gravity: (0, 0, 0))").expect("a file");
        assert_ne!(key(&scene).expect("it is there"), first);
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
