// One substep of symplectic Euler in one pass: v += h F/m, x += h v, from one pair of columns to the other.
//
// The same as explicit_velocity.wgsl and explicit_position.wgsl, with a third less traffic.
// CPU twin: `integrate` with symplectic_euler in sim-dylib/src/solvers/explicit/integrate.rs.

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
@group(0) @binding(1) var<storage, read_write> particle_next_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_next_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_mass: array<f32>;
@group(0) @binding(4) var<storage, read> particle_normal: array<vec4f>;
@group(0) @binding(5) var<storage, read> particle_air: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let v = particle_velocity[i].xyz;
    var normal = vec4f(0.0);
    var air = vec3f(0.0);
    if frame.wind_coefficient > 0.0 {
        normal = particle_normal[i];
        air = particle_air[i].xyz;
    }
    let outer =
        outer_force(frame.gravity, frame.air_damping, frame.wind_coefficient, particle_mass[i], v, normal, air);
    let inner = spring_force(i, x, v, bearable_of(frame.h, frame.stability_cap), frame.damped != 0u);
    let faster = select(vec3f(0.0), v + (outer + inner) * (x.w * frame.h), x.w > 0.0);
    particle_next_velocity[i] = vec4f(faster, 0.0);
    particle_next_position[i] = vec4f(x.xyz + faster * frame.h, x.w);
}
