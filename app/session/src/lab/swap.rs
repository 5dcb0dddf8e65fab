//! Another scene under a running state: what can be kept is kept, bit for bit.

use crate::readings;
use std::time::Instant;

use sim_api::Class;

use super::{Lab, Notice, Polled, colliders::Drag, device::Change, options};
use weft_core::state::{Blueprint, Column, State};
use weft_scene::{
    Fate, Scene,
    assemble::{self, Assembly, Object},
};

use crate::handles::Handles;

impl Lab {
    /// The scene file was saved.
    pub(super) fn reload_scene(&mut self, saved: Instant, polled: &mut Polled) {
        match std::fs::metadata(&self.scene_path) {
            // Editors empty a file before they write it, or rename a new one into its place: another event follows.
            Ok(file) if file.len() > 0 => {}
            _ => return,
        }
        match self.reads_ahead(saved) {
            Ok(false) => {}
            Ok(true) => return,
            Err(why) => return polled.notices.push(Notice::bad("scene", why)),
        }
        polled.notices.push(match self.load_scene() {
            Ok(None) => return,
            Ok(Some((what, view_changed))) => {
                polled.view_changed |= view_changed;
                Notice::good(
                    "scene",
                    format!("{what}, {:.0} ms after the save", saved.elapsed().as_secs_f64() * 1e3),
                )
            }
            Err(line) => Notice::bad("scene", format!("{line} (the last good scene runs on)")),
        });
    }

    /// Reads the file again; `None` if nothing in it changed. The flag says whether the camera did.
    fn load_scene(&mut self) -> Result<Option<(String, bool)>, String> {
        let known = readings::vocabulary(&self.run.generation);
        let loaded = weft_scene::load(&self.scene_path, &known).and_then(|loaded| {
            let mut wanted = loaded.scene.clone();
            if self.file.solver.name == wanted.solver.name && self.scene.solver.name != wanted.solver.name {
                // The solver chosen in the window stays as long as the file does not ask for another.
                wanted.solver = self.scene.solver.clone();
            }
            super::cut::keep(&mut wanted, &self.scene);
            options::lay_over(&mut wanted, &self.overrides, &known, &self.folder())
                .map_err(|why| loaded.refuse(why))?;
            Ok((loaded, wanted))
        });
        let (loaded, wanted) = match loaded {
            Ok(loaded) => loaded,
            Err(errors) => {
                let line = errors.one_line();
                self.problems.scene = Some(errors);
                return Err(line);
            }
        };
        let had_problem = self.problems.scene.take().is_some();
        self.problems.pending = loaded.pending;
        let file_changes = weft_scene::diff(&self.file, &loaded.scene);
        self.file = loaded.scene;
        if file_changes.iter().any(|change| change.class >= weft_scene::Class::Rescale) {
            self.run.log.extend(loaded.notes);
        }
        let changes = weft_scene::diff(&self.scene, &wanted);
        if changes.is_empty() {
            return Ok(had_problem.then(|| ("mended, nothing changed".to_string(), false)));
        }
        let view_changed = file_changes.iter().any(|change| change.path.starts_with("camera"));
        let reset = self.apply(wanted)?;
        let names: Vec<&str> = changes.iter().map(|change| change.path.as_str()).take(4).collect();
        let more = if changes.len() > 4 { ", …" } else { "" };
        let reset =
            if reset.is_empty() { String::new() } else { format!("; {} starts again", reset.join(", ")) };
        Ok(Some((format!("{} change(s): {}{more}{reset}", changes.len(), names.join(", ")), view_changed)))
    }

    /// Opens another scene file from its start; on an error the present one runs on.
    pub fn open_scene(&mut self, path: &std::path::Path) -> Result<(), String> {
        let known = readings::vocabulary(&self.run.generation);
        let loaded = weft_scene::load(path, &known).map_err(|errors| errors.one_line())?;
        let Assembly { blueprint, objects } = assemble::assemble(&loaded.scene);
        let state = State::build(&self.run.generation.schema, &blueprint)?;
        self.grab = None;
        (self.file, self.scene) = (loaded.scene.clone(), loaded.scene);
        self.scene_path = path.to_path_buf();
        self.overrides.clear();
        self.problems = super::Problems {
            build: std::mem::take(&mut self.problems.build),
            shaders: std::mem::take(&mut self.problems.shaders),
            passes: std::mem::take(&mut self.problems.passes),
            device: self.problems.device.take(),
            pending: loaded.pending,
            ..super::Problems::default()
        };
        self.run.log.extend(loaded.notes);
        self.drags = vec![Drag::default(); self.scene.colliders.len()];
        (self.run.frame, self.run.time) = (0, 0.0);
        self.topology += 1;
        self.install(state, blueprint, objects);
        self.use_solver();
        self.paused = false;
        self.live.watch_scene(path);
        Ok(())
    }

    /// Makes `scene` the running one. Returns the cloths that start again.
    pub fn apply(&mut self, scene: Scene) -> Result<Vec<String>, String> {
        let changes = weft_scene::diff(&self.scene, &scene);
        let in_tables = |change: &weft_scene::Change| {
            change.path.starts_with("cloths") || change.path.starts_with("colliders")
        };
        let old = std::mem::replace(&mut self.scene, scene);
        let mut reset = Vec::new();
        if changes.iter().any(in_tables) {
            self.catch_up();
            match self.rebuild(&old) {
                Ok(names) => reset = names,
                Err(why) => {
                    self.scene = old;
                    return Err(why);
                }
            }
        }
        self.use_solver();
        Ok(reset)
    }

    /// Brings the tables in line with `self.scene`: new values under the same rows, or new rows into which the state
    /// of every cloth that goes on is carried.
    fn rebuild(&mut self, old: &Scene) -> Result<Vec<String>, String> {
        let Assembly { blueprint, objects } = assemble::assemble(&self.scene);
        let fate = |object: &Object| weft_scene::fate(old, &self.scene, &object.id);
        let ids = |scene: &Scene| scene.colliders.iter().map(|body| body.id.clone()).collect::<Vec<_>>();
        let goes_on = |object: &Object| fate(object) == Fate::Kept;
        if self.objects == objects
            && objects.iter().all(goes_on)
            && ids(old) == ids(&self.scene)
            && self.run.blueprint.same_rows(&blueprint)
        {
            self.carry_drags(old);
            let before = colliders(&self.run.state);
            self.run.state.refresh(&blueprint);
            self.run.blueprint = blueprint;
            self.carry_bodies(old, &before);
            self.handles = Handles::of(&self.scene, &self.objects, &self.run.blueprint);
            self.place_colliders();
            self.restart_twin();
            self.device_replaced(Change::Given);
            return Ok(Vec::new());
        }

        let mut state = State::build(&self.run.generation.schema, &blueprint)?;
        let mut reset = Vec::new();
        for object in &objects {
            let before = self.objects.iter().find(|before| before.id == object.id);
            match before {
                Some(before) if goes_on(object) => carry(&self.run.state, before, &mut state, object),
                _ => reset.push(object.id.clone()),
            }
        }
        self.release();
        self.carry_drags(old);
        let before = colliders(&self.run.state);
        self.run.state = state;
        self.carry_bodies(old, &before);
        let state = std::mem::take(&mut self.run.state);
        self.install(state, blueprint, objects);
        Ok(reset)
    }

    fn install(&mut self, state: State, blueprint: Blueprint, objects: Vec<Object>) {
        if self.objects != objects {
            self.topology += 1;
        }
        self.forget();
        self.told = super::crowded::Told::default();
        (self.run.state, self.run.blueprint, self.objects) = (state, blueprint, objects);
        self.handles = Handles::of(&self.scene, &self.objects, &self.run.blueprint);
        self.settle();
        self.device_replaced(Change::Tables);
    }

    /// A collider that was dragged stays where it is, unless the file moved it.
    fn carry_drags(&mut self, old: &Scene) {
        let drag = |body: &weft_scene::Collider| {
            let before = old.colliders.iter().position(|before| before.id == body.id)?;
            let same = old.colliders[before].at == body.at && old.colliders[before].motion == body.motion;
            self.drags.get(before).copied().filter(|_| same)
        };
        self.drags = self.scene.colliders.iter().map(|body| drag(body).unwrap_or_default()).collect();
    }
}

/// The table of colliders alone.
fn colliders(state: &State) -> State {
    State { tables: state.table("collider").cloned().into_iter().collect(), torn: None }
}

/// Copies what a cloth is in the middle of: the state columns of its rows, parked ones too.
fn carry(from: &State, before: &Object, to: &mut State, now: &Object) {
    for table in &from.tables {
        let Some(target) = to.table_mut(&table.name) else { continue };
        let (Some(rows), Some(into)) = (before.rows(&table.name), now.rows(&table.name)) else { continue };
        if rows.len() != into.len() {
            continue;
        }
        let old_rows = rows_by_scene(&table.coloring.order, rows);
        let new_rows = rows_by_scene(&target.coloring.order, into);
        let state = |column: &&Column| column.class == Class::State;
        for column in table.columns.iter().filter(state) {
            let fits = |out: &&mut Column| out.class == Class::State && out.element == column.element;
            if let Some(out) = target.column_mut(&column.name).filter(fits) {
                // The inverse mass in w is the scene's; the position is the run's.
                let position = table.name == "particle" && column.name == "position";
                let keep = if position { 12 } else { column.element.size() };
                copy_rows(column, &old_rows, out, &new_rows, keep);
            }
        }
        for column in &table.parked {
            let same = |other: &Column| other.name == column.name && other.element == column.element;
            if !target.parked.iter().any(same) {
                target.parked.push(Column::new(
                    &column.name,
                    column.element,
                    column.class,
                    target.rows + target.dead,
                ));
            }
            if let Some(out) = target.parked.iter_mut().find(|other| same(other)) {
                copy_rows(column, &old_rows, out, &new_rows, column.element.size());
            }
        }
    }
}

/// Copies the first `keep` bytes of each row.
fn copy_rows(from: &Column, old_rows: &[usize], to: &mut Column, new_rows: &[usize], keep: usize) {
    let size = from.element.size();
    let (source, target) = (from.bytes(), to.bytes_mut());
    for (&a, &b) in old_rows.iter().zip(new_rows) {
        target[b * size..b * size + keep].copy_from_slice(&source[a * size..a * size + keep]);
    }
}

/// Where each of the scene's rows stands in a table that is sorted by colour.
fn rows_by_scene(order: &[u32], rows: std::ops::Range<usize>) -> Vec<usize> {
    if order.is_empty() {
        return rows.collect();
    }
    let mut place = vec![0; rows.len()];
    for (row, &scene_row) in order.iter().enumerate() {
        if rows.contains(&(scene_row as usize)) {
            place[scene_row as usize - rows.start] = row;
        }
    }
    place
}
