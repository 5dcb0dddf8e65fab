//! Bending of a curve: gradient and second derivative at 100,000 random bends, at rest, and where it is straight.

use super::{
    Random, V, all, dot, gradient_is_right, norm, plus, rigid_motion_is_free, stiffness_is_exact,
    stiffness_is_symmetric_and_positive,
};
use crate::{
    constraints::{Constraint, Energy, curve_bend::CurveBend},
    lanes::V3,
};

/// Of a segment [m].
const LENGTH: f64 = 0.3;

fn bend(angle: f64) -> CurveBend<f64> {
    let per_length = 1.0 / LENGTH;
    CurveBend {
        weights: [per_length, -2.0 * per_length, per_length, 0.0],
        rest: 2.0 * (0.5 * angle).sin(),
        k: 12.0,
    }
}

/// Two segments at an angle in a plane, and a particle beside them.
fn bent(angle: f64) -> [V; 4] {
    let (sin, cos) = angle.sin_cos();
    let x = [V3::new(-LENGTH, 0.0, 0.0), V3::zero(), V3::new(LENGTH * cos, LENGTH * sin, 0.0)];
    super::moved(&[x[0], x[1], x[2], V3::new(0.5, 0.1, 0.2)])
}

#[test]
fn gradient_and_second_derivative_are_right_at_random() {
    let mut random = Random(53);
    let mut less = 0;
    for pair in 0..100_000 {
        let row = bend(1.5 * random.signed().abs());
        // Of any bend and stretch, the whole of them away from where they are straight.
        let x = plus(&bent(0.1 + 2.5 * random.signed().abs()), &random.points(0.02), 1.0);
        let (d, e) = (random.points::<4>(0.1), 1e-5);
        let (ahead, behind) = (plus(&x, &d, e), plus(&x, &d, -e));
        let slope = (Energy::energy(&row, &ahead) - Energy::energy(&row, &behind)) / (2.0 * e);
        let gradient = Energy::gradient(&row, &x);
        let off = (dot(&gradient, &d) - slope).abs();
        let scale = row.k * norm(&d) / LENGTH;
        assert!(off < 1e-5 * scale, "pair {pair}: gradient off by {off} of {scale}");
        let change = plus(&Energy::gradient(&row, &ahead), &Energy::gradient(&row, &behind), -1.0)
            .map(|g| g * (0.5 / e));
        let exact = row.hessian_times(&x, &d);
        let (off, scale) = (norm(&plus(&exact, &change, -1.0)), row.k * norm(&d) / (LENGTH * LENGTH));
        assert!(off < 1e-5 * scale, "pair {pair}: second derivative off by {off} of {scale}");
        let (size, _) = row.bow(&x);
        less += u32::from(size < row.rest);
        // What solvers take of it is never less.
        let taken = dot(&Energy::stiffness_times(&row, &x, &d), &d);
        assert!(taken >= dot(&exact, &d) - 1e-9 * scale && taken >= 0.0, "pair {pair}: {taken}");
    }
    assert!((10_000..90_000).contains(&less), "{less} of them bend less than at rest");
}

#[test]
fn it_rests_at_its_angle_and_forces_add_up() {
    for angle in [0.01, 0.2, 1.5, 3.0] {
        rigid_motion_is_free("curve", &bend(angle), &bent(angle), 1e3);
        let mut random = Random(59);
        for _ in 0..10 {
            let x = plus(&bent(angle), &random.points(0.05), 1.0);
            all("curve", &bend(0.4), &x);
        }
        stiffness_is_exact("curve, bent more", &bend(0.5 * angle), &bent(angle), &random.points(1.0));
        stiffness_is_exact("curve at rest", &bend(angle), &bent(angle), &random.points(1.0));
        gradient_is_right("curve, bent less", &bend(angle + 0.1), &bent(angle));
    }
    // E = k/2 (2 sin(a/2) - 2 sin(b/2))²
    let energy = Energy::energy(&bend(0.3), &bent(0.5));
    let expected = 6.0 * (2.0 * 0.25_f64.sin() - 2.0 * 0.15_f64.sin()).powi(2);
    assert!((energy - expected).abs() < 1e-12, "{energy} for {expected}");
}

/// A straight one has energy and no direction: it stays until something bends it, and then bends that way.
#[test]
fn straight_is_a_place_to_leave() {
    let row = bend(0.4);
    let line: [V; 4] = std::array::from_fn(|i| V3::new(0.0, -LENGTH * i as f64, 0.0));
    assert_eq!(
        (norm(&Energy::gradient(&row, &line)), norm(&row.hessian_times(&line, &bent(1.0)))),
        (0.0, 0.0)
    );
    assert!(Energy::energy(&row, &line) > 0.9 * 6.0 * row.rest * row.rest);
    stiffness_is_symmetric_and_positive("straight", &row, &line);
    for way in [1e-14, 1e-8, 1e-3] {
        let mut x = line;
        x[2] = x[2] + V3::new(way, 0.0, 0.0);
        let force = Energy::gradient(&row, &x)[2] * -1.0;
        let most = row.k * row.rest / LENGTH;
        assert!(force.x > 0.9 * most && force.x <= most * (1.0 + 1e-9), "{way}: {force:?} of {most}");
    }
}
