// One Jacobi iteration on the equation of an implicit step: x += relaxation D^-1 r.
//
// CPU twin: `iterate` with rho 0 in sim-dylib/src/implicit/jacobi.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h: f32,
    per_h2: f32,
    damped: u32,
    stiffest: f32,
    relaxation: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(5) var<storage, read_write> particle_next_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    particle_next_position[i] = vec4f(x.xyz + jacobi_step(i, x), x.w);
}
