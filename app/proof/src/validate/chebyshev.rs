//! V7: what Chebyshev's acceleration saves (Wang 2015).
//!
//! One implicit step of 1/60 s from rest under gravity, 64 x 64 particles that hang from their top row, 12 springs each of
//! k h²/m = 20. Along a thread a particle's own springs amount to 6 k, so that plain Jacobi iterations have a spectral radius
//! of about 1 - 1/(1 + 6 * 20) = 0.992; accelerated ones of 0.88. The blocks are taken stiffer across the springs than they are
//! (`sim_kernels::implicit::jacobi`), which makes it 0.994: the slowest mode takes ln(1000) * 160 = 1,100 plain iterations.

use super::{Miss, Trial, fixture::Fixture, settings};
use weft_core::state::Blueprint;
use weft_scene::Scene;
use weft_scene::workload;

use crate::expect::Bounds;

/// The reading in which an accelerated solver says when it gave the acceleration up.
pub(super) const GIVEN_UP: &str = "diverged_at_iteration";
/// k h²/m.
const STIFFNESS: f32 = 20.0;
const STEP: f32 = 1.0 / 60.0;
/// Mass of a particle of [`bench::workload`] [kg].
const MASS: f32 = 1e-4;
/// Frames of the fall that a rho is tried on.
const FALL: usize = 40;
/// Share of the residual that may be left.
const LEFT: f32 = 1e-3;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let (scene, blueprint) = sheet(if trial.quick { 32 } else { 64 })?;
    let fixture = |solver: &str| {
        let mut scene = scene.clone();
        scene.solver.name = solver.to_string();
        Fixture::from_tables(scene, blueprint.clone()).cut(1)
    };
    let plain = settings::plain(trial.solver).ok_or("no solver with the same iterations, plain, is known")?;
    let jacobi = needed(|| fixture(plain))?;
    let chebyshev = needed(|| fixture(trial.solver))?;
    let reading = "iterations to a residual of 1e-3".to_string();
    trial.expect(format!("{reading}, Jacobi"), Bounds::between(200.0, 1100.0), jacobi.into());
    trial.expect(
        format!("{reading}, Jacobi / accelerated"),
        Bounds::at_least(5.0),
        f64::from(jacobi) / f64::from(chebyshev),
    );

    // On its way from level to hanging the rows turn, which no rho bears that is far too large.
    for (rho, bounds) in [(0.0, Bounds::at_most(0.0)), (0.9999, Bounds::at_least(1.0))] {
        let runaways = runaways(&scene, trial.solver, rho)?;
        let rho = if rho > 0.0 { format!("rho {rho}") } else { "rho estimated".to_string() };
        trial.expect(
            format!("frames of {FALL} in which it ran away and said so, {rho}"),
            bounds,
            runaways as f64,
        );
    }
    Ok(())
}

/// In how many frames of the fall of a level sheet the acceleration was given up.
fn runaways(hanging: &Scene, solver: &str, rho: f32) -> Result<usize, Miss> {
    let mut scene = hanging.clone();
    scene.solver.name = solver.to_string();
    scene.cloths[0].rotation = [90.0, 0.0, 0.0];
    let blueprint = workload::assembly(&scene).blueprint;
    let mut fixture = Fixture::from_tables(scene, blueprint).cut(1).set("iterations", 30.0).set("rho", rho);
    let mut count = 0;
    for _ in 0..FALL {
        fixture.try_frames(1)?;
        count += usize::from(fixture.run.readings.get(GIVEN_UP).is_some_and(|at| *at > 0.0));
    }
    Ok(count)
}

/// A sheet at rest that hangs from its top row.
fn sheet(n: u32) -> Result<(Scene, Blueprint), Miss> {
    let mut scene = workload::workload(n)?;
    scene.step = STEP;
    let cloth = &mut scene.cloths[0];
    cloth.rotation = [0.0; 3];
    cloth.pins = vec![weft_scene::Pin::Edge(weft_scene::Edge::Top)];
    let compliance = STEP * STEP / (STIFFNESS * MASS);
    cloth.material.compliance =
        weft_scene::Compliance { structural: compliance, shear: compliance, bend: compliance };
    let blueprint = workload::assembly(&scene).blueprint;
    Ok((scene, blueprint))
}

/// The fewest iterations after which no more than [`LEFT`] of the residual is left.
fn needed(fixture: impl Fn() -> Fixture) -> Result<u32, Miss> {
    let reached = |iterations: u32| -> Result<bool, Miss> {
        let mut fixture = fixture().set("iterations", iterations as f32);
        fixture.try_frames(1)?;
        Ok(fixture.run.readings.get("residual").is_some_and(|left| *left <= LEFT))
    };
    const MOST: u32 = 8192;
    let mut high = 1;
    while !reached(high)? {
        high *= 2;
        if high > MOST {
            return Err(format!("more than {MOST} iterations leave more than {LEFT} of the residual").into());
        }
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low.midpoint(high);
        if reached(middle)? { high = middle } else { low = middle }
    }
    Ok(high)
}
