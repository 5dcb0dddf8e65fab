//! V2: a particle of 1 kg on a spring of 1 mm/N (Macklin, Müller, Chentanez 2016, section 6.1).
//!
//! On one linear spring every solver is a linear method, and amplitude and period of a linear method are known. XPBD
//! and the implicit solvers are implicit Euler; the explicit integrators have their amplification matrices.

use std::f64::consts::{PI, TAU};

use sim_api::Kind;
use weft_core::state::col;

use super::{Miss, Trial, closed_form, fixture::Fixture, fixtures};
use crate::expect::Bounds;

/// Frames a period is measured over.
const FRAMES: usize = 40;
/// Relative for the period, absolute for the amplitude: f32 and the fit.
const TOLERANCE: f64 = 1e-3;
const PBD: &str =
    "its stiffness is a share of the error per iteration: the period is the iterations' and not the spring's";

/// Particle 1 swings about particle 0, which is pinned; it starts `stretch` [m] out of its rest length of 1 m.
pub fn spring(solver: &str, stretch: f32) -> Fixture {
    fixtures::springs(solver, &[([0.0; 3], 0.0), ([1.0 + stretch, 0.0, 0.0], 1.0)], &[(0, 1, 1.0, 1e-3)])
}

/// Share of the amplitude left after a frame, and the period [s]; NaN for what does not swing.
///
/// Frames of any linear two-step method obey u(n+1) = a u(n) + b u(n-1); a and b by least squares.
pub fn amplitude_and_period(fixture: &mut Fixture) -> Result<(f64, f64), Miss> {
    swing(fixture, |fixture| f64::from(fixture.x()[1][0]) - 1.0)
}

/// The same of what `u` reads.
fn swing(fixture: &mut Fixture, read: impl Fn(&Fixture) -> f64) -> Result<(f64, f64), Miss> {
    let frame = f64::from(fixture.scene.step) * fixture.steps as f64;
    let mut u = Vec::with_capacity(FRAMES);
    for _ in 0..FRAMES {
        // The first frame starts from rest: its velocity is not the method's own yet.
        fixture.try_frames(1)?;
        u.push(read(fixture));
    }
    let (mut s, mut r) = ([[0.0; 2]; 2], [0.0; 2]);
    for w in u.windows(3) {
        let row = [w[1], w[0]];
        for i in 0..2 {
            r[i] += row[i] * w[2];
            (0..2).for_each(|j| s[i][j] += row[i] * row[j]);
        }
    }
    let det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    let a = (r[0] * s[1][1] - r[1] * s[0][1]) / det;
    let b = (s[0][0] * r[1] - s[1][0] * r[0]) / det;
    let amplitude = (-b).sqrt();
    Ok((amplitude, TAU * frame / (a / (2.0 * amplitude)).acos()))
}

pub fn run(trial: &mut Trial) -> Result<(), Miss> {
    match trial.about.kind {
        Kind::Explicit => explicit(trial),
        Kind::Implicit | Kind::Projection if trial.about.reads_compliance() => implicit(trial),
        Kind::Implicit | Kind::Projection => pbd(trial),
    }
}

fn implicit(trial: &mut Trial) -> Result<(), Miss> {
    for substeps in [1, 2, 5, 10, 20, 60] {
        let h = 1.0 / 60.0 / f64::from(substeps);
        let (kept, angle) = closed_form::implicit_euler(1000_f64.sqrt() * h);
        let (amplitude, period) = (kept.powi(substeps), TAU * h / angle);
        let mut fixture = trial.placed(spring(trial.solver, 0.5).cut(substeps as u32).converged());
        let (a, p) = amplitude_and_period(&mut fixture)?;
        trial.expect(
            format!("amplitude kept in 1/60 s, h = 1/{} s", 60 * substeps),
            Bounds::near(amplitude, TOLERANCE),
            a,
        );
        trial.expect(format!("period [s], h = 1/{} s", 60 * substeps), Bounds::within(period, TOLERANCE), p);
    }
    membrane(trial)?;
    iterations(trial, trial.known(&["1 to 8 iterations"]))
}

/// The lowest mode of a stretched net in a frame, with the tolerances that a solver has by itself: they must mean the same at
/// any step. Linearised, m z'' = T/dx (z's neighbours - 2 z) along both threads, so that for n by m cells
/// ```text
/// omega² = 4/mass (Tx/dx sin²(pi/2n) + Ty/dy sin²(pi/2m))
/// ```
fn membrane(trial: &mut Trial) -> Result<(), Miss> {
    const CELLS: [f64; 2] = [16.0, 12.0];
    const SIZE: [f64; 2] = [0.8, 0.5];
    /// Rest lengths by the lengths, stiffness [N/m] and height of the middle [m].
    const REST: f64 = 0.8;
    const STIFFNESS: f64 = 10.0;
    const HEIGHT: f64 = 1e-3;
    if !fixtures::weightless(trial.solver, 2, 2, "").has("tolerance") {
        return Ok(());
    }
    for substeps in [1, 5, 20] {
        let mut fixture = fixtures::weightless(
            trial.solver,
            CELLS[0] as u32 + 1,
            CELLS[1] as u32 + 1,
            "pins: [Edge(Left), Edge(Right), Edge(Top), Edge(Bottom)],
                material: (compliance: (structural: 0.1, shear: 1000.0, bend: 1000.0))",
        );
        fixture.run.state.get_mut(col::distance::rest).iter_mut().for_each(|rest| *rest *= REST as f32);
        // A mode of 1 at the middle.
        let mode = |x: &[f32; 4]| {
            let wave = |axis: usize| (PI * f64::from(x[axis]) / SIZE[axis]).cos();
            wave(0) * wave(1)
        };
        fixture.x_mut().iter_mut().filter(|x| x[3] > 0.0).for_each(|x| x[2] = (HEIGHT * mode(x)) as f32);
        // On the mean: with diagonals that alternate every other particle is twice as heavy.
        let mass = fixture.mass().iter().copied().map(f64::from).sum::<f64>() / (CELLS[0] * CELLS[1]);
        let [x, y] = [0, 1].map(|axis| {
            // T over the length of a cell.
            STIFFNESS * (1.0 - REST) * (PI / (2.0 * CELLS[axis])).sin().powi(2)
        });
        let h = 1.0 / 60.0 / f64::from(substeps);
        let (kept, angle) = closed_form::implicit_euler((4.0 / mass * (x + y)).sqrt() * h);
        let mut fixture = trial.placed(fixture.cut(substeps as u32));
        let height = |fixture: &Fixture| {
            let weighed = fixture.x().iter().map(|x| f64::from(x[2]) * mode(x));
            weighed.sum::<f64>() / fixture.x().iter().map(|x| mode(x).powi(2)).sum::<f64>()
        };
        let (a, p) = swing(&mut fixture, height)?;
        let step = format!("of a net, own tolerances, h = 1/{} s", 60 * substeps);
        trial.expect(format!("amplitude kept in 1/60 s, {step}"), Bounds::near(kept.powi(substeps), 0.01), a);
        trial.expect(format!("period [s], {step}"), Bounds::within(TAU * h / angle, 0.01), p);
    }
    Ok(())
}

/// The iterations must not change the period.
fn iterations(trial: &mut Trial, known: Option<&str>) -> Result<(), Miss> {
    let mut periods = Vec::new();
    for iterations in [1.0, 2.0, 4.0, 8.0] {
        let fixture = spring(trial.solver, 0.5).cut(1);
        if !fixture.has("iterations") {
            return Ok(());
        }
        let mut fixture = trial.placed(fixture.set("iterations", iterations).set_if("stiffness", 0.1));
        periods.push(amplitude_and_period(&mut fixture)?.1);
    }
    let spread = super::spread(&periods);
    trial.judge("spread of the period, 1 to 8 iterations".to_string(), Bounds::at_most(0.01), spread, known);
    Ok(())
}

fn pbd(trial: &mut Trial) -> Result<(), Miss> {
    let h = 1.0 / 60.0;
    let (_, angle) = closed_form::implicit_euler(1000_f64.sqrt() * h);
    let mut fixture = trial.placed(spring(trial.solver, 0.5).cut(1).set_if("stiffness", 0.1));
    let (_, period) = amplitude_and_period(&mut fixture)?;
    trial.judge(
        "period [s], h = 1/60 s".to_string(),
        Bounds::within(TAU * h / angle, TOLERANCE),
        period,
        Some(PBD),
    );
    iterations(trial, Some(PBD))
}

fn explicit(trial: &mut Trial) -> Result<(), Miss> {
    const SUBSTEPS: i32 = 4;
    let h = 1.0 / 60.0 / f64::from(SUBSTEPS);
    for (value, integrator) in trial.variants("integrator") {
        let Some((modulus, angle)) = closed_form::explicit(integrator, 1000_f64.sqrt() * h) else {
            return Err(format!("the integrator {integrator} has no closed form here yet").into());
        };
        // Small, so that what grows does not reach the pin and turn the spring over.
        let fixture = spring(trial.solver, 0.1).cut(SUBSTEPS as u32).uncapped();
        let (a, p) = amplitude_and_period(&mut trial.placed(fixture.set("integrator", value)))?;
        let amplitude = Bounds::near(modulus.powi(SUBSTEPS), TOLERANCE);
        trial.expect(format!("amplitude kept in 1/60 s, {integrator}"), amplitude, a);
        trial.expect(format!("period [s], {integrator}"), Bounds::within(TAU * h / angle, TOLERANCE), p);
    }
    Ok(())
}
