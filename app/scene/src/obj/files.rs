//! The files of the meshes of a scene: read where the scene is, or beforehand because they are large.
//!
//! A save of the scene does not read them again, as long as somebody holds what came of them and the file is as it was.

use std::{
    any::Any,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use weft_core::files::{Stamp, stamp};

use super::{
    Fault, Progress, Surface, locks, read,
    solid::Solid,
    work::{LARGE, Work},
};
use crate::{ColliderShape, Roots, Scene, Shape, peek};

/// Of all parts of the work, those that read and check end at this share; a solid needs the rest.
pub(super) const CHECKED: f32 = 0.45;

/// What came of a file: a [`Surface`], a [`Solid`], [`locks::Locks`] or a [`Fault`].
type Made = dyn Any + Send + Sync;

static KEPT: Mutex<Vec<(PathBuf, Stamp, Weak<Made>)>> = Mutex::new(Vec::new());

/// What came of the file as it is now, if somebody holds it.
pub(super) fn kept<T: Any + Send + Sync>(path: &Path) -> Option<Arc<T>> {
    let now = stamp(path)?;
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut same = kept.iter().filter(|(other, stamp, _)| other == path && *stamp == now);
    same.find_map(|(.., made)| made.upgrade()?.downcast().ok())
}

/// Remembers what came of a file that was read at `stamp`.
fn keep(path: &Path, stamp: Option<Stamp>, made: &Arc<Made>) {
    let Some(stamp) = stamp else { return };
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.retain(|(.., made)| made.strong_count() > 0);
    kept.push((path.to_owned(), stamp, Arc::downgrade(made)));
}

/// Remembers what came of a file that was read at `stamp`, as long as somebody holds it.
pub(super) fn remember<T: Any + Send + Sync>(path: &Path, stamp: Option<Stamp>, made: &Arc<T>) {
    keep(path, stamp, &(Arc::clone(made) as Arc<Made>));
}

/// Reads the files of all meshes and strands of a scene; they are looked up in `folder`.
pub fn read_all(scene: &mut Scene, folder: &Path) {
    let work = Work::default();
    for cloth in &mut scene.cloths {
        if let Shape::Mesh { file, surface, .. } = &mut cloth.shape {
            *surface = Some(surface_of(file, folder, &work));
        }
    }
    for collider in &mut scene.colliders {
        if let ColliderShape::Mesh { file, solid, .. } = &mut collider.shape {
            *solid = Some(solid_of(file, folder, &work));
        }
    }
    for strands in &mut scene.strands {
        let Roots::File { file, .. } = &strands.roots else { continue };
        let read = locks::of(file, folder, strands, &work);
        if let Roots::File { locks, .. } = &mut strands.roots {
            *locks = Some(read);
        }
    }
}

fn surface_of(file: &str, folder: &Path, work: &Work) -> Result<Arc<Surface>, Fault> {
    made(file, folder, work, false, |surface, progress| {
        progress.ready(&format!("{} triangles", surface.triangles.len()));
        Ok(surface)
    })
}

fn solid_of(file: &str, folder: &Path, work: &Work) -> Result<Arc<Solid>, Fault> {
    made(file, folder, work, true, |surface, progress| {
        let solid = Solid::new(&surface, progress)?;
        progress.ready(&format!("{} faces", solid.corners.len()));
        Ok(solid)
    })
}

fn made<T: Any + Send + Sync>(
    file: &str,
    folder: &Path,
    work: &Work,
    solid: bool,
    make: impl FnOnce(Surface, &mut Progress) -> Result<T, Fault>,
) -> Result<Arc<T>, Fault> {
    let path = folder.join(file);
    if let Some(fault) = kept::<Fault>(&path) {
        return Err((*fault).clone());
    }
    if let Some(made) = kept(&path) {
        return Ok(made);
    }
    let stamp = stamp(&path);
    let bytes = stamp.map_or(0, |(_, bytes)| bytes);
    let mut progress = Progress::new(work, file, bytes, if solid { 1.0 } else { CHECKED });
    let surface = read(file, folder, solid, &mut progress)?;
    let made = Arc::new(make(surface, &mut progress)?);
    remember(&path, stamp, &made);
    Ok(made)
}

/// Large files of meshes that are to be read, and what came of them.
#[derive(Default)]
pub struct MeshFiles {
    folder: PathBuf,
    /// Whether a collider is to be made of it.
    files: Vec<(String, bool)>,
    /// What came of them; a file that is read again while this is held is not read again.
    made: Vec<Arc<Made>>,
}

/// Large meshes of the scene in a file that were not read yet; none if it cannot be read, which is said elsewhere.
pub fn unread_meshes(path: &Path) -> MeshFiles {
    let folder = weft_core::project::folder_of(path).to_path_buf();
    let Some(scene) = peek(path) else { return MeshFiles::default() };
    let cloths = scene.cloths.iter().filter_map(|cloth| match &cloth.shape {
        Shape::Mesh { file, .. } => Some((file.clone(), false)),
        _ => None,
    });
    let colliders = scene.colliders.iter().filter_map(|collider| match &collider.shape {
        ColliderShape::Mesh { file, .. } => Some((file.clone(), true)),
        _ => None,
    });
    let unread = |(file, solid): &(String, bool)| {
        let path = folder.join(file);
        let known = if *solid { kept::<Solid>(&path).is_some() } else { kept::<Surface>(&path).is_some() };
        stamp(&path).is_some_and(|(_, bytes)| bytes > LARGE) && !known && kept::<Fault>(&path).is_none()
    };
    let files = cloths.chain(colliders).filter(unread).collect();
    MeshFiles { folder, files, made: Vec::new() }
}

impl MeshFiles {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads them, which takes seconds, or less where `work` is left.
    pub fn read(&mut self, work: &Work) {
        for (file, solid) in &self.files {
            let path = self.folder.join(file);
            let stamp = stamp(&path);
            let made = if *solid {
                solid_of(file, &self.folder, work).map(|solid| solid as Arc<Made>)
            } else {
                surface_of(file, &self.folder, work).map(|surface| surface as Arc<Made>)
            };
            if work.is_left() {
                return;
            }
            self.made.push(made.unwrap_or_else(|fault| {
                let fault: Arc<Made> = Arc::new(fault);
                keep(&path, stamp, &fault);
                fault
            }));
        }
    }
}
