//! V19: strands whose roots are jerked: how long they become in any frame, and that a jump of their seat carries them as they are.
//!
//! Scenes in `scenes/validate/`, each solver at its defaults: the constants of hair, 33 segments of 30 cm.

use glam::{DQuat, DVec3};
use weft_core::{say, state::col, statistics::largest};
use weft_scene::Motion;
use weft_session::Session;

use super::{Miss, Trial, fixture::vector, scenes};
use crate::expect::Bounds;

const FRAMES: usize = 120;
/// Where the head of `thrown_hair` jumps: by how far [m], and turned about the vertical [degrees].
const JUMP_FRAME: usize = 30;
const JUMP: DVec3 = DVec3::X;
const TURN: f64 = 90.0;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    trial.gives_up_or_is_plain()?;
    for (scene, known_by, reading) in [
        ("shaken_hair", "shaken", "root shaken by 8 cm at 4 Hz"),
        ("jerked_fringe", "on cloth", "on a hem that jerks by 16 cm in 1/8 s"),
    ] {
        let mut session = match scenes::open(trial, scene, Vec::new()) {
            Err(Miss::NotOffered(why)) => {
                say::warn(format_args!("V19 {}, {reading}, is left out: {why}", trial.solver));
                continue;
            }
            session => session?,
        };
        let worst = longest(&mut session, FRAMES)?;
        stretch(trial, reading, worst, known_by);
    }
    jump(trial)?;
    another_time(trial)
}

fn stretch(trial: &mut Trial, when: &str, worst: f64, known_by: &str) {
    let known = trial.known(&[known_by, "stretch"]);
    trial.judge(format!("largest stretch in any frame, {when}"), Bounds::at_most(0.01), worst, known);
}

/// One head stands still, one is thrown a metre and a quarter turn within a frame: what the second has is what the first has,
/// elsewhere.
fn jump(trial: &mut Trial) -> Result<(), Miss> {
    let mut still = scenes::open(trial, "thrown_hair", Vec::new())?;
    let mut scene = still.scene().clone();
    scene.colliders[0].motion = Motion::Still;
    still.apply(scene)?;
    let mut thrown = scenes::open(trial, "thrown_hair", Vec::new())?;
    longest(&mut still, JUMP_FRAME)?;
    longest(&mut thrown, JUMP_FRAME)?;
    let [before, worst] = [longest(&mut still, 1)?, longest(&mut thrown, 1)?];
    let turn = DQuat::from_rotation_y(TURN.to_radians());
    let at = DVec3::from(thrown.scene().colliders[0].at.map(f64::from));
    let ([x, v], [moved_x, moved_v]) = (motion(&mut still), motion(&mut thrown));
    let size = |all: &[DVec3]| largest(all.iter().map(|v| v.length()));
    let apart = |a: Vec<DVec3>, b: &[DVec3]| largest(a.iter().zip(b).map(|(a, b)| a.distance(*b)));
    let places = apart(x.iter().map(|x| at + JUMP + turn * (x - at)).collect(), &moved_x);
    let speeds = apart(v.iter().map(|v| turn * v).collect(), &moved_v) / size(&v);
    let length = f64::from(thrown.scene().strands[0].length);
    // A step comes after the jump, which turns roundings of places 2 m apart into another motion; what is left behind is off by 1.
    let thrown = "thrown by 1 m and 90 degrees";
    trial.expect(format!("{thrown}: places, by the length"), Bounds::at_most(1e-3), places / length);
    let known = trial.device.and_then(|_| trial.known(&["thrown on a device"]));
    let reading = format!("{thrown}: velocities, by the largest");
    trial.judge(reading, Bounds::at_most(1e-2), speeds, known);
    let reading = "thrown by 1 m and 90 degrees: stretch in that frame beyond that of hair that hangs";
    trial.expect(reading.to_string(), Bounds::at_most(0.01), (worst - before).abs());
    Ok(())
}

/// The motion of the head is put to another time of it while hair flies.
fn another_time(trial: &mut Trial) -> Result<(), Miss> {
    let mut session = scenes::open(trial, "shaken_hair", Vec::new())?;
    let mut worst = longest(&mut session, 40)?;
    let mut scene = session.scene().clone();
    if let Motion::Oscillate { delay, .. } = &mut scene.colliders[0].motion {
        *delay += 0.11;
    }
    session.apply(scene)?;
    worst = largest([worst, longest(&mut session, FRAMES - 40)?]);
    stretch(trial, "shaken, its time put 0.11 s back under way", worst, "another time");
    Ok(())
}

/// The most that a segment of a strand is longer or shorter than at rest in one of the next frames, by its rest length.
fn longest(session: &mut Session, frames: usize) -> Result<f64, Miss> {
    let mut worst = 0.0_f64;
    for _ in 0..frames {
        session.step().map_err(|error| error.to_string())?;
        let state = session.read_all();
        let x = state.get(col::particle::position);
        let cloth = state.first_of_strands();
        let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
        for ([a, b], rest) in rows.filter(|([a, _], _)| *a as usize >= cloth) {
            let [a, b] = [a, b].map(|row| vector(x[*row as usize]));
            let strain = (a.distance(b) / f64::from(*rest) - 1.0).abs();
            worst = largest([worst, strain]);
        }
    }
    Ok(worst)
}

/// Places in world space [m] and velocities [m/s].
fn motion(session: &mut Session) -> [Vec<DVec3>; 2] {
    let origin = session.origin().as_dvec3();
    let state = session.read_all();
    let x = state.get(col::particle::position).iter().map(|x| vector(*x) + origin);
    [x.collect(), state.get(col::particle::velocity).iter().map(|v| vector(*v)).collect()]
}
