// dV/dx of each particle of a balloon, and of CLOTH_PART of them the sums of w |dV/dx|² and (x - o) . dV/dx.
//
// dV/dx = 1/6 sum (b - a) x (c - a) over the triangles around the particle, in their order. V is of third degree in the
// positions, so the sum of (x - o) . dV/dx is 3 V (Euler), o a particle of its own. Müller et al.: Position Based
// Dynamics, 2007, section 4.4. A workgroup for each part of a balloon.
//
// CPU twin: `gas::Gas::fill_gradient`, `gas::Gas::weight`, `gas::Gas::excess`.

#import <lib/sums.wgsl>

// x: sum of w |dV/dx|², y: of (x - o) . dV/dx, of a part of a balloon.
var<storage> gas_sums: array<vec4f>;

@groups(CLOTH_PART)
fn main(part: u32, lane: u32) {
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
