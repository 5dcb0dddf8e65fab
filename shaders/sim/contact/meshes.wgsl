// Points against triangle meshes.
//
// The distance is that of the nearest point of the surface, by a tree of boxes; cells of a coarse grid tell at a glance
// who is far. Sign: Bærentzen and Aanæs: Signed Distance Computation Using the Angle Weighted Pseudonormal, 2005.
// Nearest point of a triangle: Ericson: Real-Time Collision Detection, section 5.1.5. Ways: Hart: Sphere Tracing, 1996.
//
// ```text
// solid_data   collider      closed, -, first node, end        two rows each, where app/gpu/src/solids.rs puts them
//              node          lowest corner, next if too far     highest corner, first face | faces << 28
//              face          corners a b c, their normals, normals of edges ab bc ca        nine rows
//              cells         four distances each
// ```
//
// CPU twin: `collide::mesh::Mesh::distance`, `collide::sweep::follow`, `collide::sweep::hit`.

// Surfaces met on one way.
const HITS: u32 = 4u;

struct Solid {
    closed: bool,
    // Rows of its nodes and faces, and its first cell, counted in numbers.
    nodes: vec2u,
    faces: u32,
    cell: u32,
    // Lowest corner of its grid, and side of a cell [m].
    low: vec4f,
    cells: vec3u,
}

fn solid_of(c: u32) -> Solid {
    let head = solid_data[SOLID_ROWS * c];
    let grid = solid_data[SOLID_ROWS * c + 2u];
    return Solid(
        (head.x & 1u) != 0u, head.yz, head.w, grid.w, bitcast<vec4f>(solid_data[SOLID_ROWS * c + 1u]), grid.xyz,
    );
}

fn row_at(row: u32) -> vec3f {
    return bitcast<vec3f>(solid_data[row].xyz);
}

// A way from the nearest point of a face [m], and the pseudonormal there, of any length.
struct From {
    way: vec3f,
    normal: vec3f,
}

fn way_from(row: u32, x: vec3f) -> From {
    let a = row_at(row);
    let b = row_at(row + 1u);
    let c = row_at(row + 2u);
    let ab = b - a;
    let ac = c - a;
    let ax = x - a;
    let d1 = dot(ab, ax);
    let d2 = dot(ac, ax);
    if d1 <= 0.0 && d2 <= 0.0 {
        return From(ax, row_at(row + 3u));
    }
    let bx = x - b;
    let d3 = dot(ab, bx);
    let d4 = dot(ac, bx);
    if d3 >= 0.0 && d4 <= d3 {
        return From(bx, row_at(row + 4u));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return From(ax - ab * (d1 / (d1 - d3)), row_at(row + 6u));
    }
    let cx = x - c;
    let d5 = dot(ab, cx);
    let d6 = dot(ac, cx);
    if d6 >= 0.0 && d5 <= d6 {
        return From(cx, row_at(row + 5u));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return From(ax - ac * (d2 / (d2 - d6)), row_at(row + 8u));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return From(bx - (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), row_at(row + 7u));
    }
    let normal = cross(ab, ac);
    return From(normal * (dot(normal, ax) / dot(normal, normal)), normal);
}

// Normal, and in w the signed distance; the surface is known to be within `bound` [m].
fn nearest(solid: Solid, x: vec3f, bound: f32) -> vec4f {
    // A little more, so that rounding does not hide it.
    var best = bound * bound * 1.001 + 1e-12;
    var found = From(vec3f(0.0), vec3f(0.0, 1.0, 0.0));
    for (var node = solid.nodes.x; node < solid.nodes.y;) {
        let low = solid_data[node];
        let high = solid_data[node + 1u];
        let beyond = max(max(bitcast<vec3f>(low.xyz) - x, x - bitcast<vec3f>(high.xyz)), vec3f(0.0));
        if dot(beyond, beyond) > best {
            node = low.w;
            continue;
        }
        let first = high.w & ((1u << SOLID_FACE_BITS) - 1u);
        for (var k = 0u; k < (high.w >> SOLID_FACE_BITS); k++) {
            let way = way_from(solid.faces + SOLID_FACE_ROWS * (first + k), x);
            let squared = dot(way.way, way.way);
            if squared < best {
                best = squared;
                found = way;
            }
        }
        node += SOLID_NODE_ROWS;
    }
    let length = sqrt(dot(found.way, found.way));
    let side = select(1.0, -1.0, solid.closed && dot(found.way, found.normal) < 0.0);
    // On the surface itself the way has no direction worth the name.
    if length > 1e-6 {
        return vec4f(found.way * (side / length), side * length);
    }
    let l = sqrt(dot(found.normal, found.normal));
    return vec4f(select(vec3f(0.0, 1.0, 0.0), found.normal / l, l > 0.0), side * length);
}

// Normal, and in w the distance: exact but for what a glance at the grid knows to be farther than `needed` [m].
fn mesh_surface(solid: Solid, x: vec3f, needed: f32) -> vec4f {
    let place = (x - solid.low.xyz) / solid.low.w;
    let at = vec3u(clamp(place, vec3f(0.0), vec3f(solid.cells) - 1.0));
    let middle = solid.low.xyz + (vec3f(at) + 0.5) * solid.low.w;
    let cell = solid.cell + (at.z * solid.cells.y + at.y) * solid.cells.x + at.x;
    let known = bitcast<f32>(solid_data[cell / 4u][cell % 4u]);
    let away = 1.0001 * sqrt(dot(x - middle, x - middle));
    // The distance changes by at most the way.
    if known - away > needed {
        return vec4f(0.0, 1.0, 0.0, known - away);
    }
    return nearest(solid, x, abs(known) + away);
}

// A surface that was met, and the place on it where the way goes on.
struct Hit {
    met: Met,
    on: vec3f,
}

fn behind(goal: vec3f, on: vec3f, normal: vec3f) -> Hit {
    return Hit(at_rest(dot(normal, goal - on), normal), on);
}

// The first surface on the way; depth 0 where there is none.
fn hit(solid: Solid, start: vec3f, goal: vec3f, thickness: f32) -> Hit {
    let way = goal - start;
    let length = sqrt(dot(way, way));
    let missed = Hit(nothing(), goal);
    if length == 0.0 {
        return missed;
    }
    let direction = way / length;
    let begin = mesh_surface(solid, start, thickness + length);
    var gap = begin.w - thickness;
    if gap >= length {
        return missed;
    }
    if gap < SKIN {
        if gap < -SKIN || dot(direction, begin.xyz) < 0.0 {
            let held = behind(goal, start - begin.xyz * gap, begin.xyz);
            // Less is along the surface but for rounding: it goes on to what may stand on it.
            if held.met.depth >= 0.01 * SKIN {
                return held;
            }
        }
        gap = SKIN;
    }
    var walked = gap;
    var last = 0.0;
    var least = max(LEAST * thickness, SKIN);
    for (var step = 0u; step < STEPS; step++) {
        if walked >= length {
            let end = mesh_surface(solid, goal, thickness);
            let met = at_rest(end.w - thickness, end.xyz);
            return Hit(met, goal + met.out);
        }
        let at = start + direction * walked;
        let face = mesh_surface(solid, at, thickness + SKIN);
        let left = face.w - thickness;
        if left < -SKIN && last > SKIN {
            // The least step led inside: the surface is half as far, or less.
            least = 0.5 * last;
            walked -= last - least;
            last = least;
            continue;
        }
        if left < SKIN && dot(direction, face.xyz) < 0.0 {
            let held = behind(goal, at - face.xyz * left, face.xyz);
            if held.met.depth > 0.0 {
                return held;
            }
        }
        last = max(left, least);
        walked += last;
    }
    let at = start + direction * min(walked, length);
    let face = mesh_surface(solid, at, thickness);
    let out = at - goal;
    // Where the walk ended it stops, whatever the depth.
    return Hit(Met(out, face.xyz, max(dot(face.xyz, out), 1e-12), vec3f(0.0)), at);
}

// A particle in the collider's frame: past each surface it goes on along it to the next.
fn meet_mesh(c: u32, start: vec3f, goal: vec3f, thickness: f32) -> Met {
    let solid = solid_of(c);
    let way = goal - start;
    let length = sqrt(dot(way, way));
    let end = mesh_surface(solid, goal, thickness + length);
    if end.w - thickness > length {
        return nothing();
    }
    if length <= thickness {
        return at_rest(end.w - thickness, end.xyz);
    }
    var all = nothing();
    var here = start;
    var there = goal;
    for (var count = 0u; count < HITS; count++) {
        let left = there - here;
        var next = Hit(nothing(), there);
        if count > 0u && dot(left, left) <= thickness * thickness {
            let face = mesh_surface(solid, there, thickness);
            next.met = at_rest(face.w - thickness, face.xyz);
            next.on = there + next.met.out;
        } else {
            next = hit(solid, here, there, thickness);
        }
        if next.met.depth == 0.0 {
            return all;
        }
        there += next.met.out;
        all = Met(there - goal, next.met.normal, all.depth + next.met.depth, vec3f(0.0));
        here = next.on;
    }
    // Ever another surface: it stays where it met the last.
    all.out = here - goal;
    return all;
}
