//! What is looked for among the faces of a mesh: the nearest one, or the nearest few.

use glam::Vec3;

use super::near::FACES;

/// Nearest point of a surface.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// From it [m].
    pub way: Vec3,
    /// Pseudonormal there, of any length.
    pub normal: Vec3,
    /// Of the way [m2].
    pub squared: f32,
    pub face: u32,
}

/// What is looked for in the tree.
pub(super) trait Look {
    /// Farthest that a face may be [m2].
    fn limit(&self) -> f32;

    fn see(&mut self, found: Found);
}

/// The nearest face.
pub(super) struct Nearest {
    /// [m2]
    best: f32,
    pub nearest: Found,
}

impl Nearest {
    /// Within `reach` [m2], or `seed`.
    pub(super) fn new(reach: f32, seed: Found) -> Self {
        Self { best: seed.squared.min(reach), nearest: seed }
    }
}

impl Look for Nearest {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.best
    }

    #[inline(always)]
    fn see(&mut self, found: Found) {
        if found.squared < self.best {
            (self.best, self.nearest) = (found.squared, found);
        }
    }
}

/// The nearest few faces, and the nearest of them.
pub(super) struct Few {
    /// Distances [m2] and faces, nearest first.
    pub faces: [(f32, u32); FACES + 1],
    /// [m], and how much farther is looked.
    reach: f32,
    more: f32,
    /// [`Few::far`], kept.
    pub limit: f32,
    pub nearest: Nearest,
}

impl Few {
    /// Within `reach` [m], or `seed`, and what is not `more` [m] farther.
    pub(super) fn new(reach: f32, more: f32, seed: Found) -> Self {
        let mut faces = [(f32::INFINITY, u32::MAX); FACES + 1];
        faces[0] = (seed.squared, seed.face);
        let mut few = Self { faces, reach, more, limit: 0.0, nearest: Nearest::new(reach * reach, seed) };
        few.limit = few.far();
        few
    }

    /// As far as the nearest and some more, unless there are enough nearer ones [m2].
    fn far(&self) -> f32 {
        let beyond = (self.faces[0].0.sqrt() + self.more).min(self.reach + self.more);
        (beyond * beyond).min(self.faces[FACES].0)
    }
}

impl Look for Few {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline(always)]
    fn see(&mut self, found: Found) {
        if found.squared < self.limit {
            let place = self.faces.iter().position(|other| found.squared < other.0).unwrap_or(FACES);
            self.faces[place..].rotate_right(1);
            self.faces[place] = (found.squared, found.face);
            self.limit = self.far();
        }
        self.nearest.see(found);
    }
}
