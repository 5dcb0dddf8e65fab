//! What every projection must do: keep momentum, and after enough of them solve C + alpha~ lambda = 0.

use super::{Random, TRIANGLE, dot, folded, moved, neo_hookean, plus, st_venant_kirchhoff, stretched};
use crate::{
    constraints::{
        Constraint, Past, Softness, Three, Value, area::Area, attachment::Attachment, distance,
        hinge::Dihedral, membrane::strains, neo_hookean::NeoHookean, quadratic_bend::QuadraticBend,
        st_venant_kirchhoff::StVenantKirchhoff, tether::Tether,
    },
    lanes::{Real, V3},
};

/// By a compliance over h², or by the row's own stiffness at h = 1.
fn soft<R: Real>(alpha: Option<R>) -> Softness<R> {
    Softness { alpha, h2: R::from_f32(1.0), per_h2: R::from_f32(1.0) }
}

const W: [f64; 4] = [1.0, 2.5, 0.4, 3.0];
const WEIGHTS: [f64; 4] = [-1.2, -0.8, 1.1, 0.9];

fn in_f32<const N: usize>(x: &[V3<f64>; N]) -> [V3<f32>; N] {
    x.map(|p| V3 { x: p.x as f32, y: p.y as f32, z: p.z as f32 })
}

fn in_f64<const N: usize>(x: &[V3<f32>; N]) -> [V3<f64>; N] {
    x.map(|p| V3 { x: p.x.into(), y: p.y.into(), z: p.z.into() })
}

/// Shaken positions that single precision holds, so that sums see no rounding but the projection's.
fn single<const N: usize>(x: &[V3<f64>; N], random: &mut Random) -> [V3<f64>; N] {
    in_f64(&in_f32(&plus(x, &random.points(0.1), 1.0)))
}

/// Sums of m dx and m x cross dx against those of their lengths.
fn keeps_momentum<const N: usize>(name: &str, x: &[V3<f64>; N], w: [f64; N], d: [V3<f32>; N]) {
    let (d, length) = (in_f64(&d), |v: V3<f64>| v.dot(v).sqrt());
    let (mut sum, mut turn, mut scale, mut lever) = (V3::zero(), V3::zero(), 0.0, 0.0);
    for i in 0..N {
        let impulse = d[i] * (1.0 / w[i]);
        (sum, turn) = (sum + impulse, turn + x[i].cross(impulse));
        scale += length(impulse);
        lever += length(impulse) * length(x[i]);
    }
    assert!(scale > 1e-6, "{name} did nothing");
    assert!(length(sum) < 1e-6 * scale, "{name}: momentum {} of {scale}", length(sum));
    assert!(length(turn) < 1e-6 * lever, "{name}: angular momentum {} of {lever}", length(turn));
}

#[test]
fn each_projection_keeps_momentum_in_single_precision() {
    let mut random = Random(41);
    for _ in 0..20 {
        let (w2, w3, w4) = ([W[0] as f32, 2.5], [1.0, 2.5, 0.4], W.map(|w| w as f32));
        let x = single(&[TRIANGLE[0], TRIANGLE[1]], &mut random);
        let [a, b] = in_f32(&x);
        let (da, db, _) = distance::project((a, w2[0]), (b, w2[1]), 0.8, 0.3, -0.1);
        keeps_momentum("distance", &x, [1.0, 2.5], [da, db]);
        let way = (b * 0.1, 0.7);
        let (da, db, _) = distance::project_damped((a, w2[0]), (b, w2[1]), 0.8, 0.3, -0.1, way);
        keeps_momentum("distance, damped", &x, [1.0, 2.5], [da, db]);

        let x = single(&TRIANGLE, &mut random);
        let (points, past) = (in_f32(&x), Past::none());
        let w = [W[0], W[1], f64::from(w3[2])];
        let inverse = super::rest().0.map(|b| b as f32);
        let (c, g) = strains(&points, &inverse);
        let strains = Three { c, g, compliance: [0.3, 0.3, 0.5, -0.1] };
        let (d, _) = strains.project(1.0, w3, soft(None), [0.1, -0.2, 0.3, 0.0], &past);
        keeps_momentum("StVK", &x, w, d);
        let shape = NeoHookean { inverse_rest: inverse, area: 0.4, mu: 3.0, lame: 2.0 };
        keeps_momentum("neo-Hookean", &x, w, shape.project(&points, w3, soft(None), [0.0; 4], &past).0);
        let area = Area { area: 0.2, k: 0.6 };
        keeps_momentum("area", &x, w, area.project(&points, w3, soft(None), [-0.1; 4], &past).0);
        keeps_momentum("area, rigid", &x, w, area.rigid(&points, w3, [0.5; 3]));

        let x = single(&folded(0.9), &mut random);
        let (points, past) = (in_f32(&x), Past::none());
        let w = w4.map(f64::from);
        let hinge = Dihedral { rest_angle: 0.1, k: 2.0 };
        keeps_momentum("hinge", &x, w, hinge.project(&points, w4, soft(None), [0.1; 4], &past).0);
        let bend = QuadraticBend { weights: WEIGHTS.map(|w| w as f32), k: 2.0 };
        let V3 { x: lx, y: ly, z: lz } = bend.value(&points).c * 0.2;
        let (d, _) = bend.project(&points, w4, soft(None), [lx, ly, lz, 0.0], &past);
        keeps_momentum("quadratic bend", &x, w, d);
        keeps_momentum("bend, rigid", &x, w, bend.rigid(&points, w4, [0.3; 3]));
    }
}

/// Projects until nothing moves; the positions reached and the multipliers.
fn settle<const N: usize>(
    start: [V3<f64>; N],
    project: impl Fn(&[V3<f64>; N], [f64; 4]) -> ([V3<f64>; N], [f64; 4]),
) -> ([V3<f64>; N], [f64; 4]) {
    let (mut x, mut lambda) = (start, [0.0; 4]);
    for _ in 0..300 {
        let (d, change) = project(&x, lambda);
        x = plus(&x, &d, 1.0);
        for i in 0..4 {
            lambda[i] += change[i];
        }
    }
    (x, lambda)
}

/// Three numbers at once, and the energy that they are to mean.
fn solves_its_own_equation(name: &str, row: &impl Constraint<f64, 3, Value = Three<f64, 3>>) {
    let (w, gamma) = ([W[0], W[1], W[2]], 0.4);
    let start = plus(&stretched(1.2, 0.9), &Random(43).points(0.02), 1.0);
    let product = |l: [f64; 4]| {
        let [p, q, r, pq] = row.value(&start).compliance;
        [p * l[0] + pq * l[1], pq * l[0] + q * l[1], r * l[2]]
    };
    for gamma in [0.0, gamma] {
        let (x, lambda) = settle(start, |x, lambda| {
            row.project(x, w, soft(None), lambda, &Past { way: plus(x, &start, -1.0), gamma })
        });
        let (Three { c, g, .. }, way) = (row.value(&x), plus(&x, &start, -1.0));
        let soft = product(lambda);
        for i in 0..3 {
            let left = c[i] + gamma * dot(&g[i], &way) + soft[i];
            assert!(left.abs() < 1e-9, "{name} gamma {gamma}: {left}");
        }
        assert!(super::norm(&way) > 1e-3, "{name} moved");
    }
    // One projection solves the linearised system to round-off.
    let Three { c, g, .. } = row.value(&start);
    let (d, change) = row.project(&start, w, soft(None), [0.0; 4], &Past::none());
    let left = product(change);
    for i in 0..3 {
        let left = c[i] + dot(&g[i], &d) + left[i];
        assert!(left.abs() < 1e-11, "{name}: {left}");
    }
    // The energy by the compliances is that of the material, and so is its gradient.
    let (value, expected, gradient) = (row.value(&start), row.energy(&start), row.gradient(&start));
    let energy = value.energy(1.0);
    assert!((energy - expected).abs() < 1e-9 * expected, "{name}: {energy} for {expected}");
    let off = plus(&value.gradient(1.0), &gradient, -1.0);
    assert!(super::norm(&off) < 1e-9 * super::norm(&gradient), "{name}: {off:?}");
    // At rest nothing but Gauss-Newton is left of the second derivative.
    let (rest, d) = (moved(&TRIANGLE), Random(47).points(1.0));
    let (whole, of_value) = (row.stiffness_times(&rest, &d), row.value(&rest).stiffness_times(1.0, &d));
    let off = super::norm(&plus(&whole, &of_value, -1.0));
    assert!(off < 1e-9 * super::norm(&whole), "{name}: {off}");
}

#[test]
fn three_at_once_solve_their_own_equation_and_mean_their_energies() {
    solves_its_own_equation("StVK", &st_venant_kirchhoff());
    solves_its_own_equation("neo-Hookean", &neo_hookean());
}

#[test]
fn scalars_and_vectors_solve_their_own_equation() {
    let (s, gamma) = (0.7, 0.3);
    let hinge = Dihedral { rest_angle: 0.2, k: s };
    let start = folded(1.1);
    let past = |x: &[V3<f64>; 4]| Past { way: plus(x, &start, -1.0), gamma };
    let (x, [lambda, ..]) = settle(start, |x, lambda| hinge.project(x, W, soft(None), lambda, &past(x)));
    let (c, g) = hinge.bend(&x);
    let left = s * (c + gamma * dot(&g, &past(&x).way)) + lambda;
    assert!(left.abs() < 1e-9 && lambda.abs() > 1e-2, "hinge: {left}");
    // A compliance says the same as a stiffness.
    let (by_alpha, [same, ..]) =
        settle(start, |x, lambda| hinge.project(x, W, soft(Some(1.0 / s)), lambda, &past(x)));
    assert!((same - lambda).abs() < 1e-9 && super::norm(&plus(&by_alpha, &x, -1.0)) < 1e-9, "hinge");

    let bend = QuadraticBend { weights: WEIGHTS, k: s };
    for alpha in [None, Some(1.0 / s)] {
        let (x, [a, b, c, _]) = settle(start, |x, lambda| bend.project(x, W, soft(alpha), lambda, &past(x)));
        let drag = bend.value(&past(&x).way).c * gamma;
        let left = (bend.value(&x).c + drag) * s + V3::new(a, b, c);
        assert!(left.dot(left).sqrt() < 1e-9, "quadratic bend: {left:?}");
    }

    let (from, target, alpha) = (V3::new(0.4, 0.1, -0.3), V3::new(0.0, 0.2, 0.1), 0.6);
    let pin = Attachment { target, k: 0.0 };
    let (x, [a, b, c, _]) = settle([from], |x, lambda| {
        pin.project(x, [2.0], soft(Some(alpha)), lambda, &Past { way: [x[0] - from], gamma })
    });
    let left = x[0] - target + (x[0] - from) * gamma + V3::new(a, b, c) * alpha;
    assert!(left.dot(left).sqrt() < 1e-9, "attachment: {left:?}");

    let (ends, zero) = ([from, target], V3::zero());
    let way = |x: &[V3<f64>; 2]| x[1] - x[0] - (ends[1] - ends[0]);
    let (x, [lambda, ..]) = settle(ends, |x, [lambda, ..]| {
        let (a, b) = ((x[0], 2.0), (x[1], 0.5));
        let (da, db, change) = distance::project_damped(a, b, 0.1, alpha, lambda, (way(x), gamma));
        ([da, db], [change, 0.0, 0.0, 0.0])
    });
    let d = x[1] - x[0];
    let l = d.dot(d).sqrt();
    let left = l - 0.1 + gamma * d.dot(way(&x)) / l + alpha * lambda;
    assert!(left.abs() < 1e-9 && lambda < -1e-2, "distance, damped: {left}");
    let (da, _, _) = distance::project_damped((from, 2.0), (target, 0.5), 0.1, alpha, 0.0, (zero, 0.0));
    assert_eq!(da, distance::project((from, 2.0), (target, 0.5), 0.1, alpha, 0.0).0);
    // What is written by hand does what any constraint does.
    let spring = distance::Spring { rest: 0.1, k: 0.0 };
    let (same, _) = settle(ends, |x, lambda| {
        spring.project(x, [2.0, 0.5], soft(Some(alpha)), lambda, &Past { way: plus(x, &ends, -1.0), gamma })
    });
    assert!(super::norm(&plus(&same, &x, -1.0)) < 1e-9, "distance");
}

/// By hand as a tether, and as any row that only pulls.
#[test]
fn what_only_pulls_never_pushes() {
    let (from, target, alpha, gamma) = (V3::new(0.4, 0.1, -0.3), V3::new(0.0, 0.2, 0.1), 0.6, 0.3);
    let tether = |rest| Tether { anchor: target, rest, k: 0.0 };
    let any = |rest: f64, x: &[V3<f64>; 1], lambda, past: &Past<f64, 1>| {
        tether(rest).value(x).project(0.0, [2.0], soft(Some(alpha)), lambda, past)
    };
    let by_hand = |rest: f64, x: &[V3<f64>; 1], lambda, past: &Past<f64, 1>| {
        tether(rest).project(x, [2.0], soft(Some(alpha)), lambda, past)
    };
    type Project<'a> = &'a dyn Fn(f64, &[V3<f64>; 1], [f64; 4], &Past<f64, 1>) -> ([V3<f64>; 1], [f64; 4]);
    let both: [(&str, Project); 2] = [("by hand", &by_hand), ("any", &any)];
    for (name, project) in both {
        let (x, [lambda, ..]) = settle([from], |x, lambda| project(0.1, x, lambda, &Past::none()));
        let left = tether(0.1).stretch(x[0]).0 + alpha * lambda;
        assert!(left.abs() < 1e-9 && lambda < -1e-2, "{name}: {left}");
        let past = Past { way: [V3::new(1.0, 0.0, 0.0)], gamma };
        let ([d], [change, ..]) = project(2.0, &[from], [0.0; 4], &past);
        assert_eq!((d.dot(d), change), (0.0, 0.0), "{name}: slack, it does nothing");
        let (_, [change, ..]) = project(2.0, &[from], [-0.3, 0.0, 0.0, 0.0], &Past::none());
        assert_eq!(change, 0.3, "{name}: and gives back what it pulled");
    }
}

#[test]
fn pinned_corners_and_flat_triangles_stay_finite() {
    fn finite<R: Real + Into<f64>, const N: usize>(d: [V3<R>; N]) -> bool {
        d.iter().all(|d| [d.x, d.y, d.z].into_iter().all(|c| Into::<f64>::into(c).is_finite()))
    }
    let inverse = super::rest().0.map(|b| b as f32);
    let line = [TRIANGLE[0], TRIANGLE[1], plus(&[TRIANGLE[0]], &[TRIANGLE[1]], 1.0)[0]];
    for x in [TRIANGLE, moved(&TRIANGLE), line, [TRIANGLE[0]; 3]] {
        for w in [[0.0_f32; 3], [0.0, 0.0, 400.0], [0.0, 400.0, 400.0], [400.0; 3]] {
            let x = in_f32(&x);
            let (mu, lame) = (1e4, 1e4);
            let stvk = StVenantKirchhoff { inverse_rest: inverse, area: 1e-4, mu, lame };
            let d = stvk.project(&x, w, soft(None), [0.0; 4], &Past::none());
            assert!(finite(d.0), "{x:?} {w:?} {d:?}");
            let shape = NeoHookean { inverse_rest: inverse, area: 1e-4, mu, lame };
            let d = shape.project(&x, w, soft(None), [0.0; 4], &Past::none());
            assert!(finite(d.0), "{x:?} {w:?} {d:?}");
            assert!(finite(Area { area: 1e-4, k: 1.0 }.rigid(&x, w, [1.0; 3])));
            let hinge = Dihedral { rest_angle: 0.0, k: 1e-3 };
            let x = [x[0], x[1], x[2], x[2]];
            let w = [w[0], w[1], w[2], w[2]];
            assert!(finite(hinge.project(&x, w, soft(None), [0.0; 4], &Past::none()).0));
            assert!(finite(hinge.rigid(&x, w, [1.0; 3])));
        }
    }
}
