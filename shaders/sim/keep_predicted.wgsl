// Velocity before contact, where nothing is in contact: the velocity itself.
//
// CPU twin: the end of `step` in sim-dylib/src/solvers/explicit.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_predicted: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    particle_predicted[i] = particle_velocity[i];
}
