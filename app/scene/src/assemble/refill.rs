//! Values of a scene in tables that stand: what a slider under a cloth changes, without assembling the scene anew.
//!
//! A field either is looked up where it is used and in no table (looks, moving pins), or fills rows of some columns with one
//! number each, or changes rows themselves. Only the last kind assembles; so does what depends on the shape of the cloth
//! (the stiffness of a sheet, widths, tethers' lengths). The tables come out as [`super::assemble`] makes them, bit for bit.

use std::{ops::Range, rc::Rc};

use weft_core::state::{Blueprint, Data, Span, col};

use super::Object;
use crate::{Change, Cloth, Collider, Kind, Scene, Shape, mesh};

/// Values for rows of a column, in scene order.
enum Values {
    Number(f32),
    Word(u32),
    /// [kg], one for each row.
    Masses(Rc<[f32]>),
    /// Of these masses [kg]; what is pinned stays so.
    InverseMasses(Rc<[f32]>),
    /// Static and dynamic friction, restitution, thickness.
    Surface([f32; 4]),
}

type Fill = (&'static str, &'static str, Range<usize>, Values);

/// Writes into the tables of `old` what `changes` make other in `scene`. Returns the rows that were written; `None`, and
/// nothing written, if that takes an assembly.
pub fn refill(
    old: &Scene,
    scene: &Scene,
    changes: &[Change],
    objects: &[Object],
    blueprint: &mut Blueprint,
) -> Option<Vec<Span>> {
    let cloths = |scene: &Scene| {
        let strands = scene.strands.iter().map(|strands| strands.id.clone());
        scene.cloths.iter().map(|cloth| cloth.id.clone()).chain(strands).collect::<Vec<_>>()
    };
    let bodies = |scene: &Scene| scene.colliders.iter().map(|body| body.id.clone()).collect::<Vec<_>>();
    if (cloths(old), bodies(old)) != (cloths(scene), bodies(scene)) {
        return None;
    }
    let mut fills = Vec::new();
    for change in changes {
        let mut parts = change.path.splitn(3, '.');
        match (parts.next(), parts.next(), parts.next()) {
            (Some("cloths"), Some(id), field) => {
                let index = scene.cloths.iter().position(|cloth| cloth.id == id)?;
                let (before, cloth) = (&old.cloths[index], &scene.cloths[index]);
                let moved = || scene.cloth_about_origin(cloth);
                fills.extend(of_cloth(field?, before, cloth, moved, objects.get(index)?, blueprint)?);
            }
            // Numbers of a rod are in many rows, of several columns; how it is drawn or carried is in none.
            (Some("strands"), _, field) if !field?.starts_with("look.") && field? != "teleport" => {
                return None;
            }
            (Some("colliders"), Some(id), field) => {
                let row = scene.colliders.iter().position(|body| body.id == id)?;
                fills.extend(of_collider(field?, &scene.colliders[row], row)?);
            }
            // What acts on everything is in no table.
            _ => {}
        }
    }
    fills.into_iter().map(|fill| write(blueprint, fill)).collect()
}

/// `moved`: the cloth as the scene's particles have it, about the scene's origin.
fn of_cloth(
    field: &str,
    before: &Cloth,
    cloth: &Cloth,
    moved: impl Fn() -> Cloth,
    object: &Object,
    blueprint: &Blueprint,
) -> Option<Vec<Fill>> {
    let material = &cloth.material;
    let one = |table, column, rows: &Range<usize>, value| {
        Some(vec![(table, column, rows.clone(), Values::Number(value))])
    };
    let (own, gas) = (cloth.self_collision.as_ref(), cloth.balloon.as_ref());
    let compliance = |kind, k: f32, value| {
        // Of a sheet every row of a grid has its stiffness; on a mesh those of no area have not.
        let grid = matches!(cloth.shape, Shape::Grid { .. });
        match (k > 0.0, grid) {
            (false, _) => one("distance", "compliance", &of_kind(blueprint, object, kind), value),
            (true, true) => Some(Vec::new()),
            (true, false) => None,
        }
    };
    let particles = &object.particles;
    // What a coarse node carries, and how soft the cloth between two is.
    let is_coarse = field == "material.density"
        || field == "material.compliance.structural"
        || field.starts_with("weights[");
    if cloth.coarse.is_some() && is_coarse || object.holds_hinges_back && field == "material.density" {
        return None;
    }
    match field {
        _ if field == "material.density" || field.starts_with("weights[") => {
            let masses = blueprint.get(col::particle::mass).get(particles.clone());
            let mass = masses.and_then(|masses| mesh::rescaled_masses(before, cloth, masses));
            let mass: Rc<[f32]> = mass.unwrap_or_else(|| mesh::masses(&moved(), &object.triangles)).into();
            let mut fills = vec![
                ("particle", "mass", particles.clone(), Values::Masses(mass.clone())),
                ("particle", "position", particles.clone(), Values::InverseMasses(mass.clone())),
            ];
            if blueprint.table("layer").is_some_and(|table| table.rows > 0) {
                fills.push(("layer", "start", particles.clone(), Values::InverseMasses(mass)));
            }
            Some(fills)
        }
        "material.friction" => one("particle", "friction", particles, material.friction),
        "material.compliance.structural" => {
            compliance(Kind::Structural, material.sheet.stretch, material.compliance.structural)
        }
        "material.compliance.shear" => {
            compliance(Kind::Shear, material.sheet.shear, material.compliance.shear)
        }
        "material.compliance.bend" => compliance(Kind::Bend, 0.0, material.compliance.bend),
        "material.spring_damping" if material.sheet.damping == 0.0 => {
            one("distance", "damping", &object.distances, material.spring_damping)
        }
        "pin_compliance" if before.pin_compliance > 0.0 && cloth.pin_compliance > 0.0 => {
            one("attachment", "compliance", &object.attachments, cloth.pin_compliance)
        }
        "tethers.compliance" => {
            one("tether", "compliance", &object.tethers, cloth.tethers.as_ref()?.compliance)
        }
        "balloon.pressure" => one("balloon", "pressure", &object.balloons, gas?.pressure),
        "balloon.compliance" => one("balloon", "compliance", &object.balloons, gas?.compliance),
        "balloon.leak" => one("balloon", "leak", &object.balloons, gas?.leak),
        "self_collision.thickness" => one("layer", "thickness", particles, own?.thickness),
        "self_collision.friction.static" => one("layer", "friction_static", particles, own?.friction.at_rest),
        "self_collision.friction.dynamic" => {
            one("layer", "friction_dynamic", particles, own?.friction.dynamic)
        }
        "self_collision.heal" => {
            Some(vec![("layer", "heals", particles.clone(), Values::Word(own?.heal.into()))])
        }
        // Drawn as it is in the scene; a handle's pins are another path.
        _ if field.starts_with("look.") || field.starts_with("handles[") => Some(Vec::new()),
        _ => None,
    }
}

fn of_collider(field: &str, body: &Collider, row: usize) -> Option<Vec<Fill>> {
    match field {
        "color" | "keys" => Some(Vec::new()),
        "friction.static" | "friction.dynamic" | "restitution" | "thickness" => {
            let values = [body.friction.at_rest, body.friction.dynamic, body.restitution, body.thickness];
            Some(vec![("collider", "surface", row..row + 1, Values::Surface(values))])
        }
        _ => None,
    }
}

/// A cloth's distance rows of one kind: they lie one after another, kind by kind.
fn of_kind(blueprint: &Blueprint, object: &Object, kind: Kind) -> Range<usize> {
    let kinds = blueprint.get(col::distance::kind).get(object.distances.clone()).unwrap_or(&[]);
    let first = object.distances.start;
    let (start, end) =
        (kinds.partition_point(|row| *row < kind as u32), kinds.partition_point(|row| *row <= kind as u32));
    first + start..first + end
}

/// `None` if there is no such column, which the program itself makes.
fn write(blueprint: &mut Blueprint, (table, column, rows, values): Fill) -> Option<Span> {
    match (blueprint.table_mut(table)?.column_mut(column)?, values) {
        (Data::F32(all), Values::Number(value)) => all.get_mut(rows.clone())?.fill(value),
        (Data::U32(all), Values::Word(value)) => all.get_mut(rows.clone())?.fill(value),
        (Data::F32x4(all), Values::Surface(value)) => all.get_mut(rows.clone())?.fill(value),
        (Data::F32(all), Values::Masses(masses)) => all.get_mut(rows.clone())?.copy_from_slice(&masses),
        (Data::F32x4(all), Values::InverseMasses(masses)) => {
            for (row, mass) in all.get_mut(rows.clone())?.iter_mut().zip(&*masses) {
                row[3] = if row[3] == 0.0 { 0.0 } else { 1.0 / mass };
            }
        }
        _ => return None,
    }
    Some(Span { table, column, rows })
}
