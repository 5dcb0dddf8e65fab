// What is drawn of a cloth, written where it is drawn from: positions between two frames, normals, curvature.
//
// Three passes a picture, outside of all lists: the host runs them on the context that draws (app/gpu/src/surface.rs).
// Rows of what is drawn count from the cloth's first particle.
//
// CPU twin: `view::between`, `normals::Normals::compute`.

struct Surface {
    first: u32,
    end: u32,
    line: u32,
    // Place between the frame before and this one, 0 to 1.
    share: f32,
}

@group(0) @binding(0) var<uniform> surface: Surface;
@group(0) @binding(1) var<storage, read> particle_before: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> drawn_position: array<vec4f>;
// Of all cloth, as numbers that grow with the coordinate: the complement of the lowest x, y, z, then the highest.
@group(0) @binding(4) var<storage, read_write> bounds: array<atomic<u32>, 6>;
@group(0) @binding(5) var<storage, read> particle_fan: array<vec2u>;
@group(0) @binding(6) var<storage, read> fan_triangle: array<u32>;
// Rows of three: a vec3u would be 16 bytes apart.
@group(0) @binding(7) var<storage, read> triangle_idx: array<array<u32, 3>>;
// Unit normal, and mean curvature [1/m], positive in a valley seen from the front.
@group(0) @binding(8) var<storage, read_write> drawn_normal: array<vec4f>;
// Curvature before it is smoothed.
@group(0) @binding(9) var<storage, read_write> curvature: array<f32>;

var<workgroup> group_bounds: array<atomic<u32>, 6>;

const EXPONENT: u32 = 0x7f800000u;

// Bits that are ordered as the numbers are.
fn ordered(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

@compute @workgroup_size(128)
fn place(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = surface.first + id.y * surface.line + id.x;
    if i < surface.end {
        let before = particle_before[i];
        let now = particle_position[i];
        let x = select(before + (now - before) * surface.share, now, surface.share >= 1.0);
        drawn_position[i - surface.first] = x;
        // By the bits: a compiler may take it that no number is NaN.
        if all((bitcast<vec3u>(x.xyz) & vec3u(EXPONENT)) != vec3u(EXPONENT)) {
            for (var k = 0u; k < 3u; k++) {
                atomicMax(&group_bounds[k], ~ordered(x[k]));
                atomicMax(&group_bounds[k + 3u], ordered(x[k]));
            }
        }
    }
    workgroupBarrier();
    if lane < 6u {
        atomicMax(&bounds[lane], atomicLoad(&group_bounds[lane]));
    }
}

@compute @workgroup_size(128)
fn ring(@builtin(global_invocation_id) id: vec3u) {
    let i = surface.first + id.y * surface.line + id.x;
    if i >= surface.end {
        return;
    }
    let own = drawn_position[i - surface.first].xyz;
    let fan = particle_fan[i];
    // Twice the area along the normal [m2], and the way to the neighbours: to where the surface bends [m].
    var area = vec3f(0.0);
    var bend = vec3f(0.0);
    for (var k = fan.x; k < fan.x + fan.y; k++) {
        let idx = triangle_idx[fan_triangle[k]];
        let a = drawn_position[idx[0] - surface.first].xyz;
        let b = drawn_position[idx[1] - surface.first].xyz;
        let c = drawn_position[idx[2] - surface.first].xyz;
        area += cross(b - a, c - a);
        bend += a + b + c - 3.0 * own;
    }
    let twice = sqrt(dot(area, area));
    let normal = select(vec3f(0.0, 1.0, 0.0), area / twice, twice > 0.0);
    drawn_normal[i - surface.first] = vec4f(normal, 0.0);
    curvature[i] = select(0.0, dot(bend, normal) / twice, twice > 0.0);
}

// One average over the neighbours: the curvature of a single ring shows the mesh.
@compute @workgroup_size(128)
fn smooth_curvature(@builtin(global_invocation_id) id: vec3u) {
    let i = surface.first + id.y * surface.line + id.x;
    if i >= surface.end {
        return;
    }
    let fan = particle_fan[i];
    var sum = 0.0;
    for (var k = fan.x; k < fan.x + fan.y; k++) {
        let idx = triangle_idx[fan_triangle[k]];
        sum += (curvature[idx[0]] + curvature[idx[1]] + curvature[idx[2]]) / 3.0;
    }
    drawn_normal[i - surface.first].w = sum / max(f32(fan.y), 1.0);
}
