//! A strand, or a piece of one, that nothing holds and that touched no collider in the last substep goes as a whole to where the
//! energy is least after its visits: to where its centre is where inertia leads, for its own forces move that nowhere.
//!
//! The visits alone do not: each brings a particle back to its inertia by the share m / (m + h² (k0 + k1)), a thirtieth, and what
//! bears it is never below 0, so that half of what rounding and swinging do adds up from substep to substep (measured: a free
//! hair of real constants fell at 0.55 of gravity).
//!
//! What hangs pinned from a cloth goes along with its root, which has mass then (`roots.rs`): the two get back what the visits lost
//! of what they started with, at rest nothing, in flight their momentum. Not so where the root is clamped: the couple that cloth
//! does not get brings energy in, which what the visits lose takes out again (with two of them a lock at the corner of
//! `fringe_on_cloth.ron` would bend by 110 degrees for 23).
//!
//! What lies on something is left to its visits: what these do not yet take from its support, all of it would get, and the ends of
//! a rope over a ball would fall faster than free.

use super::{Descent, own};
use crate::{
    lanes::{Lanes, V3},
    strands::{
        groups::{Group, Read},
        newton::LANES,
        nodes::{Nodes, at},
    },
};

impl Descent<'_> {
    /// Moves each piece between two cuts that is loose. Around a ring the sums go twice, so that the piece over its
    /// seam knows both of its parts.
    #[inline(always)]
    pub(super) fn translate_loose<L: Lanes>(&self, group: Group, nodes: &mut Nodes) {
        if !self.any_loose::<L>(group, nodes) {
            return;
        }
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let [root, _] = group.borne;
        let pinned = root == 0;
        let rounds = 1 + usize::from(group.closed);
        let (mut back, mut weight, mut loose) = (V3::zero(), zero, one);
        for _ in 0..rounds {
            for i in 0..group.count {
                let mass = nodes.get::<L>(i, at::MASS);
                let mut way = nodes.vector(i, at::INERTIAL) - nodes.vector(i, at::PLACE);
                if pinned {
                    way = way - self.not_fallen(group, nodes, i);
                }
                back = back + way * mass;
                weight = weight + mass;
                let clamped = root == i as u32 && !pinned;
                loose = if clamped { zero } else { loose.min(nodes.get(i, at::FREE)) };
                if let Some(column) = self.touched {
                    let [.., touched] = L::fetch(&Read { column, first: group.particle(i) });
                    loose = zero.where_positive_else(touched, loose);
                }
                nodes.set_vector(i, own::BACK, back);
                nodes.set(i, own::WEIGHT, weight);
                nodes.set(i, own::LOOSE, loose);
                let cut = self.segments.cut::<L>(group.particle(i) - self.base);
                back = V3::zero().where_positive_else(cut, back);
                weight = zero.where_positive_else(cut, weight);
                loose = one.where_positive_else(cut, loose);
            }
        }
        let mut moved = Self::way_back::<L>(nodes, group.count - 1);
        for round in 0..rounds {
            for i in (0..group.count).rev() {
                let cut = self.segments.cut::<L>(group.particle(i) - self.base);
                moved = Self::way_back::<L>(nodes, i).where_positive_else(cut, moved);
                if round + 1 == rounds {
                    nodes.set_vector(i, at::PLACE, nodes.vector(i, at::PLACE) + moved);
                }
            }
        }
    }

    /// Whether any strand of a group is cut, or has no end that is held but by a pin on a cloth. What hangs from its root otherwise is
    /// left alone for one look.
    #[inline(always)]
    fn any_loose<L: Lanes>(&self, group: Group, nodes: &Nodes) -> bool {
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let mut cut = zero;
        for i in 0..group.count {
            cut = cut.max(self.segments.cut(group.particle(i) - self.base));
        }
        let free = nodes.get::<L>(0, at::FREE).min(nodes.get(group.count - 1, at::FREE));
        let [root, _] = group.borne;
        let free = if root != 0 && root != u32::MAX { zero } else { free };
        let mut lanes = [0.0; LANES];
        one.where_positive_else(cut, free).store(&mut lanes);
        lanes.iter().any(|lane| *lane > 0.0)
    }

    /// From the centre of a piece that ends here to where inertia takes that; 0 where it is not loose.
    #[inline(always)]
    fn way_back<L: Lanes>(nodes: &Nodes, i: usize) -> V3<L> {
        let per_weight = L::from_f32(1.0) / nodes.get::<L>(i, own::WEIGHT);
        (nodes.vector(i, own::BACK) * per_weight).where_positive(nodes.get(i, own::LOOSE))
    }
}
