//! Short steps are truer steps: at 100 substeps a pendulum and a hanging chain of rigid constraints swing as in the books, with every
//! solver that converges on them, although gravity moves a particle by two roundings of its position only in each.

use std::{f64::consts::TAU, ops::Range};

use tests::fixture::{Fixture, solvers};
use weft_proof::validate::fixtures;

const SUBSTEPS: u32 = 100;
const FRAMES: usize = 600;
const G: f64 = 9.81;

/// The turning points of a swing [as `at`], and when it passes through its middle [frames].
fn swings(mut fixture: Fixture, at: impl Fn(&Fixture) -> f64) -> (Vec<f64>, Vec<f64>) {
    fixture.scene.gravity = [0.0, -G as f32, 0.0];
    let mut fixture = fixture.cut(SUBSTEPS);
    let (mut turns, mut passes, mut most, mut last) = (Vec::new(), Vec::new(), 0.0_f64, 0.0);
    for frame in 0..FRAMES {
        fixture.frames(1);
        let now = at(&fixture);
        if now * last < 0.0 {
            turns.push(most);
            passes.push(frame as f64 + last / (last - now));
            most = 0.0;
        }
        (most, last) = (most.max(now.abs()), now);
    }
    (turns, passes)
}

/// What solvers that brake a swing leave of it: known failures, that may get neither worse nor better unseen. One linear step a substep
/// makes the row longer as it turns, and takes it back along another direction.
const PENDULUM: [(&str, f64); 1] = [("baraff_witkin", 86.01)];

/// The same of the chain, its period by the right one: a few iterations leave much undone in so many rows.
const CHAIN: [(&str, f64); 2] = [("implicit_jacobi", 1.0398), ("vbd", 1.0693)];

/// A fifth of how far a known failure is off, around it.
fn about(known: f64, right: f64) -> Range<f64> {
    let band = 0.2 * (known - right).abs();
    known - band..known + band
}

#[test]
fn a_rigid_pendulum_keeps_its_swing() {
    let mut wrong = Vec::new();
    for solver in solvers() {
        let ends = [([0.0; 3], 0.0), ([1.0, 0.0, 0.0], 1.0)];
        let fixture = fixtures::springs(solver, &ends, &[(0, 1, 1.0, 0.0)]);
        let angle = |fixture: &Fixture| {
            let [x, y, ..] = fixture.x()[1].map(f64::from);
            x.atan2(-y).to_degrees()
        };
        let (turns, _) = swings(fixture, angle);
        // Implicit Euler itself comes back to 88.5 degrees after eight swings.
        let known = PENDULUM.iter().find(|(name, _)| *name == solver);
        let wanted = known.map_or(87.8..90.3, |(_, degrees)| about(*degrees, 90.0));
        let last = turns.get(7).copied().unwrap_or(f64::NAN);
        println!("{solver}: {turns:.1?}");
        if !wanted.contains(&last) {
            wrong.push(format!("{solver}: {turns:?} degrees"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Links and length of the chain [m], and how far its end is off at the start [m].
const LINKS: usize = 20;
const LENGTH: f64 = 1.0;
const AWAY: f64 = 0.02;
const MASS: f64 = 0.01;

/// Height of the lowest mode of a hanging chain, J0(2.4048 sqrt(1 - s)), s from its upper end.
fn mode(s: f64) -> f64 {
    let quarter = -2.4048_f64.powi(2) * (1.0 - s) / 4.0;
    let term = |(term, sum): (f64, f64), k: i32| {
        let next = term * quarter / f64::from(k * k);
        (next, sum + next)
    };
    (1..20).fold((1.0, 1.0), term).1
}

/// Period of the lowest mode of the chain of point masses [s]: the frequency at which the lowest one is free, by halving.
fn period() -> f64 {
    let pull = |i: usize| MASS * G * (LINKS + 1 - i) as f64 / (LENGTH / LINKS as f64);
    let end = |square: f64| {
        let (mut above, mut here) = (0.0, 1.0);
        for i in 1..LINKS {
            let below = here + (pull(i) * (here - above) - MASS * square * here) / pull(i + 1);
            (above, here) = (here, below);
        }
        pull(LINKS) * (here - above) - MASS * square * here
    };
    let (mut low, mut high) = (0.0, 30.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if end(middle) > 0.0 { low = middle } else { high = middle }
    }
    TAU / low.sqrt()
}

#[test]
fn a_hanging_chain_swings_in_its_lowest_mode() {
    let step = LENGTH / LINKS as f64;
    let place =
        |i: usize| ([AWAY * mode(i as f64 * step), -(i as f64) * step, 0.0], if i == 0 { 0.0 } else { MASS });
    let ends: Vec<_> = (0..=LINKS).map(place).map(|(x, mass)| (x.map(|x| x as f32), mass as f32)).collect();
    let rest = |i: usize| {
        let [a, b] = [place(i).0, place(i + 1).0];
        (a[0] - b[0]).hypot(a[1] - b[1]) as f32
    };
    let rows: Vec<_> = (0..LINKS).map(|i| (i as u32, i as u32 + 1, rest(i), 0.0)).collect();
    let expected = period();
    assert!((expected - TAU / (2.4048 / 2.0 * G.sqrt())).abs() < 0.05 * expected, "{expected}");
    let mut wrong = Vec::new();
    for solver in solvers() {
        let fixture = fixtures::springs(solver, &ends, &rows);
        let (turns, passes) = swings(fixture, |fixture| f64::from(fixture.x()[LINKS][0]));
        let (Some(first), Some(last)) = (passes.first(), passes.last()) else {
            wrong.push(format!("{solver}: it does not swing"));
            continue;
        };
        let measured = 2.0 * (last - first) / (passes.len() - 1) as f64 / 60.0;
        let kept = turns.last().copied().unwrap_or(f64::NAN) / AWAY;
        println!("{solver}: period {measured:.4} of {expected:.4} s, {kept:.3} of the swing left");
        let known = CHAIN.iter().find(|(name, _)| *name == solver);
        // Explicit springs lengthen in their own time.
        let wanted = known.map_or(0.985..1.015, |(_, period)| about(*period, 1.0));
        if !wanted.contains(&(measured / expected)) || !(0.85..1.06).contains(&kept) {
            wrong.push(format!("{solver}: period {measured} s of {expected}, {kept} of the swing left"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How fast a sheet on a plane of `degrees` at a `height` [m] is after half a second in which gravity draws it along [m/s].
fn slides(solver: &str, degrees: f64, height: f64, gravity: [f64; 2], substeps: u32) -> f64 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let [x, y, gap] = [gravity[0], gravity[1], 0.0041];
    let fixture = Fixture::new(&format!(
        "(version: 1, gravity: ({x}, {y}, 0), air_damping: 0, wind: (coefficient: 0), solver: (name: \"{solver}\"),
          cloths: [(id: \"c\", shape: Grid(columns: 7, rows: 7, width: 0.3, height: 0.3),
                    at: ({}, {}, 0), rotation: (-90, 0, {degrees}),
                    material: (density: 0.2, compliance: (structural: 1e-5, shear: 1e-4, bend: 1e-2)))],
          colliders: [(id: \"f\", shape: Plane, at: (0, {height}, 0), rotation: (0, 0, {degrees}),
                       friction: (static: 0.3, dynamic: 0.25))])",
        -gap * sin,
        height + gap * cos
    ));
    let mut fixture = fixture.cut(substeps);
    fixture.frames(30);
    let along: f64 = fixture.v().iter().map(|v| f64::from(v[0]).hypot(f64::from(v[1]))).sum();
    along / fixture.v().len() as f64
}

/// By Coulomb, although gravity moves the sheet by a few last places of its position in a substep.
#[test]
fn sheets_slide_by_coulomb_above_zero() {
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let mut wrong = Vec::new();
    for (index, solver) in solvers().into_iter().enumerate() {
        // In the ordinary run every second of them, and the next solver the others.
        for (number, (degrees, height, substeps)) in [
            (0.0, 0.0, 100),
            (0.0, 1.0, 64),
            (0.0, 1.0, 100),
            (30.0, 0.0, 100),
            (30.0, 1.0, 64),
            (30.0, 1.0, 100),
        ]
        .into_iter()
        .enumerate()
        {
            if !tests::long() && (index + number) % 2 > 0 {
                continue;
            }
            let (gravity, right) = if degrees == 0.0 {
                ([5.0, -G], 5.0 - 0.25 * G)
            } else {
                ([0.0, -G], G * (sin - 0.25 * cos))
            };
            let share = slides(solver, degrees, height, gravity, substeps) / (0.5 * right);
            let row = format!(
                "{solver} at {height} m and {degrees} degrees, {substeps} substeps: {share:.4} of its speed"
            );
            println!("{row}");
            // Their solve holds the sheet on the plane, by forces that are worked out from positions.
            let bound = if ["implicit_newton", "baraff_witkin"].contains(&solver) { 0.04 } else { 0.03 };
            if (share - 1.0).abs() > bound || share.is_nan() {
                wrong.push(row);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
