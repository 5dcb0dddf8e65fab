//! The grid through which strands of a list feel each other: its size, and how dense they start.

use super::Between;

/// Of a cell: mass and momentum.
pub const NUMBERS: usize = 4;
/// Cells along each axis, a power of two: at most 34 MB of them.
const CELLS: [u32; 2] = [8, 128];
/// What all the mass of a list counts in a cell: below 2^30, whatever is rounded.
const WHOLE: f64 = 1_000_000_000.0;

/// A grid that fits strands as they start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Cells along each axis.
    pub count: u32,
    /// From which on strands push [kg/m3].
    pub density: f32,
    /// Mass that counts as 1 [kg].
    pub unit: f32,
}

impl Grid {
    pub fn cells(&self) -> usize {
        (self.count as usize).pow(3)
    }
}

/// `positions` [m], w = 0 where held; `masses` [kg].
pub fn build(between: &Between, positions: &[[f32; 4]], masses: &[f32]) -> Grid {
    let count = count(extent(positions), between.cell);
    let whole: f64 = masses.iter().map(|mass| f64::from(*mass)).sum();
    let density = if between.density > 0.0 {
        between.density
    } else {
        mean_density(between.cell, count, positions, masses)
    };
    Grid { count, density: density.max(f32::MIN_POSITIVE), unit: (whole / WHOLE) as f32 }
}

/// The longest side of the box around them [m].
pub fn extent(positions: &[[f32; 4]]) -> f32 {
    let side = |axis: usize| {
        let ends =
            positions.iter().map(|x| x[axis]).fold((f32::MAX, f32::MIN), |(a, b), x| (a.min(x), b.max(x)));
        ends.1 - ends.0
    };
    (0..3).map(side).fold(0.0, f32::max)
}

/// Cells for strands that reach so far, and half as far again as they move.
pub fn count(extent: f32, cell: f32) -> u32 {
    ((1.5 * extent / cell).ceil().min(1e6) as u32).next_power_of_two().clamp(CELLS[0], CELLS[1])
}

/// What free particles feel, by their mass [kg/m3]. Weights as in `sim-dylib/kernels/strands/grid.rs`.
fn mean_density(cell: f32, count: u32, positions: &[[f32; 4]], masses: &[f32]) -> f32 {
    let (side, mask) = (f64::from(cell), i64::from(count) - 1);
    let mut cells = vec![0.0_f64; (count as usize).pow(3)];
    let around = |x: &[f32; 4]| {
        let at = [0, 1, 2].map(|axis| f64::from(x[axis]) / side - 0.5);
        let share = at.map(|at| at - at.floor());
        (0..8_usize).map(move |corner| {
            let (mut row, mut weight) = (0, 1.0);
            for axis in (0..3).rev() {
                let up = (corner >> axis) & 1;
                row = row * (mask + 1) + ((at[axis].floor() as i64 + up as i64) & mask);
                weight *= if up == 1 { share[axis] } else { 1.0 - share[axis] };
            }
            (row as usize, weight)
        })
    };
    let free = || positions.iter().zip(masses).filter(|(x, _)| x[3] > 0.0);
    for (x, mass) in free() {
        around(x).for_each(|(row, weight)| cells[row] += weight * f64::from(*mass));
    }
    let (mut sum, mut whole) = (0.0, 0.0);
    for (x, mass) in free() {
        let felt: f64 = around(x).map(|(row, weight)| weight * cells[row]).sum();
        sum += felt * f64::from(*mass);
        whole += f64::from(*mass);
    }
    if whole > 0.0 { (sum / whole / side.powi(3)) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_density_of_a_filled_box_is_its_mass_by_its_volume() {
        // 16³ particles, 5 mm apart: all of 8³ cells of 1 cm that begin anew.
        let place = |i: u32| [i % 16, i / 16 % 16, i / 256].map(|k| 0.005 * k as f32 + 0.001);
        let positions: Vec<[f32; 4]> = (0..4096).map(place).map(|[x, y, z]| [x, y, z, 1.0]).collect();
        let masses = vec![1e-6; positions.len()];
        // Eight particles a cell.
        let density = mean_density(0.01, 8, &positions, &masses);
        assert!((density - 8e-6 / 1e-6).abs() < 1e-3, "{density}");
    }

    #[test]
    fn cells_are_a_power_of_two_within_bounds() {
        assert_eq!(count(0.3, 0.01), 64);
        assert_eq!(count(0.01, 0.01), 8);
        assert_eq!(count(1e9, 0.01), 128);
        assert_eq!(count(0.1, 0.01), 16);
    }
}
