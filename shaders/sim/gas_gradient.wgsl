// dV/dx of each particle of a balloon, and of 256 of them the sums of w |dV/dx|² and (x - o) . dV/dx.
//
// dV/dx = 1/6 sum (b - a) x (c - a) over the triangles around the particle, in their order. V is of third degree in the
// positions, so the sum of (x - o) . dV/dx is 3 V (Euler), o a particle of its own. Müller et al.: Position Based Dynamics,
// 2007, section 4.4. A workgroup for each part of a balloon. CPU twin: `fill_gradient`, `weight` and `excess` in
// sim-dylib/src/gas.rs.

struct Frame {
    first: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_fan: array<vec2u>;
@group(0) @binding(3) var<storage, read> fan_triangle: array<u32>;
// Rows of three: a vec3u would be 16 bytes apart.
@group(0) @binding(4) var<storage, read> triangle_idx: array<array<u32, 3>>;
// First particle of the part, how many, and the balloon's first.
@group(0) @binding(5) var<storage, read> gas_span: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> particle_volume_gradient: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> gas_sums: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let part = frame.first + group.y * frame.line + group.x;
    var span = vec4u(0u);
    if part < arrayLength(&gas_span) {
        span = gas_span[part];
    }
    var own = vec4f(0.0);
    if lane < span.y {
        let i = span.x + lane;
        let x = particle_position[i];
        let fan = particle_fan[i];
        var sum = vec3f(0.0);
        for (var k = fan.x; k < fan.x + fan.y; k++) {
            let idx = triangle_idx[fan_triangle[k]];
            let a = particle_position[idx[0]].xyz;
            sum += cross(particle_position[idx[1]].xyz - a, particle_position[idx[2]].xyz - a);
        }
        let gradient = sum / 6.0;
        particle_volume_gradient[i] = vec4f(gradient, 0.0);
        let arm = x.xyz - particle_position[span.z].xyz;
        own = vec4f(x.w * dot(gradient, gradient), dot(arm, gradient), 0.0, 0.0);
    }
    let sum = sum_up(lane, own);
    if lane == 0u && part < arrayLength(&gas_span) {
        gas_sums[part] = sum;
    }
}
