// StepP of the explicit pair: previous = x, x += h v. What does not move has v = 0.
//
// CPU twin: `advance` in sim-dylib/src/solvers/explicit/integrate.rs, second line of symplectic_euler's rule.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_next_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let v = particle_velocity[i];
    particle_next_position[i] = vec4f(x.xyz + v.xyz * frame.h, x.w);
}
