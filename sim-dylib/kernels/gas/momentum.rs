//! Momentum of closed cloth that nothing holds, which its own forces do not change.
//!
//! A sweep that visits constraint after constraint, or particle after particle, keeps linear or angular momentum only as far as it
//! converges. In cloth that comes to rest what is missing is drag; skin that its gas stretches anew in each substep never is at
//! rest, and what the order of the visits makes of it adds up. A free ball of 0.1 kg at 1.3 times its volume flew off at 37 m/s
//! after 3 s under `vbd`, and spun at 10 rad/s under `xpbd`. So it is moved and turned as a whole, by b and w, until
//!
//! ```text
//! sum m (x' - x~) = 0,   sum m p x (x' - x~) = 0,   x' = x + b + w x (x - c)
//! ```
//! with x~ where inertia leads, c the centre of x, and p where the substep began: v = (x' - p) / h has the momenta of its prediction
//! then. What meets a collider inside its solve, or is pinned or tethered, is left alone.

use glam::{Mat3, Vec3, Vec4};
use sim_api::{Mapped, Par, array_of};

use crate::{normals::xyz, sim::Sim};

/// After the iterations of a substep, before contact.
pub fn keep(sim: &mut Sim) {
    let (par, state) = (sim.par, &mut sim.state);
    let (tether, attachment) = (state.tether.idx, state.attachment.idx);
    let particle = &mut state.particle;
    let meets = |i: usize| !state.collider.kind.is_empty() && particle.contact.plane_depth[i][1] >= 0.0;
    for &[first, count] in state.balloon.particles {
        let own = first as usize..(first + count) as usize;
        let pulled = tether.iter().chain(attachment).any(|i| own.contains(&(*i as usize)));
        let mut rows = own.clone().zip(&particle.position[own.clone()]);
        if !pulled && !rows.any(|(i, x)| x[3] == 0.0 || meets(i)) {
            let (previous, inertial) = (&particle.previous[own.clone()], &particle.inertial[own.clone()]);
            move_back(&par, &mut particle.position[own.clone()], [previous, inertial], &particle.mass[own]);
        }
    }
}

/// Mass-weighted sums over a balloon, of y = x - o, p, back = x~ - x with o one of its particles; [`TERMS`] says in which order.
type Sums = [f64; TERMS];
const TERMS: usize = 19;

fn sums(par: &Par, x: &[[f32; 4]], [previous, inertial]: [&[[f32; 4]]; 2], mass: &[f32]) -> Sums {
    let origin = xyz(x[0]);
    par.sums(x.len(), |range| {
        let mut sums = [0.0; TERMS];
        for i in range {
            let (y, p) = (xyz(x[i]) - origin, xyz(previous[i]) - origin);
            let back = xyz(inertial[i]) - xyz(x[i]);
            let (turn, square) = (p.cross(back), p * p);
            let terms: [f32; TERMS] = [
                p.x,
                p.y,
                p.z,
                back.x,
                back.y,
                back.z,
                turn.x,
                turn.y,
                turn.z,
                y.x,
                y.y,
                y.z,
                square.x,
                square.y,
                square.z,
                p.x * p.y,
                p.x * p.z,
                p.y * p.z,
                1.0,
            ];
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += f64::from(mass[i]) * f64::from(term);
            }
        }
        sums
    })
}

fn move_back(par: &Par, position: &mut [[f32; 4]], columns: [&[[f32; 4]]; 2], mass: &[f32]) {
    let origin = xyz(position[0]);
    let sums = sums(par, position, columns, mass);
    let mean: [f64; TERMS] = array_of(|i| sums[i] / sums[TERMS - 1]);
    let [px, py, pz, bx, by, bz, tx, ty, tz, cx, cy, cz, xx, yy, zz, xy, xz, yz, _] = mean;
    // Around the centre of p.
    let torque = [tx - (py * bz - pz * by), ty - (pz * bx - px * bz), tz - (px * by - py * bx)];
    let [xx, yy, zz] = [xx - px * px, yy - py * py, zz - pz * pz];
    let [xy, xz, yz] = [xy - px * py, xz - px * pz, yz - py * pz];
    // By its trace: the determinant of little cloth is no number of 32 bits.
    let trace = 2.0 * (xx + yy + zz);
    let inertia = [yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy];
    let inertia = Mat3::from_cols_array(&inertia.mapped(|value| (value / trace) as f32));
    let turn = inertia.inverse() * Vec3::from(torque.mapped(|value| (value / trace) as f32));
    // What lies on a line has no inertia around it.
    let turn = if turn.is_finite() { turn } else { Vec3::ZERO };
    let center = origin + Vec3::from([cx, cy, cz].mapped(|value| value as f32));
    let back = Vec3::from([bx, by, bz].mapped(|value| value as f32));
    par.rows(position, |_, rows| {
        for x in rows {
            let moved = back + turn.cross(xyz(*x) - center);
            *x = (Vec4::from_array(*x) + moved.extend(0.0)).to_array();
        }
    });
}
