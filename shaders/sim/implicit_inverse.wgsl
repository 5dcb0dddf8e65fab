// Inverts each particle's block, when all tables have added theirs (implicit_blocks.wgsl, elastic_blocks.wgsl).
//
// CPU twin: the end of `assemble` in sim-dylib/src/implicit.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_diagonal: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_off_diagonal: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let inverse = inverse_block(particle_diagonal[i].xyz, particle_off_diagonal[i].xyz);
    // A particle that does not move has an inverse of 0: nothing moves it.
    let free = particle_position[i].w > 0.0;
    particle_diagonal[i] = vec4f(select(vec3f(0.0), inverse.diagonal, free), 0.0);
    particle_off_diagonal[i] = vec4f(select(vec3f(0.0), inverse.off, free), 0.0);
}
