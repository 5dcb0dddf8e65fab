//! What every energy must be: the integral of its gradient, blind to rigid motion, with a stiffness that is symmetric,
//! never negative, and the derivative of the gradient where its doc says exact. In double precision.

mod contact;
mod curve_bend;
mod projections;

use super::{
    Energy, area::Area, attachment::Attachment, distance::Spring, hinge::Dihedral, neo_hookean::NeoHookean,
    quadratic_bend::QuadraticBend, st_venant_kirchhoff::StVenantKirchhoff, tether::Tether, volume,
};
use crate::lanes::V3;

type V = V3<f64>;

/// A linear congruential generator; values in -1..1.
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn points<const N: usize>(&mut self, scale: f64) -> [V; N] {
        std::array::from_fn(|_| V3::new(self.signed(), self.signed(), self.signed()) * scale)
    }
}

fn plus<const N: usize>(x: &[V; N], d: &[V; N], scale: f64) -> [V; N] {
    std::array::from_fn(|i| x[i] + d[i] * scale)
}

fn dot<const N: usize>(a: &[V; N], b: &[V; N]) -> f64 {
    (0..N).map(|i| a[i].dot(b[i])).sum()
}

fn norm<const N: usize>(a: &[V; N]) -> f64 {
    dot(a, a).sqrt()
}

/// The gradient against central differences along random directions.
fn gradient_is_right<const N: usize>(name: &str, energy: &impl Energy<f64, N>, x: &[V; N]) {
    let (mut random, e) = (Random(3), 1e-5);
    let gradient = energy.gradient(x);
    for _ in 0..6 {
        let d = random.points::<N>(1.0);
        let slope = (energy.energy(&plus(x, &d, e)) - energy.energy(&plus(x, &d, -e))) / (2.0 * e);
        let error = (dot(&gradient, &d) - slope).abs();
        assert!(error < 1e-5 * norm(&gradient) * norm(&d) + 1e-9, "{name}: {error} of {slope}");
    }
}

/// The stiffness against central differences of the gradient.
fn stiffness_is_exact<const N: usize>(name: &str, energy: &impl Energy<f64, N>, x: &[V; N], d: &[V; N]) {
    let e = 1e-6;
    let (after, before) = (energy.gradient(&plus(x, d, e)), energy.gradient(&plus(x, d, -e)));
    let slope = plus(&after, &before, -1.0).map(|g| g * (0.5 / e));
    let product = energy.stiffness_times(x, d);
    let error = norm(&plus(&product, &slope, -1.0));
    assert!(error < 1e-5 * norm(&slope) + 1e-8, "{name}: {error} of {}", norm(&slope));
}

fn stiffness_is_symmetric_and_positive<const N: usize>(name: &str, energy: &impl Energy<f64, N>, x: &[V; N]) {
    let mut random = Random(5);
    for _ in 0..20 {
        let (a, b) = (random.points::<N>(1.0), random.points::<N>(1.0));
        let (ka, kb) = (energy.stiffness_times(x, &a), energy.stiffness_times(x, &b));
        let scale = norm(&ka) * norm(&b) + norm(&kb) * norm(&a);
        assert!((dot(&ka, &b) - dot(&kb, &a)).abs() <= 1e-10 * scale, "{name}: not symmetric");
        assert!(dot(&ka, &a) >= -1e-10 * norm(&ka) * norm(&a), "{name}: negative");
    }
}

/// Inner forces add up to nothing, and turn nothing.
fn momentum_stays<const N: usize>(name: &str, energy: &impl Energy<f64, N>, x: &[V; N]) {
    let g = energy.gradient(x);
    let (mut sum, mut turn) = (V3::zero(), V3::zero());
    for i in 0..N {
        (sum, turn) = (sum + g[i], turn + x[i].cross(g[i]));
    }
    let scale = norm(&g) * (1.0 + norm(x)) + 1e-12;
    assert!(sum.dot(sum).sqrt() < 1e-12 * scale, "{name}: force {sum:?}");
    assert!(turn.dot(turn).sqrt() < 1e-12 * scale, "{name}: torque {turn:?}");
}

/// Turned by 1.1 rad about (1, 2, -2)/3 (Rodrigues) and shifted.
fn moved<const N: usize>(x: &[V; N]) -> [V; N] {
    let (axis, (sin, cos)) = (V3::new(1.0, 2.0, -2.0) * (1.0 / 3.0), 1.1_f64.sin_cos());
    let turn = |p: V| p * cos + axis.cross(p) * sin + axis * (axis.dot(p) * (1.0 - cos));
    x.map(|p| turn(p) + V3::new(0.4, -1.0, 2.0))
}

fn rigid_motion_is_free<const N: usize>(name: &str, energy: &impl Energy<f64, N>, rest: &[V; N], k: f64) {
    for x in [*rest, moved(rest)] {
        assert!(norm(&energy.gradient(&x)) < 1e-12 * k, "{name}: {:?}", energy.gradient(&x));
    }
}

fn all<const N: usize>(name: &str, energy: &impl Energy<f64, N>, x: &[V; N]) {
    gradient_is_right(name, energy, x);
    stiffness_is_symmetric_and_positive(name, energy, x);
    if N > 1 {
        momentum_stays(name, energy, x);
    }
}

/// A flat triangle at rest, the inverse of its edges by columns, and its area.
const TRIANGLE: [V; 3] =
    [V3 { x: 0.1, y: 0.2, z: 0.0 }, V3 { x: 1.1, y: 0.3, z: 0.0 }, V3 { x: 0.3, y: 0.9, z: 0.0 }];

fn rest() -> ([f64; 4], f64) {
    let (a, b) = (TRIANGLE[1] - TRIANGLE[0], TRIANGLE[2] - TRIANGLE[0]);
    let det = a.x * b.y - b.x * a.y;
    ([b.y / det, -a.y / det, -b.x / det, a.x / det], det / 2.0)
}

fn st_venant_kirchhoff() -> StVenantKirchhoff<f64> {
    let (inverse_rest, area) = rest();
    StVenantKirchhoff { inverse_rest, area, mu: 30.0, lame: 20.0 }
}

fn neo_hookean() -> NeoHookean<f64> {
    let (inverse_rest, area) = rest();
    NeoHookean { inverse_rest, area, mu: 30.0, lame: 20.0 }
}

/// Stretched by the factors along x and y, then moved.
fn stretched(along: f64, across: f64) -> [V; 3] {
    moved(&TRIANGLE.map(|p| V3::new(p.x * along, p.y * across, 0.0)))
}

/// Flat hinge in the order of the table.
const HINGE: [V; 4] = [
    V3 { x: 0.0, y: 0.0, z: 0.0 },
    V3 { x: 1.0, y: 0.1, z: 0.0 },
    V3 { x: 0.4, y: 0.8, z: 0.0 },
    V3 { x: 0.7, y: -0.6, z: 0.0 },
];

/// The same folded by an angle, a valley where positive, and moved.
fn folded(angle: f64) -> [V; 4] {
    let edge = HINGE[1] - HINGE[0];
    let axis = edge * (1.0 / edge.dot(edge).sqrt());
    let (sin, cos) = (0.5 * angle).sin_cos();
    let turn = |p: V, sin: f64| p * cos + axis.cross(p) * sin + axis * (axis.dot(p) * (1.0 - cos));
    moved(&[HINGE[0], HINGE[1], turn(HINGE[2], sin), turn(HINGE[3], -sin)])
}

#[test]
fn springs_tethers_and_attachments() {
    let mut random = Random(11);
    let (anchor, k) = (V3::new(0.2, -0.1, 0.3), 40.0);
    for _ in 0..20 {
        let x = random.points::<2>(1.0);
        let d = x[1] - x[0];
        let l = d.dot(d).sqrt();
        let (long, short) = (Spring { rest: 1.3 * l, k }, Spring { rest: 0.7 * l, k });
        all("spring, pushed", &long, &x);
        all("spring, pulled", &short, &x);
        stiffness_is_exact("spring, pulled", &short, &x, &random.points(1.0));

        let x = random.points::<1>(1.0);
        let d = x[0] - anchor;
        let taut = Tether { anchor, rest: 0.6 * d.dot(d).sqrt(), k };
        all("tether", &taut, &x);
        stiffness_is_exact("tether", &taut, &x, &random.points(1.0));
        assert!(norm(&taut.gradient(&x)) > 1e-3, "a taut tether pulls");
        let slack = Tether { anchor, rest: 1.4 * d.dot(d).sqrt(), k };
        assert_eq!((slack.energy(&x), norm(&slack.gradient(&x))), (0.0, 0.0));
        assert_eq!(norm(&slack.stiffness_times(&x, &random.points(1.0))), 0.0);

        let pin = Attachment { target: anchor, k };
        all("attachment", &pin, &x);
        stiffness_is_exact("attachment", &pin, &x, &random.points(1.0));
    }
}

#[test]
fn membranes() {
    let (area, k) = (Area { area: rest().1, k: 35.0 }, 1e3);
    rigid_motion_is_free("StVK", &st_venant_kirchhoff(), &TRIANGLE, k);
    rigid_motion_is_free("neo-Hookean", &neo_hookean(), &TRIANGLE, k);
    rigid_motion_is_free("area", &area, &TRIANGLE, k);
    let mut random = Random(17);
    for _ in 0..40 {
        let far = random.points::<3>(0.3);
        let near = random.points::<3>(0.03);
        for base in [stretched(1.0, 1.0), stretched(0.5, 0.7), stretched(1.5, 0.6), random.points(1.0)] {
            let x = plus(&base, &far, 1.0);
            all("StVK", &st_venant_kirchhoff(), &x);
            all("neo-Hookean", &neo_hookean(), &x);
            all("area", &area, &x);
        }
        let (tension, d) = (plus(&stretched(1.3, 1.2), &near, 1.0), random.points(1.0));
        stiffness_is_exact("StVK", &st_venant_kirchhoff(), &tension, &d);
        stiffness_is_exact("neo-Hookean", &neo_hookean(), &tension, &d);
        let normal = (tension[1] - tension[0]).cross(tension[2] - tension[0]);
        let lift = [normal * random.signed(), normal * random.signed(), normal * random.signed()];
        stiffness_is_exact("area", &area, &tension, &lift);
    }
}

#[test]
fn membranes_agree_for_small_strain() {
    // Uniaxial strain e: psi = (mu + lame/2) e² for both models, to first order in e.
    let (e, (_, area)) = (1e-4, rest());
    let x = stretched(1.0 + e, 1.0);
    for energy in [st_venant_kirchhoff().energy(&x), neo_hookean().energy(&x)] {
        let expected = area * (30.0 + 10.0) * e * e;
        assert!((energy - expected).abs() < 1e-3 * expected, "{energy} for {expected}");
    }
}

#[test]
fn hinges() {
    for angle in [-3.0, -1.6, -0.3, 0.0, 0.2, 1.5, 2.9] {
        let hinge = |rest_angle| Dihedral { rest_angle, k: 12.0 };
        let x = folded(angle);
        let (measured, _) = super::hinge::angle(&x);
        assert!((measured - angle).abs() < 1e-12, "{measured} for {angle}: a valley is positive");
        rigid_motion_is_free("hinge", &hinge(angle), &x, 100.0);
        stiffness_is_exact("hinge at rest", &hinge(angle), &x, &Random(23).points(1.0));
        let mut random = Random(29);
        for _ in 0..10 {
            let x = plus(&x, &random.points(0.05), 1.0);
            for rest in [0.4, -0.4] {
                all("hinge", &hinge(rest), &x);
                let energy = hinge(rest).energy(&x);
                assert!(energy <= 6.0 * std::f64::consts::PI.powi(2), "the shorter way round: {energy}");
            }
        }
    }
}

#[test]
fn quadratic_bend_is_the_angle_for_small_angles() {
    // Weights of a flat hinge: the sum of w x is 0 for constant and linear x, and 1 / height at the corners.
    let edge = HINGE[1] - HINGE[0];
    let l = edge.dot(edge).sqrt();
    let mut w = [0.0; 4];
    for corner in [2, 3] {
        let side = HINGE[corner] - HINGE[0];
        let (cross, foot) = (edge.cross(side).z.abs(), side.dot(edge) / (l * l));
        let weight = l / cross;
        w[corner] = weight;
        w[0] -= (1.0 - foot) * weight;
        w[1] -= foot * weight;
    }
    let bend = QuadraticBend { weights: w, k: 12.0 };
    rigid_motion_is_free("quadratic bend", &bend, &HINGE, 1e3);
    let dihedral = Dihedral { rest_angle: 0.0, k: 12.0 };
    let (quadratic, exact) = (bend.energy(&folded(1e-3)), dihedral.energy(&folded(1e-3)));
    assert!((quadratic - exact).abs() < 1e-5 * exact, "{quadratic} for {exact}");
    let mut random = Random(31);
    for _ in 0..10 {
        let x = random.points(1.0);
        all("quadratic bend", &bend, &x);
        stiffness_is_exact("quadratic bend", &bend, &x, &random.points(1.0));
    }
}

#[test]
fn volume_of_a_closed_mesh() {
    // A tetrahedron of volume 1/6, anywhere.
    let unit: [V; 4] = [V3::zero(), V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let volume = |x: &[V; 4]| faces.iter().map(|f| volume::signed(&f.map(|i| x[i]))).sum::<f64>();
    for x in [unit, moved(&unit)] {
        assert!((volume(&x) - 1.0 / 6.0).abs() < 1e-12);
        let mut gradient = [V3::zero(); 4];
        for face in faces {
            for (&corner, g) in face.iter().zip(volume::gradient(&face.map(|i| x[i]))) {
                gradient[corner] = gradient[corner] + g;
            }
        }
        let sum = gradient.into_iter().fold(V3::zero(), |a, b| a + b);
        assert!(sum.dot(sum).sqrt() < 1e-12, "pressure does not push a closed mesh: {sum:?}");
        let (d, e) = (Random(37).points::<4>(1.0), 1e-5);
        let slope = (volume(&plus(&x, &d, e)) - volume(&plus(&x, &d, -e))) / (2.0 * e);
        assert!((dot(&gradient, &d) - slope).abs() < 1e-8);
    }
}

/// A closed mesh with dents and corners of 4 to 8 triangles: an octahedron, each edge cut in two, every vertex off its place.
fn dented() -> (Vec<V>, Vec<[usize; 3]>) {
    let axis = |i: usize| {
        let size = if i < 3 { 1.0 } else { -1.0 };
        let of = |axis: usize| if i % 3 == axis { size } else { 0.0 };
        V3::new(of(0), of(1), of(2))
    };
    let mut x: Vec<V> = (0..6).map(axis).collect();
    let mut faces = Vec::new();
    for octant in 0..8 {
        let corner = |axis: usize| if octant >> axis & 1 == 0 { axis } else { axis + 3 };
        let mut face = [corner(0), corner(1), corner(2)];
        // Counter-clockwise seen from outside: each mirror turns it round.
        if [0, 1, 2].iter().filter(|axis| octant >> *axis & 1 == 1).count() % 2 == 1 {
            face.swap(1, 2);
        }
        let middle = [0, 1, 2].map(|i| {
            let at = (x[face[i]] + x[face[(i + 1) % 3]]) * 0.5;
            let known = x.iter().position(|other| (*other - at).dot(*other - at) < 1e-12);
            known.unwrap_or_else(|| {
                x.push(at);
                x.len() - 1
            })
        });
        let [a, b, c] = face;
        let [ab, bc, ca] = middle;
        faces.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    let mut random = Random(41);
    x.iter_mut().for_each(|x| *x = *x + random.points::<1>(0.2)[0] + V3::new(3.0, -2.0, 1.0));
    (x, faces)
}

#[test]
fn the_gas_pushes_along_the_gradient_of_the_volume() {
    let (x, faces) = dented();
    assert_eq!((x.len(), faces.len()), (18, 32));
    let volume = |x: &[V]| faces.iter().map(|f| volume::signed(&f.map(|i| x[i]))).sum::<f64>();
    assert!(volume(&x) > 0.5, "{}", volume(&x));
    let mut gradient = vec![V3::zero(); x.len()];
    for face in &faces {
        let part = volume::closed_gradient(&face.map(|i| x[i]));
        face.iter().for_each(|&corner| gradient[corner] = gradient[corner] + part);
    }
    let largest = gradient.iter().map(|g| g.dot(*g)).fold(0.0, f64::max).sqrt();
    let sum = gradient.iter().fold(V3::zero(), |a, b| a + *b);
    assert!(sum.dot(sum).sqrt() < 1e-12 * largest, "it pushes itself: {sum:?}");
    let turn = x.iter().zip(&gradient).fold(V3::zero(), |a, (x, g)| a + x.cross(*g));
    assert!(turn.dot(turn).sqrt() < 1e-11 * largest, "it turns itself: {turn:?}");
    let e = 1e-5;
    for (i, g) in gradient.iter().enumerate() {
        for d in [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)] {
            let moved = |way: f64| {
                let mut x = x.clone();
                x[i] = x[i] + d * way;
                volume(&x)
            };
            let slope = (moved(e) - moved(-e)) / (2.0 * e);
            assert!((g.dot(d) - slope).abs() < 1e-5 * largest, "vertex {i}: {} for {slope}", g.dot(d));
        }
    }
}
