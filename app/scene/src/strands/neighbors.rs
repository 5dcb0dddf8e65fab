//! Which strands lie around each: a hair that is drawn between strands follows three of them (`strand.wgsl`).
//!
//! ```text
//!     b ─────── a      Roots near s, in the plane that they lie in. Triangles at s whose circle holds no other root are those of
//!    /  \  2  /  \     Delaunay. Slots go to them by their areas, so that a hair which takes any slot lies anywhere around s alike.
//!   c  3  s  1    f    Roots in a line have none: there the nearest on each side is a pair with s.
//!    \  /  4  \  /
//!     d ─────── e
//! ```
//! Rejected: one triangulation of all roots, which has to lay a head or an animal out flat.

use std::sync::OnceLock;

use glam::{Vec2, Vec3};

use super::{Root, Roots, Strands, build::Strand};

/// Triangles of a strand that hairs choose from.
pub const SLOTS: usize = 8;
/// Of a strand, the other two of each triangle. A pair is the other one and the strand itself; where it is both, it stands alone.
pub type Slots = [[u32; 2]; SLOTS];

/// Nearest roots that are looked at.
const NEAR: usize = 12;
/// Farthest of them, by the distance of the nearest.
const FARTHEST: f32 = 4.0;
/// Of a circle through three roots, by their longest distance: those of a wide angle lie on a border.
const ROUNDEST: f32 = 1.2;
/// Thinner than this by its length it is a line.
const THINNEST: f32 = 0.05;

/// A triangle or a pair at a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners {
    pub others: [u32; 2],
    /// Of a triangle [m2], of a pair [m].
    pub size: f32,
}

/// What lies around each strand of a list: found when it is first drawn, for nothing else asks.
#[derive(Clone, Debug, Default)]
pub struct Neighbors {
    roots: Vec<Vec3>,
    ways: Vec<Vec3>,
    found: OnceLock<Vec<Vec<Corners>>>,
}

impl Neighbors {
    /// Around each strand; empty where hairs lie between none.
    pub fn all(&self) -> &[Vec<Corners>] {
        self.found.get_or_init(|| around(&self.roots, &self.ways))
    }
}

/// What is found follows from the rest.
impl PartialEq for Neighbors {
    fn eq(&self, other: &Self) -> bool {
        (&self.roots, &self.ways) == (&other.roots, &other.ways)
    }
}

impl Strands {
    /// Around each strand of `all`, those of this list; empty of rings, ropes and what is held at both ends.
    pub fn neighbors(&self, all: &[Strand]) -> Neighbors {
        let are_ropes = self.self_collision.as_ref().is_some_and(|collision| collision.among);
        if self.closed || are_ropes || self.root == Root::Free || self.tip != Root::Free {
            return Neighbors::default();
        }
        // Strands that lean away from a crown have it between them.
        let way = |strand: &Strand| match self.roots {
            Roots::Cap { .. } => strand.root.normalize_or(strand.direction),
            _ => strand.direction,
        };
        let (roots, ways) = all.iter().map(|strand| (strand.root, way(strand))).unzip();
        Neighbors { roots, ways, found: OnceLock::new() }
    }
}

/// Those of each strand: `roots` are their places [m], `ways` unit vectors out of the skin there.
pub fn around(roots: &[Vec3], ways: &[Vec3]) -> Vec<Vec<Corners>> {
    let near = nearest(roots);
    let of = |(s, near): (usize, &Vec<(f32, u32)>)| {
        let closest = near.first().map_or(0.0, |(distance, _)| *distance);
        let reached = near.iter().filter(|(distance, other)| {
            *distance <= FARTHEST * FARTHEST * closest && ways[s].dot(ways[*other as usize]) > 0.0
        });
        let others: Vec<(u32, Vec3)> =
            reached.map(|(_, other)| (*other, roots[*other as usize] - roots[s])).collect();
        star(s as u32, &others)
    };
    near.iter().enumerate().map(of).collect()
}

/// Slots by size; `whole` says of a strand whether nothing of it is cut.
pub fn slots(strand: u32, around: &[Corners], whole: impl Fn(u32) -> bool) -> Slots {
    let fit = |corners: &&Corners| whole(strand) && corners.others.into_iter().all(&whole);
    let all: f32 = around.iter().filter(fit).map(|corners| corners.size).sum();
    std::array::from_fn(|slot| {
        let mut left = (slot as f32 + 0.5) / SLOTS as f32 * all;
        let mut last = [strand; 2];
        for corners in around.iter().filter(fit) {
            last = corners.others;
            left -= corners.size;
            if left < 0.0 {
                break;
            }
        }
        last
    })
}

/// Squared distance and number of the nearest others of each place that are not in it, nearest first.
fn nearest(places: &[Vec3]) -> Vec<Vec<(f32, u32)>> {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    places.iter().for_each(|place| (low, high) = (low.min(*place), high.max(*place)));
    let axis = (high - low).max_position();
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a][axis].total_cmp(&places[*b][axis]));
    let mut found = vec![Vec::new(); places.len()];
    for (at, s) in order.iter().enumerate() {
        let near: &mut Vec<(f32, u32)> = &mut found[*s];
        // Along the axis both ways, until that alone is farther than the last of them.
        let mut look = |other: &usize| {
            let last = if near.len() < NEAR { f32::INFINITY } else { near[NEAR - 1].0 };
            let aside = places[*other][axis] - places[*s][axis];
            let distance = places[*s].distance_squared(places[*other]);
            if distance > 0.0 && distance < last {
                near.truncate(NEAR - 1);
                let place = near.partition_point(|(nearer, _)| *nearer <= distance);
                near.insert(place, (distance, *other as u32));
            }
            aside * aside < last
        };
        let _ = order[at + 1..].iter().all(&mut look);
        let _ = order[..at].iter().rev().all(&mut look);
    }
    found
}

/// Triangles at a root, the others given from it; pairs where all are in a line.
fn star(strand: u32, others: &[(u32, Vec3)]) -> Vec<Corners> {
    let Some((_, along)) = others.last() else { return Vec::new() };
    let along = along.normalize_or_zero();
    let aside = |way: &Vec3| *way - along * along.dot(*way);
    let ways = others.iter().map(|(_, way)| way);
    let across = ways.map(aside).fold(Vec3::ZERO, |a, b| if b.length() > a.length() { b } else { a });
    let longest = others.iter().map(|(_, way)| way.length()).fold(0.0, f32::max);
    if across.length() < THINNEST * longest {
        let side = |sign: f32| others.iter().find(|(_, way)| sign * along.dot(*way) > 0.0);
        let pair = |(other, way): &(u32, Vec3)| Corners { others: [*other, strand], size: way.length() };
        return [side(1.0), side(-1.0)].into_iter().flatten().map(pair).collect();
    }
    let across = across.normalize_or_zero();
    let flat: Vec<Vec2> =
        others.iter().map(|(_, way)| Vec2::new(along.dot(*way), across.dot(*way))).collect();
    let mut found = Vec::new();
    for (i, a) in flat.iter().enumerate() {
        for (k, b) in flat.iter().enumerate().skip(i + 1) {
            let longest = a.length().max(b.length()).max(a.distance(*b));
            let area = 0.5 * a.perp_dot(*b);
            if area.abs() < 0.5 * THINNEST * longest * longest {
                continue;
            }
            // Centre of the circle through both and the root.
            let center = (*a * b.length_squared() - *b * a.length_squared()).perp() / (4.0 * area);
            let round = center.length_squared();
            let holds = |c: &Vec2| c.distance_squared(center) < round * (1.0 - 1e-4);
            if round < (ROUNDEST * longest).powi(2) && !flat.iter().any(holds) {
                found.push(Corners { others: [others[i].0, others[k].0], size: area.abs() });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_lattice(edge: u32) -> Vec<Vec3> {
        let row =
            |i: u32| Vec3::new((i % edge) as f32 + 0.5 * ((i / edge) % 2) as f32, 0.0, (i / edge) as f32);
        (0..edge * edge).map(row).map(|place| place * Vec3::new(0.01, 0.0, 0.0075_f32.sqrt() * 0.1)).collect()
    }

    #[test]
    fn a_root_among_equal_ones_has_six_triangles_which_share_its_slots() {
        let roots = on_lattice(7);
        let around = around(&roots, &[Vec3::Y; 49]);
        let middle = 3 * 7 + 3;
        assert_eq!(around[middle].len(), 6, "{:?}", around[middle]);
        let wanted = 0.5 * 0.01 * 0.01 * 0.75_f32.sqrt();
        for corners in &around[middle] {
            assert!((corners.size / wanted - 1.0).abs() < 0.01, "{corners:?}, not {wanted}");
            let [a, b] = corners.others.map(|other| roots[other as usize]);
            assert!((a.distance(b) - 0.01).abs() < 1e-4, "{corners:?}");
        }
        let slots = slots(middle as u32, &around[middle], |_| true);
        for corners in &around[middle] {
            let times = slots.iter().filter(|others| **others == corners.others).count();
            assert!((1..=2).contains(&times), "{times} slots for {corners:?}");
        }
    }

    #[test]
    fn nothing_lies_between_strands_that_are_cut_or_face_apart_or_stand_alone() {
        let roots = on_lattice(3);
        let around_all = around(&roots, &[Vec3::Y; 9]);
        let cut = 4;
        for (strand, corners) in (0..).zip(&around_all) {
            assert!(!corners.is_empty(), "{strand}");
            let slots = slots(strand, corners, |other| other != cut);
            assert!(slots.as_flattened().iter().all(|other| strand == cut || *other != cut), "{slots:?}");
            assert!(strand != cut || slots == [[cut; 2]; SLOTS], "{slots:?}");
        }
        let apart = around(&roots[..2], &[Vec3::Y, Vec3::NEG_Y]);
        assert!(apart.iter().all(Vec::is_empty), "{apart:?}");
        assert_eq!(around(&roots[..1], &[Vec3::Y]), [Vec::new()]);
    }

    #[test]
    fn roots_in_a_line_make_pairs() {
        let roots: Vec<Vec3> = (0..5).map(|i| Vec3::X * i as f32).collect();
        let around = around(&roots, &[Vec3::Y; 5]);
        let pair = |other, strand| Corners { others: [other, strand], size: 1.0 };
        assert_eq!(around[0], [pair(1, 0)]);
        let mut middle = around[2].clone();
        middle.sort_by_key(|corners| corners.others);
        assert_eq!(middle, [pair(1, 2), pair(3, 2)]);
    }
}
