//! The longest step of a scheme on a damped elastic system, whatever step was asked for.
//!
//! Every motion u, of unit length in mass-scaled places, is an oscillator of omega² = u'Ku and c = u'Cu, which has a
//! longest step h(omega², c). The least of all is looked for from the stiffest on, and from the one that is damped most:
//! the direction in which h falls is (dh/domega², dh/dc) = -(a, b), and the largest eigenvector of a K + b C is the next
//! u. Where the scheme's own equation for the motion that neither grows nor dies is a symmetric one, as z = -1 is of
//! symplectic Euler, 4 u = (h² K + 2 h C) u, that is Rayleigh's iteration for its root and ends at the exact step; of an
//! overdamped system it is so with `rk4`, too. Elsewhere the motion that decides is a complex one, whose quotients lie
//! between those of real ones: what comes out then is right where dampers are in proportion to stiffness, and near it
//! else (`tests/tests/topics/stability.rs`).

use glam::DVec3;

use super::{Dynamics, Lanczos, lanczos::dot, longest_step};

/// An oscillator x'' = -square x - damping x' that a motion of the system is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// omega² [1/s²], the bound of its residual added.
    pub square: f64,
    /// c [1/s], the bound added instead where damping decides.
    pub damping: f64,
    /// What was added to `square`.
    pub bound: f64,
    /// Lanczos steps that it took.
    pub steps: usize,
}

/// Search for motions: how well, and where the last one ended.
pub struct Search<'a> {
    pub lanczos: &'a mut Lanczos,
    pub dynamics: &'a Dynamics,
    /// Rows of its matrices.
    pub size: usize,
    /// Of the bound, relative to the eigenvalue.
    pub tolerance: f64,
    /// Most Lanczos steps.
    pub most: usize,
}

impl Search<'_> {
    /// The one of the largest eigenvalue of K.
    pub fn stiffest(&mut self) -> Result<Motion, String> {
        self.motion([1.0, 0.0])
    }

    /// Where the longest step is looked for from: the stiffest motion, and the one that is damped most, if not all are alike.
    pub fn starts(&mut self, stiffest: Motion) -> Result<Vec<Motion>, String> {
        let mut starts = vec![stiffest];
        if self.dynamics.damped_unevenly() {
            starts.push(self.motion([0.0, 1.0])?);
        }
        Ok(starts)
    }

    /// The longest step [s] of a scheme, and the motion that allows no more. 0: none is stable.
    pub fn longest(&mut self, scheme: &str, starts: &[Motion]) -> Result<(f64, Motion), String> {
        let step = |motion: Motion| longest_step(scheme, motion.square, motion.damping);
        let mut least = (step(starts[0]), starts[0]);
        if self.dynamics.damped_unevenly() {
            for start in starts {
                let found = self.descend(scheme, *start)?;
                if found.0 < least.0 {
                    least = found;
                }
            }
        }
        Ok(least)
    }

    /// Each round doubles the digits; where it jumps between two motions the shorter step is kept.
    fn descend(&mut self, scheme: &str, from: Motion) -> Result<(f64, Motion), String> {
        let step = |motion: Motion| longest_step(scheme, motion.square, motion.damping);
        let (mut least, mut worst) = (step(from), from);
        for _ in 0..ROUNDS {
            let Some(weights) = downhill(scheme, worst) else { break };
            let motion = self.motion(weights)?;
            let next = step(motion);
            let shorter = next < least * (1.0 - 1e-5);
            if next < least {
                (least, worst) = (next, motion);
            }
            if !shorter {
                break;
            }
        }
        Ok((least, worst))
    }

    /// That of the largest eigenvalue of a K + b C, `weights` = [a, b].
    fn motion(&mut self, weights: [f64; 2]) -> Result<Motion, String> {
        let dynamics = self.dynamics;
        let mut times = |x: &[DVec3], y: &mut [DVec3]| dynamics.times(weights, x, y);
        let ends = self.lanczos.run(self.size, false, self.tolerance, self.most, &mut times);
        let u = self.lanczos.vector();
        let mut image = vec![DVec3::ZERO; u.len()];
        let mut quotient = |weights: [f64; 2]| {
            if u.is_empty() {
                return 0.0;
            }
            dynamics.times(weights, u, &mut image);
            dot(u, &image)
        };
        let (square, damping) = (quotient([1.0, 0.0]), quotient([0.0, 1.0]));
        // Where the damping is what counts it gets the bound.
        let bound = ends.largest_bound;
        let [of_square, of_damping] =
            if weights[0] == 1.0 { [bound, 0.0] } else { [0.0, (bound / weights[1]).max(0.0)] };
        let (square, damping) = (square + of_square, damping + of_damping);
        if square.is_finite() && damping.is_finite() {
            Ok(Motion {
                square: square.max(0.0),
                damping: damping.max(0.0),
                bound: of_square,
                steps: ends.steps,
            })
        } else {
            Err("the state is not finite: there is no frequency to find".into())
        }
    }
}

const ROUNDS: usize = 8;

/// Weights of K and C along which the longest step falls; `None` where it does not. That of K is 1 if K has the larger part.
fn downhill(scheme: &str, Motion { square, damping, .. }: Motion) -> Option<[f64; 2]> {
    let omega = square.sqrt();
    let at = |square: f64, damping: f64| longest_step(scheme, square, damping);
    // By differences of a thousandth, in units of omega² and omega.
    let (part, here) = (1e-3, at(square, damping));
    let falls = [here - at(square * (1.0 + part), damping), here - at(square, damping + part * omega)];
    let scale = falls[0].abs().max(falls[1].abs());
    let weights = if falls[0] == scale { [1.0, falls[1] / scale] } else { falls.map(|fall| fall / scale) };
    scale.is_normal().then_some([weights[0], weights[1] * omega])
}
