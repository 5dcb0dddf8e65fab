//! Cloths and strands as they are drawn and picked: without the triangles that broken threads took with them, and in pieces.

use weft_core::state::{State, Tearing};
use weft_scene::assemble::Object;

/// Follows [`weft_core::state::Tearing`].
#[derive(Default)]
pub(super) struct Surfaces {
    version: u64,
    /// What the lists were made for: threads that are broken, and the cloths.
    marks: Vec<u32>,
    topology: u64,
    /// Triangles of each cloth; none: they are all there.
    lists: Vec<Vec<[u32; 3]>>,
    /// Of each cloth and list of strands, whether the segments that start at its particles are cut; none: none is.
    cuts: Vec<Vec<bool>>,
}

impl Surfaces {
    /// Triangles of a cloth; `None`: they are all there.
    pub(super) fn of(&self, object: usize) -> Option<&[[u32; 3]]> {
        self.lists.get(object).map(Vec::as_slice)
    }

    /// Of each particle of a list of strands, whether the segment that starts there is cut; empty: none is.
    pub(super) fn cuts(&self, object: usize) -> &[bool] {
        self.cuts.get(object).map_or(&[], Vec::as_slice)
    }

    /// Changes whenever a triangle or a segment goes or comes back.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Brings the lists, and the rows of `state`, in line with the broken threads.
    pub(super) fn update(&mut self, state: &mut State, objects: &[Object], topology: u64) {
        state.compact();
        let torn = state.torn.as_ref();
        let marks = torn.map_or(&[][..], Tearing::marks);
        if self.marks == marks && self.topology == topology {
            return;
        }
        self.marks.clear();
        self.marks.extend_from_slice(marks);
        (self.version, self.topology) = (self.version + 1, topology);
        self.lists.clear();
        let cut = torn.map_or(Vec::new(), Tearing::cut_segments);
        let own = |object: &Object| cut.get(object.segments.clone()).unwrap_or_default().to_vec();
        self.cuts = if cut.is_empty() { Vec::new() } else { objects.iter().map(own).collect() };
        let live = torn.map_or(Vec::new(), Tearing::triangles);
        if live.is_empty() {
            return;
        }
        for object in objects {
            let own = live.get(object.faces.clone()).unwrap_or_default();
            let left = object.triangles.iter().zip(own).filter(|(_, live)| **live);
            self.lists.push(left.map(|(triangle, _)| *triangle).collect());
        }
    }
}
