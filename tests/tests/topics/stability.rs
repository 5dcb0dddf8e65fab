//! V1: the largest stable step, by Bloch's closed form, by Lanczos and by runs (2 %).

use std::time::{Duration, Instant};
use weft_core::state::col;

use tests::{fixture::Fixture, grid, random::Random};
use weft_engine::{
    elastic::{Limit, System},
    stability::{self, Watch, amplification, longest_step, relaxation, spectral_radius},
};
use weft_proof::oracle;
use weft_scene::Scene;

const K: f64 = 1e4;
/// Springs of the square lattice, one of each pair: 4 structural, 4 shear, 4 skip-one.
const TWELVE: [(i32, i32); 6] = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 0), (0, 2)];
const EIGHT: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

const SYMPLECTIC_EULER: f32 = 0.0;
const EXPLICIT_EULER: f32 = 1.0;
const TAYLOR2: f32 = 2.0;
const VELOCITY_VERLET: f32 = 3.0;
const RK4: f32 = 4.0;

fn scene(step: f32, air: f32) -> Scene {
    let text = format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: {air:?}, step: {step:?}, wind: (coefficient: 0.0),
            solver: (name: "explicit"), cloths: [(id: "a", shape: Grid(columns: 2, rows: 2, width: 1.0, height: 1.0))])"#
    );
    weft_scene::parse_text("test", &text, None, &weft_scene::Vocabulary::default())
        .expect("a good scene")
        .scene
}

/// An n x n sheet of 1 kg particles 1 m apart, centred on the origin, explicit, its true stiffness.
fn sheet(n: i32, springs: &[(i32, i32)], step: f32) -> Fixture {
    let middle = (n - 1) as f32 / 2.0;
    let at = |i: i32, j: i32| [i as f32 - middle, 0.0, j as f32 - middle];
    let cells = || (0..n).flat_map(move |j| (0..n).map(move |i| (i, j)));
    let particles: Vec<_> = cells().map(|(i, j)| (at(i, j), 1.0)).collect();
    let inside = |i: i32| (0..n).contains(&i);
    let rows = cells().flat_map(|(i, j)| springs.iter().map(move |&(a, b)| (i, j, i + a, j + b)));
    let rows: Vec<_> = rows
        .filter(|&(_, _, i, j)| inside(i) && inside(j))
        .map(|(i, j, to_i, to_j)| {
            let rest = (((to_i - i).pow(2) + (to_j - j).pow(2)) as f32).sqrt();
            ((j * n + i) as u32, (to_j * n + to_i) as u32, rest, (1.0 / K) as f32)
        })
        .collect();
    Fixture::from_tables(scene(step, 0.0), grid::particles(&particles, &rows))
        .set("substeps", 1.0)
        .set("stability_cap", 0.0)
}

/// Largest eigenvalue of Bloch's matrix of a wave [k/m].
fn bloch(springs: &[(i32, i32)], a: f64, b: f64) -> f64 {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for &(i, j) in springs {
        let (i, j) = (f64::from(i), f64::from(j));
        let stiffness = 2.0 * (1.0 - (a * i + b * j).cos()) / (i * i + j * j);
        (xx, xy, yy) = (xx + stiffness * i * i, xy + stiffness * i * j, yy + stiffness * j * j);
    }
    let half = 0.5 * (xx + yy);
    half + (0.25 * (xx - yy).powi(2) + xy * xy).sqrt()
}

/// Its maximum over all waves, on a grid and then ever closer.
fn largest(springs: &[(i32, i32)]) -> (f64, [f64; 2]) {
    let (mut best, mut at, mut reach) = (0.0, [0.0, 0.0], std::f64::consts::PI);
    let mut centre = at;
    for _ in 0..12 {
        for i in -40..=40 {
            for j in -40..=40 {
                let wave = [(i, 0), (j, 1)].map(|(i, axis)| centre[axis] + reach * f64::from(i) / 40.0);
                let value = bloch(springs, wave[0], wave[1]);
                if value > best {
                    (best, at) = (value, wave);
                }
            }
        }
        (centre, reach) = (at, reach * 0.2);
    }
    (best, at)
}

#[test]
fn closed_forms_follow_from_the_dispersion() {
    let (twelve, at) = largest(&TWELVE);
    assert!((twelve - 10.125).abs() < 1e-9, "{twelve}");
    assert!(at.iter().all(|phase| (phase.cos() + 0.125).abs() < 1e-4), "{at:?}");
    let (eight, _) = largest(&EIGHT);
    assert!((eight - 8.0).abs() < 1e-9, "{eight}");
    assert!((2.0 / (twelve * K).sqrt() - 6.285e-3).abs() < 1e-6);
    assert!((2.0 / (eight * K).sqrt() - 7.071e-3).abs() < 1e-6);
}

#[test]
fn lanczos_finds_the_numbers_of_grids() {
    for (n, springs, expected_ms) in [(24, &TWELVE[..], 6.316), (8, &TWELVE[..], 6.56)] {
        let fixture = sheet(n, springs, 1e-3);
        let verdict = stability::verdict(&fixture.run, 0.0, 1e-3).expect("a verdict");
        let dt_max = verdict.dt_max.expect("it is explicit") * 1e3;
        println!("{n} x {n}: dt_max {dt_max:.4} ms, {verdict:?}");
        assert!((dt_max / expected_ms - 1.0).abs() < 1e-3, "{dt_max} ms against {expected_ms}");
        assert!((verdict.dt_over_dt_max.expect("explicit") * dt_max - 1.0).abs() < 1e-6);
        // A finite sheet is softer than an endless one.
        let endless = 2e3 / (largest(springs).0 * K).sqrt();
        assert!(dt_max > endless, "{dt_max} against {endless}");
    }
    let fixture = sheet(24, &EIGHT, 1e-3);
    let verdict = stability::verdict(&fixture.run, 0.0, 1e-3).expect("a verdict");
    assert!((verdict.dt_max.expect("explicit") * 1e3 / 7.07 - 1.0).abs() < 0.02, "{verdict:?}");
}

/// Largest distance from where the particles began after two seconds with noise of 1e-4 m; infinite if not finite.
fn largest_move(mut fixture: Fixture, integrator: f32) -> f64 {
    let mut random = Random(3);
    fixture.x_mut().iter_mut().for_each(|x| (0..3).for_each(|i| x[i] += 1e-4 * random.signed()));
    let start = oracle::positions(&fixture.run.state);
    let mut fixture = fixture.set("integrator", integrator);
    while fixture.run.time < 2.0 {
        if fixture.try_step().is_err() {
            return f64::INFINITY;
        }
    }
    let end = oracle::positions(&fixture.run.state);
    weft_core::statistics::largest(start.iter().zip(end).map(|(a, b)| (*a - b).length()))
}

#[test]
fn runs_are_stable_below_the_limit_and_blow_up_above() {
    for integrator in [SYMPLECTIC_EULER, VELOCITY_VERLET] {
        let (below, above) = (
            largest_move(sheet(24, &TWELVE, 6.3e-3), integrator),
            largest_move(sheet(24, &TWELVE, 6.4e-3), integrator),
        );
        println!("integrator {integrator}: {below:.2e} m at 6.3 ms, {above:.2e} m at 6.4 ms");
        assert!(below < 0.1, "{below} m at 6.3 ms");
        assert!(above > 1.0, "{above} m at 6.4 ms");
    }
}

/// Bounds of the longest step that runs themselves show, from a hundredth to three times what is said.
fn measured(damped: &dyn Fn(f32) -> Fixture, integrator: f32, said: f32) -> [f32; 2] {
    let stable = |step: f32| largest_move(damped(step), integrator) < 0.1;
    let (mut low, mut high) = (0.3 * said, 3.0 * said);
    for _ in 0..9 {
        let middle = (low * high).sqrt();
        if stable(middle) { low = middle } else { high = middle }
    }
    [low, high]
}

/// Dampers of 15 N s/m (c h of 0.4 at the limit) and 200 (overdamped), along all springs or the structural ones alone.
/// What is said does not depend on the step that is asked for, and runs find the same within 2 %.
#[test]
fn dampers_take_their_share_of_the_range() {
    for (damper, all) in [(15.0, true), (200.0, true), (15.0, false), (200.0, false)] {
        let damped = |step: f32| {
            let mut fixture = sheet(8, &TWELVE, step);
            let rest = fixture.run.state.get(col::distance::rest).to_vec();
            let dampers = fixture.run.state.get_mut(col::distance::damping);
            dampers
                .iter_mut()
                .zip(rest)
                .filter(|(_, rest)| all || *rest == 1.0)
                .for_each(|(d, _)| *d = damper);
            fixture
        };
        for (integrator, name, band) in [
            (SYMPLECTIC_EULER, "symplectic_euler", 0.01),
            (VELOCITY_VERLET, "velocity_verlet", 0.02),
            (RK4, "rk4", 0.02),
        ] {
            let said = |step: f32| {
                let fixture = damped(step).set("integrator", integrator);
                stability::verdict(&fixture.run, 0.0, step).expect("a verdict").dt_max.expect("explicit")
                    as f32
            };
            let (dt_max, asked_elsewhere) = (said(1e-3), said(2e-2));
            let [low, high] = measured(&damped, integrator, dt_max);
            println!(
                "{damper} N s/m, all {all}, {name}: {:.4} ms, runs {:.4} to {:.4}",
                dt_max * 1e3,
                low * 1e3,
                high * 1e3
            );
            assert!((asked_elsewhere / dt_max - 1.0).abs() < 1e-4, "{asked_elsewhere} and {dt_max}");
            assert!(
                dt_max < high * (1.0 + band) && dt_max > low * (1.0 - band),
                "{name}: {dt_max} for {low} to {high}"
            );
        }
    }
}

/// Growth of the amplitude in one second at h = 0.1 ms and c = 0.5 1/s, at omega_max of the endless 12-spring grid.
#[test]
fn explicit_euler_and_taylor_grow_as_their_matrices_say() {
    let (omega, c, h) = ((10.125 * K).sqrt(), 0.5, 1e-4);
    for (integrator, scheme, known) in [(EXPLICIT_EULER, "explicit_euler", 122.0), (TAYLOR2, "taylor2", 9.8)]
    {
        let matrix = spectral_radius(amplification(scheme, omega, c, h)).powf(1.0 / h);
        assert!((matrix / known - 1.0).abs() < 0.02, "{scheme}: {matrix}");
        // The same frequency with one spring along x, so that it stays linear.
        let spring = [(0, 1, 1.0, (1.0 / (omega * omega)) as f32)];
        let pair = grid::particles(&[([0.0; 3], 0.0), ([1.001, 0.0, 0.0], 1.0)], &spring);
        let fixture = Fixture::from_tables(scene(0.01, c as f32), pair)
            .set("substeps", 100.0)
            .set("stability_cap", 0.0);
        let mut fixture = fixture.set("integrator", integrator);
        let amplitude = |fixture: &Fixture| {
            let (x, v) = (f64::from(fixture.x()[1][0]) - 1.0, f64::from(fixture.v()[1][0]) / omega);
            x.hypot(v)
        };
        let start = amplitude(&fixture);
        fixture.frames(100);
        let run = amplitude(&fixture) / start;
        println!("{scheme}: x {run:.2} in a run, x {matrix:.2} by the matrix");
        assert!((run / matrix - 1.0).abs() < 0.02, "{scheme}: {run} against {matrix}");
    }
    // 4.9 and 9.9 us; RK4 ends at 2.83.
    assert!((longest_step("explicit_euler", omega * omega, c) - 4.94e-6).abs() < 1e-8);
    assert!((longest_step("taylor2", omega * omega, c) - 9.88e-6).abs() < 2e-8);
    let rk4 = |share: f64| {
        spectral_radius(amplification("rk4", omega, 0.0, share * longest_step("rk4", omega * omega, 0.0)))
    };
    assert!(rk4(0.999) < 1.0 && rk4(1.001) > 1.0);
    assert!((longest_step("rk4", omega * omega, 0.0) * omega - 2.83).abs() < 2e-3);
}

/// The cap leaves room whatever the compliance: at 0.5 the substep is at most 0.71 of the longest.
#[test]
fn a_capped_rigid_sheet_is_inside_the_range() {
    let mut fixture = sheet(12, &TWELVE, 1.0 / 60.0).set("substeps", 4.0);
    fixture.run.state.get_mut(col::distance::compliance).fill(0.0);
    let ratio = |fixture: &Fixture| {
        stability::verdict(&fixture.run, 0.0, 1.0 / 60.0).expect("a verdict").dt_over_dt_max
    };
    assert!(ratio(&fixture).expect("explicit") > 1e6, "rigid without a cap");
    let capped = fixture.set("stability_cap", 0.5);
    let share = ratio(&capped).expect("explicit");
    assert!((0.3..0.71).contains(&share), "{share}");
}

/// V7: k h²/m = 20, where the smoothest wave decides: rho = 1 - 1/(1 + 6 k h²/m).
#[test]
fn jacobi_and_chebyshev_have_their_radius() {
    let fixture = sheet(24, &TWELVE, 1e-3);
    let system = System::of(&fixture.run.state, Limit::WithoutRigid).expect("a system");
    let h = (20.0 / K).sqrt();
    let rates = relaxation(&system, h);
    println!("{rates:?}");
    assert!((rates.jacobi - (1.0 - 1.0 / 121.0)).abs() < 1e-3, "{rates:?}");
    let gain = rates.gain.expect("it converges");
    assert!((13.0..17.0).contains(&gain), "{gain}");
}

#[test]
fn the_live_reading_answers_and_warns_once() {
    let fixture = sheet(12, &TWELVE, 7e-3);
    let mut watch = Watch::new(true);
    let (start, mut warnings) = (Instant::now(), Vec::new());
    while start.elapsed() < Duration::from_millis(2500) {
        warnings.extend(watch.update(&fixture.run, 0.0, 7e-3));
        std::thread::sleep(Duration::from_millis(5));
    }
    let verdict = watch.latest.clone().expect("an answer");
    let exact = stability::verdict(&fixture.run, 0.0, 7e-3).expect("a verdict");
    assert!((verdict.omega_max / exact.omega_max - 1.0).abs() < 0.01, "{verdict:?} against {exact:?}");
    assert!(verdict.omega_max > 0.9999 * exact.omega_max, "an upper bound");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("longest stable"), "{warnings:?}");
    let mut off = Watch::new(false);
    assert_eq!(off.update(&fixture.run, 0.0, 7e-3), None);
    assert!(off.latest.is_none());
    assert!(off.ask(&fixture.run, 0.0, 7e-3).is_some());
}

#[test]
fn what_has_no_frequency_is_said() {
    let of = |particles: &[([f32; 3], f32)], springs: &[(u32, u32, f32, f32)]| {
        let fixture = Fixture::from_tables(scene(0.01, 0.0), grid::particles(particles, springs));
        stability::verdict(&fixture.run, 0.0, 0.01).expect_err("refused")
    };
    let (a, b) = ([0.0; 3], [1.0, 0.0, 0.0]);
    assert!(of(&[(a, 1.0), (b, 1.0)], &[]).contains("nothing is elastic"));
    assert!(of(&[(a, 0.0), (b, 0.0)], &[(0, 1, 1.0, 0.1)]).contains("pinned"));
    assert!(of(&[], &[]).contains("no particles"));
    let mut fixture =
        Fixture::from_tables(scene(0.01, 0.0), grid::particles(&[(a, 1.0), (b, 1.0)], &[(0, 1, 1.0, 0.1)]));
    fixture.x_mut()[0][1] = f32::NAN;
    assert!(stability::verdict(&fixture.run, 0.0, 0.01).expect_err("refused").contains("not finite"));
}
