// Whether a position or a velocity is NaN or infinite after the frame, and which is the first.
//
// `fault_not_finite` holds the largest of 0xffffffff - (2 particle + c), c 0 for a position and 1 for a velocity; 0: all are
// finite. The host adds this pass to the end of every list. CPU twin: `not_finite` in app/src/run.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> fault_not_finite: array<atomic<u32>>;

// By the bits: a compiler may take it that no number is NaN.
const EXPONENT: u32 = 0x7f800000u;

fn is_wild(v: vec4f) -> bool {
    return any((bitcast<vec4u>(v) & vec4u(EXPONENT)) == vec4u(EXPONENT));
}

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let wild_position = is_wild(particle_position[i]);
    let wild_velocity = is_wild(particle_velocity[i]);
    if wild_position || wild_velocity {
        atomicMax(&fault_not_finite[0], 0xffffffffu - (2u * i + select(1u, 0u, wild_position)));
    }
}
