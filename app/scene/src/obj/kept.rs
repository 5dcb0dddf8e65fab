//! The meshes and strands of a scene's files as they were read: a program that is started again goes on with them where a
//! file is broken or gone.

use std::{path::Path, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Fault, Surface, locks::Locks, read_all, solid::Solid};
use crate::{ColliderShape, Roots, Scene, Shape};

/// By the name of the file in the scene.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct KeptMeshes {
    surfaces: Vec<(String, Arc<Surface>)>,
    solids: Vec<(String, Arc<Solid>)>,
    locks: Vec<(String, Arc<Locks>)>,
}

impl PartialEq for KeptMeshes {
    /// Whether they are the same in memory: comparing all values would take longer than it may spare.
    fn eq(&self, other: &Self) -> bool {
        fn same<T>(one: &[(String, Arc<T>)], two: &[(String, Arc<T>)]) -> bool {
            let mut pairs = one.iter().zip(two);
            one.len() == two.len() && pairs.all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
        }
        same(&self.surfaces, &other.surfaces)
            && same(&self.solids, &other.solids)
            && same(&self.locks, &other.locks)
    }
}

impl KeptMeshes {
    /// Those of these scenes, each file once.
    pub fn of<'a>(scenes: impl IntoIterator<Item = &'a Scene>) -> Self {
        let mut kept = Self::default();
        for scene in scenes {
            for cloth in &scene.cloths {
                if let Shape::Mesh { file, surface: Some(Ok(surface)), .. } = &cloth.shape {
                    add(&mut kept.surfaces, file, surface);
                }
            }
            for collider in &scene.colliders {
                if let ColliderShape::Mesh { file, solid: Some(Ok(solid)), .. } = &collider.shape {
                    add(&mut kept.solids, file, solid);
                }
            }
            for strands in &scene.strands {
                if let Roots::File { file, locks: Some(Ok(locks)), .. } = &strands.roots {
                    add(&mut kept.locks, file, locks);
                }
            }
        }
        kept
    }

    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && self.solids.is_empty() && self.locks.is_empty()
    }

    /// Reads the files of a scene as [`read_all`] does; what cannot be read is as it was.
    pub(crate) fn read_all(&self, scene: &mut Scene, folder: &Path) {
        read_all(scene, folder);
        for cloth in &mut scene.cloths {
            if let Shape::Mesh { file, surface: Some(surface @ Err(_)), .. } = &mut cloth.shape {
                stand_in(surface, &self.surfaces, file);
            }
        }
        for collider in &mut scene.colliders {
            if let ColliderShape::Mesh { file, solid: Some(solid @ Err(_)), .. } = &mut collider.shape {
                stand_in(solid, &self.solids, file);
            }
        }
        for strands in &mut scene.strands {
            if let Roots::File { file, locks: Some(locks @ Err(_)), .. } = &mut strands.roots {
                stand_in(locks, &self.locks, file);
            }
        }
    }
}

fn add<T>(list: &mut Vec<(String, Arc<T>)>, file: &str, made: &Arc<T>) {
    if !list.iter().any(|(known, _)| known == file) {
        list.push((file.to_string(), Arc::clone(made)));
    }
}

fn stand_in<T>(made: &mut Result<Arc<T>, Fault>, kept: &[(String, Arc<T>)], file: &str) {
    if let Some((_, kept)) = kept.iter().find(|(known, _)| known == file) {
        *made = Ok(Arc::clone(kept));
    }
}
