// What is drawn of a list of strands, written where it is drawn from: ribbons through the particles, and what hairs between strands read.
// strand/ribbon_corners.wgsl goes on with what joins their places.
//
// Passes outside of all lists, as those of step/surface.wgsl, of which `place` runs before: the host runs them on the context that draws
// (app/gpu/src/ribbons.rs). Particles count from the first of the list, places along its strands from the first of the first strand.
//
// CPU twin: `curve::bulge`, `ribbon::fill`, `guide_maps::GuideMaps::update`.

// A picture, or a map.
struct Level {
    // How far a place may be from where it is drawn [m].
    tolerance: f32,
    // Segments of a strand that are drawn at least.
    segments: f32,
    // Strands from this place on in their order are left out.
    end: f32,
    // LINES, POINTS
    flags: u32,
}

// Of `Level`: drawn as lines; but for the points that hairs end in.
const LINES: u32 = 1u;
const POINTS: u32 = 2u;

struct List {
    // Of what the strands grow from, a quaternion.
    turn: vec4f,
    levels: array<Level, 2>,
    // How many of them differ.
    different: u32,
    strands: u32,
    particles: u32,
    // Places, all strands together.
    places: u32,
    // Of a segment.
    parts: u32,
    // Whether any segment is cut.
    cuts: u32,
    // One strand of so many is asked for its bends.
    asked: u32,
    unused: u32,
}

struct Guide {
    // First particle, from one to the next, and how many.
    first: u32,
    stride: u32,
    count: u32,
    // CLOSED, HELD
    flags: u32,
    // Unit vector across the strand at its root, in the frame of what it grows from.
    aside: vec3f,
    // Segments of all strands before.
    before: u32,
}

// Of `Guide`: the last particle is joined to the first; the tip is held.
const CLOSED: u32 = 1u;
const HELD: u32 = 2u;

// What the host reads. Boxes are numbers as in step/surface.wgsl.
struct Told {
    particles: array<atomic<u32>, 6>,
    // Farthest of splines from straight segments [m], its bits.
    bulge: atomic<u32>,
    places: array<atomic<u32>, 6>,
    // Corners of ribbons and lines, of the first level and of the second.
    corners: array<u32, 4>,
}

@group(0) @binding(0) var<uniform> list: List;
@group(0) @binding(1) var<storage, read> guides: array<Guide>;
@group(0) @binding(2) var<storage, read> drawn_position: array<vec4f>;
// 1: the segment that starts at a particle is cut.
@group(0) @binding(3) var<storage, read> cut: array<u32>;
@group(0) @binding(4) var<storage, read_write> told: Told;
// Two a place, `Vertex` of `ribbon.rs`.
@group(0) @binding(5) var<storage, read_write> vertices: array<f32>;
// First vertex of both ends; with LINE in the second it is a line. Those of a strand lie from its first place on, levels behind each other.
@group(0) @binding(6) var<storage, read_write> segments: array<vec2u>;
// Of each strand: corners of ribbons and lines of both levels, later the first of them; and segments of both levels.
@group(0) @binding(7) var<storage, read_write> counts: array<array<u32, 6>>;
@group(0) @binding(8) var<storage, read_write> corners: array<u32>;
// `GuideMaps`: rows of texels.
@group(0) @binding(9) var<storage, read_write> texels: array<u32>;

// Numbers of a vertex: where its place begins, its tangent, and its way along the piece.
const VERTEX: u32 = 14u;
const TANGENT: u32 = 4u;
const GONE: u32 = 13u;
// Texels in a row, parts of a byte, and the largest number of three bytes.
const ROW: u32 = 1024u;
const BYTE: f32 = 255.0;
const WHOLE: f32 = 16777215.0;
// Share of a hair before which it is as wide as at its root.
const WIDE: f32 = 0.6;
const EXPONENT: u32 = 0x7f800000u;

var<workgroup> group_places: array<atomic<u32>, 6>;

// Bits that are ordered as the numbers are, and back.
fn ordered(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

fn number(bits: u32) -> f32 {
    return bitcast<f32>(select(~bits, bits & 0x7fffffffu, (bits & 0x80000000u) != 0u));
}

// By the bits: a compiler may take it that no number is NaN.
fn is_finite(x: vec3f) -> bool {
    return all((bitcast<vec3u>(x) & vec3u(EXPONENT)) != vec3u(EXPONENT));
}

fn is_closed(guide: Guide) -> bool {
    return (guide.flags & CLOSED) != 0u;
}

// Places that a ribbon goes through, of segments in so many parts.
fn points(guide: Guide, parts: u32) -> u32 {
    return (guide.count - select(1u, 0u, is_closed(guide))) * parts + 1u;
}

// The first place of a strand.
fn first_place(strand: u32, guide: Guide) -> u32 {
    return guide.before * list.parts + strand;
}

fn row(guide: Guide, i: u32) -> u32 {
    return guide.first + guide.stride * (i % guide.count);
}

fn particle(guide: Guide, i: u32) -> vec3f {
    return drawn_position[row(guide, i)].xyz;
}

fn is_cut(guide: Guide, i: u32) -> bool {
    return list.cuts != 0u && cut[row(guide, i)] != 0u;
}

// Whether the strand goes on behind a particle, uncut.
fn goes_on(guide: Guide, i: u32) -> bool {
    return (is_closed(guide) || i + 1u < guide.count) && !is_cut(guide, i);
}

// The last particle of a ribbon that begins at one.
fn piece_end(guide: Guide, begin: u32) -> u32 {
    let last = points(guide, 1u) - 1u;
    var i = begin;
    while i < last && !is_cut(guide, i) {
        i += 1u;
    }
    return i;
}

// The places around one: of the particle before it, its own, and of the next. What is not there lies straight on.
fn around(guide: Guide, i: u32) -> array<vec3f, 3> {
    let own = particle(guide, i);
    let earlier = (i + guide.count - 1u) % guide.count;
    let has_before = (i > 0u || is_closed(guide)) && goes_on(guide, earlier);
    let has_next = goes_on(guide, i);
    let before = particle(guide, earlier);
    let next = particle(guide, i + 1u);
    let a = select(select(own, 2.0 * own - next, has_next), before, has_before);
    let c = select(select(own, 2.0 * own - before, has_before), next, has_next);
    return array(a, own, c);
}

// Place and way at a share of the way from a particle to the next: Catmull and Rom's spline.
fn on_spline(guide: Guide, i: u32, share: f32) -> array<vec3f, 2> {
    let near = around(guide, i);
    let a = near[0];
    let b = near[1];
    let c = near[2];
    if share == 0.0 {
        return array(b, c - a);
    }
    var d = 2.0 * c - b;
    if goes_on(guide, i) {
        d = around(guide, (i + 1u) % guide.count)[2];
    }
    let first = 0.5 * (c - a);
    let second = a - 2.5 * b + 2.0 * c - 0.5 * d;
    let third = 1.5 * (b - c) + 0.5 * (d - a);
    return array(b + (first + (second + third * share) * share) * share, first + (2.0 * second + 3.0 * third * share) * share);
}

fn normalize_or(x: vec3f, otherwise: vec3f) -> vec3f {
    let square = dot(x, x);
    return select(otherwise, x * inverseSqrt(square), square > 0.0 && is_finite(vec3f(square)));
}

// A unit vector across a unit vector (Duff et al.: Building an Orthonormal Basis, Revisited, 2017).
fn across_any(n: vec3f) -> vec3f {
    let sign = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (sign + n.z);
    return vec3f(n.x * n.y * a, sign + n.y * n.y * a, -n.y);
}

fn turned(q: vec4f, v: vec3f) -> vec3f {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

@compute @workgroup_size(64)
fn bend(@builtin(global_invocation_id) id: vec3u) {
    let strand = id.x * list.asked;
    if strand >= list.strands {
        return;
    }
    let guide = guides[strand];
    var most = 0.0;
    for (var i = 1u; i + 2u < guide.count && row(guide, i + 2u) < list.particles; i++) {
        let off = particle(guide, i) + particle(guide, i + 1u) - particle(guide, i - 1u) - particle(guide, i + 2u);
        if is_finite(off) {
            most = max(most, sqrt(dot(off, off)) / 16.0);
        }
    }
    atomicMax(&told.bulge, bitcast<u32>(most));
}

@compute @workgroup_size(64)
fn ribbon(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_workgroups) groups: vec3u,
) {
    let strand = id.y * groups.x * 64u + id.x;
    if strand < list.strands {
        write_ribbon(strand);
    }
    workgroupBarrier();
    if lane < 6u {
        atomicMax(&told.places[lane], atomicLoad(&group_places[lane]));
    }
}

fn write_ribbon(strand: u32) {
    let guide = guides[strand];
    let last = guide.count - 1u;
    let begin = first_place(strand, guide);
    // One that has particles missing is left out.
    if row(guide, last) >= list.particles {
        return;
    }
    let whole = points(guide, 1u) - 1u;
    var aside = turned(list.turn, guide.aside);
    var start = 0u;
    var end = piece_end(guide, 0u);
    for (var at = 0u; at < points(guide, list.parts); at++) {
        let point = at / list.parts;
        let share = f32(at % list.parts) / f32(list.parts);
        let i = point % guide.count;
        if point > end {
            start = point;
            end = piece_end(guide, point);
            // No seat turns what has fallen off.
            aside = guide.aside;
        }
        let found = on_spline(guide, i, share);
        let tangent = normalize_or(found[1], vec3f(0.0, -1.0, 0.0));
        aside = normalize_or(aside - tangent * dot(tangent, aside), across_any(tangent));
        // A ring ends where it began, and is as its root all the way; what is held at its tip is as wide there.
        let is_held = (guide.flags & HELD) != 0u;
        let way = (f32(i) + share) / f32(last);
        let along = select(select(way, WIDE * way, is_held), 0.0, is_closed(guide));
        var gone = along;
        if start > 0u || end < whole {
            let part = (f32(point - start) + share) / f32(max(end - start, 1u));
            gone = select(part, WIDE * part, is_held && end == last);
            // It goes on behind the root.
            gone = select(gone, 0.0, is_closed(guide) && end == last + 1u);
        }
        for (var side = 0u; side < 2u; side++) {
            let first = VERTEX * (2u * (begin + at) + side);
            for (var axis = 0u; axis < 3u; axis++) {
                vertices[first + axis] = found[0][axis];
                vertices[first + TANGENT + axis] = tangent[axis];
                vertices[first + 8u + axis] = aside[axis];
            }
            vertices[first + 3u] = along;
            vertices[first + 7u] = 2.0 * f32(side) - 1.0;
            vertices[first + 11u] = f32(strand);
            // No numbers are shown.
            vertices[first + 12u] = 0.0;
            vertices[first + GONE] = gone;
        }
        if is_finite(found[0]) {
            for (var axis = 0u; axis < 3u; axis++) {
                atomicMax(&group_places[axis], ~ordered(found[0][axis]));
                atomicMax(&group_places[axis + 3u], ordered(found[0][axis]));
            }
        }
    }
}

// A place of a strand that is written.
fn place_at(begin: u32, i: u32) -> vec3f {
    let first = 2u * VERTEX * (begin + i);
    return vec3f(vertices[first], vertices[first + 1u], vertices[first + 2u]);
}

@compute @workgroup_size(64)
fn texel(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = id.y * groups.x * 64u + id.x;
    if place >= list.places {
        return;
    }
    var low = vec3f(0.0);
    var side = 1e-6;
    for (var axis = 0u; axis < 3u; axis++) {
        low[axis] = number(~atomicLoad(&told.places[axis]));
        side = max(side, number(atomicLoad(&told.places[axis + 3u])) - low[axis]);
    }
    let x = place_at(place, 0u);
    for (var axis = 0u; axis < 3u; axis++) {
        // What is not a number is drawn at 0.
        let along = u32(0.5 * BYTE * (vertices[2u * VERTEX * place + TANGENT + axis] + 1.0) + 0.5);
        let whole = select(0u, u32(clamp((x[axis] - low[axis]) * (WHOLE / side), 0.0, WHOLE)), is_finite(x));
        let bytes = whole >> 16u | (whole >> 8u & 255u) << 8u | (whole & 255u) << 16u | along << 24u;
        texels[(place / ROW * 3u + axis) * ROW + place % ROW] = bytes;
    }
}
