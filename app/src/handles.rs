//! The moving pins of a scene as holds of a frame, the way the hand holds particles.

use glam::Vec3;
use sim_api::Hold;

use crate::{
    assemble::Object,
    scene::{self, Cloth, Scene},
};

/// Particles of all handles, and the holds of the frame in hand.
#[derive(Default)]
pub struct Handles {
    rows: Vec<Row>,
    holds: Vec<Hold>,
}

struct Row {
    particle: u32,
    /// Position at the start [m].
    start: Vec3,
    cloth: usize,
    handle: usize,
}

impl Handles {
    pub fn of(scene: &Scene, objects: &[Object]) -> Self {
        let mut rows = Vec::new();
        for (index, (cloth, object)) in scene.cloths.iter().zip(objects).enumerate() {
            for handle in 0..cloth.handles.len() {
                let (positions, held) = held(cloth, handle);
                let first = object.particles.start as u32;
                for (particle, (start, _)) in
                    (first..).zip(positions.iter().zip(held)).filter(|(_, (_, held))| *held)
                {
                    rows.push(Row { particle, start: Vec3::from(*start), cloth: index, handle });
                }
            }
        }
        Self { holds: Vec::with_capacity(rows.len()), rows }
    }

    /// The ways of a frame that begins at `time` [s], then those of the hand.
    pub fn holds(&mut self, scene: &Scene, time: f64, positions: &[[f32; 4]], hand: &[Hold]) -> &[Hold] {
        self.holds.clear();
        let end = time + f64::from(scene.step);
        for row in &self.rows {
            let Some(cloth) = scene.cloths.get(row.cloth) else { continue };
            let (Some(handle), Some(x)) =
                (cloth.handles.get(row.handle), positions.get(row.particle as usize))
            else {
                continue;
            };
            let end = handle.place(cloth.at, row.start, end).to_array();
            self.holds.push(Hold { particle: row.particle, begin: [x[0], x[1], x[2]], end });
        }
        self.holds.extend_from_slice(hand);
        &self.holds
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Positions of a cloth at the start [m], and which of them a handle holds.
fn held(cloth: &Cloth, handle: usize) -> (Vec<scene::Vec3>, Vec<bool>) {
    let pins = cloth.handles[handle].pins.clone();
    let alone = Cloth { pins, handles: Vec::new(), pin_compliance: 0.0, tethers: None, ..cloth.clone() };
    let mesh = scene::build(&alone);
    (mesh.positions, mesh.pinned)
}
