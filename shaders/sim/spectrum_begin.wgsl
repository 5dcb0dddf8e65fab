// Where the power method starts: `delta` = D x for the cloth that moves as a whole along one axis, `search` = x.
//
// CPU twin: `begin` and `direction` in sim-dylib/src/implicit/spectrum.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_off_diagonal: array<vec4f>;
@group(0) @binding(4) var<storage, read> spectrum_axis: array<u32>;
@group(0) @binding(5) var<storage, read_write> particle_delta: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> particle_search: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let diagonal = particle_diagonal[i];
    let axis = spectrum_axis[0];
    let along = vec3f(f32(axis == 0u), f32(axis == 1u), f32(axis == 2u));
    let free = particle_position[i].w > 0.0;
    let r = select(vec3f(0.0), along / dot(diagonal.xyz, along), free);
    particle_delta[i] = vec4f(r, 0.0);
    particle_search[i] = vec4f(times_block(diagonal, particle_off_diagonal[i], r), 0.0);
}
