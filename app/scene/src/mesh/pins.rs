//! Which particles are pinned.

use super::super::Vec3;
use super::super::cloth::{Cloth, Corner, Edge, Pin, Shape};
use super::{placed, rest::Rest};

/// One flag per particle, for the cloth's own pins and its handles; `positions` are those at the start [m], world space.
pub fn pinned(cloth: &Cloth, positions: &[Vec3]) -> Vec<bool> {
    let handles = cloth.handles.iter().flat_map(|handle| &handle.pins);
    held_by(cloth.pins.iter().chain(handles), &cloth.shape, positions)
}

/// The same for some pins.
pub fn held_by<'p>(pins: impl Iterator<Item = &'p Pin>, shape: &Shape, positions: &[Vec3]) -> Vec<bool> {
    let mut pinned = vec![false; positions.len()];
    for pin in pins {
        match (pin, shape) {
            (Pin::Within { at, radius }, _) => {
                let distance2 = |x: &Vec3| (0..3).map(|i| f64::from(x[i] - at[i]).powi(2)).sum::<f64>();
                let inside = |x: &Vec3| distance2(x) <= f64::from(*radius).powi(2);
                pinned.iter_mut().zip(positions).for_each(|(held, x)| *held |= inside(x));
            }
            (Pin::Vertex(index), Shape::Mesh { surface: Some(Ok(surface)), .. }) => {
                let particle = surface.particle_of.get(*index as usize);
                hold(&mut pinned, particle.map(|particle| *particle as usize));
            }
            (Pin::Vertex(index), Shape::Disc { .. }) => hold(&mut pinned, Some(*index as usize)),
            (pin, &Shape::Grid { columns, rows, .. }) => on_grid(&mut pinned, pin, [columns, rows]),
            _ => {}
        }
    }
    pinned
}

/// The pins of a cloth with one particle more, or without it if they hold it: what held others as well becomes a list of those.
/// With whether it is pinned now.
pub fn toggled(cloth: &Cloth, particle: usize) -> Result<(Vec<Pin>, bool), String> {
    let positions = placed(cloth, &Rest::of(&cloth.shape));
    let held = |pin: &Pin| held_by([pin].into_iter(), &cloth.shape, &positions);
    let (holding, mut pins): (Vec<&Pin>, Vec<&Pin>) =
        cloth.pins.iter().partition(|pin| held(pin).get(particle) == Some(&true));
    let handles = cloth.handles.iter().flat_map(|handle| &handle.pins);
    if held_by(handles, &cloth.shape, &positions).get(particle) == Some(&true) {
        return Err("a handle moves this particle: take it out of `handles` in the scene".into());
    }
    let single = |particle: usize| {
        single(&cloth.shape, particle).ok_or_else(|| "a pin cannot name this particle".to_string())
    };
    if holding.is_empty() {
        let added = single(particle)?;
        pins.push(&added);
        return Ok((pins.into_iter().cloned().collect(), true));
    }
    let mut others = held_by(holding.into_iter(), &cloth.shape, &positions);
    others[particle] = false;
    let rest = others.iter().enumerate().filter(|(_, held)| **held).map(|(other, _)| single(other));
    let rest = rest.collect::<Result<Vec<Pin>, String>>()?;
    Ok((pins.into_iter().cloned().chain(rest).collect(), false))
}

/// The pin that holds one particle and no other.
fn single(shape: &Shape, particle: usize) -> Option<Pin> {
    let index = u32::try_from(particle).ok()?;
    match shape {
        Shape::Grid { columns, .. } => {
            Some(Pin::Particle { column: index % (*columns).max(1), row: index / (*columns).max(1) })
        }
        Shape::Disc { .. } => Some(Pin::Vertex(index)),
        Shape::Mesh { surface: Some(Ok(surface)), .. } => {
            let vertex = surface.particle_of.iter().position(|of| *of == index)?;
            u32::try_from(vertex).ok().map(Pin::Vertex)
        }
        Shape::Mesh { .. } => None,
    }
}

fn hold(pinned: &mut [bool], particle: Option<usize>) {
    if let Some(held) = particle.and_then(|particle| pinned.get_mut(particle)) {
        *held = true;
    }
}

fn on_grid(pinned: &mut [bool], pin: &Pin, [columns, rows]: [u32; 2]) {
    let (right, bottom) = (columns.saturating_sub(1), rows.saturating_sub(1));
    let mut hold = |column: u32, row: u32| {
        if column < columns && row < rows {
            pinned[row as usize * columns as usize + column as usize] = true;
        }
    };
    match *pin {
        Pin::Particle { column, row } => hold(column, row),
        Pin::Corner(Corner::TopLeft) => hold(0, 0),
        Pin::Corner(Corner::TopRight) => hold(right, 0),
        Pin::Corner(Corner::BottomLeft) => hold(0, bottom),
        Pin::Corner(Corner::BottomRight) => hold(right, bottom),
        Pin::Edge(edge) => along_edge(edge, 1, right, bottom, &mut hold),
        Pin::Every { edge, step } => along_edge(edge, step, right, bottom, &mut hold),
        Pin::Within { .. } | Pin::Vertex(_) => {}
    }
}

fn along_edge(edge: Edge, step: u32, right: u32, bottom: u32, hold: &mut impl FnMut(u32, u32)) {
    let end = if matches!(edge, Edge::Left | Edge::Right) { bottom } else { right };
    let steps = (0..=end).step_by(step.max(1) as usize).chain([end]);
    for i in steps {
        match edge {
            Edge::Left => hold(0, i),
            Edge::Right => hold(right, i),
            Edge::Top => hold(i, 0),
            Edge::Bottom => hold(i, bottom),
        }
    }
}
