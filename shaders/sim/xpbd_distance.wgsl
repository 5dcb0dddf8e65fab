// XPBD over the distance table, Gauss-Seidel: one colour a dispatch, rows of a colour share no particle.
//
// The first iteration of a substep takes lambda as 0, so that nothing has to clear it. CPU twin: `Springs` and `Damped`
// without damping in sim-dylib/src/solvers/xpbd.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    iteration: u32,
    iterations: u32,
    substep_is_last: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_idx: array<vec2u>;
@group(0) @binding(2) var<storage, read> distance_rest: array<f32>;
@group(0) @binding(3) var<storage, read> distance_compliance: array<f32>;
@group(0) @binding(4) var<storage, read_write> distance_lambda: array<f32>;
@group(0) @binding(5) var<storage, read_write> particle_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let alpha = distance_compliance[row] * frame.per_h2;
    var lambda = 0.0;
    if frame.iteration > 0u {
        lambda = distance_lambda[row];
    }
    let d = project(x0, x1, distance_rest[row], alpha, lambda);
    // Forces are made of the last substep's.
    if frame.iterations > 1u || frame.substep_is_last != 0u {
        distance_lambda[row] = lambda + d.w;
    }
    particle_position[idx.x] = vec4f(x0.xyz - d.xyz * x0.w, x0.w);
    particle_position[idx.y] = vec4f(x1.xyz + d.xyz * x1.w, x1.w);
}
