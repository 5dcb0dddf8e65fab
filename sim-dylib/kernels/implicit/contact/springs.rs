//! The springs of contact over all particles: energy, forces and blocks at given positions.

use glam::Vec4;
use sim_api::Par;

use crate::{
    collide::{Body, Meshes},
    constraints::{
        Energy,
        contact::{Friction, Wall},
    },
    lanes::V3,
    normals::xyz,
    state::Collider,
};

/// What they depend on; columns of the particles as in `state.rs`.
pub(super) struct Springs<'a> {
    pub par: Par,
    pub collider: &'a Collider<'a>,
    pub meshes: Meshes<'a>,
    /// Stiffness over the mass [1/s2].
    pub per_mass: f32,
    pub x: &'a [[f32; 4]],
    pub previous: &'a [[f32; 4]],
    pub mass: &'a [f32],
    pub touch: &'a [[f32; 4]],
    pub touch_way: &'a [[f32; 4]],
}

/// The springs of a step; borrows the columns it names and no others.
macro_rules! springs {
    ($step:ident) => {
        Springs {
            par: $step.par,
            collider: &$step.state.collider,
            meshes: crate::collide::Meshes::new(
                &$step.state.solid_vertex,
                &$step.state.solid_face,
                &$step.state.solid_node,
                &$step.state.solid_cell,
            ),
            per_mass: $step.contact / ($step.h * $step.h),
            x: &*$step.state.particle.position,
            previous: &*$step.state.particle.previous,
            mass: $step.state.particle.mass,
            touch: &*$step.state.particle.springs.touch,
            touch_way: &*$step.state.particle.springs.touch_way,
        }
    };
}
pub(super) use springs;

/// The colliders of a substep.
pub(super) fn bodies<'a>(collider: &'a Collider, meshes: Meshes<'a>) -> impl Iterator<Item = Body<'a>> + 'a {
    (0..collider.kind.len()).filter_map(move |i| Body::of(collider, &meshes, i))
}

impl Springs<'_> {
    fn place(&self, i: usize) -> [V3<f32>; 1] {
        [V3::from_row(self.x[i])]
    }

    /// That of the deepest contact.
    #[inline]
    fn friction(&self, i: usize) -> Option<Friction<f32>> {
        let (k, limit) = (self.mass[i] * self.per_mass, self.touch[i][3]);
        let from = V3::from_row(self.previous[i]) + V3::from_row(self.touch_way[i]);
        (limit > 0.0).then(|| Friction { normal: V3::from_row(self.touch[i]), from, k, limit })
    }

    #[inline]
    fn wall(&self, body: &Body, i: usize) -> Option<Wall<f32>> {
        if self.previous[i][3] == 0.0 {
            return None;
        }
        let (depth, normal) = body.inside(xyz(self.x[i]))?;
        let normal = V3 { x: normal.x, y: normal.y, z: normal.z };
        Some(Wall {
            normal,
            level: normal.dot(V3::from_row(self.x[i])) + depth,
            k: self.mass[i] * self.per_mass,
        })
    }

    /// [J]
    pub(super) fn energy(&self) -> f64 {
        let slipping = self.par.sum(self.x.len(), |rows| {
            let mut sum = 0.0;
            for i in rows {
                sum += self.friction(i).map_or(0.0, |friction| f64::from(friction.energy(&self.place(i))));
            }
            sum
        });
        bodies(self.collider, self.meshes).fold(slipping, |total, body| {
            total
                + self.par.sum(self.x.len(), |rows| {
                    let mut sum = 0.0;
                    for i in rows {
                        sum += self.wall(&body, i).map_or(0.0, |wall| f64::from(wall.energy(&self.place(i))));
                    }
                    sum
                })
        })
    }

    /// Adds the forces [N].
    pub(super) fn add_forces(&self, force: &mut [[f32; 4]]) {
        self.par.rows(force, |start, force| {
            for (i, force) in (start..).zip(force) {
                if let Some(friction) = self.friction(i) {
                    subtract(force, friction.gradient(&self.place(i)));
                }
            }
        });
        for body in bodies(self.collider, self.meshes) {
            self.par.rows(force, |start, force| {
                for (i, force) in (start..).zip(force) {
                    if let Some(wall) = self.wall(&body, i) {
                        subtract(force, wall.gradient(&self.place(i)));
                    }
                }
            });
        }
    }

    /// Fills the blocks: xx, yy, zz and yz, zx, xy [N/m]. Returns whether any is not 0.
    pub(super) fn blocks(&self, diagonal: &mut [[f32; 4]], off_diagonal: &mut [[f32; 4]]) -> bool {
        let mut touching = self.par.rows2_sum(diagonal, off_diagonal, |start, diagonal, off| {
            let mut count = 0.0;
            for (i, (d, off)) in (start..).zip(diagonal.iter_mut().zip(off)) {
                (*d, *off) = ([0.0; 4], [0.0; 4]);
                if let Some(friction) = self.friction(i) {
                    add_block(&friction, &self.place(i), d, off);
                    count += 1.0;
                }
            }
            count
        });
        for body in bodies(self.collider, self.meshes) {
            touching += self.par.rows2_sum(diagonal, off_diagonal, |start, diagonal, off| {
                let mut count = 0.0;
                for (i, (d, off)) in (start..).zip(diagonal.iter_mut().zip(off)) {
                    if let Some(wall) = self.wall(&body, i) {
                        add_block(&wall, &self.place(i), d, off);
                        count += 1.0;
                    }
                }
                count
            });
        }
        touching > 0.0
    }
}

fn subtract(force: &mut [f32; 4], [gradient]: [V3<f32>; 1]) {
    *force = [force[0] - gradient.x, force[1] - gradient.y, force[2] - gradient.z, force[3]];
}

fn add_block(
    energy: &impl Energy<f32, 1>,
    x: &[V3<f32>; 1],
    diagonal: &mut [f32; 4],
    off_diagonal: &mut [f32; 4],
) {
    let times = |x_, y, z| energy.stiffness_times(x, &[V3 { x: x_, y, z }])[0];
    let (a, b, c) = (times(1.0, 0.0, 0.0), times(0.0, 1.0, 0.0), times(0.0, 0.0, 1.0));
    *diagonal = (Vec4::from_array(*diagonal) + Vec4::new(a.x, b.y, c.z, 0.0)).to_array();
    *off_diagonal = (Vec4::from_array(*off_diagonal) + Vec4::new(b.z, c.x, a.y, 0.0)).to_array();
}
