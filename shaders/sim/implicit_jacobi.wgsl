// One Jacobi iteration on the equation of an implicit step: x += relaxation D^-1 r, D the blocks of implicit_blocks.wgsl.
//
// CPU twin: `iterate` with rho 0 in sim-dylib/src/implicit/jacobi.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h: f32,
    per_h2: f32,
    damped: u32,
    iteration: u32,
    stiffest: f32,
    relaxation: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_mass: array<f32>;
@group(0) @binding(2) var<storage, read> particle_inertial: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(4) var<storage, read> particle_off_diagonal: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_next_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let bearing = Bearing(frame.stiffest * frame.per_h2, frame.per_h, frame.damped != 0u);
    let inertia = (particle_inertial[i].xyz - x.xyz) * (particle_mass[i] * frame.per_h2);
    let residual = inertia + springs_force(i, x, bearing);
    let step = times_block(particle_diagonal[i], particle_off_diagonal[i], residual) * frame.relaxation;
    particle_next_position[i] = vec4f(x.xyz + step, x.w);
}
