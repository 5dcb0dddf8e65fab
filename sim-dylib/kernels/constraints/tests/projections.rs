//! What every projection must do: keep momentum, and after enough of them solve C + alpha~ lambda = 0.

use super::{Random, TRIANGLE, dot, folded, moved, neo_hookean, plus, st_venant_kirchhoff, stretched};
use crate::{
    constraints::{
        Energy, attachment,
        compliant::{Past, block, rigid, rigid_vector, scalar, vector},
        distance,
        hinge::Dihedral,
        membrane::{self, strains},
        quadratic_bend::QuadraticBend,
        tether::Tether,
    },
    lanes::{Real, V3},
};

type Corners = [V3<f64>; 3];

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
        let (d, _) = block(strains(&points, &inverse), w3, [0.3, 0.3, 0.5, -0.1], [0.1, -0.2, 0.3], &past);
        keeps_momentum("StVK", &x, w, d);
        let shape = membrane::NeoHookean { inverse_rest: inverse, area: 0.4, mu: 3.0, lame: 2.0 };
        let (d, _) = block(shape.constraints(&points), w3, shape.compliance(), [0.0; 3], &past);
        keeps_momentum("neo-Hookean", &x, w, d);
        let (area, g, _) = membrane::area(&points);
        keeps_momentum("area", &x, w, scalar((area - 0.2, g), w3, 3.0, -0.1, &past).0);
        keeps_momentum("area, rigid", &x, w, rigid((area - 0.2, g), w3, 0.5));

        let x = single(&folded(0.9), &mut random);
        let points = in_f32(&x);
        let w = w4.map(f64::from);
        let hinge = Dihedral { rest_angle: 0.1, k: 2.0 };
        keeps_momentum("hinge", &x, w, scalar(hinge.bend(&points), w4, 2.0, 0.1, &Past::none()).0);
        let bend = QuadraticBend { weights: WEIGHTS.map(|w| w as f32), k: 2.0 };
        let lambda = bend.bend(&points) * 0.2;
        let (d, _) = vector(bend.bend(&points), bend.weights, w4, 2.0, lambda, &Past::none());
        keeps_momentum("quadratic bend", &x, w, d);
        keeps_momentum("bend, rigid", &x, w, rigid_vector(bend.bend(&points), bend.weights, w4, 0.3));
    }
}

/// Projects until nothing moves; the positions reached and the multipliers.
fn settle<const N: usize, const M: usize>(
    start: [V3<f64>; N],
    project: impl Fn(&[V3<f64>; N], [f64; M]) -> ([V3<f64>; N], [f64; M]),
) -> ([V3<f64>; N], [f64; M]) {
    let (mut x, mut lambda) = (start, [0.0; M]);
    for _ in 0..300 {
        let (d, change) = project(&x, lambda);
        x = plus(&x, &d, 1.0);
        for i in 0..M {
            lambda[i] += change[i];
        }
    }
    (x, lambda)
}

#[test]
fn blocks_solve_their_own_equation_and_mean_their_energies() {
    let (w, gamma) = ([W[0], W[1], W[2]], 0.4);
    let (stvk, neo) = (st_venant_kirchhoff(), neo_hookean());
    let (of_stvk, of_neo) = (stvk.compliance(), neo.compliance());
    let start = plus(&stretched(1.2, 0.9), &Random(43).points(0.02), 1.0);
    let strain = |x: &[V3<f64>; 3]| strains(x, &stvk.inverse_rest);
    let shape = |x: &[V3<f64>; 3]| neo.constraints(x);
    let zero = [0.0; 3];
    let product =
        |[p, q, r, pq]: [f64; 4], l: [f64; 3]| [p * l[0] + pq * l[1], pq * l[0] + q * l[1], r * l[2]];
    let check = |name: &str,
                 constraints: &dyn Fn(&Corners) -> membrane::Three<f64>,
                 compliance: [f64; 4],
                 energy: &dyn Fn(&Corners) -> (f64, Corners)| {
        for gamma in [0.0, gamma] {
            let (x, lambda) = settle(start, |x, lambda| {
                let past = Past { way: plus(x, &start, -1.0), gamma };
                block(constraints(x), w, compliance, lambda, &past)
            });
            let ((c, g), way) = (constraints(&x), plus(&x, &start, -1.0));
            let soft = product(compliance, lambda);
            for i in 0..3 {
                let left = c[i] + gamma * dot(&g[i], &way) + soft[i];
                assert!(left.abs() < 1e-9, "{name} gamma {gamma}: {left}");
            }
            assert!(super::norm(&way) > 1e-3, "{name} moved");
        }
        // One projection solves the linearised system to round-off.
        let (c, g) = constraints(&start);
        let (d, change) = block((c, g), w, compliance, zero, &Past::none());
        let soft = product(compliance, change);
        for i in 0..3 {
            let left = c[i] + dot(&g[i], &d) + soft[i];
            assert!(left.abs() < 1e-11, "{name}: {left}");
        }
        // With lambda = -C / alpha the forces are those of the energy, and -C lambda / 2 is the energy.
        let (c, g) = constraints(&start);
        let still = |lambda| block((c, [[V3::zero(); 3]; 3]), w, compliance, lambda, &Past::none()).1;
        let lambda = still(zero);
        let value = -0.5 * (0..3).map(|i| c[i] * lambda[i]).sum::<f64>();
        let (expected, gradient) = energy(&start);
        assert!((value - expected).abs() < 1e-9 * expected, "{name}: {value} for {expected}");
        for corner in 0..3 {
            let mut force = V3::zero();
            for i in 0..3 {
                force = force + g[i][corner] * lambda[i];
            }
            let off = force + gradient[corner];
            assert!(off.dot(off).sqrt() < 1e-9 * super::norm(&gradient), "{name}: {off:?}");
        }
    };
    check("StVK", &strain, of_stvk, &|x| (stvk.energy(x), stvk.gradient(x)));
    check("neo-Hookean", &shape, of_neo, &|x| (neo.energy(x), neo.gradient(x)));
}

#[test]
fn scalars_and_vectors_solve_their_own_equation() {
    let (s, gamma) = (0.7, 0.3);
    let hinge = Dihedral { rest_angle: 0.2, k: 1.0 };
    let start = folded(1.1);
    let past = |x: &[V3<f64>; 4]| Past { way: plus(x, &start, -1.0), gamma };
    let (x, [lambda]) = settle(start, |x, [lambda]| {
        let (d, change) = scalar(hinge.bend(x), W, s, lambda, &past(x));
        (d, [change])
    });
    let (c, g) = hinge.bend(&x);
    let left = s * (c + gamma * dot(&g, &past(&x).way)) + lambda;
    assert!(left.abs() < 1e-9 && lambda.abs() > 1e-2, "hinge: {left}");

    let bend = QuadraticBend { weights: WEIGHTS, k: 1.0 };
    let (x, lambda) = settle(start, |x, [a, b, c]| {
        let (d, change) = vector(bend.bend(x), WEIGHTS, W, s, V3::new(a, b, c), &past(x));
        (d, [change.x, change.y, change.z])
    });
    let drag = bend.bend(&past(&x).way) * gamma;
    let left = (bend.bend(&x) + drag) * s + V3::new(lambda[0], lambda[1], lambda[2]);
    assert!(left.dot(left).sqrt() < 1e-9, "quadratic bend: {left:?}");

    let (from, target, alpha) = (V3::new(0.4, 0.1, -0.3), V3::new(0.0, 0.2, 0.1), 0.6);
    let way = |x: V3<f64>| (x - from, gamma);
    let (x, lambda) = settle([from], |x, [a, b, c]| {
        let (d, change) = attachment::project((x[0], 2.0), target, alpha, V3::new(a, b, c), way(x[0]));
        ([d], [change.x, change.y, change.z])
    });
    let left = x[0] - target + (x[0] - from) * gamma + V3::new(lambda[0], lambda[1], lambda[2]) * alpha;
    assert!(left.dot(left).sqrt() < 1e-9, "attachment: {left:?}");

    let (ends, zero) = ([from, target], V3::zero());
    let way = |x: &[V3<f64>; 2]| x[1] - x[0] - (ends[1] - ends[0]);
    let (x, [lambda]) = settle(ends, |x, [lambda]| {
        let (a, b) = ((x[0], 2.0), (x[1], 0.5));
        let (da, db, change) = distance::project_damped(a, b, 0.1, alpha, lambda, (way(x), gamma));
        ([da, db], [change])
    });
    let d = x[1] - x[0];
    let l = d.dot(d).sqrt();
    let left = l - 0.1 + gamma * d.dot(way(&x)) / l + alpha * lambda;
    assert!(left.abs() < 1e-9 && lambda < -1e-2, "distance, damped: {left}");
    let (da, _, _) = distance::project_damped((from, 2.0), (target, 0.5), 0.1, alpha, 0.0, (zero, 0.0));
    assert_eq!(da, distance::project((from, 2.0), (target, 0.5), 0.1, alpha, 0.0).0);

    let tether = Tether { anchor: target, rest: 0.1, k: 0.0 };
    let (x, [lambda]) = settle([from], |x, [lambda]| {
        let (d, change) = tether.project((x[0], 2.0), alpha, lambda, (V3::zero(), 0.0));
        ([d], [change])
    });
    let left = tether.stretch(x[0]).0 + alpha * lambda;
    assert!(left.abs() < 1e-9 && lambda < -1e-2, "tether: {left}");
    let slack = Tether { anchor: target, rest: 2.0, k: 0.0 };
    let (d, change) = slack.project((from, 2.0), alpha, 0.0, (V3::new(1.0, 0.0, 0.0), gamma));
    assert_eq!((d.dot(d), change), (0.0, 0.0), "a slack tether does nothing");
    let (_, change) = slack.project((from, 2.0), alpha, -0.3, (V3::zero(), 0.0));
    assert_eq!(change, 0.3, "and gives back what it pulled");
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
            let shape = membrane::NeoHookean { inverse_rest: inverse, area: 1e-4, mu: 1e4, lame: 1e4 };
            let d = block(strains(&x, &inverse), w, [1e-6; 4], [0.0; 3], &Past::none());
            assert!(finite(d.0), "{x:?} {w:?} {d:?}");
            let d = block(shape.constraints(&x), w, shape.compliance(), [0.0; 3], &Past::none());
            assert!(finite(d.0), "{x:?} {w:?} {d:?}");
            let (area, g, _) = membrane::area(&x);
            assert!(finite(rigid((area - 1e-4, g), w, 1.0)));
            let hinge = Dihedral { rest_angle: 0.0, k: 1.0 };
            let x = [x[0], x[1], x[2], x[2]];
            let w = [w[0], w[1], w[2], w[2]];
            assert!(finite(scalar(hinge.bend(&x), w, 1e-3, 0.0, &Past::none()).0));
            assert!(finite(rigid(hinge.bend(&x), w, 1.0)));
        }
    }
}
