//! V15: particles that fly through a thin plate within one step: from both sides, onto a plate that stands and onto one
//! that comes or goes as fast as they do. None may end in it or behind it.

use glam::{DQuat, DVec3};
use sim_api::Key;
use weft_core::state::col;

use super::{
    Miss, Trial,
    fixture::{Fixture, vector},
    random::Random,
};
use crate::expect::Bounds;

/// Half the plate [m], and the distance that it keeps.
const HALF: DVec3 = DVec3::new(4.0, 0.001, 4.0);
const THICKNESS: f64 = 0.002;

/// Particles of one flight.
const FLIGHT: usize = 2000;

pub fn run(trial: &mut Trial) -> Result<(), Miss> {
    let flights = if trial.quick { 2 } else { 50 };
    let behind = behind(trial.solver, flights, true)?;
    let reading = format!("of {} particles at 5 to 1,000 m/s end behind a plate of 2 mm", flights * FLIGHT);
    trial.expect(reading, Bounds::at_most(0.0), behind as f64);
    Ok(())
}

/// How many end in the plate or behind it, or, where it is not `there`, beyond where it would be.
pub fn behind(solver: &str, flights: usize, there: bool) -> Result<usize, Miss> {
    let turn = DQuat::from_euler(glam::EulerRot::ZYX, 0.7, -0.4, 0.3);
    let mut fixture = loose(solver, there);
    let mut random = Random(5);
    let mut wrong = 0;
    for flight in 0..flights {
        // Every other plate moves, by up to 1 m in the step.
        let away = if flight % 2 == 0 { 0.0 } else { range(&mut random, -1.0, 1.0) };
        let [begin, end] = [DVec3::ZERO, turn * DVec3::new(0.0, away, 0.0)];
        if there {
            place(&mut fixture, BEGIN, begin, turn);
            place(&mut fixture, END, end, turn);
        }
        let mut sides = Vec::new();
        for i in 0..FLIGHT {
            let side = if random.below(2) == 0 { -1.0 } else { 1.0 };
            let surface = HALF.y + THICKNESS;
            // Off the surface by a hair to a metre, and through it at any angle by more than it is thick.
            let mut before = anywhere(&mut random);
            before.y = side * (surface + range(&mut random, 1e-4_f64.ln(), 0.0).exp());
            let length = range(&mut random, 0.01, 2.0).max(2.0 * surface);
            let mut after = before + anywhere(&mut random) * length;
            after.y = -side * (surface + length * range(&mut random, 0.0, 1.0));
            launch(&mut fixture, i, turn * before + begin, turn * after + end);
            sides.push(side);
        }
        fixture.try_frames(1)?;
        for (side, x) in sides.into_iter().zip(fixture.x()) {
            let height = side * (turn.inverse() * (vector(*x) - end)).y;
            // Positions of some metres are rounded.
            wrong += usize::from(height.is_nan() || height < HALF.y + THICKNESS - 1e-4);
        }
    }
    Ok(wrong)
}

/// Particles that hardly feel each other, one step of 2 ms a frame, without gravity.
fn loose(solver: &str, there: bool) -> Fixture {
    let plate = format!(
        r#"(id: "plate", shape: Box(half: ({:?}, {:?}, {:?})), thickness: {THICKNESS:?},
            friction: (static: 0.0, dynamic: 0.0))"#,
        HALF.x, HALF.y, HALF.z
    );
    let plate = if there { plate } else { String::new() };
    let fixture = Fixture::new(&format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0), step: 0.002,
            solver: (name: "{solver}"),
            cloths: [(id: "a", shape: Grid(columns: 50, rows: {}, width: 1.0, height: 1.0),
                material: (density: 100.0, compliance: (structural: 1000.0, shear: 1000.0, bend: 1000.0)))],
            colliders: [{plate}])"#,
        FLIGHT / 50
    ));
    // The shares that PBD takes back know no compliance.
    ["stiffness", "shear", "bend"]
        .into_iter()
        .fold(fixture, |fixture, share| fixture.set_if(share, 0.0))
        .cut(1)
}

/// Puts the plate at a pose: where the step begins, or ends.
fn place(fixture: &mut Fixture, [position, rotation]: [Key<[f32; 4]>; 2], at: DVec3, turn: DQuat) {
    let state = &mut fixture.run.state;
    state.get_mut(position)[0] = at.as_vec3().extend(0.0).to_array();
    state.get_mut(rotation)[0] = turn.as_quat().to_array();
}

const BEGIN: [Key<[f32; 4]>; 2] = [col::collider::begin_position, col::collider::begin_rotation];
const END: [Key<[f32; 4]>; 2] = [col::collider::position, col::collider::rotation];

/// Sets a particle on its way.
fn launch(fixture: &mut Fixture, i: usize, from: DVec3, to: DVec3) {
    let v = (to - from) / f64::from(fixture.scene.step);
    let w = fixture.x()[i][3];
    fixture.x_mut()[i] = from.as_vec3().extend(w).to_array();
    fixture.v_mut()[i] = v.as_vec3().extend(0.0).to_array();
}

fn range(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * (f64::from(random.signed()) * 0.5 + 0.5)
}

fn anywhere(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed().into(), random.signed().into(), random.signed().into())
}
