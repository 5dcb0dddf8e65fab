//! Shape, pins and material of a cloth: the rules between fields.

use std::path::Path;

use super::super::cloth::{Cloth, Pin, Shape};
use super::super::material::Membrane;
use super::super::mesh::{edges::edges, volume::volume};
use super::super::obj::{Surface, UNUSED};
use super::super::preset;
use super::Checker;

/// Edges that are listed at most.
const SHOWN: usize = 4;

pub(super) fn check(checker: &mut Checker<'_>, path: &str, cloth: &Cloth, base_dir: Option<&Path>) {
    shape(checker, &format!("{path}.shape"), &cloth.shape);
    pins(checker, path, &cloth.pins, &cloth.shape);
    for (index, weight) in cloth.weights.iter().enumerate() {
        for (item, on) in weight.on.iter().enumerate() {
            pin(checker, &format!("{path}.weights[{index}].on[{item}]"), on, &cloth.shape);
        }
    }
    for (index, handle) in cloth.handles.iter().enumerate() {
        let path = format!("{path}.handles[{index}]");
        pins(checker, &path, &handle.pins, &cloth.shape);
        if handle.pins.is_empty() {
            checker.error(
                &format!("{path}.pins"),
                "a handle needs particles",
                "such as `pins: [Edge(Left)]`",
            );
        }
        checker.direction(&format!("{path}.axis"), handle.axis);
    }
    if !cloth.handles.is_empty() && cloth.pin_compliance > 0.0 {
        let message = "soft pins stay where they start: a handle cannot move them";
        checker.error(&format!("{path}.pin_compliance"), message, "0, or a cloth without `handles`");
    }
    if cloth.tethers.is_some() && cloth.pins.is_empty() && cloth.handles.is_empty() {
        let help = "such as `pins: [Edge(Top)]`, or leave `tethers` out";
        checker.error(&format!("{path}.tethers"), "tethers need a pin to be tied to", help);
    }
    if cloth.coarse.is_some() && !matches!(cloth.shape, Shape::Grid { .. }) {
        let message = "coarse nodes are for a Grid; a Mesh or a Disc has none";
        checker.error(
            &format!("{path}.coarse"),
            message,
            "leave `coarse` out, or `tethers: ()` for what hangs from pins",
        );
    }
    if cloth.balloon.is_some() {
        balloon(checker, &format!("{path}.balloon"), &cloth.shape);
    }
    material(checker, &format!("{path}.material"), cloth);
    if let Some(base_dir) = base_dir {
        checker.texture(&format!("{path}.look.texture"), &cloth.look.texture, base_dir);
    }
}

/// Gas needs a surface without holes, with its front outside.
fn balloon(checker: &mut Checker<'_>, path: &str, shape: &Shape) {
    let Shape::Mesh { surface, .. } = shape else {
        let message = "gas needs a closed surface; a Grid or a Disc is open";
        return checker.error(
            path,
            message,
            "`shape: Mesh(file: \"meshes/ball.obj\")`, or leave `balloon` out",
        );
    };
    // A file that cannot be read has its own message.
    let Some(Ok(surface)) = surface else { return };
    let edges = edges(&surface.triangles);
    let open: Vec<_> = edges.iter().filter(|edge| edge.faces != 2).collect();
    if !open.is_empty() {
        let end = |i: u32| {
            let [x, y, z] = surface.positions[i as usize];
            format!("({x}, {y}, {z})")
        };
        let shown = open
            .iter()
            .take(SHOWN)
            .map(|edge| format!("{} to {} ({} faces)", end(edge.ends[0]), end(edge.ends[1]), edge.faces));
        let more = if open.len() > SHOWN { ", ..." } else { "" };
        let message = format!(
            "the mesh is not closed: {} of {} edges are not between two faces: {}{more}",
            open.len(),
            edges.len(),
            shown.collect::<Vec<_>>().join(", ")
        );
        let help = "close the holes in the file (Blender: Select > All by Trait > Non Manifold, then Fill), or leave \
                    `balloon` out";
        return checker.error(path, message, help);
    }
    let volume = volume(&surface.positions, &surface.triangles);
    if volume <= 0.0 {
        let message =
            format!("the front of the mesh is inside: its volume is {volume:.3e} cubic units of the file");
        let help = "turn all faces (Blender: Mesh > Normals > Recalculate Outside)";
        checker.error(path, message, help);
    }
}

fn shape(checker: &mut Checker<'_>, path: &str, shape: &Shape) {
    match shape {
        Shape::Grid { columns, gather, folds, .. } => {
            if *folds == 0 && *gather < 1.0 {
                let message = "`gather` below 1 needs `folds`, or the cloth starts compressed";
                checker.error(&format!("{path}.gather"), message, "such as `folds: 5`");
            }
            if *folds > columns / 4 {
                let message = format!("{folds} folds need at least {} columns", u64::from(*folds) * 4);
                checker.error(&format!("{path}.folds"), message, "four columns per fold");
            }
        }
        Shape::Mesh { surface: Some(Err(fault)), .. } => {
            checker.error(&format!("{path}.file"), fault.message.clone(), &fault.help);
        }
        Shape::Mesh { surface: Some(Ok(surface)), scale, .. } => {
            checker.extent(&format!("{path}.scale"), extent(surface) * scale);
        }
        Shape::Mesh { surface: None, .. } | Shape::Disc { .. } => {}
    }
}

/// Longest side of the box around it, in units of the file.
fn extent(surface: &Surface) -> f32 {
    let side = |axis: usize| {
        let values = surface.positions.iter().map(|x| x[axis]);
        values.clone().fold(f32::MIN, f32::max) - values.fold(f32::MAX, f32::min)
    };
    side(0).max(side(1)).max(side(2))
}

fn pins(checker: &mut Checker<'_>, path: &str, pins: &[Pin], shape: &Shape) {
    for (index, wanted) in pins.iter().enumerate() {
        pin(checker, &format!("{path}.pins[{index}]"), wanted, shape);
    }
}

fn pin(checker: &mut Checker<'_>, path: &str, pin: &Pin, shape: &Shape) {
    let grid = if let Shape::Grid { columns, rows, .. } = *shape { Some([columns, rows]) } else { None };
    match (pin, grid) {
        (Pin::Edge(_) | Pin::Corner(_) | Pin::Every { .. } | Pin::Particle { .. }, None) => {
            let message = "only a `Grid` has edges, corners, columns and rows";
            checker.error(path, message, "use `Within(at: (x, y, z), radius: r)` or `Vertex(index)`");
        }
        (Pin::Particle { column, row }, Some([columns, rows])) => {
            within_grid(checker, path, "column", [*column, columns]);
            within_grid(checker, path, "row", [*row, rows]);
        }
        (Pin::Every { step: 0, .. }, _) => {
            checker.error(&format!("{path}.step"), "`step` must be at least 1", "every n-th particle");
        }
        (Pin::Within { at, radius }, _) => {
            if !(*radius > 0.0 && *radius <= 1000.0) {
                let message = format!("`radius` is {radius} m; it must be above 0 and at most 1000 m");
                checker.error(&format!("{path}.radius"), message, "all particles in this ball are held");
            }
            if let Some(axis) = at.iter().position(|x| x.is_nan() || x.abs() > 1e4) {
                let message = format!("`at` is {:?}; it must be between -10000 and 10000 m", at[axis]);
                checker.error(&format!("{path}.at[{axis}]"), message, "centre of the ball, world space");
            }
        }
        (Pin::Vertex(_), Some(_)) => {
            let help = "use `Particle(column: c, row: r)`";
            checker.error(path, "the particles of a `Grid` have columns and rows", help);
        }
        (Pin::Vertex(index), None) => vertex(checker, path, *index, shape),
        (Pin::Edge(_) | Pin::Corner(_) | Pin::Every { .. }, Some(_)) => {}
    }
}

fn within_grid(checker: &mut Checker<'_>, path: &str, name: &str, [value, count]: [u32; 2]) {
    if value >= count {
        let message = format!("pin {name} {value} is outside the grid of {count} {name}s");
        let help = format!("{name}s count from 0 to {}", count.saturating_sub(1));
        checker.error(&format!("{path}.{name}"), message, &help);
    }
}

fn vertex(checker: &mut Checker<'_>, path: &str, index: u32, shape: &Shape) {
    let (count, unused) = match shape {
        Shape::Mesh { surface: Some(Ok(surface)), .. } => {
            let particle = surface.particle_of.get(index as usize);
            (surface.particle_of.len() as u64, particle == Some(&UNUSED))
        }
        // A file that was not read is an error of its own, or nobody looks.
        Shape::Mesh { .. } => return,
        _ => (shape.particles(), false),
    };
    if unused {
        checker.error(path, format!("vertex {index} belongs to no face"), "choose one that does");
    } else if u64::from(index) >= count {
        let help = format!("vertices count from 0 to {}", count.saturating_sub(1));
        checker.error(path, format!("there is no vertex {index}"), &help);
    }
}

fn material(checker: &mut Checker<'_>, path: &str, cloth: &Cloth) {
    let material = &cloth.material;
    checker.preset(path, &material.preset, &preset::names().collect::<Vec<_>>());
    if material.membrane != Membrane::Springs && material.sheet.stretch <= 0.0 {
        let message = format!("the membrane {:?} needs `sheet: (stretch: ...)`", material.membrane);
        checker.error(
            &format!("{path}.membrane"),
            message,
            "stiffness of the sheet in N/m, such as 2000, or a preset",
        );
    }
}
