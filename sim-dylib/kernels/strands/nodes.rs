//! What a solve keeps of each node, and rows of columns by lane.

#![allow(clippy::needless_range_loop, reason = "rows and columns of small matrices, and loops for AVX2")]

use super::{groups::Shared, newton::LANES, rotation::Rotation};
use crate::lanes::{Lanes, RowsAtMut, V3};

/// Numbers that a node of one strand keeps during a solve.
pub(super) const NUMBERS: usize = 89;
/// Numbers that one of a ring keeps besides, behind those of all nodes: what couples it to the last node.
pub(super) const RING_NUMBERS: usize = 36;

/// Where they are. The first 63 are the solver's own; these are Newton's.
pub(super) mod at {
    pub(in crate::strands) const L: usize = 0;
    pub(in crate::strands) const W: usize = 21;
    pub(in crate::strands) const Y: usize = 57;
    pub(in crate::strands) const PLACE: usize = 63;
    pub(in crate::strands) const INERTIAL: usize = 66;
    pub(in crate::strands) const FRAME: usize = 69;
    /// 1, or 0 while it is held.
    pub(in crate::strands) const FREE: usize = 73;
    /// m / h² [N/m]
    pub(in crate::strands) const MASS: usize = 74;
    /// Unit normal of the surface that it meets, its level there, and 1 where there is one.
    pub(in crate::strands) const PLANE: usize = 75;
    /// Where that surface takes what was on it when the substep began, and coefficients of friction, static and dynamic.
    pub(in crate::strands) const CARRIED: usize = 80;
    pub(in crate::strands) const FRICTION: usize = 83;
    /// `segment.traction`
    pub(in crate::strands) const TRACTION: usize = 85;
}

#[inline(always)]
pub(super) fn lane_of<L: Lanes>(value: L, lane: usize) -> f32 {
    let mut all = [0.0; LANES];
    value.store(&mut all);
    all[lane]
}

/// Puts lanes into their rows, those that go.
#[inline(always)]
pub(super) fn put_rows<L: Lanes>(rows: &Shared, [x, y, z, w]: [L; 4], goes: &[bool]) {
    if goes.iter().all(|goes| *goes) {
        return L::scatter([x, y, z, w], rows);
    }
    for (lane, _) in goes.iter().enumerate().filter(|(_, goes)| **goes) {
        rows.set(lane, [lane_of(x, lane), lane_of(y, lane), lane_of(z, lane), lane_of(w, lane)]);
    }
}

/// What the nodes of the strands of a group keep.
pub(super) struct Nodes<'a> {
    pub numbers: &'a mut [f32],
}

impl Nodes<'_> {
    #[inline(always)]
    pub(super) fn get<L: Lanes>(&self, node: usize, number: usize) -> L {
        L::load(&self.numbers[(node * NUMBERS + number) * L::COUNT..])
    }

    #[inline(always)]
    pub(super) fn set<L: Lanes>(&mut self, node: usize, number: usize, value: L) {
        value.store(&mut self.numbers[(node * NUMBERS + number) * L::COUNT..]);
    }

    #[inline(always)]
    pub(super) fn lane<L: Lanes>(&self, node: usize, number: usize, lane: usize) -> f32 {
        self.numbers[(node * NUMBERS + number) * L::COUNT + lane]
    }

    #[inline(always)]
    pub(super) fn all<L: Lanes, const N: usize>(&self, node: usize, number: usize) -> [L; N] {
        let mut all = [L::from_f32(0.0); N];
        for i in 0..N {
            all[i] = self.get(node, number + i);
        }
        all
    }

    #[inline(always)]
    pub(super) fn set_all<L: Lanes, const N: usize>(&mut self, node: usize, number: usize, all: [L; N]) {
        for i in 0..N {
            self.set(node, number + i, all[i]);
        }
    }

    #[inline(always)]
    pub(super) fn vector<L: Lanes>(&self, node: usize, number: usize) -> V3<L> {
        let [x, y, z] = self.all(node, number);
        V3 { x, y, z }
    }

    #[inline(always)]
    pub(super) fn set_vector<L: Lanes>(&mut self, node: usize, number: usize, v: V3<L>) {
        self.set(node, number, v.x);
        self.set(node, number + 1, v.y);
        self.set(node, number + 2, v.z);
    }

    #[inline(always)]
    pub(super) fn frame<L: Lanes>(&self, node: usize) -> Rotation<L> {
        self.rotation(node, at::FRAME)
    }

    #[inline(always)]
    pub(super) fn set_frame<L: Lanes>(&mut self, node: usize, frame: Rotation<L>) {
        self.set_rotation(node, at::FRAME, frame);
    }

    #[inline(always)]
    pub(super) fn rotation<L: Lanes>(&self, node: usize, number: usize) -> Rotation<L> {
        Rotation::new(self.all(node, number))
    }

    #[inline(always)]
    pub(super) fn set_rotation<L: Lanes>(&mut self, node: usize, number: usize, rotation: Rotation<L>) {
        self.set_all(node, number, rotation.lanes());
    }
}
