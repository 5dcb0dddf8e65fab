//! The page around the window in a browser: what it asks for, and what it is told, both as JSON.
//!
//! The page writes bytes into [`weft_room`], and says with [`weft_put`] or [`weft_ask`] what they are; answers and news come
//! through its function `weft_tell`, files and pictures to keep through `weft_keep` and `weft_keep_picture`.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};

use weft_core::{files, say};

/// What the page asks for.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// A scene file that was put before.
    Open(PathBuf),
    Solver(String),
    Pause(bool),
    /// Pauses, steps so often and tells the hash of the state.
    Steps(u64),
    /// Starts the scene again.
    Reset,
    /// Tells the scene as it runs, so that a link can hold it.
    Link,
    /// Where the camera is: target x, y, z, distance, yaw, pitch and field of view.
    Camera([f32; 7]),
    /// Hands the cloth's surface over as an OBJ file.
    Mesh,
    /// The same for the whole state, named by scene and frame.
    State,
    /// Goes on from a state whose file was put before, by its name.
    LoadState(String),
    /// Begins a film, or ends it.
    Film,
    /// Hands a picture over, without the panel.
    Picture,
    /// Puts a picture, a path as scenes write it, on all cloths.
    Texture(String),
}

/// What the page is told.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Told<'a> {
    /// The scene and its solver, whenever they are others.
    Scene {
        path: &'a Path,
        title: &'a str,
        text: &'a str,
        solver: &'a str,
        solvers: Vec<&'a str>,
    },
    Notice {
        kind: &'a str,
        text: &'a str,
        good: bool,
    },
    /// What keeps a saved scene or shader from running, with file, line and column; none: all runs.
    Problems(Vec<(String, String)>),
    /// `ms` is that of a step; `beside` are the runs that are shown beside this one.
    Hash {
        frame: u64,
        hash: String,
        ms: f64,
        threads: usize,
        beside: usize,
    },
    Link {
        scene: String,
        path: &'a Path,
        frame: u64,
        camera: [f32; 7],
    },
}

static ROOM: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ASKED: Mutex<Vec<Asked>> = Mutex::new(Vec::new());

fn lock<T>(of: &'static Mutex<T>) -> MutexGuard<'static, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory for what the page hands over next.
#[unsafe(no_mangle)]
extern "C" fn weft_room(bytes: usize) -> *mut u8 {
    let mut room = lock(&ROOM);
    room.clear();
    room.resize(bytes, 0);
    room.as_mut_ptr()
}

/// A file: its path in so many bytes, then what is in it.
#[unsafe(no_mangle)]
extern "C" fn weft_put(path: usize) {
    let room = std::mem::take(&mut *lock(&ROOM));
    let (path, bytes) = room.split_at(path.min(room.len()));
    files::put(Path::new(&*String::from_utf8_lossy(path)), bytes);
}

/// One of [`Asked`].
#[unsafe(no_mangle)]
extern "C" fn weft_ask() {
    let room = std::mem::take(&mut *lock(&ROOM));
    match serde_json::from_slice(&room) {
        Ok(asked) => lock(&ASKED).push(asked),
        Err(why) => say::warn(format_args!("the page asks for what is not known: {why}")),
    }
}

/// A file that was written, for who looks at the page to keep.
pub(crate) fn keep(path: &Path) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    keep_bytes(&name, &files::read(path).unwrap_or_default());
}

/// The same of one that is not read again: its name stays taken.
pub(crate) fn hand_over(path: &Path) {
    keep(path);
    let _ = files::replace(path, &[]);
}

/// The same of what is in no file.
pub(crate) fn keep_bytes(name: &str, bytes: &[u8]) {
    unsafe extern "C" {
        fn weft_keep(name: *const u8, length: usize, content: *const u8, bytes: usize);
    }
    // SAFETY: both are alive meanwhile.
    unsafe { weft_keep(name.as_ptr(), name.len(), bytes.as_ptr(), bytes.len()) }
}

/// A picture, RGBA rows from the top: the browser makes a file of it.
pub(crate) fn keep_picture(path: &Path, pixels: &[u8], width: u32) {
    unsafe extern "C" {
        fn weft_keep_picture(name: *const u8, length: usize, pixels: *const u8, bytes: usize, width: u32);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // SAFETY: both are alive meanwhile.
    unsafe { weft_keep_picture(name.as_ptr(), name.len(), pixels.as_ptr(), pixels.len(), width) }
    let _ = files::replace(path, &[]);
}

/// Panics are told as lines; miniquad's own hook would write less of them.
pub(crate) fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| say::warn(panic)));
}

/// What was asked for since the last call.
pub(crate) fn asked() -> Vec<Asked> {
    std::mem::take(&mut lock(&ASKED))
}

pub(crate) fn tell(told: &Told<'_>) {
    unsafe extern "C" {
        fn weft_tell(json: *const u8, bytes: usize);
    }
    let json = serde_json::to_vec(told).unwrap_or_default();
    // SAFETY: the text is alive meanwhile.
    unsafe { weft_tell(json.as_ptr(), json.len()) }
}

/// Of this file and of the page's script.
#[unsafe(no_mangle)]
extern "C" fn weft_crate_version() -> u32 {
    1
}

/// The scene that was asked for first, else the one that the program opens by itself. What was asked for after it waits.
pub(crate) fn first() -> PathBuf {
    let mut scene = PathBuf::from("scenes/flag.ron");
    for asked in asked() {
        match asked {
            Asked::Open(path) => scene = path,
            later => lock(&ASKED).push(later),
        }
    }
    scene
}
