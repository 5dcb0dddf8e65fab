//! The orders that rows can be projected in.
//!
//! | order | what a row sees | |
//! |---|---|---|
//! | coloured | all that ran before it | fastest to converge |
//! | jacobi | the positions at the start of the iteration | needs no colours; several rows pull at one particle at once, so each gives only a share |
//! | patch | rows inside a patch of [`PATCH`] consecutive particles run coloured; then those across patches as Jacobi | what the workgroups of a GPU can do with a patch each in shared memory |
//!
//! A row inside a patch shares no particle with another patch, so one coloured sweep over all of them has the result of
//! patch after patch, or of all patches at once.

use sim_api::{Colors, Par, SharedMut};

use super::{Models, Projection};
use crate::{
    constraints::{self, Constraint, Kind, TableRows, Tables, Visitor, has},
    lanes::{
        self, Columns, Kernel, Lanes, Point, Pull, Rows, V3,
        lost::{self, Lost},
    },
    state::State,
};

/// Particles of a patch: with 16 bytes each they fill the 16 KiB of shared memory that every GPU grants a workgroup.
pub const PATCH: u32 = 1024;

/// A way through all rows.
pub struct Sweep<'a, 'c> {
    par: &'a Par,
    to: To<'a, 'c>,
}

/// Where the changes go.
enum To<'a, 'c> {
    /// To the particles.
    Coloured(&'a mut [[f32; 4]], &'a mut Columns<'c>),
    /// The same, and what positions lose of them is kept.
    Kept(&'a mut [[f32; 4]], Lost<'a>),
    /// The same for rows inside a patch alone.
    Inside(&'a mut [[f32; 4]]),
    /// Into `correction`, in whose w the shares are; rows inside a patch of `patch` particles are left out, unless that is
    /// `u32::MAX`.
    Sum { particles: &'a [[f32; 4]], correction: &'a mut [[f32; 4]], patch: u32 },
}

impl Sweep<'_, '_> {
    /// Rows of any constraint, compiled where `H` is.
    pub fn project<H, const N: usize>(
        &mut self,
        colors: Colors,
        idx: &[[u32; N]],
        projection: &impl Projection<N>,
    ) {
        let kept;
        let (particles, patch, lost) = match &mut self.to {
            To::Coloured(particles, _) => (particles, u32::MAX, None),
            To::Kept(particles, lost) => {
                kept = SharedMut::new(lost.rows);
                (particles, u32::MAX, Some(lost::Shared::new(&kept, lost.within)))
            }
            To::Inside(particles) => (particles, PATCH, None),
            To::Sum { particles, correction, patch } => {
                let kernel = AtOnce { projection, particles, patch: *patch };
                return lanes::project_at::<H, N>(self.par, colors, idx, correction, &kernel);
            }
        };
        lanes::project_at::<H, N>(self.par, colors, idx, particles, &InTurn { projection, patch, lost });
    }

    /// Rows that only move their ends along the line between them.
    pub fn pull<P: Projection<2> + Pull>(&mut self, colors: Colors, idx: &[[u32; 2]], projection: &P) {
        if let To::Coloured(particles, columns) = &mut self.to {
            lanes::pull_at::<P, P>(self.par, colors, idx, particles, columns, projection);
        } else {
            self.project::<P, 2>(colors, idx, projection);
        }
    }
}

/// One iteration of Gauss-Seidel; `each` goes through all rows. What positions lose of it is kept in `lost`, where there is one.
pub fn coloured(
    par: &Par,
    particles: &mut [[f32; 4]],
    columns: &mut Columns,
    lost: &mut Option<Lost>,
    each: &mut dyn FnMut(&mut Sweep),
) {
    let to = match lost {
        Some(Lost { rows, within }) => To::Kept(particles, Lost { rows, within: *within }),
        None => To::Coloured(particles, columns),
    };
    each(&mut Sweep { par, to });
}

/// Rows inside a patch of `patch` particles; all of them, if that is `u32::MAX`.
struct InTurn<'a, P> {
    projection: &'a P,
    patch: u32,
    lost: Option<lost::Shared<'a>>,
}

impl<const N: usize, P: Projection<N>> Kernel<N> for InTurn<'_, P> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N]) -> [V3<L>; N] {
        let all = self.patch == u32::MAX;
        let inside = if all { L::from_f32(1.0) } else { rows.within(self.patch) };
        let mut d = self.projection.solve(rows, x, inside);
        if !all {
            for corner in 0..N {
                d[corner] = d[corner].where_positive(inside);
            }
        }
        d
    }

    #[inline(always)]
    fn lost(&self) -> Option<lost::Shared<'_>> {
        self.lost
    }
}

/// One iteration of Jacobi. w of `correction` holds the share of each particle, see [`count_rows`].
///
/// All corners of a row move by the least share among them, and so does lambda: what lambda says and what was moved agree
/// to the last bit, momentum is kept, and no number of rows makes it diverge. Where each corner moves by its own share
/// (Macklin et al. 2014) momentum is kept on average only: a free cloth lost 5 % of it in a second.
pub fn averaged(
    par: &Par,
    particles: &mut [[f32; 4]],
    correction: &mut [[f32; 4]],
    lost: &mut Option<Lost>,
    each: &mut dyn FnMut(&mut Sweep),
) {
    sum_up(par, particles, correction, (u32::MAX, lost), each);
}

/// One iteration of Gauss-Seidel inside patches and of Jacobi, by the rows' shares, across them.
pub fn patches(
    par: &Par,
    particles: &mut [[f32; 4]],
    correction: &mut [[f32; 4]],
    lost: &mut Option<Lost>,
    each: &mut dyn FnMut(&mut Sweep),
) {
    each(&mut Sweep { par, to: To::Inside(particles) });
    sum_up(par, particles, correction, (PATCH, lost), each);
}

/// Adds up what the rows want and moves the particles.
fn sum_up(
    par: &Par,
    particles: &mut [[f32; 4]],
    correction: &mut [[f32; 4]],
    (patch, lost): (u32, &mut Option<Lost>),
    each: &mut dyn FnMut(&mut Sweep),
) {
    par.rows(correction, |_, rows| rows.iter_mut().for_each(|row| *row = [0.0, 0.0, 0.0, row[3]]));
    each(&mut Sweep { par, to: To::Sum { particles, correction: &mut *correction, patch } });
    let correction = &*correction;
    let Some(Lost { rows, within }) = lost else {
        par.rows(particles, |start, particles| {
            for (x, d) in particles.iter_mut().zip(&correction[start..]).filter(|(x, _)| x[3] > 0.0) {
                *x = [x[0] + d[0], x[1] + d[1], x[2] + d[2], x[3]];
            }
        });
        return;
    };
    par.rows2(particles, rows, |start, particles, lost| {
        let rows = particles.iter_mut().zip(lost).zip(&correction[start..]);
        for ((x, lost), d) in rows.filter(|((x, _), _)| x[3] > 0.0) {
            lost::go_row(x, V3::from_row(*d), lost, *within);
        }
    });
}

/// Adds to the corrections, in whose w the shares are.
struct AtOnce<'a, P> {
    projection: &'a P,
    particles: &'a [[f32; 4]],
    patch: u32,
}

impl<const N: usize, P: Projection<N>> Kernel<N> for AtOnce<'_, P> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<N>, sum: [Point<L>; N]) -> [V3<L>; N] {
        let x = rows.fetch_all(self.particles);
        let mut least = sum[0].w;
        for corner in 1..N {
            least = least.min(sum[corner].w);
        }
        if self.patch != u32::MAX {
            least = least.where_positive_else(L::from_f32(0.5) - rows.within(self.patch), L::from_f32(0.0));
        }
        let mut d = self.projection.solve(rows, x, least);
        for corner in 0..N {
            d[corner] = d[corner] * least;
        }
        d
    }
}

/// What a row counts for at its particles.
#[derive(Clone, Copy)]
pub enum Count {
    /// 1.
    Equal,
    /// Of two-particle rows, tethers and soft pins the part of a rigid row that they do: (1 + gamma) W over
    /// (1 + gamma) W + alpha~ (eq. 18 and 26 of XPBD), W the sum of the inverse masses; others count 1.
    Compliant {
        /// 1/h² [1/s2].
        per_h2: f32,
        /// Time of the damping over h.
        gamma: f32,
    },
}

impl Count {
    fn of<const N: usize>(self, idx: &[u32; N], compliance: f32, position: &[[f32; 4]]) -> f32 {
        let Self::Compliant { per_h2, gamma } = self else { return 1.0 };
        let mut w = 0.0;
        for &particle in idx {
            w += position[particle as usize][3];
        }
        let pull = (1.0 + gamma) * w;
        if w > 0.0 { pull / (pull + compliance * per_h2) } else { 0.0 }
    }
}

/// Puts the number of rows at each particle, of all tables, into w of `particle.correction`, but at least 1; once a
/// step. Rows inside a patch of `patch` particles do not count, unless that is `u32::MAX`.
pub fn count_rows(par: &Par, state: &mut State, patch: u32, how: Count) {
    struct Rows<'t, 'a> {
        tables: &'t Tables<'a>,
        models: Models,
        how: Count,
        patch: u32,
        x: &'t [[f32; 4]],
        correction: &'t mut [[f32; 4]],
    }
    impl Visitor for Rows<'_, '_> {
        fn visit<const N: usize, K: Kind<N>>(&mut self) {
            let (tables, how, x) = (self.tables, self.how, self.x);
            if !self.models.act::<N, K>(tables) {
                return;
            }
            let TableRows { idx, compliance, .. } = K::rows(tables);
            count(self.correction, self.patch, idx, |row| match compliance {
                Some(compliance) => how.of(&idx[row], K::Row::<f32>::compliance(compliance[row]), x),
                None => u8::from(has::<N, K>(tables, row)).into(),
            });
        }
    }
    let (tables, models) = (&Tables::of(state), Models::of(par, state));
    let (correction, x) = (&mut *state.particle.correction, &*state.particle.position);
    par.fill(correction, [0.0; 4]);
    constraints::each(&mut Rows { tables, models, how, patch, x, correction: &mut *correction });
    for row in correction {
        row[3] = row[3].max(1.0);
    }
}

fn count<const N: usize>(
    correction: &mut [[f32; 4]],
    patch: u32,
    idx: &[[u32; N]],
    counts: impl Fn(usize) -> f32,
) {
    let across = |row: &[u32; N]| patch == u32::MAX || row.iter().any(|i| i / patch != row[0] / patch);
    for (row, particles) in idx.iter().enumerate().filter(|(_, particles)| across(particles)) {
        for &particle in particles {
            correction[particle as usize][3] += counts(row);
        }
    }
}
