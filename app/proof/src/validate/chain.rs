//! V3: the force at the top of a chain (Macklin, Müller, Chentanez 2016, section 6.2).
//!
//! 20 links of 1 m between particles of 1 kg, pinned at one end, level at the start. The reference is implicit Euler
//! solved to the last digit: Newton on positions and multipliers together, in f64,
//! ```text
//! m (x - y) - sum of grad C(j) lambda(j) = 0      y = x0 + h v + h² g
//! C(j) + alpha/h² lambda(j)              = 0      (eq. 9 and 10 of the paper)
//! ```

mod reference;

use std::sync::OnceLock;

use sim_api::Kind;
use sim_kernels::{constraints::distance, lanes::V3};
use weft_core::{state::col, statistics::largest};

use super::{Miss, Trial, fixture::Fixture, fixtures};
use crate::expect::Bounds;

const LINKS: usize = 20;
/// Compliance of a link [m/N]: the paper's, which stretches a link by 2 um, and one that single precision can show.
const COMPLIANCES: [f64; 2] = [1e-8, 1e-4];
const GRAVITY: f64 = 9.81;
const STEP: f64 = 1.0 / 60.0;
const FRAMES: usize = 100;

/// Sweeps, and the error that they may leave by the largest force.
const SWEEPS: [(u32, f64); 3] = [(50, 0.06), (100, 0.02), (1000, 0.005)];

/// What is the same for all solvers, by compliance and sweeps.
static REFERENCE: [OnceLock<Result<Vec<f64>, String>>; 2] = [const { OnceLock::new() }; 2];
static IN_F64: [[OnceLock<f64>; 3]; 2] = [const { [const { OnceLock::new() }; 3] }; 2];

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    if trial.about.kind != Kind::Explicit {
        for (at, compliance) in COMPLIANCES.into_iter().enumerate() {
            falling(trial, at, compliance)?;
        }
    }
    hanging(trial)
}

/// Error of the top force over 100 frames, by the largest force: at most 6, 2 and 0.5 % at 50, 100 and 1000 iterations.
fn falling(trial: &mut Trial, at: usize, compliance: f64) -> Result<(), Miss> {
    let reference = REFERENCE[at].get_or_init(|| reference::forces(compliance)).clone()?;
    let most = largest(reference.iter().copied());
    for ((iterations, limit), in_f64) in SWEEPS.into_iter().zip(&IN_F64[at]) {
        let mut fixture = chain(trial.solver, compliance as f32, [1.0, 0.0])
            .cut(1)
            .converged()
            .unlimited()
            .sweeps(iterations);
        let mut errors = Vec::new();
        for force in &reference {
            fixture.try_frames(1)?;
            errors.push((top_force(&fixture) - force).abs());
        }
        let error = largest(errors);
        let [soft, effort] = [format!("{compliance:e} m/N"), format!("{iterations} iterations")];
        let known = trial.known(&["falling", &soft, &effort]);
        let ignored = !trial.about.reads_compliance() && compliance > 1e-7;
        let known = known.or(ignored.then_some(RIGID));
        let how = format!("{soft}, {effort}");
        if trial.about.kind == Kind::Projection && trial.about.reads_compliance() {
            let error = in_f64.get_or_init(|| error_in_f64(compliance, iterations, &reference));
            trial.expect(format!("the same solver in f64, {how}"), Bounds::at_most(limit), error / most);
        }
        trial.judge(format!("error of the top force, {how}"), Bounds::at_most(limit), error / most, known);
    }
    Ok(())
}

const RIGID: &str = "it ignores compliance: its links are rigid";

/// Largest error of the top force [N] of XPBD with the solver's own projection in f64, in its two colours.
fn error_in_f64(compliance: f64, iterations: u32, reference: &[f64]) -> f64 {
    let alpha = compliance / (STEP * STEP);
    let mut x: Vec<V3<f64>> = (0..=LINKS).map(|i| V3::new(i as f64, 0.0, 0.0)).collect();
    let mut v = vec![V3::new(0.0, 0.0, 0.0); x.len()];
    let w = |i: usize| if i == 0 { 0.0 } else { 1.0 };
    let mut errors = Vec::new();
    for force in reference {
        let before = x.clone();
        for i in 1..x.len() {
            v[i] = v[i] + V3::new(0.0, -GRAVITY * STEP, 0.0);
            x[i] = x[i] + v[i] * STEP;
        }
        let mut lambda = [0.0; LINKS];
        for _ in 0..iterations {
            for j in (0..LINKS).step_by(2).chain((1..LINKS).step_by(2)) {
                let ends = [(x[j], w(j)), (x[j + 1], w(j + 1))];
                let (da, db, change) = distance::project(ends[0], ends[1], 1.0, alpha, lambda[j]);
                (x[j], x[j + 1], lambda[j]) = (x[j] + da, x[j + 1] + db, lambda[j] + change);
            }
        }
        for i in 1..x.len() {
            v[i] = (x[i] - before[i]) * (1.0 / STEP);
        }
        errors.push((-lambda[0] / (STEP * STEP) - force).abs());
    }
    largest(errors)
}

/// At rest the top carries all, and each link stretches by what hangs on it.
fn hanging(trial: &mut Trial) -> Result<(), Miss> {
    const SOFT: f64 = 1e-4;
    let mut fixture = chain(trial.solver, SOFT as f32, [0.0, -1.0]);
    fixture.scene.air_damping = 2.0;
    // Explicit springs of 1e4 N/m at 1 kg need 32.
    let mut fixture =
        fixture.cut(if trial.about.kind == Kind::Explicit { 32 } else { 4 }).converged().sweeps(20);
    fixture.try_frames(if trial.quick { 600 } else { 1200 })?;
    let n = LINKS as f64;
    let known = (!trial.about.reads_compliance()).then_some(RIGID);
    let stretch = -f64::from(fixture.x()[LINKS][1]) - n;
    let expected = SOFT * GRAVITY * n * (n + 1.0) / 2.0;
    trial.judge("stretch of a hanging chain [m]".to_string(), Bounds::within(expected, 0.01), stretch, known);
    if known.is_none() {
        let reading = "force at the top of a hanging chain [N]".to_string();
        trial.expect(reading, Bounds::within(n * GRAVITY, 0.01), top_force(&fixture));
    }
    Ok(())
}

/// A chain at rest along a direction of the xy plane; particle 0 is pinned.
fn chain(solver: &str, compliance: f32, [x, y]: [f32; 2]) -> Fixture {
    let place = |i: usize| ([x * i as f32, y * i as f32, 0.0], if i == 0 { 0.0 } else { 1.0 });
    let ends: Vec<_> = (0..=LINKS).map(place).collect();
    let rows: Vec<_> = (0..LINKS as u32).map(|i| (i, i + 1, 1.0, compliance)).collect();
    let mut fixture = fixtures::springs(solver, &ends, &rows);
    fixture.scene.gravity = [0.0, -GRAVITY as f32, 0.0];
    fixture
}

/// Tension of the link at the pin [N].
fn top_force(fixture: &Fixture) -> f64 {
    let state = &fixture.run.state;
    let rows = state.get(col::distance::idx).iter();
    let mut rows = rows.zip(state.get(col::distance::force));
    rows.find(|(ends, _)| ends.contains(&0)).map_or(f64::NAN, |(_, force)| f64::from(*force))
}
