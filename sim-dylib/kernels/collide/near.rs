//! What a particle remembers of the mesh that it is near, from one look to the next within a frame: the faces that are
//! nearest, and how far all others are at least.
//!
//! Where it has gone since by s, what was a away is at least a - s away. As long as the nearest of the few is nearer than
//! all others can be, it is the one that a search in the tree would find, to the last bit.

use glam::Vec3;
use sim_api::SharedMut;

use crate::{normals::xyz, state::contact};

/// Faces that are remembered.
pub const FACES: usize = 4;

/// The columns of all particles.
pub(crate) struct Nears<'a> {
    faces: SharedMut<'a, [u32; FACES]>,
    ways: SharedMut<'a, [f32; FACES]>,
    at: SharedMut<'a, [f32; 4]>,
    of: SharedMut<'a, u32>,
}

/// That of one particle and one collider.
pub struct Near<'a> {
    pub faces: &'a mut [u32; FACES],
    /// [m], infinite where there are fewer faces.
    pub ways: &'a mut [f32; FACES],
    /// Where it was looked at, in the frame of the collider; w: how far all other faces were at least [m].
    pub at: &'a mut [f32; 4],
    /// Number of the collider that this is of, and 1; 0: of none.
    pub of: &'a mut u32,
    /// Number of the collider that is asked about, and 1.
    pub own: u32,
}

/// Borrows the columns of `particle.contact` that it is in.
macro_rules! nears {
    ($contact:expr) => {
        $crate::collide::near::Nears::new(
            &mut *$contact.near_faces,
            &mut *$contact.near_ways,
            &mut *$contact.near_at,
            &mut *$contact.near_of,
        )
    };
}
pub(crate) use nears;

impl<'a> Nears<'a> {
    pub(crate) fn new(
        faces: &'a mut [[u32; FACES]],
        ways: &'a mut [[f32; FACES]],
        at: &'a mut [[f32; 4]],
        of: &'a mut [u32],
    ) -> Self {
        Self {
            faces: SharedMut::new(faces),
            ways: SharedMut::new(ways),
            at: SharedMut::new(at),
            of: SharedMut::new(of),
        }
    }

    /// # Safety
    /// No other job uses particle `i`.
    #[inline]
    pub(crate) unsafe fn of(&self, i: usize, collider: usize) -> Near<'a> {
        // SAFETY: vouched for by the caller.
        unsafe {
            Near {
                faces: &mut self.faces.rows_mut(i..i + 1)[0],
                ways: &mut self.ways.rows_mut(i..i + 1)[0],
                at: &mut self.at.rows_mut(i..i + 1)[0],
                of: &mut self.of.rows_mut(i..i + 1)[0],
                own: collider as u32 + 1,
            }
        }
    }
}

impl Near<'_> {
    /// How far the particle has gone since it was looked at [m], at most, and how far all faces but those remembered were
    /// then, at least; `None`: never looked at.
    #[inline]
    pub(super) fn since(&self, x: Vec3) -> Option<(f32, f32)> {
        (*self.of == self.own).then(|| (1.001 * (x - xyz(*self.at)).length() + 1e-6, self.at[3]))
    }

    /// Remembers `few` faces, nearest first, by the square of their distance; all others are `beyond` [m] away.
    pub(super) fn keep(&mut self, x: Vec3, few: &[(f32, u32)], beyond: f32) {
        *self.ways = [f32::INFINITY; FACES];
        for (k, &(squared, face)) in few.iter().take(FACES).enumerate() {
            (self.ways[k], self.faces[k]) = (squared.sqrt(), face);
        }
        *self.at = x.extend(0.999 * beyond).to_array();
        *self.of = self.own;
    }
}

/// Nobody remembers anything: a mesh may be another one in the next frame.
pub(super) fn forget(contact: &mut contact::Columns) {
    contact.near_of.fill(0);
}
