//! Axes that are no fields of a scene: `resolution` and `seed`.

use weft_scene::{Scene, Shape};

/// Particles along the longer side of each grid.
pub(super) const RESOLUTION: &str = "resolution";
/// Where particles start: each a little beside its place.
pub(super) const SEED: &str = "seed";

pub(super) fn is_own(axis: &str) -> bool {
    [RESOLUTION, SEED].contains(&axis)
}

/// The value of one of them.
pub(super) fn whole(axis: &str, value: &str) -> Result<u32, String> {
    let least = if axis == RESOLUTION { 2 } else { 0 };
    let number = value.trim().parse().ok().filter(|number| *number >= least);
    number.ok_or_else(|| format!("give whole numbers from {least} on"))
}

/// Fields that give each grid this many particles along its longer side, its cells as oblong as they were.
pub(super) fn resolution(scene: &Scene, particles: u32) -> Result<Vec<(String, String)>, String> {
    let mut set = Vec::new();
    for (i, cloth) in scene.cloths.iter().enumerate() {
        let Shape::Grid { columns, rows, .. } = cloth.shape else { continue };
        let factor = f64::from(particles - 1) / f64::from(columns.max(rows).max(2) - 1);
        for (name, count) in [("columns", columns), ("rows", rows)] {
            let count = (f64::from(count.max(1) - 1) * factor).round().max(1.0) as u32 + 1;
            set.push((format!("cloths[{i}].shape.{name}"), count.to_string()));
        }
    }
    if set.is_empty() { Err("`resolution` is for grids, and no scene here has one".into()) } else { Ok(set) }
}
