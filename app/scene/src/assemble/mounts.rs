//! Ends of strands on bodies with a mass: rows of `mount`, and what of a body's mass each of them feels.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use weft_core::state::{TableRows, rows};

use crate::{Scene, rotation};

/// A body that holds one end of strands, and its pose at the start.
#[derive(Clone, Copy)]
pub(super) struct Body {
    collider: usize,
    pose: (Vec3, Quat),
}

impl Body {
    /// `None` of what does not move by itself.
    pub(super) fn of(scene: &Scene, collider: Option<usize>) -> Option<Self> {
        let collider = collider.filter(|collider| scene.colliders[*collider].mass > 0.0)?;
        let body = &scene.colliders[collider];
        Some(Self { collider, pose: body.pose(0.0) })
    }
}

/// A strand of so many kg, and whether a body is all that holds it.
#[derive(Clone, Copy)]
pub(super) struct Hung {
    pub mass: f32,
    pub alone: bool,
}

/// Ends on bodies, and what hangs at each.
#[derive(Default)]
pub(super) struct Mounts {
    rows: rows::Mount,
    hung: Vec<Hung>,
}

/// How heavy what a body alone holds may be beside it for the rest not to feel it, and how heavy a strand is for its body to feel all of
/// what it gives across itself; as a share of the body's mass, the second of what that comes to at the strand's end.
const LIGHT: f32 = 0.25;

impl Mounts {
    /// Adds the end of a strand that starts at `place` [m].
    pub(super) fn add(&mut self, strand: u32, is_tip: bool, body: Body, place: Vec3, hung: Hung) {
        let (at, turn) = body.pose;
        let local = Vec3::from(rotation::rotate(turn.inverse(), (place - at).to_array()));
        let across = if hung.alone { 1e30 } else { hung.mass / LIGHT };
        self.rows.end.push(2 * strand + u32::from(is_tip));
        self.rows.body.push(body.collider as u32);
        self.rows.place.push(local.extend(0.0).to_array());
        self.rows.across.push(across);
        self.hung.push(hung);
    }

    /// The table: ends feel shares of their body's mass, as the masses of their strands are.
    pub(super) fn table(mut self, scene: &Scene) -> TableRows {
        let mut all: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        for (body, hung) in self.rows.body.iter().zip(&self.hung) {
            all.entry(*body).or_default()[usize::from(hung.alone)] += f64::from(hung.mass);
        }
        for (row, hung) in self.hung.iter().enumerate() {
            let body = self.rows.body[row];
            let [others, alone] = all[&body];
            let light = alone <= f64::from(LIGHT * scene.colliders[body as usize].mass);
            let sum = if !light {
                others + alone
            } else if hung.alone {
                alone
            } else {
                others
            };
            self.rows.place[row][3] = (f64::from(hung.mass) / sum) as f32;
        }
        self.rows.table()
    }
}
