// A whole substep of XPBD with one Jacobi iteration in one pass: project, velocity, and the next substep's prediction.
//
// The same steps as xpbd_jacobi.wgsl, velocity.wgsl and predict.wgsl one after the other, without colliders and holds;
// leap.wgsl says what the columns hold between substeps. CPU twin: sim-dylib/src/substep.rs with `order: jacobi` of
// sim-dylib/src/solvers/xpbd.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h: f32,
    per_h2: f32,
    substep_is_last: u32,
    gravity: vec3f,
    air_damping: f32,
    wind_coefficient: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(6) var<storage, read> particle_share: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let own = particle_share[i];
    let near = neighbours(i);
    var sum = vec3f(0.0);
    for (var k = 0u; k < near.y; k++) {
        let to = neighbour(i, near.x, k);
        let share = min(own, particle_share[to.particle]);
        let d = project(x, particle_position[to.particle], to.rest, to.compliance * frame.per_h2, 0.0);
        sum -= d.xyz * share;
    }
    leap(i, x, sum * x.w);
}
