//! The files of the meshes of a scene: read where the scene is, or beforehand because they are large.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Fault, Progress, Surface,
    kept::{self, Made},
    read,
    work::LARGE,
};
use crate::{ColliderShape, Scene, Shape, peek, solid::Solid};

/// Of all parts of the work, those that read and check end at this share; a solid needs the rest.
pub const CHECKED: f32 = 0.45;

/// Reads the files of all meshes of a scene; they are looked up in `folder`.
pub fn read_all(scene: &mut Scene, folder: &Path) {
    for cloth in &mut scene.cloths {
        if let Shape::Mesh { file, surface, .. } = &mut cloth.shape {
            *surface = Some(surface_of(file, folder));
        }
    }
    for collider in &mut scene.colliders {
        if let ColliderShape::Mesh { file, solid, .. } = &mut collider.shape {
            *solid = Some(solid_of(file, folder));
        }
    }
}

fn surface_of(file: &str, folder: &Path) -> Result<Arc<Surface>, Fault> {
    let path = folder.join(file);
    if let Some(kept) = kept::surface(&path) {
        return kept;
    }
    let stamp = kept::stamp(&path);
    let mut progress = Progress::of(file, bytes(stamp), CHECKED);
    let surface = Arc::new(read(file, folder, false, &mut progress)?);
    kept::keep(&path, stamp, &Made::Surface(Arc::clone(&surface)));
    progress.ready(&format!("{} triangles", surface.triangles.len()));
    Ok(surface)
}

fn solid_of(file: &str, folder: &Path) -> Result<Arc<Solid>, Fault> {
    let path = folder.join(file);
    if let Some(kept) = kept::solid(&path) {
        return kept;
    }
    let stamp = kept::stamp(&path);
    let mut progress = Progress::of(file, bytes(stamp), 1.0);
    let surface = read(file, folder, true, &mut progress)?;
    let solid = Arc::new(Solid::with_progress(&surface, &mut progress));
    kept::keep(&path, stamp, &Made::Solid(Arc::clone(&solid)));
    progress.ready(&format!("{} faces", solid.corners.len()));
    Ok(solid)
}

fn bytes(stamp: Option<kept::Stamp>) -> u64 {
    stamp.map_or(0, |(_, bytes)| bytes)
}

/// Large files of meshes that are to be read, and what came of them.
#[derive(Default)]
pub struct MeshFiles {
    folder: PathBuf,
    surfaces: Vec<String>,
    solids: Vec<String>,
    /// What came of them; a file that is read again while this is held is not read again.
    made: Vec<Made>,
}

/// Large meshes of the scene in a file that were not read yet; none if it cannot be read, which is said elsewhere.
pub fn unread_meshes(path: &Path) -> MeshFiles {
    let folder = weft_core::project::folder_of(path).to_path_buf();
    let mut files = MeshFiles { folder, ..MeshFiles::default() };
    let Some(scene) = peek(path) else { return files };
    let large = |file: &str| bytes(kept::stamp(&files.folder.join(file))) > LARGE;
    for cloth in &scene.cloths {
        if let Shape::Mesh { file, .. } = &cloth.shape
            && large(file)
            && kept::surface(&files.folder.join(file)).is_none()
        {
            files.surfaces.push(file.clone());
        }
    }
    for collider in &scene.colliders {
        if let ColliderShape::Mesh { file, .. } = &collider.shape
            && large(file)
            && kept::solid(&files.folder.join(file)).is_none()
        {
            files.solids.push(file.clone());
        }
    }
    files
}

impl MeshFiles {
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && self.solids.is_empty()
    }

    /// Reads them, which takes seconds.
    pub fn read(&mut self) {
        for file in &self.surfaces {
            let stamp = kept::stamp(&self.folder.join(file));
            let made = surface_of(file, &self.folder).map(Made::Surface);
            self.made.push(self.held(file, stamp, made));
        }
        for file in &self.solids {
            let stamp = kept::stamp(&self.folder.join(file));
            let made = solid_of(file, &self.folder).map(Made::Solid);
            self.made.push(self.held(file, stamp, made));
        }
    }

    fn held(&self, file: &str, stamp: Option<kept::Stamp>, made: Result<Made, Fault>) -> Made {
        made.unwrap_or_else(|fault| {
            let made = Made::Fault(Arc::new(fault));
            kept::keep(&self.folder.join(file), stamp, &made);
            made
        })
    }
}
