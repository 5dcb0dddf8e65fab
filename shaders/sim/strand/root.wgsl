// Roots on cloth: they go and turn with a triangle, and the strand pulls back at its corners.
//
// CPU twin: `roots::place`, `roots::of_triangle`.
// CPU twin: `rotation::Rotation::of_axes`.

#import <strand/seat.wgsl>
#import <strand/end.wgsl>

// Where a root and the end of its stub were when the substep began [m].
var<storage> root_begin: array<vec4f>;
var<storage> root_stub_begin: array<vec4f>;

// The particle of a strand that a cloth holds.
fn borne_particle(row: u32) -> u32 {
    let span = strand_span[root_strand[row]];
    return span[0] + select(0u, span[1], is_stub(span[0] - first_segment()));
}

// Of three axes that are square to each other.
fn rotation_of_axes(a: vec3f, b: vec3f, c: vec3f) -> vec4f {
    let x = a.x - b.y - c.z;
    let y = b.y - a.x - c.z;
    let z = c.z - a.x - b.y;
    let w = a.x + b.y + c.z;
    let skew = vec3f(b.z - c.y, c.x - a.z, a.y - b.x);
    let most = max(max(max(x, y), z), w);
    if most == w {
        return unit_rotation(vec4f(skew, 1.0 + w));
    }
    if most == x {
        return unit_rotation(vec4f(1.0 + x, a.y + b.x, c.x + a.z, skew.x));
    }
    if most == y {
        return unit_rotation(vec4f(a.y + b.x, 1.0 + y, b.z + c.y, skew.y));
    }
    return unit_rotation(vec4f(c.x + a.z, b.z + c.y, 1.0 + z, skew.z));
}

// Puts a root to where its triangle is now: held, or as heavy as the corners are for it. It meets nothing then.
fn put_root(row: u32, heavy: bool) {
    let strand = root_strand[row];
    let first = strand_span[strand][0];
    let segment = first - first_segment();
    let corners = root_corners[row];
    let weights = root_weights[row];
    let a = particle_position[corners[0]];
    let b = particle_position[corners[1]];
    let c = particle_position[corners[2]];
    let place = a.xyz * weights.x + b.xyz * weights.y + c.xyz * weights.z;
    let shares = abs(weights.xyz) * root_crowd[row].xyz * vec3f(a.w, b.w, c.w);
    let own = borne_particle(row);
    if own != first {
        let edge = b.xyz - a.xyz;
        let across = cross(edge, c.xyz - a.xyz);
        let e1 = edge / sqrt(max(dot(edge, edge), 1.17549435e-38));
        let e3 = across / sqrt(max(dot(across, across), 1.17549435e-38));
        var turn = segment_rotation[segment];
        // A triangle that has no area has no frame: the last one stays.
        if dot(e3, e3) > 0.5 {
            turn = unit_rotation(after(rotation_of_axes(e1, cross(e3, e1), e3), strand_root_rotation[strand]));
        }
        segment_rotation[segment] = turn;
        put_particle(first, vec4f(place - along(turn) * segment_rest[segment], 0.0));
    }
    root_carried[row] = vec4f(0.0);
    put_end(own, vec4f(place, select(0.0, shares.x + shares.y + shares.z, heavy)), root_begin[row].xyz);
}
