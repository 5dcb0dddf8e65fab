//! The live session: everything that can change under a running program, as events for the frame loop.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use weft_core::clock::Instant;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    BuildMessage, Event, Level, Refusal, Reload, Status,
    builder::{Builder, Failure, Outcome, Report},
    cargo,
    hotlib::HotLib,
    look::{Gone, Look, SETTLES_IN},
    probe::{Prober, Trial, Verdict, this_program},
    watcher::Watcher,
};
use weft_core::project::{Project, folder_of};
use weft_engine::generation::Generation;

/// A frame waits for the loader until this time after publishing.
const LOADS_WITHIN: Duration = Duration::from_millis(25);

/// A library that is being tried.
struct Tried {
    number: u64,
    /// Of its bytes.
    hash: u64,
    saved: Instant,
    built: Instant,
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
    pub warnings: Vec<BuildMessage>,
    /// What the last build found changed in the contract.
    contract: Vec<String>,
    /// From the save to the end of the last build.
    pub last_build: Option<Duration>,
    watcher: Option<Watcher>,
    builder: Option<Builder>,
    /// Before `hotlib`, in whose folder it works.
    prober: Option<Prober>,
    hotlib: Option<HotLib>,
    tried: Option<Tried>,
    /// Libraries that no state would make run, by hash.
    refused: Vec<(u64, Refusal)>,
    reload: Option<Reload>,
    /// What came of builds and probes since the last poll.
    events: Vec<Event>,
    /// Saves to look at again, and when.
    doubts: Vec<(Instant, Event)>,
    /// Files that are gone or empty, and since when.
    gone: Gone,
    /// Folders that are gone.
    missing: Vec<PathBuf>,
    carry: Carry,
}

impl Live {
    /// A session in which nothing changes.
    pub fn off() -> Self {
        Self {
            status: Status::Off("files are not watched".into()),
            warnings: Vec::new(),
            contract: Vec::new(),
            last_build: None,
            watcher: None,
            builder: None,
            prober: None,
            hotlib: None,
            tried: None,
            refused: Vec::new(),
            reload: None,
            events: Vec::new(),
            doubts: Vec::new(),
            gone: Gone::default(),
            missing: Vec::new(),
            carry: Carry::default(),
        }
    }

    /// Watches `project`, and starts the first build in the background.
    pub fn start(project: Option<&Project>, carry: Carry) -> Self {
        let refused = carry.banned.iter().map(|banned| (banned.hash, Refusal::Broken(banned.why.clone())));
        let mut live = Self { refused: refused.collect(), carry, ..Self::off() };
        live.status = Status::Off(super::NO_CODE.into());
        if let Some(project) = project {
            match HotLib::new(project) {
                Ok(hotlib) => {
                    live.builder = Some(Builder::start(project.clone()));
                    live.prober = Some(Prober::start(this_program(), project.live_folder()));
                    live.hotlib = Some(hotlib);
                    live.status = Status::FirstBuild { crates: 0 };
                }
                Err(why) => live.turn_off(why),
            }
        }
        let requests = live.builder.as_ref().map(Builder::requests);
        match Watcher::new(project.map(Project::code).zip(requests)) {
            Ok(watcher) => live.watcher = Some(watcher),
            Err(why) => live.turn_off(why),
        }
        let folders = project.map(|p| [p.code(), p.shaders()]).into_iter().flatten();
        for folder in folders.filter(|folder| folder.exists()) {
            live.watch(&folder, true);
        }
        if live.carry.wait && matches!(live.status, Status::FirstBuild { .. }) {
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

    /// Also watches the folder of a scene file, and those of its textures and meshes; not what lies below: that may be all of
    /// somebody's files.
    pub fn watch_scene(&mut self, scene: &Path, files: impl Iterator<Item = PathBuf>) {
        self.watch(folder_of(scene), false);
        let Some(watcher) = &mut self.watcher else { return };
        // A folder that is not there is said with the file, and watched when it is made.
        files.for_each(|file| _ = watcher.watch(folder_of(&file), false));
    }

    fn watch(&mut self, folder: &Path, deep: bool) {
        let Some(watcher) = &mut self.watcher else { return };
        if let Err(why) = watcher.watch(folder, deep) {
            self.turn_off(why);
        }
    }

    /// Code is not reloaded in this session; said once.
    fn turn_off(&mut self, why: String) {
        self.status = Status::Off(why.clone());
        self.events.push(Event::Off(why));
    }

    /// What a file has become, as far as its editor may be done with it.
    pub fn look(&mut self, file: &Path) -> Look {
        self.gone.look(file)
    }

    /// This save is looked at once more when its file has settled.
    pub fn again(&mut self, event: Event) {
        if !self.doubts.iter().any(|(_, doubt)| doubt.file() == event.file()) {
            self.doubts.push((Instant::now() + SETTLES_IN, event));
        }
    }

    /// Everything that happened since the last call. Call between two frames, on the main thread. `trial` says what a
    /// library that was built meanwhile is tried on.
    pub fn poll(&mut self, trial: &mut dyn FnMut() -> Trial) -> Vec<Event> {
        let mut events = Vec::new();
        for change in self.watcher.as_mut().map(Watcher::drain).unwrap_or_default() {
            events.push(match change.path.extension().and_then(|end| end.to_str()) {
                Some("wgsl") => Event::Shader(change.path),
                Some("ron") => Event::Scene(change.path, change.at),
                Some("obj" | "hair") => Event::Mesh(change.path, change.at),
                _ => Event::Texture(change.path, change.at),
            });
        }
        let missing = self.watcher.iter().flat_map(Watcher::missing).map(Path::to_path_buf).collect();
        if missing != self.missing {
            self.missing.clone_from(&missing);
            events.push(Event::Folders(missing));
        }
        self.attend(trial);
        events.append(&mut self.events);
        events.extend(self.doubts.extract_if(.., |(due, _)| Instant::now() >= *due).map(|(_, event)| event));
        if let Some(loaded) = self.loaded_library() {
            events.push(match (loaded, self.reload.take()) {
                (Ok(generation), Some(reload)) => Event::Swapped(generation, reload),
                (Ok(_), None) => Event::Unchanged,
                (Err(refusal), _) => Event::Refused(refusal),
            });
        }
        events
    }

    /// Takes in what compiler and probe report, so that neither waits for the next frame: a library that was built is tried,
    /// one that passed is published. Call between two steps, on the main thread, with what [`Live::poll`] gets. True if
    /// there is something to poll.
    pub fn attend(&mut self, trial: &mut dyn FnMut() -> Trial) -> bool {
        let mut candidate = None;
        while let Some(report) = self.builder.as_ref().and_then(|builder| builder.reports.try_recv().ok()) {
            match report {
                Report::Started if self.status == Status::Ready => {
                    self.status = Status::Building { since: Instant::now(), crates: 0 };
                }
                Report::Started => {}
                Report::Progress(done) => {
                    if let Status::FirstBuild { crates } | Status::Building { crates, .. } = &mut self.status
                    {
                        *crates = done;
                    }
                }
                Report::Finished(outcome) => {
                    let (event, library) = self.finished(outcome);
                    self.events.extend(event);
                    candidate = library.or(candidate);
                }
            }
        }
        if let Some((library, tried)) = candidate {
            self.probe(library, tried, trial());
        }
        while let Some(verdict) = self.prober.as_ref().and_then(|prober| prober.verdicts.try_recv().ok()) {
            let event = self.judged(verdict);
            self.events.extend(event);
        }
        let settled = self.doubts.iter().any(|(due, _)| Instant::now() >= *due);
        settled || !self.events.is_empty() || self.reload.is_some()
    }

    /// What was published, once the loader has it. It is waited for a moment: a frame would take longer.
    fn loaded_library(&mut self) -> Option<Result<Arc<Generation>, Refusal>> {
        let hotlib = self.hotlib.as_mut()?;
        let until = self.reload.map(|reload| reload.published + LOADS_WITHIN);
        loop {
            let loaded = hotlib.update();
            if loaded.is_some() || until.is_none_or(|until| Instant::now() > until) {
                return loaded;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// What a build came to; with a library if it is one to try.
    fn finished(&mut self, outcome: Outcome) -> (Option<Event>, Option<(Vec<u8>, Tried)>) {
        let before = std::mem::replace(&mut self.status, Status::Ready);
        let first = matches!(before, Status::FirstBuild { .. });
        self.last_build = Some(outcome.finished - outcome.saved);
        self.warnings = outcome.messages.iter().filter(|m| m.level == Level::Warning).cloned().collect();
        self.contract = outcome.contract;
        let library = match outcome.library {
            Ok(library) => library,
            Err(Failure::Build(cargo::Failure::Compile)) => {
                return (Some(Event::BuildFailed(outcome.messages)), None);
            }
            Err(Failure::Build(cargo::Failure::Cargo(why))) if first => {
                // No cargo here: one sentence, and the program's own code runs on.
                self.status = Status::Off(why.clone());
                return (Some(Event::Off(why)), None);
            }
            Err(Failure::Build(cargo::Failure::Cargo(why))) => {
                return (Some(Event::Refused(Refusal::Broken(why))), None);
            }
            Err(Failure::Gate(refusal)) => return (Some(Event::Refused(refusal)), None),
            Err(Failure::Panicked) => {
                let why = "the build panicked in this program: save again".into();
                return (Some(Event::Refused(Refusal::Broken(why))), None);
            }
        };
        // Of several saves before one swap, the first is the one that has waited longest.
        let waiting = self.tried.take().map(|tried| tried.saved).into_iter();
        let waiting = waiting.chain(self.reload.map(|reload| reload.saved));
        let saved = waiting.fold(outcome.saved, Instant::min);
        let hash = xxh3_64(&library);
        let tried = Tried { number: 0, hash, saved, built: outcome.finished };
        let running = self.hotlib.as_ref().and_then(HotLib::running);
        let known = self.refused.iter().find(|(refused, _)| *refused == hash).map(|(_, why)| why.clone());
        if running.is_none_or(|running| **running != library) && known.is_none() {
            return (None, Some((library, tried)));
        }
        // Nothing to try: what runs already, or what was refused before.
        self.prober.iter().for_each(|prober| _ = prober.give_up());
        match known {
            Some(refusal) => (Some(Event::Refused(refusal)), None),
            None => (self.publish(library, &tried, false), None),
        }
    }

    fn probe(&mut self, library: Vec<u8>, mut tried: Tried, trial: Trial) {
        let running = self.hotlib.as_ref().and_then(HotLib::running).cloned();
        let Some(prober) = &self.prober else { return };
        tried.number = prober.probe(library, running, trial);
        self.tried = Some(tried);
    }

    fn judged(&mut self, verdict: Verdict) -> Option<Event> {
        let tried = self.tried.take_if(|tried| tried.number == verdict.number)?;
        match verdict.library {
            Ok(library) => self.publish(library, &tried, verdict.small),
            Err(mut refusal) => {
                if let Refusal::ContractChanged(lines) = &mut refusal {
                    lines.clone_from(&self.contract);
                }
                if refusal.lasts() {
                    self.refused.push((tried.hash, refusal.clone()));
                }
                Some(Event::Refused(refusal))
            }
        }
    }

    fn publish(&mut self, library: Vec<u8>, tried: &Tried, small: bool) -> Option<Event> {
        let probed = Instant::now();
        match self.hotlib.as_mut()?.offer(library) {
            Ok(None) => {
                self.reload = None;
                Some(Event::Unchanged)
            }
            Ok(Some(published)) => {
                let (saved, built) = (tried.saved, tried.built);
                self.reload = Some(Reload { saved, built, probed, published, small });
                None
            }
            Err(refusal) => Some(Event::Refused(refusal)),
        }
    }

    /// Whether the last build was of another contract.
    pub fn contract_changed(&self) -> bool {
        !self.contract.is_empty()
    }

    /// Libraries that were loaded so far; all of them stay mapped.
    pub fn loaded(&self) -> u32 {
        self.hotlib.as_ref().map_or(0, HotLib::loaded)
    }

    /// Since when compiler, probe or loader work on a save; `None` when they rest.
    pub fn works_since(&self) -> Option<Instant> {
        let building = if let Status::Building { since, .. } = self.status { Some(since) } else { None };
        let tried = self.tried.as_ref().map(|tried| tried.saved);
        building.into_iter().chain(tried).chain(self.reload.map(|reload| reload.saved)).min()
    }

    /// Sleeps on the thread that polls, until then or until there is something to poll.
    pub fn idle(&self, until: Instant) {
        thread::park_timeout(until.saturating_duration_since(Instant::now()));
    }

    /// Bytes of all libraries that are mapped.
    pub fn mapped(&self) -> u64 {
        self.hotlib.as_ref().map_or(0, HotLib::mapped)
    }
}
