// Adds to each particle's stress what the triangles of one model around it have: area tr(sigma), a third to each corner.
//
// area tr(sigma) is the sum of x dE/dx over the corners. `with` names the model: stvk.wgsl, neo_hookean.wgsl or area.wgsl.
// CPU twin: `membranes` in sim-dylib/src/outcome.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
// Rows of three: a vec3u would be 16 bytes apart.
@group(0) @binding(1) var<storage, read> triangle_idx: array<array<u32, 3>>;
@group(0) @binding(2) var<storage, read> triangle_model: array<u32>;
@group(0) @binding(3) var<storage, read> triangle_area: array<f32>;
@group(0) @binding(4) var<storage, read> triangle_mu: array<f32>;
@group(0) @binding(5) var<storage, read> triangle_lame: array<f32>;
@group(0) @binding(6) var<storage, read> triangle_inverse_rest: array<vec4f>;
@group(0) @binding(7) var<storage, read> particle_fan: array<vec2u>;
@group(0) @binding(8) var<storage, read> fan_triangle: array<u32>;
@group(0) @binding(9) var<storage, read> particle_area: array<f32>;
@group(0) @binding(10) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> particle_stress: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let fan = particle_fan[i];
    var sum = 0.0;
    for (var k = fan.x; k < fan.x + fan.y; k++) {
        let row = fan_triangle[k];
        if triangle_model[row] == MODEL {
            let idx = triangle_idx[row];
            let x = mat3x3f(
                particle_position[idx[0]].xyz, particle_position[idx[1]].xyz, particle_position[idx[2]].xyz,
            );
            let b = triangle_inverse_rest[row];
            let g = gradient_of(x, Sheet(b, triangle_area[row], triangle_mu[row], triangle_lame[row]));
            // The gradients add up to 0: places may be told from x0.
            sum += (dot(x[1] - x[0], g[1]) + dot(x[2] - x[0], g[2])) / 3.0;
        }
    }
    let area = particle_area[i];
    particle_stress[i] += select(0.0, sum / area, area > 0.0);
}
