//! The rest shape of a cloth: points, triangles and texture places, before it is placed in the world.

use glam::DVec3;

use super::super::cloth::Shape;
use super::super::{Vec2, Vec3, rotation};
use super::{folds, planar};

/// A shape at rest. One row per particle unless stated.
#[derive(Clone, Debug, Default)]
pub struct Rest {
    /// At rest [m]; a grid or disc lies in the xy plane.
    pub points: Vec<DVec3>,
    /// Where it starts, before `rotation` and `at` [m].
    pub start: Vec<Vec3>,
    /// 0..1, v downwards.
    pub uvs: Vec<Vec2>,
    /// Counter-clockwise seen from the front, one row per triangle.
    pub triangles: Vec<[u32; 3]>,
    pub grid: Option<Grid>,
}

/// Columns, rows and the distances between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    pub columns: u32,
    pub rows: u32,
    /// [m]
    pub dx: f32,
    /// [m]
    pub dy: f32,
}

impl Grid {
    /// `None` for a shape that is no grid.
    pub fn of(shape: &Shape) -> Option<Self> {
        let Shape::Grid { columns, rows, width, height, .. } = *shape else { return None };
        let last = |count: u32| count.saturating_sub(1).max(1) as f32;
        Some(Self { columns, rows, dx: width / last(columns), dy: height / last(rows) })
    }

    /// What a triangle gives to each of its corners [kg].
    pub fn corner_mass(&self, density: f32) -> f32 {
        0.5 * self.dx * self.dy * density / 3.0
    }

    /// The ends are neither in one row nor in one column.
    pub fn is_diagonal(&self, [a, b]: [u32; 2]) -> bool {
        a / self.columns != b / self.columns && a % self.columns != b % self.columns
    }
}

impl Rest {
    /// The shape must have passed the check; a mesh that was not read has no particles.
    pub fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Grid { width, height, gather, folds, .. } => {
                let Some(of) = Grid::of(shape) else { return Self::default() };
                grid(of, [*width, *height], *gather, *folds)
            }
            Shape::Disc { radius, rings } => disc(*radius, *rings),
            Shape::Mesh { surface: Some(Ok(surface)), scale, .. } => {
                let start: Vec<Vec3> = surface.positions.iter().map(|x| x.map(|x| x * scale)).collect();
                let uvs = if surface.uvs.is_empty() { planar::uvs(&start) } else { surface.uvs.clone() };
                Self { points: wide(&start), start, uvs, triangles: surface.triangles.clone(), grid: None }
            }
            Shape::Mesh { .. } => Self::default(),
        }
    }

    /// Of a triangle [m2].
    pub fn area(&self, triangle: [u32; 3]) -> f64 {
        let [a, b, c] = triangle.map(|corner| self.points[corner as usize]);
        0.5 * (b - a).cross(c - a).length()
    }
}

fn wide(points: &[Vec3]) -> Vec<DVec3> {
    points.iter().map(|x| DVec3::from(x.map(f64::from))).collect()
}

fn grid(of: Grid, [width, height]: [f32; 2], gather: f32, folds: u32) -> Rest {
    let Grid { columns, rows, dx, dy } = of;
    let (last_column, last_row) = (columns.saturating_sub(1).max(1), rows.saturating_sub(1).max(1));
    let profile = folds::profile(columns, width, gather, folds);
    let mut rest = Rest { grid: Some(of), ..Rest::default() };
    for row in 0..rows {
        let v = row as f32 / last_row as f32;
        for (column, &[x, z]) in (0..).zip(&profile) {
            rest.start.push([x, height * (0.5 - v), z]);
            rest.uvs.push([column as f32 / last_column as f32, v]);
            rest.points.push(DVec3::new(
                f64::from(dx) * f64::from(column),
                -f64::from(dy) * f64::from(row),
                0.0,
            ));
        }
    }
    for row in 1..rows {
        for column in 1..columns {
            let d = row * columns + column;
            let (a, b, c) = (d - columns - 1, d - columns, d - 1);
            if (row + column) % 2 == 0 {
                rest.triangles.extend([[a, c, d], [a, d, b]]);
            } else {
                rest.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    rest
}

/// Ring `r` holds 6 r particles. Between two rings each of the six sectors is a strip of 2 r - 1 triangles.
fn disc(radius: f32, rings: u32) -> Rest {
    let mut rest = Rest::default();
    rest.start.push([0.0; 3]);
    for ring in 1..=rings {
        let r = f64::from(radius) * f64::from(ring) / f64::from(rings);
        for i in 0..6 * ring {
            let (sin, cos) = rotation::sin_cos_wide(60.0 * f64::from(i) / f64::from(ring));
            rest.start.push([(r * cos) as f32, (r * sin) as f32, 0.0]);
        }
    }
    for ring in 1..=rings {
        let (outer, inner) = (1 + 3 * ring * (ring - 1), 1 + 3 * (ring - 1) * ring.saturating_sub(2));
        let outside = |i: u32| outer + i % (6 * ring);
        let inside = |i: u32| if ring == 1 { 0 } else { inner + i % (6 * (ring - 1)) };
        for sector in 0..6 {
            for i in 0..ring {
                let (o, n) = (sector * ring + i, sector * (ring - 1) + i);
                rest.triangles.push([inside(n), outside(o), outside(o + 1)]);
                if i + 1 < ring {
                    rest.triangles.push([inside(n), outside(o + 1), inside(n + 1)]);
                }
            }
        }
    }
    rest.points = wide(&rest.start);
    rest.uvs = planar::uvs(&rest.start);
    rest
}
