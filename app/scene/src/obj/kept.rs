//! Files of meshes that were read before: a save of the scene does not read them again, as long as somebody holds what came
//! of them and the file is as it was.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::SystemTime,
};

use super::{Fault, Surface};
use crate::solid::Solid;

/// When a file was written, and its size.
pub type Stamp = (SystemTime, u64);

/// What came of a file.
#[derive(Clone)]
pub enum Made {
    Surface(Arc<Surface>),
    Solid(Arc<Solid>),
    Fault(Arc<Fault>),
}

struct Kept {
    path: PathBuf,
    stamp: Stamp,
    surface: Weak<Surface>,
    solid: Weak<Solid>,
    fault: Weak<Fault>,
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

fn find<T>(path: &Path, of: impl Fn(&Kept) -> Option<T>) -> Option<T> {
    let stamp = stamp(path)?;
    with(|kept| kept.iter().filter(|one| one.path == path && one.stamp == stamp).find_map(of))
}

/// `Err`: it was read, and cannot be used.
pub fn surface(path: &Path) -> Option<Result<Arc<Surface>, Fault>> {
    find(path, |kept| kept.surface.upgrade().map(Ok).or_else(|| Some(Err((*kept.fault.upgrade()?).clone()))))
}

/// As [`surface`].
pub fn solid(path: &Path) -> Option<Result<Arc<Solid>, Fault>> {
    find(path, |kept| kept.solid.upgrade().map(Ok).or_else(|| Some(Err((*kept.fault.upgrade()?).clone()))))
}

/// Remembers what came of a file that was read at `stamp`.
pub fn keep(path: &Path, stamp: Option<Stamp>, made: &Made) {
    let Some(stamp) = stamp else { return };
    let mut one =
        Kept { path: path.to_owned(), stamp, surface: Weak::new(), solid: Weak::new(), fault: Weak::new() };
    match made {
        Made::Surface(surface) => one.surface = Arc::downgrade(surface),
        Made::Solid(solid) => one.solid = Arc::downgrade(solid),
        Made::Fault(fault) => one.fault = Arc::downgrade(fault),
    }
    with(|kept| {
        let held =
            |one: &Kept| one.surface.strong_count() + one.solid.strong_count() + one.fault.strong_count();
        kept.retain(|one| held(one) > 0);
        kept.push(one);
    });
}
