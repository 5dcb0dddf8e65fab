//! Scene files under a running session: one that was saved, and another one.

use std::path::Path;

use weft_core::{clock::Instant, files};

use crate::{
    live::{Event, Look, gone},
    readings,
};

use super::{Drag, Notice, Polled, Problems, Session, options, undo::paths};
use weft_core::state::State;
use weft_scene::{
    ColliderShape, Diagnostic, Roots, Scene, SceneErrors, Shape, Vocabulary,
    assemble::{self, Assembly},
};

impl Session {
    /// The scene file was saved.
    pub(super) fn reload_scene(&mut self, saved: Instant, polled: &mut Polled) {
        let path = self.setup.path().to_path_buf();
        match self.live.look(&path) {
            Look::Gone(what) => return self.lose_scene(&path, what, polled),
            // Editors empty a file before they write it, or rename a new one into its place.
            Look::Unsettled if files::size(&path).is_none_or(|bytes| bytes == 0) => {
                return self.live.again(Event::Scene(path, saved));
            }
            Look::Unsettled | Look::Settled => {}
        }
        match self.reads_async(saved) {
            Ok(false) => {}
            Ok(true) => return,
            Err(why) => return polled.notices.push(Notice::bad("scene", why)),
        }
        polled.notices.push(match self.load_scene() {
            Ok(None) => return,
            Ok(Some((what, view_changed))) => {
                polled.view_changed |= view_changed;
                let text = format!("{what}, {:.0} ms after the save", saved.elapsed().as_secs_f64() * 1e3);
                let waits = "it waits for code that takes it, the last good value stays";
                match self.pending() {
                    Some(errors) => Notice {
                        more: errors.below(),
                        ..Notice::bad("scene", format!("{text}; {} ({waits})", errors.one_line()))
                    },
                    None => Notice::good("scene", text),
                }
            }
            Err(line) => {
                let below = self.report.problems.scene.as_ref().map(SceneErrors::below);
                let line = format!("{line} (the last good scene runs on)");
                Notice { more: below.unwrap_or_default(), ..Notice::bad("scene", line) }
            }
        });
    }

    /// There is nothing to read where the scene was; said once.
    fn lose_scene(&mut self, path: &Path, what: &str, polled: &mut Polled) {
        let errors = SceneErrors::of_file(path, gone(what));
        let line = errors.one_line();
        if self.report.problems.scene.as_ref().is_some_and(|told| told.one_line() == line) {
            return;
        }
        self.report.problems.scene = Some(errors);
        polled.notices.push(Notice::bad("scene", format!("{line} (the last good scene runs on)")));
    }

    /// Reads the file again; `None` if nothing in it changed. The flag says whether the camera did.
    fn load_scene(&mut self) -> Result<Option<(String, bool)>, String> {
        let known = readings::vocabulary(&self.engine.run().generation);
        let loaded = weft_scene::load(self.setup.path(), &known).and_then(|loaded| {
            let mut wanted = loaded.scene.clone();
            let setup = &self.setup;
            if setup.file.solver.name == wanted.solver.name && setup.scene.solver.name != wanted.solver.name {
                // The solver chosen in the window stays as long as the file does not ask for another.
                wanted.solver = setup.scene.solver.clone();
            }
            keep_params(&mut wanted, &setup.scene, &loaded.pending, &known);
            super::cut::keep(&mut wanted, &setup.scene);
            options::lay_over(&mut wanted, &setup.overrides, &known, setup.folder())
                .map_err(|why| loaded.refuse(why))?;
            Ok((loaded, wanted))
        });
        let (loaded, wanted) = match loaded {
            Ok(loaded) => loaded,
            Err(_) if self.is_unsettled() => {
                let path = self.setup.path().to_path_buf();
                self.live.again(Event::Scene(path, Instant::now()));
                return Ok(None);
            }
            Err(errors) => {
                let line = errors.one_line();
                self.report.problems.scene = Some(errors);
                // A file that it includes may be what is mended.
                self.watch_files();
                return Err(line);
            }
        };
        let had_problem = self.report.problems.scene.take().is_some();
        let waited = std::mem::replace(&mut self.report.problems.pending, loaded.pending);
        let file_changes = weft_scene::diff(&self.setup.file, &loaded.scene);
        let unwritten = weft_scene::diff(&self.setup.file, &self.setup.scene);
        (self.setup.file, self.setup.text) = (loaded.scene, loaded.text);
        self.watch_files();
        // At once: a session that is paused makes no step that would bring its log.
        let new = self.report.new_notes(loaded.notes);
        new.into_iter().for_each(|note| self.report.notice(Notice::good("log", note)));
        let changes = weft_scene::diff(&self.setup.scene, &wanted);
        if changes.is_empty() {
            let what = if had_problem { "mended, nothing changed" } else { "nothing changed" };
            let pending = &self.report.problems.pending;
            let said = had_problem || !pending.is_empty() && *pending != waited;
            return Ok(said.then(|| (what.to_string(), false)));
        }
        let view_changed = file_changes.iter().any(|change| change.path.starts_with("camera"));
        let own = |path: &str| {
            waited.iter().all(|one| one.path != path) && unwritten.iter().any(|own| own.path == path)
        };
        let lost = changes.iter().any(|change| own(&change.path));
        self.undo.rebase(&file_changes, &self.setup.file);
        if lost {
            let mut before = self.setup.scene.clone();
            let of_file = paths(&file_changes).filter(|path| unwritten.iter().all(|own| own.path != *path));
            weft_scene::carry(of_file, &wanted, &mut before);
            self.undo.note("a save", &before);
        }
        let reset = self.apply(wanted)?;
        let names: Vec<&str> = changes.iter().map(|change| change.path.as_str()).take(4).collect();
        let more = if changes.len() > 4 { ", …" } else { "" };
        let reset =
            if reset.is_empty() { String::new() } else { format!("; {} starts again", reset.join(", ")) };
        let lost = if lost { "; of the panel, too: undo brings that back" } else { "" };
        let names = names.join(", ");
        Ok(Some((format!("{} change(s): {names}{more}{reset}{lost}", changes.len()), view_changed)))
    }

    /// Parameters that the present code does not take.
    fn pending(&self) -> Option<SceneErrors> {
        let (setup, pending) = (&self.setup, self.report.problems.pending.clone());
        let errors = SceneErrors::new(setup.path().display().to_string(), setup.text.clone(), pending);
        Some(errors).filter(|errors| !errors.list.is_empty())
    }

    /// Whether the scene's file, or one that it includes, may be half of what it will be.
    fn is_unsettled(&mut self) -> bool {
        let Self { live, setup, .. } = self;
        let mut files = setup.included.iter().map(|file| &**file).chain([setup.path()]);
        files.any(|file| live.look(file) == Look::Unsettled)
    }

    /// Opens another scene file from its start; on an error, which may have several lines, the present one runs on.
    pub fn open_scene(&mut self, path: &Path) -> Result<(), String> {
        let known = readings::vocabulary(&self.engine.run().generation);
        let loaded = weft_scene::load(path, &known).map_err(|errors| errors.to_string())?;
        let Assembly { blueprint, objects } = assemble::assemble(&loaded.scene);
        let state = State::build(&self.engine.run().generation.schema, &blueprint)?;
        self.hand.drop_grab();
        self.hand.drags = vec![Drag::default(); loaded.scene.colliders.len()];
        self.undo.clear();
        self.jumped("a scene was opened");
        // Where neither lists any, those that somebody chose go on in the new scene.
        let listed = !self.setup.scene.runs.is_empty() || !loaded.scene.runs.is_empty();
        self.setup.replace(path, loaded.scene, loaded.text);
        let problems = std::mem::take(&mut self.report.problems).of_other_scene();
        self.report.problems = Problems { pending: loaded.pending, ..problems };
        self.tell_notes(loaded.notes);
        self.engine.run_mut().set_time(0, 0.0);
        self.install(state, blueprint, objects);
        self.use_solver();
        if listed {
            self.follow_list();
        }
        self.paused = false;
        self.watch_files();
        Ok(())
    }

    /// Notes on the scene that was read: once for its text, however often it is opened.
    pub(super) fn tell_notes(&mut self, notes: Vec<String>) {
        let new = self.report.notes_are_new(self.setup.path(), &self.setup.text, &notes);
        self.report.new_notes(notes.clone());
        self.engine.run_mut().log.extend(notes.into_iter().filter(|_| new));
    }

    /// Watches the folders of all files of the scene.
    pub(super) fn watch_files(&mut self) {
        self.setup.included = weft_scene::included(self.setup.path());
        let (folder, file) = (self.setup.folder().to_path_buf(), &self.setup.file);
        let textures = file.cloths.iter().map(|cloth| cloth.look.texture.as_str());
        let names = textures.chain(shapes(file)).filter(|name| !name.is_empty());
        let names = names.map(|name| folder.join(name));
        self.live.watch_scene(self.setup.path(), names.chain(self.setup.included.iter().cloned()));
    }

    /// What a file has become, as far as its editor may be done with it.
    pub fn look(&mut self, file: &Path) -> Look {
        self.live.look(file)
    }

    /// A save that nobody could use yet is looked at once more in a moment.
    pub fn look_again(&mut self, event: Event) {
        self.live.again(event);
    }
}

/// Files that hold the shape of a cloth, of a collider or of strands, as the scene names them.
pub(super) fn shapes(scene: &Scene) -> impl Iterator<Item = &str> {
    let cloths = scene.cloths.iter().filter_map(|cloth| match &cloth.shape {
        Shape::Mesh { file, .. } => Some(file.as_str()),
        _ => None,
    });
    let colliders = scene.colliders.iter().filter_map(|collider| match &collider.shape {
        ColliderShape::Mesh { file, .. } => Some(file.as_str()),
        _ => None,
    });
    let strands = scene.strands.iter().filter_map(|strands| match &strands.roots {
        Roots::File { file, .. } => Some(file.as_str()),
        _ => None,
    });
    cloths.chain(colliders).chain(strands)
}

/// A value that the present code does not take waits for code that does: until then that of before stays, or there is none. A
/// parameter that it does not know does nothing.
fn keep_params(wanted: &mut Scene, now: &Scene, pending: &[Diagnostic], known: &Vocabulary) {
    let choice = &mut wanted.solver;
    let Some(solver) = known.solvers.iter().find(|solver| solver.name == choice.name) else { return };
    for param in &solver.params {
        let path = format!("solver.params.{}", param.name);
        if !pending.iter().any(|one| one.path == path) {
            continue;
        }
        match now.solver.params.get(&param.name).filter(|_| now.solver.name == choice.name) {
            Some(good) => choice.params.insert(param.name.clone(), good.clone()),
            None => choice.params.remove(&param.name),
        };
    }
}
