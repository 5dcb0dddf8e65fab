//! Everything from outside that changes what is computed. A new kind of input is a variant here, a call of
//! `Session::note` where it comes in, and an arm in `Session::take_input` that does it again by the same function.

use serde::{Deserialize, Serialize};

use crate::drag::Drag;
use weft_gpu::GpuOptions;
use weft_scene::Edit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// The hand picks up what of an object is within `radius` [m] of `at` [m].
    Grab {
        object: usize,
        at: [f32; 3],
        radius: f32,
    },
    /// It goes there [m].
    MoveGrab {
        target: [f32; 3],
    },
    Release,
    /// It moves a collider [m]; at once if the session is paused.
    DragCollider {
        collider: usize,
        by: [f32; 3],
        paused: bool,
    },
    /// It turns a collider about its own place, by a unit quaternion.
    TurnCollider {
        collider: usize,
        by: [f32; 4],
        paused: bool,
    },
    /// These rows of the table `thread` break.
    Cut {
        threads: Vec<u32>,
    },
    /// Another solver, with the parameters of the file.
    Solver {
        name: String,
    },
    /// A parameter of the solver, in its declared unit.
    Param {
        name: String,
        value: f32,
    },
    /// A field of the scene, such as `wind.velocity`.
    Edit {
        path: String,
        value: Edit,
    },
    /// Another scene under the running state: a save, an undo. As text, with the file it comes from.
    Scene {
        file: String,
        scene: String,
    },
    /// Back to the start of the scene.
    Reset,
    /// Other code: the number of its generation, and its hash; 0 is the code of the program.
    Code {
        number: u32,
        hash: u64,
    },
    /// Another pass of `shaders/sim`.
    Pass {
        file: String,
    },
    /// The GPU path is asked for, or left.
    Path {
        gpu: Option<GpuOptions>,
    },
    /// The next step is one of a loop, and gets what an earlier one got from the hand.
    Repeat(Repeated),
}

/// What the hand did in a step that is repeated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repeated {
    /// Where the hand had each collider, and where it wanted it.
    pub drags: Vec<Drag>,
    /// Particles, and their way: begin and end [m].
    pub holds: Vec<(u32, [[f32; 3]; 2])>,
}
