//! The matrices whose spectra are looked at: K and C, each as M^-1/2 K M^-1/2, and what C is made of.

use glam::{DMat3, DVec3};
use weft_core::state::col;

use weft_core::state::State;

use crate::elastic::{Blocks, Hessian, Limit, System};

/// What slows the particles down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Damping {
    /// Proportional to mass [1/s].
    pub air: f64,
    /// Dampers along distance rows [N s/m] with their ends; rows without one are not listed.
    pub springs: Vec<([u32; 2], f64)>,
}

impl Damping {
    fn any(&self) -> bool {
        self.air > 0.0 || !self.springs.is_empty()
    }

    fn matrix(&self, system: &System) -> Blocks {
        let mut matrix = system.matrix();
        system.add_inertia(self.air, &mut matrix);
        for &([a, b], damper) in &self.springs {
            let along = (system.x[b as usize] - system.x[a as usize]).normalize_or_zero();
            let block = DMat3::from_cols(along * along.x, along * along.y, along * along.z) * damper;
            let ends = [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)];
            for (a, b, sign) in ends {
                if let (Some(a), Some(b)) = (system.free[a as usize], system.free[b as usize]) {
                    matrix.add(a, b, block * sign);
                }
            }
        }
        matrix
    }
}

/// All dampers of a state, those of the springs no stronger than an explicit solver lets them be at `limit`.
pub fn dampers(state: &State, air: f32, limit: Limit) -> Damping {
    let position = state.get(col::particle::position);
    let idx = state.get(col::distance::idx).iter();
    let rows = idx.zip(state.get(col::distance::compliance));
    let rows = rows.zip(state.get(col::distance::damping)).filter(|(_, damping)| **damping > 0.0);
    let row = |((&idx, &compliance), &damping): ((&[u32; 2], &f32), &f32)| {
        let w = idx.map(|i| f64::from(position.get(i as usize).map_or(0.0, |x| x[3])));
        let w = w[0].max(w[1]);
        let damping = f64::from(damping);
        let kept = match limit {
            // What the spring leaves of the stable range.
            Limit::StableStep { cap, springs, h } if cap > 0.0 && w > 0.0 => {
                let stable = Limit::StableStep { cap: 1.0, springs, h }.stiffness(0.0, w);
                damping.min((stable - limit.stiffness(compliance.into(), w)) * 0.5 * h)
            }
            _ => damping,
        };
        (idx, kept)
    };
    Damping { air: air.into(), springs: rows.map(row).collect() }
}

/// K and C [1/s², 1/s] as M^-1/2 K M^-1/2 at the system's positions, one row per free particle.
pub struct Dynamics {
    stiffness: Blocks,
    /// `None` where nothing is damped.
    damping: Option<Blocks>,
    /// Some motions are damped more than others: air alone damps all alike.
    unevenly: bool,
}

impl Dynamics {
    pub fn of(system: &System, damping: &Damping) -> Self {
        let per_root = |&i: &u32| DVec3::splat(1.0 / system.mass[i as usize].sqrt());
        let scale: Vec<DVec3> = system.free_particles.iter().map(per_root).collect();
        let mut stiffness = system.matrix();
        system.add_stiffness(&system.x, Hessian::Exact, &mut stiffness);
        stiffness.scale(&scale);
        let unevenly = !damping.springs.is_empty();
        let damping = damping.any().then(|| {
            let mut matrix = damping.matrix(system);
            matrix.scale(&scale);
            matrix
        });
        Self { stiffness, damping, unevenly }
    }

    /// Whether some motions are damped more than others.
    pub(super) fn damped_unevenly(&self) -> bool {
        self.unevenly
    }

    /// y = (`stiffness` K + `damping` C) x.
    pub(super) fn times(&self, [stiffness, damping]: [f64; 2], x: &[DVec3], y: &mut [DVec3]) {
        self.stiffness.times(x, y);
        y.iter_mut().for_each(|y| *y *= stiffness);
        if let Some(matrix) = self.damping.as_ref().filter(|_| damping != 0.0) {
            let mut of_dampers = vec![DVec3::ZERO; x.len()];
            matrix.times(x, &mut of_dampers);
            y.iter_mut().zip(of_dampers).for_each(|(y, d)| *y += d * damping);
        }
    }
}
