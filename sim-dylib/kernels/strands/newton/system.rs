//! An iteration: the system of each strand, from the root to the tip, and its solution on the way back.

#![allow(clippy::needless_range_loop, reason = "rows and columns of small matrices, and loops for AVX2")]

use super::{Group, LONGER, Nodes, Solver, WIDE, at, ring};
use crate::{
    lanes::{Lanes, V3},
    strands::{
        block::{Coupling, Node, back},
        joint::Joint,
        rotation::Rotation,
    },
};
use sim_api::Mapped;

impl Solver<'_> {
    /// One iteration. Returns the widest turn across a segment [rad], before it was made less, or what is as wide to a segment that became
    /// longer or shorter.
    ///
    /// # Safety
    /// As for `Work::group`.
    #[inline(always)]
    pub(super) unsafe fn iterate<L: Lanes>(&self, group: Group, nodes: &mut Nodes, fresh: bool) -> L {
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let last = group.count - 1;
        let (mut carry, mut ring) = (Node::<L>::zero(), None);
        // Nothing else holds a strand that is not clamped, or what is behind a cut, against turning about itself.
        let mut loose = if group.clamped { zero } else { one };
        let twist = L::load(&self.segments.twist[group.particle(1) - self.base..]).abs() * L::from_f32(1e-5);
        if group.closed {
            ring = Some(self.close(group, nodes, &mut carry));
        }
        let (mut w, mut y) = ([[zero; 6]; 6], [zero; 6]);
        let (mut place, mut frame) = (nodes.vector::<L>(0, at::PLACE), nodes.frame::<L>(0));
        for i in 0..group.count {
            let mut node = std::mem::replace(&mut carry, Node::zero());
            let mut coupling: Coupling<L> = [[zero; 6]; 6];
            let mass = nodes.get::<L>(i, at::MASS);
            node.stiffen(0, mass);
            node.push((nodes.vector(i, at::INERTIAL) - place) * mass);
            if let Some([root, tip]) = self.heavier
                && (i == usize::from(group.clamped) || i == last)
            {
                let (heavier, beside) = if i == last { (tip, i - 1) } else { (root, i + 1) };
                weigh(&mut node, nodes, [i, beside], place, mass * L::load(&heavier[group.row..]));
            }
            if self.meets {
                self.touch(&mut node, nodes, i, place, fresh);
            }
            let (mut next_place, mut next_frame) = (place, frame);
            if i < last {
                (next_place, next_frame) = (nodes.vector(i + 1, at::PLACE), nodes.frame(i + 1));
                if !group.stub(i) {
                    let ends = [mass, nodes.get(i + 1, at::MASS)];
                    let way = next_place - place;
                    self.stretch(
                        group.particle(i) - self.base,
                        way,
                        frame,
                        ends,
                        &mut node,
                        &mut carry,
                        &mut coupling,
                    );
                }
                if i + 1 < group.segments() {
                    let segment = group.particle(i + 1) - self.base;
                    self.bend(segment, [frame, next_frame], &mut node, &mut carry, &mut coupling);
                }
                node.a[5][5] = node.a[5][5] + twist * loose;
                loose = one.where_positive_else(self.segments.cut(group.particle(i) - self.base), loose);
            }
            if let Some(ring) = &mut ring {
                ring.join(i, last, &mut node, &mut coupling);
            }
            let free = nodes.get::<L>(i, at::FREE);
            if (0..L::COUNT).any(|lane| nodes.lane::<L>(i, at::FREE, lane) == 0.0) {
                node.hold(0, free, &mut coupling, &mut w);
                if let Some(ring) = &mut ring {
                    ring.hold(free);
                }
            }
            if i == group.segments() || group.stub(i) {
                node.hold(3, zero, &mut coupling, &mut w);
            }
            node.eliminate(&w, &y);
            node.factor();
            node.couple(&mut coupling);
            if let Some(ring) = &mut ring {
                ring.take_out(i, &node, &coupling, nodes, group.count);
            }
            for a in 0..6 {
                for b in 0..=a {
                    nodes.set(i, at::L + a * (a + 1) / 2 + b, node.a[a][b]);
                }
                for b in 0..6 {
                    nodes.set(i, at::W + a * 6 + b, coupling[a][b]);
                }
                nodes.set(i, at::Y + a, node.r[a]);
            }
            (w, y) = (coupling, node.r);
            (place, frame) = (next_place, next_frame);
        }
        let (mut z, mut end) = ([zero; 6], [zero; 6]);
        let (mut widest, mut longer): (L, L) = (zero, zero);
        let (mut place, mut step) = (V3::zero(), V3::zero());
        for i in (0..group.count).rev() {
            let (l, w, mut y) = (nodes.all(i, at::L), nodes.all(i, at::W), nodes.all(i, at::Y));
            if group.closed && i < last {
                ring::less_the_last(&mut y, nodes, group.count, i, &end);
            }
            z = back(&l, &w, y, &z);
            if i == last {
                end = z;
            }
            for a in 0..6 {
                nodes.set(i, at::Y + a, z[a]);
            }
            widest = widest.max(z[3].abs()).max(z[4].abs());
            let (own, by) = (nodes.vector::<L>(i, at::PLACE), V3 { x: z[0], y: z[1], z: z[2] });
            if i < last {
                let way = place - own;
                let (before, to) = (way.dot(way), way + (step - by));
                longer = longer.max((to.dot(to) - before).abs() / before.max(L::from_f32(1e-20)));
            }
            (place, step) = (own, by);
        }
        widest = widest.max((longer * L::from_f32(WIDE / LONGER)).min(one));
        // Turns of more than a radian are out of reach of the quadratic model. Twist moves no place.
        let scale = L::from_f32(self.share) / widest.max(one);
        for i in 0..group.count {
            let (step, turn) = (nodes.vector::<L>(i, at::Y), nodes.vector::<L>(i, at::Y + 3));
            if self.meets {
                self.keep_rub(nodes, i, [nodes.vector(i, at::PLACE), step], fresh);
            }
            nodes.set_vector(i, at::PLACE, nodes.vector(i, at::PLACE) + step * scale);
            let turn = V3 { x: turn.x * scale, y: turn.y * scale, z: turn.z.max(-one).min(one) };
            nodes.set_frame(i, nodes.frame(i).turned_within(turn));
        }
        widest
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "what a segment couples")]
    pub(super) fn stretch<L: Lanes>(
        &self,
        segment: usize,
        way: V3<L>,
        frame: Rotation<L>,
        [mass0, mass1]: [L; 2],
        node: &mut Node<L>,
        next: &mut Node<L>,
        coupling: &mut Coupling<L>,
    ) {
        let zero = L::from_f32(0.0);
        let (rest, k) = (L::load(&self.segments.rest[segment..]), self.segments.stretch::<L>(segment));
        let k: L = k.min(mass0.min(mass1) * L::from_f32(self.stiffest));
        let [d1, d2, d3] = frame.axes();
        let force = (way - d3 * rest) * k;
        node.push(force);
        next.push(-force);
        node.twist(V3 { x: -force.dot(d2) * rest, y: force.dot(d1) * rest, z: zero });
        node.stiffen(0, k);
        next.stiffen(0, k);
        for a in 0..3 {
            coupling[a][a] = coupling[a][a] - k;
        }
        let (first, second) = (d2 * (k * rest), d1 * (k * rest));
        let (first, second) = ([first.x, first.y, first.z], [second.x, second.y, second.z]);
        for a in 0..3 {
            node.a[3][a] = node.a[3][a] - first[a];
            node.a[4][a] = node.a[4][a] + second[a];
            coupling[a][3] = coupling[a][3] + first[a];
            coupling[a][4] = coupling[a][4] - second[a];
        }
        let across = (k * rest + force.dot(d3).max(zero)) * rest;
        node.a[3][3] = node.a[3][3] + across;
        node.a[4][4] = node.a[4][4] + across;
    }

    #[inline(always)]
    pub(super) fn bend<L: Lanes>(
        &self,
        segment: usize,
        [before, behind]: [Rotation<L>; 2],
        node: &mut Node<L>,
        next: &mut Node<L>,
        coupling: &mut Coupling<L>,
    ) {
        let (rest, [bend, twist]) = self.segments.joint(segment);
        let joint = Joint::new([before, behind], rest, [bend, twist]);
        node.twist(joint.torques[0]);
        next.twist(joint.torques[1]);
        let [g, h] = joint.gradients.mapped(|all| all.mapped(|g| [g.x, g.y, g.z]));
        let k = [bend, bend, twist];
        for a in 0..3 {
            for b in 0..3 {
                let mut sums = [L::from_f32(0.0); 3];
                for axis in 0..3 {
                    let (of_node, of_next) = (k[axis] * g[axis][a], k[axis] * h[axis][a]);
                    sums[0] = sums[0] + of_node * g[axis][b];
                    sums[1] = sums[1] + of_next * h[axis][b];
                    sums[2] = sums[2] + of_next * g[axis][b];
                }
                if b <= a {
                    node.a[3 + a][3 + b] = node.a[3 + a][3 + b] + sums[0];
                    next.a[3 + a][3 + b] = next.a[3 + a][3 + b] + sums[1];
                }
                coupling[3 + a][3 + b] = coupling[3 + a][3 + b] + sums[2];
            }
        }
    }
}

/// What bears an end is heavier along the strand than across it, by `more` [kg/s2]. The numbers of the end and of the node beside it.
#[inline(always)]
fn weigh<L: Lanes>(node: &mut Node<L>, nodes: &Nodes, [end, beside]: [usize; 2], place: V3<L>, more: L) {
    let led: V3<L> = nodes.vector(end, at::INERTIAL);
    let way = nodes.vector(beside, at::INERTIAL) - led;
    let along = way * (L::from_f32(1.0) / way.dot(way).max(L::from_f32(1e-30)).sqrt());
    node.push(along * (more * along.dot(led - place)));
    node.stiffen_along(0, more, along);
}
