//! The gas in closed cloths: one constraint a balloon, over all its particles.
//!
//! ```text
//! C        = V - k V0                          k: `pressure`, less what has leaked
//! V        = 1/6 sum (a - o) . (b - o) x (c - o)     over its triangles, o a particle of its own
//! dV/dx_i  = 1/6 sum (b - a) x (c - a)         over the triangles at i; on a closed surface they add up to 0
//! E        = C² / 2 alpha                      alpha = compliance V0 [m6/J]
//! ```
//! Müller, Heidelberger, Hennix, Ratcliff: Position Based Dynamics, 2007, section 4.4 (their C is 6 times this one);
//! compliance as in Macklin, Müller, Chentanez: XPBD, 2016, eq. 18.
//!
//! Position-based solvers project it after the rows in each iteration. `implicit_newton` and `baraff_witkin` have E in
//! their step, with the matrix dV/dx dV/dxᵀ / alpha (the part with d²V/dx², which may be negative, is left out); `explicit`
//! has its force. The others project it once, after their solve. Where a force needs a stiffness, a rigid gas gets what
//! the solver bears, as rigid constraints do.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

use glam::Vec4;
use sim_api::{Colors, Mapped, Par};

use crate::{
    constraints::volume,
    lanes::{self, Kernel, Lanes, Point, RowValue, Rows, V3, total},
    sim::Sim,
    state::{Balloon, State, Triangle},
};

/// No cloth of the scene holds gas.
pub fn none(state: &State) -> bool {
    state.balloon.object.is_empty()
}

/// Lets some of it leak, once a frame: a share of what is left.
pub fn leak(sim: &mut Sim) {
    let (dt, balloon) = (sim.frame.dt, &mut sim.state.balloon);
    for (leaked, rate) in balloon.leaked.iter_mut().zip(balloon.leak) {
        let lost = rate * dt;
        *leaked += (1.0 - *leaked) * lost / (1.0 + lost);
    }
}

/// All balloons at work: their surfaces, and the columns that they write.
pub struct Gas<'a, 's> {
    colors: Colors<'a>,
    idx: &'a [[u32; 3]],
    /// The cloth of each triangle.
    object: &'a [u32],
    /// `particle.gas.volume_gradient`
    gradient: &'a mut [[f32; 4]],
    balloon: &'a mut Balloon<'s>,
}

impl<'a, 's> Gas<'a, 's> {
    /// `gradient` is `particle.gas.volume_gradient`.
    pub fn of(triangle: &Triangle<'s>, gradient: &'a mut [[f32; 4]], balloon: &'a mut Balloon<'s>) -> Self
    where
        's: 'a,
    {
        let Triangle { colors, idx, object, .. } = *triangle;
        Self { colors, idx, object, gradient, balloon }
    }

    /// No balloon.
    pub fn is_empty(&self) -> bool {
        self.balloon.object.is_empty()
    }

    /// Forgets the multipliers; before the first iteration of a substep.
    pub fn begin(&mut self) {
        self.balloon.lambda.fill(0.0);
    }

    /// C of a balloon at the positions `x` [m3].
    fn excess(&self, par: &Par, row: usize, x: &[[f32; 4]]) -> f64 {
        let Balloon { object, particles, volume, pressure, leaked, .. } = &*self.balloon;
        let origin = x[particles[row][0] as usize];
        let kernel = Volume { object: self.object, own: object[row], origin };
        let wanted = pressure[row] * (1.0 - leaked[row]) * volume[row];
        lanes::sum_at::<Volume, 3>(par, self.idx, x, &kernel) - f64::from(wanted)
    }

    /// Fills dV/dx at the positions `x` [m2].
    fn fill_gradient(&mut self, par: &Par, x: &[[f32; 4]]) {
        self.gradient.fill([0.0; 4]);
        lanes::project(par, self.colors, self.idx, self.gradient, &Gradient { x });
    }

    /// The particles of a balloon, and the sum of w |dV/dx|² over them, w the inverse mass.
    fn weight(&self, par: &Par, row: usize, x: &[[f32; 4]]) -> (std::ops::Range<usize>, f64) {
        let [first, count] = self.balloon.particles[row].mapped(|value| value as usize);
        let gradient = &*self.gradient;
        let weight = par.sum(count, |range| {
            let mut sum = 0.0;
            for i in range {
                let g = Vec4::from_array(gradient[first + i]);
                sum += f64::from(x[first + i][3]) * total(g * g);
            }
            sum
        });
        (first..first + count, weight)
    }

    /// Projects every balloon. `per_h2` [1/s2] is 1/h², or 0 for a rigid gas.
    pub fn project(&mut self, par: &Par, position: &mut [[f32; 4]], per_h2: f32) {
        if self.is_empty() {
            return;
        }
        self.fill_gradient(par, position);
        for row in 0..self.balloon.object.len() {
            let (particles, weight) = self.weight(par, row, position);
            // Nothing moves, or it lies flat: there is no way to go.
            if weight <= 0.0 {
                continue;
            }
            let excess = self.excess(par, row, position);
            let alpha = f64::from(self.balloon.compliance[row] * self.balloon.volume[row] * per_h2);
            let change = -(excess + alpha * f64::from(self.balloon.lambda[row])) / (weight + alpha);
            self.balloon.lambda[row] += change as f32;
            let (first, gradient, change) = (particles.start, &*self.gradient, change as f32);
            par.rows(&mut position[particles], |start, rows| {
                for (x, g) in rows.iter_mut().zip(&gradient[first + start..]) {
                    // w of the gradient is 0.
                    *x = (Vec4::from_array(*x) + Vec4::from_array(*g) * (x[3] * change)).to_array();
                }
            });
        }
    }

    /// Gives every balloon a stiffness [Pa/m3]: 1/alpha, or what swings with the square frequency `most` [1/s2].
    pub fn limit_stiffness(&mut self, par: &Par, x: &[[f32; 4]], most: f32) {
        if self.is_empty() {
            return;
        }
        self.fill_gradient(par, x);
        for row in 0..self.balloon.object.len() {
            let (_, weight) = self.weight(par, row, x);
            let limit = if weight > 0.0 { f64::from(most) / weight } else { 0.0 };
            let alpha = f64::from(self.balloon.compliance[row] * self.balloon.volume[row]);
            self.balloon.stiffness[row] = (1.0 / alpha).min(limit) as f32;
        }
    }

    /// Adds -dE/dx at the positions `x` to `force` [N]; fills dV/dx.
    pub fn add_forces(&mut self, par: &Par, x: &[[f32; 4]], force: &mut [[f32; 4]]) {
        if self.is_empty() {
            return;
        }
        self.fill_gradient(par, x);
        for row in 0..self.balloon.object.len() {
            let pressure = -f64::from(self.balloon.stiffness[row]) * self.excess(par, row, x);
            self.add(par, row, pressure as f32, force);
        }
    }

    /// E at the positions `x` [J].
    pub fn energy(&self, par: &Par, x: &[[f32; 4]]) -> f64 {
        let mut sum = 0.0;
        for row in 0..self.balloon.object.len() {
            let excess = self.excess(par, row, x);
            sum += 0.5 * f64::from(self.balloon.stiffness[row]) * excess * excess;
        }
        sum
    }

    /// Adds the matrix times `d` to `image` [N]; dV/dx is that of the last [`Gas::add_forces`].
    pub fn add_product(&self, par: &Par, d: &[[f32; 4]], image: &mut [[f32; 4]]) {
        let gradient = &*self.gradient;
        for row in 0..self.balloon.object.len() {
            let [first, count] = self.balloon.particles[row].mapped(|value| value as usize);
            let along = par.sum(count, |range| {
                let mut sum = 0.0;
                for i in first + range.start..first + range.end {
                    sum += total(Vec4::from_array(gradient[i]) * Vec4::from_array(d[i]));
                }
                sum
            });
            self.add(par, row, (f64::from(self.balloon.stiffness[row]) * along) as f32, image);
        }
    }

    /// column += factor dV/dx over the particles of a balloon.
    fn add(&self, par: &Par, row: usize, factor: f32, column: &mut [[f32; 4]]) {
        let [first, count] = self.balloon.particles[row].mapped(|value| value as usize);
        let gradient = &*self.gradient;
        par.rows(&mut column[first..first + count], |start, rows| {
            for (value, g) in rows.iter_mut().zip(&gradient[first + start..]) {
                *value = (Vec4::from_array(*value) + Vec4::from_array(*g) * factor).to_array();
            }
        });
    }
}

/// The gas of a state, beside the rest of it.
#[doc(hidden)]
#[macro_export]
macro_rules! gas {
    ($state:expr) => {
        $crate::gas::Gas::of(&$state.triangle, $state.particle.gas.volume_gradient, &mut $state.balloon)
    };
}
pub use gas;

/// For a solver that has no gas in its equation: projected once, after its solve.
pub fn project_after(sim: &mut Sim) {
    let (par, per_h2, state) = (sim.par, 1.0 / (sim.h * sim.h), &mut sim.state);
    let mut gas = gas!(state);
    gas.begin();
    gas.project(&par, state.particle.position, per_h2);
}

/// What a triangle adds to dV/dx at each of its corners [m2].
struct Gradient<'a> {
    x: &'a [[f32; 4]],
}

impl Kernel<3> for Gradient<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<3>, _: [Point<L>; 3]) -> [V3<L>; 3] {
        let [a, b, c] = rows.fetch_all(self.x);
        let part = volume::closed_gradient(&[a.x, b.x, c.x]);
        [part, part, part]
    }
}

/// What a triangle adds to V [m3]; nothing if it is another cloth's.
struct Volume<'a> {
    object: &'a [u32],
    own: u32,
    origin: [f32; 4],
}

impl RowValue<3> for Volume<'_> {
    #[inline(always)]
    fn of<L: Lanes>(&self, rows: &Rows<3>, [a, b, c]: [Point<L>; 3]) -> L {
        let [x, y, z, _] = self.origin;
        let origin = V3::new(L::from_f32(x), L::from_f32(y), L::from_f32(z));
        let six = (a.x - origin).dot((b.x - origin).cross(c.x - origin));
        six * L::from_f32(1.0 / 6.0) * rows.equal(self.object, self.own)
    }
}
