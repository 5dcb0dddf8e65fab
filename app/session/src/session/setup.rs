//! What is run: the scene, the file it comes from, and the cloths that were made of it.

use std::path::{Path, PathBuf};

use sim_api::SolverDesc;

use super::{animated_pins::AnimatedPins, surfaces::Surfaces};
use weft_core::{
    project::folder_of,
    state::{Blueprint, State},
};
use weft_engine::run::Params;
use weft_scene::{Scene, assemble::Object};

use crate::beside::params;

/// A scene and its objects, which always fit each other. It knows nothing of a state.
pub struct Setup {
    /// The scene as it runs: the file, `--set`, and what the panel changed since.
    pub(super) scene: Scene,
    /// The scene as last read from its file, and the text it was read from.
    pub(super) file: Scene,
    pub(super) text: String,
    path: PathBuf,
    /// Files that it includes.
    pub(super) included: Vec<PathBuf>,
    /// `--solver` and `--set`: laid over the file each time it is read.
    pub(super) overrides: Vec<(String, String)>,
    objects: Vec<Object>,
    pub(super) pins: AnimatedPins,
    /// Changes whenever the objects do.
    topology: u64,
    surfaces: Surfaces,
    /// Changes whenever the scene does.
    revision: u64,
}

impl Setup {
    /// `file` as read from `text` at `path`, and `scene` with what is laid over it.
    pub(super) fn new(path: PathBuf, file: Scene, text: String, scene: Scene) -> Self {
        Self {
            scene,
            file,
            text,
            path,
            included: Vec::new(),
            overrides: Vec::new(),
            objects: Vec::new(),
            pins: AnimatedPins::default(),
            topology: 0,
            surfaces: Surfaces::default(),
            revision: 1,
        }
    }

    /// Takes over the cloths that were made of the scene, with the tables they are in.
    pub(super) fn set_objects(&mut self, objects: Vec<Object>, blueprint: &Blueprint) {
        self.topology += u64::from(self.objects != objects);
        self.objects = objects;
        self.renew_pins(blueprint);
    }

    /// The same cloths with other pins.
    pub(super) fn renew_pins(&mut self, blueprint: &Blueprint) {
        self.pins = AnimatedPins::of(&self.scene, &self.objects, blueprint);
    }

    /// Another file, read from `text`; its objects are still to come.
    pub(super) fn replace(&mut self, path: &Path, file: Scene, text: String) {
        self.scene = file.clone();
        (self.file, self.text, self.path) = (file, text, path.to_path_buf());
        self.overrides.clear();
        self.topology += 1;
        self.revision += 1;
    }

    /// Another scene runs under the same file. Returns the one before.
    pub(super) fn exchange(&mut self, scene: Scene) -> Scene {
        self.revision += 1;
        std::mem::replace(&mut self.scene, scene)
    }

    /// Changes whenever the scene does, but for its solver.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What a report calls the scene, in one line: its title, or else its file.
    pub fn title(&self) -> String {
        let title = weft_core::text::one_line(&self.scene.title);
        if title.trim().is_empty() { self.path().display().to_string() } else { title }
    }

    /// The scene as last read from its file.
    pub fn file(&self) -> &Scene {
        &self.file
    }

    /// What that was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Fields that the command line set over the file's, and their values.
    pub fn overrides(&self) -> &[(String, String)] {
        &self.overrides
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the scene file: textures are looked up from here.
    pub fn folder(&self) -> &Path {
        folder_of(&self.path)
    }

    /// Files that the scene which runs is made of beside its own, from its folder: included scenes, textures, shapes.
    pub fn reads(&self) -> impl Iterator<Item = PathBuf> {
        let textures = self.scene.cloths.iter().map(|cloth| cloth.look.texture.as_str());
        let named = textures.chain(super::swap::shapes(&self.scene)).filter(|name| !name.is_empty());
        let included = self.included.iter().map(|file| file.strip_prefix(self.folder()).unwrap_or(file));
        named.map(Path::new).chain(included).map(Path::to_path_buf)
    }

    /// One for each cloth of the scene, in its order.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Changes whenever the surface of a cloth does.
    pub fn topology(&self) -> u64 {
        self.topology
    }

    /// Triangles of a cloth that are whole; indices from its first particle.
    pub fn triangles(&self, object: usize) -> &[[u32; 3]] {
        self.surfaces
            .of(object)
            .unwrap_or_else(|| self.objects.get(object).map_or(&[][..], |object| &object.triangles))
    }

    /// Of each particle of a list of strands, whether the segment that starts there is cut; empty: none is.
    pub fn cuts(&self, object: usize) -> &[bool] {
        self.surfaces.cuts(object)
    }

    /// Changes whenever [`Setup::triangles`] or [`Setup::cuts`] do and `topology` does not.
    pub fn surface_version(&self) -> u64 {
        self.surfaces.version()
    }

    /// Brings the surfaces in line with the broken threads.
    pub(super) fn update_surfaces(&mut self, state: &mut State) {
        self.surfaces.update(state, &self.objects, self.topology);
    }

    /// The solver that the scene asks for, if the code has it.
    pub(super) fn solver(&self, solvers: &'static [SolverDesc]) -> Option<&'static SolverDesc> {
        solvers.iter().find(|solver| solver.name.as_str() == self.scene.solver.name)
    }

    /// Values of its parameters that the scene gives and the code knows.
    pub(super) fn params(&self, solvers: &'static [SolverDesc]) -> Params {
        params(&self.scene.solver, solvers)
    }
}
