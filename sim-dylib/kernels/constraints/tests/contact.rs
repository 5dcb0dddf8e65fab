//! Contact and friction: derivatives on both sides of each kink, Coulomb's limit, and a matrix that never pulls.

use super::{Random, all, dot, norm, stiffness_is_exact};
use crate::{
    constraints::{
        Energy,
        contact::{Friction, Wall},
    },
    lanes::V3,
};

type V = V3<f64>;

fn unit(v: V) -> V {
    v * (1.0 / v.dot(v).sqrt())
}

#[test]
fn a_wall_pushes_out_and_never_pulls() {
    let mut random = Random(41);
    for _ in 0..20 {
        let [x, n] = random.points::<2>(1.0);
        let n = unit(n);
        let inside = Wall { normal: n, level: n.dot(x) + 0.2, k: 30.0 };
        all("wall", &inside, &[x]);
        stiffness_is_exact("wall", &inside, &[x], &random.points(1.0));
        let [gradient] = inside.gradient(&[x]);
        assert!((gradient.dot(n) + 30.0 * 0.2).abs() < 1e-12, "k depth along the normal: {gradient:?}");

        let outside = Wall { level: n.dot(x) - 1e-9, ..inside };
        assert_eq!((outside.energy(&[x]), norm(&outside.gradient(&[x]))), (0.0, 0.0));
        assert_eq!(norm(&outside.stiffness_times(&[x], &random.points(1.0))), 0.0);
    }
}

#[test]
fn friction_is_along_the_surface_against_the_slip_and_within_its_limit() {
    let mut random = Random(43);
    for _ in 0..20 {
        let [x, from, n] = random.points::<3>(1.0);
        let (n, k) = (unit(n), 30.0);
        let slip = (x - from) - n * n.dot(x - from);
        let size = slip.dot(slip).sqrt();
        for (share, force) in [(1.4, k * size), (0.6, 0.6 * k * size)] {
            let friction = Friction { normal: n, from, k, limit: share * k * size };
            all("friction", &friction, &[x]);
            stiffness_is_exact("friction", &friction, &[x], &random.points(1.0));
            let gradient = friction.gradient(&[x]);
            // The force is its negative: seed 002 lacks that sign.
            assert!((dot(&gradient, &[slip]) - force * size).abs() < 1e-9, "share {share}: {gradient:?}");
            assert!(gradient[0].dot(n).abs() < 1e-12 && (norm(&gradient) - force).abs() < 1e-9);
        }
        let free = Friction { normal: n, from, k, limit: 0.0 };
        assert_eq!((free.energy(&[x]), norm(&free.gradient(&[x]))), (0.0, 0.0));
    }
}

#[test]
fn a_particle_that_does_not_slip_is_held_in_every_direction_of_the_surface() {
    let n = unit(V3::new(0.3, 1.0, -0.2));
    let friction = Friction { normal: n, from: V3::zero(), k: 30.0, limit: 2.0 };
    for d in Random(47).points::<6>(1.0) {
        let [force] = friction.stiffness_times(&[V3::zero()], &[d]);
        let expected = (d - n * n.dot(d)) * 30.0;
        let error = force - expected;
        assert!(error.dot(error).sqrt() < 1e-12, "{force:?} for {expected:?}");
    }
}
