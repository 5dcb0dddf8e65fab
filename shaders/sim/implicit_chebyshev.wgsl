// One Jacobi iteration with Chebyshev's acceleration: y = x(k) + relaxation D^-1 r, x(k + 1) = omega (y - x(k - 1)) + x(k - 1).
//
// Wang: A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-based Dynamics, 2015, eq. 8 and 9. x(k - 1) lies
// in `particle_next_position`, for the columns were swapped. rho is what the iterations bear at most
// (spectrum_given.wgsl). CPU twin: `iterate` in sim-dylib/src/implicit/jacobi.rs.

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
@group(0) @binding(5) var<storage, read_write> particle_next_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let step = jacobi_step(i, x);
    var before = x.xyz;
    if frame.iteration > 0u {
        before = particle_next_position[i].xyz;
    }
    let to = (x.xyz + step - before) * omega_of(frame.iteration) + before;
    particle_next_position[i] = vec4f(select(x.xyz, to, x.w > 0.0), x.w);
}
