//! V20: what strands do to themselves, to each other and to the cloth that they grow from gives no momentum.

use glam::DVec3;
use sim_api::Kind;
use weft_core::{
    state::col,
    statistics::{largest, least},
};

use super::{
    Miss, Trial,
    fixture::{Fixture, vector},
    fixtures::{self, shake},
    settings,
};
use crate::expect::Bounds;

const UNFELT: &str =
    "it does not take the table `root`: cloth carries strands and does not feel them, which it says";

const WEIGHTLESS: &str = "gravity: (0, 0, 0), air_damping: 0";

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    trial.gives_up_or_is_plain()?;
    alone(trial)?;
    together(trial)?;
    on_cloth(trial)
}

/// A free rod of rubber, each particle on a way of its own.
fn alone(trial: &mut Trial) -> Result<(), Miss> {
    let rod = "root: Free, length: 0.3, particles: 24, roots: Points(at: [(0, 0, 0)], direction: (1, 0, 0)),
               material: (young: 1e6, shear: 4e5, radius: (1e-3, 1e-3), density: 1100)";
    let mut fixture = fixtures::strands(trial.solver, WEIGHTLESS, rod)?.converged();
    shake(&mut fixture, 0.5);
    let lost = lost(&mut trial.placed(fixture), 60)?;
    // As of cloth (V13): averaged iterations are many, and each rounds all positions.
    let limit = if settings::averages(trial.solver) { 2e-3 } else { 5e-4 };
    let known = trial.known(&["alone"]);
    trial.judge("momentum of a free rod lost in a second".to_string(), Bounds::at_most(limit), lost, known);
    Ok(())
}

/// Free strands side by side, every second one on its way along them: each cell of their grid has another share of them.
fn together(trial: &mut Trial) -> Result<(), Miss> {
    let hair =
        "root: Free, length: 0.1, particles: 8, roots: Row(from: (0, 0, 0), to: (0.02, 0, 0), count: 40),
                material: (young: 1e7), between: (friction: 0.5, pressure: 0)";
    // In one substep: each rounds places once more.
    let mut fixture = fixtures::strands(trial.solver, WEIGHTLESS, hair)?.cut(1);
    for (particle, v) in fixture.v_mut().iter_mut().enumerate() {
        // Neighbours in the table are those in the row.
        *v = if particle % 2 == 0 { [0.0, 0.4, 0.0, 0.0] } else { *v };
    }
    let mut fixture = trial.placed(fixture);
    let before = fixture.v().to_vec();
    let lost = lost(&mut fixture, 1)?;
    let change: Vec<f64> =
        before.iter().zip(fixture.v()).map(|(a, b)| vector(*a).distance(vector(*b))).collect();
    let reading = "friction of a grid, in a frame [m/s]".to_string();
    trial.expect(reading, Bounds::at_least(0.02), largest(change.iter().copied()));
    // A cell goes at 0.2 m/s in the mean, and each particle takes half of what it differs from that. Of a strand its middle.
    let spans = fixture.run.state.get(col::strand::span).iter();
    let middle: Vec<f64> = spans.map(|[first, stride, _]| change[(first + 4 * stride) as usize]).collect();
    let reading =
        |which: &str| format!("friction of a grid on the strand that feels it {which}, in a frame [m/s]");
    trial.expect(reading("least"), Bounds::within(0.1, 0.1), least(middle.iter().copied()));
    trial.expect(reading("most"), Bounds::within(0.1, 0.1), largest(middle));
    let known = trial.known(&["together"]);
    trial.judge(
        "momentum lost by friction of a grid, in a frame".to_string(),
        Bounds::at_most(1e-6),
        lost,
        known,
    );
    Ok(())
}

/// A sheet that flies and turns, with a fringe that it jerks along: in one step what strands get is what the sheet gives.
fn on_cloth(trial: &mut Trial) -> Result<(), Miss> {
    let sheet = format!(
        "{WEIGHTLESS}, cloths: [(id: \"shawl\", shape: Grid(columns: 9, rows: 7, width: 0.5, height: 0.35),
                                 velocity: (0.3, 0, 1), spin: (2, 1, 3),
                                 material: (compliance: (structural: 1e-3, shear: 1e-2, bend: 0.1)))]"
    );
    let fringe = "seat: Cloth(\"shawl\"), length: 0.1, particles: 10, roots: Edge(side: Bottom, count: 11),
                  material: (young: 1e7, shear: 1e6, radius: (8e-4, 8e-4), density: 800)";
    let mut fixture = fixtures::strands(trial.solver, &sheet, fringe)?;
    let cloth = fixture.run.state.first_of_strands();
    fixture.v_mut()[cloth..].fill([0.0; 4]);
    // Its springs bear no such step.
    let explicit = trial.about.kind == Kind::Explicit;
    let mut fixture = trial.placed(if explicit { fixture } else { fixture.cut(1) });
    fixture.try_frames(2)?;
    let lost = lost(&mut fixture, 1)?;
    let known = trial.about.taken("root").is_none().then_some(UNFELT).or_else(|| trial.known(&["on cloth"]));
    trial.judge(
        "momentum of a sheet and its fringe lost in a step".to_string(),
        Bounds::at_most(1e-6),
        lost,
        known,
    );
    Ok(())
}

/// Part of the momentum of what moves by itself that is gone after some frames, by the sum of m |v|.
fn lost(fixture: &mut Fixture, frames: usize) -> Result<f64, Miss> {
    let (before, scale) = momentum(fixture);
    fixture.try_frames(frames)?;
    Ok((momentum(fixture).0 - before).length() / scale)
}

fn momentum(fixture: &Fixture) -> (DVec3, f64) {
    let rows = fixture.x().iter().zip(fixture.v()).zip(fixture.mass());
    let each = rows.filter(|((x, _), _)| x[3] > 0.0).map(|((_, v), mass)| vector(*v) * f64::from(*mass));
    each.fold((DVec3::ZERO, 0.0), |(sum, all), p| (sum + p, all + p.length()))
}
