//! The scenes that the keys 1 to 9 and the panel offer: all files beside the one that runs.

use std::path::{Path, PathBuf};

use weft_core::{
    files,
    project::{self, Project},
};
use weft_session::{Options, rescue::Resume};

/// What `weft` opens without an argument.
pub fn first_scene() -> Result<PathBuf, String> {
    let project = Project::find()
        .ok_or("no scene given, and no source tree with a folder `scenes` here; try `weft FILE.ron`")?;
    let flag = project.scenes().join("flag.ron");
    let first =
        if flag.is_file() { Some(flag) } else { beside(&project.scenes().join("x")).into_iter().next() };
    first.ok_or_else(|| format!("{} holds no scene", project.scenes().display()))
}

/// Scene files in the folder of `scene`, sorted by name.
pub fn beside(scene: &Path) -> Vec<PathBuf> {
    let folder = project::folder_of(scene);
    let mut scenes = files::list(folder);
    scenes.retain(|path| path.extension().is_some_and(|end| end == "ron"));
    scenes.sort();
    scenes
}

/// The picture of a scene that the source tree has, if it has one: `pictures/SCENE.jpg` beside it.
pub fn picture(scene: &Path) -> Option<PathBuf> {
    let stem = scene.file_stem()?.to_string_lossy();
    let picture = project::folder_of(scene).join(format!("pictures/{stem}.jpg"));
    picture.is_file().then_some(picture)
}

/// A scene with large meshes is not waited for: the window opens with the first scene, and this one is asked for then.
/// What is laid over a scene is not laid over another.
pub fn wait_for(options: &mut Options, resume: &Resume) -> Option<PathBuf> {
    if resume.asked()
        || !options.overrides().is_empty()
        || weft_scene::unread_meshes(&options.scene).is_empty()
    {
        return None;
    }
    let first = first_scene().ok()?;
    Some(std::mem::replace(&mut options.scene, first))
}
