// StepV of the explicit pair: v += h F/m, with all forces at the start of the substep.
//
// Symplectic Euler together with explicit_position.wgsl; the order of Provot's mass-spring cloth, 1995.
// CPU twin: `integrate` with symplectic_euler in sim-dylib/src/solvers/explicit/integrate.rs, first line of its rule.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    damped: u32,
    gravity: vec3f,
    air_damping: f32,
    wind_coefficient: f32,
    stability_cap: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(2) var<storage, read_write> particle_next_velocity: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let v = faster(i, x);
    particle_next_velocity[i] = vec4f(v, 0.0);
}
