//! A cloth of a scene as plain arrays: particles, triangles and the rows of all constraints.
//!
//! ```text
//! column 0   1   2   3          structural: right and down neighbours
//! row 0  o - o - o - o   +y     shear: both diagonals of each cell
//!        | \ | / | \ |    |     bend: two to the right, two down
//! row 1  o - o - o - o    +-+x  triangles: one diagonal per cell, alternating, so that the
//!        | / | \ | / |          cloth has no preferred direction; front side +z
//! row 2  o - o - o - o
//! ```
//! The particle at (column, row) of a grid has index `row * columns + column`. Nothing is sorted by colour here.
//!
//! [`build`] in call order: `rest` → `pins` → `edges` → `springs`, `membrane`, `hinges`, `tethers`.

mod coarse;
pub mod edges;
mod folds;
pub mod hinges;
pub mod membrane;
pub mod piece;
pub mod pins;
mod planar;
mod rest;
mod springs;
mod tethers;
mod threads;
pub mod volume;

pub use coarse::CoarseRows;
pub use hinges::Hinge;
pub use membrane::MembraneRow;
pub use rest::{Grid, Rest};
pub use tethers::Tether;
pub use threads::Thread;

use super::cloth::Cloth;
use super::{Vec2, Vec3, rotation};

/// One cloth, in the space that its `at` is in. One row per particle unless stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClothMesh {
    /// [m]
    pub positions: Vec<Vec3>,
    /// [kg]; a third of each adjacent triangle, and the cloth's weights. Pinned particles keep theirs.
    pub mass: Vec<f32>,
    /// Held in place. Soft pins are not: they are in `attachments`.
    pub pinned: Vec<bool>,
    /// 0..1, (0, 0) at column 0, row 0; `uv_scale` is not applied.
    pub uvs: Vec<Vec2>,
    /// Particle indices, counter-clockwise seen from the front, one row per triangle.
    pub triangles: Vec<[u32; 3]>,
    /// What the triangles resist, one row per triangle.
    pub membrane: Vec<MembraneRow>,
    /// All structural rows, then shear, then bend.
    pub distances: Vec<Distance>,
    /// If the material bends by hinges: of a mesh one row per interior edge, of a grid those along, across and of cells.
    pub hinges: Vec<Hinge>,
    pub tethers: Vec<Tether>,
    pub coarse: CoarseRows,
    /// Soft pins: particles that are tied to where they start.
    pub attachments: Vec<u32>,
    /// All edges, if the cloth can tear.
    pub threads: Vec<Thread>,
}

/// Keeps two particles at a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    pub a: u32,
    pub b: u32,
    /// Rest length [m].
    pub rest: f32,
    pub kind: Kind,
    /// Inverse stiffness [m/N].
    pub compliance: f32,
    /// [N s/m]
    pub damping: f32,
}

/// Family of a distance constraint; the number is the one in the table's `kind` column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    Structural = 0,
    Shear = 1,
    Bend = 2,
}

/// Builds a cloth that has passed the check. A mesh that was not read has no particles.
pub fn build(cloth: &Cloth) -> ClothMesh {
    let (material, rest) = (&cloth.material, Rest::of(&cloth.shape));
    let positions = placed(cloth, &rest);
    let held = pins::pinned(cloth, &positions);
    let needs_edges = rest.grid.is_none() || cloth.tethers.is_some() || material.tear.is_some();
    let edges = if needs_edges { edges::edges(&rest.triangles) } else { Vec::new() };
    let tethers = cloth.tethers.as_ref();
    let tethers = tethers.map_or_else(Vec::new, |with| tethers::tethers(&rest, &edges, &held, with));
    let sheet = lumped(&rest, material.density);
    let hinges = hinges::hinges(&rest, &edges, material, &sheet, &held);
    let mass = weighted(sheet, cloth, &positions);
    let coarse = cloth.coarse.as_ref().zip(rest.grid.as_ref());
    let coarse = coarse.map(|(coarse, grid)| coarse::rows(grid, (&mass, &held), material, coarse));
    let threads = material.tear.map_or_else(Vec::new, |tear| threads::threads(&rest, &edges, tear));
    let soft = cloth.pin_compliance > 0.0;
    let soft_pins = (0..).zip(&held).filter(|(_, held)| soft && **held).map(|(particle, _)| particle);
    ClothMesh {
        mass,
        attachments: soft_pins.collect(),
        pinned: if soft { vec![false; held.len()] } else { held },
        membrane: membrane::rows(&rest, material),
        distances: springs::distances(&rest, &edges, material),
        hinges,
        tethers,
        coarse: coarse.unwrap_or_default(),
        threads,
        positions,
        uvs: rest.uvs,
        triangles: rest.triangles,
    }
}

/// Where a cloth starts: positions [m], world space, which of them are pinned, and its triangles.
pub fn start(cloth: &Cloth) -> (Vec<Vec3>, Vec<bool>, Vec<[u32; 3]>) {
    let rest = Rest::of(&cloth.shape);
    let positions = placed(cloth, &rest);
    let pinned = pins::pinned(cloth, &positions);
    (positions, pinned, rest.triangles)
}

/// Number of particles that a pin holds, for each pin.
pub fn held_by_pins(cloth: &Cloth) -> Vec<usize> {
    let positions = placed(cloth, &Rest::of(&cloth.shape));
    let alone = |pin: &super::Pin| {
        let cloth = Cloth { pins: vec![pin.clone()], ..cloth.clone() };
        pins::pinned(&cloth, &positions).into_iter().filter(|held| *held).count()
    };
    cloth.pins.iter().map(alone).collect()
}

/// Positions at the start [m], world space.
fn placed(cloth: &Cloth, rest: &Rest) -> Vec<Vec3> {
    let (turn, at) = (rotation::euler(cloth.rotation), cloth.at);
    let place = |x: &Vec3| {
        let [x, y, z] = rotation::rotate(turn, *x);
        [at[0] + x, at[1] + y, at[2] + z]
    };
    rest.start.iter().map(place).collect()
}

/// Masses [kg] of the particles of a cloth, as [`build`] makes them; its triangles are known.
pub fn masses(cloth: &Cloth, triangles: &[[u32; 3]]) -> Vec<f32> {
    let sheet = match Grid::of(&cloth.shape) {
        Some(grid) => lumped_on_grid(&grid, triangles, cloth.material.density),
        None => lumped(&Rest::of(&cloth.shape), cloth.material.density),
    };
    let positions =
        if cloth.weights.is_empty() { Vec::new() } else { placed(cloth, &Rest::of(&cloth.shape)) };
    weighted(sheet, cloth, &positions)
}

/// To this sum f32 has no bits below one.
const ROOM: f32 = 1.5 * (1 << 23) as f32;

/// The masses [kg] of a cloth that were `masses` before, on a grid without weights: whole numbers of corners of its triangles.
pub fn rescaled_masses(before: &Cloth, cloth: &Cloth, masses: &[f32]) -> Option<Vec<f32>> {
    let grid = Grid::of(&cloth.shape).filter(|_| before.weights.is_empty() && cloth.weights.is_empty())?;
    let [old, new] = [before, cloth].map(|cloth| grid.corner_mass(cloth.material.density));
    // A few corners each: to the nearest whole number by the bits that a sum of this size has no room for, which takes
    // vectors of any processor; `round` is a call for each, and casts look for what does not fit.
    let nearest = |count: f32| (count + ROOM) - ROOM;
    Some(masses.iter().map(|mass| nearest(mass / old) * new).collect())
}

/// With what a cloth's weights add to the masses [kg] of its particles; `positions` as in [`pins::held_by`].
fn weighted(mut masses: Vec<f32>, cloth: &Cloth, positions: &[Vec3]) -> Vec<f32> {
    for weight in &cloth.weights {
        let on = pins::held_by(weight.on.iter(), &cloth.shape, positions);
        masses.iter_mut().zip(on).filter(|(_, on)| *on).for_each(|(mass, _)| *mass += weight.mass);
    }
    masses
}

/// Velocity [m/s] that a cloth's particle at `x` [m], world space, starts with.
pub fn start_velocity(cloth: &Cloth, x: Vec3) -> Vec3 {
    let rate = glam::Vec3::from(cloth.spin) * (std::f32::consts::PI / 180.0);
    let arm = glam::Vec3::from(x) - glam::Vec3::from(cloth.at);
    (glam::Vec3::from(cloth.velocity) + rate.cross(arm)).to_array()
}

/// Each triangle gives a third of its mass [kg] to each corner.
fn lumped_on_grid(grid: &Grid, triangles: &[[u32; 3]], density: f32) -> Vec<f32> {
    let mut shares = vec![0_u32; grid.columns as usize * grid.rows as usize];
    triangles.as_flattened().iter().for_each(|&corner| shares[corner as usize] += 1);
    shares.into_iter().map(|share| share as f32 * grid.corner_mass(density)).collect()
}

/// The same on any mesh.
fn lumped(rest: &Rest, density: f32) -> Vec<f32> {
    if let Some(grid) = &rest.grid {
        return lumped_on_grid(grid, &rest.triangles, density);
    }
    let mut mass = vec![0.0; rest.points.len()];
    for triangle in &rest.triangles {
        let share = f64::from(density) * rest.area(*triangle) / 3.0;
        triangle.iter().for_each(|&corner| mass[corner as usize] += share);
    }
    mass.into_iter().map(|mass: f64| mass as f32).collect()
}
