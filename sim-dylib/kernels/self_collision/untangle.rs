//! Cloth that passes through cloth already (a scene that starts so, a hand that pulled too hard) is taken apart again.
//!
//! Once a frame every edge is tried against the triangles around it. The edges that pierce one cut the mesh into parts
//! (global intersection analysis; Baraff, Witkin, Kass: Untangling Cloth, 2003): the smallest part that is at most
//! half of its sheet is on the wrong side. Its pairs let go, and at the cut its particles are drawn through the
//! triangles, ring after ring, until nothing is cut. One part at a time, so two sheets do not both give way.
//!
//! Where no part is cut off (two slits that interlock) the contour of the intersection is made shorter (Volino,
//! Magnenat-Thalmann: Resolving Surface Collisions through Intersection Contour Minimization, 2006): if an edge of
//! direction E moves by d against the plane N, its crossing point moves by d - E (N·d)/(N·E), so the contour, which goes
//! on along R in each triangle of the edge, shrinks fastest along
//! ```text
//! G = sum over the triangles of the edge of R - (E·R)/(E·N) N
//! ```
//! Drawing through moves `previous` and `inertial` along: it adds no speed. A contour that must be shortened takes the
//! sheets as a whole along, so that is a speed that is kept up, not a way. Particles of edges and triangles that cross
//! have no contact meanwhile. Where a cloth is not to heal (`layer.heals`) they only let go.

use glam::Vec3;
use sim_api::{Mapped, SharedMut};

use super::{
    batches::NODES,
    corners,
    project::add,
    tree::{self, Bounds},
};
use crate::{
    normals::xyz,
    sim::Sim,
    state::{Crossing, Edge, Face, Layer, Particle, State},
};

/// Speed of drawing through [m/s].
const SPEED: f32 = 0.5;

/// Speed of an edge against the plane where a contour is shortened [m/s].
const ALONG: f32 = 0.25;

/// Of `layer.flag`: the particle belongs to an edge or a triangle that cross; it is on the wrong side.
pub(super) const CROSSES: u32 = 1;
pub(super) const WRONG: u32 = 2;

/// Whether a pair lets go of each other.
#[inline(always)]
pub(super) fn lets_go(flag: &[u32], idx: [u32; 4]) -> bool {
    let [a, b, c, d] =
        [flag[idx[0] as usize], flag[idx[1] as usize], flag[idx[2] as usize], flag[idx[3] as usize]];
    // Corners 0 and 3 belong to different primitives in both forms.
    (a | b | c | d) & CROSSES != 0 || (a ^ d) & WRONG != 0
}

/// Lists what crosses and marks the particles; once a frame, after the boxes were fitted.
pub(super) fn look(sim: &mut Sim) {
    let (crossed, overflow) = list(sim);
    sim.self_stats.crossings = crossed;
    sim.self_stats.overflow = sim.self_stats.overflow.max(overflow);
    if crossed == 0 {
        return;
    }
    let State { layer, face, edge, batch, crossing, .. } = &mut sim.state;
    layer.flag.fill(0);
    edge.cut.fill(0);
    for row in rows(batch.first_crossing, batch.crossings) {
        let (e, f) = (crossing.edge[row] as usize, crossing.face[row] as usize);
        edge.cut[e] = u32::from(heals(layer, edge, face, [e, f]));
        for particle in edge.ends[e].into_iter().chain(face.corners[f]) {
            layer.flag[particle as usize] |= CROSSES;
        }
    }
    sim.self_stats.parted = mark_part(layer, edge);
}

/// Whether an edge and a triangle are to be taken apart.
fn heals(layer: &Layer, edge: &Edge, face: &Face, [e, f]: [usize; 2]) -> bool {
    [edge.ends[e][0], face.corners[f][0]].iter().all(|&particle| layer.heals[particle as usize] != 0)
}

/// Edges that pierce a triangle, in the order of the nodes; returns how many there are, and how many have no room.
fn list(sim: &mut Sim) -> (u32, u32) {
    let State { layer, face, edge, node, batch, crossing, .. } = &mut sim.state;
    let (count, room) = (batch.first_crossing.len(), crossing.edge.len());
    for i in 0..count {
        batch.first_crossing[i] = (i * room / count) as u32;
    }
    let (edge_row, face_row) = (SharedMut::new(crossing.edge), SharedMut::new(crossing.face));
    let (listed, lost) = (SharedMut::new(batch.crossings), SharedMut::new(batch.crossings_lost));
    let (first, seen, node) = (&*batch.first_crossing, &*layer.position_at_broad_phase, &*node);
    sim.par.each(count, |i| {
        let start = first[i] as usize;
        let end = first.get(i + 1).map_or(room, |&next| next as usize);
        let (mut next, mut left_out) = (start, 0);
        for own in (i * NODES..((i + 1) * NODES).min(node.skip.len())).filter(|&own| tree::is_leaf(node, own))
        {
            tree::walk(node, 0, 0, &tree::bounds(node, own), |other| {
                let there = tree::bounds(node, other);
                for e in range(node.edges[own]) {
                    let around = Bounds::at(edge.lower, edge.upper, e);
                    if !around.meets(&there) {
                        continue;
                    }
                    let ends = edge.ends[e];
                    let [p, q] = ends.mapped(|end| xyz(seen[end as usize]));
                    for f in range(node.faces[other]) {
                        if !around.meets(&Bounds::at(face.lower, face.upper, f)) {
                            continue;
                        }
                        let idx = face.corners[f];
                        let apart = !idx.contains(&ends[0]) && !idx.contains(&ends[1]);
                        let triangle = idx.mapped(|corner| xyz(seen[corner as usize]));
                        if !apart || pierce(p, q, triangle).is_none() {
                            continue;
                        }
                        if next == end {
                            left_out += 1;
                            continue;
                        }
                        // SAFETY: each batch writes its own part.
                        unsafe {
                            edge_row.set(next, e as u32);
                            face_row.set(next, f as u32);
                        }
                        next += 1;
                    }
                }
            });
        }
        // SAFETY: each batch writes its own row.
        unsafe {
            listed.set(i, (next - start) as u32);
            lost.set(i, left_out);
        }
    });
    let (listed, lost): (u32, u32) = (batch.crossings.iter().sum(), batch.crossings_lost.iter().sum());
    (listed + lost, lost)
}

/// Where a segment pierces a triangle: the share of the way from p to q, and the weights of the corners.
fn pierce(p: Vec3, q: Vec3, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    if p.max(q).cmplt(a.min(b).min(c)).any() || p.min(q).cmpgt(a.max(b).max(c)).any() {
        return None;
    }
    let normal = (b - a).cross(c - a);
    let (above, below) = (normal.dot(p - a), normal.dot(q - a));
    if above * below >= 0.0 {
        return None;
    }
    let share = above / (above - below);
    let at = p + (q - p) * share;
    let area = normal.length_squared();
    let u = normal.dot((c - b).cross(at - b)) / area;
    let v = normal.dot((a - c).cross(at - c)) / area;
    let w = 1.0 - u - v;
    (u >= 0.0 && v >= 0.0 && w >= 0.0).then_some((share, [u, v, w]))
}

/// Marks the smallest part that the cuts separate and that is at most half of its sheet; whether there is one.
fn mark_part(layer: &mut Layer, edge: &Edge) -> bool {
    for i in 0..layer.part.len() {
        (layer.part[i], layer.sheet[i]) = (i as u32, i as u32);
    }
    for (ends, cut) in edge.ends.iter().zip(&*edge.cut) {
        join(layer.sheet, *ends);
        if *cut == 0 {
            join(layer.part, *ends);
        }
    }
    layer.part_size.fill(0);
    layer.sheet_size.fill(0);
    for i in 0..layer.part.len() as u32 {
        let (part, sheet) = (root(layer.part, i) as usize, root(layer.sheet, i) as usize);
        layer.part_size[part] += 1;
        layer.sheet_size[sheet] += 1;
    }
    let mut smallest: Option<(u32, u32)> = None;
    for i in 0..layer.part.len() as u32 {
        let (part, sheet) = (root(layer.part, i), root(layer.sheet, i));
        let (size, whole) = (layer.part_size[part as usize], layer.sheet_size[sheet as usize]);
        // Of two halves the one that does not hold the sheet's first particle.
        let minor = 2 * size < whole || (2 * size == whole && part != root(layer.part, sheet));
        if minor && smallest.is_none_or(|(least, _)| size < least) {
            smallest = Some((size, part));
        }
    }
    let Some((_, wrong)) = smallest else { return false };
    for i in 0..layer.part.len() as u32 {
        if root(layer.part, i) == wrong {
            layer.flag[i as usize] |= WRONG;
        }
    }
    true
}

/// The particle that stands for all that are joined with this one: the first of them.
fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let above = parent[parent[i as usize] as usize];
        parent[i as usize] = above;
        i = above;
    }
    i
}

fn join(parent: &mut [u32], [a, b]: [u32; 2]) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

/// Draws what crosses apart, in every substep.
pub(super) fn pull(sim: &mut Sim) {
    let (most, parted) = (SPEED * sim.h, sim.self_stats.parted);
    let State { particle, layer, face, edge, batch, crossing, .. } = &mut sim.state;
    for row in rows(batch.first_crossing, batch.crossings) {
        pull_row(particle, layer, (edge, face), crossing, row, (most, parted));
    }
}

fn pull_row(
    particle: &mut Particle,
    layer: &Layer,
    (edge, face): (&Edge, &Face),
    crossing: &Crossing,
    row: usize,
    (most, parted): (f32, bool),
) {
    let (e, f) = (crossing.edge[row] as usize, crossing.face[row] as usize);
    if !heals(layer, edge, face, [e, f]) {
        return;
    }
    let ([p, q], [a, b, c]) = (edge.ends[e], face.corners[f]);
    let [from, to, ..] = corners(particle.position, [p, q, q, q]);
    let [_, x, y, z] = corners(particle.position, [p, a, b, c]);
    let Some((share, [u, v, w])) = pierce(from, to, [x, y, z]) else { return };
    let normal = (y - x).cross(z - x).normalize_or_zero();
    let wrong = [p, q].mapped(|end| layer.flag[end as usize] & WRONG != 0);
    let idx = [p, q, a, b, c];
    let h = most / SPEED;
    let (weight, way, adds_speed) = if wrong[0] != wrong[1] {
        // The wrong end goes to the side of the other.
        let (height, other) = if wrong[0] {
            (normal.dot(from - x), normal.dot(to - x))
        } else {
            (normal.dot(to - x), normal.dot(from - x))
        };
        let ends = if wrong[0] { [1.0, 0.0] } else { [0.0, 1.0] };
        // A little further than the plane, or it stays in it.
        let far = (height.abs() + 0.1 * other.abs()).min(most);
        ([ends[0], ends[1], -u, -v, -w], normal * far * other.signum(), false)
    } else if !parted {
        let way = gradient((from, to), normal, edge.faces[e], face, particle.position, [p, q]);
        let weight = [1.0 - share, share, -u, -v, -w];
        // On a straight contour the two triangles of an edge as good as cancel: nothing to gain there.
        let way = way.clamp_length_max(1.0) * (ALONG * h);
        let mut gone = Vec3::ZERO;
        for corner in 0..5 {
            let i = idx[corner] as usize;
            gone += (xyz(particle.position[i]) - xyz(particle.previous[i])) * weight[corner];
        }
        let missing = 1.0 - gone.dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
        (weight, way * missing.clamp(0.0, 1.0), true)
    } else {
        return;
    };
    let mut sum = 0.0;
    for corner in 0..5 {
        sum += weight[corner] * weight[corner] * particle.position[idx[corner] as usize][3];
    }
    if sum <= 0.0 {
        return;
    }
    for corner in 0..5 {
        let i = idx[corner] as usize;
        let change = way * (weight[corner] * particle.position[i][3] / sum);
        add(&mut particle.position[i], change);
        if !adds_speed {
            add(&mut particle.previous[i], change);
            add(&mut particle.inertial[i], change);
        }
    }
}

/// G: the way of the edge against the triangle that shortens the contour fastest.
fn gradient(
    (from, to): (Vec3, Vec3),
    normal: Vec3,
    faces: [u32; 2],
    face: &Face,
    position: &[[f32; 4]],
    ends: [u32; 2],
) -> Vec3 {
    let along = (to - from).normalize_or_zero();
    let steep = along.dot(normal);
    let mut sum = Vec3::ZERO;
    for f in faces {
        let Some(idx) = face.corners.get(f as usize) else { continue };
        let [a, b, c] = idx.mapped(|corner| xyz(position[corner as usize]));
        let mut contour = normal.cross((b - a).cross(c - a)).normalize_or_zero();
        for (corner, at) in idx.iter().zip([a, b, c]) {
            if !ends.contains(corner) {
                let inward = (at - from) - along * along.dot(at - from);
                if contour.dot(inward) < 0.0 {
                    contour = -contour;
                }
            }
        }
        sum += contour - normal * (along.dot(contour) / steep);
    }
    sum
}

#[inline(always)]
fn range([first, count]: [u32; 2]) -> std::ops::Range<usize> {
    first as usize..(first + count) as usize
}

/// All rows in use, batch after batch.
fn rows<'a>(first: &'a [u32], count: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    first.iter().zip(count).flat_map(|(&first, &count)| range([first, count]))
}
