//! V12: the workload W(32) with rigid structural rows, 20 substeps a frame: how far the rows stretch.

use super::{Miss, Trial, fixture::Fixture};
use sim_api::Kind;
use weft_core::state::col;
use weft_core::statistics::quantile;
use weft_scene::workload;

use crate::expect::Bounds;

const SUBSTEPS: u32 = 20;
/// Frames read at the end: 1,000 substeps.
const LAST: usize = 50;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let mut scene = workload::workload(32)?;
    scene.solver.name = trial.solver.to_string();
    let blueprint = workload::assembly(&scene).blueprint;
    let mut fixture = Fixture::from_tables(scene, blueprint).cut(SUBSTEPS).one_sweep();
    fixture.try_frames(if trial.quick { 250 - LAST } else { 500 - LAST })?;
    let mut stretch = Vec::new();
    for _ in 0..LAST {
        fixture.try_frames(1)?;
        structural_stretch(&fixture, &mut stretch);
    }
    stretch.sort_by(f32::total_cmp);
    let p95 = quantile(&stretch, 0.95);
    let explicit = trial.about.kind == Kind::Explicit;
    let known = explicit.then_some("a rigid row has no stable explicit step; the cap makes it a soft spring");
    let known = known.or_else(|| trial.known(&[]));
    trial.judge("95th percentile of the stretch, in size".to_string(), Bounds::at_most(0.05), p95, known);
    Ok(())
}

/// Adds |x|/rest - 1 of every structural row, without its sign.
fn structural_stretch(fixture: &Fixture, stretch: &mut Vec<f32>) {
    let state = &fixture.run.state;
    let rows = state.get(col::distance::idx).iter();
    let rows = rows.zip(state.get(col::distance::rest));
    let rows = rows.zip(state.get(col::distance::kind));
    for ((&[a, b], rest), _) in rows.filter(|(_, kind)| **kind == 0) {
        let (a, b) = (fixture.x()[a as usize], fixture.x()[b as usize]);
        let square: f32 = (0..3).map(|i| (b[i] - a[i]) * (b[i] - a[i])).sum();
        stretch.push((square.sqrt() / rest - 1.0).abs());
    }
}
