//! The live session: everything that can change under a running program, as events for the frame loop.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use xxhash_rust::xxh3::xxh3_64;

use super::{
    BuildMessage, Generation, Level, Project, Refusal,
    builder::{Builder, Failure, Outcome, Report},
    hotlib::HotLib,
    watcher::Watcher,
};

/// Times of one reload, for the panel, the recording and the latency test.
#[derive(Clone, Copy, Debug)]
pub struct Reload {
    pub saved: Instant,
    pub built: Instant,
    pub published: Instant,
}

pub enum Event {
    /// A library passed the gate and is loaded; call its code from the next step on.
    Swapped(Arc<Generation>, Reload),
    /// The build failed; the old code runs on.
    BuildFailed(Vec<BuildMessage>),
    /// The library was built but is not taken.
    Refused(Refusal),
    /// Code cannot be rebuilt here, and why; said once.
    Off(String),
    /// The build made what runs already.
    Unchanged,
    Shader(PathBuf),
    Scene(PathBuf, Instant),
    Texture(PathBuf, Instant),
    /// An OBJ file.
    Mesh(PathBuf, Instant),
}

/// What the panel says about the library.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// No reload in this session, and why.
    Off(String),
    /// The program's own code runs while the first live library is built.
    FirstBuild,
    Building,
    Ready,
}

/// A library that is not run again in this session, by the xxh3-64 of its file, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Banned {
    pub hash: u64,
    pub why: String,
}

/// What a session takes over from the process before it.
#[derive(Clone, Debug, Default)]
pub struct Carry {
    pub banned: Vec<Banned>,
    /// Build nothing before the first save.
    pub wait: bool,
    /// The number of the last generation there.
    pub last: u32,
}

pub struct Live {
    pub status: Status,
    /// Warnings of the last build.
    pub warnings: usize,
    /// From the save to the end of the last build.
    pub last_build: Option<Duration>,
    watcher: Option<Watcher>,
    builder: Option<Builder>,
    hotlib: Option<HotLib>,
    reload: Option<Reload>,
    carry: Carry,
}

impl Live {
    /// A session in which nothing changes.
    pub fn off() -> Self {
        Self {
            status: Status::Off("files are not watched".into()),
            warnings: 0,
            last_build: None,
            watcher: None,
            builder: None,
            hotlib: None,
            reload: None,
            carry: Carry::default(),
        }
    }

    /// Watches `project` and the folder of `scene`, and starts the first build in the background.
    pub fn start(project: Option<&Project>, scene: Option<&Path>, carry: Carry) -> Self {
        let mut live = Self { carry, ..Self::off() };
        live.status = Status::Off("no source tree found here: code is not reloaded".into());
        if let Some(project) = project {
            match HotLib::new(project) {
                Ok(hotlib) => {
                    live.builder = Some(Builder::start(project.clone()));
                    live.hotlib = Some(hotlib);
                    live.status = Status::FirstBuild;
                }
                Err(why) => live.status = Status::Off(why),
            }
        }
        match Watcher::new(live.builder.as_ref().map(Builder::requests)) {
            Ok(watcher) => live.watcher = Some(watcher),
            Err(why) => live.status = Status::Off(why),
        }
        let folders = project.map(|p| [p.code(), p.shaders()]).into_iter().flatten();
        for folder in folders.filter(|folder| folder.exists()) {
            live.watch(&folder);
        }
        if let Some(scene) = scene {
            live.watch_scene(scene);
        }
        if live.carry.wait && live.status == Status::FirstBuild {
            live.status = Status::Ready;
        } else if let (Some(builder), Some(_)) = (&live.builder, &live.watcher) {
            let _ = builder.requests().send(Instant::now());
        }
        live
    }

    /// Goes on with the library of an earlier process, under its number there.
    pub fn adopt(&mut self, bytes: Vec<u8>, number: u32) -> Result<Arc<Generation>, Refusal> {
        let hotlib = self.hotlib.as_mut();
        let hotlib = hotlib.ok_or_else(|| Refusal::Broken("this program does not load libraries".into()))?;
        hotlib.adopt(bytes, number, self.carry.last)
    }

    /// Also watches the folder of a scene file (and its textures and meshes).
    pub fn watch_scene(&mut self, scene: &Path) {
        self.watch(super::folder_of(scene));
    }

    fn watch(&mut self, folder: &Path) {
        let Some(watcher) = &mut self.watcher else { return };
        if let Err(why) = watcher.watch(folder) {
            self.status = Status::Off(why);
        }
    }

    /// Everything that happened since the last call. Call between two frames, on the main thread.
    pub fn poll(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        for change in self.watcher.as_mut().map(Watcher::drain).unwrap_or_default() {
            events.push(match change.path.extension().and_then(|end| end.to_str()) {
                Some("wgsl") => Event::Shader(change.path),
                Some("ron") => Event::Scene(change.path, change.at),
                Some("obj") => Event::Mesh(change.path, change.at),
                _ => Event::Texture(change.path, change.at),
            });
        }
        while let Some(report) = self.builder.as_ref().and_then(|builder| builder.reports.try_recv().ok()) {
            match report {
                Report::Started if self.status == Status::Ready => self.status = Status::Building,
                Report::Started => {}
                Report::Finished(outcome) => events.extend(self.finished(outcome)),
            }
        }
        if let Some(loaded) = self.hotlib.as_mut().and_then(HotLib::update) {
            events.push(match (loaded, self.reload.take()) {
                (Ok(generation), Some(reload)) => Event::Swapped(generation, reload),
                (Ok(_), None) => Event::Unchanged,
                (Err(refusal), _) => Event::Refused(refusal),
            });
        }
        events
    }

    fn finished(&mut self, outcome: Outcome) -> Option<Event> {
        let first = std::mem::replace(&mut self.status, Status::Ready) == Status::FirstBuild;
        self.last_build = Some(outcome.finished - outcome.saved);
        self.warnings = outcome.messages.iter().filter(|m| m.level == Level::Warning).count();
        let hotlib = self.hotlib.as_mut()?;
        let library = match outcome.library {
            Ok(library) => library,
            Err(Failure::Compile) => return Some(Event::BuildFailed(outcome.messages)),
            Err(Failure::Cargo(why)) if first => {
                // No cargo here: one sentence, and the program's own code runs on.
                self.status = Status::Off(why.clone());
                return Some(Event::Off(why));
            }
            Err(Failure::Cargo(why)) => return Some(Event::Refused(Refusal::Broken(why))),
            Err(Failure::Gate(refusal)) => return Some(Event::Refused(refusal)),
        };
        let hash = if self.carry.banned.is_empty() { 0 } else { xxh3_64(&library) };
        if let Some(banned) = self.carry.banned.iter().find(|banned| banned.hash == hash) {
            return Some(Event::Refused(Refusal::Broken(banned.why.clone())));
        }
        match hotlib.offer(library) {
            Ok(None) => {
                self.reload = None;
                Some(Event::Unchanged)
            }
            Ok(Some(published)) => {
                // Of several saves before one swap, the first is the one that has waited longest.
                let saved = self.reload.map_or(outcome.saved, |waiting| waiting.saved.min(outcome.saved));
                self.reload = Some(Reload { saved, built: outcome.finished, published });
                None
            }
            Err(refusal) => Some(Event::Refused(refusal)),
        }
    }

    /// Bytes of all libraries that are mapped.
    pub fn mapped(&self) -> u64 {
        self.hotlib.as_ref().map_or(0, HotLib::mapped)
    }
}
