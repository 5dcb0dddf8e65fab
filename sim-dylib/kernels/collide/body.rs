//! A collider during one substep: its shape on the way from one pose to another.

use glam::Vec3;

use super::{
    mesh::Meshes,
    near::Near,
    pose::Pose,
    reach::{Bounds, Reach},
    shape::Shape,
    sweep,
};
use crate::{normals::xyz, state::Collider};

pub(crate) struct Body<'a> {
    pub shape: Shape<'a>,
    pub begin: Pose,
    pub end: Pose,
    reach: Reach,
    thickness: f32,
    /// Coefficients, static and dynamic.
    pub friction: [f32; 2],
}

/// What a particle met, in world space.
pub(crate) struct Contact {
    /// How it is to be moved to be outside [m].
    pub out: Vec3,
    /// Outward, unit.
    pub normal: Vec3,
    /// How deep it was [m].
    pub depth: f32,
    /// Way of the surface there in this substep [m].
    pub way: Vec3,
}

impl<'a> Body<'a> {
    /// `collide::advance` has its poses of this substep.
    pub(crate) fn of(collider: &Collider, meshes: &Meshes<'a>, i: usize) -> Option<Self> {
        let begin = Pose { position: xyz(collider.from_position[i]), rotation: collider.from_rotation[i] };
        let end = Pose { position: xyz(collider.to_position[i]), rotation: collider.to_rotation[i] };
        let [at_rest, dynamic, _, thickness] = collider.surface[i];
        let shape = Shape::of(collider, meshes, i)?;
        let reach = Reach::of(&shape, [&begin, &end], thickness);
        Some(Self { shape, begin, end, reach, thickness, friction: [at_rest, dynamic] })
    }

    /// Whether it can meet none of some particles in this substep.
    #[inline]
    pub(super) fn is_away(&self, bounds: &Bounds) -> bool {
        self.reach.is_away(bounds)
    }

    /// Whether a particle that goes `from` one place to `x` in this substep may meet it.
    #[inline(always)]
    pub(super) fn reaches(&self, x: Vec3, from: Vec3) -> bool {
        self.reach.holds(x, from)
    }

    /// Follows a particle that goes `from` one place to `x` in this substep.
    #[inline(always)]
    pub(crate) fn meet(&self, x: Vec3, from: Vec3) -> Option<Contact> {
        if self.reaches(x, from) { self.follow(x, from, None) } else { None }
    }

    /// [`Body::meet`] for a particle that it reaches, and that remembers its last look, with the same result.
    pub(super) fn follow(&self, x: Vec3, from: Vec3, near: Option<Near>) -> Option<Contact> {
        let (start, goal) = (self.begin.to_local(from), self.end.to_local(x));
        let met = sweep::meet_near(&self.shape, start, goal, self.thickness, near)?;
        let out = self.end.rotate(met.out);
        Some(Contact { out, normal: self.end.rotate(met.normal), depth: met.depth, way: self.way(x + out) })
    }

    /// For a particle that went `from` one place to `x`: place outside, with the slip that friction leaves. `factor` is
    /// that on the friction.
    #[inline]
    pub(crate) fn push(&self, x: Vec3, from: Vec3, factor: f32) -> Option<Vec3> {
        let contact = self.meet(x, from)?;
        let at = x + contact.out;
        Some(at - self.slip(at - from - contact.way, contact.normal, [factor * contact.depth; 2]))
    }

    /// Depth [m] of a particle that is inside (less than `thickness` outside), and the outward normal there.
    #[inline]
    pub(crate) fn inside(&self, x: Vec3) -> Option<(f32, Vec3)> {
        if !self.reaches(x, x) {
            return None;
        }
        let (distance, normal) = self.shape.within(self.end.to_local(x), self.thickness)?;
        let depth = self.thickness - distance;
        (depth > 0.0).then(|| (depth, self.end.rotate(normal)))
    }

    /// From the surface at its thickness at the end of the substep [m], negative inside.
    pub(crate) fn gap(&self, x: Vec3) -> f32 {
        self.shape.distance(self.end.to_local(x), f32::INFINITY).0 - self.thickness
    }

    /// How far the body takes a point of its surface in this substep [m].
    #[inline]
    pub(crate) fn way(&self, at: Vec3) -> Vec3 {
        at - self.begin.to_world(self.end.to_local(at))
    }

    /// Where the body takes what was on it at the start of the substep [m].
    #[inline]
    pub(crate) fn carried(&self, from: Vec3) -> Vec3 {
        self.end.to_world(self.begin.to_local(from))
    }

    /// How much of the slip along the surface friction takes back; `impulses` as for [`coulomb`], as depths [m].
    #[inline]
    pub(crate) fn slip(&self, moved: Vec3, normal: Vec3, impulses: [f32; 2]) -> Vec3 {
        let slip = moved - normal * moved.dot(normal);
        slip * coulomb(self.friction, slip.length(), impulses)
    }
}

/// Share of a slip that friction takes back, where the normal impulse could take itself times its coefficient: `holds` where
/// it rests, `slides` where it slips.
#[inline]
pub(super) fn coulomb([hold, slide]: [f32; 2], slip: f32, [holds, slides]: [f32; 2]) -> f32 {
    if slip <= hold * holds { 1.0 } else { (slide * slides / slip).min(1.0) }
}
