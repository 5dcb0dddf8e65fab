//! Overlays: what the simulation is made of, drawn as lines and dots over the picture. Each is a file and a line of [`OVERLAYS`].
//!
//! Lines are built for each picture while an overlay is on; nothing is done while all are off.

mod closed_form;
mod colors;
mod contacts;
mod normals;
mod particles;
mod pins;
mod skins;
mod tethers;
mod wireframe;

use glam::{Quat, Vec3};

use weft_core::{
    state::{State, col},
    suggest,
};
use weft_draw::{Lines, Shape, Solid};
use weft_session::{Session, spacing};

/// Lines stand so far before what they lie on [rest lengths].
const LIFT: f32 = 0.2;

/// One that can be shown.
#[derive(Debug)]
pub struct Overlay {
    /// In the panel and in `--overlay`.
    pub name: &'static str,
    /// What it shows, colours included.
    pub doc: &'static str,
    draw: fn(&Seen, &mut Lines),
}

/// All, in the order of the panel; the first is what the key shows at first.
pub static OVERLAYS: [Overlay; 9] = [
    wireframe::OVERLAY,
    particles::OVERLAY,
    pins::OVERLAY,
    normals::OVERLAY,
    contacts::OVERLAY,
    colors::OVERLAY,
    tethers::OVERLAY,
    skins::OVERLAY,
    closed_form::OVERLAY,
];

/// Which are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays(u16);

impl Overlays {
    /// The first of the list alone.
    pub const FIRST: Self = Self(1);

    /// Names apart by commas, or `all`.
    pub fn named(list: &str) -> Result<Self, String> {
        let names = || OVERLAYS.iter().map(|overlay| overlay.name);
        let mut shown = Self::default();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if name == "all" {
                return Ok(Self((1 << OVERLAYS.len()) - 1));
            }
            let place = names().position(|known| known == name).ok_or_else(|| {
                let near = suggest::nearest(name, names());
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                format!(
                    "there is no overlay `{name}`{near} (all, or {})",
                    names().collect::<Vec<_>>().join(", ")
                )
            })?;
            shown.0 |= 1 << place;
        }
        Ok(shown)
    }

    /// As [`Overlays::named`] takes them.
    pub fn names(self) -> String {
        let shown = OVERLAYS.iter().enumerate().filter(|(place, _)| self.has(*place));
        shown.map(|(_, overlay)| overlay.name).collect::<Vec<_>>().join(",")
    }

    /// For `--help`: each with what it shows.
    pub fn list() -> String {
        let lines = OVERLAYS.iter().map(|overlay| format!("\n- {}: {}", overlay.name, overlay.doc));
        lines.collect::<Vec<_>>().concat()
    }

    pub fn has(self, place: usize) -> bool {
        self.0 & 1 << place != 0
    }

    pub fn set(&mut self, place: usize, on: bool) {
        self.0 = if on { self.0 | 1 << place } else { self.0 & !(1 << place) };
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What overlays are made of: one run as it is drawn.
struct Seen<'a> {
    session: &'a Session,
    state: &'a State,
    /// Of all particles as drawn [m].
    positions: &'a [[f32; 4]],
    /// Colliders as drawn, with their rows in the table.
    solids: &'a [(usize, Solid)],
    /// Rest length between particles [m].
    spacing: f32,
}

impl Seen<'_> {
    fn place(&self, particle: u32) -> Option<Vec3> {
        self.positions.get(particle as usize).map(|&[x, y, z, _]| Vec3::new(x, y, z))
    }

    /// Adds a line between two particles, if both are there.
    fn join(&self, lines: &mut Lines, [a, b]: [u32; 2], color: u32, width: f32) {
        if let (Some(a), Some(b)) = (self.place(a), self.place(b)) {
            lines.add(a, b, color, width);
        }
    }

    /// Distance that a collider keeps from its surface [m].
    fn skin(&self, collider: usize) -> f32 {
        self.state.get(col::collider::surface).get(collider).map_or(0.0, |surface| surface[3])
    }

    /// Planes: a point of each, its rotation, its row.
    fn planes(&self) -> impl Iterator<Item = (Vec3, Quat, usize)> + '_ {
        let rows = self.state.get(col::collider::kind).iter().enumerate().filter(|(_, kind)| **kind == 0);
        rows.filter_map(|(row, _)| {
            let at = self.state.get(col::collider::position).get(row)?;
            let turn = self.state.get(col::collider::rotation).get(row)?;
            Some((Vec3::new(at[0], at[1], at[2]), Quat::from_array(*turn), row))
        })
    }
}

/// A run as it is drawn: its state, positions [m], and colliders with their rows.
type Run<'a> = (&'a State, &'a [[f32; 4]], &'a [(usize, Solid)]);

/// Draws those that are shown.
pub(super) fn draw(
    shown: Overlays,
    session: &Session,
    (state, positions, solids): Run<'_>,
    lines: &mut Lines,
) {
    lines.clear();
    let spacing = spacing(state);
    lines.lift = LIFT * spacing;
    let seen = Seen { session, state, positions, solids, spacing };
    let shown = OVERLAYS.iter().enumerate().filter(|(place, _)| shown.has(*place));
    shown.for_each(|(_, overlay)| (overlay.draw)(&seen, lines));
}

/// Unit vector away from a shape at a point of its own space: where its distance grows.
fn away(shape: &Shape, point: Vec3) -> Vec3 {
    let step = 1e-3 * shape.bounding_radius().max(1e-3);
    let slope = |axis: Vec3| shape.distance(point + step * axis) - shape.distance(point - step * axis);
    Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_they_are_written_and_mistakes_say_what_is_near() {
        let some = Overlays::named("pins, normals").expect("two");
        assert_eq!(Overlays::named(&some.names()), Ok(some));
        assert_eq!(some.names(), "pins,normals");
        assert!(Overlays::named("").expect("none").is_empty());
        assert_eq!(Overlays::named("all").expect("all").names().split(',').count(), OVERLAYS.len());
        let why = Overlays::named("pins,norms").expect_err("a mistake");
        assert!(why.contains("did you mean `normals`?"), "{why}");
    }

    #[test]
    fn away_from_a_ball_is_away_from_its_middle() {
        let ball = Shape::Sphere { radius: 0.5 };
        assert!(away(&ball, Vec3::new(0.0, 0.0, 0.6)).distance(Vec3::Z) < 1e-3);
    }
}
