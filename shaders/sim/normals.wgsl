// Unit normal of each particle and in w its share of the cloth's area [m2]: what wind pushes on. Once a frame.
//
// Each particle adds up the triangles around it in their order. CPU twin: sim-dylib/src/normals.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_fan: array<vec2u>;
@group(0) @binding(3) var<storage, read> fan_triangle: array<u32>;
// Rows of three: a vec3u would be 16 bytes apart.
@group(0) @binding(4) var<storage, read> triangle_idx: array<array<u32, 3>>;
@group(0) @binding(5) var<storage, read_write> particle_normal: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let fan = particle_fan[i];
    var sum = vec4f(0.0);
    for (var k = fan.x; k < fan.x + fan.y; k++) {
        let idx = triangle_idx[fan_triangle[k]];
        let a = particle_position[idx[0]].xyz;
        let doubled = cross(particle_position[idx[1]].xyz - a, particle_position[idx[2]].xyz - a);
        sum += vec4f(doubled, sqrt(dot(doubled, doubled)) / 6.0);
    }
    let l = sqrt(dot(sum.xyz, sum.xyz));
    particle_normal[i] = vec4f(select(vec3f(0.0), sum.xyz / l, l > 0.0), sum.w);
}
