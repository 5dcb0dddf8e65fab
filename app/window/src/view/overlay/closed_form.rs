//! What theory says of strands that nothing touches, drawn over what a solver makes of them.
//!
//! | strand | curve |
//! |---|---|
//! | clamped root, free tip, straight at rest | the heavy elastica (`closed_form/elastica.rs`) |
//! | clamped root, free tip, any other rest shape | that shape, from the root's frame on, as it is without gravity |
//! | pinned root, free tip | straight down |
//! | both ends held | the catenary of its length between them (`closed_form/catenary.rs`) |
//!
//! At rest, without wind, contact or twist; a catenary bends as a chain does. Strands with a free root, rings, strands that are cut
//! and those with `sag_free`, whose rest shape is not that which they are to have, are left out.

mod catenary;
mod elastica;

use glam::{DVec3, Quat, Vec3};

use weft_core::state::col;
use weft_draw::Lines;
use weft_scene::{Root, Roots, Strands, strands::Shape};

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay = Overlay {
    name: "closed_form",
    doc: "strands as theory has them at rest: clamped ones that bend under their weight green, the rest shape of others yellow, \
          those that hang from one pin or two (catenaries) magenta; the first 64 of each list",
    draw,
};

const ELASTICA: u32 = 0x36_f06a;
const REST: u32 = 0xff_d23f;
const CATENARY: u32 = 0xff_4fd8;
const WIDTH: f32 = 2.0;
/// Strands of a list that are drawn.
const MOST: usize = 64;

/// A strand as it is drawn.
struct Strand<'a> {
    seen: &'a Seen<'a>,
    span: [u32; 3],
    /// First and last particle outside of the seats.
    ends: [u32; 2],
}

fn draw(seen: &Seen, lines: &mut Lines) {
    let (scene, state) = (seen.session.scene(), seen.state);
    let spans = state.get(col::strand::span).iter().zip(state.get(col::strand::object));
    for (list, strands) in scene.strands.iter().enumerate() {
        if strands.closed || strands.root == Root::Free || strands.material.sag_free > 0.0 {
            continue;
        }
        let object = (scene.cloths.len() + list) as u32;
        for (&span, _) in spans.clone().filter(|(_, own)| **own == object).take(MOST) {
            let stub = |end: Root| u32::from(end == Root::Clamped);
            let ends = [stub(strands.root), span[2] - 1 - stub(strands.tip)];
            let strand = Strand { seen, span, ends };
            if let Some((curve, color)) = strand.curve(strands, Vec3::from(scene.gravity).as_dvec3()) {
                let curve: Vec<Vec3> = curve.iter().map(|place| place.as_vec3()).collect();
                curve.windows(2).for_each(|ends| lines.add(ends[0], ends[1], color, WIDTH));
            }
        }
    }
}

impl Strand<'_> {
    fn place(&self, particle: u32) -> Option<DVec3> {
        Some(self.seen.place(self.span[0] + self.span[1] * particle)?.as_dvec3())
    }

    /// A row of `segment`.
    fn row(&self, particle: u32) -> usize {
        let base = self.seen.state.first_of_strands();
        (self.span[0] + self.span[1] * particle) as usize - base
    }

    /// Rest lengths outside of the seats [m].
    fn rests(&self) -> impl Iterator<Item = f64> {
        let rest = self.seen.state.get(col::segment::rest);
        (self.ends[0]..self.ends[1]).map(|particle| f64::from(rest[self.row(particle)]))
    }

    /// `gravity` [m/s2].
    fn curve(&self, strands: &Strands, gravity: DVec3) -> Option<(Vec<DVec3>, u32)> {
        let stretch = self.seen.state.get(col::segment::stretch);
        if (0..self.span[2]).any(|particle| stretch[self.row(particle)] < 0.0) {
            return None;
        }
        let (root, length) = (self.place(self.ends[0])?, self.rests().sum());
        let up = (-gravity).try_normalize().unwrap_or(DVec3::Y);
        if strands.tip != Root::Free {
            let to = self.place(self.ends[1])? - root;
            return Some((catenary::between(root, to, up, length), CATENARY));
        }
        if strands.root == Root::Pinned {
            return Some((vec![root, root - up * length], CATENARY));
        }
        if strands.shape != Shape::Straight || matches!(strands.roots, Roots::File { .. }) {
            return Some((self.at_rest(root), REST));
        }
        let along = (root - self.place(0)?).try_normalize()?;
        let aside = (along - up * along.dot(up)).try_normalize().unwrap_or(up.any_orthonormal_vector());
        let section = |s: f64| strands.section(s as f32);
        let rod = elastica::Rod {
            length,
            bend: &|s| f64::from(section(s).bend),
            weight: &|s| f64::from(section(s).mass) * gravity.length(),
            tip: f64::from(strands.material.tip_mass) * gravity.length(),
        };
        let curve = rod.clamped(along.dot(up).clamp(-1.0, 1.0).asin());
        Some((curve.iter().map(|[x, y]| root + aside * *x + up * *y).collect(), ELASTICA))
    }

    /// From the frame that the seat gives on: lengths and turns as they are at rest.
    fn at_rest(&self, root: DVec3) -> Vec<DVec3> {
        let state = self.seen.state;
        let (rests, turns) = (state.get(col::segment::rest), state.get(col::segment::rest_turn));
        let mut frame = Quat::from_array(state.get(col::segment::rotation)[self.row(0)]).as_dquat();
        let mut curve = vec![root];
        for particle in self.ends[0]..self.ends[1] {
            let row = self.row(particle);
            frame = (frame * Quat::from_array(turns[row]).as_dquat()).normalize();
            curve.push(*curve.last().expect("the root") + frame * DVec3::Z * f64::from(rests[row]));
        }
        curve
    }
}
