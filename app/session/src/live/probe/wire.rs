//! What host and child say to each other: frames of a length and a text in postcard, over the child's standard input
//! and output.

use std::{
    io::{self, Read, Write},
    path::PathBuf,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sim_api::{Hold, Wind, World};

use super::{Fault, TrialRun};
use weft_engine::run::{Params, RunImage};

use crate::live::Refusal;

/// Longest frame [bytes]; more is no frame of ours.
const LONGEST: u64 = 1 << 30;

/// Host to child, once. The bytes of each image's state follow, one frame each.
#[derive(Serialize, Deserialize)]
pub(super) struct Order {
    /// A file of its own; `None`: the code that is linked in.
    pub library: Option<PathBuf>,
    pub runs: Vec<OrderedRun>,
    /// Steps of each run.
    pub steps: u32,
    /// Also one step on the small cloth of every second of the other solvers, from this one on.
    pub others: Option<usize>,
    /// Most memory that the process may map [bytes].
    pub memory: u64,
}

/// A [`TrialRun`] as it crosses.
#[derive(Serialize, Deserialize)]
pub(super) struct OrderedRun {
    pub solver: String,
    pub params: Params,
    /// With an empty state: it follows.
    pub image: Option<RunImage>,
    pub dt: f32,
    #[serde(with = "WorldText")]
    pub world: World,
    /// Particle and place [m].
    holds: Vec<(u32, [f32; 3])>,
}

impl OrderedRun {
    pub(super) fn of(run: &TrialRun) -> Self {
        let without_state = |image: &RunImage| RunImage {
            solver: image.solver.clone(),
            params: image.params.clone(),
            frame: image.frame,
            time: image.time,
            state: Vec::new(),
        };
        Self {
            solver: run.solver.clone(),
            params: run.params.clone(),
            image: run.image.as_ref().map(without_state),
            dt: run.dt,
            world: run.world,
            holds: run.holds.iter().map(|hold| (hold.particle, hold.begin)).collect(),
        }
    }

    pub(super) fn holds(&self) -> Vec<Hold> {
        self.holds.iter().map(|&(particle, at)| Hold { particle, begin: at, end: at }).collect()
    }
}

/// Host to child, after [`Say::Done`]: the values of a state column after a step.
#[derive(Serialize, Deserialize)]
pub(super) struct Ask {
    /// Counted over the steps that were checked, from 0.
    pub step: usize,
    /// Counted over the state columns, from 0.
    pub column: usize,
}

/// Child to host.
#[derive(Serialize, Deserialize)]
pub(super) enum Say {
    /// It waits for an order.
    Ready,
    /// The contract was read.
    Loaded(Result<(), Refusal>),
    /// What it does next; if it is never heard of again, this was it.
    Trying(Place),
    /// The step is done: the hash of each state column.
    Stepped(Vec<u64>),
    Failed(Fault),
    Done,
    Column(Values),
}

/// Which step of which solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Place {
    pub solver: String,
    /// In the order; `None`: a solver that does not run.
    pub run: Option<usize>,
    /// From 1.
    pub step: u32,
}

/// A column's rows.
#[derive(Serialize, Deserialize)]
pub(super) struct Values {
    /// `table.column`.
    pub column: String,
    /// Bytes of a row.
    pub size: usize,
    /// Whether they are f32, else u32.
    pub float: bool,
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "World")]
struct WorldText {
    gravity: [f32; 3],
    air_damping: f32,
    #[serde(with = "WindText")]
    wind: Wind,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Wind")]
struct WindText {
    velocity: [f32; 3],
    coefficient: f32,
    gust: f32,
    gust_length: f32,
}

pub(super) fn send(to: &mut impl Write, what: &impl Serialize) -> io::Result<()> {
    send_bytes(to, &postcard::to_stdvec(what).map_err(io::Error::other)?)
}

pub(super) fn send_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// The next frame; an error at the end.
pub(super) fn receive(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // What is promised need not come.
    let mut bytes = Vec::with_capacity((length as usize).min(1 << 20));
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Reads frame after frame as all that host and child can say: what a broken child does to the program.
pub fn read_all(mut bytes: &[u8]) {
    while let Ok(frame) = receive(&mut bytes) {
        let _ = (read::<Say>(&frame), read::<Order>(&frame), read::<Ask>(&frame));
    }
}

pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    postcard::from_bytes(bytes).map_err(io::Error::other)
}
