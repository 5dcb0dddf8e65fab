//! Strands that feel each other, as a volume: friction, pressure and shelter from the wind through a grid of cells.
//!
//! ```text
//! M_c = sum of w_ic m_i      P_c = sum of w_ic m_i v_i      rho_c = M_c / side³      w: trilinear between centres of cells
//! friction   v_i += s (sum of w_ic P_c / M_c - v_i)
//! pressure   v_i -= dt sum of p_c grad w_ic                  p_c = c² max(rho_c / rho_0 - 1, 0)
//! ```
//! Petrovic, Henne, Anderson: Volumetric Methods for Simulation and Rendering of Hair, 2005. Once a frame, before the solver, so
//! that every solver has it. As all lose the same share s, friction keeps the momentum; pressure is minus the gradient of an
//! energy. What is held by its seat takes no part.
//!
//! A cell counts in whole units of mass: sums have the same bits in any order, on any number of threads and on the GPU path. The
//! grid begins anew beyond its cells, so that no strand is outside of it.

use sim_api::{Mapped, array_of};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{
    normals::xyz,
    sim::Sim,
    state::{Segment, StrandGrid},
};
use glam::Vec3;

/// Speed of a unit of momentum that has a unit of mass [m/s]: all mass in one cell counts 2^30, and sums are below 2^31.
const SPEED: f32 = 32.0;
/// Speeds above it count as this [m/s].
pub const FASTEST: f32 = 60.0;
/// Cells that pressure may push a particle in a frame, at most.
const FARTHEST: f32 = 0.5;

/// A list of strands, as `strand_grid` has it.
#[derive(Clone, Copy)]
struct Grid {
    first: usize,
    /// Cells along each axis.
    count: u32,
    side: f32,
    /// Share of the velocity that goes in a frame of this length.
    share: f32,
    pressure: f32,
    density: f32,
    unit: f32,
}

impl Grid {
    /// `frame` [s].
    fn new(rows: &StrandGrid, row: usize, frame: f32) -> Self {
        let [first, count] = rows.cells[row];
        // As of an implicit step: never above 1, and what was asked for at 1/60 s.
        let kept = 1.0 - rows.friction[row];
        let rate = rows.friction[row] * (60.0 * frame);
        let whole = kept + rate;
        Self {
            first: first as usize,
            count,
            side: rows.side[row],
            share: if whole > 0.0 { rate / whole } else { 0.0 },
            pressure: rows.pressure[row],
            density: rows.density[row],
            unit: rows.unit[row],
        }
    }

    /// The eight cells around a place and what each has of it, by bits: x, y, z; and the place between their centres, 0..1.
    fn around(&self, x: Vec3) -> ([usize; 8], [f32; 3]) {
        let mut low = [0_u32; 3];
        let mut share = [0.0_f32; 3];
        for axis in 0..3 {
            let at = x[axis] / self.side - 0.5;
            // `floor` without a call of the library.
            let whole = at as i32;
            let below = whole.wrapping_sub(i32::from(at < whole as f32));
            low[axis] = below as u32;
            share[axis] = at - below as f32;
        }
        let mask = self.count - 1;
        let cells = array_of(|corner| {
            let [x, y, z] =
                [0, 1, 2].mapped(|axis| low[axis].wrapping_add((corner as u32 >> axis) & 1) & mask);
            self.first + ((z * self.count + y) * self.count + x) as usize
        });
        (cells, share)
    }
}

/// Weights of the eight cells around a place.
fn weights([x, y, z]: [f32; 3]) -> [f32; 8] {
    let [x, y, z] = [x, y, z].mapped(|share| [1.0 - share, share]);
    array_of(|corner| x[corner & 1] * y[(corner >> 1) & 1] * z[corner >> 2])
}

/// Their gradient, by the side of a cell.
fn gradient([x, y, z]: [f32; 3], corner: usize) -> Vec3 {
    let (sign, part) = ([-1.0, 1.0], [x, y, z].mapped(|share| [1.0 - share, share]));
    let (i, j, k) = (corner & 1, (corner >> 1) & 1, corner >> 2);
    Vec3::new(
        sign[i] * part[1][j] * part[2][k],
        part[0][i] * sign[j] * part[2][k],
        part[0][i] * part[1][j] * sign[k],
    )
}

/// The nearest whole number, halves away from 0.
fn rounded(x: f32) -> i32 {
    (x + if x < 0.0 { -0.5 } else { 0.5 }) as i32
}

/// Changes velocities of strands by those around them, and fills `segment.density`.
pub fn feel(sim: &mut Sim) {
    if sim.state.strand_grid.side.is_empty() {
        return;
    }
    let (par, frame) = (sim.par, sim.frame.dt);
    let state = &mut sim.state;
    let base = state.particle.position.len() - state.segment.rest.len();
    let (x, mass) = (&state.particle.position[base..], &state.particle.mass[base..]);
    let velocity = &mut state.particle.velocity[base..];
    let (grids, Segment { grid: rows, density, .. }) = (&state.strand_grid, &mut state.segment);
    let grid = |row: usize| (rows[row] != u32::MAX).then(|| Grid::new(grids, rows[row] as usize, frame));
    let sums = Sums::new(state.strand_cell.sum);
    let each = |f: &(dyn Fn(&Grid, usize) + Sync)| {
        par.blocks(0..x.len(), |block| {
            for row in block.filter(|row| x[*row][3] > 0.0) {
                if let Some(grid) = grid(row) {
                    f(&grid, row);
                }
            }
        });
    };
    // Most cells have no strands around them: nobody looks there.
    each(&|grid, row| sums.clear(grid, xyz(x[row])));
    each(&|grid, row| sums.add(grid, xyz(x[row]), mass[row], xyz(velocity[row])));
    par.rows2(velocity, density, |start, velocity, density| {
        for (row, (velocity, density)) in (start..).zip(velocity.iter_mut().zip(density)) {
            *density = 0.0;
            let Some(grid) = grid(row) else { continue };
            if x[row][3] > 0.0 {
                let around = Around::new(&sums, &grid, xyz(x[row]));
                *density = around.density;
                let v = around.moved(&grid, xyz(*velocity), frame);
                *velocity = [v.x, v.y, v.z, 0.0];
            }
        }
    });
    sim.frame.stage("strand grid");
}

/// Cells that all threads add to.
struct Sums<'a>(&'a [[AtomicU64; 2]]);

impl<'a> Sums<'a> {
    fn new(sum: &'a mut [u32]) -> Self {
        // SAFETY: any four numbers are two of 64 bits, and the exclusive borrow lasts as long as this.
        let (before, cells, behind) = unsafe { sum.align_to_mut::<[AtomicU64; 2]>() };
        assert!(before.is_empty() && behind.is_empty(), "columns begin at whole lines of the cache");
        Self(cells)
    }

    /// Empties the cells around a place.
    fn clear(&self, grid: &Grid, x: Vec3) {
        for cell in grid.around(x).0 {
            self.0[cell].iter().for_each(|pair| pair.store(0, Ordering::Relaxed));
        }
    }

    /// Mass and momentum of a cell, in their units.
    fn of(&self, cell: usize) -> [i32; 4] {
        let [[mass, x], [y, z]] = self.0[cell].each_ref().mapped(|pair| parts(pair.load(Ordering::Relaxed)));
        [mass, x, y, z]
    }

    /// What a particle is to the cells around it. The parts of each number add up to it.
    fn add(&self, grid: &Grid, x: Vec3, mass: f32, v: Vec3) {
        let (cells, share) = grid.around(x);
        let weights = weights(share);
        let units = mass / grid.unit;
        let momentum = v.clamp(Vec3::splat(-FASTEST), Vec3::splat(FASTEST)) * (units / SPEED);
        let whole = [units, momentum.x, momentum.y, momentum.z];
        let mut left = whole.mapped(rounded);
        for corner in 0..8 {
            let part =
                if corner == 7 { left } else { whole.mapped(|whole| rounded(weights[corner] * whole)) };
            // What blows up has parts beyond all bounds: they wrap, as on a device.
            (0..4).for_each(|i| left[i] = left[i].wrapping_sub(part[i]));
            // Two numbers in one sum: what the lower carries is taken back as it is read.
            let pair = |low: i32, high: i32| i64::from(low).wrapping_add(i64::from(high) << 32) as u64;
            let [mass_x, yz] = &self.0[cells[corner]];
            mass_x.fetch_add(pair(part[0], part[1]), Ordering::Relaxed);
            yz.fetch_add(pair(part[2], part[3]), Ordering::Relaxed);
        }
    }
}

/// What a particle finds around it.
struct Around {
    /// Mass per volume [kg/m3].
    density: f32,
    /// Velocity [m/s]; none where there is no mass.
    velocity: Vec3,
    /// Of the weights of the cells that have any.
    weight: f32,
    /// Acceleration by pressure [m/s2].
    push: Vec3,
}

impl Around {
    fn new(sums: &Sums, grid: &Grid, x: Vec3) -> Self {
        let (cells, share) = grid.around(x);
        let weights = weights(share);
        let per_volume = grid.unit / (grid.side * grid.side * grid.side);
        let (mut density, mut velocity, mut weight, mut push) = (0.0, Vec3::ZERO, 0.0, Vec3::ZERO);
        for corner in 0..8 {
            let [mass, x, y, z] = sums.of(cells[corner]);
            if mass <= 0 {
                continue;
            }
            let mass = mass as f32;
            density += weights[corner] * (mass * per_volume);
            velocity += Vec3::new(x as f32, y as f32, z as f32) * (weights[corner] * SPEED / mass);
            weight += weights[corner];
            let too_dense = (mass * per_volume / grid.density - 1.0).max(0.0);
            push -= gradient(share, corner) * (grid.pressure * too_dense / grid.side);
        }
        Self { density, velocity, weight, push }
    }

    fn moved(&self, grid: &Grid, v: Vec3, frame: f32) -> Vec3 {
        let around = self.velocity - v * self.weight;
        let most = FARTHEST * grid.side / frame;
        let push = self.push * frame;
        let speed = push.dot(push).sqrt();
        let held = if speed > most { most / speed } else { 1.0 };
        v + around * grid.share + push * held
    }
}

/// The two numbers of a pair.
fn parts(pair: u64) -> [i32; 2] {
    let low = pair as i32;
    [low, ((pair as i64).wrapping_sub(i64::from(low)) >> 32) as i32]
}

/// Share of the wind that comes through strands of a density.
pub fn open(density: f32, shelter: f32) -> f32 {
    if shelter > 0.0 { 1.0 / (1.0 + density / shelter) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid =
        Grid { first: 0, count: 16, side: 0.01, share: 0.3, pressure: 0.5, density: 20.0, unit: 2e-11 };

    /// Places and velocities that look like chance, in a ball of 4 cm.
    fn strands(count: usize) -> Vec<(Vec3, f32, Vec3)> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
        };
        let mut three = || Vec3::new(next(), next(), next());
        (0..count).map(|i| (three() * 0.04, 1e-6 * (1.0 + (i % 7) as f32), three() * 3.0)).collect()
    }

    /// Cells with what was there before.
    fn cells() -> Vec<[AtomicU64; 2]> {
        (0..16 * 16 * 16).map(|_| [7, 7].mapped(AtomicU64::new)).collect()
    }

    fn summed<'a>(cells: &'a [[AtomicU64; 2]], strands: &[(Vec3, f32, Vec3)]) -> Sums<'a> {
        let sums = Sums(cells);
        strands.iter().for_each(|(x, ..)| sums.clear(&GRID, *x));
        strands.iter().for_each(|(x, mass, v)| sums.add(&GRID, *x, *mass, *v));
        sums
    }

    #[test]
    fn two_numbers_of_a_pair_come_out_as_they_went_in() {
        let ends = [(i32::MIN, 3), (i32::MAX, -3), (i32::MIN, i32::MIN), (i32::MAX, i32::MAX)];
        for (low, high) in [(0, 0), (5, -7), (-5, 7), (-1, -1)].into_iter().chain(ends) {
            let pair = i64::from(low).wrapping_add(i64::from(high) << 32) as u64;
            assert_eq!(parts(pair), [low, high]);
        }
    }

    #[test]
    fn a_run_that_blows_up_panics_nowhere() {
        let cells = cells();
        let sums = Sums(&cells);
        for x in [0.0, 1e9, -1e30, f32::MAX, f32::NAN, f32::INFINITY] {
            for mass in [1e-30, 1e30, f32::INFINITY, f32::NAN] {
                for v in [-1e30, 50.0, f32::NAN, f32::NEG_INFINITY] {
                    sums.add(&GRID, Vec3::splat(x), mass, Vec3::splat(v));
                    let _ =
                        Around::new(&sums, &GRID, Vec3::splat(x)).moved(&GRID, Vec3::splat(v), 1.0 / 60.0);
                }
            }
        }
    }

    #[test]
    fn friction_keeps_the_momentum_and_takes_its_share_of_what_differs() {
        let (all, no_push) = (strands(4000), Grid { pressure: 0.0, ..GRID });
        let cells = cells();
        let sums = summed(&cells, &all);
        let of = |v: &dyn Fn(&(Vec3, f32, Vec3)) -> Vec3| {
            all.iter().map(|strand| v(strand).as_dvec3() * f64::from(strand.1)).sum::<glam::DVec3>()
        };
        let moved =
            |(x, _, v): &(Vec3, f32, Vec3)| Around::new(&sums, &no_push, *x).moved(&no_push, *v, 1.0 / 60.0);
        let (before, after) = (of(&|strand| strand.2), of(&moved));
        let size: f64 = all.iter().map(|(_, mass, v)| f64::from(mass * v.length())).sum();
        assert!((after - before).length() < 1e-6 * size, "{before} becomes {after} of {size}");
        let energy = |v: &dyn Fn(&(Vec3, f32, Vec3)) -> Vec3| {
            all.iter().map(|strand| f64::from(strand.1 * v(strand).length_squared())).sum::<f64>()
        };
        let left = energy(&moved) / energy(&|strand| strand.2);
        // Velocities of chance: next to nothing is common to a cell, so that (1 - s)² is left, and some.
        assert!((0.49..0.65).contains(&left), "{left} of the energy is left");
    }

    #[test]
    fn pressure_is_minus_the_gradient_of_its_energy() {
        // By places of one particle; sums in whole units are too coarse for it, so the density is that of all others.
        let all = strands(3000);
        let energy = |x: Vec3| {
            let mut rho = vec![0.0_f64; 16 * 16 * 16];
            let volume = f64::from(GRID.side).powi(3);
            for (i, (place, mass, _)) in all.iter().enumerate() {
                let (cells, share) = GRID.around(if i == 0 { x } else { *place });
                for (cell, weight) in cells.iter().zip(weights(share)) {
                    rho[*cell] += f64::from(weight) * f64::from(*mass) / volume;
                }
            }
            let over = |rho: f64| (rho / f64::from(GRID.density) - 1.0).max(0.0);
            // E = V c² rho_0 / 2 sum of over², of which the force on a mass is -m sum of p grad w.
            0.5 * volume
                * f64::from(GRID.pressure * GRID.density)
                * rho.iter().map(|rho| over(*rho).powi(2)).sum::<f64>()
        };
        let cells = cells();
        let sums = summed(&cells, &all);
        let (x, mass, _) = all[0];
        let push = Around::new(&sums, &GRID, x).push;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let step = 1e-5;
            let slope = (energy(x + axis * step) - energy(x - axis * step)) / f64::from(2.0 * step);
            let force = f64::from(mass * push.dot(axis));
            let size = f64::from(mass * push.length());
            assert!((force + slope).abs() < 0.02 * size, "{force} against {slope}");
        }
    }

    #[test]
    fn cells_begin_anew_beyond_the_last() {
        let (here, _) = GRID.around(Vec3::new(0.003, 0.004, 0.005));
        let (there, _) = GRID.around(Vec3::new(0.163, -0.156, 0.325));
        assert_eq!(here, there);
    }
}
