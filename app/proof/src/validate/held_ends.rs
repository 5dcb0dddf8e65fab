//! V21: a straight rod that is clamped at both ends, one of which is turned: it bends to an arc, or twists, evenly.
//!
//! 24 segments; of the joints those at the clamps have half a length, so half of the turn. The moment at the root is E I th / L or
//! G J th / L. Scenes in `scenes/validate/`: a collider takes the tip along and turns it.

use glam::{DQuat, DVec3};
use weft_core::state::{State, col};

use super::{Miss, Trial, scenes};
use crate::expect::Bounds;

const FRAMES: usize = 360;
const PARTS: usize = 24;

const NO_RIGIDITY: &str = "the bending of PBD is no rigidity";
const SHRUNK: &str =
    "rows that bend edges told by their rest length shrink them, by a share of the square of a joint's turn";
const SLACK: &str = "it does not bend: nothing but lengths is kept";
const NO_TWIST: &str = "it has no frames, so that no segment feels that the tip is twisted";

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let (framed, stiff) = (trial.about.taken("segment").is_some(), trial.about.reads_compliance());
    let bent = match (framed, stiff) {
        (_, true) => None,
        (true, false) => Some(SLACK),
        (false, false) => Some(NO_RIGIDITY),
    };
    let twisted = if framed { bent } else { Some(NO_TWIST) };
    let shrunk = if framed { None } else { Some(SHRUNK) };
    for (scene, what, degrees, unable, moment_off) in [
        ("bent_rod", "bending by 60 degrees", 60.0_f64, bent, shrunk),
        ("twisted_rod", "twist by 90 degrees", 90.0, twisted, None),
    ] {
        let mut session = scenes::open(trial, scene, Vec::new())?;
        for _ in 0..FRAMES {
            session.step().map_err(|error| error.to_string())?;
        }
        let twist = scene == "twisted_rod";
        let (off, moment) = turns(session.read_all(), twist, degrees.to_radians());
        let known = unable.or_else(|| trial.known(&[]));
        let reading = format!("{what}: joints off an even turn, RMS [degrees]");
        trial.judge(reading, Bounds::at_most(0.02), off.to_degrees(), known);
        let right = if twist { "G J th / L" } else { "E I th / L" };
        let reading = format!("{what}: moment at the root by {right}");
        trial.judge(reading, Bounds::within(1.0, 1e-3), moment, known.or(moment_off));
    }
    Ok(())
}

/// Root mean square of what joints are turned by less the even turn [rad], and the moment of the first by that of the even turn.
fn turns(state: &State, twist: bool, turn: f64) -> (f64, f64) {
    let frames: Vec<DQuat> = (state.get(col::segment::rotation).iter())
        .map(|q| DQuat::from_array(q.map(f64::from)).normalize())
        .collect();
    let stiffness = state.get(if twist { col::segment::twist } else { col::segment::bend });
    let joint = |i: usize| {
        let rest = DQuat::from_array(state.get(col::segment::rest_turn)[i].map(f64::from)).normalize();
        let error = (frames[i - 1] * rest).conjugate() * frames[i];
        let sine = DVec3::new(error.x, error.y, error.z) * error.w.signum();
        2.0 * if twist { sine.z.asin() } else { sine.x.hypot(sine.y).min(1.0).asin() }
    };
    let even = turn / PARTS as f64;
    // Segment 0 and the last are stubs.
    let joints = (1..=PARTS + 1).map(|i| joint(i) - if i == 1 || i > PARTS { 0.5 * even } else { even });
    let squares: f64 = joints.map(|off| off * off).sum();
    // Of a joint inside, which has the whole length, and so the stiffness E I / l.
    let (first, inside) = (f64::from(stiffness[1]), f64::from(stiffness[2]));
    ((squares / (PARTS + 1) as f64).sqrt(), first * joint(1) / (inside * even))
}
