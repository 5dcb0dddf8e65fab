//! Another scene under a running state: what can be kept is kept, bit for bit.

use crate::{on_device, tape::Input};

use super::{Session, carry::carry, colliders::carry_bodies, seats, self_collision::Reported};
use weft_core::state::{Blueprint, Span, State};
use weft_scene::{
    Change, Edit, Fate, Scene,
    assemble::{self, Assembly, Object},
};

impl Session {
    /// Makes `scene` the running one. Returns the cloths that start again.
    pub fn apply(&mut self, scene: Scene) -> Result<Vec<String>, String> {
        let changes = weft_scene::diff(&self.setup.scene, &scene);
        if weft_scene::KeptMeshes::of([&scene]).is_empty() {
            self.note(|| Input::Scene {
                file: weft_scene::write(&self.setup.file),
                scene: weft_scene::write(&scene),
            });
        } else {
            // Its meshes are no text.
            self.jumped("the scene was changed");
        }
        self.exchange(scene, &changes)
    }

    /// Puts a value into a field of the scene, by its path with ids. Returns the cloths that start again.
    pub fn edit(&mut self, path: &str, value: &Edit) -> Result<Vec<String>, String> {
        let mut scene = self.setup.scene.clone();
        match weft_scene::edit(&mut scene, path, value) {
            Some(change) => {
                self.note(|| Input::Edit { path: path.to_string(), value: value.clone() });
                self.undo.note(path, &self.setup.scene);
                self.exchange(scene, &[change])
            }
            None => Ok(Vec::new()),
        }
    }

    fn exchange(&mut self, mut scene: Scene, changes: &[Change]) -> Result<Vec<String>, String> {
        scene.origin = self.setup.scene.origin;
        let old = self.setup.exchange(scene);
        let (setup, run) = (&self.setup, self.engine.run_mut());
        let spans = assemble::refill(&old, &setup.scene, changes, setup.objects(), &mut run.blueprint);
        let reset = if let Some(spans) = spans {
            self.refresh_rows(&spans);
            Ok(Vec::new())
        } else {
            self.read_all();
            self.rebuild(&old)
        };
        if reset.is_err() {
            self.setup.exchange(old);
        }
        self.use_solver();
        if reset.is_ok() && changes.iter().any(|change| change.path.starts_with("runs")) {
            self.follow_list();
        }
        reset
    }

    /// Brings rows of the tables in line with the blueprint, wherever they are.
    fn refresh_rows(&mut self, spans: &[Span]) {
        if spans.is_empty() {
            return;
        }
        if let Some(scope) = self.engine.moves_beside(spans) {
            self.read(scope);
        }
        if let Err(why) = self.engine.refresh_rows(spans) {
            self.device_failed(&why);
        }
        self.restart_beside();
    }

    /// Brings the tables in line with the scene: new values under the same rows, or new rows into which the state of every
    /// cloth that goes on is carried.
    fn rebuild(&mut self, old: &Scene) -> Result<Vec<String>, String> {
        let scene = &self.setup.scene;
        let mut ids =
            scene.cloths.iter().map(|cloth| &cloth.id).chain(scene.strands.iter().map(|own| &own.id));
        if !ids.any(|id| weft_scene::fate(old, scene, id) == Fate::Kept) {
            self.setup.scene.choose_origin();
        }
        let scene = &self.setup.scene;
        let Assembly { blueprint, objects } = assemble::assemble(scene);
        let fate = |object: &Object| weft_scene::fate(old, scene, &object.id);
        let ids = |scene: &Scene| scene.colliders.iter().map(|body| body.id.clone()).collect::<Vec<_>>();
        let goes_on = |object: &Object| fate(object) == Fate::Kept;
        let run = self.engine.run_mut();
        let seats = seats::by_name(old, scene, &seats::ends(&run.state));
        if self.setup.objects() == objects
            && objects.iter().all(goes_on)
            && ids(old) == ids(scene)
            && run.blueprint.same_rows(&blueprint)
        {
            let before = colliders(&run.state);
            run.state.refresh(&blueprint);
            run.blueprint = blueprint.packed();
            self.hand.carry_drags(old, scene);
            carry_bodies(scene, old, &before, &mut run.state);
            self.setup.renew_pins(&run.blueprint);
            self.place_colliders();
            self.carry_seated(&seats, |_| true);
            self.restart_beside();
            self.engine.refresh(on_device::Change::Given);
            return Ok(Vec::new());
        }

        let mut state = State::build(&run.generation.schema, &blueprint)?;
        let mut reset = Vec::new();
        for object in &objects {
            let before = self.setup.objects().iter().find(|before| before.id == object.id);
            match before {
                Some(before) if goes_on(object) => carry(&run.state, before, &mut state, object),
                _ => reset.push(object.id.clone()),
            }
        }
        self.release();
        self.hand.carry_drags(old, &self.setup.scene);
        carry_bodies(&self.setup.scene, old, &colliders(&self.engine.run().state), &mut state);
        self.install(state, blueprint, objects);
        self.carry_seated(&seats, |strands| !reset.contains(&strands.id));
        Ok(reset)
    }

    /// Goes on with other tables.
    pub(super) fn install(&mut self, state: State, blueprint: Blueprint, objects: Vec<Object>) {
        self.forget();
        self.report.self_collision = Reported::default();
        self.setup.set_objects(objects, &blueprint);
        let run = self.engine.run_mut();
        (run.state, run.blueprint) = (state, blueprint.packed());
        self.settle();
        self.engine.refresh(on_device::Change::Tables);
    }
}

/// The table of colliders alone.
fn colliders(state: &State) -> State {
    let mut colliders = State::default();
    colliders.tables.extend(state.table("collider").cloned());
    colliders
}
