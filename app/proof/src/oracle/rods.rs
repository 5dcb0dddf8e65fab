//! Strands as rods in double precision: energy, gradient and second derivative over places and material frames.
//!
//! ```text
//! segment   k/2 |C|²,   C = x1 - x0 - l d3(q)                  F = k C
//! joint     1/2 sum K c², c = 2 Im E, E = conj(rest) conj(q1) q2   e = Im E, M = K c,  m = R(q1 rest) (E.w M + e x M)
//! ```
//! Turns are rotation vectors w in world space, q' = exp(w) q, to the second order: d3' = d3 + w x d3 + w x (w x d3) / 2. With it
//!
//! ```text
//! segment   k on places;  k l [d3]x between place and frame
//!           (k l² + l F.d3) 1 - k l² d3 d3ᵀ - l/2 (F d3ᵀ + d3 Fᵀ) on the frame
//! joint     sum of K g gᵀ, g = dc/dw, and (M.e)/2 (-1 on either frame, +1 between them), [m]x / 2 between them
//! ```
//! What is projected keeps the sum of squares, and of the tension its part that pulls: that is positive semi-definite. The
//! formulas of angles are those of `sim_kernels::strands::joint`, taken at f64. Frames have no inertia. Stubs follow what holds them.

use glam::{DMat3, DQuat, DVec3};
use sim_kernels::{
    lanes::V3,
    strands::{
        joint::{self, Joint},
        rotation::Rotation,
    },
};
use weft_core::state::{State, col};
use weft_engine::elastic::Hessian;

use super::Place;

/// Twist that nothing holds is as stiff as this part of what a frame weighs otherwise.
const LOOSE: f64 = 1e-9;

/// The rods of a state.
pub struct Rods {
    pub segments: Vec<Segment>,
    pub joints: Vec<Bend>,
    /// Place among the free frames, one row per frame; `None`: held, or of no segment.
    pub free: Vec<Option<u32>>,
    /// The free frames, in order, and the lengths of their segments [m].
    pub free_frames: Vec<(u32, f64)>,
}

/// A segment between two particles.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub ends: [u32; 2],
    pub frame: u32,
    /// [m]
    pub rest: f64,
    /// E A / l [N/m]
    pub stiffness: f64,
}

/// What two neighbouring segments have between them.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    pub frames: [u32; 2],
    pub rest: DQuat,
    /// Against bending about e1 and e2 and against twist [N m].
    pub stiffness: DVec3,
}

impl Rods {
    /// Of all strands that have segments which are not cut; `None` without.
    pub fn of(state: &State) -> Option<Self> {
        let [stretch, rest] = [col::segment::stretch, col::segment::rest].map(|column| state.get(column));
        let [bend, twist] = [col::segment::bend, col::segment::twist].map(|column| state.get(column));
        let turns = state.get(col::segment::rest_turn);
        let base = state.first_of_strands();
        let mut rods = Self {
            segments: Vec::new(),
            joints: Vec::new(),
            free: vec![None; rest.len()],
            free_frames: Vec::new(),
        };
        for &[first, stride, count] in state.get(col::strand::span) {
            let particle = |i: u32| first + stride * (i % count);
            let row = |i: u32| (particle(i) as usize) - base;
            let ring = stretch[row(count - 1)] != 0.0;
            for i in 0..count - u32::from(!ring) {
                let at = row(i);
                if stretch[at] > 0.0 {
                    rods.free[at] = Some(rods.free_frames.len() as u32);
                    rods.free_frames.push((at as u32, rest[at].into()));
                    let ends = [particle(i), particle(i + 1)];
                    let (rest, stiffness) = (rest[at].into(), stretch[at].into());
                    rods.segments.push(Segment { ends, frame: at as u32, rest, stiffness });
                }
                if bend[at] > 0.0 {
                    rods.joints.push(Bend {
                        frames: [row(i + count - 1) as u32, at as u32],
                        rest: DQuat::from_array(turns[at].map(f64::from)).normalize(),
                        stiffness: DVec3::new(bend[at].into(), bend[at].into(), twist[at].into()),
                    });
                }
            }
        }
        (!rods.segments.is_empty()).then_some(rods)
    }

    /// Elastic energy [J].
    pub fn energy(&self, at: &Place) -> f64 {
        self.segments.iter().map(|segment| segment.energy(at)).sum::<f64>()
            + self.joints.iter().map(|joint| joint.energy(at)).sum::<f64>()
    }

    /// Adds dE/dx [N] of all particles and dE/dw [N m] of all frames.
    pub fn add_gradient(&self, at: &Place, of_places: &mut [DVec3], of_frames: &mut [DVec3]) {
        for segment in &self.segments {
            let (force, torque) = segment.gradient(at);
            let [a, b] = segment.ends;
            of_places[a as usize] -= force;
            of_places[b as usize] += force;
            of_frames[segment.frame as usize] += torque;
        }
        for joint in &self.joints {
            for (frame, torque) in joint.frames.iter().zip(joint.gradient(at)) {
                of_frames[*frame as usize] += torque;
            }
        }
    }

    /// The pairs of unknowns that a segment or a joint couples.
    pub fn each_link(&self, visit: &mut dyn FnMut(Unknown, Unknown)) {
        for segment in &self.segments {
            let own = segment.unknowns();
            own.iter().for_each(|a| own.iter().for_each(|b| visit(*a, *b)));
        }
        for joint in &self.joints {
            let own = joint.frames.map(Unknown::Frame);
            own.iter().for_each(|a| own.iter().for_each(|b| visit(*a, *b)));
        }
    }

    /// Hands out the second derivatives.
    pub fn each_block(&self, at: &Place, kind: Hessian, visit: &mut dyn FnMut(Unknown, Unknown, DMat3)) {
        for segment in &self.segments {
            let blocks = segment.second(at, kind);
            for (a, row) in segment.unknowns().into_iter().zip(blocks) {
                segment.unknowns().into_iter().zip(row).for_each(|(b, block)| visit(a, b, block));
            }
            // A rod that nothing holds turns about itself without any work.
            let d3 = at.frames[segment.frame as usize] * DVec3::Z;
            let hold = outer(d3, d3) * (LOOSE * segment.stiffness * segment.rest * segment.rest);
            visit(Unknown::Frame(segment.frame), Unknown::Frame(segment.frame), hold);
        }
        for joint in &self.joints {
            let blocks = joint.second(at, kind);
            for (a, row) in joint.frames.into_iter().zip(blocks) {
                for (b, block) in joint.frames.into_iter().zip(row) {
                    visit(Unknown::Frame(a), Unknown::Frame(b), block);
                }
            }
        }
    }
}

/// What a step moves: a particle, or the frame of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    Particle(u32),
    Frame(u32),
}

impl Segment {
    fn unknowns(&self) -> [Unknown; 3] {
        [Unknown::Particle(self.ends[0]), Unknown::Particle(self.ends[1]), Unknown::Frame(self.frame)]
    }

    /// Turns its frame along it by the least rotation.
    pub fn carry(&self, at: &mut Place) {
        let [a, b] = self.ends.map(|end| at.x[end as usize]);
        let own = &mut at.frames[self.frame as usize];
        let way = (b - a).normalize_or(*own * DVec3::Z);
        *own = (DQuat::from_rotation_arc(*own * DVec3::Z, way) * *own).normalize();
    }

    /// d3 and F.
    fn pulled(&self, at: &Place) -> (DVec3, DVec3) {
        let [a, b] = self.ends.map(|end| at.x[end as usize]);
        let d3 = at.frames[self.frame as usize] * DVec3::Z;
        (d3, (b - a - d3 * self.rest) * self.stiffness)
    }

    /// [J]
    pub fn energy(&self, at: &Place) -> f64 {
        self.pulled(at).1.length_squared() / (2.0 * self.stiffness)
    }

    /// dE/dx of its second end [N], the opposite of its first, and dE/dw of its frame [N m].
    pub fn gradient(&self, at: &Place) -> (DVec3, DVec3) {
        let (d3, force) = self.pulled(at);
        (force, force.cross(d3) * self.rest)
    }

    /// By the first end, the second and the frame.
    pub fn second(&self, at: &Place, kind: Hessian) -> [[DMat3; 3]; 3] {
        let ((d3, force), k, l) = (self.pulled(at), self.stiffness, self.rest);
        let own = DMat3::from_diagonal(DVec3::splat(k));
        let cross = skew(d3) * (k * l);
        let tension = force.dot(d3);
        let frame = match kind {
            Hessian::Exact => {
                DMat3::from_diagonal(DVec3::splat(k * l * l + l * tension))
                    - outer(d3, d3) * (k * l * l)
                    - (outer(force, d3) + outer(d3, force)) * (0.5 * l)
            }
            Hessian::Projected => (DMat3::IDENTITY - outer(d3, d3)) * (k * l * l + l * tension.max(0.0)),
        };
        [[own, -own, -cross], [-own, own, cross], [-cross.transpose(), cross.transpose(), frame]]
    }
}

impl Bend {
    fn pair(&self, at: &Place) -> ([Rotation<f64>; 2], Rotation<f64>) {
        (self.frames.map(|frame| rotation(at.frames[frame as usize])), rotation(self.rest))
    }

    /// [J]
    pub fn energy(&self, at: &Place) -> f64 {
        let (pair, rest) = self.pair(at);
        let (e, _) = joint::error(pair, rest);
        2.0 * self.stiffness.dot(DVec3::new(e.x * e.x, e.y * e.y, e.z * e.z))
    }

    /// dE/dw of the frame before it and of the one behind [N m].
    pub fn gradient(&self, at: &Place) -> [DVec3; 2] {
        let (pair, rest) = self.pair(at);
        let joint = Joint::new(pair, rest, [self.stiffness.x, self.stiffness.z]);
        [0, 1].map(|side| -(at.frames[self.frames[side] as usize] * vector(joint.torques[side])))
    }

    /// By the frame before it and the one behind.
    pub fn second(&self, at: &Place, kind: Hessian) -> [[DMat3; 2]; 2] {
        let (pair, rest) = self.pair(at);
        let joint = Joint::new(pair, rest, [self.stiffness.x, self.stiffness.z]);
        let frames = self.frames.map(|frame| at.frames[frame as usize]);
        let k = self.stiffness.to_array();
        let g = [0, 1].map(|side| joint.gradients[side].map(|g| frames[side] * vector(g)));
        let mut blocks = [0, 1].map(|a: usize| {
            [0, 1].map(|b: usize| (0..3).map(|axis| outer(g[a][axis], g[b][axis]) * k[axis]).sum::<DMat3>())
        });
        if kind == Hessian::Exact {
            let (e, _) = joint::error(pair, rest);
            let e = vector(e);
            let shared = DMat3::from_diagonal(DVec3::splat((self.stiffness * e).dot(e)));
            let moment = skew(frames[0] * vector(joint.torques[0])) * 0.5;
            blocks[0][0] -= shared;
            blocks[1][1] -= shared;
            blocks[0][1] += shared + moment;
            blocks[1][0] += shared + moment.transpose();
        }
        blocks
    }
}

/// Takes rows away that stand for rods with solvers that have no frames: lengths and bends of strands.
pub(super) fn instead_of_rods(state: &mut State) {
    let base = state.first_of_strands();
    for row in of_strands(state.get(col::distance::idx), base) {
        state.get_mut(col::distance::compliance)[row] = f32::INFINITY;
    }
    for row in of_strands(state.get(col::hinge::idx), base) {
        state.get_mut(col::hinge::stiffness)[row] = 0.0;
    }
}

/// Rows over particles of strands, the first of which is `base`.
fn of_strands<const N: usize>(idx: &[[u32; N]], base: usize) -> Vec<usize> {
    idx.iter().enumerate().filter(|(_, idx)| idx[0] as usize >= base).map(|(row, _)| row).collect()
}

fn rotation(q: DQuat) -> Rotation<f64> {
    Rotation::new(q.to_array())
}

fn vector(v: V3<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

/// a bᵀ
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// [a]x: what takes b to a x b.
fn skew(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}
