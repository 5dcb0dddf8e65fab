// One Jacobi iteration with Chebyshev's acceleration: y = x(k) + relaxation D^-1 r, x(k + 1) = omega (y - x(k - 1)) + x(k - 1).
//
// Wang: A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-based Dynamics, 2015, eq. 8 and 9. x(k - 1) lies
// in `particle_next_position`, for the columns were swapped. rho is set, not estimated, and nothing notices one that
// is too large. CPU twin: `iterate` in sim-dylib/src/implicit/jacobi.rs.

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
    rho: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_mass: array<f32>;
@group(0) @binding(2) var<storage, read> particle_inertial: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(4) var<storage, read> particle_off_diagonal: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_next_position: array<vec4f>;

// omega 1, 2/(2 - rho2), 4/(4 - rho2 omega), ...
fn omega_of(iteration: u32) -> f32 {
    let rho = frame.rho;
    var omega = 1.0;
    for (var k = 1u; k <= iteration; k++) {
        omega = select(4.0 / (4.0 - rho * rho * omega), 2.0 / (2.0 - rho * rho), k == 1u);
    }
    return omega;
}

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
    var before = x.xyz;
    if frame.iteration > 0u {
        before = particle_next_position[i].xyz;
    }
    let to = (x.xyz + step - before) * omega_of(frame.iteration) + before;
    particle_next_position[i] = vec4f(select(x.xyz, to, x.w > 0.0), x.w);
}
