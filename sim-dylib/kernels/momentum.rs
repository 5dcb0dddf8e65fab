//! Momentum of cloth that nothing holds, which what acts inside of it does not change.
//!
//! A sweep that visits constraint after constraint, or particle after particle, keeps linear or angular momentum only as far as it
//! converges. Rows that pull two particles the same way lose none, and particles that step against neighbours which have yet to
//! move do: under `vbd` a folded sheet in free flight pushed itself off at 2.4 m/s. Skin that its gas stretches anew in each
//! substep never is at rest, and what the order of the visits makes of it adds up with any solver: a free ball of 0.1 kg at 1.3
//! times its volume flew off at 37 m/s after 3 s under `vbd`, and spun at 10 rad/s under `xpbd`. So cloth is moved and turned as a
//! whole, by b and w, until
//!
//! ```text
//! sum m (x' - x~) = 0,   sum m p x (x' - x~) = 0,   x' = x + b + w x (x - c)
//! ```
//! with x~ where inertia leads, c the centre of x, and p where the substep began: v = (x' - p) / h has the momenta of its prediction
//! then. (Implicit Euler itself takes spin from what turns.) What meets a collider inside its solve, is pinned or tethered, or torn,
//! is left alone. But where colliders have masses, linear momentum is what inertia and the springs of contact give, for that is what
//! the bodies are pushed back with: sum m (x' - x~ - push) = 0.

use glam::{Mat3, Vec3};
use sim_api::{Mapped, Par, array_of};

use crate::{collide, normals::xyz, sim::Sim};

/// Of which cloth, and what.
#[derive(Clone, Copy, PartialEq)]
pub enum Of {
    /// That holds gas.
    Balloons,
    All,
    /// All, but linear momentum alone: a linear step brakes what turns by its nature, and by what is left of its system alone
    /// what flies.
    Linear,
    /// The same with what the springs of contact gave it (`particle.springs.touch_push`).
    Pushed,
}

/// [`keep`] for a solver that meets colliders inside of its solve: of what it left of its system, linear momentum alone.
pub fn keep_linear(sim: &mut Sim, touching: bool) {
    if !touching {
        keep(sim, Of::Linear);
    } else if collide::has_bodies(&sim.state.collider) {
        keep(sim, Of::Pushed);
    }
}

/// After the iterations of a substep, before contact.
pub fn keep(sim: &mut Sim, of: Of) {
    let (par, state) = (sim.par, &mut sim.state);
    let particle = &mut state.particle;
    let meets = |i: usize| !state.collider.kind.is_empty() && particle.contact.plane_depth[i][1] >= 0.0;
    for (&[first, count], closed) in state.piece.particles.iter().zip(state.piece.closed) {
        let own = first as usize..(first + count) as usize;
        let held = || own.clone().any(|i| particle.position[i][3] == 0.0 || (of != Of::Pushed && meets(i)));
        if (of != Of::Balloons || *closed != 0) && !held() {
            let (previous, inertial) = (&particle.previous[own.clone()], &particle.inertial[own.clone()]);
            let pushed = if of == Of::Pushed { &particle.springs.touch_push[own.clone()] } else { &[] };
            let (position, mass) = (&mut particle.position[own.clone()], &particle.mass[own.clone()]);
            let turns = !matches!(of, Of::Linear | Of::Pushed);
            move_back(&par, position, [previous, inertial, pushed], mass, turns);
        }
    }
}

/// Mass-weighted sums over a cloth, of p, back = x~ - x, p x back, y = x - o with o one of its particles, y p by columns, and 1.
type Sums = [f64; TERMS];
const TERMS: usize = 22;

fn sums(par: &Par, x: &[[f32; 4]], [previous, inertial, pushed]: [&[[f32; 4]]; 3], mass: &[f32]) -> Sums {
    let origin = xyz(x[0]);
    par.sums(x.len(), |range| {
        let mut sums = [0.0; TERMS];
        for i in range {
            let (y, p) = (xyz(x[i]) - origin, xyz(previous[i]) - origin);
            let push = pushed.get(i).map_or(Vec3::ZERO, |push| xyz(*push));
            let back = xyz(inertial[i]) + push - xyz(x[i]);
            let terms = [p, back, p.cross(back), y, y * p.x, y * p.y, y * p.z];
            for (sums, term) in sums.chunks_exact_mut(3).zip(terms) {
                for (sum, term) in sums.iter_mut().zip(term.to_array()) {
                    *sum += f64::from(mass[i]) * f64::from(term);
                }
            }
            sums[TERMS - 1] += f64::from(mass[i]);
        }
        sums
    })
}

fn move_back(par: &Par, position: &mut [[f32; 4]], columns: [&[[f32; 4]]; 3], mass: &[f32], turns: bool) {
    let origin = xyz(position[0]);
    let sums = sums(par, position, columns, mass);
    let mean: [f64; TERMS] = array_of(|i| sums[i] / sums[TERMS - 1]);
    let [px, py, pz, bx, by, bz, tx, ty, tz, cx, cy, cz, ..] = mean;
    // Around the centres of both.
    let torque = [tx - (py * bz - pz * by), ty - (pz * bx - px * bz), tz - (px * by - py * bx)];
    let spread: [f64; 9] = array_of(|i| mean[12 + i] - [px, py, pz][i / 3] * [cx, cy, cz][i % 3]);
    // sum m p x (w x y) = (sum m (p . y - y pT)) w, by its trace: the determinant of little cloth is no number of 32 bits.
    let trace = 2.0 * (spread[0] + spread[4] + spread[8]);
    let inertia: [f32; 9] = array_of(|i| {
        let own = if i % 4 == 0 { 0.5 * trace } else { 0.0 };
        ((own - spread[i]) / trace) as f32
    });
    let turn =
        Mat3::from_cols_array(&inertia).inverse() * Vec3::from(torque.mapped(|value| (value / trace) as f32));
    // What lies on a line has no inertia around it.
    let turn = if turns && turn.is_finite() { turn } else { Vec3::ZERO };
    let center = origin + Vec3::from([cx, cy, cz].mapped(|value| value as f32));
    let back = Vec3::from([bx, by, bz].mapped(|value| value as f32));
    par.rows(position, |start, rows| {
        // What rounding leaves out of a particle's move, times its mass, the fourth after it takes over: of moves of less than the last
        // place of a position most would be lost.
        let mut left = [Vec3::ZERO; 4];
        for (rows, masses) in rows.chunks_mut(4).zip(mass[start..].chunks(4)) {
            for ((x, mass), left) in rows.iter_mut().zip(masses).zip(&mut left) {
                let from = xyz(*x);
                let wanted = back + turn.cross(from - center) + *left * x[3];
                *x = (from + wanted).extend(x[3]).to_array();
                *left = (wanted - (xyz(*x) - from)) * *mass;
            }
        }
    });
}
