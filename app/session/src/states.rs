//! States by name: everything a session is in the middle of, as files that the user keeps. The format is that of autosaves
//! (`autosave.rs`), without code: the present one goes on with them.

use std::{path::PathBuf, time::Duration};

use weft_core::{files, project::Project};

use crate::{
    autosave::{Autosave, WindowState},
    places, rescue,
    session::Session,
};

/// A file with a state.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedState {
    pub name: String,
    /// Since it was saved.
    pub age: Duration,
}

/// All, by name.
pub fn list(project: Option<&Project>) -> Vec<SavedState> {
    let folder = places::states(project);
    let names = places::state_names(project).into_iter();
    names
        .filter_map(|name| Some(SavedState { age: files::age(&folder.join(format!("{name}.weft")))?, name }))
        .collect()
}

/// Saves the session under a name; one of that name is written over. Returns the file.
pub fn save(session: &mut Session, name: &str, window: Option<WindowState>) -> Result<PathBuf, String> {
    let file = places::state(session.project(), name)?;
    let folder = places::states(session.project());
    files::make_folder(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    rescue::write_state(session, &file, window)?;
    Ok(file)
}

/// Goes on from a state with the present code, in its own scene. Returns what the window looked like. On an error the session is
/// as it was.
pub fn load(session: &mut Session, name: &str) -> Result<Option<WindowState>, String> {
    let file = places::find_state(session.project(), name)?;
    let saved = Autosave::read(&file).map_err(|why| format!("state {name}: {why}"))?;
    session.load_state(&saved).map_err(|why| format!("state {name}: {why}"))?;
    Ok(saved.window)
}

/// Deletes a state and what lies beside it.
pub fn delete(session: &Session, name: &str) -> Result<(), String> {
    let file = places::state(session.project(), name)?;
    files::remove(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    places::remove(&file);
    Ok(())
}
