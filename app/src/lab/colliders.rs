//! Colliders between frames: scripted motion, and what the hand drags.

use glam::{Quat, Vec3};

use super::Lab;
use crate::{draw, scene::ColliderShape};

impl Lab {
    /// Where a collider is at the end of the next frame.
    fn pose(&self, collider: usize, time: f64) -> (Vec3, Quat) {
        let body = &self.scene.colliders[collider];
        let (position, rotation) = body.motion.pose(body.at, body.rotation, time as f32);
        (position + self.dragged.get(collider).copied().unwrap_or_default(), rotation)
    }

    /// Last frame's end becomes this frame's begin; motion and drag give the new end.
    pub(super) fn move_colliders(&mut self) {
        let time = self.run.time + f64::from(self.scene.step);
        let poses: Vec<(Vec3, Quat)> =
            (0..self.scene.colliders.len()).map(|collider| self.pose(collider, time)).collect();
        self.shift("begin_position", "position");
        self.shift("begin_rotation", "rotation");
        for (i, (position, rotation)) in poses.into_iter().enumerate() {
            self.write_pose(i, position, rotation);
        }
    }

    /// Puts colliders at their place without sweeping them there: after a scene swap or a failed step.
    pub(super) fn place_colliders(&mut self) {
        for i in 0..self.scene.colliders.len() {
            let (position, rotation) = self.pose(i, self.run.time);
            self.write_pose(i, position, rotation);
        }
        self.shift("begin_position", "position");
        self.shift("begin_rotation", "rotation");
    }

    fn write_pose(&mut self, collider: usize, position: Vec3, rotation: Quat) {
        let state = &mut self.run.state;
        if let Some(row) = state.column_mut::<[f32; 4]>("collider", "position").get_mut(collider) {
            *row = position.extend(0.0).to_array();
        }
        if let Some(row) = state.column_mut::<[f32; 4]>("collider", "rotation").get_mut(collider) {
            *row = rotation.to_array();
        }
    }

    fn shift(&mut self, to: &str, from: &str) {
        for i in 0..self.scene.colliders.len() {
            let value = self.run.state.column::<[f32; 4]>("collider", from).get(i).copied();
            let row = self.run.state.column_mut::<[f32; 4]>("collider", to).get_mut(i);
            if let (Some(row), Some(value)) = (row, value) {
                *row = value;
            }
        }
    }

    /// Moves a collider by hand; it goes there during the next frame.
    pub fn drag_collider(&mut self, collider: usize, by: Vec3) {
        if let Some(offset) = self.dragged.get_mut(collider) {
            *offset += by;
        }
    }

    /// Solid colliders as the renderer and the picker want them, with their place in the scene's list.
    pub fn solids(&self, highlighted: Option<usize>, solids: &mut Vec<(usize, draw::Solid)>) {
        solids.clear();
        let positions = self.run.state.column::<[f32; 4]>("collider", "position");
        let rotations = self.run.state.column::<[f32; 4]>("collider", "rotation");
        for (i, body) in self.scene.colliders.iter().enumerate() {
            let shape = match body.shape {
                ColliderShape::Plane => continue,
                ColliderShape::Sphere { radius } => draw::Shape::Sphere { radius },
                ColliderShape::Capsule { radius, half_height } => {
                    draw::Shape::Capsule { radius, half_height }
                }
            };
            let (Some(x), Some(q)) = (positions.get(i), rotations.get(i)) else { continue };
            solids.push((
                i,
                draw::Solid {
                    shape,
                    position: Vec3::new(x[0], x[1], x[2]),
                    rotation: Quat::from_array(*q),
                    color: body.color,
                    highlighted: highlighted == Some(i),
                },
            ));
        }
    }

    /// The highest upright plane is drawn as the ground.
    pub fn ground(&self) -> Option<draw::Ground> {
        let planes = self.scene.colliders.iter().filter(|body| matches!(body.shape, ColliderShape::Plane));
        let level = planes.filter(|body| body.rotation == [0.0; 3]);
        let highest = level.max_by(|a, b| a.at[1].total_cmp(&b.at[1]))?;
        Some(draw::Ground { height: highest.at[1], color: highest.color, ..draw::Ground::default() })
    }
}
