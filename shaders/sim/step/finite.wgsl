// Whether a position or a velocity is NaN or infinite after the frame, and which is the first.
//
// `fault_not_finite` holds the largest of 0xffffffff - (2 particle + c), c 0 for a position and 1 for a velocity; 0:
// all are finite. The host adds this pass to the end of every list.
//
// CPU twin: `finite::Run::not_finite`.

var<storage> fault_not_finite: array<u32, 1>;

// By the bits: a compiler may take it that no number is NaN.
const EXPONENT: u32 = 0x7f800000u;

fn is_wild(v: vec4f) -> bool {
    return any((bitcast<vec4u>(v) & vec4u(EXPONENT)) == vec4u(EXPONENT));
}

@rows(128)
fn main(i: u32) {
    let wild_position = is_wild(particle_position[i]);
    let wild_velocity = is_wild(particle_velocity[i]);
    if wild_position || wild_velocity {
        atomicMax(&fault_not_finite[0], 0xffffffffu - (2u * i + select(1u, 0u, wild_position)));
    }
}
