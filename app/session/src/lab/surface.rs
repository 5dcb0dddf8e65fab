//! The surface of the cloths as it is drawn and picked: without the triangles that broken threads took with them.

use super::Lab;
use weft_core::state::Torn;

/// Follows [`weft_core::state::Torn`].
#[derive(Default)]
pub struct Surfaces {
    /// Changes whenever a triangle goes or comes back.
    version: u64,
    /// What the lists were made for: threads that are broken, and the cloths.
    marks: Vec<u32>,
    topology: u64,
    /// Triangles of each cloth; none: they are all there.
    lists: Vec<Vec<[u32; 3]>>,
}

impl Lab {
    /// Triangles of a cloth that are whole; indices from its first particle.
    pub fn triangles(&self, object: usize) -> &[[u32; 3]] {
        let whole = self.objects.get(object).map_or(&[][..], |object| &object.triangles);
        self.surfaces.lists.get(object).map_or(whole, Vec::as_slice)
    }

    /// Changes whenever [`Lab::triangles`] do and `topology` does not.
    pub fn surface_version(&self) -> u64 {
        self.surfaces.version
    }

    /// Brings the surfaces in line with the broken threads.
    pub(super) fn keep_surfaces(&mut self) {
        self.run.state.lay_out();
        let (torn, surfaces) = (self.run.state.torn.as_ref(), &mut self.surfaces);
        let marks = torn.map_or(&[][..], Torn::marks);
        if surfaces.marks == marks && surfaces.topology == self.topology {
            return;
        }
        surfaces.marks.clear();
        surfaces.marks.extend_from_slice(marks);
        (surfaces.version, surfaces.topology) = (surfaces.version + 1, self.topology);
        surfaces.lists.clear();
        let live = torn.map_or(Vec::new(), Torn::triangles);
        if live.is_empty() {
            return;
        }
        for object in &self.objects {
            let own = live.get(object.faces.clone()).unwrap_or_default();
            let left = object.triangles.iter().zip(own).filter(|(_, live)| **live);
            surfaces.lists.push(left.map(|(triangle, _)| *triangle).collect());
        }
    }
}
