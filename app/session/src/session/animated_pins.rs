//! The moving pins of a scene as holds of a frame, the way the hand holds particles.

use glam::Vec3;
use sim_api::Hold;
use weft_core::state::col;

use weft_core::state::Blueprint;
use weft_scene::{Scene, assemble::Object, mesh::pins::held_by};

/// Particles of all handles.
#[derive(Default)]
pub struct AnimatedPins {
    rows: Vec<Row>,
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
        Self { rows }
    }

    /// Adds the ways of a frame that begins at `time` [s].
    pub fn add_holds(&self, scene: &Scene, time: f64, positions: &[[f32; 4]], holds: &mut Vec<Hold>) {
        let end = time + f64::from(scene.step);
        for row in &self.rows {
            let Some(cloth) = scene.cloths.get(row.cloth) else { continue };
            let (Some(handle), Some(x)) =
                (cloth.handles.get(row.handle), positions.get(row.particle as usize))
            else {
                continue;
            };
            let end = handle.place(row.at, row.start, end).to_array();
            holds.push(Hold { particle: row.particle, begin: [x[0], x[1], x[2]], end });
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
