//! What a recording holds. Every number of a frame that has a name stands in a column; a number that has no meaning in a
//! frame is NaN there, never 0.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What kind of number a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Time of a stage of the frame [ms].
    Stage,
    /// When the stage of the same name began, since the frame did [ms].
    Begin,
    /// Time of a stage inside the step, summed over it [ms].
    Inner,
    /// Of a stage inside the step the time that one of several threads was at work [ms]; named by [`thread_name`].
    Thread,
    /// Time by the device's own clock [ms].
    Device,
    /// A number about the run after the step, in its column's unit.
    Reading,
}

/// A column of numbers, one a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub kind: Kind,
    pub name: String,
    /// `1` where it has none.
    pub unit: String,
}

impl Column {
    pub fn new(kind: Kind, name: &str, unit: &str) -> Self {
        Self { kind, name: name.to_string(), unit: unit.to_string() }
    }
}

/// One frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Steps done since the last reset. A frame that was drawn without one has the number of the frame before.
    pub number: u64,
    /// Simulated time [s].
    pub time_s: f64,
    /// End of the frame since the start of the program [ms].
    pub at_ms: f64,
    /// From the end of the frame before to the end of this one [ms].
    pub wall_ms: f64,
    pub particles: u64,
    pub constraints: u64,
    /// By [`Recording::columns`]; NaN where there is no such number.
    pub values: Vec<f64>,
}

/// Something that happened before the frame at hand ended: a reload, a scene, a shader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Such as `reload`, `scene`, `shader`.
    pub kind: String,
    pub text: String,
    /// Steps done by then.
    pub frame: u64,
    /// Since the start of the program [ms].
    pub at_ms: f64,
}

impl Event {
    /// Kinds of what is saved while a session runs and comes under its cloth; refused, the kind says so.
    pub const SAVED: [&str; 5] = ["reload", "scene", "shader", "pass", "texture"];

    /// Whether something else went on from there.
    pub fn is_swap(&self) -> bool {
        Self::SAVED.contains(&self.kind.as_str()) || self.kind == "rollback"
    }
}

/// Where a recording was made. What is not known is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    pub os: String,
    pub cpu: String,
    /// Logical processors.
    pub cores: usize,
    /// What decides on the processor's clock, such as `performance`.
    pub governor: String,
    /// Adapter of the GPU path and its driver.
    pub gpu: String,
}

/// The program that made it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Build {
    pub version: String,
    /// Folder of the program inside `target`, such as `release`.
    pub profile: String,
    pub debug_assertions: bool,
    /// Commit of the program's source tree, `-dirty` behind it if files were changed.
    pub git: String,
}

/// What one has to know of a run to compare it with another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Head {
    pub machine: Machine,
    pub build: Build,
    /// As it was given on the command line.
    pub scene: String,
    pub scene_text: String,
    /// xxh3-64 of the text, in hex.
    pub scene_hash: String,
    /// xxh3-64 in hex of each file that the scene reads (included scenes, meshes, textures, strands), by its name; empty for one
    /// that cannot be read. `None` in recordings of before.
    pub reads: Option<std::collections::BTreeMap<String, String>>,
    /// Fields of the scene that the command line set, as `path=value`.
    pub overrides: Vec<String>,
    pub solver: String,
    /// Values of the solver's parameters, by name.
    pub params: std::collections::BTreeMap<String, String>,
    /// Threads of the solver.
    pub threads: usize,
    /// `cpu` or `gpu`: where it ran.
    pub path: String,
    /// Of the hot code; 0 is what the program was built with.
    pub generation: u32,
    /// xxh3-64 of the hot code's library, in hex; empty for generation 0.
    pub library_hash: String,
    /// Start of the recording since 1970 [s].
    pub time_unix: Option<f64>,
}

/// A recording that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    pub file: PathBuf,
    /// Empty for a CSV, which has none.
    pub head: Head,
    pub columns: Vec<Column>,
    pub frames: Vec<Frame>,
    pub events: Vec<Event>,
    /// What a replay needs: records by kind, as the session wrote them.
    pub tape: Vec<(u8, Vec<u8>)>,
    /// What of the file could not be read.
    pub note: Option<String>,
}

impl Recording {
    /// Index of a column.
    pub fn column(&self, kind: Kind, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.kind == kind && column.name == name)
    }

    /// Numbers of a column, frame by frame; NaN where there is none.
    pub fn values(&self, column: usize) -> impl Iterator<Item = f64> {
        self.frames.iter().map(move |frame| frame.values.get(column).copied().unwrap_or(f64::NAN))
    }

    /// Everything that has a time in each frame [ms], by the name that tables use: `frame`, its stages, `step.NAME`
    /// inside the step, `gpu.NAME` by the device's clock.
    pub fn times(&self) -> Vec<(String, Vec<f64>)> {
        let mut times = vec![("frame".to_string(), self.frames.iter().map(|frame| frame.wall_ms).collect())];
        for kind in [Kind::Stage, Kind::Inner, Kind::Device] {
            let of_kind = self.columns.iter().enumerate().filter(|(_, column)| column.kind == kind);
            times.extend(of_kind.map(|(i, column)| (title(column), self.values(i).collect())));
        }
        times
    }

    /// Name of the scene's file without its folder; empty if it is not known.
    pub fn scene_name(&self) -> String {
        let name = Path::new(&self.head.scene).file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// The name of a column of [`Kind::Thread`]: a stage inside the step, and a thread from 1 on.
pub fn thread_name(stage: &str, thread: usize) -> String {
    format!("{stage}.thread{thread}")
}

/// The same read back.
pub(crate) fn thread_of(name: &str) -> Option<(&str, usize)> {
    let (stage, thread) = name.rsplit_once(".thread")?;
    thread.parse().ok().filter(|thread| (1..=4096).contains(thread)).map(|thread| (stage, thread))
}

/// The name of a column that is a time, as in tables and in the head of a CSV.
pub fn title(column: &Column) -> String {
    match column.kind {
        Kind::Inner | Kind::Thread => format!("step.{}", column.name),
        Kind::Device => format!("gpu.{}", column.name),
        Kind::Begin => format!("{} begin", column.name),
        Kind::Stage | Kind::Reading => column.name.clone(),
    }
}
