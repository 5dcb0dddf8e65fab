//! V4: a soft cloth must hang equally low for any number of iterations (Macklin, Müller, Chentanez 2016, section 6.4).
//!
//! n x n particles 0.02 m apart, 1e-4 kg each, the top row pinned, level at the start, one substep of 1/60 s, 120
//! frames without damping. Structural and shear rows 0.5 m/N, bend rows 1 m/N; PBD has a stiffness of 0.01 instead.

use super::{Miss, Trial, fixture::Fixture, settings, spread};
use weft_core::state::Blueprint;
use weft_scene::Scene;
use weft_scene::workload;

use crate::expect::Bounds;

const ITERATIONS: [u32; 4] = [20, 40, 80, 160];
const FRAMES: usize = 120;

/// The cloth of the case, at rest.
pub fn cloth(solver: &str, n: u32) -> Result<(Scene, Blueprint), Miss> {
    let mut scene = workload::workload(n)?;
    scene.solver.name = solver.to_string();
    scene.cloths[0].pins = vec![weft_scene::Pin::Edge(weft_scene::Edge::Top)];
    scene.cloths[0].material.compliance = weft_scene::Compliance { structural: 0.5, shear: 0.5, bend: 1.0 };
    let blueprint = workload::assembly(&scene).blueprint;
    Ok((scene, blueprint))
}

/// Spread of the height of the free edge over runs with 20 to 160 iterations, by its mean drop below the pins.
/// `None` if the solver has no such parameter. `make` returns the run at rest.
pub fn spread_over_iterations(make: impl Fn() -> Result<Fixture, Miss>) -> Result<Option<f64>, Miss> {
    let mut drops = Vec::new();
    for iterations in ITERATIONS {
        let fixture = make()?.cut(1);
        if !fixture.has("iterations") {
            return Ok(None);
        }
        let mut fixture = fixture.sweeps(iterations);
        fixture = ["stiffness", "shear", "bend"]
            .into_iter()
            .fold(fixture, |fixture, name| fixture.set_if(name, 0.01));
        fixture.try_frames(FRAMES)?;
        let columns = (fixture.x().len() as f64).sqrt() as usize;
        let mean = |rows: &[[f32; 4]]| rows.iter().map(|x| f64::from(x[1])).sum::<f64>() / rows.len() as f64;
        drops.push(mean(&fixture.x()[..columns]) - mean(&fixture.x()[fixture.x().len() - columns..]));
    }
    Ok(Some(spread(&drops)))
}

pub fn run(trial: &mut Trial) -> Result<(), Miss> {
    let n = if trial.quick { 32 } else { 64 };
    let (scene, blueprint) = cloth(trial.solver, n)?;
    let spread =
        spread_over_iterations(|| Ok(trial.placed(Fixture::from_tables(scene.clone(), blueprint.clone()))))?;
    let Some(spread) = spread else { return Ok(()) };
    let pbd = !trial.about.reads_compliance();
    let known =
        pbd.then_some("more iterations make it stiffer: a stiffness of 0.01 is a share per iteration");
    let known = known.or_else(|| trial.known(&[]));
    let reading = "spread of the free edge, 20 to 160 iterations".to_string();
    trial.judge(reading, Bounds::at_most(0.01), spread, known);
    // Averaged iterations at this stiffness hardly hold the cloth at all: it falls for two seconds in any case.
    if pbd && !settings::averages(trial.solver) {
        let reading = "spread of the free edge, far above the limit".to_string();
        trial.expect(reading, Bounds::at_least(0.1), spread);
    }
    Ok(())
}
