//! Strands → particles and rows of constraints.
//!
//! ```text
//!    0 ── 1 ── 2 ── 3 ──        clamped: 0 and 1 are held, the first segment is a stub; the length counts from 1. A tip likewise
//!   stub  │ l    l    l         pinned:  0 is held; free: none is. The length counts from 0
//!       skin
//! ```
//! Where the seat keeps particles farther off than a segment is long, a clamped strand on its skin begins there: its stub stands on
//! the skin, and no segment is pushed out of the seat while its root stays.
//!
//! A joint of two segments bends with E = k/2 |t1 - t0|², t the edges by their rest length, k = E I / l: quadratic in the
//! positions for a rod that is straight at rest, so that it is a row of the table `hinge` (Bergou et al.: A Quadratic Bending
//! Model for Inextensible Surfaces, 2006, for one edge) whose fourth corner weighs nothing. A clamp has half a joint:
//! k = 2 E I / l, which makes the error of a cantilever's tip second order in l. No twist.

use glam::{DQuat, Quat, Vec3 as Point};

use super::{
    Root, Roots, Shape, Strands,
    on_cloth::{self, Graft},
    on_mesh, resample, rest, ring,
};
use crate::{ColliderShape, Scene, rotation};

/// Strands whose particles lie between each other in the table: particle `i` of all of them, then `i + 1`.
pub const STRIP: u32 = 32;

/// A strand that is at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// Where it leaves its seat [m], and the unit vector that it starts along; in the frame of the seat.
    pub root: Point,
    pub direction: Point,
    /// Of a segment at rest [m]; of a ring of a file their mean.
    pub segment: f32,
    /// How far its root stands above the skin [m]: then its stub does, and is as long.
    pub above: f32,
    /// Of its root: e3 is the direction.
    pub frame: DQuat,
    pub course: Course,
    /// Where it is on the cloth that it grows from; the frame of that seat is the world's at the start.
    pub graft: Option<Graft>,
    /// Particles of one that is not straight as it starts, in the frame of the root [m].
    places: Vec<Point>,
    /// Its segments are as long as these are apart.
    measured: bool,
}

/// How a strand lies if nothing holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    Straight,
    /// In a plane, bent evenly.
    Arc,
    /// A curl, or what a file has.
    Curve,
}

impl Strand {
    /// Place of a particle at the start [m], in the frame of the seat.
    pub fn place(&self, held: u32, particle: u32) -> Point {
        self.root + self.from_root(held, particle)
    }

    /// Of the segment from a particle to the next at rest [m].
    pub fn length(&self, particle: u32) -> f32 {
        if !self.measured {
            return self.segment;
        }
        let [a, b] = [particle, particle + 1].map(|i| self.places[i as usize % self.places.len()]);
        a.distance(b)
    }

    /// The same, from the root on.
    pub fn from_root(&self, held: u32, particle: u32) -> Point {
        if let Some(place) = self.places.get(particle as usize) {
            return (self.frame * place.as_dvec3()).as_vec3();
        }
        if held == 2 && particle == 0 {
            return self.direction * -stub(self.above, self.segment);
        }
        let stub = if held == 2 { 1.0 } else { 0.0 };
        self.direction * (self.segment * (particle as f32 - stub))
    }
}

/// A strand as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guide {
    /// First particle outside of the seat, counted from the first of all, from one to the next, and how many.
    pub span: [u32; 3],
    /// The last is joined to the first.
    pub closed: bool,
    /// Its tip is held: it does not end in a point.
    pub held: bool,
    /// Unit vector across the strand at its root, in the frame of the seat.
    pub aside: [f32; 3],
}

/// A joint between two segments, or a segment: what a rod of a round section resists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// [m]
    pub radius: f32,
    /// Against stretch, E A [N].
    pub stretch: f32,
    /// Against bending, E I [N m2].
    pub bend: f32,
    /// Against twist, G J [N m2].
    pub twist: f32,
    /// Mass of a length [kg/m].
    pub mass: f32,
}

impl Root {
    /// Particles that are held there.
    fn particles(self) -> u32 {
        match self {
            Self::Clamped => 2,
            Self::Pinned => 1,
            Self::Free => 0,
        }
    }
}

impl Strands {
    /// Particles of a strand that its seat holds, from the first on.
    pub fn held(&self) -> u32 {
        self.root.particles()
    }

    /// Particles that are held at its tip, the last included.
    pub fn held_at_tip(&self) -> u32 {
        self.tip.particles()
    }

    /// Whether a particle of a strand is held.
    pub fn holds(&self, particle: u32) -> bool {
        particle < self.held() || particle + self.held_at_tip() >= self.particles
    }

    /// The last segment is a stub.
    pub(crate) fn has_tip_stub(&self) -> bool {
        self.tip == Root::Clamped && !self.closed
    }

    /// Segments that are not in the skin.
    pub fn parts(&self) -> u32 {
        if self.closed {
            return self.particles;
        }
        let stubs = u32::from(self.root == Root::Clamped) + u32::from(self.has_tip_stub());
        self.particles.saturating_sub(1 + stubs).max(1)
    }

    /// Of all strands [m]; infinite of a file that cannot be read.
    pub(crate) fn shortest_segment(&self, scene: &Scene) -> f32 {
        match &self.roots {
            Roots::File { locks: Some(Ok(_)), .. } => {
                let shortest = |strand: Strand| {
                    (0..self.parts()).map(|i| strand.length(i)).fold(f32::INFINITY, f32::min)
                };
                build(self, scene).into_iter().map(shortest).fold(f32::INFINITY, f32::min)
            }
            Roots::File { .. } => f32::INFINITY,
            _ => self.length * (1.0 - self.length_spread) / self.parts() as f32,
        }
    }

    /// How far above the skin of their seat strands begin that leave it at these sites [m].
    fn above_skin(&self, scene: &Scene, sites: &[Site]) -> f32 {
        let on_skin = matches!(self.roots, Roots::Cap { .. } | Roots::Surface { .. });
        let keeps = self.seat(scene).map_or(0.0, |seat| scene.colliders[seat].thickness);
        let steepest = sites.iter().map(|site| site.climb).fold(1.0, f32::max);
        let short = self.shortest_segment(scene) < keeps * steepest;
        if on_skin && self.root == Root::Clamped && short { keeps } else { 0.0 }
    }

    /// Radius where it is largest [m].
    pub(crate) fn thickest(&self) -> f32 {
        self.material.radius[0].max(self.material.radius[1])
    }

    /// The part of its length at which a particle is, or what lies between two of them: 0 where it leaves its seat, which is also that
    /// of a stub inside, and 1 at its tip. A ring is as thick everywhere.
    pub fn along(&self, particle: f32) -> f32 {
        let stub = if self.root == Root::Clamped { 1.0 } else { 0.0 };
        if self.closed { 0.0 } else { ((particle - stub) / self.parts() as f32).clamp(0.0, 1.0) }
    }

    /// The section at a place along a strand, 0 at the root, 1 at the tip.
    pub fn section(&self, along: f32) -> Section {
        let [root, tip] = self.material.radius;
        let radius = root + (tip - root) * along;
        let area = std::f32::consts::PI * radius * radius;
        let stretch = self.material.young * area;
        Section {
            radius,
            stretch,
            bend: stretch * radius * radius * 0.25,
            twist: self.material.shear * area * radius * radius * 0.5,
            mass: self.material.density * area,
        }
    }

    /// Where particle `i` of strand `s` lies among those of all.
    pub fn row(&self, strand: u32, particle: u32) -> u32 {
        let [first, stride, _] = self.span(strand);
        first + stride * particle
    }

    /// First particle of a strand, from one to the next, and how many.
    pub fn span(&self, strand: u32) -> [u32; 3] {
        let all = self.roots.count() as u32;
        let strip = strand / STRIP * STRIP;
        let stride = STRIP.min(all - strip);
        [strip * self.particles + strand - strip, stride, self.particles]
    }
}

impl Strands {
    /// How `all`, those of this list, are drawn.
    pub fn guides(&self, all: &[Strand]) -> Vec<Guide> {
        let guide = |(index, strand): (u32, &Strand)| {
            let [first, stride, count] = self.span(index);
            let stub = u32::from(self.root == Root::Clamped && strand.above == 0.0);
            let aside = (strand.frame * glam::DVec3::X).as_vec3().to_array();
            let drawn = count - stub - u32::from(self.has_tip_stub());
            let (closed, held) = (self.closed, self.tip != Root::Free);
            Guide { span: [first + stride * stub, stride, drawn], closed, held, aside }
        };
        (0..).zip(all).map(guide).collect()
    }
}

/// Where a strand grows from no cloth.
pub(crate) struct Site {
    /// [m], in the frame of the seat.
    pub place: Point,
    /// The way that it starts.
    pub out: Point,
    /// How far that goes for each metre above the skin.
    pub climb: f32,
}

impl Site {
    fn new(place: Point, out: Point) -> Self {
        Self { place, out, climb: 1.0 }
    }

    /// So many degrees from straight out, away from an axis.
    fn leaning(place: Point, normal: Point, axis: Point, lean: f32) -> Self {
        let away = (normal * axis.dot(normal) - axis).normalize_or_zero();
        let (sin, cos) = rotation::sin_cos(lean);
        Self { place, out: normal * cos + away * sin, climb: 1.0 / cos.max(0.1) }
    }
}

/// All strands of a list, in its order. A seat that is not there, or of another shape than the roots need, is taken for a point.
pub fn build(strands: &Strands, scene: &Scene) -> Vec<Strand> {
    if let Roots::File { .. } = strands.roots {
        return of_file(strands);
    }
    let parts = strands.parts() as f32;
    let strand = |index: u32, site: Site, graft: Option<Graft>, above: f32| {
        let (direction, above) = (site.out.normalize_or(Point::NEG_Y), above * site.climb);
        let length = strands.length * (1.0 + strands.length_spread * (2.0 * share(index) - 1.0));
        let segment = length / parts;
        let places = match strands.shape {
            _ if strands.closed => ring::places(segment, strands.particles),
            Shape::Straight => Vec::new(),
            shape => {
                let stub = (strands.root == Root::Clamped).then(|| stub(above, segment));
                rest::places(shape, length, segment, strands.particles, stub)
            }
        };
        let frame = rest::frame(direction.as_dvec3(), glam::DVec3::NEG_Y);
        let course = match strands.shape {
            Shape::Straight => Course::Straight,
            Shape::Arc { .. } => Course::Arc,
            Shape::Curl { .. } => Course::Curve,
        };
        let root = site.place + direction * above;
        Strand { root, direction, segment, above, frame, course, graft, places, measured: false }
    };
    let Some((_, cloth)) = strands.cloth(scene) else {
        let sites = roots(strands, scene);
        let above = strands.above_skin(scene, &sites);
        return (0..).zip(sites).map(|(index, site)| strand(index, site, None, above)).collect();
    };
    let mut sites: Vec<_> = on_cloth::sites(cloth, &strands.roots)
        .into_iter()
        .map(|site| (Site::new(site.place, site.direction), Some(site.graft)))
        .collect();
    sites.resize_with(strands.roots.count() as usize, || (Site::new(Point::ZERO, Point::NEG_Y), None));
    (0..).zip(sites).map(|(index, (site, graft))| strand(index, site, graft, 0.0)).collect()
}

/// Strands that a file has, each as so many segments of one length.
fn of_file(strands: &Strands) -> Vec<Strand> {
    let Roots::File { locks: Some(Ok(locks)), scale, rotation, at, every, .. } = &strands.roots else {
        return Vec::new();
    };
    let (turn, at) = (rotation::euler(*rotation), Point::from(*at).as_dvec3());
    let place =
        |point: &[f32; 3]| turn.as_dquat() * (Point::from(*point).as_dvec3() * f64::from(*scale)) + at;
    let strand = |index: usize| {
        let way: Vec<_> = locks.strand(index).iter().map(place).collect();
        let (points, segment) = if strands.closed {
            resample::around(&way, strands.particles.max(2))
        } else {
            resample::even(&way, strands.parts(), f64::from(strands.length))
        };
        let root = points[0];
        let direction = (points[1] - root).normalize_or(glam::DVec3::NEG_Y);
        let frame = rest::frame(direction, glam::DVec3::NEG_Y);
        let stub = (strands.root == Root::Clamped).then(|| Point::NEG_Z * segment as f32);
        let own = points.iter().map(|point| (frame.conjugate() * (*point - root)).as_vec3());
        let mut places: Vec<Point> = stub.into_iter().chain(own).collect();
        if strands.has_tip_stub() {
            let [.., before, tip] = places[..] else { unreachable!("two points at least") };
            places.push(tip + (tip - before));
        }
        let (root, direction) = (root.as_vec3(), direction.as_vec3());
        let (segment, measured) = (segment as f32, strands.closed);
        let course = Course::Curve;
        Strand { root, direction, segment, above: 0.0, frame, course, graft: None, places, measured }
    };
    (0..locks.count()).step_by((*every).max(1) as usize).map(strand).collect()
}

fn roots(strands: &Strands, scene: &Scene) -> Vec<Site> {
    match &strands.roots {
        Roots::Points { at, direction } => {
            at.iter().map(|at| Site::new(Point::from(*at), Point::from(*direction))).collect()
        }
        Roots::Row { from, to, count, direction } => {
            let (from, to) = (Point::from(*from), Point::from(*to));
            let at = |i: u32| from.lerp(to, i as f32 / count.saturating_sub(1).max(1) as f32);
            (0..*count).map(|i| Site::new(at(i), Point::from(*direction))).collect()
        }
        Roots::Cap { axis, angle, count, lean } => {
            let radius = match strands.seat(scene).map(|seat| &scene.colliders[seat].shape) {
                Some(ColliderShape::Sphere { radius }) => *radius,
                _ => 0.0,
            };
            (0..*count)
                .map(|i| on_cap(Point::from(*axis), *angle, i, *count))
                .map(|normal| Site::leaning(normal * radius, normal, Point::from(*axis), *lean))
                .collect()
        }
        Roots::Surface { axis, angle, count } => {
            let mesh = strands.mesh(scene);
            let mut all = mesh.map_or_else(Vec::new, |(solid, scale)| {
                on_mesh::roots(solid, scale, Point::from(*axis), *angle, *count)
            });
            all.resize_with(*count as usize, || Site::new(Point::ZERO, Point::from(*axis)));
            all
        }
        Roots::Edge { count, .. } => (0..*count).map(|_| Site::new(Point::ZERO, Point::NEG_Y)).collect(),
        Roots::File { .. } => Vec::new(),
    }
}

/// Length of the stub of a clamped strand [m].
fn stub(above: f32, segment: f32) -> f32 {
    if above > 0.0 { above } else { segment }
}

/// A point of a unit ball: the `i`-th of `count` on a spiral, each in the middle of an equal area, turned from the last by the
/// golden angle.
fn on_cap(axis: Point, angle: f32, i: u32, count: u32) -> Point {
    /// [degrees]
    const GOLDEN: f64 = 137.507_764_050_037_85;
    let axis = axis.normalize_or(Point::Y);
    let (_, edge) = rotation::sin_cos(angle);
    let along = 1.0 - (1.0 - edge) * (i as f32 + 0.5) / count as f32;
    let (sin, cos) = rotation::sin_cos_wide(f64::from(i) * GOLDEN);
    let (u, v) = axis.any_orthonormal_pair();
    axis * along + (u * cos as f32 + v * sin as f32) * (1.0 - along * along).max(0.0).sqrt()
}

/// A number in 0..1 that looks like chance (lowbias32 of Wellons).
fn share(index: u32) -> f32 {
    let mut x = index.wrapping_add(0x9e37_79b9);
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    ((x ^ (x >> 16)) >> 8) as f32 / (1 << 24) as f32
}

/// Position [m] and rotation at `time` [s] of a collider that holds an end of strands, or of the world.
pub fn frame(scene: &Scene, holder: Option<usize>, time: f64) -> (Point, Quat) {
    holder.map_or((Point::ZERO, Quat::IDENTITY), |index| scene.colliders[index].pose(time))
}

/// Where a place in the frame of a seat is [m].
pub fn placed((at, turn): (Point, Quat), place: Point) -> Point {
    at + Point::from(rotation::rotate(turn, place.to_array()))
}
