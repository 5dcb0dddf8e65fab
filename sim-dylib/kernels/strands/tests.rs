//! Joints against differences in f64, rotations against their inverses, and the block solve against the system it solves.

#![allow(clippy::needless_range_loop, reason = "rows and columns of small matrices, and loops for AVX2")]

use super::{
    block::{Coupling, Node, back},
    cosserat,
    joint::{self, Joint},
    rotation::Rotation,
};
use crate::lanes::V3;

/// Numbers in -1..1 that look like chance.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> V3<f64> {
        V3 { x: self.next(), y: self.next(), z: self.next() }
    }

    fn rotation(&mut self) -> Rotation<f64> {
        Rotation { v: self.vector(), w: self.next() }.unit()
    }
}

/// Twice the imaginary part of what is between two frames and the rest turn, the short way [rad].
fn angles(before: Rotation<f64>, behind: Rotation<f64>, rest: Rotation<f64>) -> V3<f64> {
    let error = before.after(rest).inverse().after(behind);
    error.v * (2.0 * error.w.signum())
}

fn energy(angles: V3<f64>, bend: f64, twist: f64) -> f64 {
    0.5 * (bend * (angles.x * angles.x + angles.y * angles.y) + twist * angles.z * angles.z)
}

#[test]
fn torques_and_gradients_of_joints_are_those_of_the_energy() {
    let (mut chance, step) = (Chance(7), 1e-5);
    let axes = [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)];
    for _ in 0..10_000 {
        let (before, behind, rest) = (chance.rotation(), chance.rotation(), chance.rotation());
        // At half a turn the short way changes sides.
        if before.after(rest).inverse().after(behind).w.abs() < 0.01 {
            continue;
        }
        let (bend, twist) = (1.5 + chance.next(), 1.5 + chance.next());
        let joint = Joint::new([before, behind], rest, [bend, twist]);
        for (end, (torque, gradients)) in joint.torques.iter().zip(joint.gradients).enumerate() {
            let at = |turn: V3<f64>| match end {
                0 => angles(before.turned_within(turn), behind, rest),
                _ => angles(before, behind.turned_within(turn), rest),
            };
            for (axis, torque) in axes.iter().zip([torque.x, torque.y, torque.z]) {
                let slope = (at(*axis * step) - at(*axis * -step)) * (0.5 / step);
                let analytic =
                    V3::new(gradients[0].dot(*axis), gradients[1].dot(*axis), gradients[2].dot(*axis));
                let off = slope - analytic;
                assert!(off.dot(off).sqrt() < 1e-5, "end {end}: {slope:?} is not {analytic:?}");
                let work = |turn| energy(at(turn), bend, twist);
                let slope = (work(*axis * step) - work(*axis * -step)) / (2.0 * step);
                assert!((slope + torque).abs() < 1e-5, "end {end}: {} is not {torque}", -slope);
            }
        }
    }
}

#[test]
fn a_frame_comes_along_an_edge_by_the_least_turn() {
    let mut chance = Chance(3);
    for _ in 0..10_000 {
        let (frame, edge) = (chance.rotation(), chance.vector());
        let turned = frame.onto(edge);
        let apart = turned.along() * edge.dot(edge).sqrt() - edge;
        assert!(apart.dot(apart).sqrt() < 1e-6, "{apart:?}");
        let turn = turned.after(frame.inverse());
        assert!(turn.v.dot(frame.along()).abs() < 1e-6, "no turn about the segment: {turn:?}");
        let back = frame.onto(-frame.along());
        let apart = back.along() + frame.along();
        assert!(apart.dot(apart).sqrt() < 1e-6, "half a turn: {back:?}");
    }
}

/// One frame between two others, pulled along a segment.
struct Pulled {
    force: V3<f64>,
    /// Where its joints want it, and how hard: against bending and twist.
    targets: [Rotation<f64>; 2],
    stiffness: [[f64; 2]; 2],
}

impl Pulled {
    fn energy(&self, q: Rotation<f64>) -> f64 {
        let straight = Rotation::new([0.0, 0.0, 0.0, 1.0]);
        let joints = self.targets.into_iter().zip(self.stiffness).map(|(target, [bend, twist])| {
            let (e, _) = joint::error([target, q], straight);
            2.0 * (bend * (e.x * e.x + e.y * e.y) + twist * e.z * e.z)
        });
        joints.sum::<f64>() - self.force.dot(q.along())
    }

    fn settled(&self, q: Rotation<f64>) -> Rotation<f64> {
        let nothing = Rotation { v: V3::zero(), w: 0.0 };
        let pairs = self.targets.into_iter().zip(self.stiffness);
        let b = pairs.fold(nothing, |b, (target, stiffness)| cosserat::toward(b, q, target, stiffness));
        cosserat::least(self.force, b, q)
    }
}

/// However stiff the axes are, the energy of a frame never rises, and its iterations end where no turn lowers it.
#[test]
fn a_frame_descends_to_its_least_energy() {
    let (mut chance, mut far) = (Chance(5), Vec::new());
    for _ in 0..400 {
        let base = chance.rotation();
        let mut near = || base.turned(chance.vector() * 0.4);
        let targets = [near(), near()];
        let mut stiffness = || [1.5 + chance.next(), 1.5 + chance.next()];
        let stiffness = [stiffness(), stiffness()];
        let size = 10_f64.powf(2.0 * chance.next());
        let pulled = Pulled { force: (base.along() + chance.vector() * 0.3) * size, targets, stiffness };
        let mut q = base;
        for round in 0..3000 {
            let next = pulled.settled(q);
            let (before, now) = (pulled.energy(q), pulled.energy(next));
            assert!(now <= before + 1e-12 * before.abs().max(1.0), "round {round}: {before} rises to {now}");
            q = next;
        }
        let step = 1e-5;
        for axis in [V3::new(step, 0.0, 0.0), V3::new(0.0, step, 0.0), V3::new(0.0, 0.0, step)] {
            let slope = (pulled.energy(q.turned(axis)) - pulled.energy(q.turned(-axis))) / (2.0 * step);
            far.push(slope.abs() / (1.0 + size));
        }
    }
    far.sort_by(f64::total_cmp);
    assert!(far.last().is_some_and(|far| *far < 1e-5), "{far:?}");
}

/// Turned in the world's axes or in its own, a frame goes to the same place.
#[test]
fn turns_in_space_and_within_are_the_same() {
    let mut chance = Chance(13);
    for _ in 0..1000 {
        let (frame, angle) = (chance.rotation(), chance.vector() * 0.01);
        let (a, b) = (frame.turned(frame.rotate(angle)), frame.turned_within(angle));
        let apart = a.after(b.inverse());
        assert!(apart.v.dot(apart.v).sqrt() < 1e-12, "{apart:?}");
    }
}

/// A chain of blocks, solved, gives back the right-hand sides.
#[test]
fn the_block_solve_solves_the_system() {
    const NODES: usize = 5;
    let mut chance = Chance(11);
    for _ in 0..200 {
        let mut blocks = [[[0.0; 6]; 6]; NODES];
        let mut couplings: [Coupling<f64>; NODES] = [[[0.0; 6]; 6]; NODES];
        let mut right = [[0.0; 6]; NODES];
        for i in 0..NODES {
            for a in 0..6 {
                for b in 0..=a {
                    blocks[i][a][b] = if a == b { 20.0 + chance.next() } else { chance.next() };
                    blocks[i][b][a] = blocks[i][a][b];
                }
                for b in 0..6 {
                    couplings[i][a][b] = chance.next();
                }
                right[i][a] = chance.next();
            }
        }
        let (mut w, mut y) = ([[0.0; 6]; 6], [0.0; 6]);
        let mut kept = Vec::new();
        for i in 0..NODES {
            let mut node = Node { a: blocks[i], r: right[i] };
            let mut coupling = couplings[i];
            node.eliminate(&w, &y);
            node.factor();
            node.couple(&mut coupling);
            kept.push((node, coupling));
            (w, y) = (coupling, node.r);
        }
        let mut z = [[0.0; 6]; NODES];
        for i in (0..NODES).rev() {
            let (node, coupling) = &kept[i];
            let (mut l, mut flat) = ([0.0; 21], [0.0; 36]);
            for a in 0..6 {
                (0..=a).for_each(|b| l[a * (a + 1) / 2 + b] = node.a[a][b]);
                (0..6).for_each(|b| flat[a * 6 + b] = coupling[a][b]);
            }
            let next = if i + 1 < NODES {
                z[i + 1]
            } else {
                flat = [0.0; 36];
                [0.0; 6]
            };
            z[i] = back(&l, &flat, node.r, &next);
        }
        for i in 0..NODES {
            for a in 0..6 {
                let mut sum: f64 = (0..6).map(|b| blocks[i][a][b] * z[i][b]).sum();
                if i > 0 {
                    sum += (0..6).map(|b| couplings[i - 1][a][b] * z[i - 1][b]).sum::<f64>();
                }
                if i + 1 < NODES {
                    sum += (0..6).map(|b| couplings[i][b][a] * z[i + 1][b]).sum::<f64>();
                }
                assert!((sum - right[i][a]).abs() < 1e-9, "{sum} is not {}", right[i][a]);
            }
        }
    }
}
