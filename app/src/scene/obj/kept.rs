//! Files of meshes that were read before: a save of the scene does not read them again, as long as some scene holds what
//! came of them and the file is as it was.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::SystemTime,
};

use super::Surface;
use crate::solid::Solid;

/// When a file was written, and its size.
type Stamp = (SystemTime, u64);

struct Kept {
    path: PathBuf,
    stamp: Stamp,
    surface: Weak<Surface>,
    solid: Weak<Solid>,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// `None`: there is no such file, or its time is not known.
pub fn stamp(path: &Path) -> Option<Stamp> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

fn with<T>(look: impl FnOnce(&mut Vec<Kept>) -> T) -> T {
    look(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner))
}

fn find<T>(path: &Path, of: impl Fn(&Kept) -> Option<Arc<T>>) -> Option<Arc<T>> {
    let stamp = stamp(path)?;
    with(|kept| kept.iter().filter(|one| one.path == path && one.stamp == stamp).find_map(of))
}

pub fn surface(path: &Path) -> Option<Arc<Surface>> {
    find(path, |kept| kept.surface.upgrade())
}

pub fn solid(path: &Path) -> Option<Arc<Solid>> {
    find(path, |kept| kept.solid.upgrade())
}

/// Remembers what came of a file that was read at `stamp`.
pub fn keep(path: &Path, stamp: Option<Stamp>, surface: Weak<Surface>, solid: Weak<Solid>) {
    let Some(stamp) = stamp else { return };
    with(|kept| {
        kept.retain(|one| one.surface.strong_count() + one.solid.strong_count() > 0);
        kept.push(Kept { path: path.to_owned(), stamp, surface, solid });
    });
}
