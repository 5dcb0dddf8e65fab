//! Another scene under a running state: what can be kept is kept, bit for bit.

use std::time::Instant;

use super::{Lab, Notice, Polled, options};
use crate::{
    assemble::{self, Assembly, Object},
    scene::{self, Class, Fate, Scene},
    state::{Blueprint, State},
};

impl Lab {
    /// The scene file was saved.
    pub(super) fn reload_scene(&mut self, saved: Instant, polled: &mut Polled) {
        match std::fs::metadata(&self.scene_path) {
            // Editors empty a file before they write it, or rename a new one into its place: another event follows.
            Ok(file) if file.len() > 0 => {}
            _ => return,
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

    /// Reads the file again; `None` if nothing in it changed. The flag says whether camera or light did.
    fn load_scene(&mut self) -> Result<Option<(String, bool)>, String> {
        let infos = assemble::solver_infos(self.run.generation.solvers());
        let loaded = match scene::load(&self.scene_path, &infos) {
            Ok(loaded) => loaded,
            Err(errors) => {
                let line = errors.one_line();
                self.problems.scene = Some(errors);
                return Err(line);
            }
        };
        let had_problem = self.problems.scene.take().is_some();
        self.problems.pending = loaded.pending;
        let file_changes = scene::diff(&self.file, &loaded.scene);
        let mut wanted = loaded.scene.clone();
        if self.file.solver == loaded.scene.solver {
            // The solver chosen in the window stays as long as the file does not ask for another.
            wanted.solver = self.scene.solver.clone();
        }
        options::apply_overrides(&mut wanted, &self.overrides, &infos)?;
        self.file = loaded.scene;
        let changes = scene::diff(&self.scene, &wanted);
        let view_changed = file_changes
            .iter()
            .any(|change| change.path.starts_with("camera") || change.path.starts_with("light"));
        if changes.is_empty() && file_changes.is_empty() {
            return Ok(had_problem.then(|| ("mended, nothing changed".to_string(), false)));
        }
        let reset = self.apply(wanted)?;
        let names: Vec<&str> = changes.iter().map(|change| change.path.as_str()).take(4).collect();
        let more = if changes.len() > 4 { ", …" } else { "" };
        let reset =
            if reset.is_empty() { String::new() } else { format!("; {} starts again", reset.join(", ")) };
        Ok(Some((format!("{} change(s): {}{more}{reset}", changes.len(), names.join(", ")), view_changed)))
    }

    /// Opens another scene file from its start; on an error the present one runs on.
    pub fn open_scene(&mut self, path: &std::path::Path) -> Result<(), String> {
        let infos = assemble::solver_infos(self.run.generation.solvers());
        let loaded = scene::load(path, &infos).map_err(|errors| {
            let line = errors.one_line();
            self.problems.scene = Some(errors);
            line
        })?;
        let Assembly { blueprint, objects } = assemble::assemble(&loaded.scene);
        let state = State::build(&self.run.generation.schema, &blueprint)?;
        self.grab = None;
        (self.file, self.scene) = (loaded.scene.clone(), loaded.scene);
        self.scene_path = path.to_path_buf();
        self.overrides.clear();
        self.problems = super::Problems {
            build: std::mem::take(&mut self.problems.build),
            shaders: std::mem::take(&mut self.problems.shaders),
            pending: loaded.pending,
            ..super::Problems::default()
        };
        self.dragged = vec![glam::Vec3::ZERO; self.scene.colliders.len()];
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
        let changes = scene::diff(&self.scene, &scene);
        let touches_tables = |path: &str| path.starts_with("cloths") || path.starts_with("colliders");
        let only_values = changes.iter().all(|c| c.class == Class::Live && !touches_tables(&c.path));
        let old = std::mem::replace(&mut self.scene, scene);
        let mut reset = Vec::new();
        if !only_values || changes.is_empty() {
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

    /// Builds the tables of `self.scene` and carries over the state of every cloth that goes on.
    fn rebuild(&mut self, old: &Scene) -> Result<Vec<String>, String> {
        self.release();
        let Assembly { blueprint, objects } = assemble::assemble(&self.scene);
        let fates: Vec<Fate> =
            self.scene.cloths.iter().map(|cloth| scene::fate(old, &self.scene, &cloth.id)).collect();
        let mut state = State::build(&self.run.generation.schema, &blueprint)?;
        let mut reset = Vec::new();
        for (object, fate) in objects.iter().zip(&fates) {
            let before = self.objects.iter().find(|before| before.id == object.id);
            match before {
                Some(before) if *fate == Fate::Kept => carry(&self.run.state, before, &mut state, object),
                _ => reset.push(object.id.clone()),
            }
        }
        self.carry_drags(old);
        self.install(state, blueprint, objects);
        Ok(reset)
    }

    fn install(&mut self, state: State, blueprint: Blueprint, objects: Vec<Object>) {
        let same_surface = self.objects == objects;
        (self.run.state, self.run.blueprint, self.objects) = (state, blueprint, objects);
        if !same_surface {
            self.topology += 1;
        }
        self.place_colliders();
        self.previous = self.positions().to_vec();
        self.read();
    }

    /// A collider that was dragged stays where it is, unless the file moved it.
    fn carry_drags(&mut self, old: &Scene) {
        let offset = |body: &scene::Collider| {
            let before = old.colliders.iter().position(|before| before.id == body.id)?;
            let same = old.colliders[before].at == body.at && old.colliders[before].motion == body.motion;
            self.dragged.get(before).copied().filter(|_| same)
        };
        self.dragged = self.scene.colliders.iter().map(|body| offset(body).unwrap_or_default()).collect();
    }
}

/// Copies what a cloth is in the middle of: its particles' state, and state columns of its rows that no scene fills.
fn carry(from: &State, before: &Object, to: &mut State, now: &Object) {
    for table in &from.tables {
        let Some(target) = to.table_mut(&table.name) else { continue };
        let (rows, into) = match table.name.as_str() {
            "particle" => (before.particles.clone(), now.particles.clone()),
            "distance" => (before.distances.clone(), now.distances.clone()),
            _ => continue,
        };
        if rows.len() != into.len() {
            continue;
        }
        let old_rows = rows_by_scene(&table.coloring.order, rows);
        let new_rows = rows_by_scene(&target.coloring.order, into);
        for column in table.columns.iter().filter(|column| column.class == sim_api::Class::State) {
            let of_the_scene = matches!(
                (table.name.as_str(), column.name.as_str()),
                ("particle", "mass")
                    | ("distance", "idx" | "rest" | "compliance" | "damping" | "kind" | "object")
            );
            let Some(out) = target.column_mut(&column.name).filter(|out| out.element == column.element)
            else {
                continue;
            };
            if of_the_scene {
                continue;
            }
            // The inverse mass in w is the scene's; the position is the run's.
            let keep = if table.name == "particle" && column.name == "position" {
                12
            } else {
                column.element.size()
            };
            let size = column.element.size();
            let (source, target) = (column.bytes(), out.bytes_mut());
            for (&a, &b) in old_rows.iter().zip(&new_rows) {
                target[b * size..b * size + keep].copy_from_slice(&source[a * size..a * size + keep]);
            }
        }
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
