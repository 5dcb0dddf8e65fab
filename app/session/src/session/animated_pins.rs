//! The moving pins of a scene, and the roots of strands on moving seats, as holds of a frame, the way the hand holds particles.

use glam::{Quat, Vec3, Vec4};
use sim_api::Hold;
use weft_core::state::{Blueprint, State, col};
use weft_scene::{
    Scene,
    assemble::Object,
    mesh::pins::held_by,
    strands::build::{build, frame, placed},
};

/// Particles of all handles, and those that colliders hold.
#[derive(Default)]
pub struct AnimatedPins {
    rows: Vec<Row>,
    roots: Vec<Seated>,
}

/// A particle that a collider holds.
struct Seated {
    particle: u32,
    /// Row of the collider.
    seat: usize,
    /// In its frame [m].
    place: Vec3,
}

struct Row {
    particle: u32,
    /// Position at the start [m], and the place of the cloth, relative to the scene's origin.
    start: Vec3,
    at: [f32; 3],
    cloth: usize,
    handle: usize,
}

impl AnimatedPins {
    /// Of a scene and the tables that were made of it.
    pub fn of(scene: &Scene, objects: &[Object], blueprint: &Blueprint) -> Self {
        let scene = &scene.about_origin();
        let start = blueprint.get(col::particle::position);
        let mut rows = Vec::new();
        for (index, (cloth, object)) in scene.cloths.iter().zip(objects).enumerate() {
            if cloth.handles.is_empty() {
                continue;
            }
            let own = start.get(object.particles.clone()).unwrap_or(&[]);
            let positions: Vec<[f32; 3]> = own.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
            for (handle, by) in cloth.handles.iter().enumerate() {
                let held = held_by(by.pins.iter(), &cloth.shape, &positions);
                let particles = (object.particles.start as u32..).zip(positions.iter().zip(held));
                for (particle, (start, _)) in particles.filter(|(_, (_, held))| *held) {
                    let (start, at) = (Vec3::from(*start), cloth.at);
                    rows.push(Row { particle, start, at, cloth: index, handle });
                }
            }
        }
        Self { rows, roots: roots(scene, objects) }
    }

    /// Adds the ways of a frame that begins at `time` [s]. They begin where the last one ended, which the positions of `state`
    /// need not know: a device may have moved them on.
    /// The colliders of `state` are at their ends.
    pub fn add_holds(&self, scene: &Scene, time: f64, state: &State, holds: &mut Vec<Hold>) {
        let end = time + f64::from(scene.step);
        for row in &self.rows {
            let handle = scene.cloths.get(row.cloth).and_then(|cloth| cloth.handles.get(row.handle));
            let Some(handle) = handle else { continue };
            let [begin, end] = [time, end].map(|time| handle.place(row.at, row.start, time).to_array());
            holds.push(Hold { particle: row.particle, begin, end });
        }
        let poses = |at, turn| (state.get::<[f32; 4]>(at), state.get::<[f32; 4]>(turn));
        let begin = poses(col::collider::begin_position, col::collider::begin_rotation);
        let end = poses(col::collider::position, col::collider::rotation);
        for root in &self.roots {
            let place = |(at, turn): (&[[f32; 4]], &[[f32; 4]])| {
                let (at, turn) = (at.get(root.seat)?, turn.get(root.seat)?);
                let seat = (Vec4::from_array(*at).truncate(), Quat::from_array(*turn));
                Some(placed(seat, root.place).to_array())
            };
            let (Some(begin), Some(end)) = (place(begin), place(end)) else { continue };
            holds.push(Hold { particle: root.particle, begin, end });
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len() + self.roots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The first particles of strands that grow from colliders which may move, and the last of those whose tips they hold.
fn roots(scene: &Scene, objects: &[Object]) -> Vec<Seated> {
    let mut roots = Vec::new();
    for (strands, object) in scene.strands.iter().zip(objects.iter().skip(scene.cloths.len())) {
        // What bodies with a mass hold goes with them inside of a step.
        let moved = |holder: &usize| scene.colliders[*holder].mass == 0.0;
        let (seat, tip) = (strands.seat(scene).filter(moved), strands.tip_seat(scene).filter(moved));
        if seat.is_none() && tip.is_none() {
            continue;
        }
        let start = |seat: usize| scene.colliders[seat].pose(0.0);
        let tips = strands.particles - strands.held_at_tip()..strands.particles;
        for (index, strand) in (0..).zip(build(strands, scene)) {
            let place = |particle| strand.place(strands.held(), particle);
            let row = |particle| object.particles.start as u32 + strands.row(index, particle);
            if let Some(seat) = seat {
                let seated = |particle| Seated { particle: row(particle), seat, place: place(particle) };
                roots.extend((0..strands.held()).map(seated));
            }
            if let Some(tip) = tip {
                let (at, turn) = start(tip);
                let world = |particle| placed(frame(scene, strands.seat(scene), 0.0), place(particle));
                let seated = |particle| Seated {
                    particle: row(particle),
                    seat: tip,
                    place: turn.inverse() * (world(particle) - at),
                };
                roots.extend(tips.clone().map(seated));
            }
        }
    }
    roots
}
