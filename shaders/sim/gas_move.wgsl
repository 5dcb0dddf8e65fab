// The particles of each balloon move by w dV/dx times the change of its multiplier; a workgroup for each part.
//
// CPU twin: the end of `Gas::project` in sim-dylib/src/gas.rs.

struct Frame {
    first: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_volume_gradient: array<vec4f>;
// First particle of the part, how many; w: the balloon.
@group(0) @binding(3) var<storage, read> gas_span: array<vec4u>;
@group(0) @binding(4) var<storage, read> balloon_change: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let part = frame.first + group.y * frame.line + group.x;
    if part >= arrayLength(&gas_span) || lane >= gas_span[part].y {
        return;
    }
    let i = gas_span[part].x + lane;
    let x = particle_position[i];
    let way = particle_volume_gradient[i].xyz * (x.w * balloon_change[gas_span[part].w]);
    particle_position[i] = vec4f(x.xyz + way, x.w);
}
