//! V5: a cantilever of `StVK` triangles against the oracle (Macklin, Müller, Chentanez 2016, section 6.3).
//!
//! A strip of 1.0 x 0.25 m, 5 mm thick, E = 1e5 Pa, nu = 0.3, 200 kg/m3, clamped at its left edge, falls under gravity in its
//! own plane: 50 steps of 8 ms. The reference solves each of these implicit steps to the last digit.

use std::sync::OnceLock;

use glam::DVec3;
use sim_api::Kind;

use super::{Miss, Trial, fixture::Fixture};
use sim_kernels::projection::STVK;
use weft_engine::elastic::Limit;
use weft_scene::assemble;

use crate::{
    expect::Bounds,
    oracle::{self, Step},
};

const THICKNESS: f32 = 0.005;
const YOUNG: f32 = 1e5;
const DENSITY: f32 = 200.0;
const FRAMES: usize = 50;

/// Where the oracle's tip is, which is the same beside each solver: quick, in full, and that in quarters of a step.
static FALLS: [OnceLock<DVec3>; 3] = [const { OnceLock::new() }; 3];

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    // 40 x 10 quads.
    let quads = if trial.quick { [20, 5] } else { [40, 10] };
    let reference = kept(usize::from(!trial.quick), trial.solver, quads, 1)?;
    let reading = |how: &str| format!("distance of the tip from the oracle's, by the length, {how}");
    for (sweeps, how) in [(20, "20 iterations"), (1000, "1000 iterations")] {
        let mut fixture = strip(trial.solver, quads).cut(1).converged().sweeps(sweeps);
        fixture.try_frames(FRAMES)?;
        let tip = tip(&fixture, &oracle::positions(&fixture.run.state));
        let known = trial.left_out("triangle", STVK).or_else(|| trial.known(&[how]));
        trial.judge(reading(how), Bounds::at_most(0.01), tip.distance(reference), known);
    }
    // What its iterations stop short of is of the step's length: shorter ones mend it.
    if trial.about.kind == Kind::Projection && !trial.quick {
        let reference = kept(2, trial.solver, quads, 4)?;
        let mut fixture = strip(trial.solver, quads).cut(4).sweeps(1000);
        fixture.try_frames(FRAMES)?;
        let tip = tip(&fixture, &oracle::positions(&fixture.run.state));
        trial.expect(
            reading("1000 iterations, steps of 2 ms"),
            Bounds::at_most(0.025),
            tip.distance(reference),
        );
    }
    Ok(())
}

/// At rest, in the xy plane.
fn strip(solver: &str, [columns, rows]: [u32; 2]) -> Fixture {
    let (columns, rows) = (columns + 1, rows + 1);
    Fixture::new(&format!(
        r#"(version: 1, step: 0.008, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{solver}"),
            cloths: [(id: "strip", shape: Grid(columns: {columns}, rows: {rows}, width: 1.0, height: 0.25),
                pins: [Edge(Left)],
                material: (density: {}, sheet: (stretch: {}, poisson: 0.3, bend: 0.0, damping: 0.0),
                    membrane: StVK, bending: Quadratic))])"#,
        DENSITY * THICKNESS,
        YOUNG * THICKNESS,
    ))
}

/// Middle of the free edge [m].
fn tip(fixture: &Fixture, x: &[DVec3]) -> DVec3 {
    let rest = Fixture::of(fixture.scene.clone());
    let right = weft_core::statistics::largest(rest.x().iter().map(|x| x[0])) as f32;
    let edge: Vec<DVec3> =
        rest.x().iter().zip(x).filter(|(rest, _)| rest[0] > right - 1e-4).map(|(_, x)| *x).collect();
    edge.iter().sum::<DVec3>() / edge.len() as f64
}

/// One of [`FALLS`]. Nobody waits for it: a thread that did could have it to work out itself.
fn kept(at: usize, solver: &str, quads: [u32; 2], steps: usize) -> Result<DVec3, Miss> {
    if let Some(fall) = FALLS[at].get() {
        return Ok(*fall);
    }
    let fall = fall_of_oracle(strip(solver, quads), steps)?;
    Ok(*FALLS[at].get_or_init(|| fall))
}

/// Where the tip is after all frames of so many steps, in f64 but for the state in between, which `fixture` only holds.
fn fall_of_oracle(mut fixture: Fixture, steps: usize) -> Result<DVec3, Miss> {
    let (world, h) = (assemble::world(&fixture.scene), fixture.scene.step / steps as f32);
    for frame in 0..FRAMES * steps {
        let before = oracle::positions(&fixture.run.state);
        let step = Step::new(&fixture.run.state, &world, h, 0.0, Limit::WithoutRigid)?;
        let solution = step.solve(1e-8, 2000)?;
        if solution.residual > 1e-6 {
            return Err(
                format!("frame {frame}: the oracle stopped at a residual of {}", solution.residual).into()
            );
        }
        let velocity = solution.place.x.iter().zip(&before).map(|(x, before)| (*x - *before) / f64::from(h));
        let velocity: Vec<DVec3> = velocity.collect();
        write(fixture.x_mut(), &solution.place.x);
        write(fixture.v_mut(), &velocity);
    }
    Ok(tip(&fixture, &oracle::positions(&fixture.run.state)))
}

/// Into xyz; w stays.
fn write(rows: &mut [[f32; 4]], values: &[DVec3]) {
    for (row, value) in rows.iter_mut().zip(values) {
        let [x, y, z] = value.as_vec3().to_array();
        *row = [x, y, z, row[3]];
    }
}
