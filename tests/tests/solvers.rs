//! What every solver must reproduce: closed forms and invariants (the numbers are worked out from formulas here).

use glam::{DVec3, Quat, Vec3};
use tests::{
    grid,
    random::Random,
    rig::{Rig, solvers},
};

/// No gravity, no air; `extra` goes into the cloth.
fn weightless(solver: &str, columns: u32, rows: u32, extra: &str) -> Rig {
    Rig::new(&format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0),
            solver: (name: "{solver}"), cloths: [(id: "a",
                shape: Grid(columns: {columns}, rows: {rows}, width: 0.8, height: 0.5), {extra})])"#
    ))
}

/// Places in the choice `integrator` of the explicit solver.
const SYMPLECTIC_EULER: f32 = 0.0;
const EXPLICIT_EULER: f32 = 1.0;
const TAYLOR2: f32 = 2.0;
const VELOCITY_VERLET: f32 = 3.0;
const RK4: f32 = 4.0;

/// Averaged Jacobi keeps momentum only as far as its rows agree, for each end moves by its own share: 5 to 8 % of the
/// sum of m |v| were lost here, which is bounded and known.
fn averages(solver: &str) -> bool {
    ["pbd_jacobi", "pbd_sor"].contains(&solver)
}

const SOFT: &str = "material: (compliance: (structural: 0.1, shear: 0.2, bend: 0.5))";

/// Free, not square, not symmetric: every particle off its place and moving.
fn shake(rig: &mut Rig, speed: f32) {
    let mut random = Random(7);
    rig.x_mut().iter_mut().for_each(|x| (0..3).for_each(|i| x[i] += 0.004 * random.signed()));
    rig.v_mut().iter_mut().for_each(|v| (0..3).for_each(|i| v[i] += speed * random.signed()));
    rig.v_mut().iter_mut().for_each(|v| v[0] += 0.3);
}

/// How much farther than g t²/2 a free cloth falls in one second, in units of g t h/2.
fn free_fall(solver: &str, integrator: Option<f32>) -> f64 {
    const SUBSTEPS: f32 = 2.0;
    let mut rig = weightless(solver, 5, 4, "material: (compliance: (structural: 10, shear: 10, bend: 10))")
        .set("substeps", SUBSTEPS);
    if let Some(integrator) = integrator {
        rig = rig.set("integrator", integrator);
    }
    rig.scene.gravity = [0.0, -9.81, 0.0];
    let start = rig.x().to_vec();
    rig.frames(60);
    let (t, h, g) = (rig.run.time, f64::from(rig.scene.step / SUBSTEPS), 9.81_f64);
    let falls: Vec<f64> = start.iter().zip(rig.x()).map(|(a, b)| f64::from(a[1] - b[1])).collect();
    let fall = falls.iter().sum::<f64>() / falls.len() as f64;
    assert!(falls.iter().all(|f| (f - fall).abs() < 1e-3 * fall), "it falls as one");
    (fall - 0.5 * g * t * t) / (0.5 * g * t * h)
}

#[test]
fn free_fall_is_off_by_half_a_step() {
    for (solver, integrator, expected) in [
        ("xpbd", None, 1.0),
        ("pbd_gauss_seidel", None, 1.0),
        ("pbd_jacobi", None, 1.0),
        ("pbd_sor", None, 1.0),
        ("vbd", None, 1.0),
        ("explicit", Some(SYMPLECTIC_EULER), 1.0),
        ("explicit", Some(EXPLICIT_EULER), -1.0),
        ("explicit", Some(TAYLOR2), 0.0),
        ("explicit", Some(VELOCITY_VERLET), 0.0),
        ("explicit", Some(RK4), 0.0),
    ] {
        let deviation = free_fall(solver, integrator);
        assert!((deviation - expected).abs() < 0.01, "{solver} {integrator:?}: {deviation}");
    }
}

#[test]
fn linear_momentum_stays() {
    for solver in solvers() {
        let mut rig = weightless(solver, 7, 5, SOFT);
        shake(&mut rig, 0.5);
        let (before, scale) = (rig.momentum(), rig.momentum_scale());
        rig.frames(60);
        let drift = (rig.momentum() - before).length() / scale;
        let limit = if averages(solver) { 0.15 } else { 5e-4 };
        assert!(drift < limit, "{solver}: {drift}");
        assert!(before.length() / scale > 0.1, "there is momentum to lose");
    }
}

#[test]
fn symplectic_springs_keep_angular_momentum() {
    let mut rig = weightless("explicit", 7, 5, SOFT).set("stability_cap", 0.0);
    shake(&mut rig, 0.5);
    let spin = |rig: &mut Rig| {
        let x = rig.x().to_vec();
        for (v, x) in rig.v_mut().iter_mut().zip(x) {
            (v[0], v[1]) = (v[0] - 3.0 * x[1], v[1] + 3.0 * x[0]);
        }
    };
    spin(&mut rig);
    let before = rig.angular_momentum();
    rig.frames(60);
    let drift = (rig.angular_momentum() - before).length() / before.length();
    assert!(drift < 1e-4, "{drift}");
    // The other integrator gains: the measure can tell.
    let mut gains =
        weightless("explicit", 7, 5, SOFT).set("stability_cap", 0.0).set("integrator", EXPLICIT_EULER);
    shake(&mut gains, 0.5);
    spin(&mut gains);
    gains.frames(60);
    let gain = gains.angular_momentum().length() / before.length() - 1.0;
    assert!(gain > 1e-3, "{gain}");
}

/// A rod of two particles of 1 kg, 1 m long, turning at 2 rad/s: the share of its angular momentum after 5 s.
fn dumbbell(solver: &str, substeps: f32) -> f64 {
    let ends = [([-0.5, 0.0, 0.0], 1.0), ([0.5, 0.0, 0.0], 1.0)];
    let scene = weightless(solver, 2, 2, "").scene;
    let mut rig = Rig::made(scene, grid::particles(&ends, &[(0, 1, 1.0, 0.0)])).set("substeps", substeps);
    rig.v_mut().copy_from_slice(&[[0.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
    let before = rig.angular_momentum();
    rig.frames(300);
    rig.angular_momentum().dot(before) / before.length_squared()
}

#[test]
fn projections_lose_angular_momentum_in_first_order() {
    for solver in ["xpbd", "pbd_gauss_seidel"] {
        // dL/L = -(Omega h)² a step, and Omega falls with L.
        let loss = |substeps: f32| dumbbell(solver, substeps).powi(-2) - 1.0;
        let expected = |substeps: f32| 2.0 * 2_f64.powi(2) * 5.0 / 60.0 / f64::from(substeps);
        for substeps in [1.0, 2.0, 4.0, 10.0, 20.0] {
            let (loss, expected) = (loss(substeps), expected(substeps));
            assert!((loss - expected).abs() < 2e-3, "{solver} {substeps}: {loss} for {expected}");
        }
        let ratio = loss(2.0) / loss(4.0);
        assert!((1.95..2.05).contains(&ratio), "{solver}: half the step, half the loss: {ratio}");
    }
}

/// Share of the amplitude left after a frame, and the period [s], of a pinned 1 kg oscillator.
///
/// Frames of any linear two-step method obey u(n+1) = a u(n) + b u(n-1); a and b by least squares.
fn oscillator(rig: &mut Rig) -> (f64, f64) {
    let mut u = vec![0.5];
    for _ in 0..40 {
        rig.frames(1);
        u.push(f64::from(rig.x()[1][0]) - 1.0);
    }
    let (mut s, mut r) = ([[0.0; 2]; 2], [0.0; 2]);
    // The first frame starts from rest: its velocity is not the method's own yet.
    for w in u[1..].windows(3) {
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
    (amplitude, std::f64::consts::TAU * f64::from(rig.scene.step) / (a / (2.0 * amplitude)).acos())
}

fn spring(solver: &str) -> Rig {
    let ends = [([0.0; 3], 0.0), ([1.5, 0.0, 0.0], 1.0)];
    let scene = weightless(solver, 2, 2, "").scene;
    Rig::made(scene, grid::particles(&ends, &[(0, 1, 1.0, 1e-3)]))
}

#[test]
fn xpbd_and_vbd_are_implicit_euler_on_an_oscillator() {
    let omega = 1000_f64.sqrt();
    for substeps in [1, 2, 5, 10, 20, 60] {
        let h = 1.0 / 60.0 / f64::from(substeps);
        let amplitude = (1.0 + (omega * h).powi(2)).powf(-0.5 * f64::from(substeps));
        let period = std::f64::consts::TAU * h / (omega * h).atan();
        for (solver, iterations) in [("xpbd", 1.0), ("xpbd", 7.0), ("vbd", 1.0), ("vbd", 7.0)] {
            let mut rig = spring(solver).set("substeps", substeps as f32).set("iterations", iterations);
            let (a, p) = oscillator(&mut rig);
            let what = format!("{solver} {substeps}x{iterations}");
            assert!((a - amplitude).abs() < 1e-3, "{what}: {a} for {amplitude}");
            assert!((p - period).abs() < 1e-3 * period, "{what}: {p} for {period}");
        }
    }
}

#[test]
fn integrators_grow_and_turn_as_their_amplification_matrices_say() {
    const SUBSTEPS: i32 = 4;
    let (omega, h) = (1000_f64.sqrt(), 1.0 / 60.0 / f64::from(SUBSTEPS));
    let z = omega * h;
    // Modulus and angle of the eigenvalue of one step on x'' = -omega² x.
    let leapfrog = 2.0 * (0.5 * z).asin();
    let taylor_modulus = (1.0 + 0.5 * z * z).sqrt();
    let taylor_angle = ((1.0 - 0.25 * z * z) / taylor_modulus).acos();
    let (re, im) = (1.0 - z.powi(2) / 2.0 + z.powi(4) / 24.0, z - z.powi(3) / 6.0);
    for (name, scheme, modulus, angle) in [
        ("symplectic_euler", SYMPLECTIC_EULER, 1.0, leapfrog),
        ("explicit_euler", EXPLICIT_EULER, (1.0 + z * z).sqrt(), z.atan()),
        ("taylor2", TAYLOR2, taylor_modulus, taylor_angle),
        ("velocity_verlet", VELOCITY_VERLET, 1.0, leapfrog),
        ("rk4", RK4, re.hypot(im), im.atan2(re)),
    ] {
        let rig = spring("explicit").set("substeps", SUBSTEPS as f32).set("stability_cap", 0.0);
        let mut rig = rig.set("integrator", scheme);
        // Small, so that what grows does not reach the pin and turn the spring over.
        rig.x_mut()[1][0] = 1.1;
        let (amplitude, period) = oscillator(&mut rig);
        let (kept, turn) = (modulus.powi(SUBSTEPS), std::f64::consts::TAU * h / angle);
        assert!((amplitude - kept).abs() < 5e-4, "{name}: {amplitude} for {kept}");
        assert!((period - turn).abs() < 5e-4 * turn, "{name}: {period} for {turn}");
    }
}

#[test]
fn pbd_is_known_to_fail_the_oscillator() {
    // Its stiffness is a share of the error per iteration, so the period is the iterations' and not the spring's.
    let period = |iterations| {
        let rig = spring("pbd_gauss_seidel").set("substeps", 1.0);
        oscillator(&mut rig.set("stiffness", 0.1).set("iterations", iterations)).1
    };
    let periods = [1.0, 2.0, 4.0].map(period);
    assert!(periods[0] > 1.3 * periods[1] && periods[1] > 1.3 * periods[2], "{periods:?}");
}

#[test]
fn a_rigid_rotation_raises_no_force() {
    for solver in solvers() {
        let mut rig = weightless(solver, 9, 6, SOFT);
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), 2.1);
        for x in rig.x_mut() {
            let at = turn * Vec3::new(x[0], x[1], x[2]) + Vec3::new(0.3, -0.2, 0.1);
            *x = [at.x, at.y, at.z, x[3]];
        }
        let before = rig.x().to_vec();
        rig.frames(1);
        // A rest length of 0.1 m is off by a few units of its last place; the stiffest spring has 10 N/m.
        let force = rig.run.state.column::<f32>("distance", "force");
        let largest = force.iter().fold(0.0_f32, |max, f| max.max(f.abs()));
        let limit = if solver.starts_with("pbd_") { 0.1 } else { 1e-5 };
        assert!(largest < limit, "{solver}: {largest} N");
        let moved =
            rig.x().iter().zip(before).map(|(a, b)| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f32::max));
        assert!(moved.fold(0.0, f32::max) < 1e-6, "{solver}");
    }
}

#[test]
fn wind_pushes_its_own_way_and_not_faster_than_itself() {
    for solver in solvers() {
        for wind in [[0.0, 0.0, 2.0], [0.0, 0.0, -2.0], [1.0, 0.0, 1.5]] {
            let mut rig = weightless(solver, 9, 7, "");
            rig.scene.wind.velocity = wind;
            rig.scene.wind.coefficient = 2.0;
            rig.frames(20);
            let v = rig.mean_velocity();
            // Along the normal (z) only: an ideal pressure has no shear.
            assert!(
                v.z / f64::from(wind[2]) > 0.3 && v.z / f64::from(wind[2]) <= 1.0,
                "{solver} {wind:?}: {v}"
            );
            assert!(v.x.abs() < 0.02 && v.y.abs() < 0.02, "{solver} {wind:?}: {v}");
        }
    }
}

/// Kinetic energy about the mean velocity, per mass [m2/s2].
fn unrest(rig: &Rig) -> f64 {
    let mean = rig.mean_velocity();
    rig.v().iter().map(|v| (tests::rig::vector(*v) - mean).length_squared()).sum::<f64>()
}

#[test]
fn internal_damping_calms_but_keeps_momentum() {
    for solver in solvers() {
        let run = |damping: f32| {
            let compliance = "compliance: (structural: 0.1, shear: 0.2, bend: 0.5)";
            let extra = format!("material: ({compliance}, spring_damping: {damping:?})");
            let mut rig = weightless(solver, 7, 5, &extra);
            if solver.starts_with("pbd_") {
                rig = ["stiffness", "shear", "bend"].into_iter().fold(rig, |rig, name| rig.set(name, 0.01));
            }
            shake(&mut rig, 0.5);
            let (before, scale) = (rig.momentum(), rig.momentum_scale());
            rig.frames(12);
            let drift = (rig.momentum() - before).length() / scale;
            assert!(drift < if averages(solver) { 0.15 } else { 5e-4 }, "{solver}: {drift}");
            unrest(&rig)
        };
        let (free, damped) = (run(0.0), run(1.0));
        assert!(damped < 0.7 * free, "{solver}: {damped} against {free}");
    }
}

#[test]
fn gravity_hangs_on_the_pins() {
    // At rest the pinned rows carry the weight below them: a column of particles on one spring.
    let ends = [([0.0, 0.0, 0.0], 0.0), ([0.0, -1.0, 0.0], 0.2), ([0.0, -2.0, 0.0], 0.3)];
    let springs = [(0, 1, 1.0, 1e-3), (1, 2, 1.0, 1e-3)];
    for solver in ["xpbd", "explicit", "vbd"] {
        let mut scene = weightless(solver, 2, 2, "").scene;
        (scene.gravity, scene.air_damping) = ([0.0, -9.81, 0.0], 2.0);
        let mut rig = Rig::made(scene, grid::particles(&ends, &springs)).set("substeps", 8.0);
        rig.frames(600);
        let force = rig.run.state.column::<f32>("distance", "force");
        let order = &rig.run.state.table("distance").unwrap().coloring.order;
        for (row, expected) in [(0, 0.5 * 9.81), (1, 0.3 * 9.81)] {
            let at = order.iter().position(|&of| of == row).unwrap();
            assert!((force[at] - expected).abs() < 0.01 * expected, "{solver} row {row}: {} N", force[at]);
        }
        let hang = DVec3::Y * -(2.0 + 1e-3 * (0.5 + 0.3) * 9.81);
        assert!((tests::rig::vector(rig.x()[2]) - hang).length() < 1e-4, "{solver}: {:?}", rig.x()[2]);
    }
}
